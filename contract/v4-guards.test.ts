/** What a server answers in the folder of a v4 project: guarded actions are shut, and what routers say is obeyed. */

import graphql from '@plinth/graphql'
import i18n from '@plinth/i18n'
import type { PluginsConfig } from '@plinth/kernel'
import rest from '@plinth/rest'
import { createServer } from '@plinth/server'
import { freshDatabase, testClient } from '@plinth/test-tools/databases'
import { generated, type Texts, written } from '@plinth/test-tools/v4-projects'
import users from '@plinth/users-permissions'
import v4 from '@plinth/v4'
import type { FastifyInstance, InjectOptions } from 'fastify'
import t, { type Test } from 'tap'

const relation = { type: 'relation', relation: 'manyToOne', target: 'api::note.note' }
const note = { attributes: { title: { type: 'string' }, secret: { type: 'string' } } }
const types: Texts = {
  ...generated('note', note),
  ...generated('page', { attributes: { title: { type: 'string' }, note: relation } }),
}

const rights = ['find', 'findOne', 'create', 'update', 'delete'].flatMap(one => [
  `api::note.note.${one}`,
  `api::page.page.${one}`,
])

interface Options {
  readonly config?: object
  readonly plugins?: PluginsConfig
  /** Rights of everybody. */
  readonly open?: readonly string[]
}

/** A server in the folder of a project, with a user, and what it has logged. */
async function serve(t: Test, files: Texts, { config, plugins, open = [] }: Options = {}) {
  const dir = await written(t, { ...types, ...files })
  const database = await freshDatabase(testClient())
  const lines: string[] = []
  const write = (line: string) => void lines.push((JSON.parse(line) as { readonly msg: string }).msg)
  const permissions = { authenticated: rights, public: open }
  const app: FastifyInstance = await createServer({
    dir,
    database: database.config,
    logger: { level: 'info', stream: { write } },
    plugins: {
      rest: { plugin: rest },
      graphql: { plugin: graphql },
      'users-permissions': { plugin: users, config: { jwtSecret: 'a secret of 32 characters or more', permissions } },
      v4: { plugin: v4, config: config as Record<string, unknown> },
      ...plugins,
    },
  }).catch(async error => {
    await database.drop()
    throw error
  })
  t.teardown(async () => {
    await app.close()
    await database.drop()
  })
  const account = { username: 'ann', email: 'ann@example.com', password: 'secret of ann' }
  const registered = await app.inject({ method: 'POST', url: '/api/auth/local/register', payload: account })
  const { jwt } = registered.json() as { readonly jwt?: string }
  const headers: Readonly<Record<string, string>> = jwt === undefined ? {} : { authorization: `Bearer ${jwt}` }
  const send = async (method: InjectOptions['method'], url: string, payload?: object) =>
    (await app.inject({ method: method!, url, headers, ...(payload && { payload: { data: payload } }) })).statusCode
  const ask = async (query: string, by: object = headers) => {
    const answer = await app.inject({ method: 'POST', url: '/graphql', headers: by as never, payload: { query } })
    const { errors = [] } = answer.json() as { readonly errors?: readonly { readonly message: string }[] }
    return errors[0]?.message ?? 'answered'
  }
  return { app, send, ask, headers, lines, ofLog: (word: string) => lines.filter(line => line.includes(word)) }
}

/** The project of the proof: `update` has a policy, `create` is left out, `find` is replaced. */
const proof: Texts = {
  'src/api/note/routes/note.js': `const { createCoreRouter } = require('@strapi/strapi').factories;
module.exports = createCoreRouter('api::note.note', { except: ['create'], config: { update: { policies: ['is-owner'] } } });`,
  'src/api/note/policies/is-owner.js': 'module.exports = () => false;',
  'src/api/note/controllers/note.js': `const { createCoreController } = require('@strapi/strapi').factories;
module.exports = createCoreController('api::note.note', ({ strapi }) => ({
  async find(ctx) {
    ctx.query.filters = { owner: ctx.state.user.id };
    return super.find(ctx);
  },
}));`,
}

