// The result of a creation or update: rules of plugins decide what a caller may store. It is asked inside the
// transaction, after everything else was written, and what it refuses is rolled back (403).

import t, { type Test } from 'tap'
import {
  type Context,
  createContext,
  eq,
  ForbiddenError,
  type Kernel,
  linked,
  openAccess,
  type PlanDraft,
  perRequest,
  withRights,
} from '../../src/index.ts'
import { boot, component, raw, repositories, tableNames, thrown, type, uid } from '../fixtures/boot.ts'

const contentTypes = [
  type('person', { name: { type: 'string' } }, { collectionName: 'people' }),
  type('note', {
    text: { type: 'string' },
    owner: { type: 'string' },
    author: { type: 'relation', relation: 'manyToOne', target: uid('person') },
    readers: { type: 'relation', relation: 'oneToMany', target: uid('person') },
    part: { type: 'component', component: 'a.part' },
  }),
  type('page', { text: { type: 'string' } }),
  type('home', { text: { type: 'string' } }, { kind: 'singleType' }),
]
const components = { 'a.part': component('a.part', { name: { type: 'string' } }) }

const isOf = (name: string) => (one: { uid: string }) => one.uid === uid(name)
const as = (name: string): Context => ({ ...createContext({ ...openAccess, key: 'user' }), state: { name } })
const caller = perRequest(({ state }) => state.name)

/** The rows of every table. */
async function dump(kernel: Kernel): Promise<string> {
  const { quote } = kernel.database.dialect
  const rows = []
  for (const name of await tableNames(kernel)) rows.push(await raw(kernel, `SELECT * FROM ${quote(name)} ORDER BY id`))
  return JSON.stringify(rows)
}

/** A kernel with one note of Ann's and one of Bob's. `rule` is laid on notes. */
async function start(t: Test, rule: (draft: PlanDraft) => void, configure: (kernel: Kernel) => void = () => {}) {
  const kernel = await boot(t, {
    contentTypes,
    components,
    configure: kernel => {
      kernel.hooks.on('prePlan', { for: isOf('note') }, rule)
      configure(kernel)
    },
  })
  const of = repositories(kernel)
  for (const name of ['Ann', 'Bob']) await of('person').create({ data: { name } })
  await of('note').create({ data: { text: 'of Ann', owner: 'Ann', author: 1 } })
  await of('note').create({ data: { text: 'of Bob', owner: 'Bob', author: 2 } })
  return { kernel, of, notes: kernel.query(uid('note'), as('Ann')) }
}

const isResult = ({ stage, via }: PlanDraft) => stage === 'result' && via === 'root'

const rules: Record<string, (draft: PlanDraft) => void> = {
  'on a column': draft => isResult(draft) && draft.where(eq('owner', caller)),
  'through a relation': draft => isResult(draft) && draft.where(linked('author', eq('name', caller))),
  'on everything': draft => draft.access.key === 'user' && draft.where(eq('owner', caller)),
}
const out = { owner: 'Bob', author: 2 }
const within = { owner: 'Ann', author: 1 }

for (const [name, rule] of Object.entries(rules)) {
  t.test(`a rule ${name} decides what may be stored`, async t => {
    const committed: unknown[] = []
    const { kernel, of, notes } = await start(t, rule, kernel =>
      kernel.hooks.on('onCommit', writes => void committed.push(...writes)),
    )
    const before = await dump(kernel)
    committed.length = 0
    const more = { text: 'x', readers: [1, 2], part: { name: 'x' } }
    for (const refused of [
      () => notes.update(1, { data: out }),
      () => notes.update(1, { data: { ...out, ...more } }),
      () => notes.update(1, { data: { owner: 'Bob', author: { disconnect: [1] } } }),
      () => notes.create({ data: { ...out, ...more } }),
      () => notes.create({ data: {} }),
    ]) {
      const error = await thrown(t, refused)
      t.match(error, { name: 'ForbiddenError', status: 403 })
      t.ok(error instanceof ForbiddenError)
    }
    t.equal(await dump(kernel), before, 'nothing is stored')
    t.same(committed, [], 'and onCommit did not run')
    t.match(await notes.update(1, { data: { ...within, ...more } }), { text: 'x' })
    t.match(await notes.create({ data: { ...within, ...more } }), { text: 'x' })
    t.match(await of('note').update(1, { data: out }), { owner: 'Bob' }, 'the system may')
    t.match(await kernel.query(uid('page'), as('Ann')).create({ data: { text: 'free' } }), { text: 'free' })
  })
}

