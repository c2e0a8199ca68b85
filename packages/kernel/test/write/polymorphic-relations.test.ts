// Polymorphic relations, written and read from both ends (B-4.44, B-10.25, B-10.26), and orders that hold after any
// sequence of changes.

import t from 'tap'
import type { Entry } from '../../src/index.ts'
import { boot, component, raw, repositories, thrown, type, uid } from '../fixtures/boot.ts'

const morph = (relation: string, morphBy: string) => ({ type: 'relation', relation, target: uid('note'), morphBy })
const contentTypes = [
  type('note', {
    text: { type: 'string' },
    about: { type: 'relation', relation: 'morphToOne' },
    mentions: { type: 'relation', relation: 'morphToMany' },
  }),
  type('person', {
    name: { type: 'string' },
    note: morph('morphOne', 'about'),
    mentionedIn: morph('morphMany', 'mentions'),
  }),
  type('place', {
    city: { type: 'string' },
    notes: morph('morphMany', 'about'),
    mentionedBy: morph('morphOne', 'mentions'),
  }),
]

t.test('morphToOne and its inverses', async t => {
  const of = repositories(await boot(t, { contentTypes }))
  await of('person').create({ data: { name: 'Ada' } })
  await of('place').create({ data: { city: 'Ulm' } })
  const ada = { id: 1, __type: uid('person') }
  await of('note').create({ data: { text: 'one', about: ada } })
  await of('note').create({ data: { text: 'two', about: { id: 1, type: uid('place') } } })
  await of('note').create({ data: { text: 'three' } })
  const read = async () => (await of('note').findMany({ populate: 'about' })).map(note => note.about)
  t.match(await read(), [
    { id: 1, __type: uid('person'), name: 'Ada' },
    { id: 1, __type: uid('place'), city: 'Ulm' },
    null,
  ])
  t.match(await of('person').findOne(1, { populate: 'note' }), { note: { text: 'one' } })
  t.match(await of('place').findOne(1, { populate: 'notes' }), { notes: [{ text: 'two' }] })

  await of('place').update(1, { data: { notes: [3, 2] } })
  t.match(await of('place').findOne(1, { populate: 'notes' }), { notes: [{ text: 'two' }, { text: 'three' }] })
  await of('place').update(1, { data: { notes: { disconnect: [2] } } })
  await of('note').update(1, { data: { about: null } })
  t.match(await read(), [null, null, { city: 'Ulm' }])
  await of('person').update(1, { data: { note: 2 } })
  t.match(await read(), [null, { name: 'Ada' }, { city: 'Ulm' }])
  for (const about of [1, { id: 1 }, { id: 1, __type: 'api::nothing.nothing' }])
    t.match(await thrown(t, () => of('note').create({ data: { about } })), { message: 'Invalid relations' })
  const message = '1 relation(s) of type api::place.place associated with this entity do not exist'
  t.match(await thrown(t, () => of('note').create({ data: { about: { id: 9, __type: uid('place') } } })), { message })
})

t.test('morphToMany and its inverses', async t => {
  const kernel = await boot(t, { contentTypes })
  const of = repositories(kernel)
  for (const name of ['Ada', 'Eva']) await of('person').create({ data: { name } })
  await of('place').create({ data: { city: 'Ulm' } })
  const [ada, eva, ulm] = [
    { id: 1, __type: uid('person') },
    { id: 2, __type: uid('person') },
    { id: 1, __type: uid('place') },
  ]
  await of('note').create({ data: { mentions: [eva, ulm, ada] } })
  const names = async (populate: unknown = 'mentions') =>
    ((await of('note').findOne(1, { populate: populate as string }))!.mentions as Entry[]).map(
      one => one.name ?? one.city,
    )
  t.same(await names(), ['Eva', 'Ulm', 'Ada'], 'in the stored order, across types')
  t.same(await names({ mentions: { on: { [uid('person')]: { fields: ['name'] } } } }), ['Eva', 'Ada'])
  t.same(await names({ mentions: { on: { 'api::no.no': true } } }), [])
  t.same(await names({ mentions: { ordering: 'desc', limit: 2 } }), ['Ada', 'Ulm'])
  t.same(await names({ mentions: { start: 2 } }), ['Ada'])
  t.match(await raw(kernel, 'SELECT mentions_type, field FROM notes_mentions_morphs ORDER BY "order"'), [
    { mentions_type: uid('person'), field: 'mentionedIn' },
    { mentions_type: uid('place'), field: 'mentionedBy' },
    { mentions_type: uid('person'), field: 'mentionedIn' },
  ])
  t.match(await of('person').findMany({ populate: 'mentionedIn' }), [
    { mentionedIn: [{ id: 1 }] },
    { mentionedIn: [{ id: 1 }] },
  ])
  t.match(await of('place').findOne(1, { populate: 'mentionedBy' }), { mentionedBy: { id: 1 } })
  t.equal(await of('person').count({ filters: { mentionedIn: { id: 1 } } }), 2)

  await of('note').update(1, { data: { mentions: { connect: [eva], disconnect: [ulm] } } })
  t.same(await names(), ['Ada', 'Eva'])
  await of('note').create({ data: { text: 'second' } })
  await of('person').update(1, { data: { mentionedIn: [2] } })
  t.same(await names(), ['Eva'])
  t.match(await of('note').findOne(2, { populate: 'mentions' }), { mentions: [{ name: 'Ada' }] })
  await of('person').delete(1)
  t.match(await of('note').findOne(2, { populate: 'mentions' }), { mentions: [] })
  await of('note').delete(1)
  t.same(await raw(kernel, 'SELECT * FROM notes_mentions_morphs'), [], 'no orphan rows')
})

