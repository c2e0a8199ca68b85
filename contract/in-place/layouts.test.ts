/**
 * The studio presents types as v4's panel did, by what is stored in its database, and names nothing to a caller that the
 * model would not name. The rows are those that v4 wrote, with the changes that people make in its panel.
 */

import { createServer } from '@plinth/server'
import { onEach } from '@plinth/test-tools/on-each'
import { copyDatabase, project } from '@plinth/test-tools/recordings'
import { plugins } from './plugins.ts'

const article = 'api::article.article'
const product = 'api::product.product'

/** What the form leaves out by the layout below. The title must be filled, so it stays. */
const others = [
  'body',
  'readingMinutes',
  'featured',
  'category',
  'author',
  'coAuthors',
  'seo',
  'blocks',
  'cover',
  'gallery',
]

/** A layout as v4 stores it, as far as the test changes it. */
interface Stored {
  readonly settings: Record<string, unknown>
  readonly metadatas: Record<string, { readonly edit: Record<string, unknown> }>
  readonly layouts: Record<string, unknown>
}

/** What v4's panel does when somebody configures the view of articles. */
function configure({ settings, metadatas, layouts }: Stored): void {
  Object.assign(settings, {
    mainField: 'slug',
    defaultSortBy: 'readingMinutes',
    defaultSortOrder: 'DESC',
    pageSize: 20,
  })
  Object.assign(metadatas.summary!.edit, { label: 'Standfirst', description: 'At most two sentences.' })
  Object.assign(metadatas.code!.edit, { label: 'Code of the desk', editable: false })
  layouts.list = ['title', 'author', 'code']
  layouts.edit = [
    [
      { name: 'slug', size: 8 },
      { name: 'code', size: 4 },
    ],
    [
      { name: 'summary', size: 12 },
      { name: 'gone', size: 6 },
    ],
    [{ name: 'gone', size: 12 }],
  ]
  // As earlier versions of v4 do.
  layouts.editRelations = ['tags']
}

await onEach("the studio takes over the layouts of v4's panel", async (t, client) => {
  const database = await copyDatabase(client)
  t.teardown(() => database.drop())
  const opened = await database.open()
  const [table, key] = ['strapi_core_store_settings', client === 'mysql' ? '`key`' : '"key"']
  const keyOf = (uid: string) => `'plugin_content_manager_configuration_content_types::${uid}'`
  // Neither quotes nor backslashes are in these values, but for those of JSON.
  const store = (uid: string, value: string) =>
    opened.run(`UPDATE ${table} SET value = '${value}' WHERE ${key} = ${keyOf(uid)}`)
  const [row] = await opened.all(`SELECT value FROM ${table} WHERE ${key} = ${keyOf(article)}`)
  const stored = JSON.parse(String(row!.value)) as Stored
  configure(stored)
  await store(article, JSON.stringify(stored))
  await store('api::tag.tag', '{"settings":')
  await store('api::review.review', '{"settings":{},"metadatas":[]}')
  await opened.run(
    `UPDATE ${table} SET ${key} = ${keyOf('api::gone.gone')} WHERE ${key} = ${keyOf('api::person.person')}`,
  )
  await opened.close()

  const warnings: string[] = []
  const app = await createServer({
    dir: project,
    database: database.config,
    plugins: {
      ...plugins,
      'content-type-builder': true,
      'entry-versions': true,
      'users-permissions': {
        config: {
          jwtSecret: 'v4-database-jwt-secret',
          ratelimit: { enabled: false },
          permissions: { public: [`${article}.find`] },
          rules: { public: [{ action: `${article}.find`, fields: ['code', 'readingMinutes'] }] },
        },
      },
      studio: {
        config: { types: { [product]: { columns: ['name'], sort: 'price:desc', labels: { sku: 'Article number' } } } },
      },
    },
    logger: { level: 'warn', stream: { write: (line: string) => void warnings.push(JSON.parse(line).msg) } },
  })
  t.teardown(() => app.close())
  t.match(
    warnings.filter(line => line.startsWith('studio')),
    [
      "studio: layouts that v4's panel stored are left out: api::gone.gone (does not exist), api::review.review (cannot be read), api::tag.tag (cannot be read)",
    ],
  )
  const login = { identifier: 'emma', password: 'emma-secret-1' }
  const { jwt } = (await app.inject({ method: 'POST', url: '/api/auth/local', payload: login })).json()
  const told = async (headers: Readonly<Record<string, string>>) => {
    const answer = await app.inject({ url: '/api/studio/settings', headers })
    t.equal(answer.statusCode, 200)
    return answer.json().data
  }

  const toEditors = await told({ authorization: `Bearer ${jwt}` })
  t.same(toEditors[article], {
    mainField: 'slug',
    sort: 'readingMinutes:desc',
    pageSize: 20,
    columns: ['title', 'author', 'code', 'publishedAt', 'locale'],
    layout: [['slug', 'code'], ['summary'], ['tags']],
    hiddenAttributes: others,
    readonlyAttributes: ['code'],
    labels: { summary: 'Standfirst', code: 'Code of the desk' },
    descriptions: { summary: 'At most two sentences.' },
  })
  t.match(toEditors[product], { columns: ['name'], sort: 'price:desc', labels: { sku: 'Article number' } })
  t.match(toEditors['shop.order-line'], { layout: [['quantity', 'unitPrice'], ['product']], sort: 'id:asc' })
  t.equal(toEditors['shop.order-line'].mainField, undefined, 'the id is what v4 stores without a choice')
  t.same(
    Object.keys(toEditors).filter(uid => /gone|review|tag\.tag|admin::/.test(uid)),
    [],
  )

  const toStrangers = await told({})
  t.same(toStrangers[article].layout, [['slug'], ['summary'], ['tags']])
  t.same(toStrangers[article].columns, ['title', 'author', 'publishedAt', 'locale'])
  t.equal(toStrangers[article].sort, undefined)
  t.notMatch(JSON.stringify(toStrangers[article]), /code|desk|readingMinutes/i)
  t.equal(toStrangers['api::specimen.specimen'], undefined)
  t.ok(toEditors['api::specimen.specimen'])
})
