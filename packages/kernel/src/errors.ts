// The errors of the kernel: at run time errors with the name and the status of the dialect (B-5.5 to B-5.12), at the
// start errors that name file, path and fault. Clients read the status as a part of the error, also without HTTP.
// Transports convert errors to answers; nothing here knows a transport. docs/errors.md lists all errors by their codes.

import type { ErrorCode } from './error-codes.ts'

/** One fault in an entry, in the format of v4 (B-5.20). */
export interface FieldError {
  /** Path from the root of the entry; array indexes are strings. Empty: the entry as a whole (B-5.22). */
  readonly path: readonly string[]
  readonly message: string
  readonly name: 'ValidationError'
}

/** The base class of errors that become answers. `details: null` omits the key from the answer (B-5.2). */
export class PlinthError extends Error {
  readonly status: number
  readonly details: Record<string, unknown> | null
  /**
   * The path of the fault in the parameters (`filters.author.name`, `populate.author.sort.name`) or in the entry
   * (`seo.since`), or null. It is for code and not a part of the answer, because v4 answers some faults without a path
   * (B-2.3, B-4.9).
   */
  at: string | null
  /** The name of the client's that the message cites, or null: transports cut long ones. It is not a part of the answer either. */
  cited: string | null = null
  #reason: string | (() => string) | null = null

  constructor(
    status: number,
    name: string,
    message: string,
    details: Record<string, unknown> | null = {},
    at: string | null = null,
  ) {
    super(message)
    this.name = name
    this.status = status
    this.details = details
    this.at = at ?? (typeof details?.path === 'string' ? details.path : null)
  }

  /** The code of the error, which is its name. It is not a separate part of the answer. */
  get code(): string {
    return this.name
  }

  /** The reason of the refusal, for the developer of the application; null if there is none. It is never answered. */
  get reason(): string | null {
    return typeof this.#reason === 'function' ? this.#reason() : this.#reason
  }

  /**
   * Says why the request is refused, beside a message that clients may see: `role public lacks api::author.author.find`. A
   * function is called if somebody wants to know. The reason names neither entries that the caller may not see nor secrets.
   */
  withReason(reason: string | (() => string)): this {
    this.#reason = reason
    return this
  }
}

/** 400: the query or the entry is not valid (B-5.5). */
export class ValidationError extends PlinthError {
  constructor(message: string, details?: Record<string, unknown>, at?: string) {
    super(400, 'ValidationError', message, details, at)
  }

  /**
   * Makes one error of the faults of an entry; the message is that of a single fault, or their number (B-5.21). `links`
   * are the paths of relations that faults of the whole entry are about.
   */
  static ofFields(errors: readonly FieldError[], links: readonly string[] = []): ValidationError {
    const message = errors.length === 1 ? errors[0]!.message : `${errors.length} errors occurred`
    const places = [...errors.map(one => one.path.join('.')), ...links].filter(place => place !== '')
    return new ValidationError(message, { errors }, places.length === 0 ? undefined : [...new Set(places)].join(', '))
  }
}

/** 400: paging keys that contradict each other (B-2.5). */
export class PaginationError extends PlinthError {
  constructor(message: string, at = 'pagination') {
    super(400, 'PaginationError', message, {}, at)
  }
}

/** 400: a rule of the application, not of the format (B-5.6). */
export class ApplicationError extends PlinthError {
  constructor(message: string, details?: Record<string, unknown>) {
    super(400, 'ApplicationError', message, details)
  }
}

/** 401 (B-5.10). REST does not send its message and details (B-5.24), except those of CredentialsError. */
export class UnauthorizedError extends PlinthError {
  constructor(message = 'Unauthorized', details?: Record<string, unknown>) {
    super(401, 'UnauthorizedError', message, details)
  }
}

/** 401: the credentials are unknown or not sufficient; the message is sent to the client (B-6.6, B-6.7). */
export class CredentialsError extends UnauthorizedError {
  constructor(message = 'Missing or invalid credentials', details?: Record<string, unknown>) {
    super(message, details)
  }
}

/** 403 (B-5.11). REST does not send its message and details (B-5.24), except those of DataForbiddenError. */
export class ForbiddenError extends PlinthError {
  constructor(message = 'Forbidden', details?: Record<string, unknown>) {
    super(403, 'ForbiddenError', message, details)
  }
}

/**
 * 403: the caller may do the action, but not with these data. The message names what in the data, or what they would
 * change, and is sent to the client, so it contains nothing that the caller may not know.
 */
export class DataForbiddenError extends ForbiddenError {
  constructor(what: string, details?: Record<string, unknown>) {
    super(`Forbidden access: ${what}`, details)
  }
}

/** 403: a policy of the application refuses the request (B-5.23). */
export class PolicyError extends ForbiddenError {
  constructor(message = 'Policy Failed', details?: Record<string, unknown>) {
    super(message, details)
    this.name = 'PolicyError'
  }
}

/** 404 (B-5.12). */
export class NotFoundError extends PlinthError {
  constructor(message = 'Not Found') {
    super(404, 'NotFoundError', message)
  }
}

