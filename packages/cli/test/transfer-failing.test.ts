// Exports and imports that cannot go on say why, and those that can leave out what leads nowhere.

import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { RunningProgram } from '@plinth/test-tools/command'
import { type Client, databases, freshDatabase } from '@plinth/test-tools/databases'
import { ArchiveWriter } from '@plinth/transfer/archive'
import t, { type Test } from 'tap'
import { fill, type Library, library } from './library.ts'
import { bin } from './plinth.ts'

const clients = await databases()

async function fresh(t: Test, client: Client): Promise<Library> {
  const database = await freshDatabase(client)
  t.teardown(() => database.drop())
  return library(t, database)
}

/** An archive of Plinth with these lines and files. */
async function archiveOf(path: string, lines: readonly object[], files: Readonly<Record<string, string>> = {}) {
  const archive = await ArchiveWriter.open(path, { isCompressed: path.endsWith('gz'), position: 0, mtime: new Date(0) })
  await archive.add('metadata.json', JSON.stringify({ format: 'plinth', version: 1, createdAt: '', parts: [] }))
  await archive.add('rows/rows_00001.jsonl', lines.map(line => `${JSON.stringify(line)}\n`).join(''))
  for (const [name, content] of Object.entries(files)) await archive.add(`assets/uploads/${name}`, content)
  await archive.add('end.json', JSON.stringify({ lines: lines.length, files: Object.keys(files).length }))
  await archive.end()
  await archive.close()
}

for (const [i, client] of clients.entries()) {
  await t.test(`an import whose files cannot be stored (${client})`, async t => {
    const [from, to] = await Promise.all([fresh(t, client), fresh(t, clients[(i + 1) % clients.length]!)])
    const kernel = await from.open()
    await fill(kernel)
    await kernel.close()
    t.match(await from.run('export', '-f', 'all'), { code: 0 })
    const archive = join(from.dir, 'all.tar.gz')
    const uploads = join(to.dir, 'public/uploads')
    await mkdir(dirname(uploads), { recursive: true })
    await writeFile(uploads, 'a file, and no folder')
    t.match(await to.run('import', '-f', archive), { code: 1, out: '', err: /^plinth: .*public\/uploads/ })
    await rm(uploads)
    const [name] = (await readdir(join(from.dir, 'public/uploads'))).filter(one => !one.startsWith('.'))
    await mkdir(join(uploads, name!, 'full'), { recursive: true })
    t.match(await to.run('import', '-f', archive), { code: 1, err: new RegExp(`plinth: .*${name}`) })
    await rm(uploads, { recursive: true })
    t.match(
      await to.run('import', '-f', archive),
      { code: 0, err: /Continuing/ },
      'it continues when the fault is gone',
    )
  })

  await t.test(`rows that the database refuses are named (${client})`, async t => {
    const app = await fresh(t, client)
    const archive = join(app.dir, 'made.tar')
    const writer = (id: number, name: string) => ({ row: 'api::writer.writer', values: { id, name } })
    const link = { row: 'api::article.article.writers', values: { from: 1, to: 9 } }
    const cases: [string, readonly object[], RegExp][] = [
      ['a unique value', [writer(1, 'Ann'), writer(2, 'Bo'), writer(3, 'Ann')], /line 3: api::writer\.writer 3 cannot/],
      ['an id', [writer(1, 'Ann'), writer(1, 'Bo')], /line 2: api::writer\.writer 1 cannot be stored/],
      [
        'a link',
        [writer(1, 'Ann'), { row: 'api::article.article', values: { id: 1 } }, link],
        /line 3: api::article\.article\.writers \(from 1, to 9\) cannot be stored: there is no row 9 in the table writers/,
      ],
      [
        'a place of a component',
        [
          writer(1, 'Ann'),
          {
            row: 'api::article.article#components',
            values: { entity: 7, component: 1, type: 'shared.seo', field: 'seo', order: 1 },
          },
        ],
        /line 2: api::article\.article#components \(entity 7, component 1\) cannot be stored: there is no row 7/,
      ],
      [
        'a reference',
        [writer(1, 'Ann'), { set: 'api::writer.writer', id: 1, values: { teacher: 5 } }],
        /line 2: api::writer\.writer 1 cannot be stored: there is no row 5 in the table writers/,
      ],
    ]
    // An archive that is read to its end when the error comes, and one that is not.
    for (const [at, [name, lines, err]] of cases.entries()) {
      await archiveOf(archive, lines, at % 2 === 0 ? {} : { 'a.txt': 'x'.repeat(3_000_000) })
      const answer = await app.run('import', '-f', archive, '--force', '--yes')
      t.match(answer, { code: 1, out: '', err: /^plinth: rows\/rows_00001\.jsonl, /m }, name)
      t.match(answer.err, err, name)
    }
  })

  await t.test(`links without both ends are left out of an export (${client})`, async t => {
    const [from, to] = await Promise.all([fresh(t, client), fresh(t, clients[(i + 1) % clients.length]!)])
    const kernel = await from.open()
    await fill(kernel)
    await damage(client, kernel)
    await kernel.close()
    const exported = await from.run('export', '-f', 'all')
    t.match(exported, { code: 0, err: /^8 links and references are left out, because they lead to/m })
    const archive = join(from.dir, 'all.tar.gz')
    t.match(await to.run('import', '-f', archive), { code: 0, err: '' })
    t.match(await to.run('export', '-f', 'again'), { code: 0, err: /^Wrote (\d+) entries[^\n]*\n$/ })
    const [, written] = /(Wrote .*)/.exec(exported.err)!
    t.match(await to.run('export', '-f', 'again', '--force'), { err: `${written}\n` })
  })
}

