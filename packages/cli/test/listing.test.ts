// `plinth routes` and `plinth content-types`.

import { access } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { application } from './application.ts'
import { plinth } from './plinth.ts'

t.test('routes, as a table and as JSON', async t => {
  const own = `export default { register({ kernel }) {
    kernel.hooks.on('onMount', app => void app.route({ method: ['PUT', 'PATCH'], url: '/own/:id', handler: async () => 1 }))
  }, bootstrap() { throw new Error('bootstrap has run') } }`
  const app = await application(t, { 'src/index.mjs': own })
  const [table, json] = await Promise.all([
    plinth(['routes', '--dir', app.dir], app.env),
    plinth(['routes:list', '--json', '--dir', app.dir], app.env),
  ])
  t.equal(table.code, 0, table.err)
  t.match(table.out, /^METHOD +PATH +ACTION\n/)
  t.match(table.out, /^GET +\/api\/notes +api::note\.note\.find$/m)
  t.match(table.out, /^DELETE +\/api\/notes\/:id +api::note\.note\.delete$/m)
  t.match(table.out, /^PUT\|PATCH +\/own\/:id$/m)
  t.match(table.out, /^ANY +\/_health$/m)
  t.match(table.out, /^POST +\/graphql$/m)
  t.notMatch(table.out, /_refused|HEAD|\u001B/)
  const found = JSON.parse(json.out) as { methods: string[]; path: string; action: string | null }[]
  t.match(
    found.find(one => one.path === '/api/notes' && one.methods.includes('POST')),
    { methods: ['POST'], action: 'api::note.note.create' },
  )
  t.match(
    found.find(one => one.path === '/own/:id'),
    { methods: ['PUT', 'PATCH'], action: null },
  )
})

t.test('content types, as a table and as JSON', async t => {
  const seo = { collectionName: 'components_shared_seos', attributes: { words: { type: 'text' } } }
  const app = await application(t, { 'src/components/shared/seo.json': JSON.stringify(seo) })
  const [table, json] = await Promise.all([
    plinth(['content-types', '--dir', app.dir], app.env),
    plinth(['content-types:list', '--json', '--dir', app.dir], app.env),
  ])
  t.equal(table.code, 0, table.err)
  t.match(
    table.out,
    /^UID +KIND +TABLE +ATTRIBUTES\napi::note\.note +collectionType +notes +\d+\nshared\.seo +component +/,
  )
  const found = JSON.parse(json.out) as { uid: string }[]
  t.match(found, [
    { uid: 'api::note.note', pluralName: 'notes', attributes: { title: 'string', createdAt: 'datetime' } },
    { uid: 'shared.seo', kind: 'component', attributes: { words: 'text' } },
  ])
})

t.test('commands that look make no file of SQLite', async t => {
  const indexes = { 'api::note.note': ['title'] }
  const app = await application(t, {
    'config/database.json': JSON.stringify({ indexes }),
  })
  const run = (...words: string[]) => plinth([...words, '--dir', app.dir], app.env)
  for (const [words, code] of [
    [['routes'], 0],
    [['content-types'], 0],
    [['types', '--check'], 1],
    [['advise'], 0],
    [['migrate', 'status'], 1],
    [['migrate', 'down'], 0],
    [['graphql', 'schema'], 0],
    [['export', '-f', join(app.dir, 'all')], 1],
  ] as const)
    t.equal((await run(...words)).code, code, words.join(' '))
  const plan = await run('migrate', 'plan')
  t.match(plan, { code: 0, out: /create:notes[\s\S]*CREATE TABLE "notes"/ })
  await t.rejects(access(join(app.dir, '.data')))
  t.match(await run('migrate', 'apply'), { code: 0, out: /ran {6}create:notes/ })
  t.match(await run('migrate', 'status'), { code: 0, out: 'The tables match the model.\n' })
})

t.test('faults, and usage', async t => {
  const app = await application(t, { 'config/plugins.json': '{ "rset": true }' })
  for (const word of ['routes', 'content-types']) {
    t.match(await plinth([word, '--dir', app.dir], app.env), { code: 1, out: '', err: /did you mean "rest"/ })
    t.match(await plinth([word, '--jsn', '--dir', app.dir], app.env), { code: 2, err: /did you mean "--json"/ })
    t.match(await plinth([word, '--help'], { ...app.env, NO_COLOR: '' }), { code: 0, out: /^EXAMPLES$/m })
  }
  t.match(await plinth(['rotues'], app.env), { code: 2, err: /unknown command "rotues", did you mean "routes"\?/ })
  t.notMatch((await plinth(['routes', '--help'], { NO_COLOR: '' })).out, '\u001B')
  await t.rejects(access(join(app.dir, '.data/plinth.db')))
})
