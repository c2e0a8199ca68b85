// Routes that name their action: policies before the handler, and credentials that are not read (B-6.11, B-10.61).

import { type Access, CredentialsError, definePlugin, type Kernel, type PluginHost, PolicyError } from '@plinth/kernel'
import Fastify, { type FastifyRequest } from 'fastify'
import t, { type Test } from 'tap'
import { contextOf, plinth } from '../src/index.ts'
import { memory, open, type } from './fixtures/open.ts'

const show = 'plugin::desk.letters.show'
const send = 'plugin::desk.letters.send'

const reader: Access = { key: 'reader', user: { name: 'ada' }, can: scope => scope === show || scope === send }

interface Options {
  readonly configure?: (kernel: Kernel) => void
  /** Whether the routes are added in `register`, before actions are known. */
  readonly isEarly?: boolean
  readonly action?: string
}

/** A plugin with routes for two actions, and what their handlers saw. */
function desk({ isEarly = false, action = show }: Options) {
  const seen: unknown[] = []
  const mount = (app: PluginHost, kernel: Kernel) => {
    const handle = (name: string) => async (request: FastifyRequest) => {
      const context = await contextOf(request)
      kernel.authorize(name, context)
      const { note = null } = request as { readonly note?: string }
      seen.push({ user: context.access.user, state: { ...context.state }, body: request.body ?? null, note })
      return { user: context.access.user }
    }
    app.get('/letters/:id', { config: { action } }, handle(action))
    app.post('/letters', { config: { action: send } }, handle(send))
  }
  const plugin = definePlugin({
    name: 'desk',
    register({ kernel, app }) {
      kernel.actions.add(show)
      kernel.actions.add(send)
      kernel.auth.use({
        name: 'token',
        authenticate({ headers }) {
          if (headers.authorization === undefined) return { key: 'nobody', user: null, can: () => false }
          if (headers.authorization === 'reader') return reader
          throw new CredentialsError()
        },
      })
      if (isEarly) mount(app!, kernel)
      else kernel.hooks.on('onMount', child => mount(child, kernel))
    },
  })
  return { plugin, seen }
}

async function start(t: Test, options: Options = {}) {
  const { plugin, seen } = desk(options)
  const app = await open(t, {
    contentTypes: [type('tag', { label: { type: 'string' } })],
    plugins: { desk: { plugin } },
    ...(options.configure !== undefined && { configure: options.configure }),
  })
  const ask = async (url: string, authorization?: string, more: object = {}) => {
    const headers = authorization === undefined ? {} : { authorization }
    const { statusCode, body } = await app.inject({ url, headers, ...more })
    return [statusCode, body === '' ? null : JSON.parse(body)]
  }
  return { app, ask, seen }
}

for (const isEarly of [false, true]) {
  t.test(isEarly ? 'routes that are added in `register`' : 'routes that are added in `onMount`', async t => {
    t.test('the right is checked, then policies run, then the handler', async t => {
      const order: unknown[] = []
      const { ask, seen } = await start(t, {
        isEarly,
        configure: ({ actions }) =>
          actions.set(show, { policies: [({ params, state }) => void order.push([params.id, state.user])] }),
      })
      t.match(await ask('/letters/7'), [403, { code: 'ForbiddenError' }])
      t.match(await ask('/letters/7', 'wrong'), [401])
      t.same([order, seen], [[], []], 'policies do not run without the right')
      t.same(await ask('/letters/7', 'reader'), [200, { user: { name: 'ada' } }])
      t.same(order, [['7', { name: 'ada' }]])
      t.match(seen, [{ state: { user: { name: 'ada' } } }], 'hooks and handlers see the changes of the state')
    })

    t.test('a policy that does not pass is a 403, and the handler does not run', async t => {
      const { ask, seen } = await start(t, {
        isEarly,
        configure: ({ actions }) => actions.set(show, { policies: [() => false] }),
      })
      t.match(await ask('/letters/7', 'reader'), [403, { code: 'PolicyError', message: 'Policy Failed' }])
      t.same(seen, [])
    })

    t.test('an action that everybody may do', async t => {
      const { ask, seen } = await start(t, { isEarly, configure: ({ actions }) => actions.set(show, { auth: false }) })
      for (const authorization of [undefined, 'wrong', 'reader'])
        t.same(await ask('/letters/7', authorization), [200, { user: null }], String(authorization))
      t.match(seen[2], { user: null, state: {} })
      t.match(await ask('/letters', 'wrong', { method: 'POST', payload: {} }), [401], 'other actions are as before')
    })
  })
}

t.test('policies of an open action run without a user', async t => {
  const { ask } = await start(t, {
    configure: ({ actions }) => actions.set(show, { auth: false, policies: [({ state }) => Boolean(state.user)] }),
  })
  t.match(await ask('/letters/7', 'reader'), [403])
})

