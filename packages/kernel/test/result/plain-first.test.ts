// Lists with a page: asked for plainly first, and by rank where they do not come whole. Both ways give the same rows.

import t, { type Test } from 'tap'
import type { Kernel, PopulateOptions } from '../../src/index.ts'
import { PlainFirst } from '../../src/sql/plain-first.ts'
import { boot, client, component, type, uid } from '../fixtures/boot.ts'
import { record } from '../fixtures/statements.ts'

const to = (relation: string, name: string, more: object = {}) => ({
  type: 'relation',
  relation,
  target: uid(name),
  ...more,
})

const contentTypes = [
  type('author', { name: { type: 'string' }, articles: to('oneToMany', 'article', { mappedBy: 'author' }) }),
  type('tag', {
    label: { type: 'string' },
    rank: { type: 'integer' },
    owner: to('manyToOne', 'author'),
    articles: to('manyToMany', 'article', { mappedBy: 'tags' }),
  }),
  type('file', { name: { type: 'string' }, related: { type: 'relation', relation: 'morphToMany' } }),
  type('article', {
    title: { type: 'string' },
    author: to('manyToOne', 'author', { inversedBy: 'articles' }),
    tags: to('manyToMany', 'tag', { inversedBy: 'articles' }),
    others: to('manyToMany', 'article'),
    files: to('morphMany', 'file', { morphBy: 'related' }),
    parts: { type: 'component', component: 'a.part', repeatable: true },
  }),
]
const components = { 'a.part': component('a.part', { text: { type: 'string' }, tags: to('manyToMany', 'tag') }) }

/** What can be populated in lists, and its type. */
const lists: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  author: { articles: 'article' },
  tag: { articles: 'article' },
  file: {},
  article: { tags: 'tag', others: 'article', files: 'file', parts: 'part' },
  part: { tags: 'tag' },
}
const sorts: Readonly<Record<string, readonly string[]>> = {
  author: ['name'],
  tag: ['label:desc', 'rank', 'owner.name', 'articles.title:desc', 'id:desc'],
  file: ['name:desc'],
  article: ['title', 'author.name:desc', 'tags.rank'],
  part: [],
}

/** Numbers below `below`, the same for the same seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor(((state >>> 8) / 2 ** 24) * below)
  }
}

type Random = ReturnType<typeof randomOf>

const oneOf = <T>(random: Random, from: readonly T[]): T => from[random(from.length)]!

async function fill(kernel: Kernel, random: Random): Promise<void> {
  const some = (below: number) => [...new Set(Array.from({ length: random(8) }, () => 1 + random(below)))]
  const text = () => oneOf(random, ['a', 'b', 'c', 'd'])
  const create = (name: string, data: object) => kernel.query(uid(name)).create({ data: { ...data } })
  for (let i = 0; i < 4; i++) await create('author', { name: text() })
  for (let i = 0; i < 9; i++) await create('tag', { label: text(), rank: random(3), owner: 1 + random(4) })
  for (let i = 0; i < 9; i++) await create('file', { name: text() })
  for (let i = 1; i <= 14; i++) {
    const links = { author: 1 + random(4), tags: some(9), files: some(9), others: i === 1 ? [] : some(i - 1) }
    const parts = Array.from({ length: random(4) }, () => ({ text: text(), tags: some(9) }))
    await create('article', { title: text(), ...links, parts })
  }
}

function branch(random: Random, name: string, depth: number): PopulateOptions {
  const populate: Record<string, PopulateOptions> = {}
  for (const [list, target] of Object.entries(lists[name]!))
    if (depth > 0 && random(2) === 0) populate[list] = branch(random, target, depth - 1)
  return {
    ...(random(6) === 0 ? {} : { limit: oneOf(random, [-1, 0, 1, 2, 3, 5, 20]) }),
    ...(random(2) === 0 ? { start: oneOf(random, [0, 1, 2, 30]) } : {}),
    ...(random(3) === 0 ? { ordering: 'desc' } : {}),
    ...(random(3) === 0 && sorts[name]!.length > 0 ? { sort: oneOf(random, sorts[name]!) } : {}),
    ...(random(4) === 0 ? { filters: { id: { $lt: random(14) } } } : {}),
    populate,
  }
}

const { isChosen } = PlainFirst.prototype

/** Runs `work` with all lists asked for by rank. */
async function byRank<T>(work: () => Promise<T>): Promise<T> {
  PlainFirst.prototype.isChosen = () => false
  try {
    return await work()
  } finally {
    PlainFirst.prototype.isChosen = isChosen
  }
}

