// Queries: plans and how many are kept, populate, filters without duplicates, order, pages, search, and private
// attributes (B-2.20 to B-2.143, B-3.11, B-3.12).

import t, { type Test } from 'tap'
import { createContext, type Entry, openAccess, type Params } from '../../src/index.ts'
import { boot, client, component, repositories, thrown, type, uid } from '../fixtures/boot.ts'
import { passwords } from '../fixtures/passwords.ts'

const to = (relation: string, name: string, more = {}) => ({ type: 'relation', relation, target: uid(name), ...more })
const components = {
  'a.card': component('a.card', { label: { type: 'string' }, writer: to('oneToOne', 'writer') }),
  'a.quote': component('a.quote', { label: { type: 'string' }, source: { type: 'string' } }),
}
const contentTypes = [
  type('writer', {
    name: { type: 'string' },
    rank: { type: 'integer' },
    pin: { type: 'string', private: true },
    pass: { type: 'password' },
    books: to('manyToMany', 'book', { mappedBy: 'writers' }),
    notes: { ...to('oneToMany', 'book'), private: true },
  }),
  type('book', {
    title: { type: 'string' },
    pages: { type: 'integer' },
    big: { type: 'biginteger' },
    hidden: { type: 'string', private: true },
    writers: to('manyToMany', 'writer', { inversedBy: 'books' }),
    main: to('manyToOne', 'writer'),
    card: { type: 'component', component: 'a.card' },
    zone: { type: 'dynamiczone', components: ['a.card', 'a.quote'] },
    any: { type: 'relation', relation: 'morphToOne' },
  }),
]

async function library(t: Test, options = {}) {
  const kernel = await boot(t, { contentTypes, components, plugins: passwords, ...options })
  const of = repositories(kernel)
  for (const [name, rank] of [
    ['Ann', 3],
    ['Bob', 1],
    ['Cid', 2],
    ['Ann', 4],
  ])
    await of('writer').create({ data: { name, rank, pin: 'secret', pass: 'password' } })
  const zone = [
    { __component: 'a.card', label: 'z1', writer: 2 },
    { __component: 'a.quote', label: 'z2', source: 's' },
  ]
  const rows = [
    { title: 'One', pages: 100, writers: [1, 4, 2], main: 1, card: { label: 'c1', writer: 1 }, zone, hidden: 'needle' },
    { title: 'Two', pages: 300, writers: [2, 3], main: 2, card: { label: 'c2', writer: 3 } },
    { title: 'Three 100%', pages: 200, writers: [3], big: '9007199254740993' },
    { title: 'Four', pages: 100, writers: [] },
  ]
  for (const data of rows) await of('book').create({ data })
  return { kernel, of, books: of('book') }
}

const ids = (value: unknown) => (value as Entry[]).map(one => one.id)

t.test('selected fields are ordered by name', async t => {
  const { books } = await library(t)
  const keys = async (params: Params) => Object.keys((await books.findOne(1, params))!)
  t.same(await keys({ fields: ['pages', 'title', 'pages'] }), ['id', 'pages', 'title'])
  t.same(await keys({ fields: ['title', 'pages'] }), ['id', 'title', 'pages'])
  const { main } = (await books.findOne(1, { populate: { main: { fields: ['rank', 'name'] } } }))!
  t.same(Object.keys(main as Entry), ['id', 'rank', 'name'])
})

/** What is no number lies on no side of any (B-2.107, B-2.126). */
const besideNumbers = ['abc', '1abc', '', 'true', 'Infinity', '-Infinity', '0x1'].flatMap(value =>
  ['$lt', '$lte', '$gt', '$gte'].flatMap(order =>
    ['id', 'writers', 'main'].flatMap((name): [Record<string, unknown>, number[]][] => [
      [{ [name]: { [order]: value } }, []],
      [{ [name]: { $not: { [order]: value } } }, []],
    ]),
  ),
)

