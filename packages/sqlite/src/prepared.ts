// A prepared statement of one connection, with facts about its text: whether it can be interrupted, and which tables it
// scans. Checks of the clock cost as much as the rows themselves (sql/guard.ts), so a statement over small tables is
// prepared without them.

import type BetterSqlite3 from 'better-sqlite3'

/** A guard that is removed if its table is small (Dialect.tick), before other conditions or alone. */
const smallGuard = /likelihood\(\S+ % \d+ OR plinth_tick\(\), 1\.0\) \/\* each row of (\w+) once \*\//g
const beforeOthers = new RegExp(`${smallGuard.source} AND `, 'g')
const alone = new RegExp(` WHERE ${smallGuard.source}`, 'g')

const isTimedText = (text: string) => /\bplinth_(tick|lower)\(/.test(text)

/** A prepared text. */
export class PreparedText {
  readonly statement: BetterSqlite3.Statement
  /** True if it checks the clock. Other statements cannot be interrupted, and are short by their nature. */
  readonly isTimed: boolean
  /** Tables whose rows it visits once each; empty if nothing can be removed. */
  readonly tables: readonly string[]
  /** The bytes of the rows that it had when it last ran; 0 if nobody has counted them. */
  usualBytes = 0
  readonly #connection: BetterSqlite3.Database
  readonly #text: string
  #small: PreparedText | null = null

  constructor(connection: BetterSqlite3.Database, text: string, isRead: boolean) {
    this.#connection = connection
    this.#text = text
    this.statement = connection.prepare(text)
    if (isRead) this.statement.raw(true)
    this.isTimed = isTimedText(text)
    this.tables = this.isTimed ? [...new Set([...text.matchAll(smallGuard)].map(([, table]) => table!))] : []
  }

  /** The same statement without the checks that small tables do not need. */
  get small(): PreparedText {
    this.#small ??= new PreparedText(this.#connection, this.#text.replace(beforeOthers, '').replace(alone, ''), true)
    return this.#small
  }
}
