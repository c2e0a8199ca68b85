// The setting `cors` of the REST API, the older place of that of config/server: which origins may read answers (B-1.60 to
// B-1.62).

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { start } from './fixtures/boot.ts'

const origin = 'https://one.example'
const preflight = { origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'content-type' }

async function corsOf(t: Test, cors: unknown, more: object = {}) {
  const { app } = await start(t, { config: cors === undefined ? {} : { cors }, ...more })
  const names = (headers: Record<string, unknown>) => Object.keys(headers).filter(name => name.startsWith('access-'))
  const read = async (from: string) => (await app.inject({ url: '/api/tags', headers: { origin: from } })).headers
  const asked = await app.inject({ method: 'OPTIONS', url: '/api/tags/1', headers: preflight })
  return { read, asked, names }
}

t.test('cors: any origin by default', async t => {
  for (const setting of [undefined, true]) {
    const { read, asked } = await corsOf(t, setting)
    t.match(await read(origin), {
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      vary: /origin/i,
    })
    t.equal((await read(origin))['access-control-expose-headers'], 'Retry-After, Server-Timing')
    t.equal(asked.statusCode, 204)
    t.match(asked.headers, {
      'access-control-allow-origin': origin,
      'access-control-allow-methods': /\bPUT\b/,
      'access-control-allow-headers': /content-type/i,
      'access-control-max-age': '31536000',
    })
  }
})

t.test('cors: false', async t => {
  const { read, asked, names } = await corsOf(t, false)
  t.same(names(await read(origin)), [])
  t.same(names(asked.headers), [])
  t.equal(asked.statusCode, 200, 'OPTIONS names the methods')
  t.equal(asked.headers.allow, 'HEAD, GET, PUT, DELETE')
})

t.test('cors: a list of origins', async t => {
  const { read, asked } = await corsOf(t, { origin: [origin, 'http://localhost:3000'] })
  for (const one of [origin, 'http://localhost:3000']) t.equal((await read(one))['access-control-allow-origin'], one)
  for (const other of ['https://two.example', `${origin}.evil.example`, 'http://one.example', 'null'])
    t.notOk('access-control-allow-origin' in (await read(other)), other)
  t.match(await read('https://two.example'), { vary: /origin/i }, 'a cache must tell them apart')
  t.equal(asked.headers['access-control-allow-origin'], origin)
})

t.test('cors: origins of variables that are not set', async t => {
  const unset = process.env.PLINTH_TEST_NO_SUCH_ORIGIN
  for (const list of [
    [origin, unset],
    [unset, origin, unset],
    [null, origin, ' '],
  ]) {
    const { read } = await corsOf(t, { origin: list })
    t.equal((await read(origin))['access-control-allow-origin'], origin, 'the others are left')
    t.notOk('access-control-allow-origin' in (await read('https://two.example')))
  }
  for (const none of [unset, [], [unset], [unset, null, ''], '']) {
    const { read } = await corsOf(t, { origin: none })
    t.notOk('access-control-allow-origin' in (await read(origin)), 'a list without a member opens nothing')
  }
})

t.test('cors: origins as one text', async t => {
  const { read } = await corsOf(t, { origin: `${origin}, http://localhost:3000` })
  for (const one of [origin, 'http://localhost:3000']) t.equal((await read(one))['access-control-allow-origin'], one)
  t.notOk('access-control-allow-origin' in (await read('https://two.example')))
  const single = await corsOf(t, { origin })
  t.equal((await single.read(origin))['access-control-allow-origin'], origin)
  t.notOk('access-control-allow-origin' in (await single.read('https://two.example')))
  for (const any of ['*', ['*']])
    t.equal((await (await corsOf(t, { origin: any })).read(origin))['access-control-allow-origin'], origin)
})

t.test('cors: a function, in config/api', async t => {
  const dir = t.testdir()
  await mkdir(join(dir, 'config'))
  const found =
    "request => ({ '/api/tags': request.headers.origin, '/api/tags/1': Promise.resolve(['https://two.example']) })"
  await writeFile(
    join(dir, 'config/api.mjs'),
    `const find = ${found}\nexport default { rest: { cors: { origin: async request => find(request)[request.url] } } }`,
  )
  const { app } = await start(t, { dir } as object)
  const allowed = async (url: string) =>
    (await app.inject({ url, headers: { origin } })).headers['access-control-allow-origin']
  t.equal(await allowed('/api/tags'), origin)
  t.equal(await allowed('/api/tags/1'), undefined)
  t.equal(await allowed('/api/nothing'), undefined)
})

t.test('cors: the other options', async t => {
  const { read, asked } = await corsOf(t, {
    origin: [origin],
    expose: ['X-One', 'X-Two'],
    maxAge: 60,
    credentials: false,
    methods: 'GET,PUT',
    headers: ['X-Mine'],
    keepHeadersOnError: true,
  })
  const headers = await read(origin)
  t.equal(headers['access-control-expose-headers'], 'X-One, X-Two')
  t.notOk('access-control-allow-credentials' in headers)
  t.match(asked.headers, {
    'access-control-max-age': '60',
    'access-control-allow-methods': 'GET, PUT',
    'access-control-allow-headers': 'X-Mine',
  })
})