t.test('filters find each entry once, with the right total', async t => {
  const { books } = await library(t)
  const rows: readonly (readonly [filters: Record<string, unknown>, expected: number[]])[] = [
    [{ writers: { name: 'Ann' } }, [1]],
    [{ writers: { name: { $in: ['Ann', 'Bob'] } } }, [1, 2]],
    [{ writers: { rank: { $gt: 0 } } }, [1, 2, 3]],
    [{ writers: { books: { writers: { name: 'Cid' } } } }, [1, 2, 3]],
    [{ writers: 3 }, [2, 3]],
    [{ writers: [1, 4, 3] }, [1, 2, 3]],
    [{ writers: { $null: true } }, [4]],
    [{ writers: { id: { $notNull: true } } }, [1, 2, 3]],
    [{ $and: [{ writers: 2 }, { writers: 3 }] }, [2]],
    [{ $or: [{ writers: { name: 'Ann' } }, { writers: { rank: 2 } }] }, [1, 2, 3]],
    [{ $not: { writers: { name: 'Cid' } } }, [1, 2]],
    [{ main: { name: { $ne: 'Ann' } } }, [2]],
    [{ main: { $or: [{ name: 'Bob' }, { rank: 3 }] } }, [1, 2]],
    [{ main: null }, [3, 4]],
    [{ card: { label: 'c1' } }, [1]],
    [{ card: { writer: { name: 'Cid' } } }, [2]],
    [{ card: { $null: true } }, [3, 4]],
    [{ pages: { $between: [100, 200] }, title: { $startsWith: 'F' } }, [4]],
    [{ title: { $contains: 'one' } }, []],
    [{ title: { $containsi: 'ONE' } }, [1]],
    [{ title: { $contains: '0%' } }, [3]],
    [{ title: { $containsi: '_' } }, []],
    [{ title: { $contains: '*' } }, []],
    [{ title: { $startsWith: '[O]' } }, []],
    [{ title: { $not: { $in: ['One', 'Two'] } } }, [3, 4]],
    [{ big: '9007199254740993' }, [3]],
    [{ big: { $gt: '9007199254740992' } }, [3]],
    [{ id: 'abc' }, []],
    [{ id: { $notIn: [1, 2] } }, [3, 4]],
    ...besideNumbers,
    [{ big: { $lt: 'abc' } }, []],
    [{ big: { $gt: '' } }, []],
    [{ big: '' }, []],
    [{ id: { $between: [0, 'abc'] } }, []],
    [{ id: { $gt: '2.5' } }, [3, 4]],
  ]
  for (const [filters, expected] of rows) {
    const text = JSON.stringify(filters)
    t.same(ids(await books.findMany({ filters })), expected, text)
    t.equal(await books.count({ filters }), expected.length, `count of ${text}`)
    const page = await books.findPage({ filters, pagination: { page: 1, pageSize: 1 } })
    t.same(
      page.pagination,
      { page: 1, pageSize: 1, pageCount: expected.length, total: expected.length },
      `total of ${text}`,
    )
    t.same(ids(page.entries), expected.slice(0, 1))
  }
})

type Sorts = readonly (readonly [sort: unknown, expected: number[]])[]
/** Where nulls come is the database's business. */
const nullsFirst: Sorts = [
  [{ main: { name: 'desc' } }, [2, 1, 3, 4]],
  ['main.name:desc,pages', [2, 1, 4, 3]],
  ['card.label:desc', [2, 1, 3, 4]],
  ['writers.rank', [4, 1, 2, 3]],
  ['writers.rank:desc', [1, 2, 3, 4]],
]
const nullsLast: Sorts = [
  [{ main: { name: 'desc' } }, [3, 4, 2, 1]],
  ['main.name:desc,pages', [4, 3, 2, 1]],
  ['card.label:desc', [3, 4, 2, 1]],
  ['writers.rank', [1, 2, 3, 4]],
  ['writers.rank:desc', [4, 1, 2, 3]],
]

t.test('entries are sorted by keys, then by id, once each', async t => {
  const { books, of } = await library(t)
  const rows: Sorts = [
    ['pages', [1, 4, 3, 2]],
    ['pages:desc', [2, 3, 1, 4]],
    [
      ['pages', 'title:desc'],
      [1, 4, 3, 2],
    ],
    [
      ['pages', 'id:desc'],
      [4, 1, 3, 2],
    ],
    ...(client() === 'postgres' ? nullsLast : nullsFirst),
  ]
  for (const [sort, expected] of rows) {
    t.same(ids(await books.findMany({ sort: sort as string })), expected, JSON.stringify(sort))
    const pages = [1, 2, 3, 4].map(page => books.findPage({ sort: sort as string, pagination: { page, pageSize: 1 } }))
    t.same(
      (await Promise.all(pages)).flatMap(one => ids(one.entries)),
      expected,
      'the same, page by page',
    )
  }
  t.same(ids(await of('writer').findMany({ sort: 'name' })), [1, 4, 2, 3])
})

