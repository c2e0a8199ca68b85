// Requests that fail: repeats are bounded, what cannot be stored leaves nothing, and what is stored is not lost.

import { Readable } from 'node:stream'
import type { Fault, Operation } from '@plinth/test-tools/s3'
import t from 'tap'
import { s3Provider } from '../src/index.ts'
import { errorOf, file, hashOf, MiB, never, pieces, type Storage, storage } from './fixtures/storage.ts'

const size = 17 * MiB

/** The requests of a file in parts; the third part is in the middle. */
const steps: readonly [Operation, number][] = [
  ['CreateMultipartUpload', 1],
  ['UploadPart', 1],
  ['UploadPart', 3],
  ['UploadPart', 4],
  ['CompleteMultipartUpload', 1],
]

const temporary: readonly Fault[] = [
  { status: 500, code: 'InternalError' },
  { status: 503, code: 'SlowDown' },
  'reset',
  'lost',
  'stall',
]

t.test('a request that fails once is repeated', async t => {
  for (const fault of temporary)
    for (const [operation, nth] of steps) {
      const { s3, provider } = await storage(t, fault === 'stall' ? { idleTimeout: 1500 } : {})
      s3.faults.add(operation, fault, { nth })
      await provider.store(file('a', size), never)
      t.equal(hashOf([await s3.read('a')]), hashOf(pieces(size)), `${operation} ${nth}: ${JSON.stringify(fault)}`)
      const left = operation === 'CreateMultipartUpload' && fault === 'lost' ? ['a'] : []
      t.same(s3.unfinished, left, 'an upload whose id was lost is left')
      await provider.remove('a')
      t.same([s3.keys, s3.unfinished], [[], []], 'until the file is removed')
    }
})

t.test('the same for a small file', async t => {
  for (const fault of temporary) {
    const { s3, provider } = await storage(t, fault === 'stall' ? { idleTimeout: 1500 } : {})
    s3.faults.add('PutObject', fault)
    await provider.store(file('a', 100), never)
    t.equal(s3.object('a')!.size, 100, JSON.stringify(fault))
  }
})

t.test('an error in an answer with status 200', async t => {
  const { s3, provider } = await storage(t)
  s3.faults.add('CompleteMultipartUpload', 'error-in-200')
  await provider.store(file('a', size), never)
  t.equal(s3.object('a')!.size, size)
  s3.faults.add('CompleteMultipartUpload', 'error-in-200', { times: 3 })
  t.match(await errorOf(provider.store(file('b', size), never)), { status: 503 })
  t.same([s3.keys, s3.unfinished], [['a'], []])
})

t.test('an answer with status 200 that is none of a storage', async t => {
  const { s3, provider } = await storage(t)
  s3.faults.add('CompleteMultipartUpload', 'page')
  t.match(await errorOf(provider.store(file('a', size), never)), { status: 503, cause: { reason: 'InvalidAnswer' } })
  t.same([s3.keys, s3.unfinished], [[], []])
  await provider.store(file('b', 100), never)
  s3.faults.add('GetObject', 'page')
  const copied = provider.store(file('c', 100, { stream: await provider.open('b') }), never)
  t.match(await errorOf(copied), { reason: 'IncompleteBody' }, 'a page is not stored as the content')
  t.same(s3.keys, ['b'])
})

t.test('repeats end', async t => {
  for (const maxAttempts of [1, 3])
    for (const [operation, nth] of [...steps, ['PutObject', 1] as const]) {
      const { s3, provider } = await storage(t, { maxAttempts })
      s3.faults.add(operation, { status: 500, code: 'InternalError' }, { nth, times: 100 })
      const error = await errorOf(provider.store(file('a', operation === 'PutObject' ? 100 : size), never))
      t.match(error, { name: 'ServiceUnavailableError', status: 503, message: 'Service Unavailable' })
      t.match((error.cause as Error).message, `S3 bucket "files": ${operation} of "a" failed: `)
      const failed = s3.seen.filter(one => one.status === 500)
      t.ok(failed.length >= maxAttempts && failed.length <= maxAttempts * 4, `${failed.length} ${operation}`)
      t.same([s3.keys, s3.unfinished], [[], []], `${operation} leaves nothing`)
    }
})

t.test('a storage that stands still', async t => {
  const { s3, provider } = await storage(t, { maxAttempts: 1, idleTimeout: 1500 })
  for (const operation of ['PutObject', 'UploadPart'] as const) {
    s3.faults.add(operation, 'stall')
    const from = Date.now()
    const error = await errorOf(provider.store(file('a', operation === 'PutObject' ? 100 : size), never))
    t.match(error, { status: 503, cause: { reason: 'TimeoutError' } })
    t.ok(Date.now() - from < 15_000, `${operation} ends ${Date.now() - from} ms later`)
    t.same([s3.keys, s3.unfinished], [[], []])
  }
})

