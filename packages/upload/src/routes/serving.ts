// Serves the files of the local disk at /uploads (B-11.13), with headers that keep what strangers uploaded from acting as a
// page of this server (security.md rows 79 and 81).

import send from '@fastify/send'
import { NotFoundError } from '@plinth/kernel'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { contentType, lookup } from '#mime-types'
import { isKey } from '../storage/local.ts'
import { describeServing } from './described.ts'

/** Types that browsers show without running anything of them. All others are downloaded. */
const harmlessType =
  /^(image\/(png|jpeg|gif|webp|avif|bmp|tiff|x-icon|vnd\.microsoft\.icon)|(audio|video)\/.*|text\/plain)$/

/** The browser treats the file as one of no site, and runs no script of it, however it was led there. */
const policy = "default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'; sandbox"

/** Adds the route. `folder` has the files. */
export function mountServing(app: FastifyInstance, folder: string): void {
  const config = { parsesQuery: true, operation: describeServing }
  app.get('/uploads/*', { config }, (request, reply) => serve(request, reply, folder))
}

async function serve(request: FastifyRequest, reply: FastifyReply, folder: string): Promise<FastifyReply> {
  const key = (request.params as { readonly '*': string })['*']
  if (!isKey(key)) throw new NotFoundError()
  const file = await send(request.raw, `/${encodeURIComponent(key)}`, {
    root: folder,
    dotfiles: 'ignore',
    index: false,
    acceptRanges: true,
    cacheControl: false,
  })
  const { type, statusCode } = file
  if (type === 'error' && (statusCode === 412 || statusCode === 416))
    return reply.code(statusCode).headers(rangeHeaders(file.headers)).send('')
  if (type !== 'file') throw new NotFoundError()
  // Fastify ends the stream when the client goes away.
  return reply
    .code(statusCode)
    .headers({ ...file.headers, ...headersOf(key) })
    .send(file.stream)
}

/** The headers of an answer without content. */
function rangeHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const range = headers['Content-Range'] ?? headers['content-range']
  return range === undefined ? {} : { 'content-range': range }
}

function headersOf(key: string): Record<string, string> {
  const mime = lookup(key) || 'application/octet-stream'
  return {
    'content-type': contentType(mime) || mime,
    'x-content-type-options': 'nosniff',
    'content-security-policy': policy,
    // Pictures are shown on pages of other sites, such as that of the front end.
    'cross-origin-resource-policy': 'cross-origin',
    ...(harmlessType.test(mime) ? {} : { 'content-disposition': 'attachment' }),
  }
}
