// contextOf: each request is authenticated once.

import { type Access, CredentialsError, definePlugin, UnavailableError, type UsageError } from '@plinth/kernel'
import Fastify from 'fastify'
import t from 'tap'
import { contextOf, plinth } from '../src/index.ts'
import { memory, open, type } from './fixtures/open.ts'

t.test('a request is authenticated once', async t => {
  let asked = 0
  const guard = definePlugin({
    name: 'guard',
    register: ({ kernel, app }) => {
      kernel.auth.use({
        name: 'guard',
        authenticate: async ({ headers }): Promise<Access> => {
          asked++
          if (headers.authorization === 'wrong') throw new CredentialsError()
          return { key: 'guarded', user: headers.authorization ?? null, can: () => true }
        },
      })
      app?.addHook('preHandler', async request => {
        const context = await contextOf(request)
        context.state.guard = 'seen'
      })
      kernel.hooks.on('onMount', child => {
        child.get('/own', async request => {
          const limits = { maxEntries: 1, maxBytes: 2 }
          const [one, other, limited] = await Promise.all([
            contextOf(request),
            contextOf(request),
            contextOf(request, limits),
          ])
          return {
            isShared: one === other,
            user: one.access.user,
            state: limited.state,
            limits: [one.limits ?? null, limited.limits],
            isSameAccess: one.access === limited.access,
            isRequest: one.request === request,
            count: await kernel.query('api::tag.tag', one).count(),
          }
        })
      })
    },
  })
  const app = await open(t, {
    contentTypes: [type('tag', { label: { type: 'string' } })],
    plugins: { guard: { plugin: guard } },
  })
  for (const authorization of ['ada', 'ben']) {
    asked = 0
    const limits = [null, { maxEntries: 1, maxBytes: 2 }]
    const shared = { isShared: true, isSameAccess: true, isRequest: true, state: { guard: 'seen' }, limits }
    const answer = await app.inject({ url: '/own', headers: { authorization } })
    t.strictSame(answer.json(), { ...shared, user: authorization, count: 0 })
    t.equal(asked, 1)
  }
  t.equal((await app.inject({ url: '/own', headers: { authorization: 'wrong' } })).statusCode, 401)
})

t.test('contextOf in a route without a kernel is an error', async t => {
  const app = Fastify()
  t.teardown(() => app.close())
  app.get('/', request => contextOf(request).catch((error: UsageError) => ({ code: error.code })))
  t.same((await app.inject('/')).json(), { code: 'PLINTH_NO_KERNEL' })
})

t.test('contextOf in a route of the host', async t => {
  const app = Fastify()
  t.teardown(() => app.close())
  app.register(plinth, { database: memory })
  app.get('/', async request => ({ key: (await contextOf(request)).access.key }))
  t.same((await app.inject('/')).json(), { key: 'open' })
})

t.test('errors in routes without a transport have their status', async t => {
  const faulty = definePlugin({
    name: 'faulty',
    register: ({ kernel }) =>
      kernel.hooks.on('onMount', app => {
        app.get('/busy', async () => {
          throw new UnavailableError(undefined, { retryAfter: 7 })
        })
        app.get('/wrong', async () => {
          throw new CredentialsError()
        })
      }),
  })
  const options = { database: memory, plugins: { faulty: { plugin: faulty } } }
  const host = Fastify()
  t.teardown(() => host.close())
  host.register(plinth, options)
  host.get('/host', async () => {
    throw new UnavailableError()
  })
  for (const app of [host, await open(t, options)]) {
    const busy = await app.inject('/busy')
    t.equal(busy.statusCode, 503)
    t.equal(busy.headers['retry-after'], '7')
    t.match(busy.json(), { code: 'ServiceUnavailableError' })
    const wrong = await app.inject('/wrong')
    t.match([wrong.statusCode, wrong.json()], [401, { code: 'UnauthorizedError' }])
    t.notOk('retry-after' in wrong.headers)
  }
  t.notOk('retry-after' in (await host.inject('/host')).headers, 'routes of the host are as they were')
})
