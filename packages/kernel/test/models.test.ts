// Objection models generated from content types: where their queries run, and what they read and write.

import t from 'tap'
import { boot, repositories, thrown, type, uid } from './fixtures/boot.ts'

t.test('inside a transaction models are on its connection', async t => {
  const tags = { type: 'relation', relation: 'manyToMany', target: uid('tag') }
  const kernel = await boot(t, {
    contentTypes: [type('tag', { label: { type: 'string' } }), type('word', { text: { type: 'string' }, tags })],
  })
  const of = repositories(kernel)
  const [Tag, Word] = [kernel.models.get(uid('tag')), kernel.models.get(uid('word'))]
  const labels = async () => ((await Tag.query().orderBy('id')) as unknown as { label: string }[]).map(one => one.label)
  await kernel.transaction(async tx => {
    await of('tag').create({ data: { label: 'a' } })
    t.same(await labels(), ['a'], 'they see it')
    await Tag.query().insert({ label: 'b' } as object)
    await of('word').create({ data: { text: 'w', tags: [1, 2] } })
    t.match(await Word.query().findById(1).withGraphFetched('tags'), { tags: [{ label: 'a' }, { label: 'b' }] })
    t.match(await Word.relatedQuery('tags').for(1).where('label', 'a'), [{ label: 'a' }])
    t.equal((await of('tag').findMany()).length, 2)
    await Tag.bindKnex(tx.knex)
      .query()
      .insert({ label: 'c' } as object)
  })
  t.same(await labels(), ['a', 'b', 'c'])

  await thrown(t, () =>
    kernel.transaction(async () => {
      await Tag.query().delete()
      throw new Error('back')
    }),
  )
  t.equal((await labels()).length, 3, 'they go back with it')
  await kernel.transaction(async () => {
    await Tag.query().insert({ label: 'outer' } as object)
    const inner = kernel.transaction(async () => {
      await Tag.query().insert({ label: 'inner' } as object)
      throw new Error('back')
    })
    await thrown(t, () => inner)
    await Tag.transaction(async trx => Tag.query(trx).insert({ label: 'own' } as object))
  })
  t.same((await labels()).slice(3), ['outer', 'own'])
})

t.test('in hooks of a write models are on its connection, too', async t => {
  const kernel = await boot(t, {
    contentTypes: [type('tag', { label: { type: 'string' } }), type('log', { text: { type: 'string' } })],
    listen: kernel =>
      kernel.hooks.on('onWrite', { for: one => one.uid === uid('tag') }, async write => {
        await kernel.models
          .get(uid('log'))
          .query()
          .insert({ text: write.action } as object)
        if (write.data.label === 'no') throw new Error('no')
      }),
  })
  const of = repositories(kernel)
  await of('tag').create({ data: { label: 'yes' } })
  await thrown(t, () => of('tag').create({ data: { label: 'no' } }))
  t.match(await of('log').findMany(), [{ text: 'create' }])
})
