// Snapshots of reads on the event loop: other processes commit between the statements of a read, and reads that run at the
// same time share one connection.

import { join } from 'node:path'
import { createKernel, type Kernel } from '@plinth/kernel'
import { temporary, thrown, type, uid } from '@plinth/test-tools/fixtures'
import BetterSqlite3 from 'better-sqlite3'
import t, { type Test } from 'tap'
import { LoopSnapshots, SnapshotLostError } from '../src/loop-snapshots.ts'

const contentTypes = [
  type('page', { number: { type: 'integer' }, tags: { type: 'relation', relation: 'manyToMany', target: uid('tag') } }),
  type('tag', {
    number: { type: 'integer' },
    pages: { type: 'relation', relation: 'manyToMany', target: uid('page') },
  }),
]

/** A kernel over two pages with two tags each, and another connection, whose transactions set all numbers. */
async function start(t: Test, settings: object = {}) {
  const filename = join(await temporary(t), 'data.db')
  const database = { client: 'sqlite', connection: { filename }, ...settings }
  const kernel = await createKernel({ database, contentTypes })
  t.teardown(() => kernel.close())
  for (let i = 0; i < 2; i++) await kernel.query(uid('tag')).create({ data: { number: 0 } })
  for (let i = 0; i < 2; i++) await kernel.query(uid('page')).create({ data: { number: 0, tags: [1, 2] } })
  const other = new BetterSqlite3(filename)
  t.teardown(() => void other.close())
  let last = 0
  const write = () => {
    last++
    // One page more for odd numbers.
    const more =
      last % 2 === 1 ? `INSERT INTO pages (id, number) VALUES (9, ${last})` : 'DELETE FROM pages WHERE id = 9'
    other.exec(`BEGIN; UPDATE pages SET number = ${last}; UPDATE tags SET number = ${last}; ${more}; COMMIT`)
  }
  return { kernel, write, last: () => last }
}

interface Numbered {
  readonly number?: number
  readonly tags?: readonly Numbered[]
}

/** The numbers in an answer. */
function numbersOf(entries: readonly Numbered[]): number[] {
  return [...new Set(entries.flatMap(({ number, tags = [] }) => [number!, ...tags.map(tag => tag.number!)]))]
}

async function ask(kernel: Kernel, populate: boolean) {
  const options = { ...(populate && { populate: ['tags'] }), sort: ['id'], pagination: { limit: 2 } }
  const { entries, pagination } = await kernel.query(uid('page')).findPage(options)
  return { entries: entries as readonly Numbered[], total: pagination.total }
}

/** Commits before each statement of reads: the listener is called when a statement begins. */
function writeBetween(kernel: Kernel, write: () => void): void {
  kernel.database.listen(text => {
    if (/^SELECT/.test(text)) write()
  })
}

for (const populate of [true, false]) {
  t.test(`commits between the statements of a read, ${populate ? 'populated' : 'with its total'}`, async t => {
    const { kernel, write } = await start(t)
    writeBetween(kernel, write)
    for (let i = 0; i < 10; i++) {
      const { entries, total } = await ask(kernel, populate)
      const numbers = numbersOf(entries)
      t.equal(numbers.length, 1, `${numbers}`)
      t.equal(total, 2 + (numbers[0]! % 2), `${numbers}: ${total}`)
    }
  })

  t.test(`without consistentReads answers are torn, ${populate ? 'populated' : 'with totals'}`, async t => {
    const { kernel, write } = await start(t, { consistentReads: false })
    writeBetween(kernel, write)
    let torn = 0
    for (let i = 0; i < 10; i++) {
      const { entries, total } = await ask(kernel, populate)
      const numbers = numbersOf(entries)
      if (numbers.length !== 1 || total !== 2 + (numbers[0]! % 2)) torn++
    }
    t.ok(torn > 0)
  })
}

t.test('reads at the same time have snapshots of their own, of a moment after they began', async t => {
  const { kernel, write, last } = await start(t)
  // Often enough that reads lose their snapshots, and seldom enough that most do not.
  let statements = 0
  kernel.database.listen(text => {
    if (/^SELECT/.test(text) && ++statements % 7 === 0) write()
  })
  for (let round = 0; round < 30; round++) {
    const read = async () => {
      const begun = last()
      const { entries, total } = await ask(kernel, true)
      const numbers = numbersOf(entries)
      t.equal(numbers.length, 1, `${numbers}`)
      t.equal(total, 2 + (numbers[0]! % 2))
      t.ok(numbers[0]! >= begun, 'a commit before the read is seen')
    }
    await Promise.all(Array.from({ length: 6 }, read))
  }
})

t.test('reads that lose their snapshot again and again end in a process', async t => {
  const { kernel, write } = await start(t)
  writeBetween(kernel, write)
  const answers = await Promise.all(Array.from({ length: 4 }, () => ask(kernel, true)))
  for (const { entries, total } of answers) {
    const numbers = numbersOf(entries)
    t.equal(numbers.length, 1)
    t.equal(total, 2 + (numbers[0]! % 2))
  }
})

t.test('a snapshot that has ended for another read', async t => {
  const filename = join(await temporary(t), 'data.db')
  const other = new BetterSqlite3(filename)
  other.exec('PRAGMA journal_mode = WAL; CREATE TABLE a (n); INSERT INTO a VALUES (1)')
  const connection = new BetterSqlite3(filename)
  t.teardown(() => {
    connection.close()
    other.close()
  })
  const snapshots = new LoopSnapshots(connection)
  const read = (hasSnapshot = true) => ({ hasSnapshot, version: null as number | null })
  const select = connection.prepare('SELECT n FROM a').pluck()
  const see = (one: ReturnType<typeof read>) => {
    snapshots.enter(one)
    return select.get()
  }
  const [first, second, plain] = [read(), read(), read(false)]
  t.equal(see(first), 1)
  t.equal(see(second), 1, 'ends the first one')
  t.equal(see(first), 1, 'which goes on, because nothing was committed')
  other.exec('UPDATE a SET n = 2')
  t.equal(see(first), 1, 'it is in its snapshot')
  t.equal(see(plain), 2, 'a read without one sees the newest state')
  t.notOk(connection.inTransaction)
  t.ok((await thrown(t, async () => see(first))) instanceof SnapshotLostError)
  snapshots.leave(first)
  t.notOk(connection.inTransaction)
  t.match(await thrown(t, async () => see(second)), { message: /has changed/ })
  snapshots.leave(second)
  const third = read()
  t.equal(see(third), 2)
  snapshots.leave(first)
  t.ok(connection.inTransaction, 'the end of another read is not its end')
  connection.exec('ROLLBACK')
  snapshots.leave(third)
  t.notOk(connection.inTransaction, 'SQLite may have ended it')
})
