// Parsed query strings: the cache is bounded by the size of what was parsed, and request.query is parsed only if a
// route reads it.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { definePlugin } from '@plinth/kernel'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import t from 'tap'
import { start } from './fixtures/boot.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const mib = 1024 ** 2

/** MiB that are still there after these requests. */
async function keptBy(app: FastifyInstance, count: number, make: (i: number) => string): Promise<number> {
  const ask = async (i: number) => (await app.inject(`/api/tags?${make(i)}`)).statusCode
  await ask(0)
  collect()
  const before = process.memoryUsage().heapUsed
  for (let i = 1; i <= count; i++) if ((await ask(i)) !== 200) throw new Error(make(i))
  collect()
  return (process.memoryUsage().heapUsed - before) / mib
}

t.test('long query strings are not cached', async t => {
  const { app } = await start(t)
  // 600 KiB each, once parsed.
  const pairs = Array.from({ length: 990 }, (_, k) => `a[${k % 100}][${k}]=`).join('&')
  const kept = await keptBy(app, 100, i => `z${i}=1&${pairs}`)
  t.ok(kept < 30, 'are not kept', { kept })
})

t.test('query strings that are large once parsed are cached up to a limit', async t => {
  const { app } = await start(t)
  // An object with the name 900 has room for all numbers up to there: 2 MiB for 1.3 KiB of text.
  const pairs = Array.from({ length: 150 }, (_, k) => `${k.toString(36)}[900]`).join('&')
  const kept = await keptBy(app, 200, i => `z${i}=1&${pairs}`)
  t.ok(kept < 120, 'are kept as long as there is room', { kept })
})

t.test('request.query of routes of plugins', async t => {
  const seen: unknown[] = []
  const looks = definePlugin({
    name: 'looks',
    register({ kernel, app }) {
      app?.addHook('onRequest', async request => void seen.push((request.query as { a?: unknown }).a))
      const schema = { querystring: { type: 'object', properties: { n: { type: 'integer', default: 3 } } } }
      const answer = async ({ query }: FastifyRequest) => ({ ...(query as object) })
      kernel.hooks.on('onMount', child => {
        child.get('/plain', answer)
        child.get('/checked', { schema }, answer)
        child.get('/own', { config: { parsesQuery: true } }, answer)
        child.get('/own-checked', { schema, config: { parsesQuery: true } }, answer)
      })
    },
  })
  const { app } = await start(t, { plugins: { looks: { plugin: looks } } })
  const get = async (url: string) => (await app.inject(url)).json()
  const nested = { a: { b: ['1', '2'], c: null } }
  for (const path of ['/plain', '/own']) t.same(await get(`${path}?a[b][]=1&a[b][]=2&a[c]`), nested, path)
  for (const path of ['/plain', '/own']) t.same(await get(path), {}, path)
  for (const path of ['/checked', '/own-checked']) {
    t.same(await get(`${path}?a=x&n=12`), { a: 'x', n: 12 }, path)
    t.same(await get(`${path}?a=x`), { a: 'x', n: 3 }, path)
    t.equal((await app.inject(`${path}?n=x`)).statusCode, 400, path)
  }
  seen.length = 0
  await app.inject('/api/tags?a[b]=1')
  t.same(seen, [{ b: '1' }], 'hooks of routes that parse themselves find it, too')
})