const fields = {
  find: '{ notes { data { id } } }',
  findOne: '{ note(id: 1) { data { id } } }',
  create: 'mutation { createNote(data: { title: "a" }) { data { id } } }',
  update: 'mutation { updateNote(id: 1, data: { title: "a" }) { data { id } } }',
  delete: 'mutation { deleteNote(id: 1) { data { id } } }',
}

t.test('the guards of a project are kept in REST and GraphQL', async t => {
  const { app, send, ask, ofLog } = await serve(t, proof)
  await app.kernel.query('api::note.note').create({ data: { title: 'of bob' } })
  await app.kernel.query('api::page.page').create({ data: { title: 'of all', note: 1 } })
  t.equal(await send('GET', '/api/notes'), 403, 'find is replaced')
  t.equal(await send('PUT', '/api/notes/1', { title: 'mine' }), 403, 'update has a policy')
  t.equal(await send('POST', '/api/notes', { title: 'new' }), 405, 'create is left out')
  t.equal(await send('GET', '/api/notes/1'), 200, 'findOne goes by the rights of roles')
  t.equal(await ask(fields.find), 'Forbidden access')
  t.equal(await ask(fields.update), 'Forbidden access')
  t.equal(await ask(fields.create), 'answered', 'v4 serves in GraphQL what routers leave out')
  t.equal(await ask(fields.findOne), 'answered')

  const populated = await app.inject({ url: '/api/pages?populate=note' })
  t.equal(populated.statusCode, 403, 'without rights, nothing is read')
  t.equal(await send('GET', '/api/pages?populate=note&filters[note][title]=of bob'), 200)
  t.equal(await ask('{ pages { data { attributes { note { data { id } } } } } }'), 'answered')

  const [find = '', ...others] = ofLog('api::note.note.find ')
  t.same(others, [], 'one line')
  t.match(find, /REST and in GraphQL, .*src\/api\/note\/controllers\/note\.js:3: the controller replaces find/)
  t.match(
    find,
    /kernel\.actions\.set in src\/index.*'api::note\.note\.find' to v4\.config\.unguarded in config\/plugins/,
  )
  t.match(ofLog('api::note.note.update ')[0], 'routes/note.js:2: the policy is-owner is not run')
})

t.test('one name opens an action everywhere', async t => {
  const { send, ask, ofLog } = await serve(t, proof, { config: { unguarded: ['api::note.note.find'] } })
  t.equal(await send('GET', '/api/notes'), 200)
  t.equal(await ask(fields.find), 'answered')
  t.equal(await send('PUT', '/api/notes/1', { title: 'mine' }), 403, 'others stay shut')
  t.same(ofLog('api::note.note.find '), [])
})

t.test('names that open nothing are refused', async t => {
  await t.rejects(serve(t, proof, { config: { unguarded: ['api::note.note.fnd'] } }), {
    message: /unguarded: nothing is shut by the name "api::note\.note\.fnd", did you mean "api::note\.note\.find"\?/,
  })
  const { ofLog } = await serve(t, proof, { config: { unguarded: ['api::note.note.delete'] } })
  t.equal(ofLog('v4.config.unguarded: "api::note.note.delete" is not shut').length, 1)
})

t.test('the settings of an application that has no code of v4 any more', async t => {
  const config = {
    shut: { 'api::note.note.update': 'src/api/note/routes/note.js: the policy is-owner is not run' },
    shutInGraphql: { 'api::note.note.find': 'src/index.js: it calls shadowCRUD(…).disableQueries' },
    routers: { 'api::note.note': { routes: { find: ['GET /shop/notes'], update: ['PUT /shop/notes/:id'] } } },
  }
  const { send, ask, ofLog } = await serve(t, {}, { config })
  t.equal(await send('PUT', '/api/shop/notes/1', { title: 'a' }), 403)
  t.equal(await send('GET', '/api/shop/notes'), 200)
  t.equal(await send('GET', '/api/notes'), 404)
  t.equal(await ask(fields.update), 'Forbidden access')
  t.equal(await ask(fields.find), 'Forbidden access')
  t.match(ofLog('api::note.note.find ')[0], 'answers 403 in GraphQL: src/index.js')
  await t.rejects(
    serve(t, {}, { config: { shut: { 'api::note.note.updat': 'x' } } }),
    /did you mean "api::note\.note\.update"/,
  )
})