t.test('what onWrite hooks write is tested, and rolled back', async t => {
  const { of, notes } = await start(t, rules['on a column']!, kernel =>
    kernel.hooks.on('onWrite', { for: isOf('note') }, async write => {
      await kernel.query(uid('page')).create({ data: { text: 'a trace' } })
      if (write.data.text === 'mend') await write.tx!.knex('notes').where({ id: write.id }).update({ owner: 'Ann' })
      if (write.data.text === 'break') await write.tx!.knex('notes').where({ id: write.id }).update({ owner: 'Bob' })
    }),
  )
  const traces = await of('page').count()
  t.match(await thrown(t, () => notes.update(1, { data: { text: 'break' } })), { status: 403 })
  t.match(await thrown(t, () => notes.create({ data: { text: 'break', owner: 'Ann' } })), { status: 403 })
  t.equal(await of('page').count(), traces)
  t.match(await of('note').findOne(1), { text: 'of Ann', owner: 'Ann' })
  t.match(await notes.create({ data: { text: 'mend', owner: 'Bob' } }), { owner: 'Ann' })
  t.equal(await of('page').count(), traces + 1)
})

t.test('a refused write takes no other with it', async t => {
  const { of, notes } = await start(t, rules['on a column']!)
  const ends = await Promise.allSettled([
    notes.create({ data: { text: 'a', owner: 'Ann' } }),
    notes.create({ data: { text: 'b', owner: 'Bob' } }),
    notes.update(1, { data: { owner: 'Bob' } }),
    of('page').create({ data: { text: 'c' } }),
    notes.create({ data: { text: 'd', owner: 'Ann', readers: [1] } }),
    of('note').update(2, { data: { text: 'e' } }),
  ])
  t.same(
    ends.map(one => one.status === 'fulfilled'),
    [true, false, false, true, true, true],
  )
  t.same((await of('note').findMany({ sort: 'text' })).map(one => one.text).sort(), ['a', 'd', 'e', 'of Ann'])
  t.equal(await of('page').count(), 1)
})

t.test('a refused write takes back itself only in a transaction of its caller', async t => {
  const { kernel, of, notes } = await start(t, rules['on a column']!)
  await kernel.transaction(async () => {
    await notes.update(1, { data: { text: 'kept' } })
    t.match(await thrown(t, () => notes.update(1, { data: { text: 'lost', owner: 'Bob' } })), { status: 403 })
    await of('page').create({ data: { text: 'kept' } })
  })
  t.match(await of('note').findOne(1), { text: 'kept', owner: 'Ann' })
  t.equal(await of('page').count(), 1)
})

t.test('without a rule, a result costs no statement', async t => {
  const count = async (rule: (draft: PlanDraft) => void) => {
    const statements: string[] = []
    const observer = { onStatement: (text: string) => void statements.push(text), onBegin() {}, onEnd() {} }
    const { kernel, notes } = await start(t, rule)
    await notes.update(1, { data: { text: 'first' } })
    await kernel.observe(observer, async () => {
      await notes.update(1, { data: { text: 'second' } })
      await notes.create({ data: { owner: 'Ann', readers: [1] } })
    })
    return statements
  }
  const free = await count(() => {})
  t.same(await count(draft => void (draft.stage === 'read' && draft.where(eq('owner', caller)))), free)
  t.ok((await count(rules['on a column']!)).length > free.length)
})

t.test('rules on updates hold for the entry of a single type, also when it is created', async t => {
  const actions: string[] = []
  const kernel = await boot(t, {
    contentTypes,
    components,
    configure: ({ hooks }) =>
      hooks.on('prePlan', { for: isOf('home') }, draft => {
        if (draft.stage !== 'result') return
        actions.push(draft.action)
        draft.where(eq('text', caller))
      }),
  })
  const put = (text: string, name: string) =>
    kernel.writer.put({ uid: uid('home'), data: { text }, params: {}, context: as(name) })
  const stored = () => kernel.query(uid('home')).findMany()
  t.match(await thrown(t, () => put('of Ann', 'Ann')), { status: 403 })
  t.same(await stored(), [])
  await put('Ann', 'Ann')
  t.match(await thrown(t, () => put('Ann', 'Bob')), { status: 403 })
  t.match(await stored(), [{ text: 'Ann' }])
  await put('Bob', 'Bob')
  t.match(await stored(), [{ text: 'Bob' }])
  t.same([...new Set(actions)], ['update'])
})

