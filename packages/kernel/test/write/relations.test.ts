// Relations of every kind, written from both sides and read back: forms, positions, order, and entries taken from their
// former owner (B-4.30 to B-4.44).

import t, { type Test } from 'tap'
import type { Entry, Kernel } from '../../src/index.ts'
import { boot, client, raw, repositories, thrown, type, uid } from '../fixtures/boot.ts'

const to = (relation: string, target: string, more: Record<string, unknown> = {}) => ({
  type: 'relation',
  relation,
  target: uid(target),
  ...more,
})
const column = { useJoinTable: false }
const contentTypes = [
  type('item', {
    name: { type: 'string' },
    oneWay: to('oneToOne', 'part'),
    manyWay: to('oneToMany', 'part'),
    plain: to('manyToOne', 'part'),
    loose: to('manyToMany', 'part'),
    twin: to('oneToOne', 'part', { inversedBy: 'twinOf' }),
    group: to('manyToOne', 'part', { inversedBy: 'members' }),
    tags: to('manyToMany', 'part', { inversedBy: 'tagged' }),
    plainColumn: to('manyToOne', 'part', column),
    cell: to('oneToOne', 'part', { inversedBy: 'cellOf', ...column }),
    shelf: to('manyToOne', 'part', { inversedBy: 'stock', ...column }),
    parent: to('manyToOne', 'item', { inversedBy: 'children' }),
    children: to('oneToMany', 'item', { mappedBy: 'parent' }),
    friends: to('manyToMany', 'item', { inversedBy: 'befriended' }),
    befriended: to('manyToMany', 'item', { mappedBy: 'friends' }),
    next: to('oneToOne', 'item', { inversedBy: 'previous' }),
    previous: to('oneToOne', 'item', { mappedBy: 'next' }),
    partner: to('oneToOne', 'item'),
    boss: to('manyToOne', 'item', { inversedBy: 'staff', ...column }),
    staff: to('oneToMany', 'item', { mappedBy: 'boss' }),
  }),
  type('part', {
    name: { type: 'string' },
    twinOf: to('oneToOne', 'item', { mappedBy: 'twin' }),
    members: to('oneToMany', 'item', { mappedBy: 'group' }),
    tagged: to('manyToMany', 'item', { mappedBy: 'tags' }),
    cellOf: to('oneToOne', 'item', { mappedBy: 'cell' }),
    stock: to('oneToMany', 'item', { mappedBy: 'shelf' }),
  }),
]

/** Five items and five parts, with the ids 1 to 5. */
async function fill(t: Test, count = 5): Promise<Kernel> {
  const kernel = await boot(t, { contentTypes })
  for (const name of ['item', 'part'])
    for (let i = 1; i <= count; i++) await repositories(kernel)(name).create({ data: { name: `${name}${i}` } })
  return kernel
}

/** Ids linked by an attribute, in order; of a to-one a list of one or none. */
async function linked(kernel: Kernel, name: string, id: number, attribute: string): Promise<number[]> {
  const entry = await repositories(kernel)(name).findOne(id, { populate: [attribute] })
  const value = entry![attribute] as Entry | Entry[] | null
  return (value === null ? [] : [value].flat()).map(one => one.id)
}

/** Both sides of a relation: `many` says how many each side may hold. */
interface Row {
  readonly at: readonly [type: string, attribute: string, many: boolean]
  readonly back?: readonly [type: string, attribute: string, many: boolean]
}
const one = (name: string, attribute: string) => [name, attribute, false] as const
const many = (name: string, attribute: string) => [name, attribute, true] as const
const owners: readonly Row[] = [
  { at: one('item', 'oneWay') },
  { at: many('item', 'manyWay') },
  { at: one('item', 'plain') },
  { at: many('item', 'loose') },
  { at: one('item', 'plainColumn') },
  { at: one('item', 'partner') },
  { at: one('item', 'twin'), back: one('part', 'twinOf') },
  { at: one('item', 'group'), back: many('part', 'members') },
  { at: many('item', 'tags'), back: many('part', 'tagged') },
  { at: one('item', 'cell'), back: one('part', 'cellOf') },
  { at: one('item', 'shelf'), back: many('part', 'stock') },
  { at: one('item', 'parent'), back: many('item', 'children') },
  { at: many('item', 'friends'), back: many('item', 'befriended') },
  { at: one('item', 'next'), back: one('item', 'previous') },
  { at: one('item', 'boss'), back: many('item', 'staff') },
]
// Every relation that has two sides is written from the other one as well.
const rows = [...owners, ...owners.filter(row => row.back !== undefined).map(row => ({ at: row.back!, back: row.at }))]

