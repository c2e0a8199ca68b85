// What `plinth doctor` says of the guards of a v4 project, in the folder of the project and in an application made of it.

import { generated, type Texts, written } from '@plinth/test-tools/v4-projects'
import t from 'tap'
import type { Report } from '../src/doctor.ts'
import { plinth } from './plinth.ts'

const database = "module.exports = { connection: { client: 'sqlite', connection: { filename: ':memory:' } } };"
const relation = { type: 'relation', relation: 'manyToOne', target: 'api::note.note' }

const project: Texts = {
  'package.json': JSON.stringify({ name: 'notes', dependencies: { '@strapi/strapi': '4.25.9' } }),
  'config/database.js': database,
  ...generated('note'),
  ...generated('page', { attributes: { title: { type: 'string' }, note: relation } }),
  'src/api/note/routes/note.js': `const { createCoreRouter } = require('@strapi/strapi').factories;
module.exports = createCoreRouter('api::note.note', { prefix: '/shop', config: { update: { policies: ['is-owner'] } } });`,
  'src/api/note/controllers/note.js': `module.exports = require('@strapi/strapi').factories.createCoreController('api::note.note', () => ({
  async find(ctx) { return super.find(ctx); },
}));`,
}

t.test('guarded actions have their route, their file and what stood before them', async t => {
  const dir = await written(t, project)
  const { code, out, err } = await plinth(['doctor', '--dir', dir, '--json'])
  t.equal(code, 0, err)
  t.same((JSON.parse(out) as Report).guarded, [
    {
      action: 'api::note.note.update',
      method: 'PUT',
      path: '/api/shop/notes/:id',
      reasons: ['src/api/note/routes/note.js:2: the policy is-owner is not run'],
      inGraphqlOnly: false,
      isOpened: false,
      shownBy: [],
    },
    {
      action: 'api::note.note.find',
      method: 'GET',
      path: '/api/shop/notes',
      reasons: ['src/api/note/controllers/note.js:2: the controller replaces find'],
      inGraphqlOnly: false,
      isOpened: false,
      shownBy: ['api::page.page.note'],
    },
  ])
  const text = (await plinth(['doctor', '--dir', dir])).out
  t.match(text, 'Plinth answers 403, because code of v4 guards or replaces')
  t.match(text, 'GET /api/shop/notes  api::note.note.find: src/api/note/controllers/note.js:2')
  t.match(text, 'a populate of api::page.page.note still shows its entries')
})

t.test('a reason that all actions have stands once', async t => {
  const dir = await written(t, {
    'package.json': project['package.json']!,
    'config/database.js': database,
    ...generated('note'),
    'src/api/note/controllers/note.js': project['src/api/note/controllers/note.js']!,
    'src/index.js':
      'module.exports = { register({ strapi }) { strapi.server.use(async (ctx, next) => { ctx.user = 1 }) } }',
  })
  const { out } = await plinth(['doctor', '--dir', dir])
  t.equal(out.split('stands before all requests').length - 1, 1, out)
  t.match(out, /^ {2}all of these: src\/index\.js:1: .*stands before all requests$/m)
  t.match(out, /^ {2}GET \/api\/notes {2}api::note\.note\.find: src\/api\/note\/controllers\/note\.js:2/m)
  t.match(out, /^ {2}DELETE \/api\/notes\/:id {2}api::note\.note\.delete$/m)
})

t.test('routes in lists are served where they name built-in actions', async t => {
  const routes = [
    { method: 'GET', path: '/all-notes', handler: 'note.find' },
    { method: 'GET', path: '/notes/best', handler: 'note.best' },
  ]
  const dir = await written(t, {
    'package.json': project['package.json']!,
    'config/database.js': database,
    ...generated('note'),
    'src/api/note/routes/note.js': `module.exports = ${JSON.stringify({ routes })}`,
  })
  const { v4 } = JSON.parse((await plinth(['doctor', '--dir', dir, '--json'])).out) as Report
  t.same(
    v4?.code.routes.map(one => one.path),
    ['/api/notes/best'],
  )
})

t.test('the settings of an application', async t => {
  const settings = {
    unguarded: ['api::note.note.find'],
    shut: { 'api::note.note.find': 'src/a.js: replaced', 'api::note.note.update': 'src/b.js: the policy is-owner' },
  }
  const dir = await written(t, {
    'config/database.js': database,
    'config/plugins.js': `module.exports = { rest: true, v4: { config: ${JSON.stringify(settings)} } };`,
    'src/api/note/content-types/note/schema.json': String(project['src/api/note/content-types/note/schema.json']),
  })
  const { out } = await plinth(['doctor', '--dir', dir])
  t.match(out, 'api::note.note.find (opened by unguarded): src/a.js: replaced')
  t.match(out, 'api::note.note.update: src/b.js: the policy is-owner')
})

t.test('plain factories', async t => {
  const dir = await written(t, { ...project, ...generated('note') })
  t.notMatch((await plinth(['doctor', '--dir', dir])).out, 'answers 403')
})
