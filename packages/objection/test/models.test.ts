// Objection models generated from content types: where their queries run, and what they read and write.

import t from 'tap'
import { modelsOf } from '../src/index.ts'
import { boot, repositories, thrown, type, uid } from './fixtures/boot.ts'

const tags = { type: 'relation', relation: 'manyToMany', target: uid('tag'), inversedBy: 'articles' }
const author = { type: 'relation', relation: 'manyToOne', target: uid('tag'), useJoinTable: false }
const articles = [
  type('tag', {
    label: { type: 'string' },
    articles: { type: 'relation', relation: 'manyToMany', target: uid('article'), mappedBy: 'tags' },
  }),
  type('article', { title: { type: 'string' }, readTime: { type: 'integer' }, tags, author }),
]

t.test('models run on the connection of the transaction', async t => {
  const tags = { type: 'relation', relation: 'manyToMany', target: uid('tag') }
  const kernel = await boot(t, {
    contentTypes: [type('tag', { label: { type: 'string' } }), type('word', { text: { type: 'string' }, tags })],
  })
  const of = repositories(kernel)
  const [Tag, Word] = [modelsOf(kernel).get(uid('tag')), modelsOf(kernel).get(uid('word'))]
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

t.test('models run on the connection of the write in its hooks', async t => {
  const kernel = await boot(t, {
    contentTypes: [type('tag', { label: { type: 'string' } }), type('log', { text: { type: 'string' } })],
    configure: kernel =>
      kernel.hooks.on('onWrite', { for: one => one.uid === uid('tag') }, async write => {
        await modelsOf(kernel)
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

t.test('models have the values of entries', async t => {
  const kernel = await boot(t, {
    contentTypes: [
      type('tag', { firstSeen: { type: 'datetime' } }),
      type('thing', {
        name: { type: 'string' },
        flag: { type: 'boolean' },
        whole: { type: 'integer' },
        amount: { type: 'decimal' },
        big: { type: 'biginteger' },
        startsOn: { type: 'date' },
        clock: { type: 'time' },
        happensAt: { type: 'datetime' },
        stamp: { type: 'timestamp' },
        payload: { type: 'json' },
        tag: { type: 'relation', relation: 'manyToOne', target: uid('tag') },
      }),
    ],
  })
  const of = repositories(kernel)
  const [Tag, Thing] = [modelsOf(kernel).get(uid('tag')), modelsOf(kernel).get(uid('thing'))]
  const values = {
    name: 'n',
    flag: false,
    whole: 5,
    amount: 1.5,
    big: '1234567890123',
    startsOn: '2024-02-29',
    clock: '10:20:30.000',
    happensAt: '2024-03-31T02:30:00.000Z',
    stamp: String(Date.parse('2024-01-01T00:00:00.000Z')),
    payload: { a: [1, null, '2'] },
  }
  const empty = Object.fromEntries(Object.keys(values).map(name => [name, null]))
  const began = Date.now()
  await Thing.query().insert({ ...values, happensAt: '2024-03-31T04:30:00+02:00' } as object)
  await Thing.query().insert({ ...empty, payload: '5' } as object)
  const entries = await of('thing').findMany({ sort: 'id' })
  t.match(entries, [values, { ...empty, payload: '5' }], 'written as entries are')
  const { createdAt, updatedAt } = entries[0]! as unknown as { createdAt: string; updatedAt: string }
  t.ok(Date.parse(createdAt) >= began - 1 && createdAt === updatedAt)
  const read = async () => JSON.parse(JSON.stringify(await Thing.query().orderBy('id')))
  t.match(await read(), entries, 'read as entries are')
  await of('thing').create({ data: { ...values, createdAt: undefined, happensAt: '2030-01-01T00:00:00.000Z' } })
  t.match(await read(), await of('thing').findMany({ sort: 'id' }))

  await new Promise(resolve => setTimeout(resolve, 5))
  await Thing.query()
    .findById(1)
    .patch({ name: 'changed' } as object)
  const changed = (await of('thing').findOne(1))! as unknown as { createdAt: string; updatedAt: string }
  t.match(changed, { name: 'changed', createdAt, happensAt: values.happensAt })
  t.ok(changed.updatedAt > updatedAt)

  const ids = async (query: unknown) => ((await query) as { id: number }[]).map(one => one.id)
  const all = () => Thing.query().orderBy('id')
  t.same(await ids(all().where('happensAt', '<', '2025-01-01T00:00:00Z')), [1])
  t.same(await ids(all().where('things.happensAt', values.happensAt)), [1])
  t.same(await ids(all().where({ startsOn: values.startsOn, flag: false })), [1, 3])
  t.same(await ids(all().whereIn('happensAt', [values.happensAt, new Date('2030-01-01')])), [1, 3])
  t.same(await ids(all().whereBetween('happensAt', ['2024-01-01', '2024-12-31'])), [1])
  t.same(await ids(all().whereNull('startsOn').orWhere('happensAt', '>', '2029-01-01')), [2, 3])
  t.same(await ids(all().where(query => query.whereNotNull('happensAt').where('name', 'like', 'ch%'))), [1])
  t.same(
    await ids(
      Thing.query()
        .orderBy([{ column: 'happensAt', order: 'desc' }])
        .whereNotNull('happensAt'),
    ),
    [3, 1],
  )
  t.match(await Thing.query().select('id', 'happensAt as at').findById(1), { id: 1 })
  t.match(await Thing.query().select('happensAt').findOne({ id: 1 }), { happensAt: values.happensAt })
  t.equal(await all().resultSize(), 3)
  t.equal(await Thing.query().where('happensAt', values.happensAt).delete(), 1)

  await Tag.query().insert({ firstSeen: values.happensAt } as object)
  await of('thing').update(2, { data: { tag: 1 } })
  const seen = { tag: { firstSeen: values.happensAt } }
  t.match(await Thing.query().findById(2).withGraphFetched('tag'), seen)
  t.match(await Thing.query().findById(2).withGraphJoined('tag'), seen)
  t.match(await Thing.relatedQuery('tag').for(2).where('firstSeen', values.happensAt), [seen.tag])
  const made = await Thing.query().insertAndFetch({ name: 'fetched', happensAt: values.happensAt } as object)
  t.match(made, { name: 'fetched', happensAt: values.happensAt })
  const message = 'Invalid format, expected a timestamp or an ISO date'
  t.match(await thrown(t, () => Thing.query().insert({ happensAt: 'never' } as object)), { status: 400, message })
})

t.test('tx.knex and models write in a transaction', async t => {
  const kernel = await boot(t, { contentTypes: articles })
  const of = repositories(kernel)
  const Tag = modelsOf(kernel).get(uid('tag'))
  const Article = modelsOf(kernel).get(uid('article'))
  await kernel.transaction(async tx => {
    await tx.knex('tags').insert({ label: 'by knex' })
    await Tag.query(tx.knex).insert({ label: 'by model' } as object)
    t.same(
      (await of('tag').findMany()).map(one => one.label),
      ['by knex', 'by model'],
    )
    const update = { readTime: 5 } as object
    await Article.query(tx.knex).insert({ title: 'a', readTime: 4 } as object)
    t.equal(await Article.query(tx.knex).patch(update).where('title', 'a'), 1)
  })
  t.match(await kernel.knex('articles').select('title', 'read_time'), [{ title: 'a', read_time: 5 }], 'by column names')
  await thrown(t, () =>
    kernel.transaction(async tx => {
      await tx.knex('tags').del()
      await Article.query(tx.knex).delete()
      throw new Error('back')
    }),
  )
  t.equal((await Tag.query()).length, 2)
  await of('article').update(1, { data: { tags: [2, 1], author: 2 } })
  t.match(await Article.query().findById(1).withGraphFetched('[tags, author]'), {
    title: 'a',
    readTime: 5,
    author: { label: 'by model' },
  })
  t.match(await Tag.query().findById(1).withGraphFetched('articles'), { articles: [{ readTime: 5 }] })
  const [tag] = (await Tag.query().joinRelated('articles').where('articles.title', 'a').orderBy('tags.id')) as object[]
  t.match(tag, { id: 1, label: 'by knex' })
  await Article.relatedQuery('tags').for(1).unrelate().where('tags.id', 1)
  t.match(await of('article').findOne(1, { populate: 'tags' }), { tags: [{ id: 2 }] })
  t.throws(() => modelsOf(kernel).get('api::tga.tag'), { message: /did you mean "api::tag\.tag"/ })
})
