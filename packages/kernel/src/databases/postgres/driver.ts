// PostgreSQL by pg: named statements, prepared once per connection; values come as the server writes them, as text, and
// the dialect's codecs read them.

import { createHash } from 'node:crypto'
import type { Client } from 'pg'
import { UsageError } from '../../errors.ts'
import type { Bound } from '../../sql/dialect.ts'
import { postgres } from './dialect.ts'
import type { ResolvedDatabase } from '../config.ts'
import { isTransient } from '../../database/retry.ts'
import type { Change, Rows, StatementListener, Step } from '../../database/session.ts'
import { Usage } from '../../database/usage.ts'
import { connectTimeout, type Driver, type DriverSession, type Limits } from '../../database/driver.ts'
import { cancelQuery } from './cancel.ts'
import { type Outcome, type Prepared, PreparedStatement, StatementRun } from './statement.ts'

/** Most statements that a connection keeps, and letters of theirs: the server's memory is several times that. */
const mostPrepared = 1000
const mostLetters = 1024 * 1024

/** A session on a pg connection. What nobody waits for goes to the server with the next statement that somebody waits for. */
export class PostgresSession implements DriverSession {
  readonly connection: Client
  readonly #statements = new Map<string, PreparedStatement>()
  /** Letters of their texts. */
  #letters = 0
  /** Names that the server keeps for nothing. */
  #retired: string[] = []
  #named = 0
  #unsent: Prepared[] = []
  #isWithin = false
  #lost: unknown = null
  readonly inTransaction = true
  readonly joins = true
  readonly holdsNames = false
  readonly usage = new Usage()
  listener: StatementListener = null

  constructor(connection: Client) {
    this.connection = connection
  }

