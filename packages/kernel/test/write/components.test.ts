// Components and dynamic zones: created, changed in place, ordered, nested, refused and deleted (B-4.55 to B-4.73,
// B-4.43).

import { freshDatabase } from '@plinth/test-tools/databases'
import t, { type Test } from 'tap'
import { createKernel, type Entry, type Kernel } from '../../src/index.ts'
import { boot, client, component, raw, repositories, tableNames, thrown, type, uid } from '../fixtures/boot.ts'

const components = {
  'a.leaf': component('a.leaf', {
    label: { type: 'string', required: true },
    rank: { type: 'integer', default: 5 },
    part: { type: 'relation', relation: 'oneToOne', target: uid('part') },
  }),
  'a.branch': component('a.branch', {
    title: { type: 'string' },
    leaf: { type: 'component', component: 'a.leaf' },
    leaves: { type: 'component', component: 'a.leaf', repeatable: true },
    parts: { type: 'relation', relation: 'oneToMany', target: uid('part') },
  }),
}
const contentTypes = [
  type('part', { name: { type: 'string' } }),
  type('page', {
    single: { type: 'component', component: 'a.leaf' },
    list: { type: 'component', component: 'a.leaf', repeatable: true, min: 2, max: 3 },
    tree: { type: 'component', component: 'a.branch' },
    zone: { type: 'dynamiczone', components: ['a.leaf', 'a.branch'] },
  }),
]
const everything = {
  single: { populate: '*' },
  list: { populate: '*' },
  tree: { populate: { leaf: { populate: '*' }, leaves: { populate: '*' }, parts: true } },
  zone: { populate: '*' },
}

async function start(t: Test) {
  const kernel = await boot(t, { components, contentTypes })
  const pages = repositories(kernel)('page')
  for (const name of ['a', 'b', 'c']) await repositories(kernel)('part').create({ data: { name } })
  const create = (data: unknown) => pages.create({ data, populate: everything })
  const update = async (data: unknown, id = 1) => (await pages.update(id, { data, populate: everything }))!
  return { kernel, pages, create, update }
}

/** Rows of all tables but the entries' own. */
async function countRows(kernel: Kernel): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const name of await tableNames(kernel)) {
    if (name === 'parts' || name === 'pages') continue
    const [row] = await raw(kernel, `SELECT COUNT(*) AS n FROM "${name}"`)
    if (Number(row!.n) !== 0) counts[name] = Number(row!.n)
  }
  return counts
}

const leaf = (label: string, more = {}) => ({ label, ...more })
const labels = (value: unknown) => (value as Entry[]).map(one => one.label ?? one.title)

t.test('a single component', async t => {
  const { kernel, create, update } = await start(t)
  const made = await create({ single: leaf('one', { id: 77, part: 2 }) })
  t.match(made, { single: { id: 1, label: 'one', rank: 5, part: { name: 'b' } } }, 'an id is ignored on create')
  t.match(await update({ single: { id: 1, label: 'two' } }), {
    single: { id: 1, label: 'two', rank: 5, part: { id: 2 } },
  })
  t.match(await update({}), { single: { id: 1, label: 'two' } }, 'not sent: untouched')
  t.match(await update({ single: { id: 1, rank: null, part: null } }), { single: { id: 1, rank: null, part: null } })
  t.match(
    await update({ single: leaf('new') }),
    { single: { id: 2, label: 'new', rank: 5, part: null } },
    'no id: a new one',
  )
  t.same(await countRows(kernel), { components_a_leafs: 1, pages_components: 1 }, 'the old one is gone')
  t.match(await update({ single: null }), { single: null })
  t.same(await countRows(kernel), {})
})

t.test('a repeatable component', async t => {
  const { kernel, create, update } = await start(t)
  const { list } = await create({ list: [leaf('a', { part: 1 }), leaf('b'), leaf('c')] })
  t.same(
    (list as Entry[]).map(one => one.id),
    [1, 2, 3],
  )
  const changed = await update({ list: [{ id: 3 }, leaf('d', { part: 2 }), { id: 1, label: 'A' }] })
  t.match(changed.list, [
    { id: 3, label: 'c' },
    { id: 4, label: 'd', part: { id: 2 } },
    { id: 1, label: 'A', part: { id: 1 } },
  ])
  t.same(await countRows(kernel), { components_a_leafs: 3, pages_components: 3, components_a_leafs_part_links: 2 })
  t.same(labels((await update({})).list), ['c', 'd', 'A'])
  t.same((await update({ list: [] })).list, [])
  t.same(await countRows(kernel), {})
})

