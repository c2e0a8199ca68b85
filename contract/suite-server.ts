/**
 * The server under test: starts Plinth on the recorded content model by the start contract of the conformance corpus
 * (HOST, PORT, DATABASE_FILENAME, UPLOADS_DIR, APP_DIR, CONFORMANCE_SUITE). It must not know in which process it runs.
 */

import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer as createPort } from 'node:net'
import { join } from 'node:path'
import { createServer } from '@plinth/server'
import { freshDatabase } from '@plinth/test-tools/databases'
import { makeState, pluginsOf, readHeader } from './suite-state.ts'

/** The variables of the start contract. */
export type SuiteVariables = Readonly<Record<string, string | undefined>>

/** The project's own settings, a database that v4's variables name, a fresh one that goes at the end, or a file. */
async function chooseDatabase(dir: string, variables: SuiteVariables) {
  if (existsSync(join(dir, 'config/database.js'))) return { config: undefined, drop: async () => {} }
  const client = variables.DATABASE_CLIENT
  if (client === 'mysql' || client === 'postgres') {
    return variables.DATABASE_NAME ? { config: { client }, drop: async () => {} } : freshDatabase(client)
  }
  const connection = { filename: required(variables, 'DATABASE_FILENAME') }
  return { config: { client: 'sqlite', connection }, drop: async () => {} }
}

function required(variables: SuiteVariables, name: string): string {
  const value = variables[name]
  if (!value) throw new Error(`${name} is not set, but the start contract requires it`)
  return value
}

/**
 * Listens until the server does. The replayer chooses a free port long before: another server that was given the same
 * port in between would answer in place of this one. Throws EADDRINUSE if that has happened.
 */
async function reservePort(address: { readonly host: string; readonly port: number }): Promise<() => Promise<void>> {
  const reserved = createPort(socket => socket.destroy()).listen(address)
  await once(reserved, 'listening')
  return async () => {
    reserved.close()
    await once(reserved, 'close')
  }
}

/** As recorded: introspection is on, and forms need no header (B-9.9). */
const graphqlConfig = { apolloServer: { introspection: true, csrfPrevention: false } }

/** Starts the server of a suite, and returns the function that closes it. */
export async function startSuiteServer(variables: SuiteVariables): Promise<() => Promise<void>> {
  const address = { host: required(variables, 'HOST'), port: Number(required(variables, 'PORT')) }
  const release = await reservePort(address)
  const { app, close } = await openSuiteServer(variables).finally(release)
  try {
    await app.listen(address)
  } catch (error) {
    await close()
    throw error
  }
  return close
}

/** The server of a suite, in the state that its header describes, and the function that closes it and drops its database. */
async function openSuiteServer(variables: SuiteVariables) {
  const dir = required(variables, 'APP_DIR')
  const header = await readHeader(variables.CONFORMANCE_SUITE)
  const { config = {}, locales = ['en'] } = header
  const database = await chooseDatabase(dir, variables)
  /** A database in place has its own roles, users and tokens; their secrets are in the environment. */
  const isInPlace = database.config === undefined
  const inPlace = { 'users-permissions': { config: { ratelimit: { enabled: false } } }, 'api-tokens': true } as const
  const app = await createServer({
    dir,
    database: database.config,
    plugins: {
      rest: { config: { defaultLimit: 25, maxLimit: 100, ...config.rest } },
      'draft-publish': { config: { findOne: 'v4' } }, // as recorded: an entry asked for by id comes even as a draft
      i18n: { config: { locales } },
      graphql: { config: { ...graphqlConfig, defaultLimit: 10, amountLimit: 100, ...config.graphql } },
      upload: { config: { folder: required(variables, 'UPLOADS_DIR'), sizeLimit: 1_000_000, ...config.upload } },
      'custom-fields': true,
      passwords: true,
      ...(isInPlace ? inPlace : pluginsOf(header)),
    },
    logger: false,
  }).catch(async error => {
    await database.drop()
    throw error
  })
  const close = async () => {
    await app.close()
    await database.drop()
  }
  try {
    await makeState(app.kernel, header)
  } catch (error) {
    await close()
    throw error
  }
  return { app, close }
}
