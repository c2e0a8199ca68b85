/** Less usual ways in which code of v4 guards or replaces actions: none of them is lost, and what only looks like one is open. */

import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { generated, type Texts, written } from '@plinth/test-tools/v4-projects'
import { readV4Project } from '@plinth/v4/project'
import t, { type Test } from 'tap'

const all = ['find', 'findOne', 'create', 'update', 'delete'].map(one => `note.${one}`)
const registering = (code: string): Texts => ({
  'src/index.js': `module.exports = { async register({ strapi }) { ${code} } };`,
})
const extending = (code: string): Texts => ({
  'src/extensions/users-permissions/strapi-server.js': `module.exports = (plugin) => { ${code}; return plugin; };`,
})
const router = (options: string) =>
  `module.exports = require('@strapi/strapi').factories.createCoreRouter('api::note.note', ${options});`
const graphql = (given: string) => registering(`strapi.plugin('graphql').service('extension').use(${given})`)
const first = (route: string): Texts => ({ 'src/api/note/routes/00.js': `module.exports = { routes: [${route}] };` })

/** Files that are laid over a generated project `note`, and the actions that are shut. */
type Cases = Readonly<Record<string, readonly [Texts, readonly string[]]>>

const patched = "controller('api::note.note').find = () => {}"

const names: Cases = {
  'a parameter of another name, in another file': [
    { ...registering("require('./patch')(strapi)"), 'src/patch.js': `module.exports = app => { app.${patched} }` },
    ['note.find'],
  ],
  'a parameter of another name, without the name of the type': [
    {
      ...registering("require('./patch')(strapi)"),
      'src/patch.js':
        'module.exports = app => { for (const uid in app.controllers) app.controllers[uid].find = () => {} }',
    },
    all,
  ],
  'a member of an object': [
    registering(`new (class { constructor(app) { this.app = app } go() { this.app.${patched} } })(strapi).go()`),
    ['note.find'],
  ],
  'a context that is not taken apart': [
    { 'src/index.js': `module.exports = { bootstrap(context) { context.strapi.${patched} } };` },
    ['note.find'],
  ],
  'a variable that is assigned later': [registering(`let app; app = strapi; app.${patched}`), ['note.find']],
  'parts of parts': [
    registering("const { controllers: { 'api::note.note': note } } = strapi; note.find = () => {}"),
    ['note.find'],
  ],
  'a part with a default': [registering('const { server = null } = strapi; server.use(guard)'), all],
  'one of two': [registering(`const app = strapi || global.strapi; app.${patched}`), ['note.find']],
  'a file outside of src': [
    {
      ...registering("require('../lib/patch')(strapi)"),
      'lib/patch.js': `module.exports = strapi => { strapi.${patched} }`,
    },
    ['note.find'],
  ],
  'a folder that is called admin': [
    {
      ...registering("require('./utils/admin/patch')(strapi)"),
      'src/utils/admin/patch.js': `module.exports = strapi => { strapi.${patched} }`,
    },
    ['note.find'],
  ],
  'the administration panel is no code of the server': [{ 'src/admin/app.js': `strapi.${patched}` }, []],
}