t.test('nested components with relations', async t => {
  const { kernel, create, update } = await start(t)
  const tree = { title: 't', leaf: leaf('x', { part: 3 }), leaves: [leaf('y'), leaf('z', { part: 1 })], parts: [3, 1] }
  const made = await create({ tree })
  t.match(made.tree, {
    title: 't',
    leaf: { label: 'x', part: { name: 'c' } },
    leaves: [
      { label: 'y', part: null },
      { label: 'z', part: { name: 'a' } },
    ],
    parts: [{ name: 'c' }, { name: 'a' }],
  })
  const { id, leaves } = made.tree as { id: number; leaves: Entry[] }
  const changed = await update({
    tree: { id, leaves: [{ id: leaves[1]!.id }], parts: { connect: [2], disconnect: [3] } },
  })
  t.match(changed.tree, { title: 't', leaf: { label: 'x' }, leaves: [{ label: 'z' }], parts: [{ id: 1 }, { id: 2 }] })
  await update({ tree: { title: 'other', leaf: leaf('q') } })
  t.same(await countRows(kernel), {
    components_a_branchs: 1,
    components_a_branchs_components: 1,
    components_a_leafs: 1,
    pages_components: 1,
  })
})

t.test('a dynamic zone', async t => {
  const { kernel, create, update } = await start(t)
  const of = (key: string, values: object) => ({ __component: key, ...values })
  const made = await create({
    zone: [
      of('a.leaf', leaf('1')),
      of('a.branch', { title: '2', leaf: leaf('in') }),
      of('a.leaf', leaf('3', { part: 1 })),
    ],
  })
  t.match(made.zone, [
    { id: 1, __component: 'a.leaf', label: '1' },
    { id: 1, __component: 'a.branch', title: '2', leaf: { label: 'in' } },
    { __component: 'a.leaf', label: '3', part: { id: 1 } },
  ])
  const [one, two, three] = made.zone as [Entry, Entry, Entry]
  t.same([one.id, two.id], [1, 1], 'ids are unique per component only')
  const zone = [of('a.branch', { id: two.id }), of('a.leaf', leaf('new')), of('a.leaf', { id: three.id, label: '3!' })]
  t.same(labels((await update({ zone })).zone), ['2', 'new', '3!'])
  t.same(labels((await update({ zone: zone.slice(0, 1) })).zone), ['2'])
  t.same((await update({ zone: [] })).zone, [])
  t.same(await countRows(kernel), {})
})

t.test('a deletion deletes the components of the entry, and no others', async t => {
  const { kernel, pages, create } = await start(t)
  const tree = { leaf: leaf('x', { part: 1 }), leaves: [leaf('y', { part: 2 })], parts: [1, 2] }
  const zone = [{ __component: 'a.branch', ...tree }]
  const data = { single: leaf('s', { part: 1 }), list: [leaf('a', { part: 3 }), leaf('b')], tree, zone }
  await create(data)
  const alone = await countRows(kernel)
  await create(data)
  t.match(await pages.delete(1, { populate: everything }), {
    id: 1,
    single: { label: 's' },
    tree: { leaf: { label: 'x' } },
  })
  t.same(await countRows(kernel), alone)
  t.match(await pages.findOne(2, { populate: everything }), {
    tree: { parts: [{ id: 1 }, { id: 2 }] },
    zone: [{ parts: [{}, {}] }],
  })
  await repositories(kernel)('part').delete(2)
  t.match(await pages.findOne(2, { populate: everything }), { tree: { parts: [{ id: 1 }], leaves: [{ part: null }] } })
  await pages.delete(2)
  t.same(await countRows(kernel), {})
  t.equal(await repositories(kernel)('part').count(), 2, 'linked entries stay')
})

