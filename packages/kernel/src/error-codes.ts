// The codes of all errors. docs/errors.md is made of their doc comments (contract/error-codes.ts). A plugin adds its own by
// declaration merging.

/** Codes of errors that are no answers: those of a start, and of code that asks for what is not there. */
export interface ErrorCodes {
  /** A file in `config/`, or one of its settings, cannot be used. The message names file, setting and fault. */
  PLINTH_CONFIG_INVALID: true
  /** An environment variable does not hold what is asked of it. */
  PLINTH_CONFIG_ENV: true
  /** An option of `createKernel`, `createServer`, `app.register(plinth, …)` or a method of `kernel.query` is not known, or has no effect there. */
  PLINTH_OPTION_UNKNOWN: true
  /** `src/index` cannot be used: it has keys that nobody calls. */
  PLINTH_APP_INVALID: true
  /** A lifecycles file or subscription has a name that is no event, or something that is no function. */
  PLINTH_LIFECYCLE_INVALID: true
  /** A schema cannot be used. The message names file, path, fault and the nearest right word. */
  PLINTH_SCHEMA_INVALID: true
  /** A module in `src/` throws while it is loaded. */
  PLINTH_SCHEMA_LOAD: true
  /** The name of a table, column or index is too long for the database, or two become the same. */
  PLINTH_SCHEMA_NAME: true
  /** Settings in `config/plugins` are wrong, or enabled plugins do not fit together. All mistakes are in one message. */
  PLINTH_PLUGIN_CONFIG: true
  /** A plugin in `config/plugins` cannot be found, or what is found is no plugin. */
  PLINTH_PLUGIN_NOT_FOUND: true
  /** Code of a plugin threw something that is no error, or an error that cannot carry the plugin's name. It is the `cause`. */
  PLINTH_PLUGIN_FAILED: true
  /** A plugin, parameter, operator, attribute type or strategy has words that are not known, or lacks what it needs. */
  PLINTH_DEFINITION_INVALID: true
  /** A hook has a name, an action or an option that nobody calls, or no function. */
  PLINTH_HOOK_INVALID: true
  /** A hook that nobody waits for, such as `prePlan`, is asynchronous: what it does after its first `await` would be lost. */
  PLINTH_HOOK_ASYNC: true
  /** Something is registered after the model is frozen. Register it in `register`. */
  PLINTH_FROZEN: true
  /** The kernel is asked for content before it has started: in `register`, say, where `bootstrap` is the place. */
  PLINTH_NOT_STARTED: true
  /** Code names a content type that does not exist. */
  PLINTH_TYPE_UNKNOWN: true
  /** Code names an attribute or a relation that the content type does not have. */
  PLINTH_ATTRIBUTE_UNKNOWN: true
  /** A `prePlan` hook drops something else than a populated node. */
  PLINTH_PLAN_DROP: true
  /** A transaction is used after it has ended, mostly because something in it was not awaited. */
  PLINTH_TRANSACTION_ENDED: true
  /** A statement in a transaction failed, and the code that ran it kept quiet: nothing of the transaction is kept. */
  PLINTH_TRANSACTION_FAILED: true
  /** The database of `config/database` does not open. The message says where it was looked for; the driver's error is the `cause`. */
  PLINTH_DATABASE_CONNECTION: true
  /** The package that talks to the database of `config/database` is not installed. The message names it. */
  PLINTH_DATABASE_DRIVER: true
  /** There is no SQLite file to look at. */
  PLINTH_DATABASE_MISSING: true
  /** The database lacks what the model needs, and the start may not change it so far. The message lists the steps. */
  PLINTH_MIGRATION_PENDING: true
  /** A file in `database/migrations` throws, is gone, or lacks the function that is asked for. */
  PLINTH_MIGRATION_FILE: true
  /** A step that was named is not in the plan, or cannot be done. */
  PLINTH_MIGRATION_STEP: true
  /** Another process has been changing the database for too long. */
  PLINTH_MIGRATION_LOCKED: true
  /** A `preWrite` hook finds, in `onWrite`, that what it has read is not true any more: the write runs again. */
  PLINTH_READ_STALE: true
}

/** A code of an error that is no answer. */
export type ErrorCode = keyof ErrorCodes

/** The names of errors that are answers, with their status: they are the codes that clients know. */
export interface AnswerCodes {
  /** The question or the entry is not valid. `details.path` or `details.errors` say where. */
  ValidationError: 400
  /** Paging keys contradict each other. */
  PaginationError: 400
  /** A rule of the application refuses it. */
  ApplicationError: 400
  /** The body is not of the form that a dynamic zone needs. */
  Error: 400
  /** Nobody knows the credentials, or there are none where some are needed. */
  UnauthorizedError: 401
  /** The caller may not do that. */
  ForbiddenError: 403
  /** A policy of the application refuses it. */
  PolicyError: 403
  /** There is no such path, no such entry, or none that the caller may see. */
  NotFoundError: 404
  /** The database is busy or away. `Retry-After` says when to ask again. */
  ServiceUnavailableError: 503
  /** The database has no space left. */
  InsufficientStorageError: 507
}
