// Reads multipart bodies as a stream: the parts one after the other, files without keeping them in memory. It depends
// neither on the field names of a transport nor on where files go.

import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { PlinthError, ValidationError } from '@plinth/kernel'
import { shareOfBody } from './budget/bodies.ts'
import type { Share } from './budget/share.ts'
import { MultipartBody } from './multipart-body.ts'
import { PartFile } from './part-file.ts'
import { boundaryOf } from './part-header.ts'
import { RequestBytes } from './request-bytes.ts'

/** A part of a multipart body: the value of a field, or a file. */
export type MultipartPart =
  | { readonly kind: 'field'; readonly name: string; readonly value: Buffer }
  | {
      readonly kind: 'file'
      readonly name: string
      /** The file name as the client sent it: text that must not become a part of a path. */
      readonly filename: string
      /** The media type that the client claims, in lower case and without parameters. */
      readonly mime: string
      /** The content. The next part comes when it was read to its end or destroyed. */
      readonly stream: Readable
    }

/** Limits of a multipart body, sizes in bytes. */
export interface PartLimits {
  /** Maximum size of a field. */
  readonly fieldLimit: number
  /** Maximum size of a file; by default none. */
  readonly fileLimit?: number
  /** Maximum number of parts; 1,000 by default. */
  readonly maxParts?: number
  /** Maximum time to wait for the next bytes of the body, in milliseconds; 30,000 by default. */
  readonly longestWait?: number
  /** Ends the reading with its reason. */
  readonly signal?: AbortSignal
}

/**
 * The parts of a body, in the order in which they arrive. Memory stays flat: no more of the body is read than was asked
 * for. A file whose stream is not being read when the next part is requested is skipped; an empty file input of a form
 * is not a part.
 *
 * Throws PlinthError: 400 if the body is malformed or ends too early, has too many parts or one without a name, and if
 * the client disconnects, which also destroys the stream of the present file at once; 408 if the client sends nothing
 * for 30 s, or less than 1 KB/s on average; 413 if a part is too large; 503 if the server has no room for the fields.
 * `requestTimeout` of serverDefaults does not end the reading. When the iteration ends early, the rest of the body is
 * discarded, so that the client reads the answer.
 */
export async function* readParts(
  request: IncomingMessage,
  { fieldLimit, fileLimit = Number.POSITIVE_INFINITY, maxParts = 1000, longestWait, signal }: PartLimits,
): AsyncGenerator<MultipartPart, void, undefined> {
  const bytes = new RequestBytes(request, signal, longestWait)
  const share = shareOfBody(request)
  let file: PartFile | null = null
  bytes.onFailure(error => file?.destroy(error))
  try {
    const body = new MultipartBody(bytes, boundaryOf(request.headers['content-type']))
    let count = 0
    for (let header = await body.nextPart(); header !== null; header = await body.nextPart()) {
      if (++count > maxParts) throw new ValidationError(`Invalid multipart body: it has more than ${maxParts} parts`)
      const { name, filename, mime } = header
      if (filename === null) {
        yield { kind: 'field', name, value: await readField(body, fieldLimit, share) }
        continue
      }
      // A form sends an input without a file as a file without name and content.
      const first = filename === '' ? await body.content() : null
      if (filename === '' && first === null) continue
      file = new PartFile(body, first, fileLimit)
      yield { kind: 'file', name, filename, mime, stream: file }
      await file.released()
      file = null
    }
  } finally {
    file?.destroy()
    bytes.close()
  }
}

async function readField(body: MultipartBody, limit: number, share: Share | null): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  for (let piece = await body.content(); piece !== null; piece = await body.content()) {
    size += piece.length
    if (size > limit) throw tooLarge()
    if (share !== null && !share.isClosed) share.claim('files', piece.length)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

function tooLarge(): PlinthError {
  return new PlinthError(413, 'PayloadTooLargeError', 'request entity too large', null)
}
