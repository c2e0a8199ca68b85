// `indexes` of config/database: made while others read and write, once whatever the number of processes, and without
// consequences but speed if they are missing.

import { databases } from '@plinth/test-tools/databases'
import { fresh, onEach } from '@plinth/test-tools/on-each'
import t, { type Test } from 'tap'
import { createKernel, type DatabaseConfig, type Kernel } from '../../src/index.ts'
import { applyMigrations, planMigrations } from '../../src/migrate/index.ts'
import { inspect } from '../../src/tables.ts'
import { notes, thrown, type, uid } from '../fixtures/boot.ts'

const article = type('article', {
  title: { type: 'string' },
  body: { type: 'text' },
  publishedOn: { type: 'date' },
  extra: { type: 'json' },
  author: { type: 'relation', relation: 'manyToOne', target: uid('author'), inversedBy: 'articles' },
  cover: { type: 'relation', relation: 'oneToOne', target: uid('author'), useJoinTable: false },
} as never)
const author = type('author', {
  name: { type: 'string' },
  articles: { type: 'relation', relation: 'oneToMany', target: uid('article'), mappedBy: 'author' },
} as never)
const contentTypes = [article, author]

/** A database with both tables and no index of config/database. */
async function prepared(t: Test): Promise<DatabaseConfig> {
  const { config } = await fresh(t)
  const kernel = await createKernel({ database: config, contentTypes })
  for (const title of ['b', 'a', 'c']) await kernel.query(uid('article')).create({ data: { title, body: title } })
  await kernel.close()
  return config
}

async function opened(t: Test, database: DatabaseConfig, indexes: object, more = {}): Promise<Kernel> {
  const kernel = await createKernel({ database: { ...database, indexes } as never, contentTypes, ...more })
  t.teardown(() => kernel.close())
  return kernel
}

/** The indexes of config/database that are there, with their columns, and what is wrong with them. */
async function presentIndexes({ database }: Kernel): Promise<Record<string, string>> {
  const present = await database.readUnlimited(session => inspect(database.ddl.catalogue, session))
  const indexes = [...present.values()].flatMap(table => table.indexes)
  const text = (one: (typeof indexes)[number]) =>
    one.columns.map(name => `${name}${one.descending?.includes(name) ? ' desc' : ''}`).join() + (one.fault ?? '')
  return Object.fromEntries(
    indexes.filter(one => one.name.startsWith('plinth_')).map(one => [one.name, text(one)] as const),
  )
}

const apply = (kernel: Kernel) => applyMigrations(kernel as never)

await onEach('plinth migrate apply makes them, and a second time nothing', async (t, client) => {
  const database = await prepared(t)
  const indexes = {
    [uid('article')]: ['title', ['publishedOn:desc', 'title'], 'author', 'cover', 'body'],
    [uid('author')]: ['articles'],
  }
  const kernel = await opened(t, database, indexes, { migrate: 'none' })
  const { steps } = await planMigrations(kernel as never)
  const online = {
    sqlite: 'CREATE INDEX ',
    mysql: ' ALGORITHM = INPLACE LOCK = NONE',
    postgres: ' INDEX CONCURRENTLY ',
  }
  const [first] = steps.filter(step => step.name === 'index:plinth_articles_title_id')
  t.match(first, { risk: 'safe', kind: 'index', isOnline: true })
  t.match(first!.sql.join(), online[client])
  const applied = await apply(kernel)
  t.same(applied.left, [])
  const made: Record<string, string> = {
    plinth_articles_author_links_author_id_article_id: 'author_id,article_id',
    plinth_articles_published_on_desc_title_id: 'published_on desc,title,id',
    plinth_articles_title_id: 'title,id',
    // The values of a long text may be longer than an entry of an index of PostgreSQL.
    ...(client === 'postgres' ? {} : { plinth_articles_body_id: 'body,id' }),
  }
  t.same(await presentIndexes(kernel), made, 'the column of a relation and the links of its other side have indexes')
  t.same((await apply(kernel)).done, [])
  t.same((await planMigrations(kernel as never)).steps, [])
})

