// The requests that the stand-in answers, and what each does to the objects.

import { rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { receive } from './body.ts'
import { type Objects, type StoredPart, tagOf } from './objects.ts'
import { S3Refusal } from './signature.ts'

export const operations = [
  'PutObject',
  'GetObject',
  'HeadObject',
  'DeleteObject',
  'CreateMultipartUpload',
  'UploadPart',
  'CompleteMultipartUpload',
  'AbortMultipartUpload',
  'ListMultipartUploads',
] as const

/** A request of S3 by its name there. */
export type Operation = (typeof operations)[number]

/** A request, read as far as its address. */
export interface S3Request {
  readonly operation: Operation
  /** Empty for requests about the bucket. */
  readonly key: string
  readonly query: URLSearchParams
  readonly message: IncomingMessage
}

/** The answer to a request. */
export interface S3Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string | number>>
  readonly body?: string
  /** Sends the body; for content. */
  readonly send?: (response: ServerResponse) => Promise<void>
}

/** The name of the request, or null if the stand-in has it not. */
export function operationOf(method: string, key: string, query: URLSearchParams): Operation | null {
  if (key === '') return method === 'GET' && query.has('uploads') ? 'ListMultipartUploads' : null
  const isPart = query.has('uploadId')
  const names: Readonly<Record<string, Operation | null>> = {
    PUT: isPart ? 'UploadPart' : 'PutObject',
    GET: isPart ? null : 'GetObject',
    HEAD: 'HeadObject',
    DELETE: isPart ? 'AbortMultipartUpload' : 'DeleteObject',
    POST: query.has('uploads') ? 'CreateMultipartUpload' : isPart ? 'CompleteMultipartUpload' : null,
  }
  return names[method] ?? null
}

/** Does what is asked. Throws S3Refusal. */
export async function answerTo(request: S3Request, objects: Objects): Promise<S3Answer> {
  const { operation, key, query, message } = request
  switch (operation) {
    case 'PutObject': {
      const { etag } = await objects.put(key, keptHeaders(message), await receivePart(message, objects))
      return { status: 200, headers: { etag } }
    }
    case 'CreateMultipartUpload': {
      const { uploadId } = objects.begin(key, keptHeaders(message))
      return answer('InitiateMultipartUploadResult', element('Key', key) + element('UploadId', uploadId))
    }
    case 'UploadPart': {
      const number = Number(query.get('partNumber'))
      if (!(number >= 1 && number <= 10_000))
        throw new S3Refusal(400, 'InvalidArgument', 'Part number must be 1 to 10000')
      objects.uploadOf(key, query.get('uploadId')!)
      const part = await receivePart(message, objects)
      // It may have been ended while the part was received.
      objects.uploadOf(key, query.get('uploadId')!).parts.set(number, part)
      return { status: 200, headers: { etag: tagOf(part) } }
    }
    case 'CompleteMultipartUpload': {
      const partTags = partsIn(await text(message))
      const { etag } = await objects.complete(objects.uploadOf(key, query.get('uploadId')!), partTags)
      return answer('CompleteMultipartUploadResult', element('Key', key) + element('ETag', etag))
    }
    case 'AbortMultipartUpload':
      await objects.abort(objects.uploadOf(key, query.get('uploadId')!))
      return { status: 204 }
    case 'ListMultipartUploads':
      return answer('ListMultipartUploadsResult', unfinishedXml(objects, query.get('prefix') ?? ''))
    case 'DeleteObject':
      await objects.delete(key)
      return { status: 204 }
    case 'GetObject':
    case 'HeadObject':
      return content(key, objects, operation === 'GetObject')
  }
}

async function receivePart(message: IncomingMessage, objects: Objects): Promise<StoredPart> {
  const path = objects.newPath()
  try {
    return { ...(await receive(message, path)), path }
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

function content(key: string, objects: Objects, isRead: boolean): S3Answer {
  const object = objects.objects.get(key)
  if (object === undefined) throw new S3Refusal(404, 'NoSuchKey', 'The specified key does not exist.', { Key: key })
  const { 'x-amz-acl': _, ...headers } = object.headers
  return {
    status: 200,
    headers: { ...headers, etag: object.etag, 'content-length': object.size },
    ...(isRead ? { send: response => pipeline(objects.open(object), response) } : {}),
  }
}

/** The headers of an object that S3 keeps. */
function keptHeaders({ headers }: IncomingMessage): Record<string, string> {
  const names = ['content-type', 'content-disposition', 'cache-control', 'x-amz-acl']
  return Object.fromEntries(names.flatMap(name => (headers[name] === undefined ? [] : [[name, String(headers[name])]])))
}

function unfinishedXml(objects: Objects, prefix: string): string {
  const uploads = [...objects.uploads.values()].filter(({ key }) => key.startsWith(prefix))
  const sorted = uploads.sort((a, b) => (a.key < b.key ? -1 : 1))
  const listed = sorted.map(one => `<Upload>${element('Key', one.key)}${element('UploadId', one.uploadId)}</Upload>`)
  return `${element('IsTruncated', 'false')}${listed.join('')}`
}

function partsIn(xml: string): { number: number; etag: string }[] {
  const parts = [...xml.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part]) => part!)
  const value = (part: string, name: string) => new RegExp(`<${name}>(.*?)</${name}>`).exec(part)?.[1] ?? ''
  return parts.map(part => ({
    number: Number(value(part, 'PartNumber')),
    etag: `"${value(part, 'ETag').replaceAll(/&quot;|"/g, '')}"`,
  }))
}

const escapes: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' }

export function element(name: string, value: string): string {
  return `<${name}>${value.replaceAll(/[<>&"]/g, char => escapes[char]!)}</${name}>`
}

function answer(root: string, inner: string): S3Answer {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${inner}</${root}>`
  return { status: 200, headers: { 'content-type': 'application/xml' }, body }
}
