// Plinth on a Fastify server with other routes: it changes nothing for them, with any plugins in any order, and its own
// routes answer as under createServer.

import cors from '@fastify/cors'
import formbody from '@fastify/formbody'
import multipart from '@fastify/multipart'
import { PluginConfigError } from '@plinth/kernel'
import { plinth, serverDefaults } from '@plinth/server'
import Fastify from 'fastify'
import t from 'tap'
import { start } from './fixtures/boot.ts'
import {
  answersOf,
  asked,
  type Beside,
  hostOf,
  optionsOf,
  origins,
  plinthAnswers,
  preflightOf,
} from './fixtures/host.ts'

// Fastify warns of handlers that take the place of others.
process.on('warning', ({ message }) => t.fail(message))

const plugins: Readonly<Record<string, Beside>> = {
  nothing: () => {},
  'its own handlers': app => {
    app.setErrorHandler((error: Error, _request, reply) => reply.code(418).send({ own: error.message }))
    app.setNotFoundHandler((request, reply) => reply.code(404).send(`no ${request.url} here`))
  },
  '@fastify/cors': async app => void (await app.register(cors, { origin: 'https://host.example' })),
  '@fastify/multipart': async app => void (await app.register(multipart, { attachFieldsToBody: 'keyValues' })),
  '@fastify/formbody': async app => void (await app.register(formbody)),
  'all of them': async app => {
    await app.register(cors, { origin: ['https://host.example'], credentials: true })
    await app.register(multipart, { attachFieldsToBody: 'keyValues' })
    await app.register(formbody)
    app.setErrorHandler((error: Error, _request, reply) => reply.code(418).send({ own: error.message }))
    app.setNotFoundHandler((request, reply) => reply.code(404).send(`no ${request.url} here`))
  },
}

for (const [name, beside] of Object.entries(plugins)) {
  t.test(`Plinth beside ${name} changes nothing for other routes`, async t => {
    for (const server of [serverDefaults, {}]) {
      const alone = await answersOf(await hostOf(t, { beside, server }), asked)
      for (const order of ['before', 'after'] as const) {
        const app = await hostOf(t, { beside, server, plinth: order })
        t.same(await answersOf(app, asked), alone, `Plinth ${order} it changes nothing`)
        t.equal((await app.inject('/api/tags')).statusCode, 200, 'and answers')
      }
    }
  })
}

t.test('Plinth’s routes answer as on a server of its own', async t => {
  const usual = await plinthAnswers((await start(t)).app)
  for (const [name, beside] of Object.entries(plugins))
    for (const order of ['before', 'after'] as const)
      t.same(await plinthAnswers(await hostOf(t, { beside, plinth: order })), usual, `${order} ${name}`)
})

t.test('a preflight for a route of the host below the prefix', async t => {
  const app = await hostOf(t, { plinth: 'before' })
  for (const url of ['/api/own', '/api/own/fails', '/api/nothing'])
    t.notOk(
      'access-control-allow-origin' in (await app.inject(preflightOf(url))).headers,
      `${url}: Plinth allows nothing`,
    )
  const beside: Beside = async app => void (await app.register(cors, { origin: origins[0], methods: ['PUT'] }))
  const alone = await answersOf(await hostOf(t, { beside }), [preflightOf('/api/own')])
  for (const order of ['before', 'after'] as const)
    t.same(await answersOf(await hostOf(t, { beside, plinth: order }), [preflightOf('/api/own')]), alone, order)
})

t.test('cors: false leaves CORS of Plinth’s routes to the host', async t => {
  const beside: Beside = async app => void (await app.register(cors, { origin: origins[0], methods: ['PUT'] }))
  for (const order of ['before', 'after'] as const) {
    const app = await hostOf(t, { beside, plinth: order, config: { cors: false } })
    const read = await app.inject({ url: '/api/tags', headers: { origin: origins[1] } })
    t.equal(read.headers['access-control-allow-origin'], origins[0], order)
    const asks = await app.inject(preflightOf('/api/tags/1'))
    t.equal(asks.statusCode, 204)
    t.match(asks.headers, { 'access-control-allow-origin': origins[0], 'access-control-allow-methods': 'PUT' })
  }
})

