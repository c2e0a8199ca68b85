// Exports and imports whose process is killed, and large ones: what remains, what continues, and the memory they take.

import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Client, databases, freshDatabase, type TestDatabase } from '@plinth/test-tools/databases'
import t, { type Test } from 'tap'
import { ArchiveWriter } from '../src/transfer/archive-writer.ts'
import { lineOf, names } from '../src/transfer/own-format.ts'
import { application, Running, until } from './application.ts'
import { plinth } from './plinth.ts'

t.setTimeout(300_000)

/** Writes an archive of so many notes, each with a long title. */
async function archiveOf(path: string, count: number): Promise<void> {
  const archive = await ArchiveWriter.open(path, { isCompressed: false, position: 0, mtime: new Date() })
  await archive.add(names.metadata, JSON.stringify({ format: 'plinth', version: 1 }))
  const perFile = 2500
  const title = 'long title '.repeat(20)
  for (let first = 1; first <= count; first += perFile) {
    const rows = Array.from({ length: Math.min(perFile, count - first + 1) }, (_, i) => ({ id: first + i, title }))
    const lines = rows.map(row => lineOf({ kind: 'row', table: 'api::note.note', row, hasFiles: false }))
    await archive.add(names.rows(Math.ceil(first / perFile)), lines.join(''))
  }
  await archive.add(names.end, JSON.stringify({ lines: count, files: 0 }))
  await archive.end()
  await archive.close()
}

/** The first value of a query; null if it fails, as it does before the table is there. */
async function scalarOf(database: TestDatabase, sql: string): Promise<number | null> {
  const opened = await database.open()
  try {
    const [row] = await opened.all(sql)
    return row === undefined ? null : Number(Object.values(row)[0])
  } catch {
    return null
  } finally {
    await opened.close()
  }
}

async function notes(t: Test, client: Client) {
  const database = await freshDatabase(client)
  t.teardown(() => database.drop())
  const app = await application(t, { 'config/plugins.json': '{ "rest": true }' })
  const env = { ...app.env, ...database.env, NODE_ENV: 'test' }
  return { ...app, database, env, run: (...args: string[]) => plinth([...args, '--dir', app.dir], env, app.dir) }
}

/** Runs an import until it is killed, after three transactions of a thousand rows each. */
async function killedImport(t: Test, { dir, env }: Awaited<ReturnType<typeof notes>>, archive: string): Promise<void> {
  const preload = pathToFileURL(join(import.meta.dirname, 'fixtures/killed-import.ts'))
  const NODE_OPTIONS = `--import ${preload.href}`
  const killed = await plinth(['import', '--dir', dir, '-f', archive], { ...env, NODE_OPTIONS })
  t.match(killed, { code: null, out: '', err: '' })
}

for (const client of await databases()) {
  await t.test(`a killed import continues (${client})`, async t => {
    const app = await notes(t, client)
    const { dir, database, run } = app
    const archive = join(dir, 'notes.tar')
    await archiveOf(archive, 6000)
    const count = () => scalarOf(database, 'SELECT COUNT(*) FROM notes')
    await killedImport(t, app, archive)
    t.equal(await count(), 3000)

    const server = await run('start')
    t.match(server, { code: 1 })
    t.match(server.out + server.err, /An import into the database is running or was interrupted/)
    const other = join(dir, 'other.tar')
    await archiveOf(other, 10)
    t.match(await run('import', '-f', other), { code: 1, err: /An import of another archive was interrupted/ })
    t.match(await run('import', '-f', archive, '--only', 'content'), { code: 1, err: /had the parts content,files/ })

    const second = await run('import', '-f', archive)
    t.match(second, { code: 0, err: /Continuing the interrupted import/ })
    t.equal(second.out, 'Imported 3000 rows\n', 'only what was missing was written')
    t.equal(await count(), 6000)
    t.equal(await scalarOf(database, 'SELECT 1 FROM plinth_import'), null, 'the record is gone')
    t.match(await run('migrate', 'status'), { code: 0 })
  })

  await t.test(`a killed import begins again with --force (${client})`, async t => {
    const app = await notes(t, client)
    const { dir, database, run } = app
    const archive = join(dir, 'notes.tar')
    await archiveOf(archive, 6000)
    await killedImport(t, app, archive)
    const other = join(dir, 'other.tar')
    await archiveOf(other, 10)
    t.match(await run('import', '-f', other, '--force', '--yes'), { code: 0, out: 'Imported 10 rows\n' })
    t.equal(await scalarOf(database, 'SELECT COUNT(*) FROM notes'), 10)
  })
}

await t.test('two imports at a time', async t => {
  const { dir, env, database } = await notes(t, 'sqlite')
  const archive = join(dir, 'notes.tar')
  await archiveOf(archive, 20_000)
  const runs = [1, 2].map(() => new Running(t, ['import', '--dir', dir, '-f', archive], env))
  const codes = await Promise.all(runs.map(one => one.ended))
  t.ok(codes.includes(0), runs.map(one => one.text).join('\n'))
  t.equal(await scalarOf(database, 'SELECT COUNT(*) FROM notes'), 20_000)
})

await t.test('large archives take little memory, and a killed export leaves no archive', async t => {
  const { dir, env, database, run } = await notes(t, 'sqlite')
  const archive = join(dir, 'notes.tar')
  const count = 300_000
  await archiveOf(archive, count)
  // The archive has 90 MB.
  const little = { ...env, NODE_OPTIONS: '--max-old-space-size=64' }
  t.match(await plinth(['import', '--dir', dir, '-f', archive], little), { code: 0, out: `Imported ${count} rows\n` })
  t.equal(await scalarOf(database, 'SELECT COUNT(*) FROM notes'), count)

  const killed = new Running(t, ['export', '--dir', dir, '-f', join(dir, 'out')], env)
  await until(
    async () => (await readdir(dir)).includes('out.tar.gz.part'),
    () => killed.text,
  )
  killed.process.kill('SIGKILL')
  await killed.ended
  t.notOk((await readdir(dir)).includes('out.tar.gz'), 'nothing has the name of the archive')
  t.match(await plinth(['export', '--dir', dir, '-f', join(dir, 'out')], little), { code: 0 })
  t.same(
    (await readdir(dir)).filter(name => name.startsWith('out')),
    ['out.tar.gz'],
  )
  await writeFile(join(dir, 'config/plugins.json'), '{}')
  t.match(await run('export', '-f', '/no/such/folder/out'), { code: 1, err: /ENOENT/ })
})
