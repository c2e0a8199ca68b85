// Finds out how the server is reached: directly, or through a pooler such as PgBouncer, and whether the pooler gives each
// transaction another server connection. Asks on two connections which server process answers, and sets nothing.

import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type DriverSession, fieldsOf, type Rows, StartError } from '@plinth/kernel/database'
import type { Client } from 'pg'
import { PostgresSession } from './session.ts'
import { openingsOfOwn } from './settings.ts'

/** The way in which a server is reached. */
export interface Route {
  /** `session`: a pooler gives each connection a server connection of its own; `transaction`: each transaction. */
  readonly kind: 'direct' | 'session' | 'transaction'
  /** True if a statement that a connection has prepared is there in its next transaction. */
  readonly keepsStatements: boolean
}

/** The tools of the search for the route. */
export interface RouteSearch {
  readonly first: Client
  /** Opens another connection, which someone else closes. */
  readonly openSecond: () => Promise<Client>
  /** True if statements will be prepared by name. */
  readonly isNamed: boolean
  /** Begins a transaction and tries to take the lock of the elected process in it; the first value is true if it has it. */
  readonly elect: (session: DriverSession) => Promise<Rows>
  /** Milliseconds to wait for an answer when there are two connections. */
  readonly timeout: number
}

/** Finds the route. Throws StartError (PLINTH_DATABASE_POOLER) if a pooler lets no two transactions run at a time. */
export async function findRoute(search: RouteSearch): Promise<Route> {
  const { first, openSecond, isNamed, timeout } = search
  const probe = new Probe([sessionOn(first, isNamed)], isNamed)
  await probe.ask(0, newLabel())
  try {
    const second = await openSecond()
    probe.sessions.push(sessionOn(second, isNamed))
    await probe.compare([first, second], timeout)
    if (probe.isShared) await requireTwo(probe.sessions, search)
  } catch (error) {
    // Without a second connection, the key of the first one decides.
    if (error instanceof StartError || isPooled(first, probe.servers[0]!)) throw error
    await probe.sessions[0]!.forget()
    return { kind: 'direct', keepsStatements: true }
  }
  const isKept = !probe.isShared || probe.keepsStatements === true
  // The pool and the election have sessions of their own on these connections.
  if (isKept) await Promise.all(probe.sessions.map(session => session.forget()))
  if (probe.isShared) return { kind: 'transaction', keepsStatements: isKept }
  return { kind: isPooled(first, probe.servers[0]!) ? 'session' : 'direct', keepsStatements: true }
}

/** A session without settings: the pool's own would set some. */
function sessionOn(connection: Client, isNamed: boolean): PostgresSession {
  return new PostgresSession(connection, { isNamed, openings: openingsOfOwn, takesSnapshots: false })
}

/** A pooler gives its clients keys of its own for cancellations; the server's contains the number of its process. */
function isPooled(connection: Client, server: number): boolean {
  return (connection as Client & { readonly processID: number }).processID !== server
}

/** A text that no other process prepares. */
const newLabel = () => `plinth_${randomBytes(6).toString('hex')}`

/**
 * The questions of a cycle: which connection asks, and whether by the cycle's first or second statement. Poolers choose
 * the server connection that was used last, or the one after: in either case a cycle tells whether they share them.
 */
const cycle = [
  [0, 0],
  [1, 0],
  [0, 1],
  [0, 1],
  [1, 1],
  [1, 0],
] as const

/** Cycles until the server connections of a pooler count as not shared, and until its statements count as lost. */
const cyclesUntilOwn = 3
const cyclesUntilLost = 8

/** Asks which server process answers, and concludes. */
class Probe {
  readonly sessions: PostgresSession[]
  readonly #isNamed: boolean
  /** The server process that answered each session last. */
  readonly servers: number[] = []
  /** The server processes on which a statement was prepared, by its label. */
  readonly #prepared = new Map<string, Set<number>>()
  readonly #questions = new Set<string>()
  /** True if one server process answered both sessions, or two answered one. */
  isShared = false
  /** Null as long as that is not known. */
  keepsStatements: boolean | null = null

