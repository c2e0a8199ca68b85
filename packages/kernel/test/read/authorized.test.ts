// Transports that have checked a right themselves (`isAuthorized`): the kernel asks neither for the right to the read
// nor for that to the write, and checks everything else as before.

import t, { type Test } from 'tap'
import { type Access, createContext, TextReader } from '../../src/index.ts'
import { boot, repositories, type, uid } from '../fixtures/boot.ts'

const contentTypes = [
  type('tag', { label: { type: 'string' } }),
  type('article', {
    title: { type: 'string' },
    tags: { type: 'relation', relation: 'oneToMany', target: uid('tag') },
  }),
  type('home', { title: { type: 'string' } }, { kind: 'singleType' }),
]

const nobody: Access = { key: 'nobody', user: null, can: () => false }
const article = uid('article')
const home = uid('home')
const forbidden = { status: 403, name: 'ForbiddenError' }

/** A kernel that populates and links only what the caller may find; `seen` are the accesses of the hooks at the root. */
async function start(t: Test) {
  const seen = new Set<Access>()
  const kernel = await boot(t, {
    contentTypes,
    configure: ({ hooks }) =>
      hooks.on('prePlan', (draft, access) => {
        if (draft.via === 'root') seen.add(access)
        else if (!access.can(`${draft.type.uid}.find`)) draft.refuse()
      }),
  })
  const of = repositories(kernel)
  await of('tag').create({ data: { label: 'a' } })
  await of('article').create({ data: { title: 'One', tags: [1] } })
  seen.clear()
  return { kernel, of, seen, context: createContext(nobody) }
}

t.test('reads are not asked about at the root, and are below it', async t => {
  const { kernel, seen, context } = await start(t)
  const { reader } = kernel
  const no = { uid: article, params: {} }
  const yes = { ...no, isAuthorized: true }
  await t.rejects(reader.read({ ...no, action: 'find' }, context), forbidden)
  const listed = await reader.read({ ...yes, action: 'find', params: { populate: 'tags' } }, context)
  t.equal(listed.rows.rows.length, 1)
  t.same(listed.rows.node.branches, [], 'what the caller may not find is not populated')
  t.same([...seen], [nobody], 'hooks see the access itself')
  const filters = { tags: { label: 'a' } }
  await t.rejects(reader.read({ ...yes, action: 'find', params: { filters } }, context), {
    message: 'Invalid parameter tags',
  })
  t.equal((await reader.read({ ...yes, action: 'findOne', id: 1 }, context)).rows.rows.length, 1)
  await t.rejects(reader.read({ ...no, action: 'findOne', id: 1 }, context), forbidden)
  t.equal((await reader.read({ ...yes, action: 'count' }, context)).total, 1)
  await t.rejects(reader.read({ ...no, action: 'count' }, context), forbidden)
})

t.test('a check asks about the parameters alone', async t => {
  const { kernel, context } = await start(t)
  for (const action of ['find', 'update'] as const) {
    const no = { uid: article, action, params: {} }
    const yes = { ...no, isAuthorized: true }
    t.throws(() => kernel.reader.check(no, context), forbidden)
    kernel.reader.check(yes, context)
    const wrong = () => kernel.reader.check({ ...yes, params: { fields: 'x' } }, context)
    t.throws(wrong, { message: 'Invalid parameter x' })
  }
})

t.test('with lifecycles, too', async t => {
  const kernel = await boot(t, {
    contentTypes,
    configure: ({ lifecycles }) => lifecycles.subscribe(null, { beforeFindMany() {}, beforeCount() {} }),
  })
  const context = createContext(nobody)
  const pagination = { defaultLimit: 1, maxLimit: null, withCount: true }
  const request = { uid: article, action: 'find', params: {}, pagination } as const
  t.equal((await kernel.reader.read({ ...request, isAuthorized: true }, context)).total, 0)
  await t.rejects(kernel.reader.read(request, context), forbidden)
})

t.test('what a text reader keeps serves nobody who lacks the right', async t => {
  const { kernel, context } = await start(t)
  const texts = new TextReader(kernel.reader, () => ({}))
  const request = { uid: article, action: 'find' } as const
  for (let i = 0; i < 2; i++) {
    t.equal((await texts.read({ ...request, isAuthorized: true }, '', context)).rows.rows.length, 1)
    await t.rejects(texts.read(request, '', context), forbidden)
  }
})

t.test('writes', async t => {
  const { kernel, of, context } = await start(t)
  const { writer } = kernel
  const params = { populate: 'tags' }
  const data = { title: 'Two', tags: [1] }
  const request = { uid: article, data, params, context }
  await t.rejects(writer.create(request), forbidden)
  await t.rejects(writer.update({ ...request, id: 1 }), forbidden)
  await t.rejects(writer.delete({ ...request, id: 1 }), forbidden)
  const yes = { ...request, isAuthorized: true }
  const created = await writer.create(yes)
  t.same([created.rows.rows.length, created.rows.node.branches], [1, []])
  t.same((await of('article').findOne(2, { populate: 'tags' }))!.tags, [], 'links are checked as before')
  await writer.update({ ...yes, id: 1, data: { title: 'Uno' } })
  t.match(await of('article').findOne(1), { title: 'Uno' })
  await writer.delete({ ...yes, id: 1 })
  t.equal(await of('article').count(), 1)
})

t.test('writes of single types', async t => {
  const { kernel, of, context } = await start(t)
  const { writer } = kernel
  const request = { uid: home, data: { title: 'x' }, params: {}, context }
  await t.rejects(writer.put(request), forbidden)
  await writer.put({ ...request, isAuthorized: true })
  await writer.put({ ...request, isAuthorized: true, data: { title: 'y' } })
  t.match(await of('home').findMany(), [{ id: 1, title: 'y' }])
  const single = { uid: home, action: 'delete', params: {}, context } as const
  await t.rejects(writer.entries.findSingle(single), forbidden)
  t.equal(await writer.entries.findSingle({ ...single, isAuthorized: true }), 1)
})
