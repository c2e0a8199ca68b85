// The codes of all errors. docs/errors.md is generated from their doc comments (contract/error-codes.ts). A plugin adds
// its own by declaration merging.

/** Codes of errors that are not answers: errors of the start, and errors of code that uses what does not exist. */
export interface ErrorCodes {
  /** A file in `config/`, or one of its settings, cannot be used. The message names file, setting and fault. */
  PLINTH_CONFIG_INVALID: true
  /** An environment variable does not have a value of the type that the configuration reads, or a line of `.env` is not a setting. */
  PLINTH_CONFIG_ENV: true
  /**
   * A secret is missing in production, or has the value of an example. The message names its setting and its environment
   * variable. In development a missing one is made and stored in `.env`. If the file cannot be written, set the variable.
   */
  PLINTH_SECRET_MISSING: true
  /**
   * An option of `createKernel`, `createServer`, `app.register(plinth, …)` or a method of `kernel.query` is not known,
   * or has no effect there.
   */
  PLINTH_OPTION_UNKNOWN: true
  /** An option of `createKernel` has a value that it cannot have. The message names the option and what it takes. */
  PLINTH_OPTION_INVALID: true
  /** `src/index` has exports that are not known, or that are not functions. */
  PLINTH_APP_INVALID: true
  /** A lifecycles file or a subscription has a name that is not an event, or a value that is not a function. */
  PLINTH_LIFECYCLE_INVALID: true
  /** A schema cannot be used. The message names file, path, fault and the nearest right word. */
  PLINTH_SCHEMA_INVALID: true
  /** A module in `src/` throws while it is loaded. */
  PLINTH_SCHEMA_LOAD: true
  /** The name of a table or column is too long for the database or reserved by it, or two names become the same. */
  PLINTH_SCHEMA_NAME: true
  /** A table has more columns, more indexes or longer rows than the database allows. The message names the type and the attribute. */
  PLINTH_SCHEMA_SIZE: true
  /** Settings in `config/plugins` are wrong, or enabled plugins are not compatible. The message lists all mistakes. */
  PLINTH_PLUGIN_CONFIG: true
  /** A plugin in `config/plugins` cannot be found, or its module does not export a plugin. */
  PLINTH_PLUGIN_NOT_FOUND: true
  /**
   * Code of a plugin threw something that is not an Error, or an Error with a fixed message, or it imports a package
   * that is not installed. What it threw is the `cause`.
   */
  PLINTH_PLUGIN_FAILED: true
  /** A plugin, parameter, operator, attribute type or strategy has unknown keys or values, or lacks needed ones. */
  PLINTH_DEFINITION_INVALID: true
  /** A hook has an unknown name, an action or an option that it does not support, or no function. */
  PLINTH_HOOK_INVALID: true
  /** A hook that must be synchronous, such as `prePlan`, is asynchronous: the kernel would not wait for its result. */
  PLINTH_HOOK_ASYNC: true
  /** A right, permission, scope or route names an action that does not exist. The message names the nearest one. */
  PLINTH_ACTION_UNKNOWN: true
  /** An action names a policy that does not exist. The message names the nearest one. */
  PLINTH_POLICY_UNKNOWN: true
  /** Code uses a service that no plugin has provided, or not yet. The message names the nearest one. */
  PLINTH_SERVICE_UNKNOWN: true
  /** A file in `policies` exports something else than a function or `{ handler }`, or a policy changes the query string. */
  PLINTH_POLICY_INVALID: true
  /** A registration comes after the model is frozen. Register in the function `register`. */
  PLINTH_FROZEN: true
  /** Entries are read or written before the kernel has started, for example in `register`. Do this in `bootstrap`. */
  PLINTH_NOT_STARTED: true
  /** Code names a content type that does not exist. */
  PLINTH_TYPE_UNKNOWN: true
  /** Code names an attribute or a relation that the content type does not have. */
  PLINTH_ATTRIBUTE_UNKNOWN: true
  /** A `prePlan` hook drops a node that is not a populated one, a meta list or a link. */
  PLINTH_PLAN_DROP: true
  /**
   * A `prePlan` hook calls `draft.meta` with a name that is taken, with a misspelt key, or with a calculation that the
   * attribute does not allow.
   */
  PLINTH_PLAN_META: true
  /** A `prePlan` hook gives `draft.where` an option that does not exist, or something that is not a condition. */
  PLINTH_PLAN_OPTION: true
  /**
   * The conditions that plugins lay on one node pass too many other nodes. Usually the conditions of two types pass each
   * other's type, also on nodes that are reached by a condition (`node.via` is `rule`).
   */
  PLINTH_PLAN_RULES: true
  /** A transaction is used after it has ended, usually because a promise in it was not awaited. */
  PLINTH_TRANSACTION_ENDED: true
  /**
   * On PostgreSQL, a statement failed in a transaction outside a savepoint, and the code that ran it ignored the error
   * and went on. The transaction is rolled back. The other databases take back the failed statement alone, and report
   * nothing. To go on after an error everywhere, run the statement in a `kernel.transaction` of its own.
   */
  PLINTH_TRANSACTION_FAILED: true
  /** A statement that a plugin or the application runs has more values than PostgreSQL takes, which is 65,535. */
  PLINTH_STATEMENT_VALUES: true
  /**
   * The connection to the database of `config/database` cannot be opened. The message names its address; the driver's
   * error is the `cause`.
   */
  PLINTH_DATABASE_CONNECTION: true
  /** The package of the database that `config/database` names is not installed. The message names it. */
  PLINTH_DATABASE_DRIVER: true
  /** The database is older than the oldest version that Plinth can use. The message names both versions. */
  PLINTH_DATABASE_VERSION: true
  /**
   * A pooler stands before PostgreSQL, such as PgBouncer, and settings of `config/database` would be wrong with it. The
   * message names the setting that is right.
   */
  PLINTH_DATABASE_POOLER: true
  /** The SQLite file that a command should read does not exist. */
  PLINTH_DATABASE_MISSING: true
  /** An import into the database is running or was interrupted. Run the same `plinth import` again: it continues. */
  PLINTH_IMPORT_UNFINISHED: true
  /** The database lacks what the model needs, and the start may not make the change. The message lists the steps. */
  PLINTH_MIGRATION_PENDING: true
  /** A file in `database/migrations` throws, does not exist any more, or lacks the function that is to be run. */
  PLINTH_MIGRATION_FILE: true
  /** A step that a command named is not in the plan of the migration, or cannot be executed. */
  PLINTH_MIGRATION_STEP: true
  /** Another process has been changing the database for too long. */
  PLINTH_MIGRATION_LOCKED: true
  /** An `onWrite` hook finds that a row has changed since a `preWrite` hook read it. The write runs again. */
  PLINTH_READ_STALE: true
}