const starts: Cases = {
  'a service that is assigned to': [registering("Object.assign(strapi.service('api::note.note'), { find() {} })"), all],
  'a target in a list': [registering("[strapi.controllers['api::note.note'].find] = [() => {}]"), ['note.find']],
  'a query that is replaced': [registering("strapi.db.query('api::note.note').findMany = guard"), all],
  'what queries have answered': [
    registering(`let note = strapi.entityService.findOne('api::note.note', 1);
note.title = 'a'; note = null; const [first] = await Promise.all([note]); Object.assign(first, { title: 'b' })`),
    [],
  ],
  'routes of all APIs': [
    registering('Object.values(strapi.api).forEach(one => Object.values(one.routes).forEach(guard))'),
    all,
  ],
  'routes of an API': [registering('strapi.api.note.routes.note.routes.forEach(one => { one.config = guarded })'), all],
  'one route of an API': [registering("strapi.api('note').routes.note.routes[0].config.policies = ['x']"), all],
  'controllers of the container': [
    registering("const all = strapi.container.get('controllers').getAll(); all['api::note.note'].find = () => {}"),
    all,
  ],
  'a controller of the container that is called': [
    registering("strapi.container.get('controllers').get('api::note.note').find({})"),
    [],
  ],
  'a middleware of strapi.app': [registering('strapi.app.use(async (ctx, next) => ctx.forbidden())'), all],
  'middlewares of Koa': [registering('strapi.server.app.middleware.unshift(guard)'), all],
  'the server of Node': [registering("strapi.server.httpServer.on('request', guard)"), all],
  'other events of the server of Node': [registering("strapi.server.httpServer.on('upgrade', join)"), []],
  'functions that check all answers': [registering('strapi.contentAPI.sanitize.output = guard'), all],
  'a part of strapi whose name is made': [registering("strapi[part]['api::note.note'].find = () => {}"), all],
  'the list of global middlewares': [registering("strapi.config.get('middlewares').push('global::x')"), all],
  'the list of global middlewares, set': [registering("strapi.config.set('middlewares', [])"), all],
  'other configuration': [registering("strapi.config.set('server.url', 'x'); strapi.config.get('middlewares')"), []],
  'an attribute that becomes private': [
    registering("strapi.contentType('api::note.note').attributes.title.private = true"),
    all,
  ],
  'an attribute that is added': [
    registering("strapi.contentType('api::note.note').attributes.words = { type: 'integer' }"),
    [],
  ],
}

const routes: Cases = {
  'routes of the content API': [
    registering(
      "strapi.server.routes({ type: 'content-api', routes: [{ method: 'GET', path: '/notes', handler() {} }] })",
    ),
    ['note.find'],
  ],
  'routes with a prefix of their own': [
    registering(
      "strapi.server.routes({ prefix: '/api', routes: [{ method: 'PUT', path: '/notes/:id', handler() {} }] })",
    ),
    ['note.update'],
  ],
  'routes below the prefix of config/api': [
    {
      ...registering("strapi.server.routes([{ method: 'GET', path: '/v1/notes', handler() {} }])"),
      'config/api.js': "module.exports = ({ env }) => ({ rest: { prefix: '/v1' } });",
    },
    ['note.find'],
  ],
  'routes that could not be read': [registering('strapi.server.routes(made(strapi))'), all],
  'a route whose path is made': [
    registering("strapi.server.routes([{ method: 'GET', path: base + '/notes', handler() {} }])"),
    all,
  ],
  'routes beside the API': [registering("strapi.server.routes([{ method: 'GET', path: '/_beat', handler() {} }])"), []],
  'a parameter that takes several segments': [
    first("{ method: 'GET', path: '/:path*', handler: 'note.any' }"),
    ['note.find', 'note.findOne'],
  ],
  'a group without a name': [first("{ method: 'GET', path: '/notes/(.+)', handler: 'note.any' }"), ['note.findOne']],
  'a group in braces': [
    first("{ method: 'GET', path: '/notes{/:id}?', handler: 'note.any' }"),
    ['note.find', 'note.findOne'],
  ],
  'a method with blanks': [first("{ method: ' get ', path: '/notes', handler: 'note.any' }"), ['note.find']],
  'a longer path': [first("{ method: 'GET', path: '/notes/:id/more', handler: 'note.any' }"), []],
  'a router of a file that v4 does not read': [
    {
      'src/api/note/routes/00.cjs': router('{}'),
      'src/api/note/routes/note.js': router("{ config: { find: { policies: ['a'] } } }"),
    },
    ['note.find'],
  ],
}

const exported: Cases = {
  'a controller to which a method is added': [
    {
      'src/api/note/controllers/note.js':
        'module.exports = { async mine() {} };\nmodule.exports.find = async () => {};',
    },
    all,
  ],
  'routes that are replaced': [
    {
      'src/api/note/routes/note.js': `module.exports = { routes: [{ method: 'GET', path: '/notes', handler: 'note.find' }] };
module.exports.routes = require('./guarded');`,
    },
    all,
  ],
  'a default beside names': [
    {
      'src/api/note/controllers/note.js': `Object.defineProperty(exports, "__esModule", { value: true });
exports.other = 1;
const strapi_1 = require("@strapi/strapi");
exports.default = strapi_1.factories.createCoreController('api::note.note');`,
    },
    [],
  ],
}

