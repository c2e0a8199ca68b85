// The body of POST /upload: files, and what is said about them. The names and messages are those of v4 (B-11.1 to B-11.5).

import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { ValidationError } from '@plinth/kernel'
import { parseJson, readParts } from '@plinth/server/transport'
import type { ReceivedFile, SentFile } from '../intake.ts'
import { checkLength } from '../names.ts'
import type { FileInfo } from '../record.ts'

/** The entry and the attribute that get the files. */
export interface Place {
  readonly ref: string
  readonly refId: string
  readonly field: string
}

export interface UploadForm {
  readonly files: readonly ReceivedFile[]
  /** What was said about each file, in the order of the files; null if nothing was. */
  readonly infos: readonly FileInfo[] | null
  readonly place: Place | null
}

/** The most bytes of a field. */
const fieldLimit = 1_000_000
const maxParts = 1000

/**
 * Reads a form. `receive` takes a file when it arrives; what it returned is in `taken` also when the form is refused. Throws
 * ValidationError and what the reader of parts throws.
 */
export async function readForm(request: IncomingMessage, { taken, receive, signal }: FormTools): Promise<UploadForm> {
  const fields = new Map<string, Buffer[]>()
  for await (const part of readParts(request, { fieldLimit, maxParts, signal })) {
    if (part.kind === 'field') fields.set(part.name, [...(fields.get(part.name) ?? []), part.value])
    // Files of other names are not read: v4 ignores them.
    else if (part.name === 'files') taken.push(await receive(part))
  }
  const infos = (fields.get('fileInfo') ?? []).flatMap(value => parseInfos(value))
  return { files: taken, infos: infos.length === 0 ? null : infos, place: placeOf(fields) }
}

export interface FormTools {
  readonly taken: ReceivedFile[]
  readonly receive: (file: SentFile) => Promise<ReceivedFile>
  readonly signal: AbortSignal
}

/** A field contains one object, or a list of them. Throws ValidationError. */
function parseInfos(value: Buffer): FileInfo[] {
  let sent: unknown
  try {
    sent = parseJson(value)
  } catch {
    throw fault([], 'fileInfo must be valid JSON')
  }
  return (Array.isArray(sent) ? sent : [sent]).map(parseInfo)
}

/** What is said about one file. Unknown keys are dropped (B-11.2). Throws ValidationError. */
export function parseInfo(sent: unknown): FileInfo {
  if (sent === null || typeof sent !== 'object' || Array.isArray(sent)) throw fault([], 'fileInfo must be an object')
  const info: { -readonly [Key in keyof FileInfo]: FileInfo[Key] } = {}
  for (const name of ['name', 'alternativeText', 'caption'] as const) {
    const value = (sent as Record<string, unknown>)[name]
    if (value === undefined || value === null) continue
    if (typeof value !== 'string') throw fault([name], `fileInfo.${name} must be a \`string\` type`)
    checkLength(value, `fileInfo.${name}`)
    // An empty name is none.
    if (name !== 'name' || value.trim() !== '') info[name] = value
  }
  return info
}

function fault(path: readonly string[], message: string): ValidationError {
  return ValidationError.ofFields([{ path: ['fileInfo', ...path], message, name: 'ValidationError' }])
}

/** What was said about each of the files. Throws ValidationError if it was said about more or fewer. */
export function infosFor(count: number, infos: readonly FileInfo[] | null): readonly FileInfo[] {
  if (infos === null) return Array.from({ length: count }, () => ({}))
  if (infos.length === count) return infos
  throw fault([], `fileInfo has ${infos.length} items for ${count} files`)
}

function placeOf(fields: ReadonlyMap<string, readonly Buffer[]>): Place | null {
  const [ref, refId, field] = ['ref', 'refId', 'field'].map(name => textIn(name, fields.get(name)))
  return place({ ref, refId, field })
}

/** The place that was named; null without one. Throws ValidationError if a part of it is missing. */
export function place(sent: { readonly [Key in keyof Place]?: string | null | undefined }): Place | null {
  const names = ['ref', 'refId', 'field'] as const
  const missing = names.filter(name => (sent[name] ?? '') === '')
  if (missing.length === names.length) return null
  if (missing.length > 0)
    throw new ValidationError(`ref, refId and field belong together; ${missing.join(' and ')} is missing`)
  return sent as Place
}

function textIn(name: string, values: readonly Buffer[] | undefined): string | undefined {
  if (values === undefined) return undefined
  const [value] = values
  if (values.length > 1 || !isUtf8(value!)) throw new ValidationError(`${name} must be sent once, as text`)
  return value!.toString()
}
