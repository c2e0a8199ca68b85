// What the limit server uses of both PostgreSQL and MariaDB: a pool of connections that prepare each statement once.

/** Runs a statement on any free connection. */
export type Ask<T> = (...values: readonly unknown[]) => Promise<readonly T[]>

export interface Pool {
  /** The SQL after a column that tests whether its value is in a list of ids; the list is one value. */
  readonly listed: string
  /** Placeholders of values are `?`. */
  prepare<T>(text: string): Ask<T>
}
