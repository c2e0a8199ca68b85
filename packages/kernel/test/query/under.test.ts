// Relations under other names: `under` populates one attribute several times, and nothing that a client sends does.

import t, { type Test } from 'tap'
import { createContext, type Entry, type Kernel, openAccess, type PopulateOption, under } from '../../src/index.ts'
import { operators } from '../../src/query/operators.ts'
import { parseQuery } from '../../src/query/parse.ts'
import { boot, component, repositories, thrown, type, uid } from '../fixtures/boot.ts'

const contentTypes = [
  type('tag', { label: { type: 'string' }, rank: { type: 'integer' } }),
  type('article', {
    title: { type: 'string' },
    tags: { type: 'relation', relation: 'oneToMany', target: uid('tag') },
    main: { type: 'relation', relation: 'oneToOne', target: uid('tag') },
    about: { type: 'relation', relation: 'morphToOne' },
    part: { type: 'component', component: 'a.part' },
    zone: { type: 'dynamiczone', components: ['a.part'] },
  }),
]
const components = {
  'a.part': component('a.part', {
    text: { type: 'string' },
    tag: { type: 'relation', relation: 'oneToOne', target: uid('tag') },
  }),
}

async function start(t: Test, configure: (kernel: Kernel) => void = () => {}) {
  const kernel = await boot(t, { contentTypes, components, configure })
  const of = repositories(kernel)
  for (const [i, label] of ['a', 'b', 'c'].entries()) await of('tag').create({ data: { label, rank: 3 - i } })
  const part = { text: 'p', tag: 2 }
  const zone = [{ __component: 'a.part', ...part }]
  const about = { id: 3, __type: uid('tag') }
  await of('article').create({ data: { title: 'One', tags: [1, 2, 3], main: 1, about, part, zone } })
  const read = async (populate: PopulateOption) =>
    (await of('article').findOne(1, { populate })) as Entry & Record<string, Entry & Entry[]>
  return { kernel, of, read }
}

const labels = (entries: unknown) => (entries as Entry[]).map(one => one.label)

t.test('one relation under several keys', async t => {
  const { read } = await start(t)
  const entry = await read({
    first: under('tags', { sort: 'label', limit: 1 }),
    last: under('tags', { sort: 'label:desc', limit: 1, fields: ['label'] }),
    some: under('tags', { filters: { rank: { $lt: 3 } }, sort: 'rank' }),
    number: under('tags', { count: true }),
    tags: true,
  })
  t.same(labels(entry.first), ['a'])
  t.same(entry.last, [{ id: 3, label: 'c' }])
  t.same(labels(entry.some), ['c', 'b'])
  t.same(entry.number, { count: 3 })
  t.same(labels(entry.tags), ['a', 'b', 'c'])
})

t.test('every kind of attribute, at every depth', async t => {
  const { read } = await start(t)
  const below = { populate: { t: under('tag', { fields: ['label'] }), u: under('tag', { fields: ['rank'] }) } }
  const entry = await read({
    one: under('main'),
    card: under('part', below),
    list: under('zone', { on: { 'a.part': below } }),
    thing: under('about', { on: { [uid('tag')]: { fields: ['label'] } } }),
  })
  t.equal(entry.one!.label, 'a')
  t.match(entry.card, { text: 'p', t: { id: 2, label: 'b' }, u: { id: 2, rank: 2 } })
  t.match(entry.list, [{ __component: 'a.part', t: { label: 'b' }, u: { rank: 2 } }])
  t.match(entry.thing, { __type: uid('tag'), label: 'c' })
  t.notOk('part' in entry || 'main' in entry || 'tag' in entry.card!, 'the attributes have their keys only')
})

t.test('keys tell branches apart, not names', async t => {
  const { read } = await start(t)
  const beside = await read({ '*': true, some: under('tags', { limit: 1 }) })
  t.same(labels(beside.some), ['a'])
  t.same(labels(beside.tags), ['a', 'b', 'c'])
  t.ok(beside.main && beside.part && beside.zone)
  const swapped = await read({ '*': true, tags: under('main'), main: under('tags') })
  t.equal(swapped.tags!.label, 'a')
  t.same(labels(swapped.main), ['a', 'b', 'c'])
  t.notOk('nothing' in (await read({ nothing: under('missing') })), 'unknown attributes are left out (B-2.12)')
})