t.test('refused writes change nothing', async t => {
  const { kernel, create, update } = await start(t)
  await create({ single: leaf('s'), list: [leaf('a'), leaf('b')], zone: [{ __component: 'a.branch', title: 'z' }] })
  await create({ single: leaf('other') })
  const before = JSON.stringify(await update({}))
  const unrelated = (name: string) => `Some of the provided components in ${name} are not related to the entity`
  const noComponent = 'Cannot build relations store from dynamiczone, component identifier is undefined'
  const wrong = (at: string, kind: string, value: string) =>
    `${at} must be a \`${kind}\` type, but the final value was: \`${value}\`.`
  const strangers: readonly (readonly [data: unknown, name: string, message: string, details: unknown])[] = [
    [{ single: { id: 4 } }, 'ApplicationError', unrelated('single'), {}],
    [{ list: [{ id: 2 }, { id: 4 }] }, 'ApplicationError', unrelated('list'), {}],
    [{ list: [{ id: 1 }, { id: 2 }] }, 'ApplicationError', unrelated('list'), {}],
    [{ zone: [{ __component: 'a.branch', id: 9 }] }, 'Error', unrelated('zone'), null],
    [{ zone: [{ __component: 'a.leaf', id: 1 }] }, 'Error', unrelated('zone'), null],
  ]
  for (const [data, name, message, details] of strangers) {
    const error = await thrown(t, () => update(data))
    t.match(error, { name, message, status: 400 }, JSON.stringify(data))
    t.same(error.details, details)
  }
  const faults: readonly (readonly [data: unknown, path: string, message: string])[] = [
    [{ list: null }, 'list', wrong('list', 'array', 'null')],
    [{ list: {} }, 'list', wrong('list', 'array', '{}')],
    [{ list: [leaf('a')] }, 'list', 'list field must have at least 2 items'],
    [{ list: [1, 2, 3, 4].map(n => leaf(`${n}`)) }, 'list', 'list field must have less than or equal to 3 items'],
    [{ list: [leaf('a'), 'b'] }, 'list.1', wrong('list[1]', 'object', '"b"')],
    [{ single: 'x' }, 'single', wrong('single', 'object', '"x"')],
    [{ single: { id: 1, label: null } }, 'single.label', wrong('single.label', 'string', 'null')],
    [{ zone: null }, 'zone', wrong('zone', 'array', 'null')],
    [
      { tree: { leaves: [leaf('a'), { label: 5 }] } },
      'tree.leaves.1.label',
      wrong('tree.leaves[1].label', 'string', '5'),
    ],
  ]
  for (const [data, path, message] of faults) {
    const error = await thrown(t, () => update(data))
    t.match(error, { name: 'ValidationError', message }, JSON.stringify(data))
    t.same(error.details, { errors: [{ path: path.split('.'), message, name: 'ValidationError' }] })
  }
  const place = { path: ['zone', '0', '__component'], message: 'zone[0].__component is a required field' }
  t.match(await thrown(t, () => update({ zone: [{}] })), {
    message: '2 errors occurred',
    details: { errors: [place, { path: [], message: noComponent }] },
  })
  t.match(await thrown(t, () => update({ zone: [{ __component: 'a.no' }] })), {
    details: { errors: [{ path: place.path }, { path: [], message: 'Invalid relations' }] },
  })
  const after = await update({})
  t.equal(JSON.stringify({ ...after, updatedAt: 0 }), JSON.stringify({ ...JSON.parse(before), updatedAt: 0 }))
  t.same(await countRows(kernel), { components_a_leafs: 4, components_a_branchs: 1, pages_components: 5 })
  t.match(await thrown(t, () => create({ tree: { leaf: {} } })), { message: 'tree.leaf.label must be defined.' })
})

t.test('a write keeps components whose schema was removed', async t => {
  const { config: database, drop } = await freshDatabase(client())
  t.teardown(drop)
  const part = component('s.a', { x: { type: 'string' } })
  const model = (components: Record<string, unknown>) => ({
    components,
    contentTypes: [type('art', { z: { type: 'dynamiczone', components: Object.keys(components) } })],
  })
  const first = await createKernel({
    database,
    ...model({ 's.a': part, 's.b': component('s.b', { y: { type: 'string' } }) }),
  })
  const z = [
    { __component: 's.b', y: 'kept' },
    { __component: 's.a', x: 'old' },
  ]
  await first.query(uid('art')).create({ data: { z } })
  await first.close()
  const second = await boot(t, { database, ...model({ 's.a': part }) })
  const arts = repositories(second)('art')
  const written = await arts.update(1, { data: { z: [{ __component: 's.a', x: 'new' }] }, populate: 'z' })
  t.match(written, { z: [{ x: 'new' }] })
  t.match(await raw(second, 'SELECT component_type FROM arts_components ORDER BY component_type'), [
    { component_type: 's.a' },
    { component_type: 's.b' },
  ])
  t.match(await raw(second, 'SELECT y FROM components_s_bs'), [{ y: 'kept' }])
  await arts.update(1, { data: { z: [] } })
  t.equal((await raw(second, 'SELECT * FROM arts_components')).length, 1)
})

