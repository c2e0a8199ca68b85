// A statement on one connection, with what the reader must know of its text: may it be stopped while it runs, and is it so small that
// it need not be? The looks at the clock cost as much as the rows themselves (sql/guard.ts), so that a statement over small
// tables is prepared without them.

import type BetterSqlite3 from 'better-sqlite3'

/** A guard that may be left out where its table is small (Dialect.tick), before other conditions and alone. */
const smallGuard = /likelihood\(\S+ % \d+ OR plinth_tick\(\), 1\.0\) \/\* each row of (\w+) once \*\//g
const beforeOthers = new RegExp(`${smallGuard.source} AND `, 'g')
const alone = new RegExp(` WHERE ${smallGuard.source}`, 'g')

const isTimedText = (text: string) => /\bplinth_(tick|lower)\(/.test(text)

/** A prepared text. */
export class PreparedText {
  readonly statement: BetterSqlite3.Statement
  /** Does it look at the clock? Others cannot be stopped, and are short by what they ask. */
  readonly isTimed: boolean
  /** Tables of which it visits each row once; empty where nothing is to be gained. */
  readonly tables: readonly string[]
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

  /** The same without the looks that small tables do not need. */
  get small(): PreparedText {
    this.#small ??= new PreparedText(this.#connection, this.#text.replace(beforeOthers, '').replace(alone, ''), true)
    return this.#small
  }
}
