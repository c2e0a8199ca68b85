// Sends single statements on a mysql2 connection: prepared if the server has room, otherwise as text. Does not depend
// on transactions.

import type { Bound } from '@plinth/kernel/database'
import type { ServerUsage } from '@plinth/sql-servers'
import type { Connection } from 'mysql2'
import type { Block } from './blocks.ts'
import { spread, withLiterals } from './lists.ts'

/** ER_MAX_PREPARED_STMT_COUNT_REACHED: all connections to the server together keep too many statements. */
const isFull = (error: unknown) => (error as { errno?: unknown }).errno === 1461

/** Statements that are sent as text before this connection tries to prepare again. */
const textsInARow = 100

/** mysql2's cache of a connection's prepared statements. */
function preparedOf(connection: Connection): { resize(most: number): void; clear(): void } {
  return (connection as unknown as { readonly _statements: { resize(most: number): void; clear(): void } })._statements
}

/** The connection's state and limits that a wire uses. */
interface WireOptions {
  readonly usage: ServerUsage
  /** Statements that the server keeps prepared for this connection. */
  readonly maxPrepared: number
  /** Is called for each error of the server before the caller receives it. */
  readonly onError: (error: unknown) => void
}

/** Sends texts to the server. */
export class Wire {
  readonly #connection: Connection
  readonly #usage: ServerUsage
  readonly #onError: (error: unknown) => void
  readonly #escape: (value: unknown) => string
  /** Statements still to be sent as text, because the server prepares no more. */
  #asText = 0

  constructor(connection: Connection, { usage, maxPrepared, onError }: WireOptions) {
    this.#connection = connection
    this.#usage = usage
    this.#onError = onError
    this.#escape = value => connection.escape(value)
    preparedOf(connection).resize(maxPrepared)
  }

  /** Sends a statement that cannot be prepared. */
  ask(text: string): Promise<unknown> {
    return new Promise((resolve, reject) => this.#connection.query(text, this.#done(resolve, reject)))
  }

  /** Runs a statement whose values may be lists. */
  run(text: string, values: readonly Bound[]): Promise<unknown> {
    const { sql, bound, isOnce } = spread(text, values, this.#escape)
    const result = this.execute({ sql, bound })
    if (!isOnce) return result
    return result.finally(() => this.#connection.unprepare({ sql, rowsAsArray: true } as never))
  }

  execute(block: Block): Promise<unknown> {
    if (this.#asText > 0) return this.#sendText(block)
    return this.#prepare(block, () => {
      // This connection's prepared statements are closed to make room, possibly for this one only.
      preparedOf(this.#connection).clear()
      return this.#prepare(block, () => {
        this.#asText = textsInARow
        return this.#sendText(block)
      })
    })
  }

  /** `other` runs if the server prepares no more statements. In that case, nothing was executed. */
  #prepare({ sql, bound }: Block, other: () => Promise<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const statement = { sql, rowsAsArray: true, values: bound as never[] }
      const fail = (error: unknown) => (isFull(error) ? resolve(other()) : reject(error))
      this.#connection.execute(statement, this.#done(resolve, fail) as never)
    })
  }

  /** Sends values as literals: slower, but without a prepared statement. */
  #sendText({ sql, bound }: Block): Promise<unknown> {
    this.#asText--
    const text = withLiterals(sql, bound, this.#escape)
    return new Promise((resolve, reject) => {
      this.#connection.query({ sql: text, rowsAsArray: true }, this.#done(resolve, reject) as never)
    })
  }

  #done(resolve: (result: unknown) => void, reject: (error: unknown) => void) {
    const observer = this.#usage.begin()
    return (error: unknown, result: unknown) => {
      this.#usage.end(observer)
      if (error === null) return resolve(result)
      this.#onError(error)
      reject(error)
    }
  }
}