t.test('positions, repeated ids, and ids that are not linked', async t => {
  const components = { 'shared.part': component('shared.part', { label: { type: 'string' } }) }
  const kernel = await boot(t, { contentTypes, components })
  const of = repositories(kernel)
  for (const name of ['Ada', 'Eva', 'Ida']) await of('person').create({ data: { name } })
  for (const city of ['Ulm', 'Köln']) await of('place').create({ data: { city } })
  const person = (id: number) => ({ id, __type: uid('person') })
  const place = (id: number) => ({ id, __type: uid('place') })
  await of('note').create({ data: { about: person(1), mentions: [person(1), place(1)] } })
  const names = async () =>
    ((await of('note').findOne(1, { populate: 'mentions' }))!.mentions as Entry[]).map(one => one.name ?? one.city)
  const connect = (...items: unknown[]) => of('note').update(1, { data: { mentions: { connect: items } } })
  await connect({ ...person(2), position: { start: true } })
  t.same(await names(), ['Eva', 'Ada', 'Ulm'])
  await connect({ ...person(3), position: { before: 1 } }, { ...place(2), position: { after: person(3) } })
  t.same(await names(), ['Eva', 'Ida', 'Köln', 'Ada', 'Ulm'])
  await connect({ ...person(2), position: { before: 1, __type: uid('place') } })
  t.same(await names(), ['Ida', 'Köln', 'Ada', 'Eva', 'Ulm'], 'what is connected moves')
  const twice = await thrown(t, () => connect(person(3), person(3)))
  t.match(twice.message, /^The relation with id 3 is already connected/)
  const stranger = await thrown(t, () => connect({ ...person(3), position: { before: place(9) } }))
  t.match(stranger.message, /The relation with id 9 needs to be connected first/)
  await of('note').update(1, { data: { mentions: { set: [person(1), person(1), place(1)] } } })
  t.same(await names(), ['Ada', 'Ulm'])

  const about = async () => (await of('note').findOne(1, { populate: 'about' }))!.about
  const disconnect = (...items: unknown[]) => of('note').update(1, { data: { about: { disconnect: items } } })
  await disconnect(person(2), place(1))
  t.match(await about(), { name: 'Ada' }, 'what is not linked is not let go')
  for (const wrong of [{ id: 1, __type: 'shared.part' }, { __type: uid('person') }, true, false]) {
    for (const data of [{ about: wrong }, { mentions: { connect: [wrong] } }])
      t.match(await thrown(t, () => of('note').update(1, { data })), { status: 400, message: 'Invalid relations' })
  }
  t.match(await thrown(t, () => of('note').update(1, { data: { mentions: true } })), { status: 400 })
  t.match(await thrown(t, () => of('person').update(1, { data: { note: true } })), { status: 400 })
  t.match(await about(), { name: 'Ada' })
  await of('note').update(1, { data: { about: {} } })
  t.match(await about(), { name: 'Ada' }, 'nothing asked, nothing changed')
  await disconnect(person(2), person(1))
  t.equal(await about(), null)

  await kernel.database.transaction(async tx => {
    const text = "UPDATE notes_mentions_morphs SET mentions_type = 'api::gone.gone' WHERE mentions_type = ?"
    await tx.run(kernel.database.dialect.finish(text), [uid('place')])
  })
  await connect(person(2))
  await of('note').update(1, { data: { mentions: [person(3)] } })
  t.same(await names(), ['Ida'])
  t.match(await raw(kernel, 'SELECT mentions_type, field FROM notes_mentions_morphs ORDER BY "order"'), [
    { mentions_type: uid('person') },
    { mentions_type: 'api::gone.gone', field: 'mentionedBy' },
  ])
})

