// The rows that a query fetches: which are counted, what more than the limit leads to, and for how many parents a statement
// runs. Read on each database, because the limit stands in the statements.

import t from 'tap'
import {
  type Context,
  createContext,
  type Entry,
  type Kernel,
  type LifecycleEvent,
  openAccess,
  type Params,
} from '../../src/index.ts'
import { toEntries } from '../../src/result/rows.ts'
import { RowCount } from '../../src/row-count.ts'
import { boot, component, thrown, type, uid } from '../fixtures/boot.ts'

const many = (name: string) => ({ type: 'relation', relation: 'manyToMany', target: uid(name) })

const contentTypes = [
  type('tag', { label: { type: 'string' }, tags: many('tag') }),
  type('page', {
    title: { type: 'string' },
    parent: { type: 'relation', relation: 'manyToOne', target: uid('page'), inversedBy: 'children' },
    children: { type: 'relation', relation: 'oneToMany', target: uid('page'), mappedBy: 'parent' },
    tags: many('tag'),
    seo: { type: 'component', component: 'a.seo' },
    cards: { type: 'component', component: 'a.card', repeatable: true },
    zone: { type: 'dynamiczone', components: ['a.card', 'a.seo'] },
    about: { type: 'relation', relation: 'morphToOne' },
    all: { type: 'relation', relation: 'morphToMany' },
  }),
]
const components = {
  'a.card': component('a.card', { text: { type: 'string' }, tags: many('tag') }),
  'a.seo': component('a.seo', { text: { type: 'string' } }),
}
const caller = createContext(openAccess)
const pagination = { defaultLimit: 25, maxLimit: null, withCount: true }
const endless = 1e9

/** What is thrown for `rows` rows or more, and a limit of `maxRows`. */
const refusal = (rows: number, maxRows: number) => ({
  name: 'ValidationError',
  status: 400,
  message: new RegExp(`^Query too expensive: it fetches at least ${rows} rows, but the limit is ${maxRows}; request a`),
  details: { rows, maxRows },
})

/** A count that also knows the rows of a read that was refused. */
class FetchedRows extends RowCount {
  fetched = 0

  override add(rows: number): void {
    this.fetched += rows
    super.add(rows)
  }
}

/** Reads pages, and counts the rows with `rowCount`. */
async function read(kernel: Kernel, params: Params, rowCount: RowCount): Promise<Entry[]> {
  const context: Context = { ...caller, rowCount }
  const request = { uid: uid('page'), action: 'find', params: { sort: 'id', ...params }, pagination } as const
  const { rows } = await kernel.reader.read(request, context)
  return toEntries(rows)
}

interface Seed {
  readonly pages: number
  readonly tags: number
}

/** Pages with their tags; the first two pages have everything else, too. */
async function seed(kernel: Kernel, { pages, tags }: Seed) {
  const ids: number[] = []
  for (let i = 0; i < tags; i++)
    ids.push((await kernel.query(uid('tag')).create({ data: { label: `t${i}`, tags: ids.slice(0, 2) } })).id)
  const card = { text: 'c', tags: ids.slice(0, 3) }
  const rich = {
    seo: { text: 's' },
    cards: [card, card, { text: 'd' }],
    zone: [
      { __component: 'a.seo', text: 'z' },
      { __component: 'a.card', ...card },
      { __component: 'a.seo', text: 'y' },
    ],
    about: { __type: uid('tag'), id: ids[0] },
    all: ids.slice(0, 2).map(id => ({ __type: uid('tag'), id })),
  }
  let parent: number | null = null
  for (let i = 0; i < pages; i++) {
    const data = { title: `p${i}`, tags: ids, parent, ...(i < 2 && tags > 0 ? rich : {}) }
    const { id } = await kernel.query(uid('page')).create({ data })
    parent ??= id
  }
  return ids
}

