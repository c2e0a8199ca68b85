// Single texts on a mysql2 connection: prepared where the server has room for it, as text where it has none. Knows no transaction.

import type { Connection } from 'mysql2'
import type { Bound } from '../../sql/dialect.ts'
import type { Usage } from '../../database/usage.ts'
import type { Block } from './blocks.ts'
import { spread, withLiterals } from './lists.ts'

/** ER_MAX_PREPARED_STMT_COUNT_REACHED: all connections of everybody together keep too many. */
const isFull = (error: unknown) => (error as { errno?: unknown }).errno === 1461

/** Statements that go as text before this connection asks again. */
const textsInARow = 100

/** mysql2's own cache of a connection's statements. */
function preparedOf(connection: Connection): { resize(most: number): void; clear(): void } {
  return (connection as unknown as { readonly _statements: { resize(most: number): void; clear(): void } })._statements
}

/** What a wire belongs to. */
interface WireOptions {
  readonly usage: Usage
  /** Statements that the server keeps for this connection. */
  readonly maxPrepared: number
  /** Hears each error of the server before its caller does. */
  readonly onError: (error: unknown) => void
}

/** Sends texts to the server. */
export class Wire {
  readonly #connection: Connection
  readonly #usage: Usage
  readonly #onError: (error: unknown) => void
  /** Statements that go as text, because the server prepares no more. */
  #asText = 0

  constructor(connection: Connection, { usage, maxPrepared, onError }: WireOptions) {
    this.#connection = connection
    this.#usage = usage
    this.#onError = onError
    preparedOf(connection).resize(maxPrepared)
  }

  /** Sends what no prepared statement may say. */
  ask(text: string): Promise<unknown> {
    return new Promise((resolve, reject) => this.#connection.query(text, this.#done(resolve, reject)))
  }

  /** Runs a statement, whose values may be lists. */
  run(text: string, values: readonly Bound[]): Promise<unknown> {
    const { sql, bound, isOnce } = spread(text, values, value => this.#connection.escape(value))
    const result = this.execute({ sql, bound })
    if (!isOnce) return result
    return result.finally(() => this.#connection.unprepare({ sql, rowsAsArray: true } as never))
  }

  execute(block: Block): Promise<unknown> {
    if (this.#asText > 0) return this.#sendText(block)
    return this.#prepare(block, () => {
      // This connection's own statements make room, were it only for this one.
      preparedOf(this.#connection).clear()
      return this.#prepare(block, () => {
        this.#asText = textsInARow
        return this.#sendText(block)
      })
    })
  }

  /** `other`: what is done where the server prepares no more statements. Nothing was run then. */
  #prepare({ sql, bound }: Block, other: () => Promise<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const statement = { sql, rowsAsArray: true, values: bound as never[] }
      const fail = (error: unknown) => (isFull(error) ? resolve(other()) : reject(error))
      this.#connection.execute(statement, this.#done(resolve, fail) as never)
    })
  }

  /** Values as literals: slower, and needs nothing of the server's. */
  #sendText({ sql, bound }: Block): Promise<unknown> {
    this.#asText--
    const text = withLiterals(sql, bound, value => this.#connection.escape(value))
    return new Promise((resolve, reject) => {
      this.#connection.query({ sql: text, rowsAsArray: true }, this.#done(resolve, reject) as never)
    })
  }

  #done(resolve: (result: unknown) => void, reject: (error: unknown) => void) {
    this.#usage.begun++
    return (error: unknown, result: unknown) => {
      this.#usage.ended++
      if (error === null) return resolve(result)
      this.#onError(error)
      reject(error)
    }
  }
}
