// Mistakes that were silent or badly worded: one test for each row of the table of mistakes that concerns a server.

import { createServer as createSocket } from 'node:net'
import { definePlugin } from '@plinth/kernel'
import t, { type Test } from 'tap'
import { contextOf } from '../src/context.ts'
import { createServer, listen, type ServerOptions } from '../src/index.ts'
import { folder, memory, type } from './fixtures/open.ts'

/** A server with its warnings. */
async function start(t: Test, files: Readonly<Record<string, unknown>>, options: ServerOptions = {}) {
  const warnings: string[] = []
  const write = (record: string) => void warnings.push((JSON.parse(record) as { msg: string }).msg)
  const dir = await folder(t, files)
  const app = await createServer({ dir, database: memory, logger: { level: 'warn', stream: { write } }, ...options })
  t.teardown(() => app.close())
  return { app, warnings }
}

const contentTypes = [type('note', { text: { type: 'string' } })]
const own = definePlugin({ name: 'own', register: ({ app }) => void app?.get('/own', () => 'own') })
const plugins = { own: { plugin: own } }

const noRoutes =
  'The server has no routes, because no plugin in config/plugins adds any; `rest: true` adds those of content types'

t.test('no config/plugins, {}, false: every path is 404, and the log says why', async t => {
  for (const files of [{}, { 'config/plugins.json': {} }, { 'config/plugins.json': { rest: false } }])
    t.same((await start(t, files, { contentTypes })).warnings, [noRoutes])
  t.same((await start(t, {}, { contentTypes, plugins })).warnings, [])
})

t.test('no src, and zero content types', async t => {
  t.same((await start(t, {}, { plugins })).warnings, [
    'The application has no content types; add one as src/api/<api>/content-types/<name>/schema.json',
  ])
})

t.test('no config/server: PORT is read, and a port in use is advised to change it', async t => {
  const other = createSocket().listen(0, '127.0.0.1')
  await new Promise(resolve => other.once('listening', resolve))
  t.teardown(() => other.close())
  const { port } = other.address() as { port: number }
  const before = process.env.PORT
  t.teardown(() => {
    if (before === undefined) delete process.env.PORT
    else process.env.PORT = before
  })
  process.env.PORT = String(port)
  const { app } = await start(t, {}, { contentTypes, plugins })
  await t.rejects(listen(app), {
    code: 'PLINTH_CONFIG_LISTEN',
    message: `The environment variable PORT: ${port} of 127.0.0.1 is in use by another server; stop that server, or choose another port: PORT=${port + 1}`,
  })
})

t.test('config/server: prot is refused, names that are similar are warned of, own settings are not', async t => {
  await t.rejects(start(t, { 'config/server.json': { prot: 0 } }, { contentTypes, plugins }), {
    code: 'PLINTH_CONFIG_INVALID',
    message: 'config/server: prot is not known, did you mean "port"?',
  })
  const settings = { port: 0, hostname: '127.0.0.1', app: { keys: [] }, url: 'http://x', dirs: {}, shop: { tax: 1 } }
  const other = await start(t, { 'config/server.json': settings }, { contentTypes, plugins })
  await listen(other.app)
  t.same(other.warnings, ['config/server: hostname is not read by Plinth, did you mean "host"?'])
  t.match(other.app.kernel.config.server, { shop: { tax: 1 } })
})

t.test('config/server: url is an address or a path', async t => {
  const startWith = (url: unknown) => start(t, { 'config/server.json': { url } }, { contentTypes, plugins })
  const message = 'config/server: url must be an address such as "https://api.example.com", not'
  for (const url of [null, '', '/', '/cms', 'https://api.example.com/cms'])
    t.same((await startWith(url)).warnings, [], `${url}`)
  t.same((await startWith('api.example.com')).warnings, [`${message} "api.example.com", so it has no effect`])
  for (const url of [5, 'https://', 'http://a b'])
    await t.rejects(startWith(url), {
      code: 'PLINTH_CONFIG_INVALID',
      message: `${message} ${JSON.stringify(url)}`,
    })
})

t.test('createServer({ pluggins })', async t => {
  await t.rejects(createServer({ pluggins: {} } as ServerOptions), {
    code: 'PLINTH_OPTION_UNKNOWN',
    message: 'createServer: the option pluggins is not known, did you mean "plugins"?',
  })
})

t.test('a bearer token that nothing reads is one warning, not one for each request', async t => {
  const ask = definePlugin({
    name: 'ask',
    register: ({ app }) => void app?.get('/ask', async request => (await contextOf(request)).access.key),
  })
  const { app, warnings } = await start(t, {}, { contentTypes, plugins: { ask: { plugin: ask } } })
  const statusOf = async (authorization?: string) =>
    (await app.inject({ url: '/ask', headers: authorization === undefined ? {} : { authorization } })).statusCode
  t.same([await statusOf(), await statusOf('Basic eDp5')], [200, 200])
  t.same(warnings, [])
  for (const authorization of ['Bearer s3cret', 'bearer other', 'Bearer s3cret'])
    t.equal(await statusOf(authorization), 401)
  t.equal(warnings.length, 1)
  t.match(warnings[0], /^A request has a bearer token, but no plugin in config\/plugins authenticates callers/)
  t.notMatch(warnings[0], 's3cret', 'the log does not have the token')
})

t.test('with a strategy, a token that it refuses is no warning', async t => {
  const key = definePlugin({
    name: 'key',
    register: ({ kernel, app }) => {
      kernel.auth.use({ name: 'key', authenticate: () => null })
      app?.get('/ask', async request => (await contextOf(request)).access.key)
    },
  })
  const { app, warnings } = await start(t, {}, { contentTypes, plugins: { key: { plugin: key } } })
  t.equal((await app.inject({ url: '/ask', headers: { authorization: 'Bearer a' } })).statusCode, 401)
  t.same(warnings, [])
})