/** Leaves what tables without foreign keys keep: links, places and references that lead to no row. */
async function damage(client: Client, { knex }: Awaited<ReturnType<Library['open']>>): Promise<void> {
  const statements: Readonly<Record<Client, readonly [string, string]>> = {
    sqlite: ['PRAGMA foreign_keys = OFF', 'PRAGMA foreign_keys = ON'],
    mysql: ['SET FOREIGN_KEY_CHECKS = 0', 'SET FOREIGN_KEY_CHECKS = 1'],
    postgres: ["SET session_replication_role = 'replica'", "SET session_replication_role = 'origin'"],
  }
  const [off, on] = statements[client]
  // PRAGMA has no effect within a transaction, and the others are of one connection.
  const connection = await knex.client.acquireConnection()
  const run = (text: string) => knex.raw(text).connection(connection)
  const quote = (name: string) => (client === 'mysql' ? `\`${name}\`` : `"${name}"`)
  const place = `INSERT INTO articles_components (entity_id, component_id, component_type, field, ${quote('order')})`
  const morph = `INSERT INTO files_related_morphs (file_id, related_id, related_type, field, ${quote('order')})`
  try {
    await run(off)
    await run('INSERT INTO articles_writers_links (article_id, writer_id) VALUES (1, 99)')
    await run('INSERT INTO articles_writers_links (article_id, writer_id) VALUES (98, 1)')
    await run(`${place} VALUES (97, 1, 'shared.seo', 'seo', 1)`)
    await run(`${place} VALUES (NULL, 1, 'shared.seo', 'seo', 1)`)
    await run(`${place} VALUES (1, 1, 'shared.gone', 'zone', 1)`)
    await run(`${morph} VALUES (1, 1, 'api::gone.gone', 'cover', 1)`)
    await run(`${morph} VALUES (1, 95, 'api::article.article', 'cover', 1)`)
    await run('UPDATE writers SET teacher_id = 94 WHERE id = 3')
    await run(on)
  } finally {
    await knex.client.releaseConnection(connection)
  }
}

await t.test('an import whose storage does not answer', async t => {
  const provider = `
    const provider = { store: () => { console.error('storing'); return new Promise(() => setInterval(() => {}, 1000)) },
      remove() {}, urlOf: key => '/x/' + key, open() { throw Object.assign(new Error('gone'), { code: 'ENOENT' }) } }
    export default { init: () => provider }`
  const app = await fresh(t, 'sqlite')
  await app.write('provider.mjs', provider)
  await app.write('config/plugins.json', {
    'draft-publish': true,
    passwords: true,
    upload: { config: { provider: './provider.mjs' } },
    i18n: true,
  })
  const archive = join(app.dir, 'made.tar')
  await archiveOf(archive, [], { 'a.txt': 'content' })
  const program = new RunningProgram(t, [bin, 'import', '-f', archive, '--dir', app.dir], app.env)
  await program.printed(/storing/)
  program.process.kill('SIGTERM')
  t.equal(await program.ended, 1)
  t.match(program.text, /plinth: interrupted; the command did not end within 10 seconds/)
})
