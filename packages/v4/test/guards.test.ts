/** What is read of routers, controllers, extensions and the start of a v4 project, and what is shut for it. */

import { generated, type Texts, written } from '@plinth/test-tools/v4-projects'
import { type Guard, type Router, readV4Project } from '@plinth/v4/project'
import t, { type Test } from 'tap'

/** The guards of the project `note` with some files replaced, as `action: kind`. */
async function guardsOf(t: Test, files: Texts): Promise<readonly Guard[]> {
  return readV4Project(await written(t, { ...generated('note'), ...files })).guards
}

const shutOf = (guards: readonly Guard[]) => [
  ...new Set(guards.map(one => `${one.action.replace(/^api::note\./, '')} ${one.kind}`)),
]

const all = ['find', 'findOne', 'create', 'update', 'delete']
const allShut = (kind: string) => all.map(one => `note.${one} ${kind}`)

const router = (options: string) =>
  `const { createCoreRouter } = require('@strapi/strapi').factories;\nmodule.exports = createCoreRouter('api::note.note', ${options});\n`
const controller = (given: string) =>
  `const { createCoreController } = require('@strapi/strapi').factories;\nmodule.exports = createCoreController('api::note.note', ${given});\n`
const routes = 'src/api/note/routes/note.js'
const controllers = 'src/api/note/controllers/note.js'

