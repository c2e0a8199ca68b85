// Two processes that upload, replace and delete are killed at each of their steps: after the next start there is never a file
// without a record, nor a record without a file. ROUNDS=100 for the long run.

import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runUntilKilled } from '@plinth/test-tools/killed'
import t from 'tap'
import { keysOf } from '../src/record.ts'
import { fresh, freshFolder, start } from './fixtures/boot.ts'

const rounds = Number(process.env.ROUNDS ?? 6)
/** So many steps make a few uploads, replacements and deletions. */
const mostSteps = 100

t.test(`killed at a step, ${rounds} times`, async t => {
  const [database, folder] = [await fresh(t), await freshFolder(t)]
  const options = { on: database, folder }
  await (await start(t, options)).close()
  const victim = join(import.meta.dirname, 'fixtures/victim.ts')
  const kill = (step: number) => runUntilKilled(victim, JSON.stringify(database.config), folder, String(step))
  for (let round = 0; round < rounds; round++) {
    // Each step once in a long run, and steps of the other process beside it.
    const first = 1 + Math.floor((round * mostSteps) / rounds)
    const steps = [first, mostSteps + 1 - first]
    await Promise.all(steps.map(kill))
    await age(folder, await database.open())
    const started = await start(t, options)
    const records = await started.kernel.query('plugin::upload.file').findMany()
    const journal = await started.kernel.knex('upload_journal')
    const stored = await started.stored()
    await started.close()
    t.same(journal, [], `round ${round}: nothing is left to be done`)
    t.same(stored, records.flatMap(keysOf).sort(), `round ${round}, killed at the steps ${steps.join(' and ')}`)
  }
})

/** Makes everything that was noted and written so old that the next start takes its process for dead. */
async function age(folder: string, connection: { run(sql: string): Promise<void>; close(): Promise<void> }) {
  await connection.run('UPDATE upload_journal SET noted_at = 1')
  await connection.close()
  const spool = join(folder, '.unfinished')
  for (const name of await readdir(spool).catch(() => [])) await utimes(join(spool, name), 1, 1)
}

t.test('v4, run beside, drops the table: the start makes it again', async t => {
  const [database, folder] = [await fresh(t), await freshFolder(t)]
  const first = await start(t, { on: database, folder })
  const { url } = await first.uploaded('a.txt', 'text')
  await first.kernel.knex.schema.dropTable('upload_journal')
  t.equal((await first.form('/api/upload', [{ name: 'files', filename: 'b.txt', content: 'x' }])).status, 500)
  t.equal((await first.stored()).length, 1, 'nothing is stored that could not be noted')
  await first.close()
  const second = await start(t, { on: database, folder })
  await second.uploaded('b.txt', 'text')
  t.equal((await second.get(url)).status, 200)
})

t.test('temporary files that nobody has written to for an hour go', async t => {
  const folder = await freshFolder(t)
  const spool = join(folder, '.unfinished')
  await mkdir(join(spool, 'spool-1.formats'), { recursive: true })
  const names = ['spool-1', 'a_0123456789.txt.0123456789', 'thumbnail_a_0123456789.png.abcdef', 'spool-1.formats/large']
  for (const name of names) await writeFile(join(spool, name), 'x')
  await writeFile(join(spool, 'b_0123456789.txt.0123456789'), 'x')
  for (const name of [...names, 'spool-1.formats']) await utimes(join(spool, name), 1, Date.now() / 1000 - 3660)
  const { stored } = await start(t, { folder })
  t.same(await stored(), ['.unfinished/b_0123456789.txt.0123456789'])
})

t.test('what is younger than an hour belongs to a process that works', async t => {
  const [database, folder] = [await fresh(t), await freshFolder(t)]
  const first = await start(t, { on: database, folder })
  const { hash } = await first.uploaded('a.txt', 'text')
  const work = JSON.stringify({ provider: 'local', remove: [`${hash}.txt`], move: [] })
  const line = (minutes: number) => ({ id: 'x', state: 'storing', work, noted_at: Date.now() - minutes * 60_000 })
  await first.kernel.knex('upload_journal').insert(line(59))
  await first.close()
  const second = await start(t, { on: database, folder })
  t.same(await second.stored(), [`${hash}.txt`])
  await second.kernel.knex('upload_journal').update(line(61))
  await second.close()
  const third = await start(t, { on: database, folder })
  t.same(await third.stored(), [])
})

t.test('an upload that a start took for dead is not committed', async t => {
  const { kernel, form, stored } = await start(t)
  kernel.contentTypes.require('plugin::upload.file')
  const { knex } = kernel
  const steal = setInterval(
    () =>
      void knex('upload_journal')
        .where({ state: 'storing' })
        .update({ state: 'due' })
        .catch(() => {}),
    1,
  )
  const statuses: number[] = []
  for (let i = 0; i < 10; i++)
    statuses.push((await form('/api/upload', [{ name: 'files', filename: 'a.txt', content: 'x' }])).status)
  clearInterval(steal)
  const records = await kernel.query('plugin::upload.file').count()
  t.equal(records, statuses.filter(status => status === 200).length)
  t.ok((await stored()).length >= records, 'the start that has taken them removes the others')
})