const shut = async (t: Test, files: Texts) => {
  const { guards } = readV4Project(await written(t, { ...generated('note'), ...files }))
  return [...new Set(guards.map(one => one.action.replace(/^api::note\./, '')))].sort()
}

for (const [kind, cases] of Object.entries({ names, starts, routes, exported }))
  t.test(kind, async t => {
    for (const [name, [files, expected]] of Object.entries(cases)) {
      const own = (await shut(t, files)).filter(one => one.startsWith('note.'))
      t.same(own, [...expected].sort(), name)
    }
  })

t.test('plugins at the start', async t => {
  const shutBy = (code: string) => shut(t, registering(code))
  const user = "strapi.plugin('users-permissions').controller('user')"
  t.same(await shutBy(`${user}.me = () => {}`), ['plugin::users-permissions.user.me'])
  const changed = await shutBy("strapi.plugin('users-permissions').routes['content-api'].routes.forEach(guard)")
  t.ok(changed.includes('plugin::users-permissions.user.me') && !changed.includes('note.find'))
  t.ok((await shutBy("strapi.plugin('users-permissions').service('jwt').verify = () => {}")).includes('note.find'))
  t.notOk((await shutBy("strapi.plugin('upload').service('upload').upload = () => {}")).includes('note.find'))
  t.same(await shutBy("const jwt = strapi.plugin('users-permissions').service('jwt'); jwt.issue({})"), [])
})

t.test('extensions', async t => {
  const shutBy = async (files: Texts) =>
    (await shut(t, files)).map(one => one.replace('plugin::users-permissions.', ''))
  const helper = 'p => { p.controllers.user.me = () => {} }'
  const file = 'src/extensions/users-permissions/me.js'
  t.same(await shutBy({ ...extending("require('./me')(plugin)"), [file]: `module.exports = ${helper}` }), ['user.me'])
  const named = {
    'src/extensions/users-permissions/strapi-server.js': `const extend = ${helper};
module.exports = plugin => { extend(plugin); return plugin }`,
  }
  t.same(await shutBy(named), ['user.me'])
  t.ok((await shutBy(extending(`const extend = load(); extend(plugin)`))).includes('user.me'))
  t.same(await shutBy(extending('const { controllers: { user } } = plugin; user.me = mine')), ['user.me'])
  t.same(await shutBy(extending('const all = plugin.controllers || {}; all.user.me = mine')), ['user.me'])
  t.ok((await shutBy(extending("_.set(plugin, 'controllers.user.me', mine)"))).includes('user.me'))
  t.ok((await shutBy(extending('plugin.middlewares.rateLimit = () => () => {}'))).includes('auth.callback'))
  t.ok((await shutBy(extending('Object.assign(plugin.services, { jwt: mine })'))).includes('note.find'))
  t.same(
    await shutBy(extending('plugin.contentTypes.user.schema.attributes.email.private = true')),
    ['count', 'create', 'destroy', 'find', 'findOne', 'me', 'update'].map(one => `user.${one}`),
  )
  t.same(await shutBy(extending("plugin.contentTypes.user.schema.attributes.age = { type: 'integer' }")), [])
  t.same(await shutBy(extending('console.log(plugin); Object.keys(plugin); plugin.contentTypes.user.schema')), [])
})

t.test('a policy of users-permissions that an extension replaces', async t => {
  const own = {
    'src/api/note/routes/note.js': router(
      "{ config: { find: { policies: ['plugin::users-permissions.isAuthenticated'] } } }",
    ),
  }
  t.same(await shut(t, own), [])
  t.same(await shut(t, { ...own, ...extending('plugin.policies.isAuthenticated = ctx => false') }), ['note.find'])
})

