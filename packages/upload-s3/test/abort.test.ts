// An abort ends a file within a second, wherever it is, and leaves nothing of it.

import { PassThrough } from 'node:stream'
import type { Fault, Operation } from '@plinth/test-tools/s3'
import t, { type Test } from 'tap'
import { errorOf, file, MiB, never, type Storage, storage } from './fixtures/storage.ts'

const size = 17 * MiB

/** Aborts when a request is reached and stands still. */
async function abortAt(t: Test, operation: Operation, nth: number, fault: Fault, bytes: number): Promise<Storage> {
  const here = await storage(t)
  here.s3.faults.add(operation, fault, { nth, times: 100 })
  const controller = new AbortController()
  const stored = errorOf(here.provider.store(file('a', bytes), controller.signal))
  await here.s3.faults.reached(operation, nth)
  // What is done without an answer is done then.
  await new Promise(resolve => setTimeout(resolve, fault === 'late' ? 200 : 20))
  const from = Date.now()
  controller.abort(new Error('gone'))
  t.equal((await stored).message, 'gone')
  t.ok(Date.now() - from < 10_000, `${operation} ${nth}, ${fault}: ${Date.now() - from} ms`)
  return here
}

t.test('in each phase', async t => {
  const phases: readonly [Operation, number, number][] = [
    ['PutObject', 1, 100],
    ['CreateMultipartUpload', 1, size],
    ['UploadPart', 1, size],
    ['UploadPart', 3, size],
    ['CompleteMultipartUpload', 1, size],
  ]
  for (const [operation, nth, bytes] of phases)
    for (const fault of ['stall', 'late'] as const) {
      const { s3 } = await abortAt(t, operation, nth, fault, bytes)
      t.same([s3.keys, s3.unfinished], [[], []], `${operation} ${nth}, ${fault}: nothing is left`)
    }
})

t.test('while it waits to repeat a request', async t => {
  const { s3 } = await abortAt(t, 'UploadPart', 1, { status: 503, code: 'SlowDown' }, size)
  t.same([s3.keys, s3.unfinished], [[], []])
})

t.test('while the stream stands still', async t => {
  for (const before of [0, 100, 6 * MiB]) {
    const { s3, provider } = await storage(t)
    const stream = new PassThrough()
    const controller = new AbortController()
    const stored = errorOf(provider.store(file('a', 0, { size: null, stream }), controller.signal))
    if (before > 0) stream.write(Buffer.alloc(before))
    if (before > 5 * MiB) await s3.faults.reached('UploadPart', 1)
    else await new Promise(resolve => setTimeout(resolve, 20))
    const from = Date.now()
    controller.abort(new Error('gone'))
    t.equal((await stored).message, 'gone')
    t.ok(Date.now() - from < 10_000)
    t.ok(stream.destroyed)
    t.same([s3.keys, s3.unfinished], [[], []])
  }
})

t.test('before it begins', async t => {
  const { s3, provider } = await storage(t)
  const one = file('a', 100)
  t.equal((await errorOf(provider.store(one, AbortSignal.abort(new Error('gone'))))).message, 'gone')
  t.ok(one.stream.destroyed)
  t.same(s3.seen, [])
})

t.test('after its end it has no effect', async t => {
  const { s3, provider } = await storage(t)
  const controller = new AbortController()
  await provider.store(file('a', 100), controller.signal)
  controller.abort()
  t.same(s3.keys, ['a'])
})

t.test('when the storage is gone too', async t => {
  const { s3, provider } = await storage(t)
  s3.faults.add('UploadPart', 'stall', { times: 100 })
  s3.faults.add('AbortMultipartUpload', 'stall', { times: 100 })
  const controller = new AbortController()
  const stored = errorOf(provider.store(file('a', size), controller.signal))
  await s3.faults.reached('UploadPart', 1)
  const from = Date.now()
  controller.abort(new Error('gone'))
  t.equal((await stored).message, 'gone')
  t.ok(Date.now() - from < 10_000)
  t.same(s3.unfinished, ['a'])
  s3.faults.clear()
  await provider.remove('a')
  t.same(s3.unfinished, [], 'removing it cleans')
})

t.test('a process that gets little of the processor leaves nothing either', async t => {
  const { s3, provider } = await storage(t)
  s3.faults.add('UploadPart', 'stall', { times: 100 })
  const controller = new AbortController()
  const stored = errorOf(provider.store(file('a', size), controller.signal))
  await s3.faults.reached('UploadPart', 1)
  let isOver = false
  const block = () => {
    for (const from = performance.now(); performance.now() - from < 600; );
    if (!isOver) setImmediate(block)
  }
  setImmediate(block)
  controller.abort(new Error('gone'))
  await stored
  isOver = true
  t.same([s3.keys, s3.unfinished], [[], []])
})

t.test('50 aborted at once leave nothing, and no buffer is lost', async t => {
  const { s3, provider } = await storage(t, { parallelParts: 4 })
  const controllers = Array.from({ length: 50 }, () => new AbortController())
  const all = controllers.map(({ signal }, i) => errorOf(provider.store(file(`file-${i}`, size), signal)))
  await s3.faults.reached('UploadPart', 5)
  for (const one of controllers) one.abort(new Error('gone'))
  for (const error of await Promise.all(all)) t.equal(error.message, 'gone')
  t.same([s3.keys, s3.unfinished], [[], []])
  await Promise.all(controllers.map((_, i) => provider.store(file(`file-${i}`, 6 * MiB), never)))
  t.equal(s3.keys.length, 50)
})
