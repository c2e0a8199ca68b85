// When rounds run: at the start, once a minute, and sooner after a failure.

import { mock } from 'node:test'
import t from 'tap'
import { Rounds } from '../src/rounds.ts'

/** Lets what has been resolved go on. */
const settle = () => new Promise(resolve => setImmediate(resolve))

t.test('rounds run once a minute, and sooner after a failure', async t => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  t.teardown(() => mock.timers.reset())
  let runs = 0
  let isDone = true
  const rounds = new Rounds(async () => {
    runs++
    return isDone
  })
  const after = async (seconds: number) => {
    mock.timers.tick(seconds * 1000)
    await settle()
    return runs
  }
  await rounds.start()
  t.same([await after(59), await after(1), await after(59), await after(1)], [1, 2, 2, 3])
  rounds.hasten()
  rounds.hasten()
  t.same([await after(4), await after(1)], [3, 4], 'a failure elsewhere')
  isDone = false
  t.same([await after(60), await after(9), await after(1)], [5, 5, 6], 'a failure of a round')
  t.same([await after(19), await after(1), await after(39), await after(1)], [6, 7, 7, 8], 'the pauses grow')
  rounds.hasten()
  t.same([await after(59), await after(1), await after(59), await after(1)], [8, 9, 9, 10], 'to a minute')
  isDone = true
  t.equal(await after(60), 11)
  await rounds.close()
  rounds.hasten()
  t.equal(await after(120), 11, 'until they are closed')
})

t.test('a round that runs when they are closed is awaited', async t => {
  const gate = Promise.withResolvers<boolean>()
  const rounds = new Rounds(() => gate.promise)
  const started = rounds.start()
  let isClosed = false
  const closed = rounds.close().then(() => {
    isClosed = true
  })
  await settle()
  t.equal(isClosed, false)
  gate.resolve(true)
  await Promise.all([started, closed])
})