  async all(text: string, values: readonly Bound[]): Promise<Rows> {
    return (await this.#run([{ text, values }])).rows[0]!
  }

  async allOf(steps: readonly Step[]): Promise<Rows[]> {
    return steps.length === 0 ? [] : (await this.#run(steps)).rows
  }

  async run(text: string, values: readonly Bound[]): Promise<Change> {
    if (text.startsWith('ROLLBACK')) {
      this.#lost = null
      if (this.#forget()) return nothing
    }
    if (text === 'COMMIT') this.usage.isCommitting = true
    const { rows, tag } = await this.#run([{ text, values }])
    if (text === 'COMMIT' || text === 'ROLLBACK') this.#isWithin = false
    // The server takes a COMMIT for a ROLLBACK where a statement failed before, whoever kept quiet about it.
    if (text === 'COMMIT' && tag !== 'COMMIT')
      throw new UsageError('PLINTH_TRANSACTION_FAILED', 'The transaction had failed before its COMMIT')
    return { changes: Number(tag.slice(tag.lastIndexOf(' ') + 1)) || 0, id: Number(rows[0]?.[0]?.[0] ?? 0) }
  }

  send(text: string, values: readonly Bound[]): void {
    if (this.listener !== null) this.listener(text)
    if (text.startsWith('BEGIN')) this.#isWithin = true
    this.#unsent.push({ statement: this.#statementOf(text), values })
  }

  async flush(): Promise<void> {
    if (this.#lost !== null) throw this.#lost
    if (this.#unsent.length > 0) await this.#submit(this.#take(), 0)
  }

  /** The server's locks are numbers: 64 bits of a hash of each name. */
  async lockNames(names: readonly string[]): Promise<void> {
    const text = 'SELECT pg_advisory_xact_lock(k) FROM unnest(CAST($1 AS bigint[])) k'
    const keys = names.map(name => createHash('sha1').update(`plinth ${name}`).digest().readBigInt64BE())
    await this.all(text, [keys])
  }

  /** They end with the transaction. */
  unlockNames(): void {}

  lose(error: unknown): void {
    if (this.#isWithin) this.#lost ??= error
  }

  /** What is taken back need not be sent. True where not even the transaction's BEGIN was. */
  #forget(): boolean {
    const isUnbegun = this.#take()[0]?.statement.text.startsWith('BEGIN') === true
    if (isUnbegun) this.#isWithin = false
    return isUnbegun
  }

  #take(): Prepared[] {
    const steps = this.#unsent
    this.#unsent = []
    return steps
  }

  #run(steps: readonly Step[]): Promise<Outcome> {
    const prepared = this.#take()
    for (const { text, values } of steps) {
      if (this.listener !== null) this.listener(text)
      prepared.push({ statement: this.#statementOf(text), values })
    }
    return this.#submit(prepared, steps.length)
  }

  /** `kept`: of how many steps, the last ones, the rows are wanted. */
  #submit(steps: readonly Prepared[], kept: number): Promise<Outcome> {
    const refusal = this.#lost ?? this.usage.refusal
    if (refusal !== null) return Promise.reject(refusal)
    return new Promise((resolve, reject) => {
      this.usage.begun++
      const retired = this.#retired
      if (retired.length > 0) this.#retired = []
      const run = new StatementRun({ retired, steps, kept }, (error, outcome) => {
        this.usage.ended++
        if (error === null) return resolve(outcome)
        // Told again to whoever goes on: a conflict is worth another attempt, the server only says that something was.
        if (isTransient(error)) this.lose(error)
        reject(error as Error)
      })
      this.connection.query(run)
    })
  }

  #statementOf(text: string): PreparedStatement {
    const known = this.#statements.get(text)
    if (known !== undefined) return known
    if (text.length > mostLetters) return new PreparedStatement(text, '')
    if (this.#statements.size >= mostPrepared || this.#letters + text.length > mostLetters) this.#retireAll()
    const made = new PreparedStatement(text, `plinth_${this.#named++}`)
    this.#statements.set(text, made)
    this.#letters += text.length
    return made
  }

  /** Those that are in use are prepared again: to know which ones are would cost something with each statement. */
  #retireAll(): void {
    for (const statement of this.#statements.values()) {
      const name = statement.retire()
      if (name !== null) this.#retired.push(name)
    }
    this.#statements.clear()
    this.#letters = 0
  }
}

/** The socket of a pg connection. */
type Wired = Client & { readonly connection: { readonly stream: { destroy(why: Error): void } } }

const nothing: Change = { changes: 0, id: 0 }

/** What every connection is told first: dates in one form, whatever the server's configuration. */
const settings = [
  `SET TIME ZONE 'UTC'`,
  `SET DateStyle = 'ISO, YMD'`,
  'SET standard_conforming_strings = on',
  'SET extra_float_digits = 1',
]

type ServerDatabase = Exclude<ResolvedDatabase, { client: 'sqlite' }>

/** Limits by the server's names, in milliseconds. */
function limitsOf(config: ServerDatabase): readonly (readonly [name: string, value: number])[] {
  const all = [
    ['statement_timeout', config.statementTimeout],
    ['lock_timeout', config.lockTimeout],
    ['idle_in_transaction_session_timeout', config.idleTransactionTimeout],
  ] as const
  return all.filter(([, value]) => value > 0)
}

/** A migration waits so long for a table or for another process's migration, in milliseconds. */
const migrationPatience = 600_000

/** One statement that sets them for the session. */
const setLimits = (limits: ReturnType<typeof limitsOf>) =>
  `SELECT ${limits.map(([name, value]) => `set_config('${name}', '${value}', false)`).join(', ')}`

const lifted = [
  ['statement_timeout', 0],
  ['lock_timeout', migrationPatience],
  ['idle_in_transaction_session_timeout', 0],
] as const

/** What takes the limits away for a while; where the configuration names none, they go back to the server's. */
function liftable(config: ServerDatabase): Limits {
  const own = new Map(limitsOf(config))
  const restored = lifted.map(([name]) => {
    const value = own.get(name)
    const text = value === undefined ? `(SELECT reset_val FROM pg_settings WHERE name = '${name}')` : `'${value}'`
    return `set_config('${name}', ${text}, false)`
  })
  return { lift: setLimits(lifted), restore: `SELECT ${restored.join(', ')}` }
}

/** The driver of a PostgreSQL server. */
export function createPostgresDriver(config: ServerDatabase): Driver {
  const { schema, ...connection } = config.connection
  const limits = limitsOf(config).map(([name, value]) => `SET ${name} = ${value}`)
  const told = [...settings, ...limits].join('; ')
  return {
    dialect: postgres,
    async meet(session) {
      await session.all('SELECT 1', [])
      return postgres
    },
    knex: {
      client: 'pg',
      connection: { connectionTimeoutMillis: connectTimeout(config), ...connection } as never,
      ...(schema === undefined ? {} : { searchPath: [schema as string] }),
      pool: {
        ...config.pool,
        afterCreate: (client: Client, done: (error: Error | null, client: unknown) => void) => {
          client.query(told, error => done(error as Error | null, client))
        },
      },
    },
    limits: liftable(config),
    interruption: () => ({
      cancel: async sessions => {
        await Promise.all(sessions.map(({ connection }) => cancelQuery(connection as Client)))
      },
      destroy: ({ connection }, why) => void (connection as Wired).connection.stream.destroy(why),
    }),
    hasOneWriter: false,
    electionText: 'SELECT pg_try_advisory_lock(1886153333)',
    begin: serializable => [serializable ? 'BEGIN ISOLATION LEVEL SERIALIZABLE' : 'BEGIN'],
    open: raw => new PostgresSession(raw as Client),
    openReader: () => null,
    async fingerprint(session, table, id, locks) {
      const text = `SELECT t.xmin FROM ${postgres.quote(table)} t WHERE t.${postgres.quote('id')} = $1`
      return String((await session.all(locks ? `${text} FOR NO KEY UPDATE` : text, [id]))[0]?.[0])
    },
    close: () => {},
  }
}