t.test('code of the application does not open what is shut', async t => {
  const opened = {
    'src/index.mjs': `export default { register({ kernel }) {
  kernel.actions.set('api::note.note.update', { auth: false, policies: [] });
} };`,
  }
  const { send } = await serve(t, { ...proof, ...opened })
  t.equal(await send('PUT', '/api/notes/1', { title: 'mine' }), 403)
})

t.test('auth of routers', async t => {
  const { app, send, ask } = await serve(
    t,
    {
      'src/api/note/routes/note.js': `module.exports = require('@strapi/strapi').factories.createCoreRouter('api::note.note', { config: {
  find: { auth: false },
  findOne: { auth: { scope: ['api::page.page.create'] } },
  create: { policies: ['plugin::users-permissions.isAuthenticated'] },
} });`,
    },
    { open: ['api::note.note.create', 'api::page.page.create'] },
  )
  const status = async (method: 'GET' | 'POST', url: string, data?: object) =>
    (await app.inject({ method, url, ...(data && { payload: { data } }) })).statusCode
  t.equal(await status('POST', '/api/notes', { title: 'a' }), 403, 'a policy that asks for a user')
  t.equal(await send('POST', '/api/notes', { title: 'a' }), 200)
  t.equal(await status('GET', '/api/notes'), 200, 'nobody needs a right')
  t.equal(await status('GET', '/api/notes/1'), 200, 'the right to the actions of scope')
  t.equal(await ask(fields.find, {}), 'Forbidden access', 'GraphQL needs the right to the action')
  t.equal(await ask(fields.find), 'answered')
})

t.test('routes in JSON, with methods and paths of their own', async t => {
  const { send } = await serve(t, {
    'src/api/note/routes/note.js': 'module.exports = { routes: [] };',
    'src/api/note/routes/note.json': JSON.stringify({
      routes: [
        { method: 'GET', path: '/all-notes', handler: 'note.find' },
        { method: 'POST', path: '/all-notes', handler: 'note.create' },
        { method: 'PATCH', path: '/all-notes/:id([0-9]+)', handler: 'api::note.note.update' },
      ],
    }),
  })
  t.equal(await send('POST', '/api/all-notes', { title: 'a' }), 200)
  t.equal(await send('PATCH', '/api/all-notes/1', { title: 'b' }), 200)
  t.equal(await send('GET', '/api/all-notes'), 200)
  t.equal(await send('GET', '/api/notes'), 404)
  t.equal(await send('DELETE', '/api/all-notes/1'), 405)
})

t.test('extensions of users-permissions', async t => {
  const { app, send, headers, ask, ofLog } = await serve(t, {
    'src/extensions/users-permissions/strapi-server.js': `module.exports = (plugin) => {
  plugin.controllers.user.me = async (ctx) => { ctx.body = {}; };
  const { callback } = plugin.controllers.auth;
  plugin.controllers.auth.callback = async (ctx) => { await callback(ctx); };
  return plugin;
};`,
  })
  t.equal(await send('GET', '/api/users/me'), 403)
  const login = await app.inject({
    method: 'POST',
    url: '/api/auth/local',
    payload: { identifier: 'ann', password: 'secret of ann' },
  })
  t.equal(login.statusCode, 403)
  t.match(
    await ask('mutation { login(input: { identifier: "ann", password: "secret of ann" }) { jwt } }', {}),
    'Forbidden',
  )
  t.match(await ask('{ me { username } }', headers), 'Forbidden')
  t.equal(ofLog('plugin::users-permissions.user.me ').length, 1)
})

t.test('a global middleware shuts all, and is opened by its name', async t => {
  const files = {
    'config/middlewares.js': "module.exports = ['strapi::errors', 'global::office'];",
    'src/middlewares/office.js':
      "module.exports = () => async (ctx, next) => { if (ctx.ip !== '::1') return ctx.forbidden(); await next(); };",
  }
  const { send, ask } = await serve(t, files)
  t.equal(await send('GET', '/api/notes'), 403)
  t.equal(await ask(fields.find), 'Forbidden access')
  const opened = await serve(t, files, { config: { unguarded: ['global::office'] } })
  t.equal(await opened.send('GET', '/api/notes'), 200)
})