t.test('a write keeps components that the schema names no more', async t => {
  const { config: database, drop } = await freshDatabase(client())
  t.teardown(drop)
  const code = { type: 'string', unique: true }
  const parts = {
    's.a': component('s.a', { code, inner: { type: 'component', component: 's.c', repeatable: true } }),
    's.b': component('s.b', { code, inner: { type: 'component', component: 's.c' } }),
    's.c': component('s.c', { word: { type: 'string' } }),
  }
  const model = (zone: readonly string[], single: string) => ({
    components: parts,
    contentTypes: [
      type('art', {
        zone: { type: 'dynamiczone', components: zone },
        single: { type: 'component', component: single },
      }),
    ],
  })
  const first = await createKernel({ database, ...model(['s.a', 's.b'], 's.b') })
  await first.query(uid('art')).create({
    data: {
      zone: [
        { __component: 's.b', code: 'hidden', inner: { word: 'deep' } },
        { __component: 's.a', code: 'old', inner: [{ word: 'one' }, { word: 'two' }] },
      ],
      single: { code: 'alone' },
    },
  })
  await first.close()
  const second = await boot(t, { database, ...model(['s.a'], 's.a') })
  const arts = repositories(second)('art')
  const populate = { zone: true, single: true }
  t.match(await arts.findOne(1, { populate }), { zone: [{ code: 'old' }], single: null })
  const written = await arts.update(1, {
    data: { zone: [{ __component: 's.a', code: 'new' }], single: { code: 'other' } },
    populate,
  })
  t.match(written, { zone: [{ code: 'new' }], single: { code: 'other' } })
  const codes = async () => {
    const rows = [
      ...(await raw(second, 'SELECT code FROM components_s_as')),
      ...(await raw(second, 'SELECT code FROM components_s_bs')),
    ]
    return rows.map(one => one.code).sort()
  }
  t.same(await codes(), ['alone', 'hidden', 'new', 'other'])
  t.match(await raw(second, 'SELECT word FROM components_s_cs'), [{ word: 'deep' }], 'so are those nested in them')
  await t.rejects(arts.update(1, { data: { zone: [{ __component: 's.b', id: 1 }] } }), { name: 'ValidationError' })
  await second.close()

  const third = await boot(t, { database, ...model(['s.b', 's.a'], 's.b') })
  const again = repositories(third)('art')
  t.match(await again.findOne(1, { populate }), { single: { code: 'alone' } }, 'named again, they are shown again')
  t.same(((await again.findOne(1, { populate }))!.zone as Entry[]).map(one => one.code).sort(), ['hidden', 'new'])
  await again.delete(1)
  t.same(await countRows(third), {}, 'they are deleted with their entry')
})

t.test('a unique value of a component that the schema names no more stays taken', async t => {
  const { config: database, drop } = await freshDatabase(client())
  t.teardown(drop)
  const parts = Object.fromEntries(
    ['u.a', 'u.b'].map(name => [name, component(name, { code: { type: 'string', unique: true } })]),
  )
  const model = (zone: readonly string[]) => ({
    components: parts,
    contentTypes: [
      type('shelf', {
        zone: { type: 'dynamiczone', components: zone },
        spare: { type: 'component', component: 'u.b' },
      }),
    ],
  })
  const first = await createKernel({ database, ...model(['u.a', 'u.b']) })
  await first.query(uid('shelf')).create({ data: { zone: [{ __component: 'u.b', code: 'x' }] } })
  await first.close()
  const second = await boot(t, { database, ...model(['u.a']) })
  const shelves = repositories(second)('shelf')
  const data = { zone: [{ __component: 'u.a', code: 'y' }], spare: { code: 'x' } }
  t.match(await thrown(t, () => shelves.update(1, { data })), { message: 'This attribute must be unique' })
})