const cases: Readonly<Record<string, readonly [Texts, readonly string[]]>> = {
  'plain factories guard nothing': [{}, []],
  'empty lists and settings guard nothing': [
    { [routes]: router('{ config: { find: { policies: [], middlewares: [] }, delete: {}, update: { auth: {} } } }') },
    [],
  ],
  'what routers say without code guards nothing': [
    {
      [routes]: router(
        "{ prefix: '/x', only: ['find'], config: { find: { auth: false }, create: { policies: ['a'] } } }",
      ),
    },
    [],
  ],
  'a policy by name, with settings, in place, and in a list by name': [
    {
      [routes]: `const { createCoreRouter } = require('@strapi/strapi').factories;
const owned = ['global::is-owner'];
module.exports = createCoreRouter('api::note.note', { config: {
  find: { policies: [{ name: 'global::a', config: { b: 1 } }] },
  findOne: { policies: [...owned] },
  update: { policies: owned },
  delete: { policies: [(ctx) => ctx.state.user.id === 1] },
} });`,
    },
    ['note.find policy', 'note.findOne policy', 'note.update policy', 'note.delete policy'],
  ],
  'a list that code changes later is not taken for empty': [
    {
      [routes]: `const owned = [];
owned.push('global::is-owner');
module.exports = require('@strapi/strapi').factories.createCoreRouter('api::note.note', { config: { find: { policies: owned } } });`,
    },
    allShut('unread'),
  ],
  'a list of another file': [
    {
      'src/utils/guards.js': "exports.owned = ['global::is-owner'];\nexports.none = [];\n",
      [routes]: `const { owned, none } = require('../../../utils/guards');
module.exports = require('@strapi/strapi').factories.createCoreRouter('api::note.note', { config: { find: { policies: none }, create: { policies: owned } } });`,
    },
    ['note.create policy'],
  ],
  'other forms of exports': [
    {
      [routes]: `const router = require('@strapi/strapi').factories.createCoreRouter('api::note.note');
exports = module.exports = router;`,
      [controllers]: `"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.default = void 0;
const strapi_1 = require("@strapi/strapi");
exports.default = (0, strapi_1.factories.createCoreController)('api::note.note');`,
    },
    [],
  ],
  'a middleware of a route': [
    { [routes]: router("{ config: { findOne: { middlewares: ['api::note.mine'] } } }") },
    ['note.findOne middleware'],
  ],
  'a config with a spread that could not be read': [
    { [routes]: router("{ config: { ...require('some-package').guards, find: {} } }") },
    allShut('unread'),
  ],
  'settings from a function': [{ [routes]: router('settings()') }, allShut('unread')],
  'a router that code changes': [
    {
      [routes]: `const router = require('@strapi/strapi').factories.createCoreRouter('api::note.note');
router.routes.forEach(one => { one.config.policies = ['global::is-owner'] });
module.exports = router;`,
    },
    allShut('unread'),
  ],
  'a router that is wrapped by code of ones own': [
    { [routes]: "module.exports = guarded(require('@strapi/strapi').factories.createCoreRouter('api::note.note'));" },
    allShut('unread'),
  ],
  'a router made of two': [
    {
      [routes]: `const { createCoreRouter } = require('@strapi/strapi').factories;
const defaultRouter = createCoreRouter('api::note.note', { config: { delete: { policies: ['a'] } } });
const customRouter = (innerRouter, extraRoutes = []) => {
  let routes;
  return {
    get prefix() { return innerRouter.prefix; },
    get routes() { if (!routes) routes = innerRouter.routes.concat(extraRoutes); return routes; },
  };
};
module.exports = customRouter(defaultRouter, [{ method: 'GET', path: '/notes/mine', handler: 'note.mine' }]);`,
    },
    ['note.delete policy'],
  ],
  'a router made of two by a function that does more': [
    {
      [routes]: `const defaultRouter = require('@strapi/strapi').factories.createCoreRouter('api::note.note');
const customRouter = (inner, extra) => ({ get routes() { return inner.routes.map(guard).concat(extra); } });
module.exports = customRouter(defaultRouter, []);`,
    },
    allShut('unread'),
  ],
  'routes that name built-in actions': [
    {
      [routes]: `module.exports = { routes: [
  { method: 'GET', path: '/notes', handler: 'note.find' },
  { method: 'GET', path: '/notes/:id', handler: 'api::note.note.findOne', config: { policies: ['is-owner'] } },
] };`,
    },
    ['note.findOne policy'],
  ],
  'routes in JSON': [
    {
      [routes]: '',
      'src/api/note/routes/note.json': JSON.stringify({
        routes: [{ method: 'PUT', path: '/notes/:id', handler: 'note.update', config: { middlewares: ['global::x'] } }],
      }),
    },
    [...allShut('unread'), 'note.update middleware'],
  ],
  'routes in JSON alone': [
    {
      [routes]: 'module.exports = { routes: [] };',
      'src/api/note/routes/other.json': JSON.stringify({
        routes: [{ method: 'PUT', path: '/notes/:id', handler: 'note.update', config: { middlewares: ['global::x'] } }],
      }),
    },
    ['note.update middleware'],
  ],
  'a route of ones own in place of a built-in one': [
    {
      'src/api/note/routes/00-mine.js': `module.exports = { routes: [
  { method: 'GET', path: '/notes/:slug', handler: 'note.bySlug' },
  { method: 'GET', path: '/notes/mine', handler: 'note.mine' },
] };`,
    },
    ['note.findOne route'],
  ],
  'a controller that replaces, wraps and adds': [
    {
      [controllers]: controller(
        '({ strapi }) => ({ async find(ctx) { return super.find(ctx) }, create: async (ctx) => ctx.send({}), async mine(ctx) {} })',
      ),
    },
    ['note.find controller', 'note.create controller'],
  ],
  'a controller that only adds': [{ [controllers]: controller('({ strapi }) => ({ async mine(ctx) {} })') }, []],
  'what built-in actions call': [
    { [controllers]: controller('({ strapi }) => ({ async sanitizeOutput(data, ctx) { return data } })') },
    allShut('controller'),
  ],
  'a controller whose methods are spread': [
    { [controllers]: controller("({ strapi }) => ({ ...require('../../../shared').crud(strapi) })") },
    allShut('controller'),
  ],
  'a plain controller': [{ [controllers]: 'module.exports = { async find(ctx) {} };' }, ['note.find controller']],
  'a controller of another type': [
    { [controllers]: "module.exports = require('@strapi/strapi').factories.createCoreController('api::user.user');" },
    allShut('controller'),
  ],
  'a controller that cannot be parsed': [{ [controllers]: 'module.exports = {' }, allShut('controller')],
  'a service that replaces': [
    {
      'src/api/note/services/note.js':
        "module.exports = require('@strapi/strapi').factories.createCoreService('api::note.note', () => ({ async find(p) { return super.find(p) }, mail() {} }));",
    },
    ['note.find service'],
  ],
  'a controller replaced in register': [
    {
      'src/index.js':
        "module.exports = { register({ strapi }) { strapi.controller('api::note.note').find = async (ctx) => {} } };",
    },
    ['note.find start'],
  ],
  'a controller replaced by a name, in another file': [
    {
      'src/index.js': "module.exports = { register({ strapi }) { require('./patch')(strapi) } };",
      'src/patch.js':
        "module.exports = (strapi) => { const note = strapi.controllers['api::note.note']; note.delete = () => {} };",
    },
    ['note.delete start'],
  ],
  'a route of the start in place of a built-in one': [
    {
      'src/index.js': `module.exports = { register({ strapi }) {
  strapi.server.routes([{ method: 'GET', path: '/api/notes', handler: (ctx) => {} }, { method: 'GET', path: '/beat', handler() {} }]);
} };`,
    },
    ['note.find route'],
  ],
  'other names of strapi': [
    {
      'src/index.js': `module.exports = {
  register({ strapi: app }) { const { controllers } = app; controllers['api::note.note'].find = () => {}; },
  bootstrap({ strapi: { controller } }) { controller('api::note.note').update = () => {}; },
};`,
    },
    ['note.find start', 'note.update start'],
  ],
  'a middleware before all requests': [
    { 'src/index.js': 'module.exports = { register({ strapi }) { strapi.server.use((ctx, next) => next()) } };' },
    [...allShut('start')],
  ],
  'a start that only seeds': [
    {
      'src/index.js': `module.exports = { async bootstrap({ strapi }) {
  const count = await strapi.entityService.count('api::note.note');
  const service = strapi.service('api::note.note');
  if (count === 0) await service.create({ data: {} });
  await strapi.controller('api::note.note').find({});
  strapi.io = require('socket.io')(strapi.server.httpServer);
  strapi.log.info('ready');
} };`,
    },
    [],
  ],
  'a start that cannot be parsed': [{ 'src/index.js': 'module.exports = {' }, allShut('unread')],
  'global middlewares that only look on': [
    {
      'config/middlewares.js':
        "module.exports = ['strapi::errors', 'global::time', { name: 'strapi::cors', config: {} }];",
      'src/middlewares/time.js': `module.exports = (config, { strapi }) => async (ctx, next) => {
  const start = Date.now();
  await next();
  ctx.set('x-time', String(Date.now() - start));
  strapi.log.info(ctx.url);
};`,
    },
    [],
  ],
  'a global middleware that may refuse': [
    {
      'config/middlewares.js': "module.exports = ({ env }) => ['strapi::errors', 'global::ip'];",
      'src/middlewares/ip.js':
        "module.exports = () => async (ctx, next) => { if (ctx.ip !== '::1') return ctx.forbidden(); await next(); };",
    },
    allShut('middleware'),
  ],
  'settings of middlewares that code fills': [
    {
      'config/middlewares.js': `const sources = ["'self'"];
console.log('sources', sources);
module.exports = ({ env }) => {
  const host = env('HOST');
  const more = [];
  if (host) more.push(host);
  for (const one of env.array('HOSTS', [])) { more.push(one); }
  return ['strapi::errors', { name: 'strapi::security', config: { sources: [...sources, ...more] } }, 'strapi::body'];
};`,
    },
    [],
  ],
  'a list of middlewares that code extends': [
    {
      'config/middlewares.js':
        "module.exports = ({ env }) => { const all = ['strapi::errors']; if (env('X')) all.push('global::ip'); return all; };",
    },
    allShut('unread'),
  ],
  'a list of middlewares with a part that code extends': [
    {
      'config/middlewares.js':
        "module.exports = ({ env }) => { const own = []; if (env('X')) { own.push('global::ip'); } return ['strapi::errors', ...own]; };",
    },
    allShut('unread'),
  ],
  'a list of middlewares that is another one sometimes': [
    {
      'config/middlewares.js':
        "module.exports = ({ env }) => { if (env('X')) return ['global::ip']; return ['strapi::errors']; };",
    },
    allShut('unread'),
  ],
  'a name of a middleware that code changes': [
    {
      'config/middlewares.js':
        "module.exports = ({ env }) => { let first = 'strapi::errors'; if (env('X')) first = 'global::ip'; return [first, 'strapi::body']; };",
    },
    allShut('unread'),
  ],
  'a controller whose file prints': [
    {
      'src/api/note/controllers/note.js': `const { createCoreController } = require('@strapi/strapi').factories;
console.log('loaded', __filename);
module.exports = createCoreController('api::note.note', () => ({ async find(ctx) { return super.find(ctx); } }));`,
    },
    ['note.find controller'],
  ],
  'a controller whose file prints what a call returns': [
    {
      'src/api/note/controllers/note.js': `const { createCoreController } = require('@strapi/strapi').factories;
console.log(require('../more')(module));
module.exports = createCoreController('api::note.note');`,
    },
    allShut('controller'),
  ],
}

