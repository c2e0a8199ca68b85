// Pages near the end of a list are found from there, and are what the whole list has there, also if its length changes.

import { databases, freshDatabase, type TestDatabase } from '@plinth/test-tools/databases'
import { stopClock } from '@plinth/test-tools/stopped-clock'
import t, { type Test } from 'tap'
import { createKernel, type Kernel } from '../../src/index.ts'
import { type } from '../fixtures/boot.ts'

const contentTypes = [
  type('page', {
    title: { type: 'string', indexed: true },
    rank: { type: 'integer' },
    body: { type: 'text' },
    author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
    tags: { type: 'relation', relation: 'manyToMany', target: 'api::author.author' },
  }),
  type('author', { name: { type: 'string' } }),
]

const pageCount = 2600

interface Stage {
  readonly kernel: Kernel
  /** The statements since the last call that read pages. */
  texts(): readonly string[]
  /** The number of statements that only count, since the last call of texts(). */
  counts(): number
}

/** Titles occur 13 times each, some are null; every seventh page has no rank. */
const titleOf = (i: number) => (i % 11 === 0 ? null : `Title ${(i * 7919) % 200}`)

async function start(t: Test, client: TestDatabase['client'], settings: object = {}): Promise<Stage> {
  const database = await freshDatabase(client)
  const kernel = await createKernel({ database: { ...database.config, ...settings }, contentTypes })
  t.teardown(async () => {
    await kernel.close()
    await database.drop()
  })
  const authors = kernel.query('api::author.author')
  for (const name of ['Ann', 'Ben', 'Cleo']) await authors.create({ data: { name } })
  const rows = Array.from({ length: pageCount }, (_, i) => ({
    title: titleOf(i),
    rank: i % 7 === 0 ? null : i % 40,
    body: `Body ${i}`,
  }))
  await kernel.knex.batchInsert('pages', rows, 150)
  const ids = (await kernel.knex('pages').select('id').orderBy('id')) as { id: number }[]
  const links = ids.flatMap(({ id }, i) => (i % 5 === 0 ? [] : [{ page_id: id, author_id: 1 + (i % 3) }]))
  await kernel.knex.batchInsert('pages_author_links', links, 150)
  const tags = links.map(link => ({ ...link, author_id: 1 + (link.page_id % 3) }))
  await kernel.knex.batchInsert('pages_tags_links', tags, 150)
  let heard: string[] = []
  kernel.database.listen(text => heard.push(text))
  const texts = () => {
    const all = heard.filter(text => /OFFSET/.test(text))
    heard = []
    return all
  }
  const counts = () => heard.filter(text => /^SELECT COUNT/.test(text)).length
  return { kernel, texts, counts }
}