/** A code of an error that is not an answer. */
export type ErrorCode = keyof ErrorCodes

/** The names of errors that are answers, with their status. They are the codes that clients receive. */
export interface AnswerCodes {
  /** The query or the entry is not valid. `details.path` or `details.errors` say where. */
  ValidationError: 400
  /** Paging keys contradict each other. */
  PaginationError: 400
  /** A rule of the application refuses the request. */
  ApplicationError: 400
  /**
   * The JSON of the body is neither an object nor a list, or a dynamic zone is sent the id of a component that does not
   * belong to the entry.
   */
  Error: 400
  /** The credentials are not valid, or credentials are needed and none were sent. */
  UnauthorizedError: 401
  /** The caller does not have the right to the request, or rules forbid a part of its data, which the message names. */
  ForbiddenError: 403
  /** A policy of the application refuses a part of an operation. A request that it refuses is a `ForbiddenError`, as in v4. */
  PolicyError: 403
  /** The path or the entry does not exist, or the caller may not read the entry. */
  NotFoundError: 404
  /**
   * The database is busy or cannot be reached, or the server has too many bytes under way (`budget` of config/server).
   * `Retry-After` says when to repeat the request.
   */
  ServiceUnavailableError: 503
  /** The database has no space left. */
  InsufficientStorageError: 507
}