t.test('guards', async t => {
  for (const [name, [files, expected]] of Object.entries(cases))
    t.test(name, async t => {
      const guards = await guardsOf(t, files)
      const own = guards.filter(one => one.action.startsWith('api::'))
      t.same(shutOf(own).sort(), [...expected].sort())
      t.ok(own.every(one => one.file !== '' && one.why !== ''))
    })
})

t.test('a type without a router is not served by REST, a schema alone as Plinth serves it', async t => {
  const all = { ...generated('note'), ...generated('page'), ...generated('tag') }
  const files = Object.entries(all).filter(([path]) => !/page\/routes|tag\/(?:routes|controllers|services)/.test(path))
  const { routers, guards } = readV4Project(await written(t, Object.fromEntries(files)))
  t.same(guards, [])
  t.same(
    routers.map(({ uid, routes }) => `${uid}: ${routes.length}`),
    ['api::note.note: 5', 'api::page.page: 0'],
  )
})

t.test('TypeScript, as v4 writes it', async t => {
  const guards = await guardsOf(t, {
    [routes]: 'module.exports = { routes: [] };',
    'src/api/note/routes/z.ts': `import { factories } from '@strapi/strapi';
type Config = { find: object };
export default factories.createCoreRouter('api::note.note' as any, { config: { find: { policies: ['a'] } } as any });`,
    'src/api/note/controllers/note.ts': `import { factories } from '@strapi/strapi';
import type { Context } from 'koa';
export default factories.createCoreController('api::note.note', ({ strapi }) => ({
  async update(ctx: Context): Promise<unknown> { return super.update(ctx); },
}));`,
  })
  t.same(shutOf(guards), ['note.find policy', 'note.update controller'])
})