async function start(t: Test) {
  const statements: string[] = []
  const kernel = await boot(t, {
    contentTypes,
    components,
    configure: ({ hooks }) => hooks.on('onStatement', text => void statements.push(text)),
  })
  /**
   * How many different statements ran since the last call, and how many of them have ranks. A read that takes long on a
   * busy machine is run again, so equal ones count once.
   */
  const take = () => {
    const taken = [...new Set(statements.splice(0))].filter(text => !text.startsWith('PRAGMA'))
    return { all: taken.length, ranked: taken.filter(text => text.includes('ROW_NUMBER')).length }
  }
  return { kernel, take }
}

const seed = Number(process.env.PLINTH_SEED ?? Date.now() % 2 ** 31)
const cases = client() === 'sqlite' ? 400 : 60

t.test(`${cases} random populates give the same by both ways, PLINTH_SEED=${seed}`, async t => {
  const { kernel, take } = await start(t)
  const random = randomOf(seed)
  await fill(kernel, random)
  const seen = { plain: 0, again: 0 }
  for (let i = 0; i < cases; i++) {
    const name = oneOf(random, ['author', 'tag', 'article'])
    const { populate = {} } = branch(random, name, 3)
    const params = { populate, sort: 'id', pagination: { start: random(4), limit: 1 + random(14) } }
    const read = async () => (await kernel.query(uid(name)).findPage(params)).entries
    const expected = await byRank(read)
    const { all, ranked } = take()
    const found = await read()
    const mixed = take()
    t.same(found, expected, JSON.stringify({ name, params }))
    // A list that did not come whole is asked for once more; lists below the root are the same either way.
    t.ok(mixed.all <= all + ranked, 'at most one statement more for each list with a page')
    if (mixed.ranked < ranked) seen.plain++
    if (mixed.all > all) seen.again++
  }
  t.ok(seen.plain > cases / 5 && seen.again > cases / 20, 'both ways were taken', seen)
})

t.test('a list that does not come whole is asked for by rank, and the next ones at once', async t => {
  const { kernel, take } = await start(t)
  const tags = kernel.query(uid('tag'))
  const ids: number[] = []
  for (const label of ['a', 'b', 'c', 'd']) ids.push((await tags.create({ data: { label } })).id)
  const articles = kernel.query(uid('article'))
  for (const length of [1, 2, 4, 4]) await articles.create({ data: { tags: ids.slice(0, length) } })
  take()
  const read = async (limit: number, filters: object = {}) => {
    const entries = await articles.findMany({ filters, sort: 'id', populate: { tags: { limit } } })
    return [entries.map(one => (one.tags as unknown[]).length), take()]
  }
  t.same(await read(3), [[1, 2, 3, 3], { all: 2, ranked: 0 }], 'eleven links fit into the pages of four parents')
  t.same(await read(2), [[1, 2, 2, 2], { all: 3, ranked: 1 }], 'but not into eight: one statement more')
  for (let i = 0; i < 5; i++) t.same(await read(3), [[1, 2, 3, 3], { all: 2, ranked: 1 }], 'by rank at once')
  t.same(await read(-1), [[1, 2, 4, 4], { all: 2, ranked: 1 }], 'without a limit')
  t.same(await read(0), [[0, 0, 0, 0], { all: 2, ranked: 1 }], 'with a limit of none')
  t.same(await read(2600), [[1, 2, 4, 4], { all: 2, ranked: 1 }], 'with so large a limit that too many rows could come')
  const skipping = { populate: { tags: { start: 2, limit: 1 } } }
  await articles.findMany(skipping)
  t.same(take(), { all: 2, ranked: 1 }, 'with a page further back')
})