t.test('HEAD passes the same policies, once', async t => {
  let count = 0
  const { ask } = await start(t, { configure: ({ actions }) => actions.set(show, { policies: [() => void count++] }) })
  t.match(await ask('/letters/7', 'reader', { method: 'HEAD' }), [200])
  t.equal(count, 1)
  await ask('/letters/7', 'reader')
  t.equal(count, 2)
})

t.test('what a policy sees of a request', async t => {
  let seen: unknown
  const { ask, seen: handled } = await start(t, {
    configure: ({ actions }) =>
      actions.set(send, {
        policies: [
          ({ type, is, action, request, caller }) => {
            const { query, method } = request
            const header = request.header['x-word']
            seen = { type, is: [is('koa'), is('graphql')], action, query, method, header, key: caller.access.key }
            const body = request.body as Record<string, unknown>
            request.body = { ...body, isSeen: true }
            Object.assign(request, { note: 'n' })
          },
        ],
      }),
  })
  const more = { method: 'POST', payload: { a: 1 }, headers: { authorization: 'reader', 'x-word': 'w' } }
  t.match(await ask('/letters?filters[a]=1', 'reader', more), [200])
  const query = { filters: { a: '1' } }
  t.match(seen, { type: 'koa', is: [true, false], action: send, query, method: 'POST', key: 'reader' })
  t.match(handled, [{ body: { a: 1, isSeen: true }, note: 'n' }], 'what a policy sets reaches the handler')
  t.equal((seen as { header: unknown }).header, 'w')
})

t.test('a change of the query string, which would have no effect, is an error', async t => {
  for (const change of [
    (request: FastifyRequest) => void Object.assign(request.query as object, { owner: 1 }),
    (request: FastifyRequest) => void Object.assign(request, { query: {} }),
  ]) {
    const { ask, seen } = await start(t, {
      configure: ({ actions }) => actions.set(show, { policies: [({ request }) => change(request)] }),
    })
    t.match(await ask('/letters/7?a=1', 'reader'), [500])
    t.same(seen, [])
  }
})

t.test('errors of policies keep their status', async t => {
  const refuse = () => {
    throw new PolicyError('Not on Sundays')
  }
  const { ask } = await start(t, { configure: ({ actions }) => actions.set(show, { policies: [refuse] }) })
  t.match(await ask('/letters/7', 'reader'), [403])
})

t.test('a route with an unknown action stops the start', async t => {
  for (const isEarly of [false, true])
    await t.rejects(start(t, { isEarly, action: 'plugin::desk.letters.shw' }), {
      code: 'PLINTH_ACTION_UNKNOWN',
      message: /Unknown action "plugin::desk.letters.shw", did you mean "plugin::desk.letters.show"\?/,
    })
})

t.test('routes without policies get no function', async t => {
  const routes: [string, unknown][] = []
  const watcher = definePlugin({
    name: 'watcher',
    register: ({ app }) => void app?.addHook('onRoute', ({ url, preHandler }) => void routes.push([url, preHandler])),
  })
  const app = await open(t, {
    plugins: { watcher: { plugin: watcher }, desk: { plugin: desk({}).plugin } },
    configure: ({ actions }) => actions.set(send, { policies: [() => true] }),
  })
  t.ok(app.hasRoute({ method: 'GET', url: '/letters/:id' }))
  const byUrl = Object.fromEntries(routes)
  t.equal(byUrl['/letters/:id'], undefined)
  t.match(byUrl['/letters'], [Function])
})

t.test('on a server with other routes, and for paths without a route', async t => {
  const { plugin, seen } = desk({})
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(plinth, {
    database: memory,
    plugins: { desk: { plugin } },
    prefix: '/cms',
    configure({ actions }) {
      actions.set(show, { auth: false, policies: [({ params }) => params.id === '7'] })
    },
  })
  app.get('/other', { config: { action: 'not.an.action' } }, async () => 'other')
  app.setNotFoundHandler(async (request, reply) => {
    const { access } = await contextOf(request)
    return reply.code(404).send({ key: access.key })
  })
  const ask = async (url: string) => {
    const { statusCode, body } = await app.inject({ url, headers: { authorization: 'reader' } })
    return [statusCode, body]
  }
  t.match(await ask('/cms/letters/7'), [200, '{"user":null}'])
  t.match(await ask('/cms/letters/8'), [403])
  t.same(await ask('/other'), [200, 'other'], 'routes outside of the scope are their own')
  t.same(await ask('/none'), [404, '{"key":"reader"}'], 'a path without a route has no action')
  t.equal(seen.length, 1)
})
