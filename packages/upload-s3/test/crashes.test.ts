// Two processes that upload, replace and delete files in a bucket are killed at each of their steps: after the next start
// there is never an object without a record, nor a record without an object. ROUNDS=100 for the long run.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import rest from '@plinth/rest'
import { createServer } from '@plinth/server'
import { freshDatabase, testClient } from '@plinth/test-tools/databases'
import { runUntilKilled } from '@plinth/test-tools/killed'
import upload from '@plinth/upload'
import t from 'tap'
import { s3Provider } from '../src/index.ts'
import { storage } from './fixtures/storage.ts'

const rounds = Number(process.env.ROUNDS ?? 6)
/** So many steps make a few uploads, replacements and deletions. */
const mostSteps = 100

t.test(`killed at a step, ${rounds} times`, async t => {
  const { s3 } = await storage(t)
  const database = await freshDatabase(testClient())
  const folder = await mkdtemp(join(tmpdir(), 'plinth-s3-crashes-'))
  t.teardown(async () => {
    await database.drop()
    await rm(folder, { recursive: true, force: true })
    // Processes that were killed left files that they were receiving.
    await rm(join(tmpdir(), 'plinth-upload'), { recursive: true, force: true })
  })
  const open = () => {
    const provider = Object.assign(s3Provider(s3.options), { name: 'aws-s3' })
    return createServer({
      database: database.config,
      contentTypes: [],
      plugins: { rest: { plugin: rest }, upload: { plugin: upload, config: { folder, provider } } },
      logger: false,
    })
  }
  await (await open()).close()
  const file = join(import.meta.dirname, 'fixtures/uploading-process.ts')
  const settings = [JSON.stringify(database.config), JSON.stringify(s3.options), folder]
  const kill = (step: number) => runUntilKilled(file, ...settings, String(step))
  let stored = 0
  for (let round = 0; round < rounds; round++) {
    // Each step once in a long run, and steps of the other process beside it.
    const first = 1 + Math.floor((round * mostSteps) / rounds)
    const steps = [first, mostSteps + 1 - first]
    await Promise.all(steps.map(kill))
    const connection = await database.open()
    await connection.run('UPDATE upload_journal SET noted_at = 1')
    await connection.close()
    const app = await open()
    const { kernel } = app
    const records = await kernel.query('plugin::upload.file').findMany()
    const journal = await kernel.knex('upload_journal')
    await app.close()
    t.same(journal, [], `round ${round}: nothing is left to be done`)
    const keys = records.map(({ hash, ext }) => `${hash}${ext}`)
    t.same([...s3.keys].sort(), keys.sort(), `round ${round}, killed at the steps ${steps.join(' and ')}`)
    t.same(s3.unfinished, [], 'no upload is unfinished')
    for (const { hash, ext, size } of records) {
      const bytes = s3.object(`${hash}${ext}`)?.size ?? 0
      t.ok(Math.abs(Number(size) * 1000 - bytes) <= 10, `the record of ${hash} is that of its content`)
    }
    stored += keys.length
  }
  t.ok(stored > 0, 'files were stored')
})
