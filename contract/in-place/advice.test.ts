/**
 * A project that has just moved from v4, without a change of its schemas: after its recorded requests the advice names
 * columns without an index, as EXPLAIN confirms, and the indexes that it asks for serve the same lists.
 */

import { readFile } from 'node:fs/promises'
import advice from '@plinth/advice'
import { type Advice, adviceText, reportOf, settingText } from '@plinth/advice/report'
import type { ContentType, Kernel } from '@plinth/kernel'
import { planMigrations } from '@plinth/kernel/migrate'
import { createServer } from '@plinth/server'
import type { TestDatabase } from '@plinth/test-tools/databases'
import { onEach } from '@plinth/test-tools/on-each'
import { copyDatabase, project, suitesOf } from '@plinth/test-tools/recordings'
import { untilEqual } from '@plinth/test-tools/until-equal'
import { divide, foreignNames, type RecordedStep } from './omitted.ts'
import { plugins } from './plugins.ts'

const uid = 'api::article.article'

function serve(database: TestDatabase, indexes: object, onStatement: (text: string) => void = () => {}) {
  return createServer({
    dir: project,
    database: { ...database.config, indexes },
    plugins: { ...plugins, advice: { plugin: advice, config: { storeEvery: 3600, warnings: false } } },
    logger: false,
    configure: kernel => kernel.hooks.on('onStatement', onStatement),
  })
}

type App = Awaited<ReturnType<typeof serve>>

/** Adds articles until there are 10,000, with a text of a kilobyte each. */
async function fill({ knex, database }: Kernel): Promise<void> {
  const [first] = await knex('articles').whereNotNull('published_at').limit(1)
  const isText = database.dialect.name !== 'sqlite'
  const rows = Array.from({ length: 10_000 }, (_, i) => ({
    ...first,
    id: 100_000 + i,
    title: `Title ${String((i * 7919) % 10_000).padStart(5, '0')}`,
    slug: `title-${i}`,
    body: 'x'.repeat(1000),
    reading_minutes: i % 40,
    published_at: i % 10 === 0 ? null : isText ? new Date(1_600_000_000_000 + i) : 1_600_000_000_000 + i,
  }))
  await knex.batchInsert('articles', rows, 200)
}

/** Sends the recorded reads, and the last pages of two lists. */
async function replay(app: App, client: TestDatabase['client']): Promise<void> {
  const { steps } = JSON.parse(await readFile(suitesOf(client)[0]!, 'utf8')) as { steps: RecordedStep[] }
  const { replayed } = divide(steps, await foreignNames(project))
  const paths = replayed.map(({ request }) => request.path)
  for (const sort of ['title', 'title:desc'])
    for (let i = 0; i < 5; i++) paths.push(`/api/articles?sort=${sort}&pagination[page]=300&pagination[pageSize]=25`)
  for (const path of paths) await app.inject({ method: 'GET', url: path })
}

/** What the database does for the statement of a list, whose values are those of the rules, the limit and the offset. */
async function explainedStatement({ knex, database }: Kernel, text: string): Promise<string> {
  const count = text.match(/\?|\$\d+/g)!.length
  const values = [...Array.from({ length: count - 2 }, () => `'en'`), '25', '7475']
  let i = 0
  const filled = text.replaceAll(/\?|\$\d+/g, () => values[i++]!)
  const rows = await knex.raw(`EXPLAIN ${database.dialect.name === 'sqlite' ? 'QUERY PLAN ' : ''}${filled}`)
  return JSON.stringify(rows.rows ?? (database.dialect.name === 'mysql' ? rows[0] : rows))
}

const columnOf = (type: ContentType, name: string) => {
  const attribute = type.attributes.get(name)
  return attribute?.kind === 'scalar' ? attribute.column : name
}

/** What the database would do to find the first page of the list that an advice is about, without its rows. */
async function explained({ knex, contentTypes }: Kernel, { attributes, search }: Advice): Promise<string> {
  const type = contentTypes.require(uid)
  const keys = attributes.map(one => one.split(':') as [string, string?])
  const sorted =
    /sorted by (.*)$/
      .exec(search)?.[1]
      ?.split(', ')
      .map(one => one.split(':')[0]) ?? []
  const equal = keys.filter(([name]) => !sorted.includes(name))
  const [one] = await knex('articles').limit(1)
  const list = knex('articles').select('id')
  for (const [name] of equal) void list.where(columnOf(type, name), one[columnOf(type, name)] ?? '')
  for (const [name, direction] of keys.filter(key => !equal.includes(key)))
    void list.orderBy(columnOf(type, name), direction === 'desc' ? 'desc' : 'asc')
  const { sql, bindings } = list.orderBy('id').limit(25).toSQL().toNative()
  const isSqlite = knex.client.config.client === 'better-sqlite3'
  const rows = await knex.raw(
    `EXPLAIN ${isSqlite ? 'QUERY PLAN ' : ''}${knex.raw(sql.replaceAll(/\$\d+/g, '?'), bindings as never).toString()}`,
  )
  return JSON.stringify(rows.rows ?? rows)
}

await onEach('the advice for a project that has just moved', async (t, client) => {
  const database = await copyDatabase(client)
  t.teardown(() => database.drop())
  const first = await serve(database, {})
  await fill(first.kernel)
  await replay(first, client)
  await first.close()

  const look = await serve(database, {})
  const report = (await reportOf(look.kernel))!
  const list = report.advice.filter(one => one.uid === uid)
  t.comment(list.map(adviceText).join('\n'))
  const names = list.map(one => one.attributes.join())
  t.ok(names.includes('title') && names.includes('title:desc'), names.join(' '))
  t.match(settingText(list), `'${uid}': [`)
  const sorts = list.filter(one => one.isSort)
  const isSorted = /TEMP B-TREE|filesort|Sort/
  for (const one of sorts) t.match(await explained(look.kernel, one), isSorted, `${one.search} sorts all rows`)
  const paths = ['title', 'title:desc'].map(sort => `/api/articles?sort=${sort}&pagination[page]=300`)
  const before = await Promise.all(paths.map(async url => (await look.inject({ method: 'GET', url })).body))
  await look.close()

  const indexes = { [uid]: list.map(one => one.attributes) }
  const texts: string[] = []
  const server = await serve(database, indexes, text => void texts.push(text))
  t.teardown(() => server.close())
  await server.listen({ host: '127.0.0.1', port: 0 })
  await untilEqual(
    async () => (await planMigrations(server.kernel as never)).steps.filter(step => step.isOnline).length,
    0,
  )
  const after = await Promise.all(paths.map(async url => (await server.inject({ method: 'GET', url })).body))
  t.same(after, before, 'the answers are the same')
  t.ok(JSON.parse(after[0]!).data.length === 25)
  if (client !== 'sqlite')
    await server.kernel.knex.raw(client === 'mysql' ? 'ANALYZE TABLE articles' : 'VACUUM ANALYZE articles')
  for (const one of sorts)
    t.notMatch(await explained(server.kernel, one), isSorted, `${one.search} is read in its order`)
  texts.length = 0
  await server.inject({ method: 'GET', url: paths[0]! })
  const [statement] = texts.filter(text => /LIMIT/.test(text) && text.includes('articles'))
  t.match(
    await explainedStatement(server.kernel, statement!),
    'plinth_articles_title_id_locale_published_at',
    'the rules of plugins choose no other index',
  )
  t.same(
    (await reportOf(server.kernel))!.advice.filter(one => one.uid === uid),
    [],
    'and nothing is left to say',
  )
})
