// Work that still runs when its transaction ends.

import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { start } from '../fixtures/articles.ts'
import { boot, raw, repositories, type } from '../fixtures/boot.ts'

t.test('a session that is kept after its transaction refuses statements', async t => {
  const { kernel, of } = await start(t)
  const { late } = await kernel.transaction(async tx => {
    await of('tag').create({ data: { label: 'a' } })
    return { late: () => tx.run("UPDATE tags SET label = 'late'", []) }
  })
  t.throws(late, { message: 'The transaction has ended; await all of its work inside its callback' })
  t.match(await raw(kernel, 'SELECT label FROM tags'), [{ label: 'a' }])
})

t.test('a transaction waits for writes that the callback does not await', async t => {
  const kernel = await boot(t, {
    contentTypes: [type('tag', { label: { type: 'string' } })],
    configure: kernel =>
      kernel.hooks.on('onWrite', async write => {
        if (write.data.label !== 'late') return
        await sleep(10)
        throw new Error('no')
      }),
  })
  const tags = repositories(kernel)('tag')
  let late: Promise<unknown> = Promise.resolve()
  await kernel.transaction(async () => {
    await tags.create({ data: { label: 'a' } })
    late = tags.create({ data: { label: 'late' } })
    late.catch(() => {})
    await sleep(2)
  })
  await t.rejects(late, { message: 'no' })
  t.same(
    (await tags.findMany()).map(one => one.label),
    ['a'],
    'its hook threw: it leaves nothing behind',
  )
})

t.test('a write after the end of its transaction runs in one of its own', async t => {
  let isFailing = false
  const kernel = await boot(t, {
    contentTypes: [type('tag', { label: { type: 'string' } })],
    configure: kernel =>
      kernel.hooks.on('onWrite', () => {
        if (isFailing) throw new Error('no')
      }),
  })
  const tags = repositories(kernel)('tag')
  let late: Promise<unknown> = Promise.resolve()
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
  await kernel.transaction(async () => {
    await tags.create({ data: { label: 'inside' } })
    late = isOver.then(() => tags.create({ data: { label: 'late' } }))
    late.catch(() => {})
  })
  isFailing = true
  end()
  await t.rejects(late)
  isFailing = false
  t.same(
    (await tags.findMany()).map(one => one.label),
    ['inside'],
    'what failed left nothing behind',
  )
})
