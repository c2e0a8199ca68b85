// Serves the page for people, with Swagger UI, and the files that it loads, all of them from this package. The page says
// nothing about the API: it fetches the document, with the token of whoever looks at it.

import { readFile } from 'node:fs/promises'
import type { DescribedOperation } from '@plinth/server/transport'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** Everything comes from this server, and nothing is written in the page. */
const headers = {
  'content-security-policy':
    "default-src 'none';base-uri 'none';connect-src 'self';form-action 'none';frame-ancestors 'self';img-src 'self' data:;script-src 'self';style-src 'self'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-cache',
}

/** The files of lib/, which bundle-page.mjs makes, and their types. */
const files = {
  'documentation.js': 'text/javascript; charset=utf-8',
  'documentation.css': 'text/css; charset=utf-8',
  'documentation.LICENSES.txt': 'text/plain; charset=utf-8',
} as const

const describe = (summary: string, mediaType: string) => (): DescribedOperation => ({
  tag: 'Documentation',
  summary,
  answers: { 200: { description: 'OK', schema: { type: 'string' }, mediaType } },
})

/** Adds the page at `path`, and its files below it. */
export function mountPage(scope: FastifyInstance, path: string): void {
  const page = { operation: describe('The page of the documentation', 'text/html'), page: 'REST: documentation' }
  scope.get(path, { config: page }, async (request, reply) => {
    // Relative to the page, so that a proxy may serve it below another path.
    const { pathname } = new URL(request.url, 'http://localhost')
    const folder = pathname.endsWith('/') ? '' : `${path.slice(path.lastIndexOf('/') + 1)}/`
    return send(reply, 'text/html; charset=utf-8', pageOf(folder))
  })
  for (const [name, type] of Object.entries(files)) {
    const config = { operation: describe('A file of the page', type.slice(0, type.indexOf(';'))) }
    scope.get(`${path}/${name}`, { config }, async (_request, reply) =>
      send(reply, type, await readFile(new URL(`../lib/${name}`, import.meta.url))),
    )
  }
}

function send(reply: FastifyReply, type: string, content: string | Buffer): FastifyReply {
  return reply.headers(headers).header('content-type', type).send(content)
}

/** The page; `folder` is that of its files. */
function pageOf(folder: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${folder}documentation.css">
</head>
<body>
<form id="token" hidden>
<label>This document is for callers with a right to it. Token: <input type="password" autocomplete="off" required></label>
<button>Show</button>
<p role="alert"></p>
</form>
<main id="documentation" data-document="${folder}openapi.json"></main>
<script src="${folder}documentation.js"></script>
</body>
</html>
`
}
