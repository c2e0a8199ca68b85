// How requests at the same time share counts: one serves those that waited for it, and never those that came after it
// had begun. Sessions are simulated; concurrent-totals.test.ts runs on servers.

import { mock } from 'node:test'
import t, { type Test } from 'tap'
import { Totals } from '../../src/read/totals.ts'

/** A count that runs, until the test ends it. */
interface Running {
  answer(total: number): void
  fail(error: Error): void
}

const entries = { text: 'entries' }
const total = { text: 'total' }
const bound = (key: string) => ({ entries: [], total: [], totalKey: key })
const list = { query: { action: 'find' }, pagination: { start: 0, limit: 1 } }

/**
 * Lists of full pages on sessions whose counts the test ends, in the order in which they began. Time passes only by
 * `mock.timers.tick()`.
 */
function stage(t: Test, readsBeside = true) {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const totals = new Totals({ readsBeside, version: () => null } as never)
  const counts: Running[] = []
  const counted = () =>
    new Promise<unknown[][]>((resolve, reject) => counts.push({ answer: value => resolve([[value]]), fail: reject }))
  const session = {
    canBatch: true,
    all: async (text: string) => (text === 'entries' ? [[1]] : counted()),
    batch: async () => [[[1]], await counted()],
  }
  const readWith = async ({ key = 'a', on = session, below, connect, parsed = list }: Steps) => {
    const query = { compiled: { entries, total, counted: null }, parsed, bound: bound(key) }
    const result = await totals.read(query as never, {
      async onConnection(work, shape) {
        if (shape !== total) return work(on as never)
        await connect?.()
        return work(session as never)
      },
      begin: () => {},
      pageFromEnd: () => null,
      readBelow: () => below?.() as never,
      retry: (_read, error) => Promise.reject(error),
      end: () => {},
    })
    return result.total
  }
  const read = (key = 'a', connect?: Connect) => readWith({ key, connect })
  /** A second count beside the first, which does not end. */
  const occupy = async () => {
    void read()
    await soon()
    counts.pop()
  }
  /** A request whose count runs, beside another one, so that later requests wait. */
  const begin = async () => {
    const first = read()
    await soon()
    await occupy()
    return { first }
  }
  return { counts, readWith, read, occupy, begin }
}

/** Waits for a connection. */
type Connect = () => Promise<void>

/** How one read runs: on which session its page is read, what is read below it, and how it gets another connection. */
interface Steps {
  readonly key?: string
  readonly on?: object
  readonly below?: (() => unknown) | undefined
  readonly connect?: Connect | undefined
  readonly parsed?: object
}

const soon = () => new Promise(resolve => setImmediate(resolve))

t.test('requests that come while one counts share the next count', async t => {
  const { counts, read, begin } = stage(t)
  const { first } = await begin()
  const later = [read(), read(), read()]
  await soon()
  t.equal(counts.length, 1)
  counts[0]!.answer(10)
  t.equal(await first, 10)
  await soon()
  t.equal(counts.length, 2, 'one for three')
  const latest = [read(), read()]
  await soon()
  t.equal(counts.length, 2)
  counts[1]!.answer(11)
  t.same(await Promise.all(later), [11, 11, 11])
  await soon()
  counts[2]!.answer(12)
  t.same(await Promise.all(latest), [12, 12], 'not the number of the count that ran when they came')
  const alone = read()
  await soon()
  t.equal(counts.length, 4)
  counts[3]!.answer(13)
  t.equal(await alone, 13)
})

t.test('two requests at a time do not wait', async t => {
  const { counts, read } = stage(t)
  for (let i = 0; i < 6; i += 2) {
    const both = [read(), read()]
    await soon()
    t.equal(counts.length, i + 2)
    counts[i + (i % 4 === 0 ? 0 : 1)]!.answer(i)
    await soon()
    counts[i]!.answer(i)
    counts[i + 1]!.answer(i)
    t.same(await Promise.all(both), [i, i])
  }
})

