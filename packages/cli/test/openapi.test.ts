// `plinth openapi` and `plinth graphql schema`: what an application offers, for CI.

import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { application, noteSchema, schemaFile } from './application.ts'
import { plinth } from './plinth.ts'

t.setTimeout(240_000)

/** By its path, because the plugin's own tests need this package. */
const plugin = join(import.meta.dirname, '../../openapi/src/index.ts')

t.test('the document is printed, written and checked', async t => {
  const own = `export default { register({ kernel }) {
    kernel.hooks.on('onMount', app => void app.get('/own', async () => 1))
  }, bootstrap() { throw new Error('bootstrap has run') } }`
  const app = await application(t, {
    'config/plugins.json': JSON.stringify({ rest: true, openapi: { resolve: plugin } }),
    'src/index.mjs': own,
    'package.json': JSON.stringify({ name: 'notes', version: '1.2.3' }),
  })
  const openapi = (...words: string[]) => plinth(['openapi', '--dir', app.dir, ...words], app.env)
  const printed = await openapi()
  t.equal(printed.code, 0, printed.err)
  const document = JSON.parse(printed.out)
  t.match(document, { openapi: '3.1.0', info: { title: 'notes', version: '1.2.3' }, servers: [{ url: '/api' }] })
  t.same(Object.keys(document.paths).slice(0, 2), ['/notes', '/notes/{id}'])
  for (const path of ['/own', '/openapi.json']) t.ok(path in document.paths, path)

  const out = join(app.dir, 'front/openapi.json')
  t.match(await openapi('--out', out, '--check'), { code: 1, err: /is stale: plinth openapi --out/ })
  await t.rejects(access(out), 'a check writes nothing')
  t.match(await openapi('--out', out), { code: 0, out: `Wrote ${out}\n` })
  t.same(JSON.parse(await readFile(out, 'utf8')), document)
  t.match(await openapi('--out', out, '--check'), { code: 0, out: `${out} is up to date\n` })
  await app.write(schemaFile, noteSchema({ title: { type: 'string' }, rank: { type: 'integer' } }))
  t.match(await openapi('--out', out, '--check'), { code: 1 })
  t.match(await openapi('--check'), { code: 1, err: 'plinth: --check is for the file of --out\n' })
})

t.test('without the plugin', async t => {
  const app = await application(t)
  t.match(await plinth(['openapi', '--dir', app.dir], app.env), {
    code: 1,
    out: '',
    err: /needs the plugin openapi: npm install @plinth\/openapi/,
  })
})

t.test('the schema of GraphQL', async t => {
  const app = await application(t)
  const { code, out, err } = await plinth(['graphql', 'schema', '--dir', app.dir], app.env)
  t.equal(code, 0, err)
  t.match(out, /^type Note \{\n {2}title: String\n/m)
  t.match(out, 'createNote(data: NoteInput!): NoteEntityResponse')
  t.notMatch(out, 'Subscription')
})