await onEach('an index that begins with the same columns serves, whoever has made it', async t => {
  const database = await prepared(t)
  const kernel = await opened(t, database, { [uid('article')]: ['title'] }, { migrate: 'none' })
  await kernel.knex.schema.alterTable('articles', table => table.index(['title', 'id', 'published_on'], 'own'))
  t.same((await apply(kernel)).done, [])
  const other = await opened(t, database, { [uid('article')]: ['title:desc'] }, { migrate: 'none' })
  t.same(
    (await apply(other)).done.map(step => step.name),
    ['index:plinth_articles_title_desc_id'],
    'but not in the other direction',
  )
})

await onEach('an index of this name in another table stays, and another name is taken', async t => {
  const database = await prepared(t)
  const kernel = await opened(t, database, { [uid('article')]: ['title'] }, { migrate: 'none' })
  await kernel.knex.schema.alterTable('authors', table => table.index(['name'], 'plinth_articles_title_id'))
  t.same((await apply(kernel)).left, [])
  const names = { plinth_articles_title_id: 'name', plinth_articles_title_id_2: 'title,id' }
  t.same(await presentIndexes(kernel), names)
})

await onEach('a new table has them at once', async t => {
  const { config } = await fresh(t)
  const kernel = await opened(t, config, { [uid('article')]: ['title'] })
  t.same(await presentIndexes(kernel), { plinth_articles_title_id: 'title,id' })
})

await onEach('a missing one changes no answer and prevents no start in production', async t => {
  const database = await prepared(t)
  process.env.NODE_ENV = 'production'
  t.teardown(() => delete process.env.NODE_ENV)
  const kernel = await opened(t, database, { [uid('article')]: ['title'] })
  t.same(kernel.syncReport?.pending, [])
  t.match(await kernel.query(uid('article')).findMany({ sort: 'title' }), [
    { title: 'a' },
    { title: 'b' },
    { title: 'c' },
  ])
  t.same(await presentIndexes(kernel), {}, 'a kernel without a server makes none')
})

await onEach('several processes make each index once', async t => {
  const database = await prepared(t)
  const indexes = { [uid('article')]: ['title', 'publishedOn'], [uid('author')]: ['name'] }
  const kernels = []
  for (let i = 0; i < 4; i++) kernels.push(await opened(t, database, indexes, { migrate: 'none' }))
  const applied = await Promise.all(kernels.map(apply))
  t.same(applied.flatMap(one => one.done.map(step => step.name)).sort(), [
    'index:plinth_articles_published_on_id',
    'index:plinth_articles_title_id',
    'index:plinth_authors_name_id',
  ])
  t.same(
    applied.flatMap(one => one.left),
    [],
  )
})

await onEach('what the database refuses is left with the reason, and the others are made', async t => {
  const database = await prepared(t)
  const kernel = await opened(t, database, { [uid('article')]: ['title', 'publishedOn'] }, { migrate: 'none' })
  const { ddl } = kernel.database
  const target = ddl.onlineIndexing ?? ddl
  const createIndex = target.createIndex.bind(target)
  t.intercept(target as { createIndex: unknown }, 'createIndex', {
    value: (table: never, index: { name: string }) =>
      index.name.includes('title') ? ['CREATE INDEX no ON no (no)'] : createIndex(table, index as never),
  })
  const { done, left } = await apply(kernel)
  t.same(
    done.map(step => step.name),
    ['index:plinth_articles_published_on_id'],
  )
  t.match(left, [{ name: 'index:plinth_articles_title_id', why: /no/ }])
})

if ((await databases()).includes('postgres'))
  await t.test('an index that a failed statement of PostgreSQL has left is made again', async t => {
    t.context.client = 'postgres'
    const database = await prepared(t)
    const kernel = await opened(t, database, { [uid('article')]: ['title'] }, { migrate: 'none' })
    // A unique index fails on equal values, and its invalid remainder gets the name.
    await kernel.knex('articles').update({ title: 'same' })
    await t.rejects(kernel.knex.raw('CREATE UNIQUE INDEX CONCURRENTLY plinth_articles_title_id ON articles (title)'))
    t.same(await presentIndexes(kernel), { plinth_articles_title_id: 'titleinvalid' })
    const { done } = await apply(kernel)
    t.match(done, [{ sql: [/DROP INDEX CONCURRENTLY/, /CREATE INDEX CONCURRENTLY/] }])
    t.same(await presentIndexes(kernel), { plinth_articles_title_id: 'title,id' })
  })

