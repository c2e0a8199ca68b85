// All the kernel throws: at run time errors with the name and the status that the dialect gives them (B-5.5 to B-5.12), at boot
// errors that name file, path and fault. A status is a part of the error as clients read it, also where no HTTP carries it;
// transports turn errors into answers, and nothing here knows a transport. docs/errors.md lists them all by their codes.

import type { ErrorCode } from './error-codes.ts'

/** One fault inside an entry, in the form that clients of the v4 format read (B-5.20). */
export interface FieldError {
  /** Path from the root of the entry; array indexes are strings. Empty: the entry as a whole (B-5.22). */
  readonly path: readonly string[]
  readonly message: string
  readonly name: 'ValidationError'
}

/** Base of every error with a meaning for the caller. `details: null` leaves the key out of the answer (B-5.2). */
export class PlinthError extends Error {
  readonly status: number
  readonly details: Record<string, unknown> | null
  /**
   * Where the fault is: a path in the parameters (`filters.author.name`) or in the entry (`seo.since`), or null. It is for code
   * and is not part of the answer, because v4 leaves some faults without a place (B-2.3, B-4.9).
   */
  readonly at: string | null

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

  /** The name that clients of the format know it by. It is not part of the answer. */
  get code(): string {
    return this.name
  }
}

/** 400: the question or the entry is not valid (B-5.5). */
export class ValidationError extends PlinthError {
  constructor(message: string, details?: Record<string, unknown>, at?: string) {
    super(400, 'ValidationError', message, details, at)
  }

  /**
   * Several faults of one entry: the only message, or their number (B-5.21). `links` are the relations that faults of the
   * whole entry are about.
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

/** 401 (B-5.10). On REST its words and details stay inside (B-5.24), but for those of CredentialsError. */
export class UnauthorizedError extends PlinthError {
  constructor(message = 'Unauthorized', details?: Record<string, unknown>) {
    super(401, 'UnauthorizedError', message, details)
  }
}

/** 401 of credentials that nobody knows or that are not good enough, in words for the caller (B-6.6, B-6.7). */
export class CredentialsError extends UnauthorizedError {
  constructor(message = 'Missing or invalid credentials', details?: Record<string, unknown>) {
    super(message, details)
  }
}

/** 403 (B-5.11). On REST its words and details stay inside (B-5.24). */
export class ForbiddenError extends PlinthError {
  constructor(message = 'Forbidden', details?: Record<string, unknown>) {
    super(403, 'ForbiddenError', message, details)
  }
}

/** 403 of a policy of the application (B-5.23). */
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
 * For `onWrite` hooks: what a `preWrite` hook read is not true any more. The write is rolled back and begins anew, `preWrite`
 * hooks included, in a transaction that has locked the entry and what `write.lock` named. Thrown again there, it becomes an
 * UnavailableError.
 */
export class StaleRowError extends Error {
  readonly code: ErrorCode = 'PLINTH_READ_STALE'
}

/** What an error that passes by itself may say. `retryAfter` is in seconds. */
export interface UnavailableOptions {
  readonly retryAfter?: number
  readonly cause?: unknown
}

/** 503: the database is busy or away; `retryAfter` is in seconds. */
export class UnavailableError extends PlinthError {
  readonly retryAfter: number

  constructor(message = 'Service Unavailable', options: UnavailableOptions = {}, status = 503, name?: string) {
    super(status, name ?? 'ServiceUnavailableError', message)
    this.retryAfter = options.retryAfter ?? 1
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
 * Boot: something that the application's owner can mend keeps it from starting. The message says what, where and what helps,
 * so that nobody needs a stack.
 */
export class StartError extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StartError'
    this.code = code
  }
}

/** Code asks for something that is not there, or at a time when it is not there. The stack says where. */
export class UsageError extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'UsageError'
    this.code = code
  }
}

/** Something that a plugin registers could never work, or comes too late. The message begins with the plugin's name. */
export class RegistrationError extends StartError {
  constructor(code: ErrorCode, message: string) {
    super(code, message)
    this.name = 'RegistrationError'
  }
}

/** Boot: a schema that cannot be used. The message names file, path, fault and the nearest right word. */
export class InvalidSchemaError extends StartError {
  constructor(file: string, path: string, fault: string) {
    super('PLINTH_SCHEMA_INVALID', `${file}: ${path === '' ? '' : `${path}: `}${fault}`)
    this.name = 'InvalidSchemaError'
  }
}

/** Boot: the database lacks what the model needs, and a start does not change it so far. */
export class PendingMigrationError extends StartError {
  constructor(steps: readonly { readonly name: string; readonly says: string }[], files: readonly string[]) {
    const lines = [
      ...files.map(name => `run:${name}  runs database/migrations/${name}`),
      ...steps.map(step => `${step.name}  ${step.says}`),
    ]
    const todo = '`plinth migrate plan` shows them in full, `plinth migrate apply` does those that lose nothing'
    const other = 'a start with DATABASE_MIGRATE=apply does so too'
    super(
      'PLINTH_MIGRATION_PENDING',
      `the database is not as the model says:\n  ${lines.join('\n  ')}\n${todo}; ${other}`,
    )
    this.name = 'PendingMigrationError'
  }
}

/** Boot: the database of config/database does not open. */
export class DatabaseConnectionError extends StartError {
  constructor(place: string, cause: Error & { readonly code?: unknown }) {
    // Drivers leave the message empty where several addresses refused.
    const why = cause.message || String(cause.code)
    super('PLINTH_DATABASE_CONNECTION', `config/database: cannot open ${place}: ${why}`, { cause })
    this.name = 'DatabaseConnectionError'
  }
}

/** Boot: a plugin named in config/plugins that cannot be found. */
export class PluginNotFoundError extends StartError {
  constructor(message: string) {
    super('PLINTH_PLUGIN_NOT_FOUND', message)
    this.name = 'PluginNotFoundError'
  }
}

/** Boot: all mistakes in config/plugins, reported together. */
export class PluginConfigError extends StartError {
  constructor(mistakes: readonly string[]) {
    const told = mistakes.length === 1 ? mistakes[0] : `\n  - ${mistakes.join('\n  - ')}`
    super('PLINTH_PLUGIN_CONFIG', `config/plugins: ${told}`)
    this.name = 'PluginConfigError'
  }
}

/** The 400 of a name that may not be used at `at`; the text is the same for private and for missing names (B-2.3). */
export function invalidParameter(key: string, at?: string): ValidationError {
  return new ValidationError(`Invalid parameter ${key}`, undefined, at)
}
