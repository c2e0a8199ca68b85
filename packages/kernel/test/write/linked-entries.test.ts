// The entries that a write links: rules of plugins take relations out of the input (B-4.3), or hide entries, which are
// refused like entries that do not exist (B-4.36).

import t, { type Test } from 'tap'
import {
  type Context,
  createContext,
  eq,
  type Kernel,
  openAccess,
  type PlanDraft,
  perRequest,
  systemAccess,
  ValidationError,
} from '../../src/index.ts'
import { boot, component, repositories, thrown, type, uid } from '../fixtures/boot.ts'

const to = (relation: string, target: string, more: object = {}) => ({
  type: 'relation',
  relation,
  target: uid(target),
  ...more,
})
const name = { type: 'string' }
const owner = { type: 'string' }

const contentTypes = [
  type('tag', { name, owner, notes: to('manyToMany', 'note', { mappedBy: 'tags' }) }),
  type('person', { name, owner }, { collectionName: 'people' }),
  type('note', {
    text: { type: 'string' },
    slug: { type: 'string', unique: true },
    tags: to('manyToMany', 'tag', { inversedBy: 'notes' }),
    author: to('manyToOne', 'person', { useJoinTable: false }),
    about: { type: 'relation', relation: 'morphToOne' },
    mentions: { type: 'relation', relation: 'morphToMany' },
    part: { type: 'component', component: 'a.part' },
    parts: { type: 'component', component: 'a.part', repeatable: true },
    zone: { type: 'dynamiczone', components: ['a.part', 'a.nest'] },
  }),
  type('home', { tags: to('oneToMany', 'tag') }, { kind: 'singleType' }),
  type('plain', { text: { type: 'string' }, people: to('oneToMany', 'person') }),
]
const components = {
  'a.part': component('a.part', { name, tags: to('oneToMany', 'tag') }),
  'a.nest': component('a.nest', { part: { type: 'component', component: 'a.part' } }),
}

const isTag = (one: { uid: string }) => one.uid === uid('tag')
const as = (name: string): Context => ({ ...createContext({ ...openAccess, key: 'user' }), state: { name } })
const caller = perRequest(({ state }) => state.name)
const missing = (count: number, name = 'tag') =>
  `${count} relation(s) of type ${uid(name)} associated with this entity do not exist`

type Rule = (draft: PlanDraft) => unknown
const dropping: Rule = draft => draft.via === 'link' && draft.drop()
const owned: Rule = draft => draft.via === 'link' && draft.where(eq('owner', caller))

/** A kernel with the tags 1 and 3 of Ann and 2 and 4 of Bob, and three people. `rule` is laid on tags. */
async function start(t: Test, rule: Rule, configure: (kernel: Kernel) => void = () => {}) {
  const kernel = await boot(t, {
    contentTypes,
    components,
    configure: kernel => {
      kernel.hooks.on('prePlan', { for: isTag }, draft => void rule(draft))
      configure(kernel)
    },
  })
  const of = repositories(kernel)
  for (const name of ['Ann', 'Bob', 'Ann', 'Bob']) await of('tag').create({ data: { name, owner: name } })
  for (const name of ['Ann', 'Bob', 'Cyd']) await of('person').create({ data: { name, owner: name } })
  const mine = (name: string) => kernel.query(uid(name), as('Ann'))
  const whole = { populate: ['tags', 'author', 'mentions', 'part.tags', 'parts.tags', 'zone.tags', 'zone.part.tags'] }
  const seen = async (id = 1) => JSON.parse(JSON.stringify(await of('note').findOne(id, whole as never)))
  return { kernel, of, mine, seen, notes: mine('note') }
}

const ids = (list: unknown) => (list as { id: number }[]).map(({ id }) => id)
const person = (id: number) => ({ id, __type: uid('person') })
const tag = (id: number) => ({ id, __type: uid('tag') })

