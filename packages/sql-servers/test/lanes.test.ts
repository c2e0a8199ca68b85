// Which reads run at the same time: one of an unknown shape, few slow ones, all short ones.

import { setTimeout as sleep } from 'node:timers/promises'
import { thrown } from '@plinth/test-tools/fixtures'
import t from 'tap'
import { Lanes } from '../src/connections/lanes.ts'

const unavailable = { status: 503, name: 'ServiceUnavailableError' }

/** Works that run until they receive the order to end, and how many run at the moment. */
function work() {
  const ends: (() => void)[] = []
  const running = { now: 0, most: 0 }
  return {
    running,
    run: async () => {
      running.now++
      running.most = Math.max(running.most, running.now)
      await new Promise<void>(resolve => ends.push(resolve))
      running.now--
      return 'done'
    },
    endOne: async () => {
      ends.shift()!()
      await sleep(1)
    },
  }
}

const times = <T>(count: number, each: () => T): T[] => Array.from({ length: count }, each)

t.test('of an unknown shape one read runs first, and the others follow', async t => {
  const lanes = new Lanes(10, 1000)
  const shape = {}
  const { run, running, endOne } = work()
  const works = times(20, () => lanes.run(shape, run))
  const other = work()
  const beside = lanes.run({}, other.run)
  await sleep(1)
  t.equal(running.now, 1)
  t.equal(other.running.now, 1, 'one of another shape runs beside it')
  lanes.note(shape, 1)
  await sleep(1)
  t.equal(running.now, 20, 'a short one has no lane')
  for (let i = 0; i < 20; i++) await endOne()
  await other.endOne()
  t.strictSame(new Set(await Promise.all([...works, beside])), new Set(['done']))
})

t.test('reads of a slow shape share an eighth of the connections', async t => {
  const lanes = new Lanes(16, 1000)
  const shape = {}
  const { run, running, endOne } = work()
  const works = times(6, () => lanes.run(shape, run))
  await sleep(1)
  t.equal(running.now, 1)
  lanes.noteSlow(shape)
  await sleep(1)
  t.equal(running.now, 2)
  for (let i = 0; i < 5; i++) {
    await endOne()
    t.ok(running.now <= 2)
  }
  await endOne()
  await Promise.all(works)
  t.equal(running.most, 2)
})

t.test('while more slow reads run than fit, no other one begins', async t => {
  const lanes = new Lanes(8, 1000)
  const shapes = times(4, () => ({}))
  const { run, running, endOne } = work()
  const works = shapes.map(shape => lanes.run(shape, run))
  await sleep(1)
  for (const shape of shapes) lanes.noteSlow(shape)
  const next = lanes.run(shapes[0]!, run)
  for (const left of [3, 2, 1, 1, 0]) {
    await endOne()
    t.equal(running.now, left)
  }
  await Promise.all([...works, next])
})

t.test('after a failed first read the next one of the shape runs', async t => {
  const lanes = new Lanes(10, 1000)
  const shape = {}
  const failing = times(3, () =>
    thrown(t, async () =>
      lanes.run(shape, async () => {
        await sleep(1)
        throw new Error('failed')
      }),
    ),
  )
  const { run, running, endOne } = work()
  const works = times(3, () => lanes.run(shape, run))
  for (const error of await Promise.all(failing)) t.match(error, { message: 'failed' })
  // The pause after a failed read is as long as that read was, which may be more than a millisecond.
  while (running.now === 0) await sleep(1)
  t.equal(running.now, 1)
  lanes.note(shape, 1)
  await sleep(1)
  t.equal(running.now, 3)
  for (let i = 0; i < 3; i++) await endOne()
  await Promise.all(works)
  lanes.forget(shape)
  const again = times(3, () => lanes.run(shape, run))
  await sleep(1)
  t.equal(running.now, 1, 'forgotten, it is tried again')
  for (let i = 0; i < 3; i++) await endOne()
  await Promise.all(again)
})

t.test('a read waits no longer than waitTimeout, and ends when its client has gone', async t => {
  const lanes = new Lanes(2, 50)
  const shape = {}
  const { run, endOne, running } = work()
  const first = lanes.run(shape, run)
  let isGone = false
  const waiting = [
    thrown(t, async () => lanes.run(shape, run)),
    thrown(t, async () => lanes.run({}, run)),
    thrown(t, async () => lanes.run(shape, run, { isAbandoned: () => isGone })),
  ]
  isGone = true
  lanes.sweep()
  t.match(await waiting[2], { ...unavailable, message: 'The client no longer waits for the answer' })
  for (const error of await Promise.all(waiting)) t.match(error, unavailable)
  await endOne()
  await first
  t.equal(running.now, 0)
})

