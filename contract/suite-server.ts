/**
 * The server under test: starts Plinth on the recorded content model by the start contract of the conformance corpus
 * (HOST, PORT, DATABASE_FILENAME, UPLOADS_DIR, APP_DIR, CONFORMANCE_SUITE, TZ).
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createServer } from '@plinth/server'
import { freshDatabase } from '@plinth/test-tools/databases'
import { makeState, pluginsOf, readHeader } from './suite-state.ts'

function variable(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set, but the start contract requires it`)
  return value
}

/** The project's own settings, a database that v4's variables name, a fresh one that goes at the end, or a file. */
async function chooseDatabase(dir: string) {
  if (existsSync(join(dir, 'config/database.js'))) return { config: undefined, drop: async () => {} }
  const client = process.env.DATABASE_CLIENT
  if (client === 'mysql' || client === 'postgres') {
    return process.env.DATABASE_NAME ? { config: { client }, drop: async () => {} } : freshDatabase(client)
  }
  const connection = { filename: variable('DATABASE_FILENAME') }
  return { config: { client: 'sqlite', connection }, drop: async () => {} }
}

/** As recorded: introspection is on, and forms need no header (B-9.9). */
const graphqlConfig = { apolloServer: { introspection: true, csrfPrevention: false } }

const dir = variable('APP_DIR')
const database = await chooseDatabase(dir)
const header = await readHeader(process.env.CONFORMANCE_SUITE)
/** A database in place has its own roles, users and tokens; their secrets are in the environment. */
const isInPlace = database.config === undefined
const inPlace = { 'users-permissions': { config: { ratelimit: { enabled: false } } }, 'api-tokens': true } as const
const { config = {}, locales = ['en'] } = header
const app = await createServer({
  dir,
  database: database.config,
  plugins: {
    rest: { config: { defaultLimit: 25, maxLimit: 100, ...config.rest } },
    'draft-publish': { config: { findOne: 'v4' } }, // as recorded: an entry asked for by id comes even as a draft
    i18n: { config: { locales } },
    graphql: { config: { ...graphqlConfig, ...config.graphql } },
    upload: { config: { folder: variable('UPLOADS_DIR') } },
    ...(isInPlace ? inPlace : pluginsOf(header)),
  },
  logger: false,
}).catch(async error => {
  await database.drop()
  throw error
})

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, async () => {
    await app.close()
    await database.drop()
    process.exit(0)
  })
}
await makeState(app.kernel, header)
await app.listen({ host: variable('HOST'), port: Number(variable('PORT')) })
