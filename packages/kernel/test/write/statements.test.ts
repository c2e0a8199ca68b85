// The statements of every kind of write, in order and with their values, as they are stored for each database in
// fixtures/write-statements. `SNAPSHOTS=write` stores them again.

import { fresh, onEach } from '@plinth/test-tools/on-each'
import { createKernel, type Kernel } from '../../src/index.ts'
import { component, repositories, type, uid } from '../fixtures/boot.ts'
import { matchStored, record } from '../fixtures/statements.ts'

const to = (relation: string, target: string, more: object = {}) => ({
  type: 'relation',
  relation,
  target: uid(target),
  ...more,
})
const name = { type: 'string' }

const components = {
  'a.leaf': component('a.leaf', {
    label: { type: 'string' },
    code: { type: 'string', unique: true },
    tag: to('oneToOne', 'tag'),
    tags: to('oneToMany', 'tag'),
  }),
  'a.branch': component('a.branch', {
    title: { type: 'string' },
    leaf: { type: 'component', component: 'a.leaf' },
    leaves: { type: 'component', component: 'a.leaf', repeatable: true },
  }),
  'a.bare': component('a.bare', { tags: to('oneToMany', 'tag') }),
}

const contentTypes = [
  type('tag', { name }),
  type('author', { name, articles: to('oneToMany', 'article', { mappedBy: 'author' }) }),
  type(
    'category',
    { name, articles: to('manyToMany', 'article', { mappedBy: 'categories' }) },
    {
      info: { singularName: 'category', pluralName: 'categories', displayName: 'category' },
      collectionName: 'categories',
    },
  ),
  type('article', {
    title: { type: 'string' },
    slug: { type: 'string', unique: true },
    views: { type: 'biginteger' },
    rating: { type: 'float' },
    isOpen: { type: 'boolean' },
    on: { type: 'date' },
    at: { type: 'datetime' },
    extra: { type: 'json' },
    author: to('manyToOne', 'author', { inversedBy: 'articles' }),
    categories: to('manyToMany', 'category', { inversedBy: 'articles' }),
    tags: to('oneToMany', 'tag'),
    main: to('oneToOne', 'tag'),
  }),
  type('seat', {
    name,
    owner: to('oneToOne', 'guest', { inversedBy: 'seat' }),
    room: to('manyToOne', 'room', { useJoinTable: false, inversedBy: 'seats' }),
    lamp: to('oneToOne', 'lamp', { useJoinTable: false, inversedBy: 'seat' }),
    tag: to('manyToOne', 'tag', { useJoinTable: false }),
  }),
  type('guest', { name, seat: to('oneToOne', 'seat', { mappedBy: 'owner' }) }),
  type('room', { name, seats: to('oneToMany', 'seat', { mappedBy: 'room' }) }),
  type('lamp', { name, seat: to('oneToOne', 'seat', { mappedBy: 'lamp' }) }),
  type('note', {
    text: { type: 'string' },
    about: { type: 'relation', relation: 'morphToOne' },
    mentions: { type: 'relation', relation: 'morphToMany' },
  }),
  type('person', {
    name,
    note: to('morphOne', 'note', { morphBy: 'about' }),
    notes: to('morphMany', 'note', { morphBy: 'mentions' }),
  }),
  type('page', {
    title: { type: 'string' },
    single: { type: 'component', component: 'a.leaf' },
    list: { type: 'component', component: 'a.leaf', repeatable: true },
    tree: { type: 'component', component: 'a.branch' },
    zone: { type: 'dynamiczone', components: ['a.leaf', 'a.branch', 'a.bare'] },
  }),
  type('empty', { tags: to('oneToMany', 'tag') }),
  type('home', { title: { type: 'string' }, tags: to('oneToMany', 'tag') }, { kind: 'singleType' }),
  type('watched', { title: { type: 'string' }, tag: to('oneToOne', 'tag') }),
  type('read', { title: { type: 'string' }, slug: { type: 'string', unique: true } }),
]

type Step = (of: ReturnType<typeof repositories>, kernel: Kernel) => Promise<unknown>

const person = { id: 1, __type: uid('person') }
const other = { id: 2, __type: uid('person') }
const tag = { id: 3, __type: uid('tag') }
const leaf = (label: string, more: object = {}) => ({ label, ...more })
const many = Array.from({ length: 40 }, (_, i) => i + 1)