t.test('a rule takes relations out of the input, at every depth and from both sides', async t => {
  const { of, notes, mine, seen, kernel } = await start(t, dropping)
  const data = {
    text: 'a',
    tags: [1, 2],
    author: 1,
    part: { name: 'p', tags: [1] },
    parts: [{ name: 'q', tags: { connect: [2] } }, { name: 'r' }],
    zone: [
      { __component: 'a.part', tags: { set: [1] } },
      { __component: 'a.nest', part: { name: 's', tags: [77] } },
    ],
  }
  await notes.create({ data })
  t.match(await seen(), {
    ...{ text: 'a', tags: [], author: { id: 1 }, part: { name: 'p', tags: [] } },
    ...{ parts: [{ name: 'q', tags: [] }, { name: 'r' }], zone: [{ tags: [] }, { part: { name: 's', tags: [] } }] },
  })
  t.same(data.tags, [1, 2], 'what the caller holds is not changed')
  await of('note').update(1, { data: { tags: [1, 2] } })
  for (const tags of [[], null, [3], { set: [] }, { connect: [3], disconnect: [1] }, { disconnect: [1] }, 'nonsense'])
    await notes.update(1, { data: { tags } })
  t.same(ids((await seen()).tags), [1, 2], 'neither linked nor unlinked')
  await mine('tag').update(1, { data: { notes: { disconnect: [1] } } })
  t.same(ids((await seen()).tags), [2], 'notes may be linked and unlinked by tags')
  const home = { uid: uid('home'), data: { tags: [1] }, params: {}, context: as('Ann') }
  await kernel.writer.put(home)
  t.match(await of('home').findMany({ populate: 'tags' }), [{ tags: [] }])
})

t.test('of polymorphic relations, a rule takes out the entries of its type', async t => {
  const { of, notes, seen } = await start(t, dropping)
  await notes.create({ data: { text: 'a', mentions: [tag(1), person(1), tag(2)], about: tag(1) } })
  const mentioned = async () =>
    (await seen()).mentions.map((one: { __type: string; id: number }) => one.__type + one.id)
  t.same(await mentioned(), [`${uid('person')}1`])
  await notes.update(1, { data: { mentions: { connect: [tag(1), person(2)], disconnect: [person(1)] } } })
  t.same(await mentioned(), [`${uid('person')}2`])
  await of('note').update(1, { data: { mentions: [tag(1)] } })
  await notes.update(1, { data: { mentions: { disconnect: [tag(1)] } } })
  await notes.update(1, { data: { mentions: [tag(2)] } })
  await notes.update(1, { data: { mentions: { set: [tag(2)] } } })
  t.same(await mentioned(), [`${uid('tag')}1`], 'a list of which nothing is left does not empty the relation')
  await notes.update(1, { data: { mentions: [] } })
  t.same(await mentioned(), [])
  const about = async () => (await of('note').findOne(1, { populate: 'about' }))!.about
  t.equal(await about(), null)
  await of('note').update(1, { data: { about: tag(1) } })
  await notes.update(1, { data: { about: tag(2) } })
  t.match(await about(), { id: 1 })
})

t.test('an entry that a rule hides is refused like one that does not exist', async t => {
  const { notes, of, kernel, seen } = await start(t, owned)
  const refused = async (work: () => unknown) => {
    const { message, status, details, at } = await thrown(t, work)
    return { message, status, details, at }
  }
  const forms: ((id: number) => Record<string, unknown>)[] = [
    id => ({ tags: [id] }),
    id => ({ tags: [String(id), 1] }),
    id => ({ tags: { set: [{ id }] } }),
    id => ({ tags: { connect: [{ id, position: { start: true } }] } }),
    id => ({ tags: [id, id], author: 1 }),
    id => ({ tags: [id], slug: 'one' }),
    id => ({ part: { tags: [id] } }),
    id => ({ parts: [{ tags: [1] }, { tags: { connect: [id] } }] }),
    id => ({ zone: [{ __component: 'a.nest', part: { tags: [id, 3] } }] }),
    id => ({ mentions: [person(1), tag(id)] }),
    id => ({ about: tag(id) }),
    id => ({ tags: [1], part: { tags: [id] } }),
  ]
  await of('note').create({ data: { text: 'a' } })
  const before = JSON.stringify(await of('note').findMany({ populate: '*' }))
  for (const form of forms) {
    for (const write of [
      (id: number) => notes.create({ data: form(id) }),
      (id: number) => notes.update(1, { data: form(id) }),
    ]) {
      const hidden = await refused(() => write(2))
      t.match(hidden, { status: 400, message: missing(1) }, JSON.stringify(form(2)))
      t.same(hidden, await refused(() => write(99)), 'in every byte')
    }
  }
  t.match(await refused(() => notes.create({ data: { tags: [1, 2, 4, 99, 'x'] } })), { message: missing(4) })
  const put = { uid: uid('home'), data: { tags: [2] }, params: {}, context: as('Ann') }
  t.match(await refused(() => kernel.writer.put(put)), { message: missing(1) })
  t.equal(JSON.stringify(await of('note').findMany({ populate: '*' })), before)

  await notes.update(1, { data: { ...forms[0]!(1), ...forms[6]!(3), mentions: [tag(1)], author: 2 } })
  t.match(await seen(), { tags: [{ id: 1 }], part: { tags: [{ id: 3 }] }, mentions: [{ id: 1 }], author: { id: 2 } })
  const bobs = kernel.query(uid('note'), as('Bob'))
  t.match(await bobs.create({ data: { tags: [2, 4] }, populate: 'tags' }), { tags: [{ id: 2 }, { id: 4 }] })
  t.match(await refused(() => bobs.create({ data: { tags: [1] } })), { message: missing(1) })
  t.match(await of('note').create({ data: { tags: [1, 2] }, populate: 'tags' }), { tags: [{ id: 1 }, { id: 2 }] })
})