t.test('what is counted, at exactly the limit and one row above', async t => {
  const kernel = await boot(t, { contentTypes, components, maxRows: endless })
  await seed(kernel, { pages: 3, tags: 4 })
  // Three pages with four tags each. Tag 0 has no tags, tag 1 has one, and the others have two.
  const tagsOfTags = 0 + 1 + 2 + 2
  const cases: [name: string, params: Params, rows: number][] = [
    ['the page', {}, 3],
    ['a part of the page', { pagination: { limit: 2 } }, 2],
    ['no total', { pagination: { page: 1, pageSize: 2 } }, 2],
    ['a list without an end', { pagination: { limit: -1 } }, 3],
    ['a relation to one', { populate: 'parent' }, 3 + 2],
    ['the other side', { populate: 'children' }, 3 + 2],
    ['a relation to many', { populate: 'tags' }, 3 + 12],
    ['its page', { populate: { tags: { limit: 3 } } }, 3 + 9],
    ['its page further back', { populate: { tags: { start: 3, limit: 3 } } }, 3 + 3],
    ['its page without an end', { populate: { tags: { start: 1, limit: -1 } } }, 3 + 9],
    ['none of it', { populate: { tags: { limit: 0 } } }, 3],
    ['what a filter leaves', { populate: { tags: { filters: { label: 't1' } } } }, 3 + 3],
    ['in an order of its own', { populate: { tags: { sort: 'label:desc' } } }, 3 + 12],
    ['a number for each', { populate: { tags: { count: true } } }, 3 + 3],
    // Each entry of a level is asked for once, whatever it belongs to.
    ['two levels', { populate: { tags: { populate: 'tags' } } }, 3 + 12 + tagsOfTags],
    ['a component', { populate: 'seo' }, 3 + 2],
    ['components', { populate: 'cards' }, 3 + 6],
    ['their page', { populate: { cards: { limit: 1 } } }, 3 + 2],
    ['lists within components', { populate: { cards: { populate: 'tags' } } }, 3 + 6 + 12],
    ['a zone', { populate: 'zone' }, 3 + 6],
    ['a zone is cut after it was fetched', { populate: { zone: { limit: 1 } } }, 3 + 6],
    ['lists within a zone', { populate: { zone: { populate: '*' } } }, 3 + 6 + 6],
    ['a polymorphic relation to one', { populate: 'about' }, 3 + 2],
    ['a polymorphic relation to many', { populate: 'all' }, 3 + 4],
    ['lists below it', { populate: { all: { populate: '*' } } }, 3 + 4 + 1],
    ['several', { populate: ['tags', 'cards', 'zone'] }, 3 + 12 + 6 + 6],
  ]
  for (const [name, params, rows] of cases) {
    const rowCount = new RowCount(endless)
    const all = await read(kernel, params, rowCount)
    t.equal(rowCount.rows, rows, name)
    t.same(await read(kernel, params, new RowCount(rows)), all, `${name}: exactly at the limit`)
    t.match(await thrown(t, () => read(kernel, params, new RowCount(rows - 1))), refusal(rows, rows - 1), name)
  }
})

t.test('whatever the limit, the entries are the same, or it is exceeded', async t => {
  const kernel = await boot(t, { contentTypes, components, maxRows: endless })
  await seed(kernel, { pages: 6, tags: 5 })
  const populate = {
    tags: { limit: 4, populate: { tags: { limit: 1 } } },
    cards: { populate: '*' },
    zone: { populate: '*' },
  }
  const params = { populate: { ...populate, children: { populate: { tags: true } }, all: true, seo: true } }
  const whole = new RowCount(endless)
  const all = await read(kernel, params, whole)
  for (let limit = 1; limit < whole.rows; limit += 7) {
    const rowCount = new FetchedRows(limit)
    t.match(await thrown(t, () => read(kernel, params, rowCount)), refusal(limit + 1, limit))
    t.ok(rowCount.fetched <= limit + 30, 'reading ends with the first rows beyond the limit', rowCount)
  }
  for (let limit = whole.rows; limit < 12 * whole.rows; limit += 37)
    t.same(await read(kernel, params, new RowCount(limit)), all, `a limit of ${limit}`)
})

t.test('a statement returns at most one row beyond the limit', async t => {
  const kernel = await boot(t, { contentTypes, components, maxRows: 20 })
  await seed(kernel, { pages: 1, tags: 60 })
  const pages = kernel.query(uid('page'), caller)
  t.match(await thrown(t, () => pages.findMany({ populate: 'tags' })), refusal(21, 20))
  t.match(await thrown(t, () => pages.findMany({ populate: { tags: { limit: 50 } } })), refusal(21, 20))
  t.match(await thrown(t, () => pages.findMany({ populate: { tags: { start: 3, limit: -1 } } })), refusal(21, 20))
  const tags = kernel.query(uid('tag'), caller)
  t.match(await thrown(t, () => tags.findMany()), refusal(21, 20), 'without a page')
  t.match(await thrown(t, () => tags.findPage({ pagination: { limit: 50 } })), refusal(21, 20))
  t.equal((await tags.findPage({ pagination: { limit: 20 } })).pagination.total, 60, 'the total is not a row')
  t.equal(
    (await kernel.query(uid('tag')).findMany({ populate: 'tags' })).length,
    60,
    'code of the system is not limited',
  )
})

