// A database of MariaDB or MySQL that is not utf8mb4, under all packages: what a request says in characters that a column
// lacks is a 400 where it is written, is found nowhere, and is never a 500.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import graphql from '@plinth/graphql'
import i18n from '@plinth/i18n'
import idempotency from '@plinth/idempotency'
import rest from '@plinth/rest'
import { createServer } from '@plinth/server'
import { databases, freshDatabase } from '@plinth/test-tools/databases'
import upload from '@plinth/upload'
import usersPermissions from '@plinth/users-permissions'
import t, { type Test } from 'tap'

const contentTypes = [
  {
    kind: 'collectionType',
    collectionName: 'pages',
    info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
    pluginOptions: { i18n: { localized: true } },
    attributes: {
      title: { type: 'string' },
      slug: { type: 'uid', targetField: 'title' },
      code: { type: 'string', unique: true },
      data: { type: 'json' },
    },
  },
]
const publicActions = ['find', 'findOne', 'create', 'update', 'delete'].map(name => `api::page.page.${name}`)
const accounts = ['auth.callback', 'auth.register', 'auth.forgotPassword', 'auth.resetPassword'].map(
  name => `plugin::users-permissions.${name}`,
)

async function start(t: Test, charset: string) {
  const database = await freshDatabase('mysql')
  t.teardown(() => database.drop())
  const connection = await database.open()
  await connection.run(`ALTER DATABASE ${database.config.connection.database} CHARACTER SET ${charset}`)
  await connection.close()
  const folder = await mkdtemp(join(tmpdir(), 'plinth-narrow-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const permissions = {
    public: [...publicActions, ...accounts, 'plugin::upload.content-api.upload'],
    authenticated: [],
  }
  const app = await createServer({
    database: database.config,
    contentTypes,
    plugins: {
      rest: { plugin: rest },
      graphql: { plugin: graphql },
      i18n: { plugin: i18n },
      idempotency: { plugin: idempotency },
      upload: { plugin: upload, config: { folder } },
      'users-permissions': {
        plugin: usersPermissions,
        config: { jwtSecret: 'a secret of the tests, long enough', ratelimit: { enabled: false }, permissions },
      },
    },
    logger: false,
  } as never)
  t.teardown(() => app.close())
  await app.ready()
  return app
}

for (const charset of (await databases()).includes('mysql') ? ['latin1', 'utf8mb3'] : [])
  t.test(charset, async t => {
    const app = await start(t, charset)
    const post = async (url: string, payload: object, headers: Record<string, string> = {}) => {
      const { statusCode, body } = await app.inject({ method: 'POST', url, payload, headers })
      return { status: statusCode, body: JSON.parse(body) }
    }
    const get = async (query: string) => (await app.inject(`/api/pages?${query}`)).statusCode
    t.match(await post('/api/pages', { data: { title: 'abc', slug: 'abc', code: 'abc' } }), { status: 200 })
    for (const text of ['🎉', 'a🎉@example.com', '\u{1F600}x']) {
      const sent = encodeURIComponent(text)
      for (const field of ['title', 'slug', 'code', 'locale'])
        for (const operator of [
          '$eq',
          '$ne',
          '$in',
          '$notIn',
          '$gt',
          '$lt',
          '$eqi',
          '$contains',
          '$startsWith',
          '$between',
        ]) {
          const index = operator === '$between' ? `[0]=a&filters[${field}][${operator}][1]` : ''
          t.equal(await get(`filters[${field}][${operator}]${index}=${sent}`), 200, `${field} ${operator} ${text}`)
        }
      t.ok((await get(`locale=${sent}`)) < 500)
      t.ok((await get(`_q=${sent}`)) < 500)
      t.equal(await get(`filters[localizations][title]=${sent}`), 200)
      for (const data of [{ title: text }, { slug: text }, { code: text }, { title: 'x', locale: text }])
        t.match(await post('/api/pages', { data }), { status: 400 }, JSON.stringify(data))
      t.match(await post('/api/auth/local', { identifier: text, password: 'x' }), { status: 400 })
      t.match(await post('/api/auth/local', { identifier: 'x', password: text }), { status: 400 })
      t.ok((await post('/api/auth/forgot-password', { email: text })).status < 500)
      const user = { username: `u${text}`, email: 'a@example.com', password: 'secret-secret' }
      t.match(await post('/api/auth/local/register', user), { status: 400 })
      t.match(await post('/api/auth/local/register', { ...user, username: 'abc', email: text }), { status: 400 })
      const code = { code: text, password: 'secret-secret', passwordConfirmation: 'secret-secret' }
      t.match(await post('/api/auth/reset-password', code), { status: 400 })
      const query = `query($x: String) { pages(filters: { title: { eq: $x }, code: { ne: $x } }) { data { id } } }`
      t.match(await post('/graphql', { query, variables: { x: text } }), {
        status: 200,
        body: { data: { pages: { data: [] } } },
      })
      const mutation = `mutation($x: String) { createPage(data: { code: $x }) { data { id } } }`
      const { body } = await post('/graphql', { query: mutation, variables: { x: text } })
      t.notMatch(body.errors[0].extensions.code, /INTERNAL/)
      // An answer that says the text again is kept for the key.
      for (const data of [{ title: text }, { data: { text } }]) {
        const key = `${Object.keys(data)[0]}-${sent.slice(0, 9)}`
        const kept = () => post('/api/pages', { data }, { 'idempotency-key': key })
        const first = await kept()
        t.match(first, { status: 'title' in data ? 400 : 200 })
        t.same(await kept(), first)
      }
      const boundary = 'x'
      const payload = `--x\r\ncontent-disposition: form-data; name="files"; filename="${text}.txt"\r\ncontent-type: text/plain\r\n\r\nhello\r\n--x--\r\n`
      const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
      const sentFile = await app.inject({ method: 'POST', url: '/api/upload', payload, headers })
      t.ok(sentFile.statusCode < 500, sentFile.body)
    }
  })
