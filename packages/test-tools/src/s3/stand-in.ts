// A stand-in for S3 on this machine, with one bucket: for tests of providers, and of processes that are killed while they
// store files. It verifies signatures, hashes, sizes and tags as S3 does, and lets requests fail when it is told to.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type Fault, Faults } from './faults.ts'
import { Objects, type StoredObject } from './objects.ts'
import { answerTo, element, type Operation, operationOf, type S3Answer, type S3Request } from './operations.ts'
import { checkSignature, S3Refusal } from './signature.ts'

export type { Fault } from './faults.ts'
export type { StoredObject } from './objects.ts'
export type { Operation } from './operations.ts'

/** A request that was answered or cut off. */
export interface Seen {
  readonly operation: Operation
  readonly key: string
  /** Null if it was not answered. */
  status: number | null
}

const region = 'eu-central-1'

export class S3StandIn {
  readonly bucket = 'files'
  readonly region = region
  readonly credentials = { accessKeyId: 'AKIASTANDIN', secretAccessKey: 'stand-in/secret+key' }
  readonly faults = new Faults()
  /** All requests whose signature was right, in their order. */
  readonly seen: Seen[] = []
  readonly #server: Server
  readonly #objects: Objects

  private constructor(objects: Objects) {
    this.#objects = objects
    this.#server = createServer((request, response) => void this.#serve(request, response))
    // A request may take as long as a test wants.
    this.#server.requestTimeout = 0
  }

  static async start(): Promise<S3StandIn> {
    const one = new S3StandIn(await Objects.open())
    await once(one.#server.listen(0, '127.0.0.1'), 'listening')
    return one
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** The options of a provider for this bucket. */
  get options() {
    const { bucket, endpoint, credentials } = this
    return { bucket, region, endpoint, credentials, forcePathStyle: true }
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise(resolve => this.#server.close(resolve))
    await this.#objects.close()
  }

  /** The names of all objects, sorted. */
  get keys(): string[] {
    return [...this.#objects.objects.keys()].sort()
  }

  object(key: string): StoredObject | null {
    return this.#objects.objects.get(key) ?? null
  }

  /** The content of an object. Throws if there is none. */
  read(key: string): Promise<Buffer> {
    const object = this.object(key)
    if (object === null) throw new Error(`There is no object ${key}`)
    return buffer(this.#objects.open(object))
  }

  /** The names of uploads that have not ended, sorted. */
  get unfinished(): string[] {
    return [...this.#objects.uploads.values()].map(one => one.key).sort()
  }

  /** The requests by name, in their order. */
  get operations(): Operation[] {
    return this.seen.map(one => one.operation)
  }

  async #serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    let record: Seen | null = null
    try {
      const request = this.#verify(message)
      record = { operation: request.operation, key: request.key, status: null }
      this.seen.push(record)
      const fault = this.faults.next(request.operation)
      const answer = await this.#work(request, fault, response)
      if (answer === null) return
      record.status = answer.status
      await send(answer, response)
    } catch (error) {
      // The client is gone, or the answer has begun.
      if (response.destroyed || (message.destroyed && !message.complete)) return
      const refusal = error instanceof S3Refusal ? error : new S3Refusal(500, 'InternalError', String(error))
      if (record !== null) record.status = refusal.status
      await send(errorAnswer(refusal), response, message.method === 'HEAD').catch(() => {})
    }
  }

  /** Reads the address, and checks who asks. */
  #verify(message: IncomingMessage): S3Request {
    const url = new URL(message.url!, 'http://stand-in')
    const [bucket = '', ...rest] = url.pathname.slice(1).split('/')
    const key = decodeURIComponent(rest.join('/'))
    checkSignature(message, { ...this.credentials, region })
    if (decodeURIComponent(bucket) !== this.bucket)
      throw new S3Refusal(404, 'NoSuchBucket', 'The specified bucket does not exist', { BucketName: bucket })
    const operation = operationOf(message.method!, key, url.searchParams)
    if (operation === null) throw new S3Refusal(501, 'NotImplemented', 'The stand-in does not have this request')
    return { operation, key, query: url.searchParams, message }
  }

  /** Null: there is no answer. */
  async #work(request: S3Request, fault: Fault | null, response: ServerResponse): Promise<S3Answer | null> {
    if (fault === 'stall') return null
    if (fault === 'reset') {
      response.destroy()
      return null
    }
    if (fault === 'page') {
      request.message.resume()
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<html>Log in</html>')
      return null
    }
    if (fault === 'error-in-200') {
      request.message.resume()
      return { ...errorAnswer(new S3Refusal(500, 'InternalError', 'We encountered an internal error.')), status: 200 }
    }
    if (typeof fault === 'object' && fault !== null)
      throw new S3Refusal(fault.status, fault.code, 'As the test wants it')
    const answer = await answerTo(request, this.#objects)
    if (fault === 'lost') response.destroy()
    return fault === null ? answer : null
  }
}

function errorAnswer({ status, reason, message, details }: S3Refusal): S3Answer {
  const inner = Object.entries({ Code: reason, Message: message, ...details }).map(([name, text]) =>
    element(name, text),
  )
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${inner.join('')}</Error>`
  return { status, headers: { 'content-type': 'application/xml' }, body }
}

async function send(answer: S3Answer, response: ServerResponse, isHead = false): Promise<void> {
  response.writeHead(answer.status, { 'x-amz-request-id': 'STANDIN', ...answer.headers })
  if (answer.send !== undefined) await answer.send(response)
  else await new Promise<void>(resolve => response.end(isHead ? undefined : answer.body, resolve))
}