t.test('keys that cannot be distinguished, and places without a key, are refused', async t => {
  const { read } = await start(t)
  const refused: [PopulateOption, string][] = [
    [[{ a: under('tags') }, { a: under('tags') }], 'populate.a: the key is used twice'],
    [[{ a: under('tags') }, { a: { limit: 1 } }], 'populate.a: the key is used twice'],
    [[{ tags: { limit: 1 } }, { tags: under('tags') }], 'populate.tags: the key is used twice'],
    [[{ tags: under('tags') }, 'tags'], 'populate: the key is used twice'],
    [[{ part: under('tags') }, 'part.tag'], 'populate: the key is used twice'],
    [{ 'a.b': under('tags') }, 'populate.a.b: a key must consist of letters, digits and "_"'],
    [{ '*': under('tags') }, 'populate.*: a key must consist of letters, digits and "_"'],
    [{ ['__proto__']: under('tags') }, 'populate.__proto__: a key must consist of letters, digits and "_"'],
    [[under('tags')], 'populate: expected names of attributes or options'],
    [under('tags') as never, 'populate: expected names of attributes or options'],
    [
      { zone: { on: { 'a.part': under('tag') as never } } },
      'populate.zone.on.a.part: expected names of attributes or options',
    ],
  ]
  for (const [populate, fault] of refused) {
    const { name, message } = await thrown(t, () => read(populate))
    t.same([name, message], ['ValidationError', `Invalid parameter ${fault}`])
  }
})

t.test('the options of a key are checked like others, and not modified', async t => {
  const { read } = await start(t)
  const error = await thrown(t, () => read({ a: under('tags', { limt: 1 } as object) }))
  t.match(error.message, /the option populate\.a\.limt is not known, did you mean "limit"\?$/)
  const options = Object.freeze({ populate: Object.freeze({ b: under('tag') }) })
  const once = await read({ a: under('part', options) })
  t.same(await read({ a: under('part', options) }), once)
  t.equal((once.a!.b as unknown as Entry).label, 'b')
})

t.test('keys belong to the shape', t => {
  const grammar = { operators: new Map(operators.map(one => [one.name, one])), parameters: new Map() }
  const shape = (populate: unknown) =>
    parseQuery(grammar, { uid: 'api::a.a', action: 'find', params: { populate } }).query.shape
  const shapes = [
    { a: true },
    { b: true },
    { a: under('b') },
    { b: under('a') },
    { a: true, b: true },
    { a: under('b'), b: true },
    { a: under('a'), b: under('a') },
    { a: { populate: { c: under('b') } } },
    { c: under('a', { populate: 'b' }) },
  ].map(shape)
  t.equal(new Set(shapes).size, shapes.length)
  t.equal(shape({ a: under('a', { limit: 1 }) }), shape({ a: { limit: 2 } }), 'a key that is the name is none')
  t.equal(shape({ a: under('b', { limit: 1 }) }), shape({ a: under('b', { limit: 2 }) }))
  t.end()
})

t.test('what clients can send is no relation under another name', async t => {
  const { kernel } = await start(t)
  const articles = kernel.query(uid('article'), createContext(openAccess))
  const sent = JSON.parse(JSON.stringify({ populate: { a: under('tags', { limit: 1 }) } }))
  t.match(await thrown(t, () => articles.findMany(sent)), { status: 400, message: /option populate\.a\.name/ })
  const request = { uid: uid('article'), action: 'find', params: sent } as const
  const { rows } = await kernel.reader.read(request, createContext(openAccess))
  t.same(rows.node.branches, [])
})

t.test('lifecycles of reads receive copies of the options', async t => {
  const functions = {
    beforeFindMany: ({ params }: { params: { populate: { a: { options: { limit: number } } } } }) => {
      params.populate.a.options.limit = 2
    },
  }
  const { of } = await start(t, ({ lifecycles }) => lifecycles.subscribe([uid('article')], functions))
  const a = under('tags', { limit: 1 })
  const [entry] = await of('article').findMany({ populate: { a } })
  t.same(labels(entry!.a), ['a', 'b'])
  t.equal(a.options.limit, 1)
})

t.test('an empty list of fields selects the id alone, at every depth', async t => {
  const { of } = await start(t)
  const populate = {
    a: under('tags', { fields: [] }),
    part: { fields: [], populate: { tag: { fields: [] } } },
    zone: { on: { 'a.part': { fields: [] } } },
    about: { fields: [] },
  }
  t.same(await of('article').findOne(1, { fields: [], populate }), {
    id: 1,
    a: [{ id: 1 }, { id: 2 }, { id: 3 }],
    part: { id: 1, tag: { id: 2 } },
    zone: [{ id: 2, __component: 'a.part' }],
    about: { id: 3, __type: uid('tag') },
  })
})
