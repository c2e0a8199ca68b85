// Totals of servers while others write: a total has what was acknowledged before its request was sent, although requests
// share counts.

import { setTimeout as sleep } from 'node:timers/promises'
import { databases, freshDatabase } from '@plinth/test-tools/databases'
import t, { type Test } from 'tap'
import { createContext, createKernel, type Kernel, systemAccess } from '../../src/index.ts'
import { thrown, type } from '../fixtures/boot.ts'

const contentTypes = [type('page', { title: { type: 'string' } })]

interface Pool {
  readonly min: number
  readonly max: number
}

/** A kernel on a server, and how many counts it has made. */
async function start(t: Test, client: 'mysql' | 'postgres', connection: object = {}, pool?: Pool) {
  const database = await freshDatabase(client)
  const config = { ...database.config, connection: { ...database.config.connection, ...connection }, pool }
  const kernel = await createKernel({ database: config, contentTypes })
  t.teardown(async () => {
    await kernel.close()
    await database.drop()
  })
  const counter = { counts: 0 }
  kernel.database.listen(text => {
    if (/^SELECT COUNT/i.test(text)) counter.counts++
  })
  return { kernel, counter, database }
}

/** A deterministic sequence of numbers from 0 to below 1. */
function sequence(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

/** Entries that make a count take milliseconds. */
const filled = 5000
const fill = {
  mysql: `INSERT INTO pages (title) SELECT 'x' FROM seq_1_to_${filled}`,
  postgres: `INSERT INTO pages (title) SELECT 'x' FROM generate_series(1, ${filled})`,
}

/** What is known of the number of entries: what is acknowledged, and what has begun. */
class Ledger {
  #created = { begun: filled, ended: filled }
  #deleted = { begun: 0, ended: 0 }
  readonly ids: number[] = []

  async create(kernel: Kernel): Promise<void> {
    this.#created.begun++
    const { id } = await kernel.query('api::page.page').create({ data: { title: 'x' } })
    this.#created.ended++
    this.ids.push(id)
  }

  async delete(kernel: Kernel): Promise<void> {
    const id = this.ids.pop()
    if (id === undefined) return
    this.#deleted.begun++
    await kernel.query('api::page.page').delete(id)
    this.#deleted.ended++
  }

  /** Call it when the request is sent, and the result when its answer is there: the least and the greatest total. */
  observe(): () => readonly [number, number] {
    const created = this.#created.ended
    const deleted = this.#deleted.ended
    return () => [created - this.#deleted.begun, this.#created.begun - deleted]
  }
}

async function filledLedger(kernel: Kernel, client: 'mysql' | 'postgres'): Promise<Ledger> {
  await kernel.transaction(async tx => tx.run(fill[client], []))
  return new Ledger()
}

/** Readers and writers at the same time; gives the answers that are not possible, and the number of answers. */
async function race(kernel: Kernel, ledger: Ledger, seed: number) {
  const random = sequence(seed)
  const wrong: string[] = []
  let answers = 0
  const read = async () => {
    const limits = ledger.observe()
    const options = { filters: { title: { $containsi: 'X' } }, pagination: { limit: 1 + Math.floor(random() * 3) } }
    const pages = kernel.query('api::page.page')
    const found = random() < 0.8 ? (await pages.findPage(options)).pagination.total : await pages.count(options)
    const [least, most] = limits()
    answers++
    if (found! < least || found! > most) wrong.push(`${found} is not between ${least} and ${most}`)
  }
  const write = async () => {
    await (random() < 0.6 ? ledger.create(kernel) : ledger.delete(kernel))
    // Nothing is more likely to show a count that began before the write.
    await Promise.all([read(), read()])
  }
  const each = async (times: number, work: () => Promise<void>) => {
    for (let i = 0; i < times; i++) {
      await work()
      if (random() < 0.2) await sleep(random() * 3)
    }
  }
  await Promise.all([
    ...Array.from({ length: 12 }, () => each(40, read)),
    ...Array.from({ length: 3 }, () => each(40, write)),
  ])
  return { wrong, answers }
}

for (const client of await databases()) {
  if (client === 'sqlite') continue

  t.test(`${client}: a total has what was acknowledged before its request`, async t => {
    const { kernel, counter } = await start(t, client)
    const ledger = await filledLedger(kernel, client)
    for (const seed of [1, 2, 3]) {
      counter.counts = 0
      const { wrong, answers } = await race(kernel, ledger, seed)
      t.same(wrong, [], `seed ${seed}`)
      t.ok(counter.counts < answers * 0.9, `${counter.counts} counts for ${answers} answers`)
    }
  })

  if (client === 'postgres')
    t.test('postgres: also if transactions are REPEATABLE READ by default', async t => {
      const { kernel } = await start(t, client, { options: '-c default_transaction_isolation=repeatable\\ read' })
      const shown = await kernel.database.read(session => session.all('SHOW transaction_isolation', []))
      t.same(shown, [['repeatable read']])
      t.same((await race(kernel, await filledLedger(kernel, client), 4)).wrong, [])
    })

  t.test(`${client}: requests that wait for a count hold no connection`, async t => {
    const { kernel, counter } = await start(t, client, {}, { min: 0, max: 3 })
    const ledger = await filledLedger(kernel, client)
    const pages = kernel.query('api::page.page')
    const read = () => pages.findPage({ filters: { title: { $containsi: 'X' } }, pagination: { limit: 1 } })
    await Promise.all([read(), read(), read()])
    // On a busy machine a count takes longer than others wait for it: one of three bursts is enough to see that they can.
    const counts: number[] = []
    for (let burst = 0; burst < 3; burst++) {
      counter.counts = 0
      const totals = await Promise.all(Array.from({ length: 60 }, read))
      t.ok(totals.every(({ pagination }) => pagination.total === filled))
      counts.push(counter.counts)
    }
    t.ok(Math.min(...counts) < 30, `${counts} counts; with connections held, only three requests could share one`)
    t.same((await race(kernel, ledger, 5)).wrong, [])
  })

  t.test(`${client}: requests that share counts survive those that are cancelled`, async t => {
    const { kernel, database } = await start(t, client)
    for (const title of ['a', 'b', 'c', 'd', 'e']) await kernel.query('api::page.page').create({ data: { title } })
    const read = (isAbandoned?: () => boolean) =>
      kernel.query('api::page.page', createContext(systemAccess, undefined, isAbandoned)).findPage({
        pagination: { limit: 1 },
      })
    await Promise.all([read(), read(), read()])
    const other = await database.open()
    await other.run(client === 'mysql' ? 'LOCK TABLES pages WRITE' : 'BEGIN; LOCK TABLE pages')
    let isAbandoned = false
    const gone = read(() => isAbandoned)
    const outcomes = Promise.allSettled([gone, ...Array.from({ length: 5 }, () => read())])
    isAbandoned = true
    t.match(await thrown(t, () => gone), { status: 503 })
    await other.run(client === 'mysql' ? 'UNLOCK TABLES' : 'COMMIT')
    const [first, ...others] = await outcomes
    t.equal(first!.status, 'rejected')
    for (const one of others) t.match(one, { value: { pagination: { total: 5 } } })
    t.match(await read(), { pagination: { total: 5 } })
    await other.close()
  })
}
