// Answers to requests that reach no route have the headers of all others (B-1.22, B-1.56, B-1.61).

import { plinth, serverDefaults } from '@plinth/server'
import Fastify from 'fastify'
import t from 'tap'
import { start, tags } from './fixtures/boot.ts'

const origin = 'https://one.example'

/** Headers that are not the same for all answers. */
const ofOneAnswer = ['content-length', 'date', 'connection', 'server-timing']

t.test('malformed paths are answered with the headers of other answers', async t => {
  const { app } = await start(t)
  const usual = (await app.inject({ url: '/api/tags', headers: { origin } })).headers
  for (const [url, status, name] of [
    ['/api/tags/%ff', 400, 'ValidationError'],
    ['/%', 400, 'ValidationError'],
    ['/api/tags/%ff?x=%ff', 400, 'ValidationError'],
    [`/api/tags/${'1'.repeat(17_000)}`, 414, 'URITooLongError'],
  ] as const) {
    // Only routes with an id look at its length.
    for (const method of status === 414
      ? (['GET', 'DELETE'] as const)
      : (['GET', 'POST', 'PATCH', 'DELETE'] as const)) {
      const headers = { origin, 'content-type': 'application/json' }
      const answer = await app.inject({ method, url, headers, ...(method === 'POST' ? { payload: '{' } : {}) })
      t.equal(answer.statusCode, status, `${method} ${url.slice(0, 30)}`)
      t.match(answer.json(), { data: null, error: { status, name, message: String, details: {} } })
      for (const one of Object.keys(usual).filter(one => !ofOneAnswer.includes(one)))
        t.equal(answer.headers[one], usual[one], one)
      t.match(answer.headers['server-timing'], /desc="0 statements"/)
    }
  }
  t.equal((await app.inject('/_refused')).statusCode, 404, 'where they go is nothing to others')
  t.equal((await app.inject({ method: 'POST', url: '/_refused' })).statusCode, 405)
})

t.test('a long id is not found', async t => {
  const { app } = await start(t)
  for (const length of [600, 5000])
    t.equal((await app.inject(`/api/tags/${'a'.repeat(length)}`)).statusCode, 404, String(length))
})

t.test('X-Powered-By', async t => {
  const powered = async (config: object) =>
    (await (await start(t, { config: { ...config } })).app.inject('/api/tags')).headers
  t.equal((await powered({}))['x-powered-by'], 'Plinth')
  t.equal(
    (await powered({ poweredBy: 'Acme <acme.example>', securityHeaders: false }))['x-powered-by'],
    'Acme <acme.example>',
  )
  t.notOk('x-powered-by' in (await powered({ poweredBy: false })))
  for (const poweredBy of [true, '', 'a\r\nb: c'])
    await t.rejects(powered({ poweredBy }), { message: /rest\.config\.poweredBy/ })
})

t.test('malformed paths in scopes of a Fastify server', async t => {
  const contentTypes = tags
  const kernel = {
    database: { client: 'sqlite', connection: { filename: ':memory:' } },
    contentTypes,
    plugins: {},
  } as const
  const app = Fastify({ ...serverDefaults })
  t.teardown(() => app.close())
  app.register(async child => void (await child.register(plinth, kernel)), { prefix: '/one' })
  app.register(async child => void (await child.register(plinth, kernel)), { prefix: '/two' })
  const answer = await app.inject('/one/%ff')
  t.equal(answer.statusCode, 400)
  t.match(answer.json(), { data: null, error: { status: 400, name: 'ValidationError' } })
})