t.test('a preWrite hook refuses before anything is written', async t => {
  const statements: string[] = []
  const sent: string[][] = []
  const { kernel, notes } = await start(
    t,
    () => {},
    kernel => {
      kernel.hooks.on('preWrite', { for: isOf('note'), order: 'pre' }, ({ data }) => {
        data.text ??= 'added'
      })
      kernel.hooks.on('preWrite', { for: isOf('note') }, write => {
        sent.push([...write.sent].sort())
        if (write.sent.has('owner') && write.context.state.name === 'Ann') throw new ForbiddenError()
      })
      kernel.hooks.on('onStatement', text => void statements.push(text))
    },
  )
  const before = await dump(kernel)
  statements.length = 0
  sent.length = 0
  t.match(await thrown(t, () => notes.update(1, { data: { owner: 'Ann' } })), { status: 403 })
  t.match(await thrown(t, () => notes.create({ data: { owner: 'Ann', part: { name: 'x' } } })), { status: 403 })
  t.same(
    statements.filter(text => !/^select/i.test(text)),
    [],
  )
  t.equal(await dump(kernel), before)
  await notes.update(1, { data: { id: 7, createdAt: '2000-01-01', unknown: 1, part: { name: 'x' } } })
  t.same(sent, [['owner'], ['owner', 'part'], ['part']], 'attributes that callers can write, of the top level')
})

t.test('an action that a plugin adds to the rights is marked, and others keep their rules', async t => {
  const { kernel } = await start(t, draft => {
    if (draft.access.key.startsWith('user') && !draft.access.added?.includes(`${uid('note')}.${draft.action}`))
      draft.where(eq('owner', caller))
  })
  const scopes = new Set([`${uid('note')}.create`])
  const rights = { key: 'user', user: { id: 7 }, can: (scope: string) => scopes.has(scope), rules: 'mine' }
  const context: Context = { ...createContext(rights), state: { name: 'Ann' } }
  const more = withRights(context, [`${uid('note')}.create`, `${uid('note')}.update`])
  t.match(more.access, { user: { id: 7 }, rules: 'mine', added: [`${uid('note')}.update`] })
  t.equal(withRights(more, [`${uid('note')}.create`]), more, 'nothing to add')
  t.same(withRights(more, ['x']).access.added, [`${uid('note')}.update`, 'x'])
  const notes = kernel.query(uid('note'), more)
  t.match(await thrown(t, () => notes.create({ data: { owner: 'Bob' } })), { status: 403 })
  t.match(await notes.update(1, { data: { owner: 'Bob' } }), { owner: 'Bob' })
  t.match(await thrown(t, () => kernel.query(uid('note'), context).update(1, { data: {} })), { status: 403 })
})

t.test('a change that takes the entry out of the rule of another that waits for it', async t => {
  const { kernel, of, notes } = await start(t, rules['on everything']!)
  for (let round = 0; round < 5; round++) {
    await of('note').update(1, { data: { owner: 'Ann', text: 'free' } })
    let began: () => void = () => {}
    const hasBegun = new Promise<void>(resolve => {
      began = resolve
    })
    const leaving = kernel.transaction(async () => {
      await of('note').update(1, { data: { owner: 'Bob' } })
      began()
      await new Promise(resolve => setTimeout(resolve, 30))
    })
    await hasBegun
    // It finds its target, which the other one has locked, and must look again once it has the lock.
    const changes = [{ text: 'stolen' }, { text: 'stolen', owner: 'Ann' }].map(data => notes.update(1, { data }))
    await leaving
    const ends = await Promise.allSettled(changes)
    t.same(
      ends.map(one => (one.status === 'fulfilled' ? one.value : one.reason.status)),
      [null, null],
    )
    t.match(await of('note').findOne(1), { owner: 'Bob', text: 'free' })
  }
})

t.test('a change that comes after one that takes the entry out of its rule finds nothing', async t => {
  const { of, notes } = await start(t, draft => {
    if (draft.access.key === 'user' && draft.stage !== 'result') draft.where(eq('owner', caller))
  })
  for (let round = 0; round < 20; round++) {
    await of('note').update(1, { data: { owner: 'Ann', text: 'free' } })
    const [given, changed] = await Promise.all([
      notes.update(1, { data: { owner: 'Bob' } }),
      notes.update(1, { data: { text: 'of Ann', owner: 'Ann' } }),
    ])
    t.not(given, null)
    // If it was the first, the entry was given away with its text; it cannot have taken the entry back.
    t.match(await of('note').findOne(1), { owner: 'Bob', text: changed === null ? 'free' : 'of Ann' })
  }
})
