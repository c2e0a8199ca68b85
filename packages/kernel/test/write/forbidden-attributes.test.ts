// What a rule forbids to write (`draft.forbid`) cannot be written from the other side of a relation either: of every kind
// of relation, in every form of input, by creations and updates, and by what a write takes from others.

import t, { type Test } from 'tap'
import { createContext, openAccess, type Params } from '../../src/index.ts'
import { boot, component, repositories, thrown, type, uid } from '../fixtures/boot.ts'

const to = (relation: string, target: string, more: object = {}) => ({
  ...{ type: 'relation', relation, target: uid(target) },
  ...more,
})
const name = { type: 'string' }
const morph = (relation: string, target: string, morphBy: string) => to(relation, target, { morphBy })

const contentTypes = [
  type('person', {
    name,
    boxes: to('oneToMany', 'box', { mappedBy: 'owner' }),
    lids: to('oneToMany', 'box', { mappedBy: 'keeper' }),
  }),
  type('badge', { name, box: to('oneToOne', 'box', { mappedBy: 'badge' }) }),
  type('tag', { name, boxes: to('manyToMany', 'box', { mappedBy: 'tags' }) }),
  type('box', {
    name,
    owner: to('manyToOne', 'person', { inversedBy: 'boxes' }),
    keeper: to('manyToOne', 'person', { inversedBy: 'lids', useJoinTable: false }),
    badge: to('oneToOne', 'badge', { inversedBy: 'box' }),
    tags: to('manyToMany', 'tag', { inversedBy: 'boxes' }),
    parent: to('manyToOne', 'box', { inversedBy: 'children' }),
    children: to('oneToMany', 'box', { mappedBy: 'parent' }),
    twin: to('oneToOne', 'box', { inversedBy: 'twin' }),
    alone: to('oneToMany', 'tag'),
    folders: morph('morphMany', 'folder', 'items'),
    comments: morph('morphMany', 'comment', 'subject'),
    picture: morph('morphOne', 'file', 'related'),
    part: { type: 'component', component: 'a.part' },
    parts: { type: 'component', component: 'a.part', repeatable: true },
    zone: { type: 'dynamiczone', components: ['a.nest'] },
  }),
  type('video', { name, comments: morph('morphMany', 'comment', 'subject') }),
  type('folder', { name, items: { type: 'relation', relation: 'morphToMany' } }),
  type('comment', { name, subject: { type: 'relation', relation: 'morphToOne' } }),
  type('file', { name, related: { type: 'relation', relation: 'morphToMany' } }),
  type('home', { name, badges: to('oneToMany', 'badge') }, { kind: 'singleType' }),
]
const components = {
  'a.part': component('a.part', { name, pictures: morph('morphMany', 'file', 'related') }),
  'a.nest': component('a.nest', { part: { type: 'component', component: 'a.part' } }),
}
const all = contentTypes.map(one => one.info.singularName)

/** Two entries of each type. A caller whose key is `box owner` may not update `owner` of boxes. */
async function start(t: Test) {
  const kernel = await boot(t, {
    contentTypes,
    components,
    configure: ({ hooks }) => {
      hooks.on('prePlan', draft => {
        const [name, attribute = ''] = draft.access.key.split(' ')
        const isUpdate = draft.via === 'link' || (draft.stage === 'result' && draft.action === 'update')
        if (isUpdate && draft.type.uid === uid(name!)) draft.forbid(attribute)
      })
      hooks.on('preWrite', { for: one => one.uid === uid('box') }, ({ data }) => {
        if (data.name === 'stamped') data.owner = 1
      })
    },
  })
  const of = repositories(kernel)
  for (const one of all) for (const name of ['a', 'b']) if (one !== 'home') await of(one).create({ data: { name } })
  const as = (key: string) => (one: string) => kernel.query(uid(one), createContext({ ...openAccess, key }))
  const populate = { populate: { '*': true, part: { populate: '*' }, parts: { populate: '*' } } } as Params
  const content = async () => {
    const entries = await Promise.all(all.map(one => of(one).findMany(populate as never)))
    return JSON.stringify(entries, (key, value) => (/At$/.test(key) ? undefined : value))
  }
  return { kernel, of, as, content }
}

/** A relation with its other side; `wrap` makes data of a value, and `typed` values name their type. */
interface Side {
  readonly own: string
  readonly relation: string
  readonly target: string
  readonly inverse: string
  readonly wrap?: (value: unknown) => object
  readonly typed?: boolean
}

