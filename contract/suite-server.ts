/**
 * The server under test: starts Plinth on the recorded content model by the start contract of the conformance corpus
 * (HOST, PORT, DATABASE_FILENAME, UPLOADS_DIR, APP_DIR, CONFORMANCE_SUITE, TZ).
 */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createServer } from '@plinth/server'
import { freshDatabase } from '@plinth/testing/databases'
import grants from './grants.ts'

interface SuiteHeader {
  config?: { rest?: { defaultLimit?: number; maxLimit?: number } }
  locales?: string[]
  grants?: { public?: string[] }
}

function variable(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set, but the start contract requires it`)
  return value
}

/** The state the suite starts in. There are no accounts and tokens before their plugins exist. */
async function readHeader(): Promise<SuiteHeader> {
  const file = process.env.CONFORMANCE_SUITE
  return file ? (JSON.parse(await readFile(file, 'utf8')) as SuiteHeader) : {}
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

const dir = variable('APP_DIR')
const database = await chooseDatabase(dir)
const { config = {}, grants: granted, locales = ['en'] } = await readHeader()
const app = await createServer({
  dir,
  database: database.config,
  plugins: {
    rest: { config: { defaultLimit: 25, maxLimit: 100, ...config.rest } },
    'draft-publish': { config: { findOne: 'v4' } }, // as recorded: an entry asked for by id comes even as a draft
    i18n: { config: { locales } },
    // Without a suite everything is open.
    grants: { plugin: grants, enabled: granted !== undefined, config: { public: granted?.public ?? [] } },
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
await app.listen({ host: variable('HOST'), port: Number(variable('PORT')) })
