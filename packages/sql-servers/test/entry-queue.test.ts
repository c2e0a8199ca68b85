// Changes of one entry wait for each other, changes of others do not, and each wait has a deadline.

import { setTimeout as sleep } from 'node:timers/promises'
import { thrown } from '@plinth/test-tools/fixtures'
import t from 'tap'
import { EntryQueue } from '../src/connections/entry-queue.ts'

/** Runs `work` with the key of an entry. */
async function run<T>(
  queue: EntryQueue,
  id: number,
  work: () => Promise<T>,
  waitTimeout: number,
  isShort = false,
): Promise<T> {
  const key = { table: 'articles', id }
  await queue.enter(key, { isShort, waitTimeout })
  try {
    return await work()
  } finally {
    queue.leave(key)
  }
}

t.test('changes of one key run in order, and those of other keys beside them', async t => {
  const queue = new EntryQueue(2)
  const seen: string[] = []
  const work = (name: string, ms: number) => async () => {
    seen.push(`+${name}`)
    await sleep(ms)
    seen.push(`-${name}`)
    return name
  }
  const works = [
    run(queue, 1, work('a', 30), 1000),
    run(queue, 1, work('b', 10), 1000),
    run(queue, 2, work('x', 1), 1000),
    run(queue, 1, work('c', 0), 1000),
  ]
  t.same(await Promise.all(works), ['a', 'b', 'x', 'c'])
  t.same(seen, ['+a', '+x', '-x', '-a', '+b', '-b', '+c', '-c'])
  t.equal(queue.size, 0, 'nothing is kept')
})

t.test('a change that fails lets the next one run', async t => {
  const queue = new EntryQueue(2)
  const first = run(queue, 1, () => Promise.reject(new Error('no')), 1000)
  const second = run(queue, 1, async () => 'yes', 1000)
  await t.rejects(first, { message: 'no' })
  t.equal(await second, 'yes')
  t.equal(queue.size, 0)
})

t.test('each change has its own deadline', async t => {
  const queue = new EntryQueue(2)
  const first = run(queue, 1, () => sleep(120), 10)
  const late = run(queue, 1, async () => t.fail('too late'), 20)
  const patient = run(queue, 1, async () => 'in time', 1000)
  t.match(await thrown(t, () => late), { status: 503, retryAfter: Number })
  await first
  t.equal(await patient, 'in time')
  t.equal(queue.size, 0)
})

t.test('a few short changes run together, and never beside a long one', async t => {
  const queue = new EntryQueue(2)
  const log: string[] = []
  const work = (name: string) => async () => {
    log.push(`+${name}`)
    await sleep(10)
    log.push(`-${name}`)
  }
  const short = (name: string) => run(queue, 1, work(name), 1000, true)
  const long = (name: string) => run(queue, 1, work(name), 1000)
  await Promise.all([short('a'), short('b'), short('c'), long('x'), short('d'), short('e')])
  t.same(log, ['+a', '+b', '-a', '+c', '-b', '-c', '+x', '-x', '+d', '+e', '-d', '-e'])
  t.equal(queue.size, 0)
})