const sides: readonly Side[] = [
  { own: 'person', relation: 'boxes', target: 'box', inverse: 'owner' },
  { own: 'box', relation: 'owner', target: 'person', inverse: 'boxes' },
  { own: 'person', relation: 'lids', target: 'box', inverse: 'keeper' },
  { own: 'box', relation: 'keeper', target: 'person', inverse: 'lids' },
  { own: 'badge', relation: 'box', target: 'box', inverse: 'badge' },
  { own: 'box', relation: 'badge', target: 'badge', inverse: 'box' },
  { own: 'tag', relation: 'boxes', target: 'box', inverse: 'tags' },
  { own: 'box', relation: 'tags', target: 'tag', inverse: 'boxes' },
  { own: 'box', relation: 'parent', target: 'box', inverse: 'children' },
  { own: 'box', relation: 'children', target: 'box', inverse: 'parent' },
  { own: 'box', relation: 'twin', target: 'box', inverse: 'twin' },
  { own: 'box', relation: 'folders', target: 'folder', inverse: 'items' },
  { own: 'folder', relation: 'items', target: 'box', inverse: 'folders', typed: true },
  { own: 'box', relation: 'comments', target: 'comment', inverse: 'subject' },
  { own: 'comment', relation: 'subject', target: 'box', inverse: 'comments', typed: true },
  { own: 'box', relation: 'picture', target: 'file', inverse: 'related' },
  { own: 'file', relation: 'related', target: 'box', inverse: 'picture', typed: true },
  ...[
    (pictures: unknown) => ({ part: { pictures } }),
    (pictures: unknown) => ({ parts: [{ name: 'p' }, { pictures }] }),
    (pictures: unknown) => ({ zone: [{ __component: 'a.nest', part: { pictures } }] }),
  ].map(wrap => ({ own: 'box', relation: 'pictures', target: 'file', inverse: 'related', wrap })),
]

/** The forms in which data link and unlink an entry. */
const forms: readonly ((entry: object) => unknown)[] = [
  entry => entry,
  entry => [entry],
  entry => ({ set: [entry] }),
  entry => ({ connect: [entry] }),
  entry => ({ connect: [{ ...entry, position: { start: true } }], disconnect: [{ ...entry, id: 1 }] }),
]
const unlinking: typeof forms = [() => null, () => [], () => ({ set: [] }), entry => ({ disconnect: [entry] })]

t.test('an attribute that may not be written is not written from the other side', async t => {
  const { of, as, content } = await start(t)
  for (const { own, relation, target, inverse, wrap = (value: unknown) => ({ [relation]: value }), typed } of sides) {
    const entry = (id: number) => ({ id, ...(typed && { __type: uid(target) }) })
    await of(own).update(1, { data: wrap([entry(1)]) })
    const before = await content()
    const closed = as(`${target} ${inverse}`)(own)
    const refused = async (work: () => unknown, form: unknown) => {
      const what = `${own}.${relation} ${JSON.stringify(form)}`
      const error = await thrown(t, work)
      const message = `Forbidden access: "${relation}" changes "${inverse}" of ${uid(target)}`
      t.match(error, { status: 403, name: 'ForbiddenError', message }, what)
    }
    for (const form of forms) {
      const data = { name: 'x', ...wrap(form(entry(2))) }
      await refused(() => closed.create({ data }), form(entry(2)))
      await refused(() => closed.update(2, { data }), form(entry(2)))
    }
    for (const form of unlinking) await refused(() => closed.update(1, { data: wrap(form(entry(1))) }), form(entry(1)))
    t.equal(await content(), before, 'nothing is written')
    t.match(await closed.update(2, { data: { name: 'b' } }), { name: 'b' }, 'others may be')
    // The side that is written has a rule of its own.
    await as(`${own} name`)(own).update(2, { data: wrap([entry(2)]) })
    t.not(await content(), before, `${own}.${relation} may be sent`)
    for (const id of [1, 2]) await of(own).update(id, { data: wrap([]) })
  }
})

t.test('an attribute may not be named on its own side', async t => {
  const { as, content, kernel } = await start(t)
  const before = await content()
  for (const data of [{ owner: 1 }, { owner: null }, { name: 'x', owner: { connect: [1] } }])
    t.match(await thrown(t, () => as('box owner')('box').update(1, { data })), {
      ...{ status: 403, message: 'Forbidden access: "owner" must not be sent' },
    })
  const put = { uid: uid('home'), data: { name: 'x' }, params: {} }
  const context = createContext({ ...openAccess, key: 'home name' })
  t.match(
    await thrown(t, () => kernel.writer.put({ ...put, context })),
    { status: 403 },
    'the first write of a single type',
  )
  t.equal(await content(), before)
  t.match(
    await as('box owner')('box').create({ data: { owner: 1 } }),
    { id: 3 },
    'a rule of updates is none of creations',
  )
})