t.test('GraphQL', async t => {
  const shutBy = async (files: Texts) => (await shut(t, files)).map(one => one.replace('plugin::', ''))
  const config = (entries: string) => graphql(`{ resolversConfig: { ${entries} } }`)
  const field = (entry: string) => shutBy(config(entry))
  t.same(await field("'Mutation.register': { policies: ['a'] }"), ['users-permissions.auth.register'])
  t.same(await field("'Query.usersPermissionsUsers': { middlewares: [mine] }"), ['users-permissions.user.find'])
  t.same(await field("'Mutation.removeFile': { policies: ['a'] }"), ['upload.content-api.destroy'])
  t.same(await field("Query: { notes: { policies: ['a'] }, note: { auth: false } }"), ['note.find'])
  t.same(await field("'Note.title': { policies: ['a'] }"), [...all].sort())
  t.same(await field("'Note.words': { policies: ['a'] }"), [], 'an attribute that only v4 has')
  t.same(await shutBy(graphql('{ resolvers: { Query: { me: { resolve() {} } } } }')), ['users-permissions.user.me'])
  t.same(await shutBy(graphql('{ resolvers: { Note: { words: () => 1 } } }')), [])
  t.same(
    await shutBy(registering("const own = {}; own.resolversConfig = { 'Query.notes': { policies: ['a'] } }; use(own)")),
    ['note.find'],
  )
  t.same(await shutBy(registering('const all = { Query: {} }; all.Query.notes = mine; use(all)')), ['note.find'])
  const extend = "nexus.extendType({ type: 'Query', definition(t) { t.list.field('notes', { resolve() {} }) } })"
  t.same(await shutBy(graphql(`({ nexus }) => ({ types: [${extend}] })`)), ['note.find'])
  const disable = (uid: string, call: string) =>
    shutBy(registering(`const off = e => e.shadowCRUD('${uid}').${call}; off(extension)`))
  t.same(await disable('api::note.note', "disableAction('find')"), ['note.find'])
  t.same(await disable('plugin::users-permissions.user', 'disable()'), [
    'users-permissions.user.find',
    'users-permissions.user.findOne',
  ])
})

t.test('symbolic links', async t => {
  const dir = await written(t, {
    ...generated('note'),
    'lib/patch.js': `module.exports = strapi => { strapi.${patched} }`,
  })
  await symlink('nowhere', join(dir, 'src/api/gone'))
  await symlink('nowhere', join(dir, 'src/api/note/routes/gone.js'))
  await symlink(join(dir, 'lib/patch.js'), join(dir, 'src/patch.js'))
  const { guards } = readV4Project(dir)
  t.same(
    guards.map(({ action, file }) => `${action} ${file}`),
    ['api::note.note.find src/patch.js'],
  )
})

t.test('global middlewares of APIs', async t => {
  const file = 'src/api/myThing/middlewares/officeHours.js'
  const shutBy = (code: string) =>
    shut(t, { 'config/middlewares.js': "module.exports = ['api::my-thing.office-hours'];", [file]: code })
  t.ok((await shutBy('module.exports = () => ctx => ctx.forbidden();')).includes('note.find'))
})

t.test('a list that is changed by another name', async t => {
  const controller = `const own = {}, other = own;
const added = (other.find = () => {});
module.exports = require('@strapi/strapi').factories.createCoreController('api::note.note', own);`
  t.same(await shut(t, { 'src/api/note/controllers/note.js': controller }), [...all].sort())
})

t.test('what stands before all requests stands before translations', async t => {
  const localized = { pluginOptions: { i18n: { localized: true } } }
  const dir = await written(t, {
    ...generated('note', localized),
    ...generated('page'),
    'config/middlewares.js': "module.exports = ['global::office'];",
    'src/middlewares/office.js': 'module.exports = () => ctx => ctx.forbidden();',
  })
  const names = readV4Project(dir).guards.map(({ action }) => action)
  t.ok(names.includes('api::note.note.createLocalization'))
  t.notOk(names.includes('api::page.page.createLocalization'))
})
