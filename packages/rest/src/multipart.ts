// Multipart bodies into data (B-4.80, B-4.81): the field `data` is the JSON of an entry. Fastify's own parser is used
// without its plugin, whose hooks every request would pay for.

import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { BusboyHeaders, BusboyInstance } from '@fastify/busboy'
import { PlinthError, ValidationError } from '@plinth/kernel'
import { parseJson } from './json.ts'

const maxParts = 1000

/** The data of a multipart body. Throws PlinthError for what is broken or too large, and for files. */
export async function parseMultipart(request: IncomingMessage, limit: number): Promise<{ readonly data?: unknown }> {
  const parser = await openParser(request, limit)
  return new Promise((resolve, reject) => {
    let sent: Promise<Buffer> | null = null
    const stop = (error: Error) => {
      request.unpipe()
      // What still comes is thrown away, so that the client gets to read the answer.
      request.resume()
      reject(error)
    }
    const broken = (error: Error) => stop(new ValidationError(`Invalid multipart body: ${error.message}`))
    parser.on('file', (name: string | undefined, part: Readable, filename: string | undefined) => {
      part.on('error', broken)
      if (filename !== undefined) return refuseFile(part, String(name), filename, stop)
      if (name !== 'data') return void part.resume()
      if (sent !== null) return stop(new ValidationError('Invalid multipart body: data is sent more than once'))
      part.on('limit', () => stop(tooLarge()))
      sent = gather(part)
      sent.catch(stop)
    })
    parser.on('filesLimit', () => stop(tooLarge()))
    parser.on('error', error => broken(error as Error))
    parser.on('finish', () => {
      if (sent === null) return resolve({})
      sent.then(body => ({ data: parseJson(body) })).then(resolve, stop)
    })
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

/** Files have nobody yet who keeps them: an upload plugin will take them here. An empty input of a form is no file. */
function refuseFile(part: Readable, name: string, filename: string, stop: (error: Error) => void): void {
  const refuse = () => stop(name.startsWith('files.') ? noUpload(name) : noPrefix())
  if (filename !== '') refuse()
  part.on('data', refuse)
}

function noUpload(name: string): PlinthError {
  return new ValidationError(`${name} cannot be kept: files need an upload plugin, and none is enabled`, { path: name })
}

function noPrefix(): PlinthError {
  const rule = `When using multipart/form-data you need to provide your files by prefixing them with the 'files'.`
  const example = `For example, when a media file is named "avatar", make sure the form key name is "files.avatar"`
  return new PlinthError(400, 'BadRequestError', `${rule}\n${example}`)
}

function tooLarge(): PlinthError {
  return new PlinthError(413, 'PayloadTooLargeError', 'request entity too large', null)
}
