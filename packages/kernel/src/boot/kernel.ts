// The kernel: takes registrations, loads and freezes the model, synchronizes the database, runs bootstrap, and answers
// queries. It knows no plugin, no transport and no server.

import type { Knex } from 'knex'
import { Actions } from './actions.ts'
import { Auth } from './auth.ts'
import { type Access, type AnswerLimits, type Context, createContext, systemAccess } from '../context.ts'
import type { Database } from '../database/database.ts'
import type { StatementObserver } from '../database/observer.ts'
import type { PoolUsage } from '../database/pool.ts'
import type { Transaction } from '../database/session.ts'
import { type SyncReport, syncSchema } from '../migrate/start.ts'
import { UsageError } from '../errors.ts'
import { type Authorize, Engine } from '../read/engine.ts'
import { Reader } from '../read/reader.ts'
import { HookRegistry } from '../hooks/hooks.ts'
import { Lifecycles } from '../hooks/lifecycles.ts'
import type { PluginHost, WholeServer } from '../hooks/plugin-host.ts'
import { resolveMode } from '../migrate/mode.ts'
import type { AttributeTypeSet } from '../model/attribute-type-set.ts'
import type { CustomFieldSet } from '../model/base-types.ts'
import type { FindColumn } from '../model/settle-fields.ts'
import { columnsFor } from '../migrate/present-columns.ts'
import { Registry } from '../model/registry.ts'
import { findSecret, type SecretSource } from './secrets.ts'
import { warnOfDormant, warnOfGuessed, warnOfNone, warnOfNarrow, warnOfUntaken } from './warnings.ts'
import type { AppModule } from './app.ts'
import { loadApplication } from './load-application.ts'
import { resolveLimits } from './limits.ts'
import type { KernelOptions, Logger } from './options.ts'
import { PluginRunner } from './plugin-runner.ts'
import type { PluginDefinition } from './plugins.ts'
import { Policies } from './policies.ts'
import { QueryOperators, QueryParameters } from './query-words.ts'
import { addOwnChecks, Readiness } from './readiness.ts'
import { OptionCheck } from '../query/options.ts'
import { checkSubscription } from '../hooks/lifecycle-checks.ts'
import { Registrar } from '../registration/registrar.ts'
import type { ContentWriter } from './content-writer.ts'
import { Repository } from './repository.ts'
import { type PluginServices, ServiceSet } from './services.ts'
import { stamp } from '../write/stamp.ts'
import { Writer } from '../write/writer.ts'

