// The one write connection of SQLite: writes wait for it outside of SQLite, so that reads go on, and no longer than
// acquireTimeout after their arrival. Files that cannot be written are a 503 or 507 (security.md F5, F6).

import { readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createKernel, type Kernel } from '@plinth/kernel'
import { watchLoop } from '@plinth/test-tools/event-loop'
import { component, temporary, thrown, type, uid } from '@plinth/test-tools/fixtures'
import BetterSqlite3 from 'better-sqlite3'
import t, { type Test } from 'tap'

const contentTypes = [type('page', { title: { type: 'string' } }), type('note', { text: { type: 'text' } })]
const acquireTimeout = 1200

async function start(t: Test, filename: string, listen?: (kernel: Kernel) => void): Promise<Kernel> {
  const database = { client: 'sqlite', connection: { filename }, acquireTimeout }
  const kernel = await createKernel({ database, contentTypes, configure: listen })
  t.teardown(() => kernel.close())
  return kernel
}

/** Another connection, which may stand for another process since nothing waits inside SQLite. */
function other(t: Test, filename: string): BetterSqlite3.Database {
  const connection = new BetterSqlite3(filename)
  t.teardown(() => connection.close())
  return connection
}

/** How many writes ended how, and after how many milliseconds at most. */
async function outcomes(writes: readonly (() => Promise<unknown>)[]) {
  const ends = await Promise.all(
    writes.map(async write => {
      const began = performance.now()
      const end = await write().then(
        () => 200,
        error => error.status ?? error.message,
      )
      return { end, took: performance.now() - began }
    }),
  )
  return { ends: ends.map(one => one.end), longest: Math.max(...ends.map(one => one.took)) }
}

t.test('while another process writes, writes are answered 503 and reads go on', async t => {
  const filename = join(await temporary(t), 'data.db')
  const kernel = await start(t, filename)
  const pages = kernel.query(uid('page'))
  const { id } = await pages.create({ data: { title: 'a' } })
  const holder = other(t, filename)
  holder.exec('BEGIN IMMEDIATE')
  const writes = [
    ...Array.from({ length: 10 }, () => () => pages.create({ data: { title: 'b' } })),
    ...Array.from({ length: 3 }, () => () => pages.update(id, { data: { title: 'c' } })),
    () => pages.delete(id),
  ]
  let reads = 0
  const { value, stall, turns } = await watchLoop(async () => {
    const all = outcomes(writes)
    const end = performance.now() + acquireTimeout * 0.8
    for (; performance.now() < end; reads++) {
      await pages.findMany()
      await sleep(5)
    }
    return all
  })
  t.strictSame(new Set(value.ends), new Set([503]))
  t.ok(value.longest < acquireTimeout * 3, `${Math.round(value.longest)} ms at most`)
  t.ok(reads > 12 && turns > 12, `${reads} reads meanwhile, the longest stall ${Math.round(stall)} ms`)
  const late = pages.create({ data: { title: 'late' } })
  await sleep(50)
  holder.exec('COMMIT')
  await t.resolves(late, 'who still waits is served')
  t.equal(await pages.count(), 2)
})

t.test('behind a lifecycle that waits, each write is answered 503 after its own timeout', async t => {
  let end = () => {}
  const beforeUpdate = () =>
    new Promise<void>(resolve => {
      end = resolve
    })
  const listen = ({ lifecycles }: Kernel) => lifecycles.subscribe([uid('page')], { beforeUpdate })
  const kernel = await start(t, join(await temporary(t), 'data.db'), listen)
  const [pages, notes] = [kernel.query(uid('page')), kernel.query(uid('note'))]
  const { id } = await pages.create({ data: { title: 'a' } })
  const slow = pages.update(id, { data: { title: 'b' } })
  await sleep(50)
  const writes = Array.from({ length: 12 }, (_, i) => async () => {
    await sleep(i * 20)
    await notes.create({ data: { text: `${i}` } })
  })
  const { ends, longest } = await outcomes(writes)
  t.strictSame(new Set(ends), new Set([503]))
  t.ok(longest < acquireTimeout * 3, `${Math.round(longest)} ms at most`)
  const waiting = notes.create({ data: { text: 'waits' } })
  end()
  await slow
  await waiting
  t.equal(await notes.count(), 1)
})