t.test('nothing is asked without another side, nor for what hooks add', async t => {
  const { as, of, kernel } = await start(t)
  t.match(await as('tag boxes')('box').update(1, { data: { alone: [1] } }), { id: 1 })
  const [boxes, populate] = [as('person boxes')('box'), 'owner' as const]
  t.match(await boxes.update(1, { data: { name: 'stamped' }, populate }), { owner: { id: 1 } })
  t.match(await thrown(t, () => boxes.update(1, { data: { name: 'stamped', owner: 2 } })), { status: 403 })
  t.match(await of('person').update(1, { data: { boxes: [1] } }), { id: 1 }, 'nor of the system')
  const { entries } = kernel.writer
  const forbidden = (key: string) =>
    entries.forbiddenAttributes(uid('box'), 'update', createContext({ ...openAccess, key }))
  t.same([...forbidden('box owner')], ['owner'])
  t.same([...forbidden('tag boxes')], [])
  t.match(await thrown(t, () => as('box ownr')('box').update(1, { data: {} })), {
    ...{ code: 'PLINTH_ATTRIBUTE_UNKNOWN', message: /has no attribute "ownr" to forbid, did you mean "owner"/ },
  })
})

t.test('a polymorphic relation that is replaced unlinks entries that it does not name', async t => {
  const { as, of, content } = await start(t)
  const box = (id: number) => ({ id, __type: uid('box') })
  const video = (id: number) => ({ id, __type: uid('video') })
  await of('folder').update(1, { data: { items: [box(1), video(1)] } })
  await of('comment').update(1, { data: { subject: box(1) } })
  await of('file').update(1, { data: { related: [box(1)] } })
  const before = await content()
  const refused = async (key: string, own: string, data: object) => {
    const error = await thrown(t, () => as(key)(own).update(1, { data }))
    t.match(error, { status: 403, message: /^Forbidden access: "/ }, `${key}: ${JSON.stringify(data)}`)
  }
  for (const items of [[], null, [video(1)], { set: [video(2)] }]) await refused('box folders', 'folder', { items })
  for (const subject of [null, video(1), { connect: [video(1)] }]) await refused('box comments', 'comment', { subject })
  for (const key of ['box part', 'box parts', 'box zone']) {
    await refused(key, 'file', { related: [] })
    await refused(key, 'file', { related: [video(1)] })
  }
  t.equal(await content(), before)
  const folders = as('box folders')('folder')
  t.match(await folders.update(1, { data: { items: { connect: [video(2)], disconnect: [video(1)] } } }), { id: 1 })
  t.match(await folders.create({ data: { items: [video(1)] } }), { id: 3 }, 'a new entry replaces nothing')
  t.match(await folders.create({ data: { items: [] } }), { id: 4 })
  t.match(await as('box part')('file').update(1, { data: { related: { connect: [video(1)] } } }), { id: 1 })
})

t.test('a link takes nothing from entries whose links may not be written', async t => {
  const { as, of, content } = await start(t)
  await of('person').update(1, { data: { boxes: [1], lids: [1] } })
  await of('badge').update(1, { data: { box: 1 } })
  await of('comment').update(1, { data: { subject: { id: 1, __type: uid('box') } } })
  const before = await content()
  const refused = async (work: () => unknown, name: string) =>
    t.match(await thrown(t, work), { status: 403, message: `Forbidden access: "${name}" takes entries from others` })
  await refused(() => as('person boxes')('person').create({ data: { boxes: [2, 1] } }), 'boxes')
  await refused(() => as('person lids')('person').create({ data: { lids: { connect: [1] } } }), 'lids')
  await refused(() => as('badge box')('badge').create({ data: { box: 1 } }), 'box')
  await refused(() => as('box badge')('box').create({ data: { badge: { set: [1] } } }), 'badge')
  await refused(() => as('box comments')('box').create({ data: { comments: [1] } }), 'comments')
  await refused(() => as('box comments')('video').create({ data: { comments: [1, 2] } }), 'comments')
  await refused(() => as('box comments')('video').update(1, { data: { comments: { connect: [1] } } }), 'comments')
  t.equal(await content(), before)
  const missing = await thrown(t, () => as('person boxes')('person').create({ data: { boxes: [99] } }))
  t.match(missing, { status: 400 })
  t.match(await as('person boxes')('person').create({ data: { boxes: [2] }, populate: 'boxes' }), {
    boxes: [{ id: 2 }],
  })
  t.match(await as('badge box')('badge').create({ data: { box: 2 }, populate: 'box' }), { box: { id: 2 } })
  t.match(await as('box comments')('video').update(2, { data: { comments: [2] } }), { id: 2 })
  t.match(await as('video comments')('video').create({ data: { comments: [1] } }), { id: 3 }, 'from a box')
})
