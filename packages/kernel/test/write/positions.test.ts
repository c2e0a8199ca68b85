// Positions of connected entries that refer to each other: the order is v4's for every list of links, on each database.

import { fresh, onEach } from '@plinth/test-tools/on-each'
import t, { type Test } from 'tap'
import { createKernel, type Entry, type Kernel, ValidationError } from '../../src/index.ts'
import { arrange } from '../../src/write/order.ts'
import { component, repositories, thrown, type, uid } from '../fixtures/boot.ts'

const to = (relation: string, target: string, more = {}) => ({
  type: 'relation',
  relation,
  target: uid(target),
  ...more,
})
const contentTypes = [
  type('word', {
    loose: to('oneToMany', 'tag'),
    tags: to('manyToMany', 'tag', { inversedBy: 'words' }),
    owned: to('oneToMany', 'tag', { mappedBy: 'owner' }),
    any: { type: 'relation', relation: 'morphToMany' },
    part: { type: 'component', component: 'a.part' },
    one: to('manyToOne', 'tag'),
  }),
  type('tag', {
    name: { type: 'string' },
    words: to('manyToMany', 'word', { mappedBy: 'tags' }),
    owner: to('manyToOne', 'word', { inversedBy: 'owned' }),
    seen: to('morphMany', 'word', { morphBy: 'any' }),
  }),
]
const components = { 'a.part': component('a.part', { tags: to('manyToMany', 'tag') }) }

type Value = Record<string, unknown> | readonly unknown[]

/** A list of links: where it is, and how its ids are sent. */
interface List {
  readonly name: string
  readonly wrap: (value: Value, part: number | null) => object
  readonly read: (entry: Entry) => Entry[]
  readonly item?: (id: number) => object
}
const plain = (attribute: string, item?: List['item']) => ({
  wrap: (value: Value) => ({ [attribute]: value }),
  read: (entry: Entry) => entry[attribute] as Entry[],
  ...(item === undefined ? {} : { item }),
})
const lists: Readonly<Record<string, List>> = {
  'one to many': { name: 'word', ...plain('loose') },
  'many to many': { name: 'word', ...plain('tags') },
  'many to many, the other side': { name: 'tag', ...plain('words') },
  'one to many with an owner': { name: 'word', ...plain('owned') },
  'of any type': { name: 'word', ...plain('any', id => ({ id, __type: uid('tag') })) },
  'of any type, the other side': { name: 'tag', ...plain('seen') },
  'in a component': {
    name: 'word',
    wrap: (value, id) => ({ part: { ...(id === null ? {} : { id }), tags: value } }),
    read: entry => (entry.part as Entry).tags as Entry[],
  },
}
const populate = { loose: true, tags: true, words: true, owned: true, any: true, seen: true, part: { populate: '*' } }

/** `2 before 1, 3 start` as the items of a `connect`. */
function itemsOf(connect: string, item: (id: number) => object): object[] {
  return connect.split(', ').map(text => {
    const [id, where, neighbour] = text.split(' ') as [string, string?, string?]
    if (where === undefined) return item(Number(id))
    return { ...item(Number(id)), position: { [where]: neighbour === undefined ? true : Number(neighbour) } }
  })
}

const idsOf = (text: string) => (text === '' ? [] : text.split(',').map(Number))

const circular =
  'A circular reference was found in the connect array. One relation is trying to connect before/after another one that is trying to connect before/after it'
const unplaced = (id: number, where: string, neighbour: number) =>
  `There was a problem connecting relation with id ${id} at position {"${where}":${neighbour}}. The relation with id ${neighbour} needs to be connected first.`
const again = (id: number) =>
  `The relation with id ${id} is already connected. You cannot connect the same relation twice.`