t.test('random changes keep the order that a list would have', async t => {
  const tags = { type: 'relation', relation: 'manyToMany', target: uid('tag'), inversedBy: 'words' }
  const words = { type: 'relation', relation: 'manyToMany', target: uid('word'), mappedBy: 'tags' }
  const kernel = await boot(t, { contentTypes: [type('word', { tags }), type('tag', { words })] })
  const of = repositories(kernel)
  for (let i = 0; i < 8; i++) await of('tag').create({ data: {} })
  await of('word').create({ data: {} })
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 48271) % 2147483647
    return seed % below
  }
  let expected: number[] = []
  for (let step = 0; step < 150; step++) {
    const id = random(8) + 1
    const rest = expected.filter(one => one !== id)
    const place = random(rest.length + 1)
    if (random(4) === 0) {
      await of('word').update(1, { data: { tags: { disconnect: [id] } } })
      expected = rest
    } else {
      const neighbour = rest[place]
      const position = neighbour === undefined ? { end: true } : place === 0 ? { start: true } : { before: neighbour }
      await of('word').update(1, { data: { tags: { connect: [{ id, position }] } } })
      expected = rest.toSpliced(place, 0, id)
    }
    const found = (await of('word').findOne(1, { populate: 'tags' }))!.tags as Entry[]
    if (JSON.stringify(found.map(one => one.id)) !== JSON.stringify(expected))
      t.same(
        found.map(one => one.id),
        expected,
        `step ${step}`,
      )
  }
  const found = (await of('word').findOne(1, { populate: 'tags' }))!.tags as Entry[]
  t.same(
    found.map(one => one.id),
    expected,
  )
  const orders = await raw(kernel, 'SELECT tag_order FROM words_tags_links ORDER BY tag_order')
  t.same(
    orders.map(one => one.tag_order),
    expected.map((_, i) => i + 1),
    'numbered as v4 numbers them',
  )
})

t.test('positions between neighbours are always found, and both sides are numbered', async t => {
  const tags = { type: 'relation', relation: 'manyToMany', target: uid('tag'), inversedBy: 'words' }
  const words = { type: 'relation', relation: 'manyToMany', target: uid('word'), mappedBy: 'tags' }
  const kernel = await boot(t, { contentTypes: [type('word', { tags }), type('tag', { words })] })
  const of = repositories(kernel)
  for (let i = 0; i < 60; i++) await of('tag').create({ data: {} })
  await of('word').create({ data: { tags: [1, 2] } })
  const expected = [1, 2]
  for (let id = 3; id <= 60; id++) {
    await of('word').update(1, { data: { tags: { connect: [{ id, position: { after: 1 } }] } } })
    expected.splice(1, 0, id)
  }
  const found = (await of('word').findOne(1, { populate: 'tags' }))!.tags as Entry[]
  t.same(
    found.map(one => one.id),
    expected,
  )
  for (let i = 0; i < 3; i++) await of('word').create({ data: { tags: [7] } })
  const orders = await raw(kernel, 'SELECT word_order FROM words_tags_links WHERE tag_id = 7 ORDER BY id')
  t.same(
    orders.map(one => one.word_order),
    [1, 2, 3, 4],
  )
})

t.test('a deletion removes the polymorphic links of the entry', async t => {
  const kernel = await boot(t, {
    contentTypes: [
      type('person', { notes: { type: 'relation', relation: 'morphMany', target: uid('note'), morphBy: 'about' } }),
      type('place', {}),
      type('note', { about: { type: 'relation', relation: 'morphToOne' } }),
      type('list', { of: { type: 'relation', relation: 'morphToMany' } }),
    ],
  })
  const of = repositories(kernel)
  const person = await of('person').create({ data: {} })
  const place = await of('place').create({ data: {} })
  const [known, unknown] = [
    { id: person.id, __type: uid('person') },
    { id: place.id, __type: uid('place') },
  ]
  for (const about of [known, unknown]) await of('note').create({ data: { about } })
  await of('list').create({ data: { of: [known, unknown] } })
  await of('person').delete(person.id)
  await of('place').delete(place.id)
  t.same(await raw(kernel, 'SELECT target_id, target_type FROM notes WHERE target_id IS NOT NULL'), [])
  t.same(await raw(kernel, 'SELECT * FROM lists_of_morphs'), [], 'no orphan rows')
})