t.test('hooks of the host apply to all routes', async t => {
  const beside: Beside = app =>
    void app.addHook('onRequest', async (_request, reply) => void reply.header('x-host', '1'))
  for (const order of ['before', 'after'] as const) {
    const app = await hostOf(t, { beside, plinth: order })
    for (const url of ['/first', '/api/tags', '/api/nothing'])
      t.equal((await app.inject(url)).headers['x-host'], '1', url)
  }
})

t.test('Vary keeps the value of the host', async t => {
  for (const [said, sent] of [
    ['Accept', 'Accept, Origin'],
    ['accept,ORIGIN', 'accept,ORIGIN'],
    ['*', '*'],
  ] as const) {
    const beside: Beside = app =>
      void app.addHook('onRequest', async (_request, reply) => void reply.header('vary', said))
    const app = await hostOf(t, { beside, plinth: 'after' })
    t.equal((await app.inject('/api/tags')).headers.vary, sent)
  }
})

t.test('Plinth in a scope with a prefix', async t => {
  const app = Fastify()
  t.teardown(() => app.close())
  app.setNotFoundHandler((_request, reply) => reply.code(404).send('the host’s'))
  app.register(async child => void (await child.register(plinth, optionsOf())), { prefix: '/cms' })
  await app.ready()
  t.equal((await app.inject('/cms/api/tags')).statusCode, 200)
  t.match((await app.inject('/cms/api/nothing')).json(), { error: { name: 'NotFoundError' } })
  t.equal((await app.inject({ method: 'POST', url: '/cms/api/tags/1' })).headers.allow, 'HEAD, GET, PUT, DELETE')
  t.equal((await app.inject(preflightOf('/cms/api/tags/1'))).headers['access-control-allow-origin'], origins[1])
  for (const url of ['/cms', '/cms/nothing', '/api/tags']) t.equal((await app.inject(url)).payload, 'the host’s', url)
  t.notOk('kernel' in app, 'the kernel is the scope’s')
})

t.test('without a prefix, the host answers unknown paths', async t => {
  const beside: Beside = app => void app.setNotFoundHandler((_request, reply) => reply.code(404).send('the host’s'))
  const app = await hostOf(t, { beside, plinth: 'before', config: { prefix: '/' } })
  t.equal((await app.inject('/tags')).statusCode, 200)
  for (const url of ['/nothing', '/tags/1/2']) t.equal((await app.inject(url)).payload, 'the host’s', url)
})

t.test('wholeServer: routes of the host are handled like Plinth’s', async t => {
  const app = await hostOf(t, { plinth: 'before', health: false, more: { wholeServer: true } })
  const answer = await app.inject({
    method: 'POST',
    url: '/last',
    payload: 'x',
    headers: { 'content-type': 'text/plain' },
  })
  t.equal(answer.json().type, 'undefined')
  t.equal(answer.headers['x-powered-by'], 'Plinth')
  t.match((await app.inject('/nothing')).json(), { data: null, error: { name: 'NotFoundError' } })
  t.equal((await app.inject({ method: 'POST', url: '/nothing' })).statusCode, 405)
  t.equal((await app.inject('/%ff')).headers['x-powered-by'], 'Plinth')
})

t.test('a failed start rejects app.ready()', async t => {
  const app = Fastify()
  t.teardown(() => app.close())
  app.register(plinth, optionsOf({ maxLimt: 1 }))
  await t.rejects(async () => void (await app.ready()), {
    constructor: PluginConfigError,
    message: /rest\.config\.maxLimt: is not known/,
  })
})

t.test('the host is decorated with the kernel and closes it', async t => {
  const app = await hostOf(t, { plinth: 'after' })
  t.equal(await app.kernel.query('api::tag.tag').count(), 0)
  await app.close()
  await t.rejects(app.kernel.query('api::tag.tag').count())
})
