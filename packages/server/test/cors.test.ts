// CORS of the server: without any transport, from config/server, with headers that plugins name. What the settings mean is
// tested with the REST API, which has them too (packages/rest/test/cors.test.ts).

import cors from '@fastify/cors'
import { definePlugin, type Kernel } from '@plinth/kernel'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { addCorsHeaders, hasCors, plinth, setCors } from '../src/index.ts'
import { memory, open } from './fixtures/open.ts'

const origin = 'https://one.example'
const preflight = {
  method: 'OPTIONS',
  headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-mine' },
} as const

/** A plugin with a route, which names headers. */
const named = (register: (kernel: Kernel) => void = () => {}) =>
  definePlugin({
    name: 'named',
    register({ kernel }) {
      register(kernel)
      kernel.hooks.on('onMount', app => {
        app.get('/named', async (_request, reply) => reply.header('x-told', '1').send('named'))
        app.post('/named', async () => 'sent')
        app.get('/fails', async () => {
          throw new Error('it fails')
        })
      })
    },
  })

const plugins = (register?: (kernel: Kernel) => void) => ({ named: { plugin: named(register) } }) as const

const withCors = (t: Test, setting: unknown, register?: (kernel: Kernel) => void) =>
  open(t, { plugins: plugins(register), ...(setting !== undefined && { config: { server: { cors: setting } } }) })

const accessHeaders = (headers: Readonly<Record<string, unknown>>) =>
  Object.keys(headers).filter(name => name.startsWith('access-control-'))

t.test('a server without transports has CORS', async t => {
  const app = await withCors(t, undefined)
  for (const url of ['/named', '/fails', '/nothing', '/_health', '/%ff']) {
    const { headers } = await app.inject({ url, headers: { origin } })
    t.match(
      headers,
      {
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers': 'Retry-After, Server-Timing',
        vary: 'Origin',
      },
      url,
    )
    const { headers: plain } = await app.inject(url)
    t.same(accessHeaders(plain), ['access-control-allow-credentials'], 'without an origin')
    t.equal(plain.vary, 'Origin', 'a cache must tell them apart')
  }
  const asked = await app.inject({ url: '/named', ...preflight })
  t.equal(asked.statusCode, 204)
  t.same(accessHeaders(asked.headers), [
    'access-control-allow-origin',
    'access-control-allow-credentials',
    'access-control-allow-methods',
    'access-control-allow-headers',
    'access-control-max-age',
  ])
  t.equal((await app.inject({ method: 'OPTIONS', url: '/named' })).statusCode, 404, 'not a preflight')
})

t.test('cors of config/server', async t => {
  const listed = await withCors(t, { origin: [origin], maxAge: 60 })
  const read = async (from: string) => (await listed.inject({ url: '/named', headers: { origin: from } })).headers
  t.equal((await read(origin))['access-control-allow-origin'], origin)
  t.same(accessHeaders(await read('https://two.example')), ['access-control-allow-credentials'], 'and exposes nothing')
  t.equal((await listed.inject({ url: '/named', ...preflight })).headers['access-control-max-age'], '60')
  const off = await withCors(t, false)
  t.same(accessHeaders((await off.inject({ url: '/named', headers: { origin } })).headers), [])
  t.equal((await off.inject({ url: '/named', ...preflight })).statusCode, 404)
  for (const none of [true, null, undefined])
    t.equal(
      (await (await withCors(t, none)).inject({ url: '/named', headers: { origin } })).headers[
        'access-control-allow-origin'
      ],
      origin,
    )
})

t.test('a wrong setting stops the start', async t => {
  for (const [setting, message] of [
    ['all', 'config/server: cors must be true or false or an object'],
    [{ maxAge: -1 }, 'config/server: cors.maxAge must be at least 0'],
    [{ orign: '*' }, 'config/server: cors.orign is not known, did you mean "origin"?'],
    [{ headers: 5, expose: [1] }, /^config\/server: cors\.expose\.0 .*; config\/server: cors\.headers /],
  ] as const)
    await t.rejects(withCors(t, setting), { code: 'PLINTH_CONFIG_INVALID', message })
  await t.rejects(open(t, { config: { server: { corss: true } } }), {
    message: 'config/server: corss is not known, did you mean "cors"?',
  })
})