t.test('every kind of relation, written from both sides', async t => {
  for (const { at, back } of rows) {
    const [name, attribute, isMany] = at
    await t.test(`${name}.${attribute}`, async t => {
      const kernel = await fill(t)
      const update = (id: number, value: unknown) =>
        repositories(kernel)(name).update(id, { data: { [attribute]: value } })
      const own = (id: number) => linked(kernel, name, id, attribute)
      const other = async (id: number) => (back === undefined ? [] : linked(kernel, back[0], id, back[1]))

      await update(1, isMany ? [3, 4] : 3)
      t.same((await own(1)).sort(), isMany ? [3, 4] : [3])
      t.same(await other(3), back === undefined ? [] : [1], 'seen from the other side')
      await update(2, isMany ? [3] : 3)
      t.same(await own(2), [3])
      const isStolen = back !== undefined && !back[2]
      t.same((await own(1)).includes(3), !isStolen, 'an exclusive target is taken from its former owner')
      t.same((await other(3)).sort(), back === undefined ? [] : isStolen ? [2] : [1, 2])

      await update(2, { disconnect: [3] })
      t.same(await own(2), [])
      t.same(await other(3), back === undefined || isStolen ? [] : [1])
      await update(2, { connect: [5] })
      t.same(await own(2), [5])
      await update(2, { name: 'same' })
      t.same(await own(2), [5], 'an empty change changes nothing')
      await update(2, null)
      t.same(await own(2), [])
      const filters = { [attribute]: { $notNull: true } }
      const left = isStolen && !isMany ? [] : [1]
      t.same(
        (await repositories(kernel)(name).findMany({ filters })).map(entry => entry.id),
        left,
        'and filtered',
      )
    })
  }
})

t.test('forms of a to-many, and the order that they give', async t => {
  const forms: readonly (readonly [sent: unknown, expected: number[]])[] = [
    [undefined, [1, 2, 3]],
    [{}, [1, 2, 3]],
    [{ set: null }, [1, 2, 3]],
    [{ connect: [], disconnect: [] }, [1, 2, 3]],
    [null, []],
    [[], []],
    [{ set: [] }, []],
    [2, [2]],
    ['2', [2]],
    [{ id: '2', name: 'ignored' }, [2]],
    [
      [3, { id: 1 }, '5'],
      [3, 1, 5],
    ],
    [
      [3, 3, 1, '3'],
      [3, 1],
    ],
    [{ set: [{ id: 4 }, 1] }, [4, 1]],
    [{ set: [3], connect: [4], disconnect: [3] }, [3]],
    [{ connect: [4] }, [1, 2, 3, 4]],
    [{ connect: [5, 4] }, [1, 2, 3, 5, 4]],
    [{ connect: [1] }, [2, 3, 1]],
    [{ connect: [{ id: 4, position: { end: true } }] }, [1, 2, 3, 4]],
    [{ connect: [{ id: 4, position: { start: true } }] }, [4, 1, 2, 3]],
    [{ connect: [{ id: 4, position: { before: 2 } }] }, [1, 4, 2, 3]],
    [{ connect: [{ id: 4, position: { after: '2' } }] }, [1, 2, 4, 3]],
    [{ connect: [{ id: 3, position: { before: 1 } }] }, [3, 1, 2]],
    [{ connect: [4, { id: 5, position: { before: 4 } }] }, [1, 2, 3, 5, 4]],
    [{ disconnect: [2] }, [1, 3]],
    [{ disconnect: [{ id: 2 }, 5] }, [1, 3]],
    [{ disconnect: [1, 2], connect: [{ id: 4, position: { before: 3 } }] }, [4, 3]],
    [{ disconnect: [3], connect: [3] }, [1, 2, 3]],
  ]
  const kernel = await fill(t)
  const lists = 'item.manyWay item.loose item.tags part.tagged part.members item.children item.befriended'
  for (const at of lists.split(' ')) {
    const [name, attribute] = at.split('.') as [string, string]
    const repository = repositories(kernel)(name)
    for (const [sent, expected] of forms) {
      await repository.update(4, { data: { [attribute]: [1, 2, 3] } })
      await repository.update(4, { data: { [attribute]: sent } })
      t.same(await linked(kernel, name, 4, attribute), expected, `${attribute}: ${JSON.stringify(sent)}`)
    }
    const reversed = await repository.findOne(4, { populate: { [attribute]: { ordering: 'desc' } } })
    t.same(
      (reversed![attribute] as Entry[]).map(entry => entry.id),
      [3, 2, 1],
    )
    const connect = [3, { id: 5, position: { before: 3 } }]
    const { id } = await repository.create({ data: { [attribute]: { connect } } })
    t.same(await linked(kernel, name, id, attribute), [5, 3], 'positions on create')
  }
})

t.test('forms of a to-one', async t => {
  const kernel = await fill(t)
  const forms: readonly (readonly [sent: unknown, expected: number[]])[] = [
    [{}, [1]],
    [{ set: null }, [1]],
    [{ connect: [] }, [1]],
    [{ id: 2 }, [2]],
    [[2], [2]],
    [{ set: [2] }, [2]],
    [{ connect: [2] }, [2]],
    [{ connect: [2, 3] }, [3]],
    [{ disconnect: [1] }, []],
    [{ disconnect: [2] }, [1]],
    [{ disconnect: [1], connect: [2] }, [2]],
    [[], []],
    [null, []],
  ]
  for (const attribute of ['oneWay', 'plain', 'twin', 'group', 'plainColumn', 'cell', 'shelf']) {
    for (const [sent, expected] of forms) {
      await repositories(kernel)('item').update(4, { data: { [attribute]: 1 } })
      await repositories(kernel)('item').update(4, { data: { [attribute]: sent } })
      t.same(await linked(kernel, 'item', 4, attribute), expected, `${attribute}: ${JSON.stringify(sent)}`)
    }
  }
})

