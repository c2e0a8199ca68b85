// Writes and transactions inside a transaction: each runs in a savepoint, so it fails alone.

import t from 'tap'
import { full, start } from '../fixtures/articles.ts'
import { raw, thrown } from '../fixtures/boot.ts'

t.test('a write that fails inside a transaction is rolled back alone', async t => {
  const { kernel, of } = await start(t)
  await of('tag').create({ data: { label: 'a' } })
  await of('article').create({ data: { title: 'whole' } })
  await kernel.transaction(async () => {
    const tags = { connect: [{ id: 1, position: { before: 9 } }] }
    await thrown(t, () => of('article').update(1, { data: { title: 'half', tags } }))
    await of('tag').create({ data: { label: 'b' } })
  })
  t.match(await raw(kernel, 'SELECT title FROM articles'), [{ title: 'whole' }])
  t.equal(await of('tag').count(), 2, 'the rest is committed')
})

t.test('concurrent writes in a transaction fail alone', async t => {
  const { kernel, of } = await start(t)
  await of('tag').create({ data: { label: 'a' } })
  const results = await kernel.transaction(() =>
    Promise.allSettled([
      of('article').create({ data: full('one') }),
      of('article').create({ data: { ...full('two'), tags: { connect: [{ id: 1, position: { before: 9 } }] } } }),
      of('article').create({ data: full('three') }),
    ]),
  )
  t.same(
    results.map(one => one.status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  t.match(await raw(kernel, 'SELECT title FROM articles'), [{ title: 'one' }, { title: 'three' }])
  t.equal((await raw(kernel, 'SELECT * FROM components_a_seos')).length, 2)
})

t.test('a write that still runs when its transaction fails is rolled back with it', async t => {
  const { kernel, of } = await start(t)
  await of('tag').create({ data: { label: 'a' } })
  const broken = { ...full('broken'), tags: { connect: [{ id: 1, position: { before: 9 } }] } }
  for (let time = 0; time < 5; time++) {
    const failing = kernel.transaction(() =>
      Promise.all([
        of('article').create({ data: broken }),
        of('article').create({ data: full('with it') }),
        of('article').create({ data: { ...full('with it, too'), tags: [1] } }),
      ]),
    )
    const stranger = failing.catch(() =>
      kernel.transaction(() => of('article').create({ data: { ...full(`stranger ${time}`), tags: [1] } })),
    )
    await t.rejects(failing)
    await stranger
  }
  t.same(
    (await raw(kernel, 'SELECT title FROM articles ORDER BY id')).map(row => row.title),
    [0, 1, 2, 3, 4].map(time => `stranger ${time}`),
  )
  t.equal((await raw(kernel, 'SELECT * FROM articles_tags_links')).length, 5)
})

t.test('a transaction of knex inside a transaction is a savepoint', async t => {
  const { kernel, of } = await start(t)
  const failing = kernel.transaction(async tx => {
    await of('tag').create({ data: { label: 'a' } })
    await tx.knex.transaction(trx => trx('tags').insert({ label: 'b' }))
    throw new Error('no')
  })
  await t.rejects(failing, { message: 'no' })
  t.same(await raw(kernel, 'SELECT label FROM tags'), [])
  await kernel.transaction(async tx => {
    await of('tag').create({ data: { label: 'a' } })
    const part = tx.knex.transaction(async trx => {
      await trx('tags').insert({ label: 'b' })
      throw new Error('alone')
    })
    await t.rejects(part, { message: 'alone' })
    await tx.knex.transaction(trx => trx('tags').insert({ label: 'c' }))
  })
  t.match(await raw(kernel, 'SELECT label FROM tags ORDER BY id'), [{ label: 'a' }, { label: 'c' }])
})
