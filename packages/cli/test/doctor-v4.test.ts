// `plinth doctor` on faulty and on large projects of v4: it names every fault, reads what cannot be run, and estimates a move.

import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t, { type Test } from 'tap'
import type { Report } from '../src/doctor.ts'
import { plinth, plinthProcess } from './plinth.ts'

const manifest = (packages: object = {}) =>
  JSON.stringify({ dependencies: { '@strapi/strapi': '4.25.9', 'better-sqlite3': '8', ...packages } })

const schema = (name: string, attributes: object, more: object = {}) =>
  JSON.stringify({
    kind: 'collectionType',
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    attributes,
    ...more,
  })

const typeAt = (name: string) => `src/api/${name}/content-types/${name}/schema.json`

const base = {
  'package.json': manifest(),
  'config/database.js':
    "module.exports = { connection: { client: 'sqlite', connection: { filename: 'data.db' }, useNullAsDefault: true } }",
  [typeAt('note')]: schema('note', { title: { type: 'string' }, rank: { type: 'integer' }, code: { type: 'uid' } }),
}

async function projectOf(t: Test, files: Readonly<Record<string, string>>): Promise<string> {
  const dir = t.testdir({})
  for (const [path, text] of Object.entries({ ...base, ...files })) {
    await mkdir(join(dir, dirname(path)), { recursive: true })
    await writeFile(join(dir, path), text)
  }
  return dir
}

async function inspected(dir: string, env = {}, run = plinth) {
  const { code, out, err } = await run(['doctor', '--dir', dir, '--json'], env)
  return { code, err, report: JSON.parse(out) as Report }
}