t.test('a refusal is not repeated, and leaves nothing', async t => {
  for (const [operation, nth] of [...steps, ['PutObject', 1] as const]) {
    const { s3, provider } = await storage(t)
    s3.faults.add(operation, { status: 403, code: 'AccessDenied' }, { nth })
    const error = await errorOf(provider.store(file('a', operation === 'PutObject' ? 100 : size), never))
    t.match(error, { name: 'StorageError', code: 'PLINTH_UPLOAD_STORAGE', reason: 'AccessDenied' })
    t.match(
      error.message,
      new RegExp(`^S3 bucket "files": ${operation} of "a" failed: the account .* \\(AccessDenied\\)$`),
    )
    t.equal(s3.seen.filter(one => one.status === 403).length, 1)
    t.same([s3.keys, s3.unfinished], [[], []])
  }
})

t.test('a refusal leaves the earlier file', async t => {
  const { s3, provider } = await storage(t)
  await provider.store(file('a', 50), never)
  for (const [operation, bytes] of [
    ['PutObject', 100],
    ['CompleteMultipartUpload', size],
    ['UploadPart', size],
  ] as const) {
    s3.faults.add(operation, { status: 403, code: 'AccessDenied' })
    await t.rejects(provider.store(file('a', bytes), never))
    t.same([s3.object('a')?.size, s3.unfinished], [50, []], operation)
  }
})

t.test('whatever happens, a file that is replaced is there', async t => {
  const { s3, provider } = await storage(t, { maxAttempts: 1 })
  // Only where the answer never comes: a busy machine's answers may take as long.
  const impatient = s3Provider({ ...s3.options, maxAttempts: 1, idleTimeout: 1500 })
  await provider.store(file('a', 50), never)
  const faults: readonly Fault[] = [...temporary, { status: 403, code: 'AccessDenied' }, 'late']
  for (const [operation, bytes] of [
    ['PutObject', 100],
    ['CompleteMultipartUpload', size],
  ] as const)
    for (const fault of faults) {
      s3.faults.add(operation, fault)
      const before = s3.object('a')?.size
      const storing = fault === 'stall' || fault === 'late' ? impatient : provider
      await storing.store(file('a', bytes, { replaces: true }), never).catch(() => {})
      const after = s3.object('a')?.size
      t.ok(after === before || after === bytes, `${operation}, ${JSON.stringify(fault)}: ${before}, then ${after}`)
      t.same(s3.unfinished, [], `${operation}, ${JSON.stringify(fault)}`)
    }
})

t.test('a replacement ends what an earlier attempt has begun', async t => {
  const { s3, provider } = await storage(t)
  s3.faults.add('CreateMultipartUpload', 'lost')
  await provider.store(file('a', size), never)
  t.same(s3.unfinished, ['a'], 'the answer with its id was lost')
  await provider.store(file('b', 50, { replaces: true }), never)
  t.same(s3.unfinished, ['a'], 'of other files')
  await provider.store(file('a', 50, { replaces: true }), never)
  t.same([s3.unfinished, s3.object('a')?.size], [[], 50])
})

t.test('a stream that fails', async t => {
  const { s3, provider } = await storage(t)
  for (const good of [0, 100, 6 * MiB, 12 * MiB]) {
    const broken = (function* () {
      yield* pieces(good)
      throw new Error('the client is gone')
    })()
    const stored = provider.store(file('a', 20 * MiB, { stream: Readable.from(broken) }), never)
    await t.rejects(stored, { message: 'the client is gone' }, `after ${good} bytes`)
    t.same([s3.keys, s3.unfinished], [[], []])
  }
  const destroyed = file('a', 100)
  destroyed.stream.destroy(new Error('before'))
  await t.rejects(provider.store(destroyed, never), { message: 'before' })
  t.same(s3.keys, [])
})

t.test('a stream that is shorter or longer than its size', async t => {
  const { s3, provider } = await storage(t)
  for (const [announced, real] of [
    [100, 99],
    [99, 100],
    [12 * MiB, 11 * MiB],
    [11 * MiB, 12 * MiB],
  ] as const) {
    const short = file('a', real, { size: announced })
    t.match(await errorOf(provider.store(short, never)), { reason: 'IncompleteBody' }, `${real} for ${announced}`)
    t.same([s3.keys, s3.unfinished], [[], []])
  }
})

t.test('a failed part ends the others and the stream', async t => {
  const { s3, provider }: Storage = await storage(t)
  s3.faults.add('UploadPart', 'stall')
  s3.faults.add('UploadPart', { status: 403, code: 'AccessDenied' }, { nth: 2 })
  const endless = file('a', 0, { size: null, stream: Readable.from(pieces(1000 * MiB)) })
  const from = Date.now()
  t.match(await errorOf(provider.store(endless, never)), { reason: 'AccessDenied' })
  t.ok(endless.stream.destroyed)
  t.ok(Date.now() - from < 10_000)
  t.ok(s3.faults.count('UploadPart') < 10)
  t.same([s3.keys, s3.unfinished], [[], []])
})