/** Links before, items connected, links afterwards or the message of the refusal, and what else is sent. */
type Case = readonly [
  before: string,
  connect: string,
  after: string,
  more?: { readonly disconnect?: readonly number[]; readonly options?: unknown },
]
const loose = { options: { strict: false } }
const cases: readonly Case[] = [
  ['1,2', '1 before 2, 2 start', '2,1'],
  ['1,2', '1 before 2, 2 start, 3 end', '2,1,3'],
  ['1,2', '1 before 2, 2 end', '1,2'],
  ['1,2', '1 after 2, 2 end', '1,2'],
  ['1,2', '3 before 1, 1 end', '3,2,1'],
  ['1,2', '1 before 2, 2 before 1', '2,1'],
  ['', '1 before 2, 2 start', '1,2'],
  ['', '1 after 2, 2 end', '2,1'],
  ['', '3 before 1, 1 end', '3,1'],
  ['', '1 before 2, 2 before 1', circular],
  // As a list that is dragged and dropped sends them.
  ['1,2,3', '1 after 2, 2 after 3', '1,3,2'],
  ['1,2,3,4', '4 start, 1 after 4, 3 before 1', '4,3,1,2'],
  ['1', '5 before 1, 1 before 2, 2 end, 3 after 1', '5,1,3,2'],
  ['5', '1 after 2, 2 after 3, 3 before 4, 4 start', '3,2,1,4,5'],
  ['', '4 before 3, 3 after 2, 2 end, 1 start', '1,2,4,3'],
  ['1,2', '3 before 2, 4 before 2, 5 after 3', '1,3,5,4,2'],
  ['1,2,3', '2, 4 after 2, 1 after 4', '3,2,4,1'],
  ['1', '3 after 1, 1 after 3', '3,1'],
  ['1,2', '1 before 2, 2 end', '1,2', { disconnect: [2] }],
  ['1,2,3', '4 after 3', '2,3,4', { disconnect: [1] }],
  // Refused: circles, and neighbours that are neither linked nor connected.
  ['', '1 after 1', circular],
  ['5', '2 after 1, 3 after 1, 1 after 3', circular],
  ['5', '1 after 2, 2 before 3, 3 before 1, 4 start', circular],
  ['1', '1 after 3, 3 after 1', circular],
  ['1,2', '1 before 1', unplaced(1, 'before', 1)],
  ['1,2', '3 before 4', unplaced(3, 'before', 4)],
  ['1,2', '4 after 3, 3 after 5', unplaced(3, 'after', 5)],
  ['1,2', '3 before 2', unplaced(3, 'before', 2), { disconnect: [2] }],
  ['1', '3 after 4, 4 end, 3', again(3)],
  // Without `strict` an entry whose neighbour is missing goes to the end.
  ['1', '2 after 3', '1,2', loose],
  ['1', '2 before 3, 4 start', '4,1,2', loose],
  ['1', '2 before 3, 4 before 2, 5 after 99', '1,4,2,5', loose],
  ['', '2 before 3, 1 before 2', '1,2', loose],
  ['', '1 before 2, 2 after 1', circular, loose],
  ['1', '2, 2', again(2), loose],
  ['1', '2 after 3', unplaced(2, 'after', 3), { options: { strict: true } }],
  ['1', '2 after 3', unplaced(2, 'after', 3), { options: {} }],
  ['1', '2 after 3', unplaced(2, 'after', 3), { options: null }],
]

await onEach('positions that refer to each other', async t => {
  const { config: database } = await fresh(t)
  const kernel = await createKernel({ database, contentTypes, components })
  t.teardown(() => kernel.close())
  const of = repositories(kernel)
  for (const name of ['word', 'tag']) for (let i = 1; i <= 6; i++) await of(name).create({ data: {} })
  for (const [title, list] of Object.entries(lists)) for (const one of cases) await check(t, kernel, title, list, one)
})

async function check(t: Test, kernel: Kernel, title: string, list: List, one: Case): Promise<void> {
  const [before, connect, after, { disconnect, ...more } = {}] = one
  const entries = repositories(kernel)(list.name)
  const item = list.item ?? (id => ({ id }))
  const says = `${title}: ${JSON.stringify(one)}`
  const isRefused = after.includes(' ')
  const read = async (id: number) => {
    const entry = (await entries.findOne(id, { populate }))!
    return { ids: list.read(entry).map(link => link.id), part: (entry.part as Entry | null)?.id ?? null }
  }
  const change = { connect: itemsOf(connect, item), disconnect: disconnect?.map(item) ?? [], ...more }
  const { id } = await entries.create({ data: list.wrap([], null) })
  await entries.update(id, { data: list.wrap(idsOf(before).map(item), (await read(id)).part) })
  const update = async () => entries.update(id, { data: list.wrap(change, (await read(id)).part) })
  if (isRefused) t.match(await thrown(t, update), { constructor: ValidationError, message: after }, says)
  else await update()
  t.same((await read(id)).ids, idsOf(isRefused ? before : after), says)
  if (before !== '') return
  const create = () => entries.create({ data: list.wrap(change, null) })
  if (isRefused) t.match(await thrown(t, create), { message: after }, `${says}, on create`)
  else t.same((await read((await create()).id)).ids, idsOf(after), `${says}, on create`)
}

await onEach('a relation to one entry has no positions', async t => {
  const { config: database } = await fresh(t)
  const kernel = await createKernel({ database, contentTypes, components })
  t.teardown(() => kernel.close())
  const of = repositories(kernel)
  for (let i = 1; i <= 3; i++) await of('tag').create({ data: {} })
  const { id } = await of('word').create({ data: { one: { connect: [{ id: 1, position: { after: 9 } }] } } })
  const one = async () => (await of('word').findOne(id, { populate: ['one'] }))!.one
  t.match(await one(), { id: 1 })
  await of('word').update(id, { data: { one: { connect: [{ id: 3, position: { before: 2 } }, { id: 2 }] } } })
  t.match(await one(), { id: 2 })
})

t.test('a long chain of neighbours is placed', async t => {
  const count = 30_000
  const ids = Array.from({ length: count }, (_, i) => i + 1)
  const chain = ids.map(id => ({
    ref: { id, type: null },
    position: id < count ? { after: id + 1 } : ('end' as const),
  }))
  const change = { kind: 'patch', connect: chain, disconnect: [], strict: true } as const
  t.same(arrange([], change), ids.toReversed())
  t.same(arrange(ids, { ...change, connect: chain.toReversed() }).length, count)
  const circle = [...chain.slice(0, -1), { ref: { id: count, type: null }, position: { after: 1 } }]
  t.throws(() => arrange([], { ...change, connect: circle }), { message: circular })
})

t.test('an entry that is linked twice, as an old database may have it, is one item', async t => {
  const connect = [{ ref: { id: 3, type: null }, position: { after: 1 } }]
  t.same(arrange([1, 2, 1], { kind: 'patch', connect, disconnect: [], strict: true }), [1, 3, 2])
})
