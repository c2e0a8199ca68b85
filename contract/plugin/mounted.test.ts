/**
 * Every plugin mounts its routes on a server of a kernel that was not started (`migrate: 'none'`), as `plinth routes` and
 * `plinth openapi` do it, and changes nothing in the database.
 */

import { join } from 'node:path'
import { createServer } from '@plinth/server'
import t from 'tap'
import { fresh } from '../boot.ts'
import { everyPlugin } from '../every-plugin.ts'

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
  '/studio',
  '/api/slugs/generate',
]

t.test('every plugin mounts its routes without a start', async t => {
  const { config: database } = await fresh(t)
  const app = await createServer({
    dir: join(import.meta.dirname, '../app'),
    database,
    plugins: await everyPlugin(),
    migrate: 'none',
    logger: false,
  })
  t.teardown(() => app.close())
  for (const url of expected) t.ok(app.hasRoute({ method: 'GET', url }) || app.hasRoute({ method: 'POST', url }), url)
  const { knex } = app.kernel
  for (const table of ['tags', 'up_users']) t.notOk(await knex.schema.hasTable(table), `there is no table ${table}`)
})
