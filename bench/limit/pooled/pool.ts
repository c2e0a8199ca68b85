// What PostgreSQL and MariaDB have in common for the limit server: a pool of connections that prepare statements once each.

/** Runs a statement on any connection that is free. */
export type Ask<T> = (...values: readonly unknown[]) => Promise<readonly T[]>

export interface Pool {
  /** What stands behind a column that is one of a list of ids; the list is one value. */
  readonly listed: string
  /** Values stand as `?`. */
  prepare<T>(text: string): Ask<T>
}
