// createServer and listen: the address and the log, and the errors that stop a start.

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer as createSocket } from 'node:net'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  DatabaseConnectionError,
  definePlugin,
  InvalidSchemaError,
  PluginConfigError,
  StartError,
} from '@plinth/kernel'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { createServer, listen, plainLog, plinth, redactedLog, type ServerOptions } from '../src/index.ts'
import { folder, memory, open, type } from './fixtures/open.ts'

/** Sets variables until the test ends. */
function set(t: Test, variables: Readonly<Record<string, string>>): void {
  const before = Object.keys(variables).map(key => [key, process.env[key]] as const)
  Object.assign(process.env, variables)
  t.teardown(() => {
    for (const [key, value] of before) {
      if (value === undefined) delete process.env[key]
      else process.env[key] = value
    }
  })
}

/** A server whose config/server says this. */
async function openAt(t: Test, server: object) {
  return open(t, { dir: await folder(t, { 'config/server.json': server }) })
}

t.test('it listens on the host and port of config/server', async t => {
  const app = await openAt(t, { host: '127.0.0.1', port: '0' })
  const address = await listen(app)
  t.match(address, /^http:\/\/127\.0\.0\.1:\d+$/)
  t.ok((await fetch(address)).status)
})

t.test('without a plugin that answers errors, their messages are not shown', async t => {
  const lines: string[] = []
  const app = await open(t, {
    logger: { level: 'error', stream: { write: (line: string) => void lines.push(line) } },
    configure: ({ hooks }) =>
      hooks.on('onMount', scope => {
        scope.get('/file', async () => readFile('/nowhere/secret-path'))
      }),
  })
  const answer = await app.inject('/file')
  t.equal(answer.statusCode, 500)
  const error = { status: 500, name: 'InternalServerError', message: 'Internal Server Error' }
  t.same(answer.json(), { data: null, error })
  t.match(lines.join(), /secret-path/, 'but logged')
})