t.test('single types have three actions', async t => {
  const files = generated('home', { kind: 'singleType' })
  const dir = await written(t, {
    ...files,
    'src/api/home/routes/home.js': router(
      "{ config: { find: { policies: ['a'] }, findOne: { policies: ['b'] } } }",
    ).replace('api::note.note', 'api::home.home'),
  })
  const project = readV4Project(dir)
  t.same(
    project.guards.map(one => one.action),
    ['api::home.home.find'],
  )
  t.same(
    project.routers[0]!.routes.map(({ method, path }) => `${method} ${path}`),
    ['GET /home', 'PUT /home', 'DELETE /home'],
  )
})

t.test('extensions of plugins', async t => {
  const ofUsers = (code: string) =>
    guardsOf(t, {
      'src/extensions/users-permissions/strapi-server.js': `module.exports = (plugin) => { ${code}; return plugin; };`,
    })
  const actions = async (code: string) => [
    ...new Set((await ofUsers(code)).map(one => one.action.replace('plugin::users-permissions.', ''))),
  ]
  t.same(await actions('plugin.controllers.user.me = async (ctx) => {}'), ['user.me'])
  t.same(
    await actions(
      'const { register } = plugin.controllers.auth; plugin.controllers.auth["register"] = (ctx) => register(ctx)',
    ),
    ['auth.register'],
  )
  t.same(
    await actions(
      'plugin.controllers.user.updateMe = (ctx) => {}; plugin.routes["content-api"].routes.push({ method: "PUT", path: "/users/me", handler: "user.updateMe" })',
    ),
    [],
  )
  t.same(
    await actions(
      'plugin.routes["content-api"].routes.unshift({ method: "GET", path: "/users/me", handler: "user.mine" })',
    ),
    ['user.me'],
  )
  t.same(await actions('plugin.policies.own = () => true'), [])
  t.ok((await actions('Object.assign(plugin.controllers.user, require("./user"))')).includes('user.find'))
  t.ok((await actions('plugin.services.user = {}')).includes('auth.callback'))
  t.ok((await actions('plugin.routes["content-api"].routes = []')).includes('user.find'))
  const changed = (callback: string) =>
    actions(
      `const all = plugin.routes['content-api'].routes; const one = all.find(${callback}); one.config = { policies: ['global::captcha'] }`,
    )
  t.same(await changed("({ path }) => path === '/auth/local/register'"), ['auth.register'])
  t.same(await changed("one => one.method === 'GET' && one.path === '/users/me'"), ['user.me'])
  t.same((await changed("one => one.path === '/users/:id'")).sort(), ['user.destroy', 'user.findOne', 'user.update'])
  t.same(await changed("({ handler }) => handler === 'auth.callback'"), ['auth.callback'])
  for (const other of [
    "({ path }) => path !== '/auth/local'",
    "({ handler }) => !(handler === 'user.me')",
    "({ path }) => path.startsWith('/auth')",
    "({ path }) => path === '/not/there'",
    "one => one.path === '/users/me' || one.isPublic",
    "one => (one.path === '/users/me' ? false : true)",
    "({ path }) => { if (path === '/users/me') return false; return true }",
    'isOurs',
  ])
    t.ok((await changed(other)).includes('user.find'), `${other} may find any route`)
})

