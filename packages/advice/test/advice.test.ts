// Lists are counted, and what they lack is named: on each database, by several processes, and with bounds.

import draftPublish from '@plinth/draft-publish'
import { createKernel, type Kernel, type KernelOptions, type ListSearch } from '@plinth/kernel'
import { applyMigrations } from '@plinth/kernel/migrate'
import { type } from '@plinth/test-tools/fixtures'
import { fresh, onEach } from '@plinth/test-tools/on-each'
import t, { type Test } from 'tap'
import advice from '../src/index.ts'
import { adviceText, missingIndex, reportOf, settingText, storedCounts } from '../src/report.ts'

const author = type('author', { name: { type: 'string' } })
const article = {
  ...type('article', {
    title: { type: 'string' },
    body: { type: 'text' },
    category: { type: 'string' },
    publishedOn: { type: 'date' },
    author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
  } as never),
  options: { draftAndPublish: true },
}
const contentTypes = [article, author]
const uid = 'api::article.article'

interface Opened {
  readonly kernel: Kernel
  readonly warnings: string[]
}

async function open(t: Test, database: object, config: object | false = {}, more: Partial<KernelOptions> = {}) {
  const warnings: string[] = []
  const logger = { info() {}, error() {}, warn: (text: unknown) => void warnings.push(String(text)) }
  const plugins = {
    'draft-publish': { plugin: draftPublish },
    ...(config === false ? {} : { advice: { plugin: advice, config: { storeEvery: 3600, ...config } } }),
  }
  const kernel = await createKernel({ database, contentTypes, plugins, logger: logger as never, ...more })
  t.teardown(() => kernel.close())
  return { kernel, warnings } as Opened
}

/** A database with 3,000 articles, most of them published, and 600 authors. */
async function prepared(t: Test): Promise<object> {
  const { config } = await fresh(t)
  const { kernel } = await open(t, config, false)
  const times = (i: number) =>
    i % 10 === 0 ? null : kernel.database.dialect.name === 'sqlite' ? i : new Date(i * 1000)
  const rows = Array.from({ length: 3000 }, (_, i) => ({
    title: `Title ${(i * 7919) % 3000}`,
    body: 'x'.repeat(1000),
    category: `c${i % 50}`,
    published_on: `2024-01-${String(1 + (i % 28)).padStart(2, '0')}`,
    published_at: times(i),
  }))
  await kernel.knex.batchInsert('articles', rows, 300)
  const names = Array.from({ length: 600 }, (_, i) => ({ name: `Name ${i}`, published_at: times(1) }))
  await kernel.knex.batchInsert(
    'authors',
    names.map(({ name }) => ({ name })),
    300,
  )
  await kernel.close()
  return config
}

const page = (kernel: Kernel, params: object) =>
  kernel.query(uid).findPage({ pagination: { page: 60, pageSize: 25 }, ...params } as never)

await onEach('the costliest searches are named with their columns, and no more once these have indexes', async t => {
  const database = await prepared(t)
  const { kernel } = await open(t, database)
  for (let i = 0; i < 5; i++) {
    await page(kernel, { sort: 'title' })
    await page(kernel, { filters: { category: 'c7' }, sort: 'publishedOn:desc' })
    await page(kernel, { filters: { author: { name: 'Name 7' } } })
    await page(kernel, { sort: 'id' })
    await page(kernel, { sort: 'author.name' })
    await page(kernel, { filters: { title: { $contains: 'x' } } })
    await page(kernel, { filters: { id: 5 }, sort: 'title' })
    await kernel.query(uid).findMany({ filters: { body: 'x' }, sort: 'body' })
  }
  await kernel.close()

  const reader = await open(t, database, false)
  const counts = (await storedCounts(reader.kernel))!
  t.same(
    counts.map(one => [one.need.text, one.runs, one.index]).sort(),
    [
      ['articles filtered by author.name', 5, null],
      ['articles filtered by category and sorted by publishedOn:desc', 5, null],
      ['articles sorted by title', 5, null],
    ],
    'those that an index would serve',
  )
  t.equal(counts.find(one => one.need.text === 'articles sorted by title')?.total, 2700)
  t.ok(counts.every(one => one.milliseconds > 0))
  const report = (await reportOf(reader.kernel))!
  const named = report.advice.map(one => one.attributes.join())
  // How long the others take depends on the machine.
  t.ok(named.includes('title'), named.join(' '))

  const indexes = { [uid]: ['title', ['category', 'publishedOn:desc']], 'api::author.author': ['name'] }
  const made = await open(t, { ...database, indexes }, {})
  await applyMigrations(made.kernel as never)
  t.same((await reportOf(made.kernel))!.advice, [], 'what was counted before is over')
  await made.kernel.close()
  const again = await open(t, { ...database, indexes }, {})
  await page(again.kernel, { sort: 'title' })
  await page(again.kernel, { sort: 'title:desc' })
  await again.kernel.close()
  const served = (await storedCounts((await open(t, database, false)).kernel))!.filter(
    one => one.firstAt > report.lastAt,
  )
  t.same(
    served.map(one => [one.need.text, one.index]),
    [
      ['articles sorted by title', 'plinth_articles_title_id_published_at'],
      ['articles sorted by title:desc', null],
    ].sort(),
    'an index serves one direction, as the id stays ascending',
  )
})