  constructor(sessions: PostgresSession[], isNamed: boolean) {
    this.sessions = sessions
    this.#isNamed = isNamed
  }

  get #isDone(): boolean {
    return this.isShared && (!this.#isNamed || this.keepsStatements !== null)
  }

  /** Asks until it is known whether the sessions share server connections, and whether these keep statements. */
  async compare([first, second]: readonly [Client, Client], timeout: number): Promise<void> {
    for (let i = 0; i < (this.isShared ? cyclesUntilLost : cyclesUntilOwn); i++) {
      const labels = [newLabel(), newLabel()] as const
      for (const [at, label] of cycle) {
        await inTime(timeout, this.ask(at, labels[label]))
        if (this.#isDone) return
      }
      const isDirect = !isPooled(first, this.servers[0]!) && !isPooled(second, this.servers[1]!)
      if (isDirect && !this.isShared) return
    }
  }

  async ask(at: 0 | 1, label: string): Promise<void> {
    let server: number
    try {
      server = Number((await this.sessions[at]!.all(`SELECT pg_backend_pid() AS ${label}`, []))[0]![0])
    } catch (error) {
      if (!isMisnamed(error)) throw error
      this.isShared = true
      this.keepsStatements = false
      return
    }
    const before = this.servers[at]
    if ((before !== undefined && before !== server) || this.servers[1 - at] === server) this.isShared = true
    this.servers[at] = server
    this.#note(`${at} ${label}`, label, server)
  }

  /** A name that is taken cannot be prepared, and one that is missing cannot be used: it would have failed. */
  #note(question: string, label: string, server: number): void {
    const servers = this.#prepared.get(label) ?? new Set()
    this.#prepared.set(label, servers)
    const isFirst = !this.#questions.has(question)
    this.#questions.add(question)
    if (servers.has(server) === isFirst) this.keepsStatements = true
    if (isFirst) servers.add(server)
  }
}

/** Returns whether a prepared statement is missing, or its name is taken by another connection. */
function isMisnamed(error: unknown): boolean {
  const { code } = fieldsOf(error)
  return code === '26000' || code === '42P05'
}

/**
 * The elected process keeps a transaction open: others must have a server connection beside it. If another process is
 * elected, they have.
 */
async function requireTwo([first, second]: readonly PostgresSession[], { elect, timeout }: RouteSearch): Promise<void> {
  const isElected = await elect(first!).then(
    rows => rows[0]?.[0] === true,
    error => {
      throw refusesTransactions(error as Error)
    },
  )
  try {
    if (isElected) await inTime(timeout, second!.all('SELECT 1', []))
  } finally {
    await first!.rollback()
  }
}

const refusesTransactions = (cause: Error) =>
  new StartError(
    'PLINTH_DATABASE_POOLER',
    `config/database: the pooler before PostgreSQL accepts no transaction (${cause.message}); let it pool by transaction or by session: pool_mode = transaction, or pool_mode = session`,
    { cause },
  )

/** Throws StartError if the second connection gets no server connection in time. */
async function inTime<T>(timeout: number, work: Promise<T>): Promise<T> {
  const controller = new AbortController()
  const late = sleep(timeout, undefined, { signal: controller.signal }).then(() => {
    throw new StartError(
      'PLINTH_DATABASE_POOLER',
      `config/database: the pooler before PostgreSQL gave no second server connection within ${timeout / 1000} s: it needs at least two for this database and user (default_pool_size), and in session mode one for each connection`,
    )
  })
  try {
    return await Promise.race([work, late])
  } finally {
    late.catch(() => {})
    // The work may fail later, when its connection is closed.
    work.catch(() => {})
    controller.abort()
  }
}
