// Reads the multipart body of a write (B-4.80, B-4.81): `data` is the JSON of an entry, and files go to the plugin that
// takes them. It is read when the right to the action has been checked, so that no stranger can fill the disk.

import type { IncomingMessage } from 'node:http'
import { type Logger, PlinthError, ValidationError } from '@plinth/kernel'
import { parseJson, readParts } from '@plinth/server/transport'
import { dataOf } from './body.ts'
import type { BodyLimits } from './config.ts'
import type { FileBatch, FilePart, FileTaker, FileWrite } from './files.ts'

const prefix = 'files.'

/** A multipart body that was not read yet. */
export interface UnreadBody {
  readonly request: IncomingMessage
  readonly limits: BodyLimits
  /** Null if no plugin stores files. */
  readonly taker: FileTaker | null
  readonly log: Pick<Logger, 'error'>
}

/**
 * Reads the body, stores its files, and runs `write` with the data of the entry. Throws PlinthError if the body is
 * malformed, too large or without `data`; then no file stays.
 */
export async function writeMultipart<T>(
  { request, limits, taker, log }: UnreadBody,
  entryWrite: FileWrite,
  write: (data: Record<string, unknown>) => Promise<T>,
): Promise<T> {
  const batch = taker === null ? null : taker.open(entryWrite)
  try {
    const data = await readData(request, limits, batch)
    return await (batch === null ? write(data) : batch.write(data, write))
  } finally {
    // The entry is written, or the error that kept it from that is what the client must learn.
    await batch?.close().catch((error: unknown) => log.error(error, 'Files of a request could not be removed'))
  }
}

async function readData(
  request: IncomingMessage,
  limits: BodyLimits,
  batch: FileBatch | null,
): Promise<Record<string, unknown>> {
  let body: { readonly data?: unknown } | null = null
  for await (const part of readParts(request, { fieldLimit: limits.json, fileLimit: limits.file })) {
    if (part.kind === 'file') await takeFile(batch, part)
    else if (part.name === 'data') {
      if (body !== null) throw new ValidationError('Invalid multipart body: data is sent more than once')
      // Parsed at once: what cannot be read must not wait for the files behind it.
      body = { data: parseJson(part.value) }
      dataOf(body)
    }
  }
  return dataOf(body)
}

async function takeFile(batch: FileBatch | null, part: FilePart): Promise<void> {
  const { name } = part
  if (!name.startsWith(prefix)) {
    const rule = `When using multipart/form-data you need to provide your files by prefixing them with the 'files'.`
    const example = `For example, when a media file is named "avatar", make sure the form key name is "files.avatar"`
    throw new PlinthError(400, 'BadRequestError', `${rule}\n${example}`)
  }
  if (batch !== null) return batch.take(name.slice(prefix.length), part)
  throw new ValidationError(`${name} cannot be stored, because no plugin for files is enabled`, { path: name })
}
