/**
 * Every plugin mounts its routes on a server of a kernel that was not started (`migrate: 'none'`), as `plinth routes` and
 * `plinth openapi` do it, and changes nothing in the database.
 */

import { join } from 'node:path'
import { createServer } from '@plinth/server'
import t from 'tap'
import { fresh } from '../boot.ts'

const salt = 'a salt that is long enough for all of it'

const plugins = {
  rest: true,
  'draft-publish': true,
  i18n: { config: { locales: ['en', 'fr'] } },
  upload: true,
  'api-tokens': { config: { salt } },
  'users-permissions': { config: { jwtSecret: salt } },
  graphql: true,
  'graphql-subscriptions': true,
  idempotency: true,
  passwords: true,
  email: true,
  advice: true,
  'entry-versions': true,
  metrics: { config: { port: 0 } },
  'content-type-builder': true,
  openapi: true,
  webhooks: { config: { hooks: { all: { url: 'https://example.com/', events: ['entry.create'] } } } },
}

/** A route of each plugin that has some. */
const expected = [
  '/api/tags',
  '/api/i18n/locales',
  '/api/upload/files',
  '/admin/api-tokens',
  '/api/auth/local',
  '/graphql',
  '/api/content-type-builder/content-types',
  '/openapi.json',
]

t.test('every plugin mounts its routes without a start', async t => {
  const { config: database } = await fresh(t)
  const app = await createServer({
    dir: join(import.meta.dirname, '../app'),
    database,
    plugins,
    migrate: 'none',
    logger: false,
  })
  t.teardown(() => app.close())
  for (const url of expected) t.ok(app.hasRoute({ method: 'GET', url }) || app.hasRoute({ method: 'POST', url }), url)
  const { knex } = app.kernel
  for (const table of ['tags', 'up_users']) t.notOk(await knex.schema.hasTable(table), `there is no table ${table}`)
})
