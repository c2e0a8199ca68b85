// Declares a kernel as plugins, policies, commands, transports and the application's own code use it. They never
// construct one: `createKernel` does.

import type { Knex } from 'knex'
import type { Database } from '../connection/database.ts'
import type { StatementObserver } from '../connection/observer.ts'
import type { PoolUsage } from '../connection/pool.ts'
import type { Transaction } from '../connection/session.ts'
import type { Access, AnswerLimits, Context } from '../context.ts'
import type { HookRegistry } from '../hooks/hooks.ts'
import type { SyncReport } from '../migrate/start.ts'
import type { AttributeTypeSet } from '../model/attribute-type-set.ts'
import type { CustomFieldSet } from '../model/base-types.ts'
import type { Registry } from '../model/registry.ts'
import type { Engine } from '../read/engine.ts'
import type { Reader } from '../read/reader.ts'
import type { ContentTypeUid } from '../typed/content-types.ts'
import type { Actions } from './actions.ts'
import type { Auth } from './auth.ts'
import type { ContentWriter } from './content-writer.ts'
import type { Logger } from './logger.ts'
import type { Policies } from './policies.ts'
import type { QueryOperators, QueryParameters } from './query-words.ts'
import type { Readiness } from './readiness.ts'
import type { Repository } from './repository.ts'
import type { SecretSource } from './secrets.ts'
import type { PluginServices, ServiceSet } from './services.ts'
import type { KnownUid, TypedRepository } from './typed-repository.ts'

/** A kernel. It takes registrations until the freeze, and answers queries after the start. */
export interface Kernel {
  readonly dir: string
  readonly log: Logger
  readonly hooks: HookRegistry
  readonly auth: Auth
  readonly actions: Actions
  readonly policies: Policies
  /** The services that plugins provide to each other. */
  readonly services: ServiceSet
  /** The checks that the kernel can answer requests, for load balancers. */
  readonly readiness: Readiness
  /** Query parameters of plugins. */
  readonly parameters: QueryParameters
  /** Filter operators: those of the kernel and those of plugins. */
  readonly operators: QueryOperators
  readonly contentTypes: Registry
  /** Attribute types of plugins. */
  readonly attributeTypes: AttributeTypeSet
  /** The base types of custom fields. */
  readonly customFields: CustomFieldSet
  /** Settings of config/server, config/api and the others, by file name. */
  readonly config: Readonly<Record<string, Record<string, unknown>>>
  /** The changes that the start made to the database. */
  readonly syncReport: SyncReport | null

  /** v4's lifecycle subscriptions (B-10.73), which are possible until the end of `bootstrap`, as in v4. */
  readonly lifecycles: {
    subscribe(uids: readonly string[] | null, functions: Readonly<Record<string, unknown>>): void
  }

  /** @internal */
  readonly database: Database
  /** @internal */
  readonly engine: Engine

  /** Reads entries for transports. Other code uses `kernel.query`. */
  readonly reader: Reader
  /** Writes entries, for transports and for hooks of plugins. */
  readonly writer: ContentWriter

  /**
   * Entries of one type. Without a context everything is allowed. If the application has a file that `plinth types` has
   * written, options and entries have the types of its content.
   */
  query<Uid extends ContentTypeUid>(uid: Uid): TypedRepository<Uid, 'all'>
  query<Uid extends ContentTypeUid>(uid: Uid, context: Context | undefined): TypedRepository<Uid, 'caller'>
  query<Uid extends string>(uid: KnownUid<Uid>, context?: Context): Repository

  /** The services of a plugin: `kernel.plugin('reading-time').service('measure')`, as in v4. */
  plugin<Name extends string>(name: Name): PluginServices<Name>

  /** Runs everything that `work` does by kernel.query in one transaction, which is committed when `work` resolves. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>

  /**
   * Runs `work`, and reports the statements that it causes to `observer`, also while others run; the hook `onStatement`
   * receives the statements of all callers. BEGIN and COMMIT of a group commit are reported to the observer of each
   * write in it. Statements of `kernel.knex` are not observed. A transaction keeps the observer with which it began.
   * Within another call, both observers receive the statements.
   */
  observe<T>(observer: StatementObserver, work: () => T): T

  /**
   * Checks that a caller may do an action, for routes of plugins. A route names its action in `config.action` too, so
   * that a server runs its policies and reads no credentials for it if everybody may do it. Throws ForbiddenError.
   */
  authorize(action: string, context: Pick<Context, 'access'>): void

  /**
   * Sets a datetime of entries, by their ids, in one statement for up to 5,000 of them: for what a plugin notes about
   * its own entries, such as when one was last used. No hook and no lifecycle runs, nothing is checked, `updatedAt`
   * stays, and totals that servers remember (`rememberTotals`) stay too. Ids of missing entries are ignored. Throws
   * UsageError if the type has no such datetime.
   */
  stamp(uid: string, name: string, times: ReadonlyMap<number, Date>): Promise<void>

  /**
   * A secret of the application, from its setting or its environment variable. Outside of production a missing one is
   * made and added to the application's `.env`. Throws StartError in production if it is missing or has the value of an
   * example (security.md A.5).
   */
  secret(source: SecretSource): Promise<string>

  /** A context for a caller's rights. `isAbandoned` says whether the caller has gone; `limits` bounds the answers. */
  context(access: Access, request?: unknown, isAbandoned?: () => boolean, limits?: AnswerLimits): Context

  /**
   * The numbers of connections of the pool that are in use and idle, and of callers that wait for one, for plugins that
   * monitor the kernel. On a file of SQLite these are the connections for writes: reads have their own process.
   */
  readonly connections: PoolUsage

  /** knex on the connection pool, for statements outside of transactions; inside of one, use `tx.knex`. */
  readonly knex: Knex

  /** Runs `destroy` of the application and the plugins, then closes the database, also if one of them throws. */
  close(): Promise<void>
}