t.test('the parents of a statement', async t => {
  const statements: string[] = []
  const kernel = await boot(t, {
    contentTypes,
    components,
    maxRows: endless,
    configure: ({ hooks }) => hooks.on('onStatement', text => void statements.push(text)),
  })
  const ids = await seed(kernel, { pages: 12, tags: 3 })
  const count = async (params: Params, maxRows: number) => {
    statements.length = 0
    // In a transaction, no read begins again in another process.
    await kernel.transaction(() => read(kernel, params, new RowCount(maxRows)))
    return statements.filter(text => text.startsWith('SELECT')).length
  }
  t.equal(await count({ populate: 'tags' }, 12 + 12 * 25), 2, 'all, if as many rows as usual have room')
  // Beside the pages 40 rows have room: the usual ones of 2 parents, then 4, then 6 are left.
  t.equal(await count({ populate: 'tags' }, 12 + 40), 1 + 3, 'else some at a time, twice as many each time')
  const few = await count({ populate: { tags: { filters: { label: 'none' } } } }, 12)
  t.ok(few <= 2 + 4, 'few rows do not take many statements', { few })
  t.equal(await count({ populate: ['tags', 'cards', 'seo'] }, 1000), 4)
  // A list that is longer than its share of a batch is asked for again.
  const page = await kernel.query(uid('page')).create({ data: { title: 'long', tags: await longer(kernel, ids, 90) } })
  const long = { filters: { id: page.id }, populate: ['tags', 'cards', 'children'] }
  t.equal(await count(long, 1000), 4)
  t.equal(await count(long, 120), 4 + 1)
})

async function longer(kernel: Kernel, ids: readonly number[], length: number): Promise<number[]> {
  const all = [...ids]
  while (all.length < length) all.push((await kernel.query(uid('tag')).create({ data: { label: 'more' } })).id)
  return all
}

t.test('a write whose answer exceeds the limit writes nothing', async t => {
  const kernel = await boot(t, { contentTypes, components, maxRows: 10 })
  const tags = await seed(kernel, { pages: 1, tags: 12 })
  const pages = kernel.query(uid('page'), caller)
  const [{ id }] = (await kernel.query(uid('page')).findMany()) as [Entry]
  t.match(await thrown(t, () => pages.update(id, { data: { title: 'q' }, populate: 'tags' })), refusal(11, 10))
  t.match(await thrown(t, () => pages.create({ data: { title: 'q', tags }, populate: 'tags' })), refusal(11, 10))
  t.match(await thrown(t, () => pages.delete(id, { populate: 'tags' })), refusal(11, 10))
  t.match(await kernel.query(uid('page')).findMany(), [{ title: 'p0' }])
  t.equal((await kernel.query(uid('page')).findMany()).length, 1)
  t.match(
    await pages.create({ data: { title: 'many', tags } }),
    { title: 'many' },
    'links that are written do not count',
  )
})

t.test('several reads share a count', async t => {
  const statements: string[] = []
  const listen = ({ hooks }: Kernel) => hooks.on('onStatement', text => void statements.push(text))
  const kernel = await boot(t, { contentTypes, components, maxRows: 10, configure: listen })
  await seed(kernel, { pages: 4, tags: 1 })
  const rowCount = kernel.reader.startRowCount()
  t.match({ rows: rowCount.rows, left: rowCount.left, maxRows: rowCount.maxRows }, { rows: 0, left: 10, maxRows: 10 })
  await read(kernel, {}, rowCount)
  await read(kernel, {}, rowCount)
  t.match({ rows: rowCount.rows, left: rowCount.left, refusal: rowCount.refusal }, { rows: 8, left: 2, refusal: null })
  const error = await thrown(t, () => read(kernel, {}, rowCount))
  t.match(error, refusal(11, 10))
  t.equal(rowCount.refusal, error)
  statements.length = 0
  t.equal(await thrown(t, () => read(kernel, {}, rowCount)), error, 'from then on all reads are refused')
  t.same(statements, [], 'before any statement')
  for (let i = 0; i < 5; i++) await kernel.query(uid('page'), caller).findMany({ populate: 'tags' })
})

t.test('lifecycles: the rows of what is run are counted', async t => {
  let limit = 10
  const change = (event: LifecycleEvent) => void Object.assign(event.params, { limit })
  const listen = ({ lifecycles }: Kernel) => lifecycles.subscribe([uid('page')], { beforeFindMany: change })
  const kernel = await boot(t, { contentTypes, components, maxRows: 15, configure: listen })
  await seed(kernel, { pages: 12, tags: 0 })
  const pages = kernel.query(uid('page'), caller)
  t.equal((await pages.findPage()).entries.length, 10)
  limit = 16
  await seed(kernel, { pages: 12, tags: 0 })
  t.match(await thrown(t, () => pages.findPage()), refusal(16, 15))
})