t.test('a body that arrives when its request is answered already does no harm', async t => {
  const app = await open(t, {
    configure: ({ hooks }) =>
      hooks.on('onMount', scope => {
        scope.post('/large', { bodyLimit: 1000 }, async () => 'read')
      }),
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  let said = ''
  socket.on('data', data => {
    said += String(data)
  })
  const head = (length: number) =>
    `POST /large HTTP/1.1\r\nhost: a\r\ncontent-type: text/plain\r\ncontent-length: ${length}\r\n\r\n`
  socket.on('error', () => {})
  const closed = new Promise<void>(resolve => void socket.once('close', () => resolve()))
  socket.write(head(2_000_000))
  for (let i = 0; i < 40; i++) socket.write('x'.repeat(50_000))
  await closed
  t.match(said, /^HTTP\/1.1 413 /)
  t.equal((await app.inject('/_health')).statusCode, 204)
})

t.test(
  'an unknown address is answered in the one form of errors, by a plugin that wants to or by the server',
  async t => {
    const app = await open(t)
    for (const method of ['GET', 'POST'] as const) {
      const answer = await app.inject({ method, url: '/api/nothing' })
      t.equal(answer.statusCode, 404)
      t.match(answer.headers['content-type'], /^application\/json/)
      const error = { status: 404, name: 'NotFoundError', message: 'Not Found', details: {} }
      t.same(answer.json(), { data: null, error })
    }
    const own = definePlugin({
      name: 'own',
      register: ({ server }) => server?.setNotFoundHandler((_request, reply) => reply.code(404).send('mine')),
    })
    t.equal((await (await open(t, { plugins: { own: { plugin: own } } })).inject('/x')).body, 'mine')
  },
)

t.test('Plinth on a Fastify server of the application', async t => {
  const tools: string[] = []
  const own = definePlugin({
    name: 'own',
    register: ({ kernel, app, server }) => {
      tools.push(server === null ? 'a scope' : 'the whole server')
      app?.addHook('onRequest', async (_request, reply) => void reply.header('x-own', '1'))
      kernel.hooks.on('onMount', child => void child.get('/own', async () => 'own'))
    },
  })
  const options = { database: memory, plugins: { own: { plugin: own } } }
  const app = Fastify()
  t.teardown(() => app.close())
  app.register(plinth, options)
  app.get('/host', async () => app.kernel === undefined)
  t.match(await app.inject('/own'), { body: 'own', headers: { 'x-own': '1' } })
  t.match(await app.inject('/host'), { body: 'false', headers: { 'x-own': undefined } })
  t.match((await app.inject('/nothing')).json(), { message: 'Route GET:/nothing not found' })
  const whole = Fastify()
  t.teardown(() => whole.close())
  whole.register(plinth, { ...options, wholeServer: true })
  whole.get('/host', async () => 'host')
  t.match(await whole.inject('/host'), { body: 'host', headers: { 'x-own': '1' } })
  t.match((await whole.inject('/nothing')).json(), { error: { name: 'NotFoundError' } })
  t.same(tools, ['a scope', 'the whole server'])
})

t.test('a port that is in use', async t => {
  const other = createSocket().listen(0, '127.0.0.1')
  await new Promise(resolve => other.once('listening', resolve))
  t.teardown(() => other.close())
  const { port } = other.address() as { port: number }
  const app = await openAt(t, { host: '127.0.0.1', port })
  await t.rejects(listen(app), {
    constructor: StartError,
    message: `config/server: port ${port} of 127.0.0.1 is in use by another server; stop that server, or choose another port in config/server, or set PORT=${port + 1} if config/server reads it`,
  })
  await t.rejects(app.inject('/'), /closed|avvio/i, 'a server that cannot listen is closed')
})

t.test('HOST and PORT of the environment apply if config/server does not set them', async t => {
  set(t, { HOST: '127.0.0.1', PORT: '0' })
  t.match(await listen(await open(t)), /^http:\/\/127\.0\.0\.1:(?!1337$)\d+$/)
  const other = createSocket().listen(0, '127.0.0.1')
  await new Promise(resolve => other.once('listening', resolve))
  t.teardown(() => other.close())
  const { port } = other.address() as { port: number }
  set(t, { PORT: String(port) })
  await t.rejects(listen(await open(t)), {
    message: `The environment variable PORT: ${port} of 127.0.0.1 is in use by another server; stop that server, or choose another port: PORT=${port + 1}`,
  })
  t.match(await listen(await openAt(t, { port: 0 })), /^http/, 'the file comes first')
  set(t, { PORT: 'x' })
  await t.rejects(listen(await open(t)), {
    message: 'The environment variable PORT: must be an integer from 0 to 65535, not "x"',
  })
  set(t, { PORT: '0', HOST: '192.0.2.1' })
  await t.rejects(listen(await open(t)), {
    message: /^The environment variable HOST: "192\.0\.2\.1" is not an address/,
  })
  set(t, { HOST: '' })
  t.match(await listen(await open(t)), /127\.0\.0\.1/, 'an empty variable is one that is not given')
  await t.rejects(openAt(t, { prot: 0 }), {
    constructor: StartError,
    message: 'config/server: prot is not known, did you mean "port"?',
  })
})

t.test('a start without content types or routes warns', async t => {
  const warnings: string[] = []
  const logger = {
    level: 'warn',
    stream: { write: (record: string) => void warnings.push((JSON.parse(record) as { msg: string }).msg) },
  }
  await open(t, { logger })
  t.same(warnings.splice(0), [
    'The application has no content types; add one as src/api/<api>/content-types/<name>/schema.json',
    'The server has no routes, because no plugin in config/plugins adds any; `rest: true` adds those of content types',
  ])
  const routes = definePlugin({ name: 'own', register: ({ app }) => void app?.get('/own', () => 'mine') })
  await open(t, { logger, plugins: { own: { plugin: routes } }, contentTypes: [type('a', { b: { type: 'string' } })] })
  t.same(warnings, [])
})

t.test('an invalid port and a foreign host are refused', async t => {
  for (const port of ['abc', '', 65_536, -1, 1.5, true])
    await t.rejects(listen(await openAt(t, { port })), {
      constructor: StartError,
      message: `config/server: port must be an integer from 0 to 65535, not ${JSON.stringify(port)}`,
    })
  await t.rejects(listen(await openAt(t, { host: '192.0.2.1', port: 0 })), {
    constructor: StartError,
    message: /^config\/server: host "192\.0\.2\.1" is not an address of this machine/,
  })
})

t.test('an environment variable that is not a number is refused', async t => {
  set(t, { PLINTH_PORT: 'abc' })
  const files = {
    'package.json': { type: 'module' },
    'config/server.js': "export default ({ env }) => ({ port: env.int('PLINTH_PORT', 1337) })",
  }
  await t.rejects(open(t, { dir: await folder(t, files) }), {
    constructor: StartError,
    message: 'The environment variable PLINTH_PORT must be an integer, not "abc"',
  })
})

t.test('unknown levels of the log are refused', async t => {
  set(t, { LOG_LEVEL: 'wran' })
  const message = 'The environment variable LOG_LEVEL: "wran" is not a log level, did you mean "warn"?'
  await t.rejects(createServer({ database: memory }), { constructor: StartError, message })
  await t.rejects(open(t, { logger: { level: 'loudly' } }), {
    message: /^createServer's logger\.level: "loudly" is not a log level; the levels are trace, debug, info,/,
  })
  await open(t, { logger: { level: 'wran', customLevels: { wran: 35 } } })
  delete process.env.LOG_LEVEL
  await t.rejects(createServer({ database: memory, dir: await folder(t, { '.env': 'LOG_LEVEL=quiet\n' }) }), {
    message: /^The environment variable LOG_LEVEL: "quiet" is not a log level; the levels are trace, /,
  })
  await open(t, { logger: false })
})

/** What is written to stderr until the test ends. */
function captureErrors(t: Test): string[] {
  const written: string[] = []
  const { write } = process.stderr
  process.stderr.write = ((text: string) => written.push(text) > 0) as typeof write
  t.teardown(() => Object.assign(process.stderr, { write }))
  return written
}

t.test('the plain log has warnings and errors, and no requests', async t => {
  const written = captureErrors(t)
  const app = await open(t, {
    logger: plainLog(),
    plugins: { own: { plugin: definePlugin({ name: 'own', register: ({ app }) => void app?.get('/', () => '') }) } },
    contentTypes: [type('a', { b: { type: 'media' }, c: { type: 'media' } })],
  })
  await app.inject('/')
  app.log.error(new Error('gone'))
  app.log.error(new Error('gone'), 'after the commit')
  t.match(written, [
    /^warning: 2 attribute\(s\) are always empty, .* "media": api::a\.a\.b \(media\), api::a\.a\.c \(media\)\n$/,
    /^error: Error: gone\n +at /,
    /^error: after the commit: Error: gone\n +at /,
  ])
  t.equal(written.length, 3)
})

t.test('security.md row 87: a plain line cannot control a terminal, and has no secrets', async t => {
  const written = captureErrors(t)
  const app = await open(t, {
    logger: plainLog(),
    plugins: { own: { plugin: definePlugin({ name: 'own', register: () => {} }) } },
  })
  written.length = 0
  app.log.warn('said \u001b[31mred\r\nerror: forged\u009b, Bearer aB3.dE-fghi')
  app.log.error(new Error('a\nerror: forged, of redis://:pw@cache'))
  t.equal(written[0], 'warning: said \\x1b[31mred\\x0d\n    error: forged\\x9b, Bearer [redacted]\n')
  t.match(written[1], /^error: Error: a\n {4}error: forged, of redis:\/\/\[redacted\]@cache\n {4}at /)
})

t.test('own settings of the logger stay, and a server without a log has none', async t => {
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(line) }
  const streamWrite = (line: string) => line.replace('one', 'two token=abc')
  const app = await open(t, { logger: { level: 'info', stream, hooks: { streamWrite } } })
  app.log.info('one')
  t.match(lines.at(-1), /"msg":"two token=\[redacted\]"\}\n$/)
  t.match(await open(t, { fastify: { logger: { level: 'error', stream } } }), { log: { level: 'error' } })
  lines.length = 0
  const silent = await open(t, { logger: false })
  silent.log.error('one')
  t.same(lines, [])
  t.same(redactedLog(false), false)
})

