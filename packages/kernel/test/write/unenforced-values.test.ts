// Unique values whose index the rows of an old database do not allow: no two writes that meet get the same new value,
// also from two kernels, which stand for two processes.

import { fresh, onEach } from '@plinth/test-tools/on-each'
import { createKernel, type Kernel, ValidationError } from '../../src/index.ts'
import { component, repositories, type, uid } from '../fixtures/boot.ts'

await onEach('of writes that meet, one gets a value that is unique without an index', async t => {
  const { config: database } = await fresh(t)
  const attributes = { code: { type: 'string' }, row: { type: 'string' }, seat: { type: 'integer' } }
  const first = await createKernel({ database, contentTypes: [type('thing', attributes)] })
  const ids: number[] = []
  for (let i = 0; i < 12; i++)
    ids.push((await repositories(first)('thing').create({ data: { code: 'k', row: 'r', seat: 0 } })).id)
  await first.close()
  const contentTypes = [type('thing', { ...attributes, code: { type: 'string', unique: true } })]
  const configure = (kernel: Kernel) =>
    kernel.hooks.on(
      'preModel',
      draft => void (draft.uid === uid('thing') && draft.index(['row', 'seat'], { unique: true })),
    )
  const logger = { info: () => {}, warn: () => {}, error: () => {} }
  const kernels: Kernel[] = []
  for (let i = 0; i < 2; i++) kernels.push(await createKernel({ database, contentTypes, configure, logger }))
  t.teardown(() => Promise.all(kernels.map(kernel => kernel.close())))
  const of = (i: number) => repositories(kernels[i % 2]!)('thing')

  /** Runs writes at once; all but one are refused, and the others keep what they have. */
  const meet = async (title: string, write: (i: number) => Promise<unknown>) => {
    const results = await Promise.allSettled(ids.map((_, i) => write(i)))
    for (const one of results) if (one.status === 'rejected') t.match(one.reason, ValidationError)
    t.equal(results.filter(one => one.status === 'fulfilled').length, 1, title)
  }
  for (let round = 0; round < 4; round++) {
    const code = `new ${round}`
    await meet('creations', i => of(i).create({ data: { code } }))
    await meet('updates', i => of(i).update(ids[i]!, { data: { code: `${code} b` } }))
    await meet('creations of several values', i => of(i).create({ data: { row: 'x', seat: round } }))
    await meet('updates of one of several values', i => of(i).update(ids[i]!, { data: { seat: round + 1 } }))
  }
  const kept = await Promise.all(
    ids.map((id, i) =>
      of(i)
        .update(id, { data: { code: 'k' } })
        .catch(() => null),
    ),
  )
  t.ok(
    kept.some(one => one !== null),
    'who has the old value may send it again',
  )
})

await onEach('transactions that need the values of each other in another order both end', async (t, client) => {
  const { config: database } = await fresh(t)
  const part = { type: 'component', component: 'a.part' }
  const kernel = await createKernel({
    database,
    contentTypes: [type('thing', { part })],
    components: { 'a.part': component('a.part', { sku: { type: 'string', unique: true } }) },
  })
  t.teardown(() => kernel.close())
  const things = kernel.query(uid('thing'))
  const arrived = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
  let attempts = 0
  const works: Promise<unknown>[] = []
  const both = (i: 0 | 1, skus: readonly [string, string]) =>
    kernel.transaction(async () => {
      // The one that runs again would meet the other once more, if that had not ended.
      if (++attempts > 2) await Promise.allSettled([works[1 - i]])
      await things.create({ data: { part: { sku: skus[0] } } })
      arrived[i].resolve()
      // SQLite has one writer, so that the second transaction begins after the first.
      if (client !== 'sqlite') await arrived[1 - i]!.promise
      await things.create({ data: { part: { sku: skus[1] } } })
    })
  works.push(both(0, ['a', 'b']), both(1, ['b', 'a']))
  const results = await Promise.allSettled(works)
  t.same(results.map(one => one.status).sort(), ['fulfilled', 'rejected'])
  for (const one of results)
    if (one.status === 'rejected') t.match(one.reason, { constructor: ValidationError, message: /unique/ })
  t.equal(attempts, client === 'sqlite' ? 2 : 3, 'the server ends one attempt, which runs again')
  t.equal(await things.count({}), 2)
})
