// The recipes of the README are run as they stand there: receivers with signed requests, and the settings for a build hook. The
// request that it shows is compared with one that is sent.

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import draftPublish from '@plinth/draft-publish'
import type { Env } from '@plinth/kernel'
import { until } from '@plinth/test-tools/command'
import t, { type Test } from 'tap'
import { sign } from '../src/signature.ts'
import { drained, note, start, type } from './fixtures/boot.ts'
import { type Build, buildHooks } from './fixtures/netlify.ts'
import { receive } from './fixtures/receiver.ts'

const secret = 'a secret of sixteen'

const readme = () => readFile(join(import.meta.dirname, '../README.md'), 'utf8')

/** The blocks of JavaScript, by the path in their first line. */
async function blocks(): Promise<ReadonlyMap<string, string>> {
  const blocks = (await readme()).matchAll(/^```js\n\/\/ (\S+)\n([\s\S]*?)^```$/gm)
  return new Map([...blocks].map(([, path, code]) => [path!, code!]))
}

type HooksOf = (tools: { env: Env }) => { webhooks: { config: { hooks: Record<string, object> } } }

/** The function of the last config/plugins file, which is that of build hooks. */
async function settingsOfBuildHook(t: Test): Promise<HooksOf> {
  const code = [...(await readme()).matchAll(/^```ts\n\/\/ config\/plugins\.ts\n([\s\S]*?)^```$/gm)].at(-1)![1]!
  // Below the folder of this package, where its packages are found.
  const dir = t.testdir({ 'plugins.ts': code, 'package.json': '{"type":"module"}' })
  return (await import(pathToFileURL(join(dir, 'plugins.ts')).href)).default
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

t.test('a build hook of Netlify', async t => {
  const builds: Build[] = []
  let gate = Promise.withResolvers<void>()
  const netlify = await buildHooks(t, async variables => {
    builds.push(variables)
    await gate.promise
  })
  const settings = await settingsOfBuildHook(t)
  const hooksFor = (url: string) => settings({ env: (() => url) as unknown as Env }).webhooks.config.hooks
  const article = type('article', { title: { type: 'string' } }, { options: { draftAndPublish: true } })
  const plugins = { 'draft-publish': { plugin: draftPublish } }
  const { kernel } = await start(t, { hooks: hooksFor(netlify.url), contentTypes: [note, article], plugins })
  const articles = kernel.query('api::article.article')
  await articles.create({ data: { title: 'a', publishedAt: null } })
  await drained(kernel)
  t.equal(netlify.requests, 0, 'a draft builds nothing')

  await articles.update(1, { data: { publishedAt: new Date().toISOString() } })
  await drained(kernel)
  t.match(builds, [{ INCOMING_HOOK_TITLE: 'Plinth' }])
  t.match(JSON.parse(builds[0]!.INCOMING_HOOK_BODY), { event: 'entry.publish', entry: { id: 1, title: 'a' } })
  for (const title of ['b', 'c', 'd']) await articles.update(1, { data: { title } })
  await drained(kernel)
  t.equal(builds.length, 1, 'the first one has not ended')
  gate.resolve()
  await until(
    () => builds.length === 2,
    () => `two builds, found ${builds.length}`,
  )
  t.match(JSON.parse(builds[1]!.INCOMING_HOOK_BODY), { event: 'entry.update', entry: { title: 'd' } })
  t.equal(netlify.skipped, 2)

  gate = Promise.withResolvers()
  gate.resolve()
  const wrong = await start(t, {
    hooks: hooksFor(netlify.wrongUrl),
    config: { attempts: 1 },
    contentTypes: [note, article],
    plugins,
  })
  await wrong.kernel.query('api::article.article').create({ data: { title: 'a' } })
  await drained(wrong.kernel)
  t.match(await wrong.kernel.knex('webhooks_dead'), [{ hook: 'netlify', fault: 'answered with 404' }])
  t.notMatch(wrong.log.join('\n'), /0000/, 'the address is a secret')
  t.equal(builds.length, 2)
})

/** The value of a header, with what differs from one delivery to the next named by its kind. */
const kindOf = (value: string): string =>
  value
    .replace(/^v1,[\w+/]{43}=$/, 'v1,<signature>')
    .replace(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/, '<id>')
    .replace(/^\d{10}$/, '<seconds>')

t.test('what is sent', async t => {
  const [, head, body] = /^```http\nPOST \S+ HTTP\/1\.1\n([\s\S]*?)\n\n([^\n]+)\n```$/m.exec(await readme())!
  const receiver = await receive(t)
  const hooks = { site: { url: receiver.url, events: ['entry.update'], secret } }
  const { kernel } = await start(t, { hooks, contentTypes: [note, type('article', { title: { type: 'string' } })] })
  const articles = kernel.query('api::article.article')
  await articles.create({ data: { title: 'Rye' } })
  await articles.update(1, { data: { title: 'Bread' } })
  await drained(kernel)
  const [sent] = receiver.take()
  const shown = head!.split('\n').map(line => line.split(/: (.*)/) as [string, string])
  t.equal(shown.length, 5)
  for (const [name, value] of shown) t.equal(kindOf(String(sent!.headers[name.toLowerCase()])), kindOf(value), name)

  const [begin, end] = body!.split(', …')
  const { createdAt } = JSON.parse(`${begin}${end}`)
  t.ok(sent!.text.startsWith(begin!.replace(createdAt, sent!.body.createdAt)), sent!.text)
  t.match(sent!.body, { createdAt: /^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/, entry: { updatedAt: /./ } })
})
