// `plinth openapi`: the document of an application, for CI.

import { access, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { run } from '@plinth/cli'
import { runHere } from '@plinth/test-tools/command'
import t from 'tap'

const schemaFile = 'src/api/note/content-types/note/schema.json'
const noteSchema = (attributes: object) =>
  JSON.stringify({
    kind: 'collectionType',
    collectionName: 'notes',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes,
  })

t.test('the document is printed, written and checked', async t => {
  const dir = await mkdtemp(join(tmpdir(), 'plinth-openapi-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  const write = async (name: string, text: string) => {
    await mkdir(dirname(join(dir, name)), { recursive: true })
    await writeFile(join(dir, name), text)
  }
  const resolve = join(import.meta.dirname, '../src/index.ts')
  await write('config/plugins.json', JSON.stringify({ rest: true, openapi: { resolve } }))
  await write(schemaFile, noteSchema({ title: { type: 'string' } }))
  await write('package.json', JSON.stringify({ name: 'notes', version: '1.2.3' }))
  await write(
    'src/index.mjs',
    `export default { register({ kernel }) {
    kernel.hooks.on('onMount', app => void app.get('/own', async () => 1))
  }, bootstrap() { throw new Error('bootstrap has run') } }`,
  )
  const env = { DATABASE_CLIENT: 'sqlite', DATABASE_FILENAME: join(dir, '.data/test.db') }
  const openapi = (...words: string[]) => runHere(run, ['openapi', '--dir', dir, ...words], env)
  const printed = await openapi()
  t.equal(printed.code, 0, printed.err)
  const document = JSON.parse(printed.out)
  t.match(document, { openapi: '3.1.0', info: { title: 'notes', version: '1.2.3' }, servers: [{ url: '/api' }] })
  t.same(Object.keys(document.paths).slice(0, 2), ['/notes', '/notes/{id}'])
  for (const path of ['/own', '/openapi.json']) t.ok(path in document.paths, path)

  const out = join(dir, 'front/openapi.json')
  t.match(await openapi('--out', out, '--check'), { code: 1, err: /is stale: plinth openapi --out/ })
  await t.rejects(access(out), 'a check writes nothing')
  t.match(await openapi('--out', out), { code: 0, out: `Wrote ${out}\n` })
  t.same(JSON.parse(await readFile(out, 'utf8')), document)
  t.match(await openapi('--out', out, '--check'), { code: 0, out: `${out} is up to date\n` })
  await write(schemaFile, noteSchema({ title: { type: 'string' }, rank: { type: 'integer' } }))
  t.match(await openapi('--out', out, '--check'), { code: 1 })
  t.match(await openapi('--check'), { code: 1, err: 'plinth: --check is for the file of --out\n' })
})
