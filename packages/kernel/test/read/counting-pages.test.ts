// Pages of filtered lists count in their own statement on servers; every total and row is what two statements give.

import { databases, freshDatabase } from '@plinth/test-tools/databases'
import t, { type Test } from 'tap'
import { createKernel, type Kernel } from '../../src/index.ts'
import { type } from '../fixtures/boot.ts'

const contentTypes = [
  type('page', {
    title: { type: 'string' },
    slug: { type: 'string', indexed: true },
    rank: { type: 'integer' },
    body: { type: 'text' },
    authors: { type: 'relation', relation: 'manyToMany', target: 'api::author.author' },
  }),
  type('author', { name: { type: 'string' } }),
]

/** The pages, of which two of three have the rank 1; titles are in reverse order of ids. */
const pageCount = 30

interface Stage {
  readonly kernel: Kernel
  /** The statements since the last call. */
  texts(): readonly string[]
}

async function start(t: Test, client: 'mysql' | 'postgres'): Promise<Stage> {
  const database = await freshDatabase(client)
  const kernel = await createKernel({ database: database.config, contentTypes })
  t.teardown(async () => {
    await kernel.close()
    await database.drop()
  })
  const author = await kernel.query('api::author.author').create({ data: { name: 'Ann' } })
  for (let i = 0; i < pageCount; i++) {
    const title = String(100 - i)
    const data = { title, slug: title, rank: i % 3 === 0 ? 0 : 1, body: `Body ${i}`, authors: i % 2 ? [author.id] : [] }
    await kernel.query('api::page.page').create({ data })
  }
  let heard: string[] = []
  kernel.database.listen(text => heard.push(text))
  const texts = () => {
    const all = heard
    heard = []
    return all
  }
  return { kernel, texts }
}

/** Returns whether the server is MySQL and not MariaDB. */
async function isMysqlItself(kernel: Kernel, client: 'mysql' | 'postgres'): Promise<boolean> {
  const rows = (await kernel.database.read(session => session.all('SELECT VERSION()', []))) as string[][]
  return client === 'mysql' && !/mariadb/i.test(rows[0]![0]!)
}

/** Statements that add 1,200 pages. */
const many = {
  mysql: `INSERT INTO pages (slug, \`rank\`) SELECT 'x', 1 FROM seq_1_to_1200`,
  postgres: `INSERT INTO pages (slug, rank) SELECT 'x', 1 FROM generate_series(1, 1200)`,
}

const counts = (texts: readonly string[]) => texts.filter(text => /^SELECT COUNT/i.test(text)).length
const counting = (texts: readonly string[]) => texts.filter(text => /SQL_CALC_FOUND_ROWS|OVER \(\)/.test(text)).length

/** The lists, and whether MariaDB counts in the statement of the page. */
const lists = [
  { name: 'narrow, by id', options: { fields: ['title'] }, onMariadb: true },
  { name: 'narrow, sorted', options: { fields: ['title'], sort: 'title' }, onMariadb: true },
  { name: 'narrow, sorted by an index', options: { fields: ['title'], sort: 'slug:desc' }, onMariadb: true },
  { name: 'wide, sorted', options: { sort: 'title' }, onMariadb: true },
  { name: 'wide, in the order of ids', options: {}, onMariadb: true },
  { name: 'wide, sorted by id', options: { sort: 'id' }, onMariadb: false },
  { name: 'sorted by a relation', options: { fields: ['title'], sort: ['authors.name', 'title'] }, onMariadb: true },
]

for (const client of await databases()) {
  if (client === 'sqlite') continue

  t.test(`${client}: totals of filtered pages`, async t => {
    const { kernel, texts } = await start(t, client)
    const isMysql = await isMysqlItself(kernel, client)
    const pages = kernel.query('api::page.page')
    for (const { name, options, onMariadb } of lists) {
      const filters = { rank: 1, $or: [{ authors: { name: 'Ann' } }, { id: { $gt: 0 } }] }
      const all = (await pages.findMany({ ...options, filters })).map(({ id }) => id)
      t.equal(all.length, 20, name)
      // The first page tells the next ones that it was full, and how many there are.
      for (const start of [0, 0, 5, 12, 0, 15, 18, 0, 20, 100, 0]) {
        const page = await pages.findPage({ ...options, filters, pagination: { start, limit: 5 } })
        t.same(
          page.entries.map(({ id }) => id),
          all.slice(start, start + 5),
          `${name} from ${start}`,
        )
        t.equal(page.pagination.total, 20, `${name} from ${start}`)
      }
      texts()
      await pages.findPage({ ...options, filters, pagination: { start: 5, limit: 5 } })
      const heard = texts()
      const isCounted = !isMysql && (client === 'postgres' || onMariadb)
      t.equal(counting(heard), isCounted ? 1 : 0, `${name}: ${heard.join('\n')}`)
      t.equal(counts(heard), isCounted ? 0 : 1, name)
      await pages.findPage({ ...options, filters, pagination: { start: 5, limit: 5, withCount: false } })
      t.equal(counting(texts()), 0, 'without a total nothing is counted')
      const empty = await pages.findPage({ ...options, filters: { ...filters, rank: 7 }, pagination: { limit: 5 } })
      t.same([empty.entries, empty.pagination.total], [[], 0], 'no entry')
      const few = await pages.findPage({ ...options, filters: { ...filters, rank: 0 }, pagination: { limit: 5 } })
      t.equal(few.pagination.total, 10, 'other values of the same shape')
    }
  })

  t.test(`${client}: a list without a filter counts by an index`, async t => {
    const { kernel, texts } = await start(t, client)
    const pages = kernel.query('api::page.page')
    for (let time = 0; time < 3; time++) await pages.findPage({ sort: 'title', pagination: { limit: 5 } })
    const heard = texts()
    t.equal(counting(heard), 0)
    t.equal(counts(heard), 3)
  })

  t.test(`${client}: many entries in the order of an index are counted apart`, async t => {
    const { kernel, texts } = await start(t, client)
    const pages = kernel.query('api::page.page')
    const read = async () => {
      const options = { fields: ['title'], filters: { rank: { $gte: 0 } }, sort: 'slug', pagination: { limit: 5 } }
      const { pagination } = await pages.findPage(options)
      return [pagination.total, counting(texts())]
    }
    await read()
    const expected = (await read())[1]
    t.equal(expected, (await isMysqlItself(kernel, client)) ? 0 : 1, 'few are counted with the page')
    await kernel.transaction(async tx => tx.run(many[client], []))
    t.same(await read(), [pageCount + 1200, expected], 'that there are many is not known yet')
    t.same(await read(), [pageCount + 1200, 0])
  })

  t.test(`${client}: a total belongs to its own page, beside others and in transactions`, async t => {
    const { kernel } = await start(t, client)
    const pages = kernel.query('api::page.page')
    const totalOf = async (rank: number) => {
      const options = { fields: ['title'], filters: { rank }, sort: 'title', pagination: { limit: 3 } }
      return (await pages.findPage(options)).pagination.total
    }
    const both = () => Promise.all(Array.from({ length: 40 }, (_, at) => totalOf(at % 2)))
    const expected = Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? 10 : 20))
    for (let time = 0; time < 4; time++) t.same(await both(), expected)
    await kernel.transaction(async () => {
      for (let time = 0; time < 3; time++) t.same(await both(), expected, 'in a transaction')
      await pages.create({ data: { title: 'new', rank: 1 } })
      t.same(await totalOf(1), 21, 'the transaction sees its own entry')
    })
    t.equal(await totalOf(1), 21)
  })
}