const lists: readonly { readonly name: string; readonly sort: string | string[]; readonly isFromEnd: RegExp }[] = [
  { name: 'by id', sort: 'id', isFromEnd: /ORDER BY s\.["`]id["`] DESC LIMIT/ },
  { name: 'by id, the last first', sort: 'id:desc', isFromEnd: /ORDER BY s\.["`]id["`] LIMIT/ },
  { name: 'by a title', sort: 'title', isFromEnd: /DESC, s\.["`]id["`] DESC LIMIT/ },
  { name: 'by a title, the last first', sort: 'title:desc', isFromEnd: /title["`], s\.["`]id["`] DESC LIMIT/ },
  { name: 'by two keys', sort: ['rank:desc', 'title'], isFromEnd: /rank["`], s.*DESC, s\.["`]id["`] DESC LIMIT/ },
  { name: 'by a linked name', sort: ['author.name', 'rank'], isFromEnd: /\) DESC, s.*DESC, s\.["`]id["`] DESC LIMIT/ },
  { name: 'by the least of many', sort: 'tags.name', isFromEnd: /\) DESC, s\.["`]id["`] DESC LIMIT/ },
]

const clients = await databases()
/** Each database, servers with one snapshot for all statements of a read as well. */
const stages = clients.flatMap(client => [
  { name: client, client, settings: {} },
  ...(client === 'sqlite' ? [] : [{ name: `${client}, consistent`, client, settings: { consistentReads: true } }]),
])

for (const { name: stage, client, settings } of stages) {
  t.test(`${stage}: pages from the end`, async t => {
    const { kernel, texts } = await start(t, client, settings)
    // A read in a process of its own has a snapshot that began before it, and begins at the beginning of the list.
    if (client === 'sqlite') stopClock(t)
    const pages = kernel.query('api::page.page')
    for (const { name, sort, isFromEnd } of lists) {
      const all = (await pages.findMany({ sort, fields: ['id'] })).map(({ id }) => id)
      t.equal(all.length, pageCount)
      // The first deep page tells the next ones how long the list is.
      for (const start of [2000, 2000, 2590, 2599, 1800, 2600, 5000, 2590, 2590]) {
        const { entries, pagination } = await pages.findPage({ sort, pagination: { start, limit: 25 } })
        t.same(
          entries.map(({ id }) => id),
          all.slice(start, start + 25),
          `${name} from ${start}`,
        )
        t.equal(pagination.total, pageCount, `${name} from ${start}`)
      }
      texts()
      await pages.findPage({ sort, pagination: { start: 2590, limit: 25 } })
      t.match(texts().at(-1), isFromEnd, name)
      await pages.findPage({ sort, pagination: { start: 1300, limit: 25 } })
      t.notMatch(texts().at(-1), isFromEnd, 'the beginning is as near')
      const pagination = { start: 2590, limit: 25 }
      const { entries: populated } = await pages.findPage({ sort, populate: ['author', 'tags'], pagination })
      t.match(texts()[0], isFromEnd)
      t.same(
        populated.map(({ id }) => id),
        all.slice(2590),
        `${name}, populated`,
      )
    }
  })

  t.test(`${stage}: a list with filters, whose total depends on values`, async t => {
    const { kernel } = await start(t, client, settings)
    const pages = kernel.query('api::page.page')
    for (const filters of [{ rank: { $notNull: true } }, { id: { $gt: 300 } }, { id: { $gt: 900 } }]) {
      const all = (await pages.findMany({ filters, sort: 'title', fields: ['id'] })).map(({ id }) => id)
      for (const start of [1600, 1650, 2200, 1690]) {
        const page = await pages.findPage({ filters, sort: 'title', pagination: { start, limit: 30 } })
        t.same(
          page.entries.map(({ id }) => id),
          all.slice(start, start + 30),
          `${JSON.stringify(filters)} from ${start}`,
        )
        t.equal(page.pagination.total, all.length)
      }
    }
  })

  t.test(`${stage}: a list whose length has changed`, async t => {
    const { kernel, texts, counts } = await start(t, client, settings)
    if (client === 'sqlite') stopClock(t)
    const pages = kernel.query('api::page.page')
    for (const populate of [undefined, ['author']]) {
      const read = (start: number) => pages.findPage({ sort: 'title', populate, pagination: { start, limit: 10 } })
      for (const change of ['shorter', 'longer', 'the same']) {
        if (change === 'shorter') await kernel.knex('pages').insert({ title: 'Title 199' })
        await read(2500)
        await read(2500)
        if (change === 'shorter') await kernel.knex('pages').where('title', 'Title 199').delete()
        // A page that sorts last, and one that sorts first.
        if (change === 'longer') await kernel.knex('pages').insert([{ title: 'Z' }, { title: 'A' }, { title: 'A' }])
        const all = (await pages.findMany({ sort: 'title', fields: ['id'] })).map(({ id }) => id)
        texts()
        const { entries, pagination } = await read(2500)
        t.same(
          entries.map(({ id }) => id),
          all.slice(2500, 2510),
          `${change}, ${populate}`,
        )
        t.equal(pagination.total, all.length, change)
        if (client !== 'sqlite' && stage === client) t.equal(counts(), 0, 'the total was read with the first page')
        t.match(texts()[0], /DESC LIMIT/, `${change}: found from the end at first`)
      }
    }
  })

  if (client === 'sqlite')
    t.test('sqlite: slow sorts, which run in a process of their own', async t => {
      const { kernel } = await start(t, client)
      const pages = kernel.query('api::page.page')
      for (const sort of [['author.name', 'rank'], ['tags.name']]) {
        const all = (await pages.findMany({ sort, fields: ['id'] })).map(({ id }) => id)
        for (const start of [2000, 2590, 2599, 1800, 2600, 2590]) {
          const { entries, pagination } = await pages.findPage({ sort, pagination: { start, limit: 25 } })
          t.same(
            entries.map(({ id }) => id),
            all.slice(start, start + 25),
            `${sort} from ${start}`,
          )
          t.equal(pagination.total, pageCount)
        }
      }
    })

  // Without a snapshot, a page and its total may be of two states.
  if (client === 'sqlite' || stage !== client)
    t.test(`${stage}: while others write`, async t => {
      const { kernel } = await start(t, client, settings)
      const pages = kernel.query('api::page.page')
      const lastId = async () => (await pages.findMany({ sort: 'id:desc', pagination: { limit: 1 } }))[0]!.id as number
      let isDone = false
      const writing = (async () => {
        for (let i = 0; i < 60; i++) {
          if (i % 3 === 2) await pages.delete(await lastId())
          else await pages.create({ data: { title: `A${i}`, rank: i } })
        }
      })().finally(() => {
        isDone = true
      })
      const wrong: string[] = []
      for (let count = 0; !isDone || count < 10; count++) {
        const { entries, pagination } = await pages.findPage({
          sort: 'title',
          pagination: { start: 2000, limit: 1000 },
        })
        if (2000 + entries.length !== pagination.total) wrong.push(`${entries.length} of ${pagination.total}`)
      }
      await writing
      t.same(wrong, [], 'each page ends where its total says')
    })
}
