// Reads multipart bodies strictly: the fields that the caller names, as bytes, and no files. It does not depend on a
// transport's field names.

import type { IncomingMessage } from 'node:http'
import { readParts } from './multipart-parts.ts'
import { malformed } from './part-header.ts'

/** The rules for the parts of a body. */
export interface MultipartRules {
  /** Fields that are read; others are discarded. */
  readonly fields: readonly string[]
  /** Maximum size of a field, in bytes. */
  readonly limit: number
  /** Returns the error for a file that is sent in the part `name`. */
  readonly refuseFile: (name: string) => Error
}

/**
 * The named fields that the body contains, by name. Throws PlinthError if the body is malformed, too large or contains
 * a file.
 */
export async function readMultipart(
  request: IncomingMessage,
  { fields, limit, refuseFile }: MultipartRules,
): Promise<ReadonlyMap<string, Buffer>> {
  const sent = new Map<string, Buffer>()
  for await (const part of readParts(request, { fieldLimit: limit })) {
    if (part.kind === 'file') throw refuseFile(part.name)
    if (!fields.includes(part.name)) continue
    if (sent.has(part.name)) throw malformed(`${part.name} is sent more than once`)
    sent.set(part.name, part.value)
  }
  return sent
}