/** Run one after the other on one database: later ones find what earlier ones wrote. */
const steps: Readonly<Record<string, Step>> = {
  'an entry without links': of => of('tag').create({ data: { name: 'x' } }),
  'every storage': of =>
    of('article').create({
      data: {
        ...{ title: 'a', slug: 'a', views: '12', rating: 1.5, isOpen: true, on: '2024-01-31' },
        ...{ at: '2024-01-31T12:00:00.000Z', extra: { a: [1] } },
      },
    }),
  'no values': of => of('empty').create({ data: {} }),
  'no values, but links': of => of('empty').create({ data: { tags: [1, 2] } }),
  'links without a unique value': of => of('article').create({ data: { title: 'b', author: 1, categories: [2, 1] } }),
  'links to entries that are missing': of => of('article').create({ data: { author: 99, categories: [1, 98, 97] } }),
  'links and a unique value': of => of('article').create({ data: { slug: 'c', author: 2, tags: [1, 2], main: 3 } }),
  'a unique value that is taken': of => of('article').create({ data: { slug: 'c', author: 99 } }),
  'the other side of links': of => of('category').create({ data: { name: 'x', articles: [2, 1] } }),
  'entries taken from another': of => of('author').create({ data: { name: 'x', articles: [2, 3] } }),
  'more links than one statement takes': of => of('category').create({ data: { articles: [1, 2, 3], name: 'y' } }),
  'links to many': of => of('article').create({ data: { tags: many } }),
  'links to many that keep an order of their own': of =>
    of('article').create({ data: { categories: many.slice(0, 34) } }),
  'an answer with fields': of => of('article').create({ data: { title: 'd' }, fields: ['title', 'views'] }),
  'an answer with a relation': of => of('article').create({ data: { title: 'e', tags: [1] }, populate: ['tags'] }),

  'an update of columns': of => of('article').update(1, { data: { title: 'a2', views: 3 } }),
  'an update of columns, answered by fields': of =>
    of('article').update(1, { data: { title: 'a3' }, fields: ['title'] }),
  'an update of no column': of => of('tag').update(1, { data: {} }),
  'an update of an entry that is missing': of => of('article').update(999, { data: { title: 'x' } }),
  'an update of a unique value': of => of('article').update(1, { data: { slug: 'a4' } }),
  'an update to a unique value that is taken': of => of('article').update(1, { data: { slug: 'c' } }),
  'links replaced': of => of('article').update(2, { data: { categories: [3, 2], tags: [2, 1] } }),
  'links removed': of => of('article').update(2, { data: { tags: [] } }),
  'links connected and disconnected': of =>
    of('article').update(2, {
      data: { categories: { connect: [{ id: 4, position: { before: 2 } }, 5], disconnect: [3] } },
    }),
  'links connected on the other side': of => of('category').update(2, { data: { articles: { connect: [3] } } }),
  'an entry taken by an update': of => of('author').update(1, { data: { articles: { connect: [3] } } }),
  'one to one, taken': of => of('seat').create({ data: { name: 'a', owner: 1 } }),
  'one to one, taken from another': of => of('seat').create({ data: { name: 'b', owner: 1 } }),
  'one to one by the other side': of => of('guest').update(2, { data: { seat: 2 } }),
  'links to entries that are missing, by an update': of => of('article').update(2, { data: { tags: [1, 99] } }),

  'columns of keys': of => of('seat').create({ data: { room: 1, lamp: 1, tag: 1 } }),
  'columns of keys, taken from another': of => of('seat').update(1, { data: { room: 1, lamp: 1, tag: null } }),
  'columns of keys by the other side': of => of('room').update(2, { data: { seats: [1, 2] } }),
  'columns of keys, connected by the other side': of =>
    of('room').update(2, { data: { seats: { connect: [3], disconnect: [1] } } }),
  'a column of a key by the other side of one': of => of('lamp').update(2, { data: { seat: 2 } }),

  'polymorphic links of a new entry': of =>
    of('note').create({ data: { text: 'a', about: person, mentions: [other, tag] } }),
  'polymorphic links replaced': of => of('note').update(1, { data: { about: other, mentions: [tag, person] } }),
  'polymorphic links connected and disconnected': of =>
    of('note').update(1, {
      data: { about: { disconnect: [other] }, mentions: { connect: [other], disconnect: [tag] } },
    }),
  'polymorphic links of none': of => of('note').update(1, { data: { about: null, mentions: [] } }),
  'a second entry with polymorphic links': of => of('note').create({ data: { text: 'b', mentions: [person] } }),
  'polymorphic links by the other side': of => of('person').create({ data: { name: 'x', note: 1, notes: [2, 1] } }),
  'polymorphic links by the other side, replaced': of => of('person').update(1, { data: { note: null, notes: [2] } }),
  'polymorphic links to entries that are missing': of => of('note').create({ data: { about: { ...person, id: 99 } } }),

  'components of a new entry': of =>
    of('page').create({
      data: {
        title: 'a',
        single: leaf('one', { code: 'x', tag: 1 }),
        list: [leaf('two', { tags: [1, 2] }), leaf('three')],
        tree: { title: 't', leaf: leaf('four'), leaves: [leaf('five'), leaf('six', { tag: 2 })] },
        zone: [
          { __component: 'a.leaf', label: 'seven' },
          { __component: 'a.branch', title: 'eight', leaf: leaf('nine') },
        ],
      },
    }),
  'components changed in place': of =>
    of('page').update(1, {
      data: { single: { id: 1, label: 'changed', tag: 3 }, list: [{ id: 3, label: 'first' }, leaf('new'), { id: 2 }] },
    }),
  'components replaced': of =>
    of('page').update(1, {
      data: { single: leaf('else', { code: 'y' }), tree: null, zone: [{ __component: 'a.leaf' }] },
    }),
  'a component without columns': of => of('page').create({ data: { zone: [{ __component: 'a.bare', tags: [1] }] } }),
  'a component of another entry': of => of('page').create({ data: { single: { id: 1, label: 'x' } } }),
  'a unique value of a component that is taken': of =>
    of('page').create({ data: { single: leaf('x', { code: 'y' }) } }),

  'a single type made': of => of('home').create({ data: { title: 'a', tags: [1] } }),
  'a single type made twice': of => of('home').create({ data: { title: 'b' } }),
  'a single type changed': of => of('home').update(1, { data: { title: 'c' } }),
  'an entry that hooks of writes observe': of => of('watched').create({ data: { title: 'a', tag: 1 } }),
  'an update that hooks of writes observe': of => of('watched').update(1, { data: { title: 'b' } }),
  'an entry that hooks read first': of => of('read').create({ data: { title: 'a' } }),
  'an update that hooks read first': of => of('read').update(1, { data: { title: 'b' } }),
  'an update of a unique value that hooks read first': of => of('read').update(1, { data: { slug: 'b' } }),

  'several writes in one transaction': (of, kernel) =>
    kernel.transaction(async () => {
      const { id } = await of('article').create({ data: { title: 'f', categories: [1] } })
      await of('category').update(1, { data: { articles: { connect: [1] } } })
      await of('article').update(id as number, { data: { title: 'g' } })
    }),

  'an entry deleted': of => of('tag').delete(1),
  'an entry with links deleted': of => of('article').delete(2),
  'an entry that key columns name deleted': of => of('room').delete(1),
  'an entry with polymorphic links deleted': of => of('person').delete(1),
  'an entry with components deleted': of => of('page').delete(1),
  'an entry that is missing deleted': of => of('tag').delete(999),
  'a single type deleted': of => of('home').delete(1),
  'an entry that hooks read first deleted': of => of('read').delete(1),
}

