// Guards of a v4 project whose code an application does not have: it answers 403 until its settings open an action.

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { generated, type Texts } from '@plinth/test-tools/v4-projects'
import t, { type Test } from 'tap'
import { create, folderFor, link, Server } from './fixtures/project.ts'

const packages = {
  '@strapi/strapi': '4.25.9',
  '@strapi/plugin-users-permissions': '4.25.9',
  '@strapi/plugin-graphql': '4.25.9',
  'better-sqlite3': '8.6.0',
}

const relation = { type: 'relation', relation: 'manyToOne', target: 'api::note.note' }

const project: Texts = {
  'package.json': JSON.stringify({ name: 'notes', dependencies: packages }),
  '.env': 'JWT_SECRET=a secret of 32 characters or more\nAPI_TOKEN_SALT=a salt of 32 characters or more\n',
  'config/database.js':
    "module.exports = { connection: { client: 'sqlite', connection: { filename: '.tmp/data.db' } } };",
  ...generated('note'),
  ...generated('page', { attributes: { title: { type: 'string' }, note: relation } }),
  'src/api/note/routes/note.js': `const { createCoreRouter } = require('@strapi/strapi').factories;
module.exports = createCoreRouter('api::note.note', { except: ['create'], config: { update: { policies: ['is-owner'] } } });`,
  'src/api/note/policies/is-owner.js': 'module.exports = () => false;',
  'src/api/note/controllers/note.js': `module.exports = require('@strapi/strapi').factories.createCoreController('api::note.note', () => ({
  async find(ctx) { return super.find(ctx); },
}));`,
  'src/api/page/routes/page.js': `module.exports = require('@strapi/strapi').factories.createCoreRouter('api::page.page', { prefix: '/site', config: { find: { auth: false } } });`,
  'src/extensions/users-permissions/strapi-server.js':
    "module.exports = plugin => { plugin.controllers.user.me = async ctx => { ctx.body = 'it\\'s me'; }; return plugin; };",
}

async function made(t: Test, files: Texts) {
  const parent = await folderFor(t)
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(parent, 'old', dirname(path)), { recursive: true })
    await writeFile(join(parent, 'old', path), text)
  }
  const { code, out, err } = await create(['new', '--from-v4', 'old', '--no-install'], parent)
  t.equal(code, 0, err)
  const dir = join(parent, 'new')
  return { dir, out, read: (path: string) => readFile(join(dir, path), 'utf8') }
}

const forms: Readonly<Record<string, Texts>> = {
  'no config/plugins': {},
  'settings as text': { 'config/plugins.js': 'module.exports = { graphql: { enabled: true } };' },
  'settings in JSON': { 'config/plugins.json': '{ "graphql": { "enabled": true } }' },
  'settings of code': {
    'config/plugins.js':
      'module.exports = ({ env }) => { const all = {}; for (const one of ["graphql"]) all[one] = { enabled: true }; return all; };',
  },
}

for (const [name, files] of Object.entries(forms))
  t.test(`an application keeps what was guarded shut: ${name}`, async t => {
    const { dir, out, read } = await made(t, { ...project, ...files })
    const reason = 'src/api/note/routes/note.js:2: the policy is-owner is not run'
    const config = await read('config/plugins.js')
    t.match(config, `'api::note.note.update': '${reason}',`)
    t.match(config, `// 'api::note.note.update', // PUT /notes/:id, ${reason}`)
    t.match(out, `PUT /notes/:id (api::note.note.update): ${reason}`)
    t.match(
      out,
      /GET \/notes \(api::note\.note\.find\): .*replaces find\. A populate of api::page\.page\.note still shows/,
    )
    t.match(out, 'GET /users/me (plugin::users-permissions.user.me)')
    t.match(await read('README.md'), `## Shut\n`)
    t.match(await read('README.md'), `- PUT /notes/:id (api::note.note.update): ${reason}`)

    await link(dir)
    const rights = ['find', 'findOne', 'create', 'update'].map(one => `'api::note.note.${one}'`).join()
    const granted = `'users-permissions': { config: { permissions: { public: [${rights}] } } }`
    const write = (text: string) => writeFile(join(dir, 'config/plugins.js'), text)
    const open = config.replace(/'users-permissions': true/, granted)
    t.not(open, config)
    await write(open)
    const server = await Server.start(t, dir, { HOST: '127.0.0.1' })
    const status = async (method: string, path: string) => {
      const body = method === 'GET' ? {} : { body: '{"data":{}}', headers: { 'content-type': 'application/json' } }
      return (await fetch(server.address + path, { method, ...body })).status
    }
    t.equal(await status('GET', '/api/notes'), 403)
    t.equal(await status('PUT', '/api/notes/1'), 403)
    t.equal(await status('POST', '/api/notes'), 405)
    t.equal(await status('GET', '/api/notes/1'), 404)
    t.equal(await status('GET', '/api/site/pages'), 200)
    t.equal(await status('GET', '/api/pages'), 404)
    t.match(await server.post('/graphql', { query: '{ notes { data { id } } }' }), {
      body: { errors: [{ message: 'Forbidden access' }] },
    })
    t.match(await server.post('/graphql', { query: '{ note(id: 1) { data { id } } }' }), {
      body: { data: { note: { data: null } } },
    })
    await server.end()
    if (name !== 'no config/plugins') return

    await write(open.replace("// 'api::note.note.find', //", "'api::note.note.find', //"))
    const again = await Server.start(t, dir, { HOST: '127.0.0.1' })
    t.equal((await fetch(`${again.address}/api/notes`)).status, 200, 'a line opens its action')
  })

t.test('what code changes under other names is shut in the application too', async t => {
  const localized = { pluginOptions: { i18n: { localized: true } } }
  const { dir, read } = await made(t, {
    'package.json': String(project['package.json']),
    '.env': String(project['.env']),
    'config/database.js': String(project['config/database.js']),
    ...generated('note', localized),
    ...generated('page'),
    'config/middlewares.js': "module.exports = ['strapi::errors', { name: 'global::office' }];",
    'src/middlewares/office.js': 'module.exports = () => ctx => ctx.forbidden();',
    'src/index.js': "module.exports = { register({ strapi }) { require('../lib/patch')(strapi) } };",
    'lib/patch.js': "module.exports = app => { app.controller('api::page.page').find = async ctx => {} };",
  })
  const config = await read('config/plugins.js')
  t.match(config, 'lib/patch.js:1: it replaces api::page.page.find when v4 starts; src/middlewares/office.js: ')
  t.equal(config.includes('createLocalization'), /^ *i18n/m.test(config))
  await link(dir)
  const server = await Server.start(t, dir, { HOST: '127.0.0.1' })
  for (const path of ['/api/notes', '/api/pages', '/api/users/me'])
    t.equal((await fetch(server.address + path)).status, 403, path)
})

t.test('a project of plain factories needs nothing of it', async t => {
  const { out, read } = await made(t, {
    'package.json': String(project['package.json']),
    'config/database.js': String(project['config/database.js']),
    ...generated('note'),
  })
  t.notMatch(await read('config/plugins.js'), 'v4')
  t.notMatch(await read('package.json'), '@plinth/v4')
  t.notMatch(out, 'Shut')
  t.notMatch(await read('README.md'), '## Shut')
})