t.test('every fault is one line, and the rest is reported', async t => {
  const dir = await projectOf(t, {
    [typeAt('broken')]: '{ "kind": ',
    [typeAt('wrong')]: schema('wrong', { a: { type: 'strin' }, b: { type: 'string' } }),
    [typeAt('lost')]: schema('lost', {
      c: { type: 'component', component: 'x.none' },
      d: { type: 'string', maxLenght: 3 },
    }),
    [typeAt('bare')]: schema('bare', { to: { type: 'relation', relation: 'manyToOne', target: 'api::none.none' } }),
    'src/components/x/bad.json': '[',
  })
  const { code, report } = await inspected(dir)
  t.equal(code, 1)
  const lines = report.faults.map(({ place, what }) => `${place}: ${what}`)
  for (const line of lines) t.notMatch(line, /\n| - /, 'one fault alone')
  for (const [place, what] of [
    [typeAt('broken'), /is not valid JSON/],
    ['src/components/x/bad.json', /is not valid JSON/],
    [typeAt('wrong'), /attributes\.a.*strin/],
    [typeAt('lost'), /attributes\.c.*x\.none/],
    [typeAt('lost'), /attributes\.d.*maxLenght/],
    [typeAt('bare'), /attributes\.to.*api::none\.none/],
  ] as const)
    t.ok(
      report.faults.some(one => one.place === place && what.test(one.what)),
      `${place} ${what}: ${lines.join('\n')}`,
    )
  t.same(
    report.serves.types.map(one => one.uid),
    ['api::bare.bare', 'api::lost.lost', 'api::note.note', 'api::wrong.wrong'],
    'without what is faulty',
  )
  const text = await plinth(['doctor', '--dir', dir])
  t.equal(text.code, 1)
  t.match(text.out, /^What stops a start\n {2}src\//)
  t.equal(text.err, '', 'the report says it')
})

t.test('settings that cannot be run are read as text', async t => {
  const cases: readonly (readonly [Readonly<Record<string, string>>, RegExp])[] = [
    [
      {
        'tsconfig.json': '{}',
        'config/database.ts':
          "import path from 'path'\nexport default ({ env }) => ({ connection: { client: 'sqlite', connection: { filename: path.join(__dirname, '..', '..', env('F', 'own.db'),) } } })",
      },
      /__dirname/,
    ],
    [
      {
        'config/database.js':
          "const none = require('not-installed')\nmodule.exports = { connection: { client: 'sqlite', connection: { filename: 'own.db' } } }",
      },
      /not-installed/,
    ],
    [
      {
        'tsconfig.json': '{}',
        'config/database.ts':
          "import { file } from './util'\nexport default { connection: { client: 'sqlite', connection: { filename: file } } }",
        'config/util.ts': "export const file = 'own.db'",
      },
      /util/,
    ],
  ]
  for (const [files, why] of cases) {
    const dir = await projectOf(t, files)
    // One file of a name is read.
    if (!('config/database.js' in files)) await rm(join(dir, 'config/database.js'))
    // The projects of a test have one folder, so modules of the one before must not be in the process.
    const { code, report } = await inspected(dir, {}, plinthProcess)
    t.equal(code, 0, JSON.stringify(report.faults))
    t.match(report.differs.database, /own\.db$/)
    t.match(report.notes.join('\n'), why)
    t.match(report.notes[0], /^config\/database\.\w+(?::\d+)? was read as text/, 'the path is that of the project')
  }
})

t.test('settings of v4 do not stop the report, and those of an own application do', async t => {
  const plugins =
    "module.exports = { upload: { config: { provider: 'cloudinary', providerOptions: {} } }, sitemap: { enabled: true }, graphql: { enabled: false } }"
  const dir = await projectOf(t, {
    'config/plugins.js': plugins,
    'package.json': manifest({ 'strapi-plugin-sitemap': '1' }),
  })
  const { code, report } = await inspected(dir)
  t.equal(code, 0, JSON.stringify(report.faults))
  t.ok(report.serves.plugins.includes('upload'))
  t.notOk(report.serves.plugins.includes('graphql'))
  t.match(report.ignores.find(one => one.path === 'plugin sitemap')?.why, /adds the route of a sitemap/)
  const own = await projectOf(t, {
    'package.json': '{ "type": "module" }',
    'config/plugins.js': 'export default { a: ',
  })
  const failed = await plinthProcess(['doctor', '--dir', own, '--json'])
  t.equal(failed.code, 1)
  t.match((JSON.parse(failed.out) as Report).faults[0], { place: 'config/plugins.js' })
  const broken = await inspected(await projectOf(t, { 'package.json': '{' }), {}, plinthProcess)
  t.match(broken, { code: 1, report: { faults: [{ place: 'package.json', what: /is not valid JSON/ }] } })
})

t.test('code, plugins, rights and an estimate', async t => {
  const dir = await projectOf(t, {
    'package.json': manifest({
      '@strapi/plugin-i18n': '4',
      'strapi-plugin-slugify': '2',
      'strapi-plugin-populate-deep': '3',
    }),
    'config/server.js': "module.exports = { cron: { enabled: true, tasks: { '0 0 * * *': () => {} } } }",
    'src/api/note/routes/00-own.js':
      "module.exports = { routes: [{ method: 'GET', path: '/notes/best', handler: 'note.best', config: { auth: false, policies: ['is-owner'] } }] }",
    'src/api/note/controllers/note.js':
      "const { createCoreController } = require('@strapi/strapi').factories\nmodule.exports = createCoreController('api::note.note', ({ strapi }) => ({\n  async best(ctx) {\n    ctx.body = await strapi.entityService.findMany('api::note.note', { sort: 'rank:desc', filters: { $or: [{ title: 'a' }, { code: ctx.query.code }] } })\n  },\n  async find(ctx) { return super.find(ctx) },\n}))",
    'src/api/note/content-types/note/lifecycles.js': 'module.exports = { beforeCreate() {}, async afterDelete() {} }',
    'src/policies/is-owner.js': 'module.exports = () => true',
    'src/plugins/blog/server/content-types/post/schema.json': schema('post', { text: { type: 'text' } }),
    'src/plugins/blog/server/routes/index.js':
      "module.exports = { api: { type: 'content-api', routes: [{ method: 'GET', path: '/posts', handler: 'post.find' }] }, admin: { type: 'admin', routes: [{ method: 'PUT', path: '/settings', handler: 'post.set' }] } }",
  })
  const database = new DatabaseSync(join(dir, 'data.db'))
  database.exec(`CREATE TABLE up_permissions (id INTEGER PRIMARY KEY, action TEXT);
    INSERT INTO up_permissions (action) VALUES ('api::note.note.find'), ('api::note.note.best'), ('api::note.note.best'), ('api::gone.gone.find'), ('plugin::blog.post.find'), ('plugin::upload.content-api.find'), (NULL);
    CREATE TABLE posts (id INTEGER PRIMARY KEY); INSERT INTO posts DEFAULT VALUES; INSERT INTO posts DEFAULT VALUES;
    CREATE TABLE strapi_webhooks (id INTEGER PRIMARY KEY); INSERT INTO strapi_webhooks DEFAULT VALUES;
    CREATE TABLE admin_users (id INTEGER PRIMARY KEY)`)
  database.close()
  const { code, report } = await inspected(dir)
  t.equal(code, 0, JSON.stringify(report.faults))
  const { v4 } = report
  t.match(v4?.code.routes, [
    { method: 'GET', path: '/api/notes/best', handler: 'api::note.note.best', auth: 'none', policies: ['is-owner'] },
  ])
  t.match(v4?.code.added, [{ name: 'api::note.note.best', line: 3 }])
  t.match(v4?.code.lifecycles, [{ uid: 'api::note.note', events: ['beforeCreate', 'afterDelete'] }])
  t.ok(v4?.code.uses.some(one => one.what === 'strapi.entityService.findMany' && /note\.js:4/.test(one.places[0]!)))
  t.ok(v4?.code.uses.some(one => one.what.startsWith('ctx.')))
  t.match(v4?.code.policies, [{ uid: 'global::is-owner' }])
  t.same(v4?.cron, ['0 0 * * *'])
  t.same(
    v4?.plugins.map(one => `${one.name} ${one.standing}`),
    ['i18n works', 'populate-deep differs', 'slugify missing'],
  )
  t.same(v4?.stored.rights, [
    { action: 'api::gone.gone.find', rows: 1 },
    { action: 'api::note.note.best', rows: 2 },
    { action: 'plugin::blog.post.find', rows: 1 },
  ])
  t.same(v4?.stored.ofPlugins, [{ uid: 'plugin::blog.post', table: 'posts', rows: 2 }])
  t.equal(v4?.stored.unused.admin_users, 0)
  t.equal(v4?.stored.webhooks, 1)
  t.same(
    v4?.unindexed.map(one => `${one.path} ${one.by}`),
    ['api::note.note.rank sort', 'api::note.note.title filter'],
    'a uid is unique',
  )
  const { estimate } = v4!
  t.match(estimate.works.join('\n'), /1 content type with[\s\S]*i18n[\s\S]*1 file of lifecycles/)
  t.match(estimate.differs.join('\n'), /populate-deep/)
  t.match(estimate.shut.join('\n'), /action/)
  t.match(
    estimate.missing.join('\n'),
    /1 route of own code[\s\S]*1 cron task[\s\S]*slugify[\s\S]*1 content type of src\/plugins, with 2 rows\n1 route of src\/plugins/,
  )
  const { out } = await plinth(['doctor', '--dir', dir])
  for (const line of [
    'GET /api/notes/best: api::note.note.best; auth none; policies is-owner',
    'plugin::blog.post: the table posts, 2 rows',
    'GET /api/blog/posts: post.find (',
    'PUT /settings: post.set, of the administration panel (',
    'api::note.note.best: 2 roles',
    '1 webhook: install @plinth/webhooks, name it in config/plugins, and `plinth webhooks adopt` takes it over',
    'api::note.note.rank: sort (src/api/note/controllers/note.js:4)',
    'Estimate: missing',
  ])
    t.match(out, line)
})

t.test('plugins that an application of the project would have are not missing', async t => {
  const owner = { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.user' }
  const other = { type: 'relation', relation: 'oneToOne', target: 'plugin::menus.menu' }
  const dir = await projectOf(t, {
    'package.json': manifest({ '@strapi/plugin-users-permissions': '4', 'strapi-thing': '1' }),
    'config/plugins.js': "module.exports = { 'quite-unknown': { enabled: true } }",
    [typeAt('page')]: schema('page', { owner, other }),
  })
  const { code, report } = await inspected(dir)
  t.equal(code, 0)
  t.same(report.serves.notInstalled, ['@plinth/users-permissions'])
  const lines = report.ignores.map(({ path, why }) => `${path}: ${why}`).join('\n')
  t.notMatch(lines, /users-permissions/, 'neither the plugin nor its relations')
  t.match(lines, /api::page\.page\.other: .*the plugin "menus"/)
  t.match(lines, /plugin quite-unknown: a plugin for v4, which Plinth does not have/)
  const { out } = await plinth(['doctor', '--dir', dir])
  t.match(out, /@plinth\/users-permissions, which is not installed here: create-plinth --from-v4 installs it/)
  t.match(out, /strapi-thing: adds something that is not known here; if the API needs it/)
})

t.test('cron tasks, and what their code uses', async t => {
  const tasks = `import { rules } from './rules'
export default {
  '*/5 * * * *': async ({ strapi }) => { await strapi.db.query('api::note.note').deleteMany({ where: { title: 'old' } }) },
  tidy: { task() {}, options: { rule: '0 3 * * *' } },
  later: { task() {}, options: new Date(rules) },
}`
  const server = (enabled: string, list = 'tasks') =>
    `import tasks from './tasks'\nexport default ({ env }) => ({ cron: { enabled: ${enabled}, tasks: ${list} } })`
  const files = { 'config/tasks.ts': tasks, 'config/rules.ts': 'export const rules = 1' }
  const cronOf = async (text: string) => {
    const { report } = await inspected(await projectOf(t, { ...files, 'config/server.ts': text }))
    return report.v4!
  }
  const { cron, code, unindexed } = await cronOf(server("env.bool('CRON', true)"))
  t.same(cron, ['*/5 * * * *', 'tidy: 0 3 * * *', 'later'], 'as text, because Node does not find ./tasks')
  t.match(code.uses, [{ what: 'strapi.db.query.deleteMany', places: ['config/tasks.ts:3'] }])
  t.match(unindexed, [{ path: 'api::note.note.title', by: ['filter'] }])
  t.same((await cronOf(server("env.bool('CRON', false)"))).cron, [], 'switched off')
  t.same((await cronOf(server('true', 'all(tasks)'))).cron, ['tasks that could not be read'])
})

t.test('lifecycles to which code subscribes', async t => {
  const { report } = await inspected(
    await projectOf(t, {
      'src/index.js': `module.exports = { register() {}, bootstrap({ strapi }) {
        strapi.db.lifecycles.subscribe({ models: ['api::note.note', 'plugin::upload.file'], async beforeUpdate(event) {}, afterCreate() {} })
        strapi.db.lifecycles.subscribe({ beforeDelete: () => {} })
        strapi.db.lifecycles.subscribe(event => {})
      } }`,
    }),
  )
  t.same(
    report.v4!.code.lifecycles.map(({ uid, events }) => `${uid} ${events}`),
    [
      'api::note.note beforeUpdate,afterCreate',
      'plugin::upload.file beforeUpdate,afterCreate',
      'all types beforeDelete',
      'all types ',
    ],
  )
})

t.test('routes and actions that extensions add', async t => {
  const dir = await projectOf(t, {
    'src/extensions/users-permissions/strapi-server.js': `const more = require('./more')
module.exports = plugin => {
  plugin.controllers.user.avatar = ctx => more(ctx)
  plugin.controllers.user.me = ctx => {}
  plugin.routes['content-api'].routes.push({ method: 'post', path: '/users/avatar', handler: 'user.avatar', config: { prefix: '', policies: ['global::captcha'] } })
  plugin.routes['content-api'].routes = [...plugin.routes['content-api'].routes, { method: 'GET', path: '/users/x', handler: ctx => {} }]
  return plugin
}`,
    'src/extensions/upload/strapi-server.ts': `export default (plugin: any) => {
  plugin.routes['content-api'].routes.push({ method: 'GET', path: '/files/:hash', handler: 'content-api.byHash', config: { auth: false } })
  return plugin
}`,
  })
  const { v4 } = (await inspected(dir)).report
  t.same(
    v4!.code.routes.map(({ method, path, handler, auth, policies }) =>
      [method, path, handler, auth, ...policies].join(' '),
    ),
    [
      'GET /api/upload/files/:hash plugin::upload.content-api.byHash none',
      'POST /api/users/avatar plugin::users-permissions.user.avatar usual global::captcha',
      'GET /api/users/x a function usual',
    ],
  )
  t.match(v4!.code.added, [{ name: 'plugin::users-permissions.user.avatar', line: 3 }])
  t.equal(v4!.code.added.length, 1, 'what is replaced is listed as guarded')
  t.match(v4!.estimate.missing.join('\n'), /^3 routes of own code/)
})

t.test('nothing but the report is printed', async t => {
  const dir = await projectOf(t, {
    'config/plugins.ts': "import { join } from 'node:path'\nexport default () => ({ own: { folder: join('a', 'b') } })",
    'src/api/note/content-types/note.settings.json': '{}',
    'src/api/note/content-types/old/note.settings.json': '{}',
  })
  const { code, err, report } = await inspected(dir)
  t.equal(code, 0)
  t.equal(err, '', 'no advice of Node that would stop v4')
  t.same(report.notes, [])
  t.same(
    report.ignores.filter(({ path }) => path.endsWith('settings.json')),
    [
      {
        path: 'src/api/note/content-types/old/note.settings.json',
        why: 'is not read; the schema of a content type must be named schema.json',
      },
      {
        path: 'src/api/note/content-types/note.settings.json',
        why: 'is not read; a schema must be src/api/<api>/content-types/<name>/schema.json',
      },
    ],
  )
})