t.test('the folder can be a relative path', async t => {
  const dir = relative(
    process.cwd(),
    await folder(t, { 'package.json': { type: 'module' }, 'config/server.json': { port: 1400 } }),
  )
  t.equal((await open(t, { dir })).kernel.config.server?.port, 1400)
  await t.rejects(open(t, { dir, plugins: { nope: true } }), { message: /the plugin "nope" was not found/ })
})

t.test('faults in files of an application are a StartError', async t => {
  const files = async (all: Readonly<Record<string, unknown>>) => ({
    dir: await folder(t, { 'package.json': { type: 'module' }, ...all }),
  })
  const rows: readonly [ServerOptions, RegExp, new (...args: never[]) => Error][] = [
    [{ contentTypes: [type('a', { b: { type: 'strng' } })] }, /did you mean "string"/, InvalidSchemaError],
    [
      { plugins: { rest: { maxLimit: 50 } as object } },
      /^config\/plugins: rest: maxLimit is not known; the settings of a plugin belong below config$/,
      PluginConfigError,
    ],
    [{ plugins: { rest: { confg: {} } as object } }, /^config\/plugins: rest: confg is not known/, PluginConfigError],
    [{ database: { connection: { filename: '/dev/null/x.db' } } }, /^config\/database: /, DatabaseConnectionError],
    [{ database: { client: 'sqlit' } }, /^config\/database: client "sqlit"/, StartError],
    [{ database: { ...memory, migrate: 'ad' } }, /^config\/database: migrate "ad"/, StartError],
    [await files({ 'config/api.json': '{' }), /config\/api\.json: is not valid JSON/, StartError],
    [
      await files({ 'src/index.js': 'export default { regster() {} }' }),
      /^src\/index: the export regster is not known/,
      StartError,
    ],
  ]
  for (const [options, message, kind] of rows) {
    const fault = open(t, options)
    await t.rejects(fault, { constructor: kind, message })
    t.ok((await fault.catch((error: unknown) => error)) instanceof StartError, kind.name)
  }
})

