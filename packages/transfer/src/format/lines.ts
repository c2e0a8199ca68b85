// Splits the content of a file into the JSON values of its lines, in linear time; a line is bounded. Knows no format.

import { isUtf8 } from 'node:buffer'
import { isRecord } from '@plinth/kernel'
import { TransferError } from '../transfer-error.ts'

/** A line of a file. */
export interface Line {
  /** From 0. */
  readonly number: number
  readonly value: Readonly<Record<string, unknown>>
}

/** A line, or a sentence that says what is wrong with it. */
export type ReadLine =
  | (Line & { readonly fault: null })
  | { readonly number: number; readonly value: null; readonly fault: string }

/** The maximum size of a line, in bytes. */
export const maxLineBytes = 64 * 1024 * 1024
/** The maximum depth of a line: what is deeper could not be written as JSON again. */
const maxDepth = 1000

/** Reads the lines from the number `from` on; empty ones are not counted. */
export async function* linesOf(content: AsyncIterable<Buffer>, path: string, from: number): AsyncGenerator<ReadLine> {
  let number = 0
  for await (const bytes of bytesOf(content)) {
    if (number >= from) yield read(bytes, number, path)
    number++
  }
}

/** Reads the lines from the number `from` on. Throws TransferError for a line that is not a JSON object. */
export async function* valuesOf(content: AsyncIterable<Buffer>, path: string, from: number): AsyncGenerator<Line> {
  for await (const line of linesOf(content, path, from)) {
    if (line.fault !== null) throw new TransferError(line.fault)
    yield line
  }
}

/** Reads the bytes of each line that is not empty; null for one that is too long. */
async function* bytesOf(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer | null> {
  // Parts of a line are joined once, when it ends: a line may be long. One that is too long is not kept.
  let parts: Buffer[] = []
  let size = 0
  const take = (part: Buffer) => {
    size += part.length
    if (size <= maxLineBytes) parts.push(part)
    else parts = []
  }
  const end = () => {
    const line = size > maxLineBytes ? null : parts.length === 1 ? parts[0]! : Buffer.concat(parts)
    parts = []
    size = 0
    return line
  }
  for await (const chunk of content) {
    let at = 0
    for (let next = chunk.indexOf(0x0a); next !== -1; next = chunk.indexOf(0x0a, at)) {
      if (next > at || size > 0) {
        take(chunk.subarray(at, next))
        const line = end()
        if (line === null || !isEmpty(line)) yield line
      }
      at = next + 1
    }
    take(chunk.subarray(at))
  }
  const last = end()
  if (last === null || !isEmpty(last)) yield last
}

const isEmpty = (bytes: Buffer) => bytes.every(byte => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d))

function read(bytes: Buffer | null, number: number, path: string): ReadLine {
  const at = `${path}, line ${number + 1}`
  const fault = (text: string): ReadLine => ({ number, value: null, fault: `${at} ${text}` })
  if (bytes === null) return fault(`has more than ${maxLineBytes / 1024 / 1024} MiB, and no export writes such lines`)
  if (!isUtf8(bytes)) return fault('is not text in UTF-8: the archive is damaged')
  if (isTooDeep(bytes)) return fault(`is nested more than ${maxDepth} levels deep, and cannot be stored`)
  try {
    const value: unknown = JSON.parse(bytes.toString())
    if (isRecord(value)) return { number, value: value as Line['value'], fault: null }
  } catch {
    // The message of the parser would show content.
  }
  return fault('is not a JSON object: the archive is damaged')
}

/** Returns whether brackets outside of texts are nested too deeply. */
function isTooDeep(bytes: Buffer): boolean {
  let depth = 0
  let isText = false
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!
    if (isText) {
      if (byte === 0x5c) i++
      else if (byte === 0x22) isText = false
    } else if (byte === 0x22) isText = true
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > maxDepth) return true
    } else if (byte === 0x7d || byte === 0x5d) depth--
  }
  return false
}
