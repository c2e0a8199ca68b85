// `kernel.transaction`: several writes in one transaction, what is rolled back, and who sees what.

import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { hasOneWriter, start } from '../fixtures/articles.ts'
import { thrown } from '../fixtures/boot.ts'

t.test('queries and transactions inside kernel.transaction join it', async t => {
  const commits: unknown[] = []
  const { kernel, of } = await start(t, kernel => kernel.hooks.on('onCommit', writes => void commits.push(...writes)))
  const result = await kernel.transaction(async tx => {
    await of('tag').create({ data: { label: 'a' } })
    t.equal(kernel.database.current, tx)
    await kernel.transaction(async () => {
      t.equal(await of('tag').count(), 1)
      await of('tag').create({ data: { label: 'b' } })
    })
    t.equal(await of('tag').count(), 2, 'reads inside see its writes')
    t.match(await of('tag').findPage({ pagination: { pageSize: 1 } }), { pagination: { total: 2 } })
    t.same(commits, [])
    return 'done'
  })
  t.equal(result, 'done')
  t.equal(commits.length, 2)
  const error = await thrown(t, () =>
    kernel.transaction(async () => {
      await of('tag').create({ data: { label: 'c' } })
      await of('tag').delete(1)
      throw new TypeError('back')
    }),
  )
  t.ok(error instanceof TypeError)
  t.same(
    (await of('tag').findMany()).map(one => one.label),
    ['a', 'b'],
    'rolled back',
  )
  t.equal(commits.length, 2)
  t.equal(kernel.database.current, undefined)
})

t.test('reads outside a running transaction see the state before it and do not wait', async t => {
  const { kernel, of } = await start(t)
  const page = { pagination: { pageSize: 1 } }
  await of('tag').create({ data: { label: 'a' } })
  t.match(await of('tag').findPage(page), { pagination: { total: 1 } })
  const opened = Promise.withResolvers<void>()
  const closing = Promise.withResolvers<void>()
  const work = kernel.transaction(async () => {
    await of('tag').create({ data: { label: 'b' } })
    await of('tag').update(1, { data: { label: 'A' } })
    opened.resolve()
    await closing.promise
  })
  await opened.promise
  t.match(await of('tag').findPage(page), { entries: [{ label: 'a' }], pagination: { total: 1 } })
  closing.resolve()
  await work
  t.match(
    await of('tag').findPage(page),
    { entries: [{ label: 'A' }], pagination: { total: 2 } },
    'a remembered total is forgotten',
  )
})

if (hasOneWriter) {
  t.test('on SQLite, transactions run one after the other', async t => {
    const { kernel, of } = await start(t)
    const works = Array.from({ length: 20 }, (_, i) =>
      kernel.transaction(async () => {
        const before = await of('tag').count()
        await sleep(1)
        await of('tag').create({ data: { label: `${i}` } })
        await sleep(1)
        if ((await of('tag').count()) !== before + 1) throw new Error('another process wrote')
        if (i % 4 === 0) throw new Error('back')
      }),
    )
    const results = await Promise.allSettled(works)
    t.same(
      results.map(one => one.status),
      works.map((_, i) => (i % 4 === 0 ? 'rejected' : 'fulfilled')),
    )
    t.equal(await of('tag').count(), 15)
  })
}