t.test('the number of heavy reads falls while short reads take longer than usual', async t => {
  const lanes = new Lanes(20, 1000)
  const [short, heavy] = [{}, {}]
  const askShortly = (took: number) => {
    for (let i = 0; i < 40; i++) lanes.note(short, took)
  }
  askShortly(1)
  lanes.note(heavy, 100)
  const { run, running, endOne } = work()
  const works = times(20, () => lanes.run(heavy, run))
  await sleep(1)
  t.equal(running.now, 5, 'a quarter of the connections at first')
  for (const width of [2, 1, 1]) {
    askShortly(3)
    lanes.sweep()
    t.equal(lanes.width, width)
  }
  for (let i = 0; i < 5; i++) await endOne()
  t.equal(running.now, 1)
  askShortly(1.3)
  lanes.sweep()
  t.equal(lanes.width, 1, 'a little longer is neither')
  for (const width of [...times(17, () => 0).map((_, i) => i + 2), 18]) {
    askShortly(1)
    lanes.sweep()
    t.equal(lanes.width, width)
  }
  await sleep(1)
  t.equal(running.now, 15)
  lanes.sweep()
  t.equal(lanes.width, 18, 'no other work asks')
  while (running.now > 0) await endOne()
  await Promise.all(works)
})

t.test('the usual time of short reads is measured while no heavy reads run', async t => {
  const lanes = new Lanes(10, 5000)
  const [short, heavy] = [{}, {}]
  const askShortly = (took: number) => {
    for (let i = 0; i < 100; i++) lanes.note(short, took)
  }
  askShortly(1)
  lanes.note(heavy, 100)
  const { run, running, endOne } = work()
  const works = times(12, () => lanes.run(heavy, run))
  await sleep(1)
  for (let i = 0; i < 99; i++) {
    askShortly(2)
    lanes.sweep()
    t.notOk(lanes.width === 0)
  }
  t.equal(lanes.width, 1)
  lanes.sweep()
  t.equal(lanes.width, 0, 'no other one begins')
  while (running.now > 0) await endOne()
  askShortly(2)
  lanes.sweep()
  await sleep(1)
  t.equal(running.now, lanes.width)
  askShortly(2)
  const before = lanes.width
  lanes.sweep()
  t.equal(lanes.width, before + 1, 'two milliseconds are usual now')
  await sleep(1)
  while (running.now > 0) await endOne()
  await Promise.all(works)
})

t.test('a shape is heavy or short by its usual time, not by one read', async t => {
  const lanes = new Lanes(10, 1000)
  const shape = {}
  for (let i = 0; i < 20; i++) lanes.note(shape, 2)
  lanes.note(shape, 490)
  t.ok(lanes.isShort(shape))
  for (let i = 0; i < 20; i++) lanes.note(shape, 80)
  t.notOk(lanes.isShort(shape))
  for (let i = 0; i < 20; i++) lanes.note(shape, 2)
  t.ok(lanes.isShort(shape))
})

t.test('a slow shape becomes short by two quick runs, and its reads that wait begin then', async t => {
  const lanes = new Lanes(8, 1000)
  const shape = {}
  lanes.note(shape, 2)
  lanes.noteSlow(shape)
  const { run, running, endOne } = work()
  const works = times(10, () => lanes.run(shape, run))
  await sleep(1)
  t.equal(running.now, 1)
  lanes.note(shape, 3)
  t.notOk(lanes.isShort(shape), 'it may have been an exception')
  await endOne()
  t.equal(running.now, 1)
  lanes.note(shape, 3)
  t.ok(lanes.isShort(shape))
  await sleep(1)
  t.equal(running.now, 9)
  while (running.now > 0) await endOne()
  await Promise.all(works)
})

t.test('shapes and callers take turns', async t => {
  const lanes = new Lanes(4, 1000)
  const [many, few] = [{}, {}]
  const [ann, bob] = [{}, {}].map(caller => ({ bytes: { caller } }) as never)
  for (const shape of [many, few]) lanes.note(shape, 100)
  const order: string[] = []
  const { run, endOne } = work()
  const ask = (name: string, shape: object, reading: never) =>
    lanes.run(
      shape,
      () => {
        order.push(name)
        return run()
      },
      reading,
    )
  const works = [
    ...times(5, () => ask('ann, many', many, ann!)),
    ask('ann, few', few, ann!),
    ask('bob, many', many, bob!),
    ask('bob, few', few, bob!),
  ]
  for (let i = 0; i < works.length; i++) {
    await sleep(1)
    await endOne()
  }
  await Promise.all(works)
  // The first one had no need to wait.
  t.same(order.slice(0, 5), ['ann, many', 'ann, many', 'bob, many', 'ann, few', 'bob, few'])
})