await onEach('an index that is configured no more stays', async t => {
  const database = await prepared(t)
  await apply(await opened(t, database, { [uid('article')]: ['title'] }, { migrate: 'none' }))
  const without = await opened(t, database, {})
  t.same(without.syncReport?.unknown, [])
  t.same((await apply(without)).done, [])
  t.same(await presentIndexes(without), { plinth_articles_title_id: 'title,id' })
})

await onEach('the setting is checked, and messages name the place', async t => {
  const { config } = await fresh(t)
  const cases: [object | string, string][] = [
    [
      'title',
      'indexes must be an object of lists by uid, such as { "api::article.article": ["title"] }, found "title"',
    ],
    [
      { [uid('article')]: 'title' },
      'indexes["api::article.article"] must be a list of attributes, and of lists of them, found "title"',
    ],
    [
      { [uid('article')]: [[]] },
      'indexes["api::article.article"][0] must be the name of an attribute, or a list of names, found []',
    ],
    [
      { [uid('artcle')]: ['title'] },
      'indexes: there is no content type or component "api::artcle.artcle", did you mean "api::article.article"?',
    ],
    [
      { [uid('article')]: ['title', 'titel'] },
      'indexes["api::article.article"][1]: "titel" is not an attribute of api::article.article, did you mean "title"?',
    ],
    [
      { [uid('article')]: ['title:down'] },
      'indexes["api::article.article"][0]: "title:down" must end in ":asc" or ":desc", or have no ":"',
    ],
    [
      { [uid('article')]: ['extra'] },
      'indexes["api::article.article"][0]: "extra" is of the type "json", which has no order',
    ],
    [
      { [uid('article')]: [['author', 'title']] },
      'indexes["api::article.article"][0]: "author" is a relation, whose links are in the table articles_author_links: it can only be named alone',
    ],
    [
      { [uid('article')]: ['cover:desc'] },
      'indexes["api::article.article"][0]: "cover" is a relation, which has no order: leave ":desc" out',
    ],
    [{ [uid('article')]: [['title', 'title:desc']] }, 'indexes["api::article.article"][0]: names "title" twice'],
    [{ [uid('article')]: ['id'] }, 'indexes["api::article.article"][0]: names the id alone, which has an index'],
  ]
  for (const [indexes, message] of cases) {
    const error = await thrown(t, () =>
      createKernel({ database: { ...config, indexes }, contentTypes, migrate: 'none' }),
    )
    t.equal(error.message, `config/database: ${message}`)
    t.match(error, { code: 'PLINTH_CONFIG_INVALID' })
  }
  const misspelt = await thrown(t, () => createKernel({ database: { ...config, indexs: {} }, contentTypes }))
  t.match(misspelt.message, 'config/database: indexs is not known, did you mean "indexes"?')
})

await onEach('plugins declare them with draft.index', async t => {
  const { config } = await fresh(t)
  const logger = notes()
  const start = (attributes: string[], options: object) =>
    createKernel({
      database: config,
      contentTypes,
      logger,
      configure: kernel =>
        kernel.hooks.on('preModel', { for: draft => draft.uid === uid('article') }, draft =>
          draft.index(attributes, options),
        ),
    })
  const kernel = await start(['title:desc'], { isOnline: true })
  t.teardown(() => kernel.close())
  t.same(await presentIndexes(kernel), { plinth_articles_title_desc_id: 'title desc,id' })
  t.match((await thrown(t, () => start(['title'], { isOnline: true, unique: true }))).message, /cannot be unique/)
  t.match(
    (await thrown(t, () => start(['titel'], { isOnline: true }))).message,
    /the index "titel" is not an attribute/,
  )
})
