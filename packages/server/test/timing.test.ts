// The header Server-Timing: which answers have it, and what switches it off and on.

import { definePlugin } from '@plinth/kernel'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { createServer, type PlinthOptions, plinth } from '../src/index.ts'
import { folder, memory, open, type } from './fixtures/open.ts'

const contentTypes = [type('tag', { label: { type: 'string' } })]

/** Routes of a plugin. */
const routes = definePlugin({
  name: 'routes',
  register: ({ kernel }) =>
    kernel.hooks.on('onMount', app => {
      const tags = () => kernel.query('api::tag.tag')
      app.get('/tags', async () => tags().findMany())
      app.post('/tags', async ({ body }) => ({ made: await tags().create({ data: body as object }) }))
      app.get('/thrice', async () => {
        for (let i = 0; i < 3; i++) await tags().findMany()
        return 'thrice'
      })
      app.get('/twins', async () => {
        await Promise.all([tags().findMany(), tags().count()])
        return 'twins'
      })
      app.get('/own', async (_request, reply) => reply.header('server-timing', 'cache;desc="hit"').send('own'))
      app.get('/fails', async () => {
        await tags().findMany()
        throw Object.assign(new Error('no'), { statusCode: 418 })
      })
    }),
})
const plugins = { routes: { plugin: routes } }

const times = /db;dur=\d+\.\d\d;desc="(\d+) statements?", total;dur=\d+\.\d\d$/

async function header(app: FastifyInstance, url: string): Promise<string | undefined> {
  return (await app.inject(url)).headers['server-timing'] as string | undefined
}

const counted = async (app: FastifyInstance, url: string) => Number(times.exec((await header(app, url)) ?? '')?.[1])

/** Runs `work` with NODE_ENV as given. */
async function inMode<T>(mode: string, work: () => Promise<T>): Promise<T> {
  const before = process.env.NODE_ENV
  process.env.NODE_ENV = mode
  try {
    return await work()
  } finally {
    if (before === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = before
  }
}

function host(t: Test, options: object): { readonly app: FastifyInstance } {
  const app: FastifyInstance = Fastify()
  t.teardown(() => app.close())
  app.register(plinth, { database: memory, contentTypes, plugins, ...options } as PlinthOptions)
  return { app }
}

t.test('each answer counts the statements of its request', async t => {
  const app = await open(t, { contentTypes, plugins })
  t.equal(await counted(app, '/tags'), 1)
  t.match(await header(app, '/tags'), /desc="1 statement",/)
  t.equal(await counted(app, '/thrice'), 3)
  t.equal(await counted(app, '/twins'), 2)
  t.equal(await counted(app, '/fails'), 1, 'an error')
  t.equal(await counted(app, '/nothing'), 0, 'a path without a route')
  t.equal(await header(app, '/own').then(text => text?.replace(/\bdb;.*/, '…')), 'cache;desc="hit", …')
  const urls = ['/thrice', '/tags', '/twins', '/nothing', '/thrice']
  t.same(await Promise.all(urls.map(url => counted(app, url))), [3, 1, 2, 0, 3], 'at the same time')
})

t.test('a request with a body, on a socket', async t => {
  const app = await open(t, { contentTypes, plugins })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const post = (body: string) =>
    fetch(`${address}/tags`, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
  // A body that arrives in several parts.
  for (const label of ['a', 'b'.repeat(200_000)]) {
    const response = await post(JSON.stringify({ label }))
    t.equal(response.status, 200)
    const found = times.exec(response.headers.get('server-timing') ?? '')
    t.ok(Number(found?.[1]) >= 1, String(found?.[1]))
    await response.text()
  }
})

t.test('routes of a host do not have it', async t => {
  const { app } = host(t, { prefix: '/cms' })
  app.get('/host', async () => app.kernel.query('api::tag.tag').findMany())
  t.equal(await header(app, '/host'), undefined)
  t.equal(await header(app, '/nothing'), undefined)
  t.equal(await counted(app, '/cms/tags'), 1)
  const { app: whole } = host(t, { wholeServer: true })
  whole.get('/host', async () => whole.kernel.query('api::tag.tag').findMany())
  t.equal(await counted(whole, '/host'), 1, 'unless Plinth has the whole server')
})

t.test('one kernel below another', async t => {
  const { app } = host(t, { wholeServer: true })
  const inner = { database: memory, contentTypes, plugins }
  app.register(async scope => void (await scope.register(plinth, inner)), { prefix: '/inner' })
  t.match(await header(app, '/inner/tags'), /^db;dur=\d+\.\d\d;desc="1 statement", total;dur=\d+\.\d\d$/)
})

t.test('production', async t => {
  const settings = { contentTypes, plugins, migrate: 'add' } as const
  const off = await inMode('production', () => open(t, settings))
  for (const url of ['/tags', '/fails', '/nothing']) t.equal(await header(off, url), undefined, url)
  const on = await inMode('production', () => open(t, { ...settings, serverTiming: true }))
  t.equal(await counted(on, '/tags'), 1, 'switched on')
  const development = await open(t, { ...settings, serverTiming: false })
  t.equal(await header(development, '/tags'), undefined, 'switched off')
})

t.test('config/server', async t => {
  const configured = (setting: unknown) => folder(t, { 'config/server.json': { serverTiming: setting } })
  const dir = await configured(false)
  t.equal(await header(await open(t, { contentTypes, plugins, dir }), '/tags'), undefined)
  t.equal(await counted(await open(t, { contentTypes, plugins, dir, serverTiming: true }), '/tags'), 1)
  t.equal(await header(host(t, { dir }).app, '/tags'), undefined)
  const empty = await open(t, { contentTypes, plugins, dir: await configured('') })
  t.equal(await counted(empty, '/tags'), 1, 'an empty variable is no setting')
  const code = 'PLINTH_CONFIG_INVALID'
  await t.rejects(open(t, { dir: await configured('no') }), {
    code,
    message: 'config/server: serverTiming must be true or false, not "no"',
  })
  await t.rejects(createServer({ database: memory, logger: false, serverTiming: 'on' as never }), {
    code,
    message: 'the option serverTiming must be true or false, not "on"',
  })
})
