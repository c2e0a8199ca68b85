// What plugins add to queries: conditions on the nodes of a plan, meta of entries, parameters, operators and attribute
// types. They act once per shape; what depends on the request is a per-request value.

import t from 'tap'
import {
  and,
  createContext,
  eq,
  isNotNull,
  linked,
  never,
  not,
  openAccess,
  or,
  type PlanDraft,
  perRequest,
  Type,
} from '../../src/index.ts'
import { startBooks as start } from '../fixtures/books.ts'
import { boot, repositories, thrown, type, uid } from '../fixtures/boot.ts'

declare module '../../src/query/populate-options.ts' {
  interface ParameterOptions {
    readonly least?: unknown
  }
}

t.test('prePlan adds conditions, drops branches or throws, once per shape', async t => {
  const calls: string[] = []
  const rules: Record<string, (node: PlanDraft) => void> = {
    never: node => node.where(never),
    isNotNull: node => node.where(isNotNull('name')),
    mine: node =>
      node.where(
        eq(
          'name',
          perRequest(context => context.state.name),
        ),
      ),
    read: node =>
      node.where(
        linked(
          'readers',
          eq(
            'name',
            perRequest(() => 'Bob'),
          ),
        ),
      ),
    unread: node => node.where(not(linked('readers'))),
    either: node =>
      node.where(
        or(
          eq(
            'rank',
            perRequest(() => 2),
          ),
          and(
            isNotNull('rank'),
            linked(
              'writer',
              eq(
                'name',
                perRequest(() => 'Ann'),
              ),
            ),
          ),
        ),
      ),
    drop: node => node.drop(),
    forbid: () => {
      throw new RangeError('closed')
    },
  }
  const { kernel } = await start(t, ({ hooks }) =>
    hooks.on('prePlan', (node, access) => {
      calls.push(`${node.type.singularName} ${node.via} ${node.path}`)
      const [on, via, rule] = access.key.split(' ')
      if (node.type.singularName === on && node.via === via) rules[rule!]!(node)
    }),
  )
  const ask = (key: string, params = {}, name = 'book', state: Record<string, unknown> = {}) => {
    const context = { ...createContext({ ...openAccess, key }), state }
    return kernel.query(uid(name), context).findMany(params)
  }
  const titles = async (...args: Parameters<typeof ask>) => (await ask(...args)).map(one => one.title ?? one.name)
  const through = { filters: { writer: { name: { $notNull: true } } } }
  t.same(await titles('book root never'), [])
  t.same(await titles('book root read'), ['One'])
  t.same(await titles('book root unread'), ['Two'])
  t.same(await titles('book root either'), ['One', 'Two'])
  t.same(await titles('writer filter never', through), [], 'what a filter passes through')
  t.same(await titles('writer sort never', { sort: 'writer.name:desc' }), ['One', 'Two'], 'and a sort')
  t.same(await titles('open', { sort: 'writer.name:desc' }), ['Two', 'One'])
  t.match(await ask('writer populate never', { populate: '*' }), [{ writer: null, readers: [] }, {}])
  t.notOk('writer' in (await ask('writer populate drop', { populate: '*' }))[0]!)
  t.match(await thrown(t, () => ask('writer filter forbid', through)), { message: 'closed', hook: 'prePlan' })
  t.match(await thrown(t, () => ask('book root drop')), {
    message: /Only a populated node, a meta list and a link can be dropped, not "book", which is reached by "root"/,
  })
  t.match(await thrown(t, () => ask('book root isNotNull')), { message: /no scalar attribute "name"/ })

  calls.length = 0
  const { plans } = kernel.engine
  const before = plans.size
  for (const name of ['Ann', 'Bob', 'Cid'])
    t.same(await titles('writer root mine', {}, 'writer', { name }), name === 'Cid' ? [] : [name])
  t.equal(plans.size, before + 1, 'late values make no plans')
  t.same(calls, ['writer root writer'])
})