t.test('populate', async t => {
  const { books } = await library(t)
  const book = async (populate: unknown, id = 1) => (await books.findOne(id, { populate: populate as string }))!
  t.notOk('main' in (await book(undefined)))
  t.same(
    Object.keys(await book('*')).slice(-6),
    ['writers', 'main', 'card', 'zone', 'any'].toSpliced(0, 0, 'updatedAt'),
  )
  t.notOk('writer' in ((await book('*')).card as Entry), 'one level')
  t.match(await book('card.writer,main'), { card: { writer: { name: 'Ann' } }, main: { name: 'Ann' } })
  t.match(await book({ card: { populate: '*' } }), { card: { writer: { name: 'Ann' } } })
  t.notOk('main' in (await book({ main: 'false', card: true, nothing: true, title: true })))
  t.same(ids((await book('writers')).writers), [1, 4, 2], 'in the stored order')
  t.same(ids((await book({ writers: { ordering: 'desc' } })).writers), [2, 4, 1])
  t.same(ids((await book({ writers: { sort: 'rank' } })).writers), [2, 1, 4])
  t.same(ids((await book({ writers: { filters: { name: 'Ann' } } })).writers), [1, 4])
  t.equal((await book({ main: { filters: { name: 'x' } } })).main, null)
  t.same(
    (await book({ writers: { fields: ['name'] } })).writers,
    [1, 4, 2].map(id => ({ id, name: id === 2 ? 'Bob' : 'Ann' })),
  )
  t.same((await book({ writers: { count: true } })).writers, { count: 3 })
  t.same((await book({ writers: { count: true, filters: { name: 'Ann' } } })).writers, { count: 2 })
  t.match((await book({ zone: { populate: '*' } })).zone, [
    { __component: 'a.card', writer: { id: 2 } },
    { source: 's' },
  ])
  t.match((await book({ zone: { on: { 'a.quote': { fields: ['source'] } } } })).zone, [
    { id: 1, __component: 'a.quote', source: 's' },
  ])
  t.same((await book({ zone: { on: { 'a.nothing': true } } })).zone, [])
  const list = await books.findMany({ populate: { writers: { limit: 2, fields: ['name'] }, main: true } })
  t.same(
    list.map(one => ids(one.writers)),
    [[1, 4], [2, 3], [3], []],
    'a limit is a limit per parent',
  )
  const cut = await books.findMany({ populate: { writers: { start: 1, limit: 1, sort: 'rank:desc' } } })
  t.same(
    cut.map(one => ids(one.writers)),
    [[1], [2], [], []],
  )
  for (const fields of [['nope'], ['*', 'nope'], ['hidden', '*']]) {
    for (const populate of [{ writers: { fields } }, { zone: { fields } }, { any: { fields } }]) {
      const text = JSON.stringify(populate)
      if (text.includes('any') && fields[0] === 'hidden') continue
      const { status, message } = await thrown(t, () => book(populate))
      t.equal(status, 400, text)
      const name = fields.includes('nope') ? 'nope' : 'hidden'
      // The attributes of one type are known, so code gets the nearest one.
      const nearest = name === 'nope' && 'writers' in populate ? ', did you mean "name"?' : ''
      t.equal(message, `Invalid parameter ${name}${nearest}`, text)
    }
  }
  t.match(await book({ main: { fields: ['*', 'rank'] } }), { main: { name: 'Ann', rank: 3 } })
})

t.test('populate of dynamic zones and polymorphic relations', async t => {
  const { books } = await library(t)
  await books.update(1, { data: { any: { id: 1, __type: uid('writer') } } })
  const zone = async (options: object) => (await books.findOne(1, { populate: { zone: options } }))!.zone
  t.match(await zone({ ordering: 'desc' }), [{ label: 'z2' }, { label: 'z1' }])
  t.match(await zone({ limit: 1 }), [{ label: 'z1' }])
  t.match(await zone({ start: 1 }), [{ label: 'z2' }])
  t.same(await zone({ start: 2 }), [])
  t.match(await zone({ on: { 'a.card': { filters: { label: 'z1' } }, 'a.quote': true } }), [
    { label: 'z1' },
    { label: 'z2' },
  ])
  t.same(await zone({ on: { 'a.card': { filters: { label: 'z2' } } } }), [])
  for (const name of ['zone', 'any'])
    for (const [clause, value] of [
      ['filters', { label: 'zzz' }],
      ['filters', { nope: 1 }],
      ['sort', 'label'],
    ] as const) {
      const path = `populate.${name}.${clause}`
      t.match(
        await thrown(t, () => books.findMany({ populate: { [name]: { [clause]: value } } })),
        { status: 400, message: new RegExp(`^Invalid parameter ${path}: .*on\\[type\\]`), details: { path } },
        path,
      )
    }
})

