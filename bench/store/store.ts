// The data of both servers: one store per database, with a place for each server. Plinth and the limit server create
// their own tables in it; the store fills them, updates the optimizer's statistics and makes copies.

export type Client = 'sqlite' | 'mysql' | 'postgres'

/** The place of a server: `plinth`, `limit`, or the name of a variant of Plinth with other plugins. */
export type Side = string

export type Value = string | number | boolean | null

export type Row = Readonly<Record<string, Value>>

/** Rows by table, in an order that foreign keys allow. */
export type Tables = Readonly<Record<string, readonly Row[]>>

/** What a server opens: a database configuration in the form of Plinth, which the limit server reads as well. */
export interface Target {
  readonly client: Client
  readonly connection: Readonly<Record<string, unknown>>
  readonly pool?: { readonly min: number; readonly max: number }
  readonly rememberTotals?: boolean
}

export interface Store {
  readonly client: Client
  /** The name and version of the database. Rejects if it does not answer. */
  describe(): Promise<string>
  /** An empty place for a server; what it contained before is removed. */
  create(side: Side): Promise<Target>
  run(side: Side, statements: readonly string[]): Promise<void>
  /** Keys without a column are ignored, so optional columns (`published_at`) need no second list. */
  fill(side: Side, tables: Tables): Promise<void>
  /** Must be called when the tables are filled: updates statistics and counters of ids. */
  settle(side: Side): Promise<void>
  /**
   * A copy of what `create`, `run` and `fill` made; replaces the last copy of the same server. If copying is slow, a
   * copy that was not written to is reused: `writes` states whether the caller will write.
   */
  copy(side: Side, writes: boolean): Promise<Target>
  /** Removes everything that was made on the database server. */
  close(): Promise<void>
}

/** The columns of `rows` that a table has. */
export function columnsOf(table: string, rows: readonly Row[], existing: ReadonlySet<string>): string[] {
  if (existing.size === 0) throw new Error(`The table ${table} does not exist`)
  return Object.keys(rows[0]!).filter(column => existing.has(column))
}

/** The number of rows per INSERT. */
const chunk = 500

export function* chunksOf(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let start = 0; start < rows.length; start += chunk) yield rows.slice(start, start + chunk)
}