t.test('per-entry meta and parameters of plugins', async t => {
  const { kernel, of } = await start(t, kernel => {
    kernel.hooks.on('prePlan', { for: one => one.uid === uid('book') }, node => {
      if (node.query.meta) node.meta('readers', { relation: 'readers', attribute: 'name' })
    })
    kernel.parameters.add({
      name: 'least',
      schema: Type.Integer(),
      for: one => one.uid === uid('book'),
      actions: ['find', 'count'],
      depth: 'root',
      shape: () => '',
      plan: (node, { value }) => node.where({ op: 'compare', attribute: 'rank', comparison: 'gte', operand: value }),
      refuse: value => `least must be a whole number, not ${value}`,
    })
    kernel.operators.add({
      name: '$ends',
      operand: 'one',
      sql: column => `${column} LIKE ?`,
      encode: value => `%${value}`,
    })
  })
  const request = { uid: uid('book'), action: 'find', params: {}, meta: true } as const
  const { rows } = await kernel.reader.read(request, createContext(openAccess))
  t.same(
    rows.meta.map(groups => [...groups]),
    [[[1, ['Bob', 'Ann']]]],
  )
  t.same((await kernel.reader.read({ ...request, meta: false }, createContext(openAccess))).rows.meta, [])
  const { plans } = kernel.engine
  t.same(
    (await of('book').findMany({ least: 2 })).map(one => one.title),
    ['Two'],
  )
  const before = plans.size
  t.equal((await of('book').findMany({ least: 0 })).length, 2)
  t.equal(plans.size, before)
  t.equal((await of('writer').findMany({ least: 9 })).length, 2, 'accepted and without effect elsewhere')
  t.match(
    (await of('writer').findMany({ least: 9, populate: 'books' }))[0],
    { books: [{ id: 1 }] },
    'nor below the root',
  )
  t.match(await thrown(t, () => of('book').findMany({ least: 'x' })), {
    status: 400,
    message: 'least must be a whole number, not x',
  })
  t.same(
    (await of('book').findMany({ filters: { title: { $ends: 'o' } } })).map(one => one.title),
    ['Two'],
  )
  for (const name of ['$ends', '$eq', 'ends'])
    t.throws(() => kernel.operators.add({ name, operand: 'one' }), { message: /operator/ })
})

t.test('attribute types of plugins are scalars with a check, or aliases', async t => {
  const kernel = await boot(t, {
    contentTypes: [
      type('file', { name: { type: 'string' } }),
      type('page', {
        color: { type: 'color', required: true },
        cover: { type: 'media' },
        file: { type: 'attachment' },
        scan: { type: 'scan' },
      }),
    ],
    configure: ({ attributeTypes }) => {
      const check = (value: unknown) => (/^#\w{6}$/.test(String(value)) ? null : 'must be a color')
      attributeTypes.add('color', { storage: 'string', family: 'text', check })
      const as = () => ({ type: 'relation', relation: 'oneToOne', target: uid('file') })
      attributeTypes.add('media', { as, isPassable: false })
      attributeTypes.add('attachment', { as })
      attributeTypes.add('scan', { as, isPassable: false, isSortable: true })
      t.throws(() => attributeTypes.add('string', { storage: 'string', family: 'text' }), { message: /already exists/ })
    },
  })
  const of = repositories(kernel)
  t.match(await of('page').create({ data: { color: '#aabbcc' } }), { color: '#aabbcc' })
  t.match(await thrown(t, () => of('page').create({ data: { color: 'red' } })), {
    details: { errors: [{ path: ['color'], message: 'color must be a color' }] },
  })
  await of('file').create({ data: { name: 'f' } })
  await of('page').update(1, { data: { cover: 1 } })
  t.match(await of('page').findOne(1, { populate: '*' }), { cover: { name: 'f' } })
  t.match(await thrown(t, () => of('page').findMany({ filters: { cover: 1 } })), { message: 'Invalid parameter cover' })
  t.match(await thrown(t, () => of('page').findMany({ sort: 'cover.name' })), { message: 'Invalid parameter cover' })
  t.same(await of('page').findMany({ filters: { file: { name: 'f' } }, sort: 'file.name' }), [], 'others can be passed')
  t.match(await thrown(t, () => of('page').findMany({ filters: { scan: 1 } })), { message: 'Invalid parameter scan' })
  t.match(await of('page').findMany({ sort: 'scan.name' }), [{ id: 1 }], 'or by sort keys alone (B-2.22)')
})