t.test('GraphQL alone', async t => {
  const guards = await guardsOf(t, {
    'src/index.js': `module.exports = { register({ strapi }) {
  const extension = strapi.plugin('graphql').service('extension');
  extension.shadowCRUD('api::note.note').disableMutations();
  extension.use({ resolversConfig: { 'Query.notes': { policies: ['a'] }, 'Query.note': { auth: false } } });
} };`,
  })
  t.ok(guards.every(one => one.shuts === 'graphql'))
  t.same(
    shutOf(guards).sort(),
    ['create', 'delete', 'find', 'update'].map(one => `note.${one} start`),
  )
})

t.test('routers', async t => {
  const read = async (options: string, more: Texts = {}): Promise<Router> =>
    readV4Project(await written(t, { ...generated('note'), [routes]: router(options), ...more })).routers[0]!
  const lines = ({ routes }: Router) => routes.map(({ method, path, operation }) => `${operation} ${method} ${path}`)
  t.same(lines(await read("{ only: ['find', 'create'] }")), ['find GET /notes', 'create POST /notes'])
  t.same(lines(await read("{ except: ['find', 'findOne', 'create'] }")), [
    'update PUT /notes/:id',
    'delete DELETE /notes/:id',
  ])
  t.same(lines(await read("{ prefix: '/shop', only: ['find'] }")), ['find GET /shop/notes'])
  t.same(lines(await read("{ only: ['find', 'create'], except: ['find'] }")), ['create POST /notes'])
  t.same(lines(await read("{ only: 'find' }")), ['find GET /notes'])
  t.same(lines(await read('{ only: [] }')), [])
  t.same(
    lines(
      await read("{ only: ['find'] }", {
        'src/api/note/routes/more.json': '{"routes":[{"method":"patch","path":"/n/:id","handler":"note.update"}]}',
      }),
    ),
    ['find GET /notes', 'update PATCH /n/:id'],
  )
  const { auth, needsUser } = await read(
    "{ config: { find: { auth: false }, findOne: { auth: { scope: ['api::note.note.delete'] } }, create: { policies: ['plugin::users-permissions.isAuthenticated'] } } }",
  )
  t.same(auth, { find: 'none', findOne: { scope: ['api::note.note.delete'] } })
  t.same(needsUser, ['create'])
})
