// Reads multipart bodies, strictly: the fields that somebody wants, as bytes, and no file that nobody keeps. Knows no
// transport's names of fields. Fastify's own parser is used without its plugin, whose hooks every request would pay for.

import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { BusboyHeaders, BusboyInstance } from '@fastify/busboy'
import { PlinthError, ValidationError } from '@plinth/kernel'

const maxParts = 1000

/** What of a body is read. */
export interface MultipartRules {
  /** Fields that are read; others are thrown away. */
  readonly fields: readonly string[]
  /** Largest field, in bytes. */
  readonly limit: number
  /** The error of a file that is sent in the part `name`. */
  readonly refuseFile: (name: string) => Error
}

/** The fields of a body that were sent, by name. Throws PlinthError for what is broken or too large, and for files. */
export async function readMultipart(
  request: IncomingMessage,
  { fields, limit, refuseFile }: MultipartRules,
): Promise<ReadonlyMap<string, Buffer>> {
  const parser = await openParser(request, limit)
  return new Promise((resolve, reject) => {
    const sent = new Map<string, Promise<Buffer>>()
    const stop = (error: Error) => {
      request.unpipe()
      // What still comes is thrown away, so that the client gets to read the answer.
      request.resume()
      reject(error)
    }
    const broken = (error: Error) => stop(new ValidationError(`Invalid multipart body: ${error.message}`))
    parser.on('file', (given: string | undefined, part: Readable, filename: string | undefined) => {
      const name = String(given)
      part.on('error', broken)
      if (filename !== undefined) {
        // An empty input of a form is no file.
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
    // A client that goes away ends nothing by itself.
    request.on('close', () => request.readableEnded || broken(new Error('it ends too early')))
    request.pipe(parser)
  })
}

async function openParser(request: IncomingMessage, limit: number): Promise<BusboyInstance> {
  // Most servers never see such a body: their starts need not load this.
  const { Busboy } = await import('@fastify/busboy')
  // Fields as well as files come as bytes: text that is no UTF-8 would be altered else.
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
