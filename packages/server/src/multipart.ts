// Reads multipart bodies strictly: the fields that the caller names, as bytes, and no files. It does not depend on a
// transport's field names. It uses Fastify's own parser without its plugin, whose hooks would run for every request.

import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { BusboyHeaders, BusboyInstance } from '@fastify/busboy'
import { PlinthError, ValidationError } from '@plinth/kernel'

const maxParts = 1000

/** Which parts of a body are read. */
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
  const parser = await openParser(request, limit)
  return new Promise((resolve, reject) => {
    const sent = new Map<string, Promise<Buffer>>()
    const stop = (error: Error) => {
      request.unpipe()
      // The rest of the body is discarded, so that the client reads the answer.
      request.resume()
      reject(error)
    }
    const broken = (error: Error) => stop(new ValidationError(`Invalid multipart body: ${error.message}`))
    parser.on('file', (given: string | undefined, part: Readable, filename: string | undefined) => {
      const name = String(given)
      part.on('error', broken)
      if (filename !== undefined) {
        // An empty file input of a form is not a file.
        const refuse = () => stop(refuseFile(name))
        if (filename !== '') refuse()
        return void part.on('data', refuse)
      }
      if (given === undefined || !fields.includes(name)) return void part.resume()
      if (sent.has(name)) return stop(new ValidationError(`Invalid multipart body: ${name} is sent more than once`))
      part.on('limit', () => stop(tooLarge()))
      const body = gather(part)
      sent.set(name, body)
      body.catch(stop)
    })
    parser.on('filesLimit', () => stop(tooLarge()))
    parser.on('error', error => broken(error as Error))
    parser.on('finish', () => void gatherAll(sent).then(resolve, stop))
    // A closed connection does not end the parser by itself.
    request.on('close', () => request.readableEnded || broken(new Error('the body ends too early')))
    request.pipe(parser)
  })
}

async function openParser(request: IncomingMessage, limit: number): Promise<BusboyInstance> {
  // Most servers never receive such a body, so the parser is not loaded at the start.
  const { Busboy } = await import('@fastify/busboy')
  // Fields are read as bytes like files, because text that is not UTF-8 would otherwise be altered.
  const options = { isPartAFile: () => true, limits: { files: maxParts, fileSize: limit, headerPairs: 100 } }
  try {
    return new Busboy({ headers: request.headers as BusboyHeaders, ...options })
  } catch (error) {
    throw new ValidationError(`Invalid multipart body: ${(error as Error).message}`)
  }
}

async function gather(part: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of part) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

async function gatherAll(sent: ReadonlyMap<string, Promise<Buffer>>): Promise<ReadonlyMap<string, Buffer>> {
  const bodies = new Map<string, Buffer>()
  for (const [name, body] of sent) bodies.set(name, await body)
  return bodies
}

function tooLarge(): PlinthError {
  return new PlinthError(413, 'PayloadTooLargeError', 'request entity too large', null)
}
