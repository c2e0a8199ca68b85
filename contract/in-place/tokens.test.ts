/** The API tokens of v4's database stay valid (B-6.70 to B-6.74), and those that are made here are in its form. */

import { createHmac } from 'node:crypto'
import { tokensOf } from '@plinth/api-tokens'
import { createServer } from '@plinth/server'
import { onEach } from '@plinth/test-tools/on-each'
import { copyDatabase, project } from '@plinth/test-tools/recordings'
import { plugins } from './plugins.ts'

const salt = 'v4-database-api-token-salt'
/** The keys are in the README of the recording. */
const [reader, writer] = ['reader-0f3a9c41d2b84e6fa1c7', 'writer-7be2d05f9a6341c8b3d4']

await onEach('the API tokens of a v4 database', async (t, client) => {
  const database = await copyDatabase(client)
  t.teardown(() => database.drop())
  // The salt is found in config/admin.js, as v4 finds it.
  const settings = { ...plugins, 'api-tokens': true }
  const app = await createServer({ dir: project, database: database.config, plugins: settings, logger: false })
  const opened = await database.open()
  t.teardown(async () => {
    await opened.close()
    await app.close()
  })
  const send = async (method: 'GET' | 'POST', key: string, payload?: object) =>
    (
      await app.inject({
        method,
        url: '/api/tags',
        headers: { authorization: `Bearer ${key}` },
        ...(payload && { payload }),
      })
    ).statusCode
  t.equal(await send('GET', reader!), 200)
  t.equal(await send('POST', reader!, { data: { label: 'x' } }), 403, 'reader is read-only')
  t.equal(await send('POST', writer!, { data: { label: 'of the writer' } }), 200, 'writer may do everything')
  t.equal(await send('GET', 'reader'), 401)

  const tokens = tokensOf(app.kernel)
  t.match(await tokens.list(), [
    { id: 1, name: 'reader', description: 'reader of the website', type: 'read-only', permissions: [] },
    { id: 2, name: 'writer', type: 'full-access', lifespan: null, expiresAt: null },
  ])
  const action = 'api::tag.tag.find'
  const made = await tokens.create({ name: 'tags', type: 'custom', permissions: [action], lifespan: 604_800_000 })
  const [row] = await opened.all(`SELECT access_key, lifespan, type FROM strapi_api_tokens WHERE id = ${made.id}`)
  t.equal(row?.access_key, createHmac('sha512', salt).update(made.accessKey).digest('hex'))
  t.match({ type: row?.type, lifespan: String(row?.lifespan) }, { type: 'custom', lifespan: '604800000' })
  const links = await opened.all(
    `SELECT p.action FROM strapi_api_token_permissions p
     JOIN strapi_api_token_permissions_token_links l ON l.api_token_permission_id = p.id
     WHERE l.api_token_id = ${made.id}`,
  )
  t.same(
    links.map(one => one.action),
    [action],
  )
  t.equal(await send('GET', made.accessKey), 200)
  t.equal(await send('POST', made.accessKey, { data: { label: 'y' } }), 403)
})