t.test('plugins name headers', async t => {
  const add = (kernel: Kernel) => {
    addCorsHeaders(kernel, { allow: ['X-Mine', 'TRACEPARENT'], expose: ['X-Told'] })
    kernel.hooks.on('onMount', () => addCorsHeaders(kernel, { allow: ['x-mine', 'X-Late'], expose: ['retry-after'] }))
  }
  const app = await withCors(t, undefined, add)
  const asked = await app.inject({ url: '/named', ...preflight })
  const allowed = String(asked.headers['access-control-allow-headers'])
  t.match(allowed, /^Content-Type, Authorization, Origin, Accept, Strapi-Response-Format, .*, X-Mine, X-Late$/)
  t.equal(allowed.match(/traceparent/gi)?.length, 1, 'each once')
  const exposedOf = async (headers: Record<string, string>) =>
    (await app.inject({ url: '/named', headers })).headers['access-control-expose-headers']
  t.equal(await exposedOf({ origin }), 'Retry-After, Server-Timing, X-Told')
  t.equal(await exposedOf({}), undefined)

  const own = await withCors(t, { headers: 'X-Only', expose: ['X-Told'] }, add)
  const other = await own.inject({ url: '/named', ...preflight })
  t.equal(other.headers['access-control-allow-headers'], 'X-Only', 'a list in the settings is all, as in v4')
  t.equal(other.headers['access-control-expose-headers'], 'X-Told')
  const none = await withCors(t, { expose: [] }, add)
  t.notOk('access-control-expose-headers' in (await none.inject({ url: '/named', headers: { origin } })).headers)
})

t.test('what is not the name of a header is refused', async t => {
  for (const [name, advice] of [
    ['apollographql-client-*', ': browsers know no patterns, so name each header'],
    ['*', ': browsers know no patterns, so name each header'],
    ['two words', ''],
    ['', ''],
    ['a\r\nb', ''],
  ] as const)
    for (const names of [{ allow: [name] }, { expose: [name] }])
      await t.rejects(
        withCors(t, undefined, kernel => addCorsHeaders(kernel, names)),
        {
          code: 'PLINTH_DEFINITION_INVALID',
          message: `addCorsHeaders: ${JSON.stringify(name)} is not the name of a header${advice}`,
        },
      )
})

t.test('the setting of a transport', async t => {
  const app = await withCors(t, undefined, kernel => setCors(kernel, { origin }, 'cors of the transport'))
  t.notOk(
    'access-control-allow-origin' in
      (await app.inject({ url: '/named', headers: { origin: 'https://two.example' } })).headers,
  )
  const off = await withCors(t, undefined, kernel => setCors(kernel, false, 'cors of the transport'))
  t.notOk(hasCors(off.kernel))
  t.same(accessHeaders((await off.inject({ url: '/named', headers: { origin } })).headers), [])
  await t.rejects(
    withCors(t, true, kernel => setCors(kernel, true, 'cors of the transport')),
    {
      code: 'PLINTH_CONFIG_INVALID',
      message:
        /cors of config\/server and cors of the transport are both set, and have the same meaning: keep that of config\/server$/,
    },
  )
})