await onEach('processes add to the same counts', async t => {
  const database = await prepared(t)
  const kernels = [await open(t, database), await open(t, database), await open(t, database)]
  for (const { kernel } of kernels) for (let i = 0; i < 3; i++) await page(kernel, { sort: 'title' })
  await Promise.all(kernels.map(({ kernel }) => kernel.close()))
  const { kernel } = await open(t, database, false)
  t.match(await storedCounts(kernel), [{ runs: 9, need: { uid, keys: [{ name: 'title' }] } }])
})

await onEach('the log has one warning a search, in development', async t => {
  const database = await prepared(t)
  const { kernel, warnings } = await open(t, database, { storeEvery: 1 })
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 5; j++) await page(kernel, { sort: 'title' })
    await new Promise(resolve => setTimeout(resolve, 1100))
  }
  await kernel.close()
  const warningsOfTitle = warnings.filter(one => one.startsWith('articles sorted by title: '))
  t.match(warningsOfTitle, [
    /^articles sorted by title: \d+ requests, [\d.]+ ms each, 2,700 rows sorted; "indexed": true on title, or database\.indexes$/,
  ])
  const quiet = await open(t, database, { warnings: false })
  for (let j = 0; j < 5; j++) await page(quiet.kernel, { sort: 'title' })
  await quiet.kernel.close()
  t.same(quiet.warnings, [])
})

await onEach('without its table, requests are answered and the counts are kept', async t => {
  const database = await prepared(t)
  const { kernel, warnings } = await open(t, database, { storeEvery: 1 })
  await kernel.knex.schema.dropTable('plinth_advice')
  t.equal((await page(kernel, { sort: 'title' })).entries.length, 25)
  await new Promise(resolve => setTimeout(resolve, 2500))
  t.match(warnings, [/^advice: counts cannot be stored for the present: .*plinth_advice/])
  await (await open(t, database)).kernel.close()
  await kernel.close()
  t.match(await storedCounts((await open(t, database, false)).kernel), [{ runs: 1 }])
})

t.test('the texts', async t => {
  const one = {
    uid,
    requests: 1240,
    milliseconds: 5.52,
    rows: 9043,
    search: 'articles sorted by title',
    attributes: ['title'],
    isSort: true,
  }
  t.equal(
    adviceText(one),
    'articles sorted by title: 1,240 requests, 5.5 ms each, 9,043 rows sorted; "indexed": true on title, or database.indexes',
  )
  const both = {
    ...one,
    requests: 1,
    isSort: false,
    search: 'articles filtered by category',
    attributes: ['category', 'publishedOn:desc'],
  }
  t.match(
    adviceText(both),
    /: 1 request, 5\.5 ms each, 9,043 rows read; database\.indexes: \["category", "publishedOn:desc"\]$/,
  )
  t.match(adviceText({ ...one, attributes: ['title:desc'] }), /; database\.indexes: "title:desc"$/)
  t.equal(
    settingText([one, both, one, { ...one, uid: 'api::author.author', attributes: ['name'] }]),
    `indexes: {\n  '${uid}': ['title', ['category', 'publishedOn:desc']],\n  'api::author.author': ['name'],\n}`,
  )
})

await onEach('the index that one list lacks, in words', async t => {
  const { config } = await fresh(t)
  const searches: ListSearch[] = []
  const configure = (kernel: Kernel) => kernel.hooks.on('onPage', ({ search }) => void searches.push(search))
  const { kernel } = await open(t, config, false, { configure })
  const advised = async (params: object) => {
    await page(kernel, params)
    return missingIndex(kernel, searches.at(-1)!)
  }
  t.equal(
    await advised({ sort: 'title' }),
    `"indexed": true on articles.title, or in config/database: indexes: { 'api::article.article': ['title'] }`,
  )
  t.equal(
    await advised({ sort: 'publishedOn:desc', filters: { category: 'c1' } }),
    `in config/database: indexes: { 'api::article.article': [['category', 'publishedOn:desc']] }`,
  )
  t.equal(await advised({ sort: 'id' }), null, 'it needs none')
  const indexes = { 'api::article.article': ['title'] }
  const { kernel: indexed } = await open(t, { ...config, indexes }, false, { configure })
  await applyMigrations(indexed)
  await page(indexed, { sort: 'title' })
  t.equal(await missingIndex(indexed, searches.at(-1)!), null, 'it has it')
})
