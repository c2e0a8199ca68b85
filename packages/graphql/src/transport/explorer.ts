// Serves the explorer: a page with GraphiQL at the path of the endpoint, and the files that it loads, all of them from
// this package. The page works under the content security policy of the REST API, and has its own where that is missing.

import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { describeFile } from './described.ts'

/** Scripts only from this server, none in the page. */
const headers = {
  'content-security-policy':
    "default-src 'self';base-uri 'self';connect-src 'self';font-src 'self' data:;form-action 'self';frame-ancestors 'self';img-src 'self' data:;object-src 'none';script-src 'self';script-src-attr 'none';style-src 'self' 'unsafe-inline'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-cache',
}

/** The files of lib/, which bundle-explorer.mjs makes, and their types. */
const files = {
  'explorer.js': 'text/javascript; charset=utf-8',
  'explorer.css': 'text/css; charset=utf-8',
  'explorer.LICENSES.txt': 'text/plain; charset=utf-8',
} as const

/** The first content of the explorer of a schema. */
export interface Welcome {
  /** The operation in the editor. */
  readonly query: string
  /** The mutation that logs in, whose answer has `login.jwt`; null if the schema has none. */
  readonly login: string | null
}

/** Adds the files of the explorer below the path of the endpoint, and returns what sends its page. */
export function mountExplorer(
  scope: FastifyInstance,
  endpoint: string,
  welcome: Welcome,
): (reply: FastifyReply) => FastifyReply {
  const path = endpoint.replace(/\/$/, '')
  for (const [name, type] of Object.entries(files))
    scope.get(
      `${path}/${name}`,
      { config: { operation: describeFile(type.slice(0, type.indexOf(';'))) } },
      async (_request, reply) => {
        const content = await readFile(new URL(`../../lib/${name}`, import.meta.url))
        return reply.headers(headers).header('content-type', type).send(content)
      },
    )
  const last = path.slice(path.lastIndexOf('/') + 1)
  return reply => {
    // Relative to the page, so that a proxy may serve it below another path.
    const { pathname } = new URL(reply.request.url, 'http://localhost')
    const folder = pathname.endsWith('/') ? '' : `${last}/`
    return reply.headers(headers).header('content-type', 'text/html; charset=utf-8').send(pageOf(folder, welcome))
  }
}

/** The page; `folder` is that of its files. The configuration allows no characters in it that HTML would have to escape. */
function pageOf(folder: string, { query, login }: Welcome): string {
  const loginData = login === null ? '' : ` data-login="${escaped(login)}"`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>GraphQL</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${folder}explorer.css">
</head>
<body>
<form id="login" hidden>
<input name="identifier" aria-label="Name or address" placeholder="Name or address" autocomplete="username" required>
<input name="password" aria-label="Password" placeholder="Password" type="password" autocomplete="current-password" required>
<button>Log in</button>
<output></output>
</form>
<div id="explorer" data-query="${escaped(query)}"${loginData}></div>
<script src="${folder}explorer.js"></script>
</body>
</html>
`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '"': '&quot;', '\n': '&#10;' }

const escaped = (text: string) => text.replaceAll(/[&<"\n]/g, one => entities[one]!)
