// Reads of what is below entries that the caller has already (`entries`): nothing hides these entries, and everything below
// them is checked as in a list.

import t from 'tap'
import { type Access, createContext, eq, type Params, Type } from '../../src/index.ts'
import { boot, repositories, type, uid } from '../fixtures/boot.ts'

const draft = { type: 'boolean', default: false }
const contentTypes = [
  type('tag', { label: { type: 'string' }, draft }),
  type('article', {
    title: { type: 'string' },
    draft,
    hidden: { type: 'string' },
    tags: { type: 'relation', relation: 'oneToMany', target: uid('tag') },
  }),
]

const nobody: Access = { key: 'nobody', user: null, can: () => false }
const isNot = { perRequest: () => false }

t.test('neither parameters nor conditions hide the entries, and lifecycles do not run', async t => {
  let heard = 0
  const kernel = await boot(t, {
    contentTypes,
    configure({ hooks, parameters, lifecycles }) {
      parameters.add({
        name: 'state',
        schema: Type.Union([Type.Literal('live'), Type.Literal('all')]),
        for: one => one.attributes.has('draft'),
        actions: ['find'],
        depth: 'every',
        shape: (state: string) => state,
        fallback: () => 'live',
        fallbackShape: 'live',
        plan: (node, { shape }) => {
          if (shape === 'live') node.where(eq('draft', isNot))
        },
      })
      hooks.on('prePlan', node => {
        if (node.type.uid !== uid('article')) return
        node.where(eq('title', { perRequest: () => 'nothing' }))
        node.hide('hidden')
      })
      lifecycles.subscribe([uid('article')], { beforeFindMany: () => void heard++ })
    },
  })
  const of = repositories(kernel)
  for (const [i, label] of ['a', 'b', 'c'].entries()) await of('tag').create({ data: { label, draft: i === 1 } })
  for (const [i, title] of ['One', 'Two', 'Three'].entries())
    await of('article').create({
      data: { title, draft: i === 1, hidden: 'x', ...(i === 1 ? { tags: [1, 2, 3] } : {}) },
    })
  const { reader } = kernel
  const context = createContext(nobody)
  const request = { uid: uid('article'), action: 'find', params: {}, isAuthorized: true } as const
  heard = 0
  t.equal((await reader.read(request, context)).rows.rows.length, 0, 'a list is checked')
  t.equal(heard, 1)
  const params = { fields: ['title'], populate: { tags: { fields: ['label'] } } }
  const selected = { ...request, params, entries: { ids: [2, 3] } }
  const { rows } = await reader.read(selected, context)
  t.equal(heard, 1)
  t.same(rows.rows, [
    [2, 'Two'],
    [3, 'Three'],
  ])
  const labels = (of: typeof rows) => {
    const branch = of.branches[0]!
    return branch.kind === 'rows' ? branch.groups.get(2)?.map(row => row[1]) : null
  }
  t.same(labels(rows), ['a', 'c'], 'what is below is checked as in a list')
  const all = await reader.read({ ...selected, params: { ...params, state: 'all' } }, context)
  t.same(labels(all.rows), ['a', 'b', 'c'], 'with the parameters that were sent')
  const others = { ...params, filters: { title: 'One' }, _q: 'One' }
  t.same((await reader.read({ ...selected, params: others }, context)).rows.rows, rows.rows, 'nor with filters')
  const named = (clause: object) => reader.read({ ...selected, params: clause as Params }, context)
  await t.rejects(named({ fields: ['hidden'] }), { message: 'Invalid parameter hidden' })
  await t.rejects(named({ filters: { hidden: 'x' } }), { message: 'Invalid parameter hidden' })
  await t.rejects(reader.read({ ...selected, isAuthorized: false }, context), { name: 'ForbiddenError' })
})
