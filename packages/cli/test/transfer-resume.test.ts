// Exports that are killed or interrupted, and continued by the same command: the archive is that of an undisturbed one.

import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { type Client, databases, freshDatabase } from '@plinth/test-tools/databases'
import t, { type Test } from 'tap'
import { fill, type Library, library } from './library.ts'
import { type Answer, plinthProcess } from './plinth.ts'

async function fresh(t: Test, client: Client): Promise<Library> {
  const database = await freshDatabase(client)
  t.teardown(() => database.drop())
  return library(t, database)
}

/** An application with entries, and with files each of which is followed by a checkpoint. */
async function filled(t: Test, client: Client): Promise<Library> {
  const app = await fresh(t, client)
  const kernel = await app.open()
  await fill(kernel)
  const upload = kernel.plugin('upload').service('upload')
  await upload.upload({ files: [{ name: 'c.txt', content: 'third file' }] })
  await kernel.close()
  const folder = join(app.dir, 'public/uploads')
  for (const [i, name] of (await readdir(folder)).sort().entries())
    if (!name.startsWith('.')) await writeFile(join(folder, name), Buffer.alloc(17_000_000, `file ${i} `))
  return app
}

/** A step of the export: a call of a function for a path that ends so. */
interface Step {
  readonly call: 'open' | 'rename'
  readonly path: string
  readonly number?: number
  readonly when: 'before' | 'after'
}

interface Runs {
  export(...words: string[]): Promise<Answer>
  /** An export that gets a signal at a step. */
  signalled(step: Step, signal: NodeJS.Signals, ...words: string[]): Promise<Answer>
  /** The folder for temporary files of the commands. */
  readonly temporary: string
}

async function runsOf(t: Test, { dir, env }: Library): Promise<Runs> {
  const temporary = await mkdtemp(join(tmpdir(), 'plinth-cli-'))
  t.teardown(() => rm(temporary, { recursive: true, force: true }))
  const run = (words: readonly string[], more: Readonly<Record<string, string>>) =>
    plinthProcess(['export', ...words, '--dir', dir], { ...env, TMPDIR: temporary, ...more }, dir)
  return {
    temporary,
    export: (...words) => run(words, {}),
    signalled({ call, path, number = 1, when }, signal, ...words) {
      const preload = pathToFileURL(join(import.meta.dirname, 'fixtures/signal-at.ts'))
      preload.search = String(new URLSearchParams({ call, path, number: String(number), when, signal }))
      return run(words, { NODE_OPTIONS: `--import ${preload.href}` })
    },
  }
}

