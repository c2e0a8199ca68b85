/** The plugin on a kernel without a server: policies of actions, routes for REST, and what it logs. */

import {
  type ContentType,
  createContext,
  createKernel,
  ForbiddenError,
  type Kernel,
  openAccess,
  type PolicyContext,
} from '@plinth/kernel'
import { generated, type Texts, written } from '@plinth/test-tools/v4-projects'
import t, { type Test } from 'tap'
import v4 from '../src/index.ts'

interface Options {
  readonly config?: Readonly<Record<string, unknown>>
  readonly lines?: string[]
}

async function kernelOf(t: Test, files: Texts, { config = {}, lines = [] }: Options = {}): Promise<Kernel> {
  const kernel = await createKernel({
    dir: await written(t, { ...generated('note'), ...files }),
    database: { client: 'sqlite', connection: { filename: ':memory:' } },
    logger: { info: () => {}, warn: text => void lines.push(text), error: () => {} },
    plugins: { v4: { plugin: v4, config } },
  })
  t.teardown(() => kernel.close())
  return kernel
}

/** What the policies of an action say of a caller. */
async function answerOf(
  kernel: Kernel,
  action: string,
  type: 'koa' | 'graphql',
  user: unknown = null,
): Promise<string> {
  const run = kernel.policies.of(`api::note.note.${action}`)
  if (run === null) return 'no policy'
  const access = { ...openAccess, user, can: (scope: string) => user !== null && scope.endsWith('.find') }
  const context = { type, is: () => true, action, caller: createContext(access), state: {} }
  return run(context as unknown as PolicyContext).then(
    () => 'passes',
    error => (error instanceof ForbiddenError ? 'refused' : String(error)),
  )
}

const router = (options: string): Texts => ({
  'src/api/note/routes/note.js': `module.exports = require('@strapi/strapi').factories.createCoreRouter('api::note.note', ${options});`,
})

const placesOf = (kernel: Kernel): readonly string[] | undefined => {
  const routesOf = kernel.services.find('rest', 'routes') as
    | ((
        type: ContentType,
      ) => readonly { readonly operation: string; readonly method: string; readonly path: string }[] | null)
    | undefined
  const type = kernel.contentTypes.require('api::note.note' as never)
  return routesOf?.(type)?.map(({ operation, method, path }) => `${operation} ${method} ${path}`)
}

t.test('what is guarded is refused, in GraphQL alone if only that is shut', async t => {
  const kernel = await kernelOf(t, {
    ...router("{ config: { update: { policies: ['global::a'] } } }"),
    'src/index.mjs': 'export default {}',
    'src/graphql.js':
      "module.exports = ({ strapi }) => strapi.plugin('graphql').service('extension').shadowCRUD('api::note.note').disableAction('delete');",
  })
  t.equal(await answerOf(kernel, 'update', 'koa'), 'refused')
  t.equal(await answerOf(kernel, 'update', 'graphql'), 'refused')
  t.equal(await answerOf(kernel, 'delete', 'koa'), 'passes')
  t.equal(await answerOf(kernel, 'delete', 'graphql'), 'refused')
  t.equal(await answerOf(kernel, 'find', 'koa'), 'no policy')
})

t.test('auth of routes does not concern GraphQL', async t => {
  const kernel = await kernelOf(
    t,
    router(
      "{ config: { find: { auth: false }, create: { policies: ['plugin::users-permissions.isAuthenticated'] } } }",
    ),
  )
  t.ok(kernel.actions.isOpen('api::note.note.find'))
  t.equal(await answerOf(kernel, 'find', 'koa'), 'passes')
  t.equal(await answerOf(kernel, 'find', 'graphql'), 'refused')
  t.equal(await answerOf(kernel, 'find', 'graphql', { id: 1 }), 'passes')
  t.equal(await answerOf(kernel, 'create', 'koa'), 'refused')
  t.equal(await answerOf(kernel, 'create', 'koa', { id: 1 }), 'passes')
})

t.test('a scope of an action that does not exist shuts what needs it', async t => {
  const kernel = await kernelOf(t, router("{ config: { find: { auth: { scope: ['api::note.note.mine'] } } } }"))
  t.equal(await answerOf(kernel, 'find', 'koa'), 'refused')
})

t.test('routes as Fastify writes them', async t => {
  const lines: string[] = []
  const routes = [
    { method: 'ALL', path: '/all', handler: 'note.find' },
    { method: 'GET', path: '/all', handler: 'note.find' },
    { method: 'get', path: '/n/:id([0-9]+)', handler: 'note.findOne' },
    { method: 'GET', path: '/by/:slug', handler: 'note.findOne' },
    { method: 'PUT', path: '/n/:id/(a|b)', handler: 'note.update' },
  ]
  const kernel = await kernelOf(
    t,
    { 'src/api/note/routes/note.js': `module.exports = ${JSON.stringify({ routes })};` },
    { lines },
  )
  t.same(placesOf(kernel), [
    ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map(method => `find ${method} /all`),
    'findOne GET /n/:id(^[0-9]+$)',
  ])
  t.match(lines.join('\n'), 'api::note.note.findOne: the route GET /by/:slug is not served')
  t.match(lines.join('\n'), 'api::note.note.update: the route PUT /n/:id/(a|b) is not served')
})

t.test('settings that are wrong', async t => {
  for (const [config, message] of [
    [{ unguarded: ['api::note.note.fin'] }, /unguarded: nothing is shut by the name "api::note\.note\.fin"$/],
    [{ shut: { 'api::note.note.fin': 'x' } }, /shut: there is no action "api::note\.note\.fin", did you mean/],
    [
      { routers: { 'api::note.not': { auth: { find: false } } } },
      /action api::note\.not\.find: does not exist, did you mean/,
    ],
    [{ routers: { 'api::note.note': { routes: { fnd: [] } } } }, /fnd/],
  ] as const)
    await t.rejects(kernelOf(t, {}, { config }), message)
})

t.test('a name that is not needed any more', async t => {
  const lines: string[] = []
  await kernelOf(t, {}, { config: { unguarded: ['api::note.note.find'] }, lines })
  t.match(
    lines.join('\n'),
    'config/plugins: v4.config.unguarded: "api::note.note.find" is not shut, so its name can be removed',
  )
})