t.test('counts with other values do not wait', async t => {
  const { counts, read } = stage(t)
  const both = [read('a'), read('b')]
  await soon()
  t.equal(counts.length, 2)
  counts[1]!.answer(2)
  t.equal(await both[1], 2)
  counts[0]!.answer(1)
  t.equal(await both[0], 1)
})

t.test('in transactions and on SQLite, each request counts', async t => {
  const { counts, read } = stage(t, false)
  const all = [read(), read(), read()]
  await soon()
  t.equal(counts.length, 3)
  for (const [i, count] of counts.entries()) count.answer(i)
  t.same(await Promise.all(all), [0, 1, 2])
})

t.test('the error of a count is that of its own request', async t => {
  const { counts, read, begin } = stage(t)
  const { first } = await begin()
  const all = [first, read(), read(), read()]
  const outcomes = Promise.allSettled(all)
  await soon()
  counts[0]!.fail(new Error('first'))
  await soon()
  t.equal(counts.length, 2)
  const late = read()
  await soon()
  counts[1]!.fail(new Error('second'))
  await soon()
  t.equal(counts.length, 3, 'the next one counts for all that wait')
  counts[2]!.answer(7)
  t.match(await outcomes, [
    { reason: { message: 'first' } },
    { reason: { message: 'second' } },
    { value: 7 },
    { value: 7 },
  ])
  t.equal(await late, 7)
})

t.test('a count that takes long is not waited for', async t => {
  const { counts, read, occupy, begin } = stage(t)
  const { first } = await begin()
  const all = [first, read(), read()]
  await soon()
  mock.timers.tick(99)
  await soon()
  t.equal(counts.length, 1)
  mock.timers.tick(1)
  await soon()
  t.equal(counts.length, 3, 'those that waited count for themselves')
  const late = read()
  await soon()
  t.equal(counts.length, 4, 'and so does one that comes while it runs')
  for (const [i, count] of counts.entries()) count.answer(i)
  t.same(await Promise.all([...all, late]), [0, 1, 2, 3])
  const after = [read()]
  await soon()
  await occupy()
  after.push(read())
  await soon()
  t.equal(counts.length, 5, 'later ones are shared again')
  counts[4]!.answer(4)
  await soon()
  counts[5]!.answer(5)
  t.same(await Promise.all(after), [4, 5])
})

t.test('requests that share a count which takes long count for themselves', async t => {
  const { counts, read, begin } = stage(t)
  const { first } = await begin()
  const all = [first, read(), read()]
  await soon()
  counts[0]!.answer(0)
  await soon()
  mock.timers.tick(100)
  await soon()
  t.equal(counts.length, 3)
  for (const [i, count] of counts.entries()) count.answer(i)
  t.same(await Promise.all(all), [0, 1, 2])
})

t.test('a request that waits has released its connection', async t => {
  const { counts, readWith, begin } = stage(t)
  const { first } = await begin()
  let connections = 0
  let pages = 0
  const below = () => void pages++
  const connect = async () => void connections++
  const settled = readWith({ below, connect })
  const refuse = async () => {
    throw new Error('The other one counts')
  }
  const shared = readWith({ below, connect: refuse })
  await soon()
  t.equal(pages, 2, 'the pages are there before the count has ended')
  t.equal(connections, 0)
  counts[0]!.answer(1)
  await first
  await soon()
  t.equal(connections, 1)
  counts[1]!.answer(2)
  t.same(await Promise.all([settled, shared]), [2, 2])
})

t.test('those that come before the counting request has a connection share its count', async t => {
  const { counts, read, begin } = stage(t)
  const { first } = await begin()
  const { promise, resolve } = Promise.withResolvers<void>()
  const counting = read('a', () => promise)
  await soon()
  counts[0]!.answer(1)
  await first
  const late = [read(), read()]
  await soon()
  t.equal(counts.length, 1)
  resolve()
  await soon()
  t.equal(counts.length, 2)
  const tooLate = read()
  await soon()
  counts[1]!.answer(2)
  t.same(await Promise.all([counting, ...late]), [2, 2, 2])
  await soon()
  counts[2]!.answer(3)
  t.equal(await tooLate, 3)
})

