// The recipes of the README are run as they stand there, against what is really sent.

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { sign } from '../src/signature.ts'

const secret = 'a secret of sixteen'

/** The blocks of JavaScript, by the path in their first line. */
async function blocks(): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(join(import.meta.dirname, '../README.md'), 'utf8')
  const blocks = text.matchAll(/^```js\n\/\/ (\S+)\n([\s\S]*?)^```$/gm)
  return new Map([...blocks].map(([, path, code]) => [path!, code!]))
}

function requestOf(body: string, signature: string): Request {
  const headers = { 'webhook-id': 'one', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) }
  return new Request('http://a.com/', { method: 'POST', body, headers: { ...headers, 'webhook-signature': signature } })
}

t.test('receivers', async t => {
  const dir = await mkdtemp(join(tmpdir(), 'plinth-webhooks-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  const calls: unknown[][] = []
  Object.assign(globalThis, { noteCall: (...args: unknown[]) => calls.push(args) })
  t.teardown(() => Reflect.deleteProperty(globalThis, 'noteCall'))
  const stand = {
    'node_modules/next/package.json': '{"name":"next","exports":{"./cache":"./cache.mjs"}}',
    'node_modules/next/cache.mjs': 'export const revalidateTag = (...args) => globalThis.noteCall("next", ...args)',
    'src/cache.mjs': 'export const forget = (...args) => globalThis.noteCall("astro", ...args)',
  }
  for (const [path, code] of [...(await blocks()), ...Object.entries(stand)]) {
    await mkdir(dirname(join(dir, path)), { recursive: true })
    // Vite puts these in; Node has none.
    await writeFile(join(dir, path), code.replaceAll('import.meta.env.', 'process.env.'))
  }
  process.env.SITE_SECRET = secret
  const load = (path: string) => import(pathToFileURL(join(dir, path)).href)
  const next = (await load('app/api/revalidate/route.mjs')).POST as (request: Request) => Promise<Response>
  const astro = (await load('src/pages/api/changed.mjs')).POST as (context: object) => Promise<Response>
  const body = '{"event":"entry.update","uid":"api::a.a","entry":{"id":3}}'
  const signed = () => sign({ id: 'one', time: Math.floor(Date.now() / 1000), body }, ['another one, sixteen', secret])
  t.equal((await next(requestOf(body, signed()))).status, 204)
  t.equal((await astro({ request: requestOf(body, signed()) })).status, 204)
  t.same(calls, [
    ['next', 'api::a.a', 'max'],
    ['astro', 'api::a.a', 3],
  ])
  const other = sign({ id: 'one', time: Math.floor(Date.now() / 1000), body }, ['another one, sixteen'])
  for (const wrong of ['', 'v1,', other]) {
    t.equal((await next(requestOf(body, wrong))).status, 401)
    t.equal((await astro({ request: requestOf(body, wrong) })).status, 401)
  }
  t.equal((await next(requestOf(body.replace('3', '4'), signed()))).status, 401)
  t.equal(calls.length, 2)
})