t.test('warnings', async t => {
  const warningsOf = async (setting: unknown, isProduction = false) => {
    const lines: string[] = []
    const logger = { level: 'warn', stream: { write: (line: string) => void lines.push(JSON.parse(line).msg) } }
    const before = process.env.NODE_ENV
    if (isProduction) process.env.NODE_ENV = 'production'
    try {
      await open(t, { plugins: plugins(), logger, config: { server: { cors: setting } } })
    } finally {
      if (before === undefined) delete process.env.NODE_ENV
      else process.env.NODE_ENV = before
    }
    return lines.filter(line => line.includes('CORS'))
  }
  t.same(await warningsOf(undefined), [])
  t.same(await warningsOf(undefined, true), [
    'Every origin may read the answers (CORS); list the allowed ones in cors.origin of config/server',
  ])
  t.same(await warningsOf({ origin: [] }, true), [
    'cors.origin of config/server lists no origin, so no other one may read the answers (CORS)',
  ])
  t.same(await warningsOf({ origin: ['one.example', origin] }, true), [
    'cors.origin of config/server: "one.example" is not an origin, such as https://www.example or http://localhost:3000, so it allows no origin (CORS)',
  ])
  t.same(await warningsOf(false, true), [])
  const place = (option: string) => `cors.${option} of config/server`
  t.same(await warningsOf({ methods: ['GET', 'PSOT', 'delete', 'FETCH-ALL'], headers: 'x-a, x-*', expose: ['x b'] }), [
    `${place('methods')}: "PSOT" allows nothing, because it is not a method of HTTP, did you mean "POST"? (CORS)`,
    `${place('methods')}: "delete" allows nothing, because it is not a method of HTTP, did you mean "DELETE"? (CORS)`,
    `${place('methods')}: "FETCH-ALL" allows nothing, because it is not a method of HTTP (CORS)`,
    `${place('headers')}: "x-*" has no effect, because it is not the name of a header (CORS)`,
    `${place('expose')}: "x b" has no effect, because it is not the name of a header (CORS)`,
  ])
  t.same(await warningsOf({ methods: 'GET,PUT, M-SEARCH', headers: '*', expose: ['*', 'X_Y'], credentials: false }), [])
})

t.test('an origin function that fails is an error, and may be asynchronous', async t => {
  const allowed: Readonly<Record<string, unknown>> = {
    [origin]: origin,
    'https://two.example': ['https://three.example'],
  }
  const app = await withCors(t, {
    origin: async ({ headers }: { headers: { origin: string } }) => {
      if (headers.origin === 'https://bad.example') throw new Error('not found')
      return allowed[headers.origin]
    },
  })
  const read = (from: string) => app.inject({ url: '/named', headers: { origin: from } })
  t.equal((await read(origin)).headers['access-control-allow-origin'], origin)
  for (const other of ['https://two.example', 'https://four.example']) {
    const answer = await read(other)
    t.equal(answer.payload, 'named')
    t.notOk('access-control-allow-origin' in answer.headers)
  }
  t.equal((await read('https://bad.example')).statusCode, 500)
  t.equal((await app.inject({ url: '/named', ...preflight })).statusCode, 204)
})

t.test('on a server with other routes', async t => {
  const hostOf = async (setting: unknown, isLast: boolean) => {
    const app = Fastify()
    t.teardown(() => app.close())
    app.get('/own', async () => 'own')
    const mount = () =>
      app.register(plinth, {
        database: memory,
        plugins: plugins(),
        config: { server: { cors: setting } },
        prefix: '/cms',
      })
    if (!isLast) mount()
    app.register(cors, { origin: 'https://host.example', allowedHeaders: 'x-host' })
    if (isLast) mount()
    await app.ready()
    return app
  }
  for (const isLast of [false, true]) {
    const app = await hostOf(true, isLast)
    const asked = await app.inject({ url: '/cms/named', ...preflight })
    t.equal(asked.statusCode, 204)
    t.match(asked.headers, { 'access-control-allow-origin': origin, 'access-control-allow-headers': /^Content-Type/ })
    t.equal(
      (await app.inject({ url: '/cms/named', headers: { origin } })).headers['access-control-allow-origin'],
      origin,
      'routes of plugins are Plinth’s',
    )
    t.equal((await app.inject({ method: 'OPTIONS', url: '/cms/named' })).statusCode, 404, 'not a preflight')
    for (const url of ['/own', '/cms/nothing', '/nothing'])
      t.equal(
        (await app.inject({ url, ...preflight })).headers['access-control-allow-origin'],
        'https://host.example',
        `${url} is the host’s`,
      )
    const off = await hostOf(false, isLast)
    t.match((await off.inject({ url: '/cms/named', ...preflight })).headers, {
      'access-control-allow-origin': 'https://host.example',
      'access-control-allow-headers': 'x-host',
    })
  }
})

t.test('without a server, nothing is set', t => {
  const kernel = {} as Kernel
  setCors(kernel, true, 'here')
  addCorsHeaders(kernel, { allow: ['X-Mine'] })
  t.notOk(hasCors(kernel))
  t.end()
})