t.test('only children of rows that stay are fetched', async t => {
  const { kernel } = await start(t)
  const recording = record(t)
  const author = await kernel.query(uid('author')).create({ data: { name: 'Ann' } })
  const tags: number[] = []
  for (const label of ['a', 'b', 'c'])
    tags.push((await kernel.query(uid('tag')).create({ data: { label, owner: author.id } })).id)
  const articles = kernel.query(uid('article'))
  for (let i = 0; i < 2; i++) await articles.create({ data: { tags: tags.slice(0, 3 - 2 * i) } })
  const populate = { tags: { limit: 2, sort: 'label:desc', populate: { articles: { sort: 'id' } } } }
  await kernel.transaction(async () => {
    recording.take()
    const [first, second] = await articles.findMany({ sort: 'id', populate })
    t.match(first, { tags: [{ label: 'c' }, { label: 'b' }] })
    t.equal((first!.tags as unknown[]).length, 2)
    t.match(second, { tags: [{ label: 'a', articles: [{ id: 1 }, { id: 2 }] }] }, 'an entry under another parent stays')
  })
  await kernel.transaction(async () => {
    recording.take()
    await articles.findMany({ filters: { id: 1 }, populate: { tags: { ...populate.tags, limit: 3 } } })
    t.notOk(recording.take().some(line => line.includes('ROW_NUMBER')))
    const later = { limit: 2, start: 1, sort: 'label:desc', populate: { owner: true } }
    await articles.findMany({ filters: { id: 1 }, populate: { tags: later } })
    const lines = recording.take()
    t.notOk(lines.some(line => line.includes('ROW_NUMBER')))
    const parents = lines
      .at(-1)!
      .replaceAll(/[^\d,]/g, '')
      .split(',')
      .map(Number)
    t.same(new Set(parents), new Set(tags.slice(0, 2)), 'children of rows that are skipped are not asked for')
  })
})

t.test('after lists that were too long, 64 fetches go by rank', async t => {
  const lists = new PlainFirst(
    { text: '', binders: [], isPerRequest: false, isBounded: false, valueChecks: { sent: [], perRequest: [] } },
    { start: 0, limit: 1 },
  )
  const chosen = () => lists.isChosen(2, [0, 1])
  t.ok(chosen() && chosen())
  t.same(lists.cut([[1], [1]], 2, [0, 1]), [[1]])
  t.ok(chosen(), 'they came whole')
  t.equal(lists.cut([[1], [1], [2]], 2, [0, 1]), null)
  for (let i = 0; i < 64; i++) t.notOk(chosen())
  t.ok(chosen(), 'then it is tried again')
  const parents = 100
  t.ok(lists.isChosen(parents, [0, 100]))
  t.ok(lists.isChosen(parents, [50, 50]))
  for (const page of [
    [0, 0],
    [0, -1],
    [2, 1],
    [0, 101],
    [2 ** 52, 2 ** 52],
  ])
    t.notOk(lists.isChosen(parents, page), `start ${page[0]}, limit ${page[1]}`)
})

t.test('the rows of each parent are cut', async t => {
  const lists = new PlainFirst(
    { text: '', binders: [], isPerRequest: false, isBounded: false, valueChecks: { sent: [], perRequest: [] } },
    { start: 0, limit: 1 },
  )
  const rows = ['1a', '1b', '1c', '2d', '3e', '3f'].map(text => [text[1], text[0]])
  const cut = (start: number, limit: number) => lists.cut(rows, 3, [start, limit])?.map(([name]) => name)
  t.same(cut(0, 2), ['a', 'b', 'd', 'e', 'f'])
  t.same(cut(1, 1), ['b', 'f'])
  t.same(cut(2, 9), ['c'])
  t.same(cut(0, 1), undefined, 'they have more rows than the pages')
})
