// The callers that wait for a connection: they take turns, however many reads each of them sends.

import t from 'tap'
import { AcquireQueue } from '../../src/connection/acquire-queue.ts'

function open() {
  const queue = new AcquireQueue()
  const served: string[] = []
  const wait = (
    name: string,
    caller: object | null,
    isAbandoned: (() => boolean) | null = null,
    shape: object | undefined = undefined,
  ) =>
    void queue.wait({ caller, shape, isAbandoned, waitTimeout: 60_000 }).then(
      () => served.push(name),
      () => served.push(`${name} refused`),
    )
  const serve = async (count: number) => {
    for (let i = 0; i < count; i++) queue.serve({} as never)
    await new Promise(setImmediate)
  }
  return { queue, served, wait, serve }
}

t.test('callers take turns; reads of one caller keep their order', async t => {
  const { queue, served, wait, serve } = open()
  const [ann, bob] = [{}, {}]
  for (let i = 1; i <= 4; i++) wait(`ann ${i}`, ann)
  wait('write 1', null)
  wait('bob 1', bob)
  wait('write 2', null)
  wait('bob 2', bob)
  t.equal(queue.size, 8)
  await serve(5)
  t.same(served, ['ann 1', 'write 1', 'bob 1', 'write 2', 'ann 2'])
  wait('ann 5', ann)
  wait('write 3', null)
  await serve(5)
  t.same(served.slice(5), ['bob 2', 'ann 3', 'write 3', 'ann 4', 'ann 5'])
  t.equal(queue.size, 0)
})

t.test('the shapes of one caller take turns', async t => {
  const { queue, served, wait, serve } = open()
  const [ann, bob, large, small] = [{}, {}, {}, {}]
  for (let i = 1; i <= 4; i++) wait(`ann large ${i}`, ann, null, large)
  wait('ann small 1', ann, null, small)
  wait('bob large 1', bob, null, large)
  wait('ann small 2', ann, null, small)
  await serve(7)
  const turns = [
    'ann large 1',
    'bob large 1',
    'ann small 1',
    'ann large 2',
    'ann small 2',
    'ann large 3',
    'ann large 4',
  ]
  t.same(served, turns)
  t.equal(queue.size, 0)
})

t.test('who no longer waits has no turn', async t => {
  const { queue, served, wait, serve } = open()
  const ann = {}
  const gone = new Set<string>()
  for (const name of ['ann 1', 'ann 2', 'ann 3']) wait(name, ann, () => gone.has(name))
  wait('bob', {}, () => false)
  gone.add('ann 1').add('ann 3')
  queue.refuseAbandoned()
  t.equal(queue.size, 2)
  await serve(2)
  t.same(served, ['ann 1 refused', 'ann 3 refused', 'ann 2', 'bob'])
  wait('late', ann)
  queue.close()
  await new Promise(setImmediate)
  t.same(served.slice(4), ['late refused'])
  t.equal(queue.size, 0)
})