/** Hooks of two types: what they observe and read changes which statements run. */
function listen(kernel: Kernel): void {
  const isOf = (name: string) => ({ for: (one: { uid: string }) => one.uid === uid(name) })
  kernel.hooks.on('onWrite', isOf('watched'), async write => void (await write.after()))
  kernel.hooks.on('preWrite', isOf('read'), async write => void (await write.before()))
}

await onEach('statements of writes', async (t, client) => {
  const { config: database } = await fresh(t)
  const kernel = await createKernel({ database, contentTypes, components, configure: listen })
  t.teardown(() => kernel.close())
  const of = repositories(kernel)
  for (let i = 0; i < 40; i++) await of('tag').create({ data: { name: `tag ${i}` } })
  for (let i = 0; i < 34; i++) await of('category').create({ data: { name: `category ${i}` } })
  for (const one of ['author', 'guest', 'room', 'lamp', 'person'])
    for (let i = 0; i < 3; i++) await of(one).create({ data: { name: `${one} ${i}` } })
  const isMysql = client === 'mysql' && !kernel.database.dialect.returns.insert
  if (isMysql) return void t.pass('MySQL gives no row back; stored are the statements of MariaDB')
  const recording = record(t)
  const sections: string[] = []
  for (const [title, step] of Object.entries(steps)) {
    recording.take()
    const refusal = await step(of, kernel).then(
      result => (result === null ? ['null'] : []),
      (error: Error) => [`throws ${error.name}: ${error.message}`],
    )
    sections.push([`# ${title}`, ...recording.take(), ...refusal, ''].join('\n'))
  }
  await matchStored(t, client === 'mysql' ? 'mariadb' : client, sections.join('\n'))
})