t.test('if the counting request gets no connection, the next one counts', async t => {
  const { counts, read, begin } = stage(t)
  const { first } = await begin()
  const refused = read('a', async () => {
    throw new Error('no connection')
  })
  const next = read()
  const outcome = t.rejects(refused, { message: 'no connection' })
  await soon()
  counts[0]!.answer(1)
  await first
  await outcome
  await soon()
  counts[1]!.answer(2)
  t.equal(await next, 2)
})

t.test('requests wait a second for the connection of the one that is to count', async t => {
  const { counts, read, begin } = stage(t)
  const { first } = await begin()
  const { promise, resolve } = Promise.withResolvers<void>()
  const counting = read('a', () => promise)
  await soon()
  counts[0]!.answer(1)
  await first
  const waiting = read()
  await soon()
  mock.timers.tick(999)
  await soon()
  t.equal(counts.length, 1)
  mock.timers.tick(1)
  await soon()
  t.equal(counts.length, 2, 'then it counts for itself')
  counts[1]!.answer(2)
  t.equal(await waiting, 2)
  resolve()
  await soon()
  counts[2]!.answer(3)
  t.equal(await counting, 3)
})

t.test('a request whose page fails passes the count on', async t => {
  const { counts, readWith, read, begin } = stage(t)
  const { first } = await begin()
  const { promise, reject } = Promise.withResolvers<never>()
  const failing = readWith({ on: { canBatch: true, all: () => promise } })
  const outcome = t.rejects(failing, { message: 'page' })
  const next = read()
  await soon()
  reject(new Error('page'))
  await soon()
  counts[0]!.answer(1)
  await first
  await outcome
  await soon()
  counts[1]!.answer(2)
  t.equal(await next, 2)
})

t.test('a request that needs the total no more does not wait', async t => {
  const { counts, readWith, read, begin } = stage(t)
  const { first } = await begin()
  const last = await readWith({ parsed: { ...list, pagination: { start: 3, limit: 2 } } })
  t.equal(last, 4, 'the last page is not full, so its total is known')
  const fail = () => {
    throw new Error('below')
  }
  await t.rejects(readWith({ below: fail }), { message: 'below' }, 'a read whose branches fail')
  const next = read()
  await soon()
  counts[0]!.answer(1)
  await first
  await soon()
  counts[1]!.answer(2)
  t.equal(await next, 2)
})

t.test('a request that fails when it is to count passes the count on', async t => {
  const { counts, readWith, read, begin } = stage(t)
  const { first } = await begin()
  const { promise, reject } = Promise.withResolvers<never>()
  const failing = t.rejects(readWith({ below: () => promise }), { message: 'below' })
  await soon()
  const next = read()
  await soon()
  counts[0]!.answer(1)
  await first
  await soon()
  t.equal(counts.length, 1)
  reject(new Error('below'))
  await failing
  await soon()
  counts[1]!.answer(2)
  t.equal(await next, 2)
})

t.test('the count beside another one ends without an effect on later counts', async t => {
  const { counts, read } = stage(t)
  const first = read()
  await soon()
  const beside = read()
  await soon()
  counts[0]!.answer(1)
  t.equal(await first, 1)
  const both = [read(), read()]
  await soon()
  t.equal(counts.length, 4)
  counts[1]!.answer(2)
  t.equal(await beside, 2)
  const waiting = read()
  await soon()
  t.equal(counts.length, 4, 'two count already')
  counts[2]!.answer(3)
  counts[3]!.answer(3)
  t.same(await Promise.all(both), [3, 3])
  await soon()
  counts[4]!.answer(4)
  t.equal(await waiting, 4)
})