/** 400: a single type has its entry already. */
export class SingleTypeExistsError extends ValidationError {
  constructor() {
    super('singleType.alreadyExists')
  }
}

/**
 * For `onWrite` hooks: a row that a `preWrite` hook read has changed since. The write is rolled back and runs again,
 * with its `preWrite` hooks, in a transaction that has locked the entry and those that `write.lock` named. If it is
 * thrown again there, it becomes an UnavailableError. A deletion runs again without such locks, up to ten times.
 */
export class StaleRowError extends Error {
  readonly code: ErrorCode = 'PLINTH_READ_STALE'
}

/** The options of temporary errors. `retryAfter` is in seconds. */
export interface UnavailableOptions {
  readonly retryAfter?: number
  readonly cause?: unknown
  /** False unless given. */
  readonly isOverload?: boolean
}

/** 503: the database is busy or cannot be reached; `retryAfter` is in seconds. */
export class UnavailableError extends PlinthError {
  readonly retryAfter: number
  /**
   * True if other requests had taken all room, connections or turns. A server may then not read the next request of the
   * client before `retryAfter` has passed.
   */
  readonly isOverload: boolean

  constructor(message = 'Service Unavailable', options: UnavailableOptions = {}, status = 503, name?: string) {
    super(status, name ?? 'ServiceUnavailableError', message)
    this.retryAfter = options.retryAfter ?? 1
    this.isOverload = options.isOverload ?? false
    this.cause = options.cause
  }
}

/** 507: the database has no space left; `retryAfter` is in seconds. */
export class InsufficientStorageError extends UnavailableError {
  constructor(message = 'Insufficient Storage', options: UnavailableOptions = {}) {
    super(message, options, 507, 'InsufficientStorageError')
  }
}

/**
 * The application cannot start, for a reason that its owner can correct. The message says what is wrong, where, and
 * what helps, so that no stack is needed.
 */
export class StartError extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StartError'
    this.code = code
  }
}

/** Code uses something that does not exist, or that is not available at that time. The stack says where. */
export class UsageError extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'UsageError'
    this.code = code
  }
}

/** A registration of a plugin is not valid, or comes too late. The message begins with the name of the plugin. */
export class RegistrationError extends StartError {
  constructor(code: ErrorCode, message: string) {
    super(code, message)
    this.name = 'RegistrationError'
  }
}

/** Start: a schema cannot be used. The message names file, path, fault and the nearest right word. */
export class InvalidSchemaError extends StartError {
  constructor(file: string, path: string, fault: string) {
    super('PLINTH_SCHEMA_INVALID', `${file}: ${path === '' ? '' : `${path}: `}${fault}`)
    this.name = 'InvalidSchemaError'
  }
}

/** Start: the database lacks what the model needs, and the mode of migration does not allow the start to change it. */
export class PendingMigrationError extends StartError {
  constructor(steps: readonly { readonly name: string; readonly says: string }[], files: readonly string[]) {
    const lines = [
      ...files.map(name => `run:${name}  runs database/migrations/${name}`),
      ...steps.map(step => `${step.name}  ${step.says}`),
    ]
    const todo =
      '`plinth migrate plan` prints these steps in full, and `plinth migrate apply` runs those that lose no data'
    const other = 'a start with DATABASE_MIGRATE=apply runs them too'
    super(
      'PLINTH_MIGRATION_PENDING',
      `The database does not match the model:\n  ${lines.join('\n  ')}\n${todo}; ${other}`,
    )
    this.name = 'PendingMigrationError'
  }
}

/** Start: the connection to the database of config/database cannot be opened. */
export class DatabaseConnectionError extends StartError {
  constructor(place: string, cause: Error & { readonly code?: unknown }) {
    // Drivers leave the message empty if several addresses refused the connection.
    const why = cause.message || String(cause.code)
    super('PLINTH_DATABASE_CONNECTION', `config/database: cannot open ${place}: ${why}`, { cause })
    this.name = 'DatabaseConnectionError'
  }
}

/** Start: a plugin of config/plugins cannot be found. */
export class PluginNotFoundError extends StartError {
  constructor(message: string) {
    super('PLINTH_PLUGIN_NOT_FOUND', message)
    this.name = 'PluginNotFoundError'
  }
}

/** Start: the mistakes in config/plugins, all in one message. */
export class PluginConfigError extends StartError {
  constructor(mistakes: readonly string[]) {
    const text = mistakes.length === 1 ? mistakes[0] : `\n  - ${mistakes.join('\n  - ')}`
    super('PLINTH_PLUGIN_CONFIG', `config/plugins: ${text}`)
    this.name = 'PluginConfigError'
  }
}

/**
 * The 400 for a name that may not be used at `at`. Private and missing names have the same message (B-2.3). `hint` is for
 * callers that may read everything.
 */
export function invalidParameter(key: string, at?: string, hint = ''): ValidationError {
  const error = new ValidationError(`Invalid parameter ${key}${hint}`, undefined, at)
  error.cited = key
  return error
}