t.test('cors: a preflight without an origin', async t => {
  const { app } = await start(t)
  const { origin: _, ...headers } = preflight
  const asked = await app.inject({ method: 'OPTIONS', url: '/api/tags/1', headers })
  t.match(asked, { statusCode: 400, payload: 'Invalid Preflight Request' })
})

t.test('cors: origins in other forms than browsers send them', async t => {
  const given = ['https://one.example/', 'HTTPS://Two.Example', 'https://three.example:443', 'http://four.example:80/']
  const { read } = await corsOf(t, {
    origin: [...given, 'https://bücher.example', 'http://localhost:3000/', 'app://web'],
  })
  const sent = ['https://one.example', 'https://two.example', 'https://three.example', 'http://four.example']
  for (const one of [...sent, 'https://xn--bcher-kva.example', 'http://localhost:3000', 'app://web'])
    t.equal((await read(one))['access-control-allow-origin'], one)
  for (const other of ['http://one.example', 'https://four.example', 'http://localhost'])
    t.notOk('access-control-allow-origin' in (await read(other)), other)
  const text = await corsOf(t, { origin: 'https://one.example/, https://two.example/' })
  t.equal((await text.read('https://two.example'))['access-control-allow-origin'], 'https://two.example')
  const asked = await corsOf(t, { origin: () => Promise.resolve('https://one.example/') })
  t.equal((await asked.read('https://one.example'))['access-control-allow-origin'], 'https://one.example')
  t.notOk('access-control-allow-origin' in (await asked.read('https://two.example')))
})

t.test('cors: what can match no origin is said at the start, and opens nothing', async t => {
  const warnings: string[] = []
  const list = ['one.example', 'localhost:3000', 'https://one.example/app', 'https://*.one.example', 'null', origin]
  const logger = { level: 'warn', stream: { write: (line: string) => void warnings.push(JSON.parse(line).msg) } }
  const { read } = await corsOf(t, { origin: list }, { logger })
  const said = (text: string) => warnings.filter(one => one.includes(text)).length
  t.same(
    ['"one.example" is not an origin', '"localhost:3000" is not an origin']
      .map(said)
      .concat(
        said('"https://one.example/app" is more than an origin, which is https://one.example'),
        said('"https://*.one.example" has a wildcard'),
        said('"null"'),
        said(`"${origin}"`),
      ),
    [1, 1, 1, 1, 0, 0],
    warnings.join('\n'),
  )
  for (const other of ['https://a.one.example', 'http://localhost:3000', 'http://one.example'])
    t.notOk('access-control-allow-origin' in (await read(other)), other)
})

t.test('cors: "*" for headers and methods with credentials', async t => {
  const { app } = await start(t, { config: { cors: { headers: '*', methods: ['*'], expose: '*' } } })
  const ask = (more: object) =>
    app.inject({ method: 'OPTIONS', url: '/api/tags/1', headers: { ...preflight, ...more } }).then(one => one.headers)
  t.match(await ask({ 'access-control-request-headers': 'authorization, x-mine' }), {
    'access-control-allow-headers': 'authorization, x-mine',
    'access-control-allow-methods': 'PUT',
  })
  const { 'access-control-request-headers': _, ...none } = preflight
  const plain = await app.inject({ method: 'OPTIONS', url: '/api/tags/1', headers: none })
  t.match(plain.headers, { 'access-control-allow-headers': '*' })
  const answer = await app.inject({ url: '/api/tags', headers: { origin } })
  t.match(answer.headers['access-control-expose-headers'], /content-type/)
  t.notMatch(answer.headers['access-control-expose-headers'], /\*/)
  const open = await corsOf(t, { expose: '*', credentials: false })
  t.equal((await open.read(origin))['access-control-expose-headers'], '*')
})

t.test('cors: what clients of the dialect send is allowed', async t => {
  const { asked } = await corsOf(t, undefined)
  t.equal(
    asked.headers['access-control-allow-headers'],
    'Content-Type, Authorization, Origin, Accept, Strapi-Response-Format, If-Match, If-None-Match, X-Requested-With, ' +
      'traceparent, tracestate, baggage, sentry-trace, apollographql-client-name, apollographql-client-version',
  )
})

t.test('cors of config/server beside that of the REST API', async t => {
  const server = { cors: { origin: [origin] } }
  const withPlace = (place: string) => ({
    code: 'PLINTH_CONFIG_INVALID',
    message: `cors of config/server and ${place} are both set, and have the same meaning: keep that of config/server`,
  })
  const dir = t.testdir({ config: { 'server.json': JSON.stringify(server) } })
  for (const cors of [false, true, { origin: '*' }])
    await t.rejects(
      start(t, { config: { cors }, dir }),
      withPlace('rest.config.cors of config/plugins'),
      JSON.stringify(cors),
    )
  await writeFile(join(dir, 'config/api.json'), JSON.stringify({ rest: { cors: { maxAge: 5 } } }))
  await t.rejects(start(t, { dir }), withPlace('rest.cors of config/api'))
})
