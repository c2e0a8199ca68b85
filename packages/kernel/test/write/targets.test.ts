// The target of an update or deletion: rules of plugins decide which entries a caller may change. What a caller may store
// is tested in results.test.ts.

import t, { type Test } from 'tap'
import {
  type Context,
  createContext,
  type Execution,
  eq,
  type Kernel,
  linked,
  never,
  openAccess,
  type PlanDraft,
  perRequest,
  systemAccess,
  type Write,
} from '../../src/index.ts'
import { boot, repositories, thrown, type, uid } from '../fixtures/boot.ts'

const contentTypes = [
  type('person', { name: { type: 'string' } }, { collectionName: 'people' }),
  type('note', {
    text: { type: 'string' },
    owner: { type: 'string' },
    author: { type: 'relation', relation: 'manyToOne', target: uid('person') },
  }),
  type('page', { text: { type: 'string' } }),
  type('home', { text: { type: 'string' } }, { kind: 'singleType' }),
]

const isNote = (one: { uid: string }) => one.uid === uid('note')

const as = (name: string): Context => ({ ...createContext({ ...openAccess, key: 'user' }), state: { name } })

const caller = perRequest(({ state }) => state.name)

/** A kernel with one note of Ann's and one of Bob's. `rule` is laid on notes. */
async function start(t: Test, rule: (draft: PlanDraft) => void, configure: (kernel: Kernel) => void = () => {}) {
  const kernel = await boot(t, {
    contentTypes,
    configure: kernel => {
      kernel.hooks.on('prePlan', { for: isNote }, rule)
      configure(kernel)
    },
  })
  const of = repositories(kernel)
  for (const name of ['Ann', 'Bob']) await of('person').create({ data: { name } })
  await of('note').create({ data: { text: 'of Ann', owner: 'Ann', author: 1 } })
  await of('note').create({ data: { text: 'of Bob', owner: 'Bob', author: 2 } })
  return { kernel, of, texts: async () => (await of('note').findMany({ sort: 'id' })).map(one => one.text) }
}

const isTarget = ({ stage }: PlanDraft) => stage === 'target'

const rules: Record<string, (draft: PlanDraft) => void> = {
  'on a column': draft => isTarget(draft) && draft.where(eq('owner', caller)),
  'through a relation': draft => isTarget(draft) && draft.where(linked('author', eq('name', caller))),
}

for (const [name, rule] of Object.entries(rules)) {
  t.test(`a rule ${name} decides what may be changed and deleted`, async t => {
    const { kernel, of, texts } = await start(t, rule)
    const notes = kernel.query(uid('note'), as('Ann'))
    t.match(await notes.update(1, { data: { text: 'changed' } }), { text: 'changed' })
    t.equal(await notes.update(2, { data: { text: 'stolen' } }), null)
    t.equal(await notes.update(2, { data: { author: 1 } }), null, 'links, too')
    t.equal(await notes.delete(2), null)
    t.equal(await notes.update(99, { data: { text: 'nothing' } }), null)
    t.same(await texts(), ['changed', 'of Bob'])
    t.match(await of('note').findOne(2, { populate: 'author' }), { author: { name: 'Bob' } })
    t.match(await notes.delete(1), { text: 'changed' })
    t.same(await texts(), ['of Bob'])
    t.match(await of('note').update(2, { data: { text: 'by the system' } }), { text: 'by the system' })
    t.match(await kernel.query(uid('page'), as('Ann')).create({ data: { text: 'free' } }), { text: 'free' })
  })
}

t.test('a rule on all queries holds for targets and results, and does not hide the answer of a write', async t => {
  const stages: string[] = []
  const { kernel } = await start(t, draft => {
    stages.push(`${draft.action} ${draft.stage}`)
    if (draft.access.key !== 'user') return
    if (draft.stage === 'answer') draft.where(never)
    else draft.where(eq('owner', caller))
  })
  const notes = kernel.query(uid('note'), as('Ann'))
  stages.length = 0
  t.equal(await notes.update(2, { data: { owner: 'Ann' } }), null)
  t.match(await thrown(t, () => notes.update(1, { data: { owner: 'Bob' } })), { status: 403 })
  t.match(await notes.update(1, { data: { text: 'b' } }), { text: 'b' }, 'the answer is not hidden')
  t.match(await thrown(t, () => notes.create({ data: { owner: 'Bob' } })), { status: 403 })
  t.match(await notes.create({ data: { owner: 'Ann' } }), { owner: 'Ann' })
  t.equal(await notes.delete(2), null)
  t.match(await notes.delete(1), { owner: 'Ann' })
  t.equal(await notes.findOne(2), null)
  t.same(
    [...new Set(stages)].sort(),
    [
      ...['create answer', 'create result', 'delete answer', 'delete target', 'findOne read'],
      ...['update answer', 'update result', 'update target'],
    ].sort(),
  )
})