t.test('only trusted code reads, filters and searches private attributes', async t => {
  const { kernel, of } = await library(t)
  const open = (name: string) => kernel.query(uid(name), createContext(openAccess))
  const writer = (await open('writer').findOne(1, { populate: '*', fields: '*' }))!
  for (const name of ['pin', 'pass', 'notes']) t.notOk(name in writer, name)
  t.match(await of('writer').findOne(1), { pin: 'secret', pass: /^\$2a/ }, 'trusted')
  t.notOk('pin' in (await open('writer').findOne(1))!, 'and no plan is shared')
  const written = { data: { name: 'Dan', pin: 'secret' } }
  t.notOk('pin' in (await open('writer').create(written)), 'nor in answers of writes')
  t.notOk('pin' in (await open('writer').update(1, { data: {} }))!)
  t.match(await of('writer').create(written), { pin: 'secret' })
  const denied = async (name: string, type: string, params: Params) => {
    const error = await thrown(t, () => open(type).findMany(params))
    t.match(error, { name: 'ValidationError', message: `Invalid parameter ${name}` }, JSON.stringify(params))
  }
  for (const name of ['pin', 'pass', 'nothing', 'created_at', 'createdBy']) {
    const filters = { [name]: { $notNull: true } }
    for (const params of [{ filters }, { filters: { $not: { $or: [filters] } } }, { sort: name }, { fields: [name] }])
      await denied(name, 'writer', params)
    const below = { writers: filters }
    for (const params of [{ filters: below }, { sort: `writers.${name}` }, { populate: { main: { filters } } }])
      await denied(name, 'book', params)
  }
  await denied('notes', 'writer', { filters: { notes: { title: 'x' } } })
  for (const name of ['zone', 'any']) await denied(name, 'book', { filters: { [name]: { id: 1 } } })
  t.same(await open('writer').findMany({ _q: 'secret' }), [])
  t.same(await open('book').findMany({ _q: 'needle' }), [])
})

t.test('_q', async t => {
  const { books } = await library(t)
  const rows = [
    ['ONE', [1]],
    ['o', [1, 2, 4]],
    ['100', [1, 3, 4]],
    ['100%', [3]],
    ['_', []],
    ['9007199254740993', [3]],
    ['', [1, 2, 3, 4]],
  ] as const
  for (const [_q, expected] of rows) t.same(ids(await books.findMany({ _q })), expected, _q)
  t.same(ids(await books.findMany({ _q: 'o', filters: { pages: 100 } })), [1, 4], 'and filters')
})

t.test('plans are cached by shape and rights, up to a limit', async t => {
  const { books, kernel } = await library(t, { maxPlans: 4 })
  const access = (key: string, isAllowed = true) => kernel.context({ key, user: null, can: () => isAllowed })
  const asked = (key: string) => kernel.query(uid('book'), access(key)).findMany()
  const titled = (title: string) => books.findMany({ filters: { title } })
  const wide = (i: number) => books.findMany({ fields: Array.from({ length: i }, () => 'title') })
  const rows: readonly (readonly [works: readonly (() => Promise<unknown>)[], plans: number])[] = [
    [[() => titled('x'), () => titled('y'), () => titled('z')], 1],
    [[() => books.findOne(1), () => books.findOne(2)], 1],
    [[() => asked('a'), () => asked('b'), () => asked('a')], 2],
    [Array.from({ length: 14 }, (_, i) => () => wide(i + 1)), 4],
  ]
  for (const [works, plans] of rows) {
    kernel.engine.plans.clear()
    for (const work of works) await work()
    t.equal(kernel.engine.plans.size, plans)
  }
  await books.findMany({ populate: { writers: { populate: '*' }, main: { populate: '*' }, zone: { populate: '*' } } })
  const [deep, flat] = [...kernel.engine.plans.entries()].map(([, plan]) => plan.weight)
  t.ok(deep! > 5 * flat!, 'a plan weighs what it holds')
  t.ok(kernel.engine.plans.limits.maxSize! > 0, 'and all of them together are bounded')
  const denied = kernel.query(uid('book'), access('nobody', false))
  t.match(await thrown(t, () => denied.findMany()), { status: 403, name: 'ForbiddenError' })
})

t.test('an invalid value in populate is refused, also if there is nothing to populate', async t => {
  const tags = { type: 'relation', relation: 'oneToMany', target: uid('tag') }
  const kernel = await boot(t, { contentTypes: [type('tag', { rank: { type: 'integer' } }), type('word', { tags })] })
  const words = repositories(kernel)('word')
  const params = { populate: { tags: { filters: { rank: 'abc' } } } }
  const expected = { status: 400, details: { path: 'populate.tags.filters.rank' } }
  t.match(await thrown(t, () => words.findMany(params)), expected, 'no entries')
  await words.create({ data: {} })
  t.match(await thrown(t, () => words.findMany(params)), expected, 'an entry')
})

t.test('parameters that the caller changes are parsed again', async t => {
  const kernel = await boot(t, {
    contentTypes: [type('tag', { label: { type: 'string' }, color: { type: 'string' } })],
  })
  const tags = repositories(kernel)('tag')
  for (const label of ['a', 'b']) await tags.create({ data: { label, color: 'red' } })
  const params = { fields: ['label'] }
  t.same(await tags.delete(1, params), { id: 1, label: 'a' })
  params.fields = ['color']
  t.same(await tags.delete(2, params), { id: 2, color: 'red' })
})