t.test('entries that are linked already can be unlinked, but not named again', async t => {
  const { notes, of, seen } = await start(t, owned)
  await of('note').create({ data: { text: 'a', tags: [1, 2, 4] } })
  t.match(await thrown(t, () => notes.update(1, { data: { tags: [1, 2] } })), { message: missing(1) })
  await notes.update(1, { data: { text: 'b' } })
  t.same(ids((await seen()).tags), [1, 2, 4])
  await notes.update(1, { data: { tags: { disconnect: [2] } } })
  t.same(ids((await seen()).tags), [1, 4])
  await notes.update(1, { data: { tags: [3] } })
  t.same(ids((await seen()).tags), [3])
})

t.test('what may be linked can be asked before a write', async t => {
  const question = (name: string, id: number, context = as('Ann')) => ({ uid: uid('note'), name, id, context })
  const { kernel } = await start(t, owned)
  t.equal(await kernel.writer.mayLink(question('tags', 1)), true)
  for (const id of [2, 99, -1, 2 ** 60]) t.equal(await kernel.writer.mayLink(question('tags', id)), false, String(id))
  t.equal(await kernel.writer.mayLink(question('author', 2)), true, 'no rule is laid on people')
  t.equal(await kernel.writer.mayLink(question('tags', 2, createContext(systemAccess))), true)
  const many = await thrown(t, () => kernel.writer.mayLink(question('mentions', 1)))
  t.match(many, { code: 'PLINTH_ATTRIBUTE_UNKNOWN' }, 'not true for a relation whose entries no rule was asked about')
  const dropped = await start(t, dropping)
  t.equal(await dropped.kernel.writer.mayLink(question('tags', 1)), false)
})

t.test('links that hooks and lifecycles add are not the caller’s', async t => {
  for (const rule of [dropping, owned]) {
    const { notes, seen } = await start(t, rule, kernel => {
      kernel.hooks.on('preWrite', { for: one => one.uid === uid('note') }, ({ data }) => {
        data.tags = [2]
      })
      kernel.lifecycles.subscribe([uid('note')], {
        beforeCreate: ({ params }: { params: { data: Record<string, unknown> } }) => {
          params.data = { ...params.data, part: { name: 'added', tags: [4] } }
        },
      })
    })
    await notes.create({ data: { text: 'a' } })
    t.match(await seen(), { tags: [{ id: 2 }], part: { tags: [{ id: 4 }] } })
  }
})

t.test('a hook hides entries from its write', async t => {
  const { kernel, notes } = await start(
    t,
    () => {},
    kernel =>
      kernel.hooks.on('preWrite', { for: one => one.uid === uid('note') }, write => {
        write.hide(uid('tag'), [2])
        write.hide(uid('tag'), [4])
        write.hide(uid('person'), [1])
      }),
  )
  t.match(await thrown(t, () => notes.create({ data: { tags: [1, 2, 4] } })), { message: missing(2) })
  t.match(await thrown(t, () => notes.create({ data: { author: 1 } })), { message: missing(1, 'person') })
  t.match(await notes.create({ data: { tags: [1, 3], author: 2 }, populate: 'tags' }), { tags: [{ id: 1 }, { id: 3 }] })
  t.match(await thrown(t, () => notes.update(1, { data: { part: { tags: [2] } } })), { message: missing(1) })
  t.ok(kernel)
})

