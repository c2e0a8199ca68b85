// Classifies the errors of drivers. Each database has its own codes (databases/*/errors.ts). An error is linked to its
// driver, so that code that handles it does not depend on the database.

/** `orphan`: a foreign key refused the row. `value`: a value does not fit its column. */
export type ErrorKind = 'duplicate' | 'orphan' | 'conflict' | 'lost' | 'value' | 'unavailable'

/** The meaning of an error for the caller and for its connection. */
export interface ErrorMeaning {
  readonly kind: ErrorKind
  /** The message of the 503 if the database cannot do this now. */
  readonly message?: string
  /** The disk is full: 507. */
  readonly isStorage?: boolean
  /** Only writes are refused. */
  readonly isOfWrites?: boolean
  /** The error says something of the statement, such as that it took too long, and nothing of the database. */
  readonly isOfStatement?: boolean
  /** Seconds after which the caller may ask again, if not 1. */
  readonly retryAfter?: number
  /** Another transaction held a lock longer than the server's time limit for locks. */
  readonly isLockTimeout?: boolean
  /** Another connection may reach a server that can: after a fail-over, this one still leads to the old primary. */
  readonly isOfConnection?: boolean
}

/** The errors of one driver. */
export interface DriverErrors {
  /** Returns null for errors that the kernel does not handle specially. */
  meaningOf(error: unknown): ErrorMeaning | null
  /** Returns whether an error of the kind `duplicate` is about these columns. */
  names(error: unknown, columns: UniqueColumns): boolean
}

/** The columns of a unique index. */
export interface UniqueColumns {
  readonly table: string
  readonly columns: readonly string[]
}

const origins = new WeakMap<object, DriverErrors>()

/** Links an error to its driver. */
export function note(error: unknown, errors: DriverErrors): void {
  if (typeof error === 'object' && error !== null && !origins.has(error)) origins.set(error, errors)
}

/** The classifier of the driver that threw the error; undefined for all other errors. */
export function errorsOf(error: unknown): DriverErrors | undefined {
  return origins.get(error as object)
}

/** The meaning of a driver's error; null for all other errors. */
export function meaningOf(error: unknown): ErrorMeaning | null {
  return errorsOf(error)?.meaningOf(error) ?? null
}