t.test('a global middleware stands before translations and lists of locales too', async t => {
  const localized = { ...note, pluginOptions: { i18n: { localized: true } } }
  const files = {
    ...generated('note', localized),
    'config/middlewares.js': "module.exports = ['global::office'];",
    'src/middlewares/office.js': 'module.exports = () => ctx => ctx.forbidden();',
  }
  const plugins = { i18n: { plugin: i18n } }
  const open = ['api::note.note.createLocalization', 'plugin::i18n.locales.listLocales']
  const translate = async (config?: object) => {
    const { app } = await serve(t, files, { plugins, open, config })
    await app.kernel.query('api::note.note').create({ data: { title: 'a' } })
    const payload = { locale: 'fr', title: 'b' }
    const answer = await app.inject({ method: 'POST', url: '/api/notes/1/localizations', payload })
    return [answer.statusCode, (await app.inject('/api/i18n/locales')).statusCode]
  }
  t.same(await translate(), [403, 403])
  const [opened, listed] = await translate({ unguarded: ['global::office'] })
  t.not(opened, 403)
  t.equal(listed, 200)
})

t.test('fields of plugins that GraphQL alone guards', async t => {
  const { app, send, ask } = await serve(t, {
    'src/api/note/index.js': `module.exports = { register(context) {
  context.strapi.plugin('graphql').service('extension').use({ resolversConfig: { 'Mutation.login': { policies: ['captcha'] } } });
} };`,
  })
  const login = 'mutation { login(input: { identifier: "ann", password: "secret of ann" }) { jwt } }'
  t.equal(await ask(login, {}), 'Forbidden access')
  const account = { identifier: 'ann', password: 'secret of ann' }
  const logged = await app.inject({ method: 'POST', url: '/api/auth/local', payload: account })
  t.equal(logged.statusCode, 200, 'v4 does not guard REST by it')
  t.equal(await send('GET', '/api/notes'), 200)
})

t.test('a single type, and code that cannot be read', async t => {
  const { send } = await serve(t, {
    ...generated('home', { kind: 'singleType' }),
    'src/api/home/routes/home.js': "module.exports = load('home');",
  })
  t.equal(await send('GET', '/api/home'), 403)
  t.equal(await send('PUT', '/api/home', { title: 'a' }), 403)
  t.equal(await send('GET', '/api/notes'), 200)
})

t.test('plain factories guard nothing', async t => {
  const { send, ofLog } = await serve(t, {})
  t.equal(await send('POST', '/api/notes', { title: 'a' }), 200)
  t.equal(await send('DELETE', '/api/notes/1'), 200)
  t.same(ofLog('answers 403'), [])
})

t.test('a project whose settings do not name the plugin', async t => {
  const dir = await written(t, { ...types, ...proof })
  const start = (plugins: PluginsConfig) =>
    createServer({ dir, database: { client: 'sqlite', connection: { filename: ':memory:' } }, plugins, logger: false })
  const app = await start({ rest: { plugin: rest } })
  t.teardown(() => app.close())
  t.equal((await app.inject('/api/notes')).statusCode, 403)
  t.equal((await app.inject({ method: 'POST', url: '/api/notes', payload: { data: {} } })).statusCode, 405)
  const off = await start({ rest: { plugin: rest }, v4: false })
  t.teardown(() => off.close())
  t.equal((await off.inject('/api/notes')).statusCode, 200, 'switched off by the owner')
})

t.test('a project of users alone, whose only code stands before all requests', async t => {
  const dir = await written(t, {
    'config/env/production/middlewares.js': "module.exports = ['global::office'];",
    'src/middlewares/office.js': 'module.exports = () => ctx => ctx.forbidden();',
  })
  const database = { client: 'sqlite' as const, connection: { filename: ':memory:' } }
  const plugins: PluginsConfig = {
    rest: { plugin: rest },
    'users-permissions': { plugin: users, config: { jwtSecret: 'a secret of 32 characters or more' } },
  }
  const app = await createServer({ dir, database, plugins, logger: false })
  t.teardown(() => app.close())
  const account = { username: 'ann', email: 'ann@example.com', password: 'secret of ann' }
  t.equal((await app.inject({ method: 'POST', url: '/api/auth/local/register', payload: account })).statusCode, 403)
})
