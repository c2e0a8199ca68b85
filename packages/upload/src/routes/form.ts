// The body of POST /upload: files, and what is said about them. The names and messages are those of v4 (B-11.1 to
// B-11.5).

import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { PlinthError, ValidationError } from '@plinth/kernel'
import { parseJson, readParts } from '@plinth/server/transport'
import { infoFault, parseInfo } from '../file-info.ts'
import type { ReceivedFile, SentFile } from '../intake.ts'
import { type Place, place } from '../place.ts'
import type { FileInfo } from '../record.ts'

export interface UploadForm {
  readonly files: readonly ReceivedFile[]
  /** The information about each file, in the order of the files; null if none was sent. */
  readonly infos: readonly FileInfo[] | null
  readonly place: Place | null
}

/** The maximum number of bytes of all fields together. */
const fieldLimit = 1_000_000
const maxParts = 1000
/** Fields of other names are not kept. */
const fieldNames: ReadonlySet<string> = new Set(['fileInfo', 'ref', 'refId', 'field'])

/**
 * Reads a form. `receive` takes a file when it arrives; what it returned is in `files` also when the form is refused.
 * Throws ValidationError and what the reader of parts throws.
 */
export async function readForm(request: IncomingMessage, { files, receive, signal }: FormTools): Promise<UploadForm> {
  const fields = new Map<string, Buffer[]>()
  let size = 0
  for await (const part of readParts(request, { fieldLimit, maxParts, signal })) {
    if (part.kind === 'field') {
      if (!fieldNames.has(part.name)) continue
      size += part.value.length
      if (size > fieldLimit) throw new PlinthError(413, 'PayloadTooLargeError', 'request entity too large')
      fields.set(part.name, [...(fields.get(part.name) ?? []), part.value])
    }
    // Files of other names are not read: v4 ignores them.
    else if (part.name === 'files') files.push(await receive(part))
  }
  const infos = (fields.get('fileInfo') ?? []).flatMap(value => parseInfos(value))
  return { files, infos: infos.length === 0 ? null : infos, place: placeOf(fields) }
}

export interface FormTools {
  readonly files: ReceivedFile[]
  readonly receive: (file: SentFile) => Promise<ReceivedFile>
  readonly signal: AbortSignal
}

/** A field contains one object, or a list of them. Throws ValidationError. */
function parseInfos(value: Buffer): FileInfo[] {
  let sent: unknown
  try {
    sent = parseJson(value)
  } catch {
    throw infoFault([], 'fileInfo must be valid JSON')
  }
  return (Array.isArray(sent) ? sent : [sent]).map(parseInfo)
}

function placeOf(fields: ReadonlyMap<string, readonly Buffer[]>): Place | null {
  const [ref, refId, field] = ['ref', 'refId', 'field'].map(name => textIn(name, fields.get(name)))
  return place({ ref, refId, field })
}

function textIn(name: string, values: readonly Buffer[] | undefined): string | undefined {
  if (values === undefined) return undefined
  const [value] = values
  if (values.length > 1 || !isUtf8(value!)) throw new ValidationError(`${name} must be sent once, as text`)
  return value!.toString()
}