t.test('hooks and lifecycles do not learn of an entry that the caller may not change', async t => {
  const calls: string[] = []
  const { kernel } = await start(t, rules['on a column']!, kernel => {
    kernel.hooks.on('preWrite', { for: isNote, actions: ['update', 'delete'] }, ({ action }) => void calls.push(action))
    kernel.lifecycles.subscribe([uid('note')], {
      beforeUpdate: () => void calls.push('beforeUpdate'),
      beforeDelete: () => void calls.push('beforeDelete'),
    })
  })
  const notes = kernel.query(uid('note'), as('Ann'))
  t.equal(await notes.update(2, { data: { text: 'stolen' } }), null)
  t.equal(await notes.delete(2), null)
  t.same(calls, [])
  await notes.update(1, { data: { text: 'changed' } })
  await notes.delete(1)
  t.same(calls, ['beforeUpdate', 'update', 'beforeDelete', 'delete'])
})

t.test('an entry that leaves the rule before it is locked is not changed', async t => {
  let kernel: Kernel
  const giveAway = async ({ id, context }: Write) => {
    if (context.state.name === 'Ann') await kernel.query(uid('note')).update(id!, { data: { owner: 'Bob' } })
  }
  const found = await start(t, rules['on a column']!, kernel => {
    kernel.hooks.on('preWrite', { for: isNote, actions: ['update', 'delete'] }, giveAway)
  })
  kernel = found.kernel
  const notes = kernel.query(uid('note'), as('Ann'))
  t.equal(await notes.update(1, { data: { text: 'too late' } }), null)
  await kernel.query(uid('note')).update(1, { data: { owner: 'Ann' } })
  t.equal(await notes.delete(1), null)
  t.same(await found.texts(), ['of Ann', 'of Bob'])
})

t.test('without a rule, a target costs no statement', async t => {
  const statements: string[] = []
  const listen = ({ hooks }: Kernel) => hooks.on('onStatement', text => void statements.push(text))
  const count = async (rule: (draft: PlanDraft) => void) => {
    const { kernel } = await start(t, rule, listen)
    const notes = kernel.query(uid('note'), as('Ann'))
    await notes.update(1, { data: { text: 'first' } })
    statements.length = 0
    await notes.update(1, { data: { text: 'second' } })
    await notes.delete(1)
    return statements.length
  }
  const free = await count(() => {})
  const ruled = await count(rules['on a column']!)
  const ofReads = await count(draft => void (draft.stage === 'read' && draft.where(eq('owner', caller))))
  t.equal(ofReads, free, 'rules of reads are not rules of targets')
  t.ok(ruled > free)
})

t.test('a rule hides the entry of a single type from those who put it', async t => {
  let creations = 0
  const kernel = await boot(t, {
    contentTypes,
    configure: ({ hooks }) => {
      hooks.on('prePlan', { for: one => one.uid === uid('home') }, draft => draft.where(eq('text', caller)))
      hooks.on('preWrite', { actions: ['create'] }, () => void creations++)
    },
  })
  const put = (text: string, context: Context) =>
    kernel.writer.put({ uid: uid('home'), data: { text }, params: {}, context })
  await put('Ann', as('Ann'))
  t.equal(creations, 1, 'nothing was there to hide')
  t.match(await thrown(t, () => put('Bob', as('Bob'))), { status: 404 })
  t.equal(creations, 1, 'hooks are not called for it')
  await put('Ann', as('Ann'))
  await put('Bob', createContext(systemAccess))
  t.match(await repositories(kernel)('home').findMany(), [], 'rules of reads hold for the system')
  t.match(await thrown(t, () => put('Ann', as('Ann'))), { status: 404 })
})

t.test('caches of reads do not answer for targets', async t => {
  const { kernel } = await start(t, rules['on a column']!, kernel => {
    const results = new Map<string, unknown>()
    const keyOf = ({ compiled, bound }: Execution) => `${compiled.entries.text} ${JSON.stringify(bound)}`
    kernel.hooks.on('preExecute', execution => results.get(keyOf(execution)) as never)
    kernel.hooks.on('onExecute', (execution, result) => void results.set(keyOf(execution), result))
  })
  const notes = kernel.query(uid('note'), as('Ann'))
  t.match(await notes.update(1, { data: { text: 'changed' } }), {})
  await kernel.query(uid('note')).update(1, { data: { owner: 'Bob' } })
  t.equal(await notes.update(1, { data: { text: 'stolen' } }), null)
  t.same(await kernel.knex('notes').where({ id: 1 }).pluck('text'), ['changed'])
})
