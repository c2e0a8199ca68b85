// Reads whose client has gone: the server is asked to cancel their statements until they end.

import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { ServerSession } from '../src/connections/server-session.ts'
import { Sweep, type SweptPool } from '../src/connections/sweep.ts'
import { ServerUsage } from '../src/connections/usage.ts'

/** A pool whose server handles cancellations by `cancel`. */
function poolOf(cancel: SweptPool['cancel']) {
  const destroyed: ServerSession[] = []
  const pool: SweptPool = {
    cancel,
    statementTimeout: 0,
    share: 1,
    isCrowded: () => false,
    onSlow: () => {},
    onSweep: () => {},
    discard: () => {},
    destroy: session => destroyed.push(session),
  }
  return { pool, destroyed }
}

/** A session with a running read whose client has gone. */
function abandoned(): ServerSession {
  const usage = new ServerUsage()
  usage.take({ isAbandoned: () => true })
  usage.begin()
  return { usage } as ServerSession
}

t.test('a cancellation that the server has ignored is repeated', async t => {
  const session = abandoned()
  let requests = 0
  const { pool, destroyed } = poolOf(async () => {
    // The first one has come before the statement.
    if (++requests === 2) session.usage.end(null)
  })
  const sweep = new Sweep(pool)
  t.teardown(() => sweep.stop())
  sweep.add(session)
  sweep.start()
  while (session.usage.isRunning) await sleep(50)
  await sleep(600)
  t.equal(requests, 2, 'and not after the end of the statement')
  t.same(destroyed, [])
})

t.test('one request after the other, until the connection is closed', async t => {
  const session = abandoned()
  let sent = 0
  let arrived = 0
  const { pool, destroyed } = poolOf(async () => {
    if (sent !== arrived) t.fail('a request is sent before the last one has arrived')
    sent++
    await sleep(400)
    arrived++
  })
  const sweep = new Sweep(pool)
  sweep.add(session)
  sweep.start()
  while (destroyed.length === 0) await sleep(50)
  await sweep.stop()
  t.ok(sent > 1, `${sent} requests`)
  t.equal(arrived, sent, 'the end waits for the last request')
})
