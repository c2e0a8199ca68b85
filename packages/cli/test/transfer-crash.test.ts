// Exports and imports whose process is killed, and large ones: what remains, what continues, and the memory they take.

import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createKernel } from '@plinth/kernel'
import { type Client, databases, freshDatabase, type TestDatabase } from '@plinth/test-tools/databases'
import { ArchiveWriter, lineOf, names } from '@plinth/transfer/archive'
import t, { type Test } from 'tap'
import { application, Running, until } from './application.ts'
import { fill, type Library, library } from './library.ts'
import { plinthProcess } from './plinth.ts'

/** Writes an archive of so many notes, each with a title of so many words. */
async function archiveOf(path: string, count: number, words = 20): Promise<void> {
  const archive = await ArchiveWriter.open(path, { isCompressed: false, position: 0, mtime: new Date() })
  await archive.add(names.metadata, JSON.stringify({ format: 'plinth', version: 1 }))
  const perFile = 2500
  const title = 'long title '.repeat(words)
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
  return { ...app, database, env, run: (...args: string[]) => plinthProcess([...args, '--dir', app.dir], env, app.dir) }
}

/** A step of an import: a call of a method of the writer. */
interface Step {
  readonly method: 'insert' | 'empty' | 'continueIds'
  readonly number: number
  readonly signal: NodeJS.Signals
}

function preloadOf(step: Step): string {
  const preload = pathToFileURL(join(import.meta.dirname, 'fixtures/signal-at-write.ts'))
  preload.search = String(new URLSearchParams({ ...step, number: String(step.number) }))
  return `--import ${preload.href}`
}

/** Runs an import until it is killed, after three transactions of a thousand rows each. */
async function killedImport(t: Test, { dir, env }: Awaited<ReturnType<typeof notes>>, archive: string): Promise<void> {
  const NODE_OPTIONS = preloadOf({ method: 'insert', number: 4, signal: 'SIGKILL' })
  const killed = await plinthProcess(['import', '--dir', dir, '-f', archive], { ...env, NODE_OPTIONS })
  t.match(killed, { code: null, out: '', err: '' })
}

const clients = await databases()

for (const client of clients) {
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

for (const client of clients) {
  await t.test(`an import that is killed while it empties, or sets the ids, continues (${client})`, async t => {
    const app = await notes(t, client)
    const { dir, database, env, run } = app
    const [first, second] = [join(dir, 'first.tar'), join(dir, 'second.tar')]
    await archiveOf(first, 20)
    await archiveOf(second, 10)
    t.match(await run('import', '-f', first), { code: 0 })
    const emptying = { ...env, NODE_OPTIONS: preloadOf({ method: 'empty', number: 1, signal: 'SIGKILL' }) }
    const force = ['import', '--dir', dir, '-f', second, '--force', '--yes']
    t.match(await plinthProcess(force, emptying), { code: null, err: /will be deleted/ })
    const numbering = { ...env, NODE_OPTIONS: preloadOf({ method: 'continueIds', number: 1, signal: 'SIGKILL' }) }
    t.match(await plinthProcess(['import', '--dir', dir, '-f', second], numbering), {
      code: null,
      err: /Continuing the/,
    })
    t.equal(await scalarOf(database, 'SELECT COUNT(*) FROM notes'), 10, 'of the second archive alone')
    t.match(await run('import', '-f', second), { code: 0, out: 'Imported 0 rows\n', err: /Continuing the/ })
    const kernel = await createKernel({ dir, database: database.config, plugins: {} })
    t.teardown(() => kernel.close())
    const { id } = await kernel.query('api::note.note').create({ data: { title: 'next' } })
    t.ok(id > 10, `ids continue: ${id}`)
  })
}

await t.test('an interrupted import says what continues it', async t => {
  const { dir, env, database, run } = await notes(t, 'sqlite')
  const archive = join(dir, 'the notes.tar')
  await archiveOf(archive, 6000)
  const stopped = { ...env, NODE_OPTIONS: preloadOf({ method: 'insert', number: 2, signal: 'SIGINT' }) }
  t.match(await plinthProcess(['import', '--dir', dir, '-f', archive, '--ignore-unknown'], stopped), {
    code: 1,
    out: '',
    err: `The import was interrupted: \`plinth import --dir ${dir} --file '${archive}' --ignore-unknown\` continues it\n`,
  })
  t.equal(await scalarOf(database, 'SELECT COUNT(*) FROM notes'), 2000, 'the transaction has ended')
  t.match(await run('import', '-f', archive), { code: 0, out: 'Imported 4000 rows\n', err: /Continuing the/ })
})

await t.test('an import that is killed between two files continues', async t => {
  const [from, to] = await Promise.all(
    [1, 2].map(async () => {
      const database = await freshDatabase('sqlite')
      t.teardown(() => database.drop())
      return library(t, database)
    }),
  )
  const kernel = await from!.open()
  await fill(kernel)
  await kernel.close()
  t.match(await from!.run('export', '-f', 'all.tar'), { code: 0, err: / 2 files\n$/ })
  const preload = pathToFileURL(join(import.meta.dirname, 'fixtures/signal-at.ts'))
  preload.search = String(
    new URLSearchParams({ call: 'rename', path: '', number: '2', when: 'before', signal: 'SIGKILL' }),
  )
  const words = ['import', '--dir', to!.dir, '-f', join(from!.dir, 'all.tar')]
  const killed = await plinthProcess(words, { ...to!.env, NODE_OPTIONS: `--import ${preload.href}` })
  t.match(killed, { code: null, out: '' })
  const files = async (app: Library) => {
    const folder = join(app.dir, 'public/uploads')
    const found = (await readdir(folder)).filter(name => !name.startsWith('.')).sort()
    return Promise.all(found.map(async name => [name, await readFile(join(folder, name), 'utf8')]))
  }
  t.equal((await files(to!)).length, 1, 'one of two files')
  t.match(await plinthProcess(words, to!.env), { code: 0, err: /Continuing the interrupted import/ })
  t.same(await files(to!), await files(from!))
})

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
  const count = 20_000
  await archiveOf(archive, count, 360)
  // The archive has 90 MB.
  const little = { ...env, NODE_OPTIONS: '--max-old-space-size=64' }
  t.match(await plinthProcess(['import', '--dir', dir, '-f', archive], little), {
    code: 0,
    out: `Imported ${count} rows\n`,
  })
  t.equal(await scalarOf(database, 'SELECT COUNT(*) FROM notes'), count)

  const killed = new Running(t, ['export', '--dir', dir, '-f', join(dir, 'out')], env)
  await until(
    async () => (await readdir(dir)).includes('out.tar.gz.part'),
    () => killed.text,
  )
  killed.process.kill('SIGKILL')
  await killed.ended
  t.notOk((await readdir(dir)).includes('out.tar.gz'), 'nothing has the name of the archive')
  t.match(await plinthProcess(['export', '--dir', dir, '-f', join(dir, 'out')], little), { code: 0 })
  t.same(
    (await readdir(dir)).filter(name => name.startsWith('out')),
    ['out.tar.gz'],
  )
  await writeFile(join(dir, 'config/plugins.json'), '{}')
  t.match(await run('export', '-f', '/no/such/folder/out'), {
    code: 1,
    err: /folder \/no\/such\/folder does not exist/,
  })
})