/** A kernel. It takes registrations until the freeze, and answers queries after the start. */
export class Kernel {
  readonly dir: string
  readonly log: Logger
  readonly #registrar = new Registrar()
  readonly hooks = new HookRegistry(this.#registrar)
  readonly auth = new Auth(this.#registrar, message => this.log.warn(message))
  readonly actions = new Actions(this.#registrar)
  readonly policies = new Policies(this.#registrar)
  /** What plugins provide to each other. */
  readonly services = new ServiceSet(this.#registrar)
  /** Whether the kernel can answer requests, for load balancers. */
  readonly readiness = new Readiness(this.#registrar)
  /** Query parameters of plugins. */
  readonly parameters = new QueryParameters(this.#registrar)
  /** Filter operators: those of the kernel and those of plugins. */
  readonly operators = new QueryOperators(this.#registrar)
  readonly contentTypes: Registry
  /** Settings of config/server, config/api and the others, by file name. */
  readonly config: Readonly<Record<string, Record<string, unknown>>>
  readonly #database: Database | null
  readonly #lifecycles = new Lifecycles()
  readonly #plugins: PluginRunner
  #engine: Engine | null = null
  #reader: Reader | null = null
  #writer: ContentWriter | null = null
  #options: OptionCheck | null = null
  #module: AppModule | null = null
  #isClosed = false
  /** Whether the start has ended. */
  #isOpen = false
  /** The changes that the start made to the database. */
  syncReport: SyncReport | null = null

  /** @internal */
  constructor(
    dir: string,
    log: Logger,
    config: Kernel['config'],
    database: Database | null,
    server: WholeServer | null = null,
  ) {
    this.dir = dir
    this.#plugins = new PluginRunner(this, this.#registrar, server)
    this.log = log
    this.config = config
    this.#database = database
    const responses = config.api?.responses as { privateAttributes?: string[] } | undefined
    this.contentTypes = new Registry(message => log.warn(message), responses?.privateAttributes, this.#registrar)
    addOwnChecks(this.readiness, this)
  }

  /** Attribute types of plugins. */
  get attributeTypes(): AttributeTypeSet {
    return this.contentTypes.attributeTypes
  }

  /** The base types of custom fields. */
  get customFields(): CustomFieldSet {
    return this.contentTypes.customFields
  }

  /** v4's lifecycle subscriptions (B-10.73), which are possible until the end of `bootstrap`, as in v4. */
  readonly lifecycles = {
    subscribe: (uids: readonly string[] | null, functions: Readonly<Record<string, unknown>>): void => {
      const what = 'lifecycles.subscribe'
      const refuse = this.#isOpen ? this.#registrar.begin(what) : this.#registrar.refusal(what)
      checkSubscription(uids, functions, refuse)
      if (this.#registrar.isFrozen) for (const uid of uids ?? []) this.contentTypes.require(uid)
      const source = { name: 'subscription', plugin: this.#registrar.plugin }
      if (uids === null) this.#lifecycles.addForAll(source, functions)
      else for (const uid of uids) this.#lifecycles.add(uid, source, functions)
    },
  }

  /** @internal */
  get database(): Database {
    if (this.#database === null)
      throw new UsageError('PLINTH_NOT_STARTED', 'Only the model is loaded; there is no database')
    return this.#database
  }

  /** @internal */
  get engine(): Engine {
    if (this.#engine === null) throw notStarted()
    return this.#engine
  }

  /** Reads entries for transports. Other code uses `kernel.query`. */
  get reader(): Reader {
    if (this.#reader === null) throw notStarted()
    return this.#reader
  }

  /** Writes entries, for transports and for hooks of plugins. */
  get writer(): ContentWriter {
    if (this.#writer === null) throw notStarted()
    return this.#writer
  }

  /** Entries of one type. Without a context everything is allowed. */
  query(uid: string, context: Context = createContext(systemAccess)): Repository {
    const tools = { reader: this.reader, writer: this.writer, options: this.#options! }
    this.contentTypes.require(uid)
    return new Repository(uid, tools, context)
  }

  /** The services of a plugin: `kernel.plugin('reading-time').service('measure')`, as in v4. */
  plugin<Name extends string>(name: Name): PluginServices<Name> {
    return this.services.of(name)
  }

  /** Runs everything that `work` does by kernel.query in one transaction, which is committed when `work` resolves. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.database.transaction(work)
  }

  /**
   * Runs `work`, and reports the statements that it causes to `observer`, also while others run; the hook `onStatement` is
   * told of those of all callers. The BEGIN and COMMIT of a group commit are told to the observer of each write in it.
   * Statements of `kernel.knex` are not observed. A transaction keeps the observer with which it began. Within another
   * call, both observers are told.
   */
  observe<T>(observer: StatementObserver, work: () => T): T {
    return this.database.observe(observer, work)
  }

  /**
   * Checks that a caller may do an action, for routes of plugins. A route names its action in `config.action` too, so that
   * a server runs its policies and reads no credentials for it if everybody may do it. Throws ForbiddenError.
   */
  authorize(action: string, { access }: Context): void {
    this.actions.authorize(action, access)
  }

  /**
   * Sets a datetime of entries, by their ids, in one statement for up to 5,000 of them: for what a plugin notes about its
   * own entries, such as when one was last used. No hook and no lifecycle runs, nothing is checked, `updatedAt` stays,
   * and totals that servers remember (`rememberTotals`) stay too. Ids of missing entries are ignored. Throws UsageError
   * if the type has no such datetime.
   */
  stamp(uid: string, name: string, times: ReadonlyMap<number, Date>): Promise<void> {
    return stamp(this.database, this.contentTypes.require(uid), name, times)
  }

  /**
   * A secret of the application, from its setting or its environment variable. Outside of production a missing one is
   * made and added to the application's `.env`. Throws StartError in production if it is missing or has the value of an
   * example (security.md A.5).
   */
  secret(source: SecretSource): Promise<string> {
    // Without a folder of an application no configuration was read: options replace other files than this one.
    return findSecret(source, this.config.plugins === undefined ? null : this.dir, message => this.log.info(message))
  }

  /** A context for a caller's rights. `isAbandoned` says whether the caller has gone; `limits` bounds the answers. */
  context(access: Access, request?: unknown, isAbandoned?: () => boolean, limits?: AnswerLimits): Context {
    return createContext(access, request, isAbandoned, limits)
  }

  /**
   * How many connections of the pool are in use, are idle and are waited for, for plugins that watch. On a file of SQLite
   * these are the connections for writes: reads have their own process.
   */
  get connections(): PoolUsage {
    return this.database.connections
  }

  /** knex on the connection pool, for statements outside of transactions; inside of one, use `tx.knex`. */
  get knex(): Knex {
    return this.database.knex
  }

  /**
   * Runs a plugin's `register`; called by createKernel, through the server if there is one.
   * @internal
   */
  async registerPlugin(definition: PluginDefinition, config: unknown, app: PluginHost | null): Promise<void> {
    const { name } = definition
    this.#registrar.begin(`plugin ${name}`)
    this.contentTypes.addTypeOptions(definition.typeOptions ?? {})
    if (definition.pluginOptions !== undefined) this.contentTypes.addPluginOptions(name, definition.pluginOptions)
    this.contentTypes.addForeignTables(definition.tables ?? [])
    await this.#plugins.register({ definition, config, app })
  }

  /**
   * Loads model files and the application's own module.
   * @internal
   */
  async load(options: KernelOptions): Promise<void> {
    const { contentTypes } = this
    this.#module = await loadApplication(options, { contentTypes, lifecycles: this.#lifecycles, log: this.log })
  }

  /** Freezes the model: after this, nothing can be registered. @internal */
  async freeze(app: PluginHost | null, findColumn?: FindColumn): Promise<void> {
    await this.#plugins.registerModule(this.#module, app)
    const { contentTypes } = this
    const columns = findColumn ?? (await columnsFor(contentTypes, this.#database))
    contentTypes.freeze(draft => this.hooks.preModel(draft), columns)
    this.hooks.freeze(contentTypes.values())
    this.actions.freeze(contentTypes.values())
    for (const uid of this.#lifecycles.uids()) contentTypes.require(uid)
  }

  /**
   * Freezes the model, synchronizes the database with it, and runs `bootstrap`.
   * @internal
   */
  async start(app: PluginHost | null, options: KernelOptions): Promise<void> {
    await this.freeze(app)
    await this.policies.resolve(this.actions.policies(), options.dir ?? null, { kernel: this })
    this.hooks.listenToStatements = listener => this.database.listen(listener)
    this.database.listen(this.hooks.compiled.onStatement)
    const compat = this.config.api?.compat as Record<string, boolean> | undefined
    const grammar = {
      operators: this.operators.byName,
      parameters: this.parameters.compiled,
      ignoreUnknownOperators: compat?.ignoreUnknownOperators === true,
    }
    const limits = resolveLimits(options, this.config.api?.rest)
    const authorize: Authorize = (uid, operation, access) => this.actions.authorizeOperation(uid, operation, access)
    const { database, contentTypes: registry, hooks, log } = this
    this.#engine = new Engine(database, registry, hooks, grammar, this.#lifecycles, limits, authorize)
    this.#options = new OptionCheck(this.parameters.compiled.keys())
    this.#reader = new Reader(this.#engine, this.#lifecycles)
    this.#writer = new Writer(this.#engine, hooks, this.#lifecycles)
    await hooks.compiled.onModel?.(registry.values())
    const mode = resolveMode(options.migrate, options.database ?? this.config.database)
    this.#isOpen = mode === 'none'
    if (mode === 'none') return void (await database.findNarrow())
    warnOfNone(registry.values(), log)
    warnOfDormant(registry.values(), log)
    warnOfGuessed(registry.customFields.settled, log)
    warnOfUntaken(registry.values(), this.#plugins.definitions, log)
    await database.stand()
    const { report, divergence } = await syncSchema({ database, registry, mode, dir: options.dir ?? null, log })
    this.syncReport = report
    registry.divergence = divergence
    warnOfNarrow(registry.values(), await database.findNarrow(), log)
    await this.#plugins.bootstrap(app)
    this.#isOpen = true
  }

  /** Runs `destroy` of the application and the plugins, then closes the database, also if one of them throws. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#plugins.destroy().finally(() => this.database.close())
  }
}

function notStarted(): UsageError {
  return new UsageError('PLINTH_NOT_STARTED', 'The kernel has not started yet; use entries in `bootstrap` or later')
}
