// What the errors of drivers mean. Each database has its own words for it (databases/*/errors.ts); an error remembers which
// driver it is of, so that whoever handles it need not know the database.

/** `orphan`: a foreign key refused the row. `value`: what was sent does not fit the column. */
export type ErrorKind = 'duplicate' | 'orphan' | 'conflict' | 'lost' | 'value' | 'unavailable'

/** What an error means for the caller, and for the connection that brought it. */
export interface ErrorMeaning {
  readonly kind: ErrorKind
  /** What callers are told of a database that cannot do this now: 503. */
  readonly message?: string
  /** The disk is full: 507. */
  readonly isStorage?: boolean
  /** Somebody else held a lock for as long as the server was told to wait. */
  readonly isLockTimeout?: boolean
  /** Another connection may reach a server that can: after a fail-over, this one is still at the old primary. */
  readonly isOfConnection?: boolean
}

/** The errors of one driver. */
export interface DriverErrors {
  /** Null for errors that say nothing that the kernel acts on. */
  meaningOf(error: unknown): ErrorMeaning | null
  /** Does an error of the kind `duplicate` speak of these columns? */
  names(error: unknown, columns: UniqueColumns): boolean
}

/** The columns of a unique index. */
export interface UniqueColumns {
  readonly table: string
  readonly columns: readonly string[]
}

const origins = new WeakMap<object, DriverErrors>()

/** Notes which driver an error is of. */
export function note(error: unknown, errors: DriverErrors): void {
  if (typeof error === 'object' && error !== null && !origins.has(error)) origins.set(error, errors)
}

/** The driver that an error is of; undefined for all other errors. */
export function errorsOf(error: unknown): DriverErrors | undefined {
  return origins.get(error as object)
}

/** What an error means that came from a driver; null for all other errors. */
export function meaningOf(error: unknown): ErrorMeaning | null {
  return errorsOf(error)?.meaningOf(error) ?? null
}