t.test('a start waits until it can switch the file to a write-ahead log', async t => {
  const filename = join(await temporary(t), 'data.db')
  const holder = other(t, filename)
  holder.exec('CREATE TABLE x (id INTEGER)')
  holder.exec('BEGIN IMMEDIATE')
  const started = start(t, filename)
  await sleep(acquireTimeout / 2)
  holder.exec('COMMIT')
  const kernel = await started
  await t.resolves(kernel.query(uid('page')).create({ data: { title: 'a' } }))
})

t.test('a full disk is answered 507, and writes work again once there is room', async t => {
  const kernel = await start(t, join(await temporary(t), 'data.db'))
  const notes = kernel.query(uid('note'))
  const [{ page_count: pages }] = await kernel.database.knex.raw('PRAGMA page_count')
  await kernel.database.knex.raw(`PRAGMA max_page_count = ${pages + 20}`)
  const text = 'x'.repeat(3000)
  const write = () => Array.from({ length: 20 }, () => () => notes.create({ data: { text } }))
  const { ends } = await outcomes([...write(), ...write()])
  t.strictSame(new Set(ends), new Set([200, 507]))
  const error = await thrown(t, () => kernel.transaction(() => notes.create({ data: { text: text.repeat(50) } })))
  t.match(error, { status: 507, name: 'InsufficientStorageError', retryAfter: Number })
  t.equal(await notes.count(), ends.filter(one => one === 200).length, 'what was acknowledged is there, and no more')
  await kernel.database.knex.raw('PRAGMA max_page_count = 1000000')
  await t.resolves(notes.create({ data: { text } }))
})

t.test('a file that cannot be written is answered 503', async t => {
  const kernel = await start(t, join(await temporary(t), 'data.db'))
  const notes = kernel.query(uid('note'))
  await kernel.database.knex.raw('PRAGMA query_only = ON')
  const { ends } = await outcomes([1, 2].map(() => () => notes.create({ data: { text: 'a' } })))
  t.strictSame(ends, [503, 503])
  t.equal(await notes.count(), 0)
  await kernel.database.knex.raw('PRAGMA query_only = OFF')
  await t.resolves(notes.create({ data: { text: 'a' } }))
})

t.test('a violated index that the model does not have is answered 400 at once', async t => {
  const filename = join(await temporary(t), 'data.db')
  const components = { 'part.one': component('part.one', { label: { type: 'string' } }) }
  const box = type('box', { parts: { type: 'component', component: 'part.one', repeatable: true } })
  const database = { client: 'sqlite', connection: { filename }, acquireTimeout }
  const kernel = await createKernel({ database, contentTypes: [box], components })
  t.teardown(() => kernel.close())
  await kernel.database.knex.raw('CREATE UNIQUE INDEX own ON components_part_ones (label)')
  const boxes = kernel.query(uid('box'))
  await boxes.create({ data: { parts: [{ label: 'a' }] } })
  const { ends, longest } = await outcomes([() => boxes.create({ data: { parts: [{ label: 'a' }] } })])
  t.same(ends, [400])
  t.ok(longest < acquireTimeout / 2, `answered after ${longest} ms`)
})

t.test('a file that is moved stays the database of the process', async t => {
  const folder = await temporary(t)
  const filename = join(folder, 'data.db')
  const kernel = await start(t, filename)
  const notes = kernel.query(uid('note'))
  await notes.create({ data: { text: 'before' } })
  for (const end of ['', '-wal', '-shm']) await rename(filename + end, `${filename}.moved${end}`)
  await notes.create({ data: { text: 'after' } })
  t.strictSame(
    (await notes.findMany()).map(({ text }) => text),
    ['before', 'after'],
  )
  t.strictSame((await readdir(folder)).sort(), ['data.db.moved', 'data.db.moved-shm', 'data.db.moved-wal'])
})
