// Where both servers keep their data: one store per database, with a place for each side. Plinth and the limit server make
// their own tables in it; the store fills them, measures them for the optimizer and hands out copies.

export type Client = 'sqlite' | 'mysql' | 'postgres'

/** `both`, `localized`, `plain` and `off` are Plinth's with other plugins. */
export type Side = 'plinth' | 'limit' | 'both' | 'localized' | 'plain' | 'off'

export type Value = string | number | boolean | null

export type Row = Readonly<Record<string, Value>>

/** Rows by table, in an order that foreign keys allow. */
export type Tables = Readonly<Record<string, readonly Row[]>>

/** What a server opens: a database configuration of Plinth's form, which the limit server reads too. */
export interface Target {
  readonly client: Client
  readonly connection: Readonly<Record<string, unknown>>
  readonly pool?: { readonly min: number; readonly max: number }
  readonly rememberTotals?: boolean
}

export interface Store {
  readonly client: Client
  /** Name and version of the database; rejects where it cannot be reached. */
  describe(): Promise<string>
  /** An empty place for a side; what was there is gone. */
  create(side: Side): Promise<Target>
  run(side: Side, statements: readonly string[]): Promise<void>
  /** Keys that a table has no column for are left out, so that optional columns (`published_at`) need no second list. */
  fill(side: Side, tables: Tables): Promise<void>
  /** To be called once the tables are full: statistics, counters of ids. */
  settle(side: Side): Promise<void>
  /**
   * A copy of what `create`, `run` and `fill` made; the copy before it of the same side is gone. Where copying is slow, a copy
   * that nobody wrote to is handed out again: `writes` says whether somebody will.
   */
  copy(side: Side, writes: boolean): Promise<Target>
  /** Nothing of it stays on a server. */
  close(): Promise<void>
}

/** The columns of `rows` that a table has. */
export function columnsOf(table: string, rows: readonly Row[], existing: ReadonlySet<string>): string[] {
  if (existing.size === 0) throw new Error(`The table ${table} does not exist`)
  return Object.keys(rows[0]!).filter(column => existing.has(column))
}

/** So many rows an INSERT. */
const chunk = 500

export function* chunksOf(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let start = 0; start < rows.length; start += chunk) yield rows.slice(start, start + chunk)
}