t.test('a hook tests what its write links when the write is done, and refuses it', async t => {
  const tested: unknown[] = []
  const { kernel, notes } = await start(
    t,
    () => {},
    kernel =>
      kernel.hooks.on('preWrite', { for: one => one.uid === uid('note') }, write => {
        const { data } = write
        if (!('tags' in data)) return
        write.check(async () => {
          tested.push([write.tx !== null, write.id, await kernel.query(uid('note')).count()])
          if (data.text === 'no') throw new ValidationError('Not these tags')
        })
      }),
  )
  const { id } = await notes.create({ data: { text: 'a', tags: [1] } })
  await notes.update(id, { data: { text: 'b' } })
  t.match(await thrown(t, () => notes.create({ data: { text: 'no', tags: [1] } })), { message: 'Not these tags' })
  t.match(await thrown(t, () => notes.update(id, { data: { text: 'no', tags: [2] } })), { message: 'Not these tags' })
  t.match(
    await thrown(t, () => notes.create({ data: { tags: [99] } })),
    { message: missing(1) },
    'not for missing ones',
  )
  t.same(
    tested,
    [
      [true, id, 1],
      [true, id + 1, 2],
      [true, id, 1],
    ],
    'in the transaction, for the writes that ask for it',
  )
  const stored = await kernel.query(uid('note')).findMany({ populate: 'tags' })
  t.match(stored, [{ text: 'b', tags: [{ id: 1 }] }])
  t.equal(stored.length, 1)
})

t.test('a type is opened once per write, relation and rights', async t => {
  const opened: string[] = []
  const { notes, mine, kernel } = await start(t, draft => {
    const { via, stage, action, through, path, query, type } = draft
    if (via === 'link')
      opened.push([action, stage, query.uid, through?.name, path, type.uid, draft.access.key].join(' '))
  })
  const link = { tags: [1], part: { tags: [1] }, parts: [{ tags: [1] }], mentions: [tag(1), person(1)] }
  for (let i = 0; i < 2; i++) {
    await notes.create({ data: link })
    await notes.update(1, { data: link })
    await mine('plain').create({ data: { people: [1] } })
    await kernel.query(uid('note')).create({ data: link })
  }
  const of = (action: string, name: string) => `${action} read ${uid('note')} ${name} data.${name} ${uid('tag')} user`
  t.same(
    opened.sort(),
    ['create', 'update'].flatMap(action => [of(action, 'mentions'), of(action, 'tags'), of(action, 'tags')]).sort(),
    'for note.tags, for part.tags and for what is mentioned, not for the system',
  )
})

t.test('an error of a rule refuses the write that links', async t => {
  const { notes } = await start(t, ({ via }) => {
    if (via === 'link') throw new RangeError('no')
  })
  t.match(await thrown(t, () => notes.create({ data: { tags: [1] } })), { message: 'no', hook: 'prePlan' })
  t.match(await notes.create({ data: { text: 'a' } }), { text: 'a' })
})

t.test('without a rule on links, no statement is added', async t => {
  const count = async (rule: Rule | null) => {
    const statements: string[] = []
    const observer = { onStatement: (text: string) => void statements.push(text), onBegin() {}, onEnd() {} }
    const { kernel, notes } = await start(t, rule ?? (() => {}))
    const data = { tags: [1, 3], part: { tags: [3] }, mentions: [tag(1)] }
    for (let i = 0; i < 2; i++) {
      statements.length = 0
      await kernel.observe(observer, async () => {
        await notes.create({ data })
        await notes.update(1, { data })
      })
    }
    return statements
  }
  const free = await count(null)
  t.same(
    await count(draft => draft.stage === 'target' && draft.via !== 'root' && draft.where(eq('owner', caller))),
    free,
  )
  t.ok((await count(owned)).length > free.length)
})
