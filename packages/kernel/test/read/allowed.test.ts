// What is left of a query whose caller may not ask for every part, and which parts are reported.

import t from 'tap'
import { createContext, openAccess, type Params, under } from '../../src/index.ts'
import { boot, component, type, uid } from '../fixtures/boot.ts'

const to = (relation: string, name: string, more: object = {}) => ({
  type: 'relation',
  relation,
  target: uid(name),
  ...more,
})
const components = { 'a.card': component('a.card', { label: { type: 'string' }, writer: to('oneToOne', 'writer') }) }
const contentTypes = [
  type('writer', { name: { type: 'string' }, books: to('oneToMany', 'book', { mappedBy: 'writer' }) }),
  type('book', {
    title: { type: 'string' },
    pages: { type: 'integer' },
    writer: to('manyToOne', 'writer', { inversedBy: 'books' }),
    zone: { type: 'dynamiczone', components: ['a.card'] },
  }),
]
const caller = createContext(openAccess)
const books = { uid: uid('book'), action: 'find', isPartial: true } as const
const answer = { uid: uid('book'), action: 'create', isPartial: true } as const

t.test('all refused parts are reported at once, and the rest is asked', async t => {
  const kernel = await boot(t, { contentTypes, components })
  const ask = (params: object) => kernel.reader.prepare({ ...books, params: params as Params }, caller)
  const cards = { 'a.card': { fields: ['label', 'y'], populate: { writer: { filters: { z: 1 } } } } }
  const params = {
    fields: ['title', 'x'],
    populate: {
      writer: { fields: ['name', 'x'], populate: { books: { sort: 'x' } } },
      other: under('writer', { fields: ['name'], filters: { x: 1 } } as object),
      zone: { on: cards },
    },
  }
  const sent = JSON.stringify(params)
  const prepared = ask(params)
  const { refused } = prepared
  t.same(
    refused.map(({ kind, path }) => `${kind} ${path}`),
    [
      'field fields.x',
      'field populate.writer.fields.x',
      'branch populate.writer.populate.books',
      'branch populate.other',
      'field populate.zone.on.a.card.fields.y',
      'branch populate.zone.on.a.card.populate.writer',
    ],
  )
  t.same(prepared.request.params, {
    fields: ['title'],
    populate: {
      writer: { fields: ['name'], populate: {} },
      zone: { on: { 'a.card': { fields: ['label'], populate: {} } } },
    },
  })
  t.equal(JSON.stringify(params), sent, 'the parameters of the caller stay')
  t.same((await kernel.reader.run(prepared, caller)).rows.rows, [])
  t.same(ask(prepared.request.params).refused, [], 'nothing else is refused')
})

t.test('what is refused when values are checked is left out, too', async t => {
  const kernel = await boot(t, { contentTypes, components })
  const below = { 'a.card': { populate: { writer: { populate: { books: { filters: { pages: 'x' } } } } } } }
  const params = { populate: { zone: { on: below }, writer: { populate: { books: { filters: { pages: 'y' } } } } } }
  const prepared = kernel.reader.prepare({ ...books, params }, caller)
  const { refused } = prepared
  t.same(
    refused.map(({ path }) => path),
    ['populate.zone.on.a.card.populate.writer.populate.books', 'populate.writer.populate.books'],
  )
  t.same(prepared.request.params, {
    populate: { zone: { on: { 'a.card': { populate: { writer: { populate: {} } } } } }, writer: { populate: {} } },
  })
})

t.test('an error about the query as a whole is thrown', async t => {
  const kernel = await boot(t, { contentTypes, components })
  for (const params of [
    { filters: { x: 1 }, populate: { writer: { filters: { x: 1 } } } },
    { populate: 5, sort: 'x' },
    { populate: 'zone', fields: 'x' },
  ])
    t.throws(() => kernel.reader.prepare({ ...books, params }, caller), {
      message: 'Invalid parameter x',
    })
  const wrong = { ...answer, params: { fields: ['x', 'y'], sort: 'z' } }
  t.throws(() => kernel.reader.prepareAnswer(wrong, caller), { message: 'Invalid parameter z' })
  t.throws(() => kernel.reader.check(wrong, caller), { message: 'Invalid parameter z' })
})

t.test('the answer of a write lacks them, too', async t => {
  const kernel = await boot(t, { contentTypes, components })
  const request = { ...answer, params: { fields: ['x', 'pages'] } }
  kernel.reader.check(request, caller)
  t.throws(() => kernel.reader.check({ ...request, isPartial: false }, caller), { message: 'Invalid parameter x' })
  const prepared = kernel.reader.prepareAnswer(request, caller)
  const { params, refused } = prepared
  t.same([params, refused.map(({ path }) => path)], [{ fields: ['pages'] }, ['fields.x']])
  const write = { uid: uid('book'), data: { title: 'One', pages: 5 }, context: caller }
  const { rows } = await kernel.writer.create({ ...write, answer: prepared })
  t.same(rows.rows, [[1, 5]], 'the writer uses the prepared query')
  t.equal(rows.node, prepared.node)
  const updated = await kernel.writer.update({ ...write, id: 1, answer: prepared })
  t.same(updated.rows.rows, [[1, 5]], 'and prepares it again for another action')
  const whole = await kernel.writer.update({ ...write, id: 1 })
  t.same(whole.rows.rows[0]!.slice(0, 3), [1, 'One', 5], 'without a query, the answer has all scalars')
})

t.test('a request is neither copied nor changed if nothing is refused', async t => {
  const kernel = await boot(t, { contentTypes, components })
  for (const isPartial of [true, false]) {
    const request = Object.freeze({ ...books, isPartial, params: Object.freeze({ fields: ['title'] }) })
    const { request: kept, refused } = kernel.reader.prepare(request, caller)
    t.equal(kept, request)
    t.same(refused, [])
  }
})

t.test('a selection for all types of a zone is left out as a whole', async t => {
  const kernel = await boot(t, { contentTypes, components })
  const params = { populate: { zone: { populate: { writer: { filters: { x: 1 } } } } } }
  const prepared = kernel.reader.prepare({ ...books, params }, caller)
  const { refused } = prepared
  t.ok(refused.some(({ path }) => path === 'populate.zone'))
  t.same(prepared.request.params, { populate: {} })
})

t.test('a refused branch costs nothing', async t => {
  const kernel = await boot(t, { contentTypes, components, maxCost: 3 } as never)
  const deep = { populate: { books: { populate: { writer: { populate: { books: {} } } } } } }
  const params = { populate: { writer: deep, zone: { on: { 'a.card': {} } } } }
  const { refused } = kernel.reader.prepare({ ...books, params }, caller)
  t.same(
    refused.map(({ path }) => path),
    ['populate.writer.populate.books.populate.writer', 'populate.zone'],
  )
})