async function rowsOf(path: string): Promise<unknown[]> {
  const lines = gunzipSync(await readFile(path))
    .toString('latin1')
    .split('\n')
  return lines.filter(line => /^\{"(row|set)"/.test(line)).map(line => JSON.parse(line) as unknown)
}

/** The hashes of the stored files. */
async function uploadsOf({ dir }: Library): Promise<Record<string, string>> {
  const folder = join(dir, 'public/uploads')
  const names = (await readdir(folder)).filter(name => !name.startsWith('.')).sort()
  const hash = async (name: string) =>
    createHash('sha256')
      .update(await readFile(join(folder, name)))
      .digest('hex')
  return Object.fromEntries(await Promise.all(names.map(async name => [name, await hash(name)] as const)))
}

const clients = await databases()

/** The states that an export saves: the first is that of its beginning, and the second comes when the rows are written. */
const saved = (number: number, when: Step['when']): Step => ({ call: 'rename', path: 'state.json', number, when })
const inRows: Step = { call: 'open', path: 'files.jsonl', when: 'before' }
const named = (when: Step['when']): Step => ({ call: 'rename', path: 'out.tar.gz', when })

for (const [i, client] of clients.entries()) {
  await t.test(`a killed export continues (${client})`, async t => {
    const app = await filled(t, client)
    const runs = await runsOf(t, app)
    const archive = join(app.dir, 'out.tar.gz')
    const work = join(app.dir, 'out.tar.gz.part')
    const killed = async (step: Step, err: RegExp) => {
      const answer = await runs.signalled(step, 'SIGKILL', '-f', 'out')
      t.match(answer, { code: null, out: '', err }, JSON.stringify(step))
      t.same(await readdir(runs.temporary), [], 'there are no temporary files elsewhere')
    }
    t.match(await runs.export('-f', 'whole'), { code: 0, err: / 3 files\n$/ })

    await killed(inRows, /^$/)
    if (i === 0) await killed(saved(2, 'before'), /^The interrupted export had not written all entries: it begins/)
    await killed(saved(3, 'after'), /^The interrupted export had not written all entries: it begins again\n$/)
    t.notOk((await readdir(app.dir)).includes('out.tar.gz'), 'nothing has the name of the archive')
    // The archive shows the database as it was before.
    const kernel = await app.open()
    await kernel.query('api::writer.writer').update(1, { data: { name: 'Changed' } })
    await kernel.close()
    await rm(join(work, 'lock.json'))
    const before = await readdir(work)
    t.match(await runs.export('-f', 'out', '--exclude', 'files'), {
      code: 1,
      err: /is not the same:\n {2}it has the parts content,files, and this one the parts content\n--force begins anew\n$/,
    })
    t.same(await readdir(work), before, 'nothing has changed')
    const continues =
      /^Continuing the interrupted export: its entries are those of 20.+Z; --force begins anew instead\n$/
    await killed(saved(1, 'before'), continues)
    if (i === 0) {
      await killed(named('before'), continues)
      await killed(named('after'), continues)
    }
    const last = await runs.export('-f', 'out')
    t.match(last, { code: 0, out: `${archive}\n`, err: /^Continuing .+\nWrote \d+ entries.+ and 3 files\n$/ })
    t.same(
      (await readdir(app.dir)).filter(name => name.startsWith('out')),
      ['out.tar.gz'],
    )
    t.same(await rowsOf(archive), await rowsOf(join(app.dir, 'whole.tar.gz')), 'it has the rows of the other')

    const to = await fresh(t, clients[(i + 1) % clients.length]!)
    const imported = await plinthProcess(['import', '-f', archive, '--dir', to.dir], to.env)
    t.match(imported, { code: 0, out: /^Imported \d+ rows and 3 files\n$/, err: '' })
    t.same(await uploadsOf(to), await uploadsOf(app), 'and the files')
  })
}

await t.test('an interrupted export says what continues it', async t => {
  const app = await filled(t, 'sqlite')
  const runs = await runsOf(t, app)
  const inNoFile = await runs.signalled(inRows, 'SIGINT', '-f', 'out')
  t.match(inNoFile, { code: 1, out: '', err: /interrupted before all entries were written; nothing is left of it\n$/ })
  t.notOk((await readdir(app.dir)).some(name => name.startsWith('out')))

  // It has a generated name.
  const first = await runs.signalled(saved(2, 'after'), 'SIGTERM')
  const [, path] = /interrupted\nWhat is written is kept: `plinth export --dir \S+ --file (\S+)` continues it\n$/.exec(
    first.err,
  ) ?? [null, '']
  t.match(first, { code: 1, out: '' })
  t.match(path, /\/export_\d{14}\.tar\.gz$/, first.err)
  const hint = /^export_\d{14}\.tar\.gz\.part is an export that has not ended: `plinth export -f export_/
  const nameAt = (ms: number) => `export_${new Date(ms).toISOString().replaceAll(/\D/g, '').slice(0, 14)}.tar.gz`
  const taken = Array.from({ length: 60 }, (_, i) => nameAt(Date.now() + i * 1000))
  for (const name of taken) if (join(app.dir, name) !== path) await writeFile(join(app.dir, name), '')
  const second = await runs.export('--only', 'content')
  t.match(second, { code: 0, out: /\/export_\d{14}\.tar\.gz\n$/, err: hint })
  t.notOk([path, ...taken.map(name => join(app.dir, name))].includes(second.out.trim()), 'a name that is free')
  t.match(await runs.export('-f', path!), { code: 0, out: `${path}\n`, err: /^Continuing/ })

  const inFiles = () => runs.signalled(saved(2, 'after'), 'SIGINT', '-f', path!, '--force')
  t.match(await inFiles(), { code: 1, err: /continues it/ })
  const whole = await readFile(path!)
  t.match(await runs.export('-f', path!), { code: 0, err: /^Continuing/ }, 'it replaces the archive, as it was told')
  t.notOk(whole.equals(await readFile(path!)))
  t.match(await inFiles(), { code: 1, err: /continues it/ })
  t.match(await runs.export('-f', path!, '--force'), { code: 0, err: /^Wrote/ }, '--force begins anew')
  t.same(
    (await readdir(app.dir)).filter(name => name.endsWith('.part')),
    [],
  )
})

await t.test('work folders that are refused', async t => {
  const app = await fresh(t, 'sqlite')
  await (await app.open()).close()
  const { export: run } = await runsOf(t, app)
  const work = join(app.dir, 'out.tar.part')
  const refused = async (err: RegExp) => t.match(await run('-f', 'out.tar'), { code: 1, out: '', err })
  await writeFile(work, '')
  await refused(/out\.tar\.part is in the way of the export/)
  await rm(work)
  await mkdir(work)
  await writeFile(join(work, 'lock.json'), JSON.stringify({ pid: process.pid, host: hostname() }))
  await refused(/The process \d+ writes this archive; if it is not an export, remove .+lock\.json/)
  await writeFile(join(work, 'lock.json'), JSON.stringify({ pid: process.pid, host: hostname(), started: 'earlier' }))
  await writeFile(join(work, 'state.json'), '{ "version": 3 }')
  if (process.platform === 'linux') await refused(/state\.json is not the state/)
  await writeFile(join(work, 'lock.json'), JSON.stringify({ pid: process.pid, host: 'elsewhere' }))
  await writeFile(join(work, 'state.json'), '{ "version": 2 }')
  await refused(/state\.json is not the state of an export by this version of plinth; --force begins anew/)
  t.same(await readdir(work), ['state.json'])
  const plan = { parts: 'content,files', isCompressed: false, database: 'other.db' }
  const state = { version: 1, plan, createdAt: '', stage: 'files', position: 9, records: 0, total: 0, written: {} }
  await writeFile(join(work, 'state.json'), JSON.stringify(state))
  await refused(/it has the entries of other\.db, and this one the entries of \/.+\.db\n--force/)
  const here = { ...state, plan: { ...plan, database: app.env.DATABASE_FILENAME } }
  await writeFile(join(work, 'state.json'), JSON.stringify(here))
  await writeFile(join(work, 'archive'), 'short')
  await refused(/archive has 5 bytes, and 9 were written: it was changed/)
  t.match(await run('-f', 'out.tar', '--force'), { code: 0 })
  t.same(
    (await readdir(app.dir)).filter(name => name.startsWith('out')),
    ['out.tar'],
  )
})
