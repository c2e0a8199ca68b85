// createTestApp starts an application, or a plugin in an application of a test's own, on a database in memory. Knows no
// test runner.

import { type Entry, type Kernel, StartError } from '@plinth/kernel'
import { createServer, plainLog, type ServerOptions } from '@plinth/server'
import sqlite from '@plinth/sqlite'
import type { FastifyInstance } from 'fastify'
import { type Caller, CallerSet, type Callers } from './callers.ts'

/** The options of createServer, without the database. */
export interface TestAppOptions extends Omit<ServerOptions, 'database' | 'migrate'> {
  /** Callers with these rights, by names of the test's own. */
  readonly callers?: Callers
}

/** A running application. */
export interface TestApp {
  /** The server. It listens to no port; `inject` sends it requests. */
  readonly app: FastifyInstance
  readonly kernel: Kernel
  /** Sends a request: `await inject('/api/articles')`, `await inject({ method: 'POST', url, payload, headers })`. */
  readonly inject: FastifyInstance['inject']
  /** A caller of the option `callers`. Throws CredentialsError for another name. */
  caller(name: string): Caller
  /** Creates entries one after the other, with all rights, and returns them with their ids. */
  seed(uid: string, entries: readonly Readonly<Record<string, unknown>>[]): Promise<Entry[]>
  /** Ends the server and drops its database. Can be called again. */
  close(): Promise<void>
  /** For `await using test = await createTestApp(…)`, which closes it at the end of the block. */
  [Symbol.asyncDispose](): Promise<void>
}

const databaseWords = ['database', 'migrate']

/**
 * Starts a server on a database in memory, which has the tables of its content types and no entries. Errors are logged to
 * stderr, and nothing else is. Throws what createServer throws.
 */
export async function createTestApp({ callers = {}, configure, ...options }: TestAppOptions = {}): Promise<TestApp> {
  // In JavaScript nothing else would show that a test does not run on the database that it names.
  const refused = databaseWords.find(word => word in options)
  if (refused !== undefined)
    throw new StartError(
      'PLINTH_OPTION_UNKNOWN',
      `createTestApp: the option ${refused} is not known, because the database is in memory; use createServer for another one`,
    )
  const set = new CallerSet(callers)
  const app = await createServer({
    logger: plainLog('error'),
    serverTiming: false,
    ...options,
    database: { client: sqlite, connection: { filename: ':memory:' } },
    migrate: 'add',
    configure(kernel) {
      set.register(kernel)
      configure?.(kernel)
    },
  })
  const { kernel } = app
  const close = async () => void (await app.close())
  return {
    app,
    kernel,
    inject: app.inject.bind(app),
    caller: name => set.get(kernel, name),
    seed: (uid, entries) => seed(kernel, uid, entries),
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function seed(kernel: Kernel, uid: string, entries: readonly object[]): Promise<Entry[]> {
  const storedEntries: Entry[] = []
  for (const data of entries) storedEntries.push(await kernel.query(uid).create({ data: { ...data } }))
  return storedEntries
}