t.test('refused writes change nothing', async t => {
  const missing = (count: number) =>
    `${count} relation(s) of type api::part.part associated with this entity do not exist`
  const unplaced = (position: string) =>
    `There was a problem connecting relation with id 2 at position ${position}. The relation with id 99 needs to be connected first.`
  const whole = (message: string) => ({ errors: [{ path: [], message, name: 'ValidationError' }] })
  const refusals: readonly (readonly [sent: unknown, message: string, details: unknown])[] = [
    [99, missing(1), whole(missing(1))],
    [[1, 98, 99, '99'], missing(2), whole(missing(2))],
    [{ connect: [98] }, missing(1), whole(missing(1))],
    ['abc', missing(1), whole(missing(1))],
    [[-1], missing(1), whole(missing(1))],
    [[{ name: 'x' }], 'Invalid relations', whole('Invalid relations')],
    [[null], 'Invalid relations', whole('Invalid relations')],
    [{ connect: 2 }, 'Invalid relations', whole('Invalid relations')],
    [{ set: 2 }, 'Invalid relations', whole('Invalid relations')],
    [{ connect: [{ id: 2, position: { before: 99 } }] }, unplaced('{"before":99}'), {}],
    [{ connect: [{ id: 2, position: { after: 99 } }] }, unplaced('{"after":99}'), {}],
    [
      { connect: [2, 2] },
      'The relation with id 2 is already connected. You cannot connect the same relation twice.',
      {},
    ],
  ]
  const kernel = await fill(t)
  const items = repositories(kernel)('item')
  await items.update(1, { data: { tags: [1, 3] } })
  for (const [sent, message, details] of refusals) {
    const error = await thrown(t, () => items.update(1, { data: { name: 'changed', tags: sent } }))
    t.match(error, { name: 'ValidationError', status: 400, message }, JSON.stringify(sent))
    t.same(error.details, details)
  }
  t.equal((await items.findOne(1))?.name, 'item1')
  t.same(await linked(kernel, 'item', 1, 'tags'), [1, 3])
  const links = await raw(kernel, 'SELECT part_order FROM items_tags_links')
  t.same(
    links.map(one => one.part_order),
    [1, 2],
  )
})

t.test('a creation with unknown ids writes nothing', async t => {
  const kernel = await fill(t)
  const items = repositories(kernel)('item')
  const { id: last } = await items.create({ data: { name: 'before', tags: [1] } })
  const message = '2 relation(s) of type api::part.part associated with this entity do not exist'
  for (const tags of [[98, 1, 99], { connect: [98, 99] }]) {
    const error = await thrown(t, () => items.create({ data: { name: 'refused', tags, oneWay: 1 } }))
    t.match(error, { name: 'ValidationError', status: 400, message }, JSON.stringify(tags))
  }
  const made = await items.create({ data: { name: 'after', tags: [2, 1], oneWay: 1 } })
  // On servers foreign keys refuse it, which uses an id each time.
  t.equal(made.id, Number(last) + (client() === 'sqlite' ? 1 : 3))
  t.same(await linked(kernel, 'item', Number(made.id), 'tags'), [2, 1])
})

t.test('a deletion empties the columns that refer to the entry', async t => {
  const author = { type: 'relation', relation: 'manyToOne', target: uid('person'), useJoinTable: false }
  const kernel = await boot(t, { contentTypes: [type('person', {}), type('article', { author })] })
  const of = repositories(kernel)
  const person = await of('person').create({ data: {} })
  await of('article').create({ data: { author: person.id } })
  await of('person').delete(person.id)
  t.match(await raw(kernel, 'SELECT author_id FROM articles'), [{ author_id: null }])
  t.equal(await of('article').count({ filters: { author: { $null: true } } }), 1)
  t.equal(await of('article').count({ filters: { author: { $notNull: true } } }), 0)
})

t.test('both sides of a relation of a type with itself, in one write', async t => {
  const person = type('person', {
    children: { type: 'relation', relation: 'oneToMany', target: uid('person'), mappedBy: 'parent' },
    parent: { type: 'relation', relation: 'manyToOne', target: uid('person'), inversedBy: 'children' },
  })
  const kernel = await boot(t, { contentTypes: [person] })
  const of = repositories(kernel)('person')
  for (let i = 0; i < 4; i++) await of.create({ data: {} })
  await of.update(2, { data: { children: [3, 4], parent: 2 } })
  const found = await of.findOne(2, { populate: ['children', 'parent'] })
  t.match(found, { children: [{ id: 3 }, { id: 4 }, { id: 2 }], parent: { id: 2 } })
})