t.test('a program ends with one line, and with a stack at the level debug', async t => {
  const source = JSON.stringify(pathToFileURL(join(import.meta.dirname, '../src/index.ts')).href)
  const run = (made: string, env: NodeJS.ProcessEnv = {}) =>
    new Promise<{ code: unknown; stderr: string }>(resolve => {
      const text = `import { exitWith } from ${source}
        import { StartError } from '@plinth/kernel'
        await Promise.reject(${made}).catch(exitWith)`
      execFile(
        process.execPath,
        ['--input-type=module', '-e', text],
        { cwd: import.meta.dirname, env: { ...process.env, ...env } },
        (error, _stdout, stderr) => resolve({ code: error?.code, stderr }),
      )
    })
  const fault = "new StartError('PLINTH_CONFIG_INVALID', 'config/server: no')"
  t.same(await run(fault), { code: 1, stderr: 'config/server: no [PLINTH_CONFIG_INVALID]\n' })
  const odd = "new TypeError('odd')"
  t.match(await run(odd), { code: 1, stderr: /^TypeError: odd \(.*:\d+:\d+\); LOG_LEVEL=debug prints the stack\n$/ })
  t.match(await run(odd, { LOG_LEVEL: 'debug' }), { code: 1, stderr: /TypeError: odd\n +at / })
})

t.test('a start has no time limit', async t => {
  // Fastify gives plugins 10 seconds: here a second is a twentieth of one.
  const { setTimeout: plain } = globalThis
  const quick = (work: (...rest: unknown[]) => void, ms = 0, ...rest: unknown[]) => plain(() => work(...rest), ms / 20)
  t.intercept(globalThis, 'setTimeout', { value: quick, configurable: true, writable: true })
  const slow = definePlugin({
    name: 'slow',
    register() {},
    bootstrap: () => new Promise(resolve => plain(resolve, 800)),
  })
  const app = await open(t, { plugins: { slow: { plugin: slow } } })
  t.equal((await app.inject('/')).statusCode, 404)
})
