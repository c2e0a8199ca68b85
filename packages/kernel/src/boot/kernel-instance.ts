// The kernel itself: takes registrations, loads and freezes the model, brings the database to it, runs bootstrap, and
// answers queries. The interface `Kernel` documents its public members. It knows no plugin, no transport and no server.

import type { Knex } from 'knex'
import type { Database } from '../connection/database.ts'
import type { StatementObserver } from '../connection/observer.ts'
import type { PoolUsage } from '../connection/pool.ts'
import type { Transaction } from '../connection/session.ts'
import { type Access, type AnswerLimits, type Context, createContext, systemAccess } from '../context.ts'
import { migrateIn } from '../databases/config.ts'
import { UsageError } from '../errors.ts'
import { HookRegistry } from '../hooks/hooks.ts'
import { checkSubscription } from '../hooks/lifecycle-checks.ts'
import { Lifecycles } from '../hooks/lifecycles.ts'
import type { PluginHost, WholeServer } from '../hooks/plugin-host.ts'
import { resolveMode } from '../migrate/mode.ts'
import { columnsFor } from '../migrate/present-columns.ts'
import { type SyncReport, syncSchema } from '../migrate/start.ts'
import type { AttributeTypeSet } from '../model/attribute-type-set.ts'
import type { CustomFieldSet } from '../model/base-types.ts'
import { Registry } from '../model/registry.ts'
import type { FindColumn } from '../model/settle-fields.ts'
import { OptionCheck } from '../query/options.ts'
import { type Authorize, Engine } from '../read/engine.ts'
import { Reader } from '../read/reader.ts'
import { Registrar } from '../registration/registrar.ts'
import { stamp } from '../write/stamp.ts'
import { Writer } from '../write/writer.ts'
import { Actions } from './actions.ts'
import type { AppModule } from './app.ts'
import { Auth } from './auth.ts'
import type { ContentWriter } from './content-writer.ts'
import { type Indexing, startIndexing } from './indexing.ts'
import type { Kernel } from './kernel.ts'
import { resolveLimits } from './limits.ts'
import { loadApplication } from './load-application.ts'
import type { Logger } from './logger.ts'
import type { KernelOptions } from './options.ts'
import { createOwnTables } from './own-tables.ts'
import type { PluginDefinition } from './plugin.ts'
import { PluginRunner } from './plugin-runner.ts'
import { Policies } from './policies.ts'
import { QueryOperators, QueryParameters } from './query-words.ts'
import { addOwnChecks, Readiness } from './readiness.ts'
import { Repository } from './repository.ts'
import { findSecret, type SecretSource } from './secrets.ts'
import { type PluginServices, ServiceSet } from './services.ts'
import {
  warnAboutUnclaimedOptions,
  warnIfModelIsEmpty,
  warnOfDormant,
  warnOfGuessed,
  warnOfNarrow,
} from './warnings.ts'

/** A kernel as `createKernel` makes it. */
export class KernelInstance implements Kernel {
  readonly dir: string
  readonly log: Logger
  readonly #registrar = new Registrar()
  readonly hooks = new HookRegistry(this.#registrar)
  readonly auth = new Auth(this.#registrar, message => this.log.warn(message))
  readonly actions = new Actions(this.#registrar)
  readonly policies = new Policies(this.#registrar)
  readonly services = new ServiceSet(this.#registrar)
  readonly readiness = new Readiness(this.#registrar)
  readonly parameters = new QueryParameters(this.#registrar)
  readonly operators = new QueryOperators(this.#registrar)
  readonly contentTypes: Registry
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
  /** True if the start has ended. */
  #isOpen = false
  /** Makes indexes after the start of a server; null without one. */
  #indexing: Indexing | null = null
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

  get attributeTypes(): AttributeTypeSet {
    return this.contentTypes.attributeTypes
  }

  get customFields(): CustomFieldSet {
    return this.contentTypes.customFields
  }

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

  get reader(): Reader {
    if (this.#reader === null) throw notStarted()
    return this.#reader
  }

  get writer(): ContentWriter {
    if (this.#writer === null) throw notStarted()
    return this.#writer
  }

  /** Its types depend on the application's content, which only the compiler of an application knows. */
  readonly query = ((uid: string, context: Context = createContext(systemAccess)): Repository => {
    const tools = { reader: this.reader, writer: this.writer, options: this.#options! }
    this.contentTypes.require(uid)
    return new Repository(uid, tools, context)
  }) as unknown as Kernel['query']

  plugin<Name extends string>(name: Name): PluginServices<Name> {
    return this.services.of(name)
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.database.transaction(work)
  }

  observe<T>(observer: StatementObserver, work: () => T): T {
    return this.database.observe(observer, work)
  }

  authorize(action: string, { access }: Context): void {
    this.actions.authorize(action, access)
  }

  stamp(uid: string, name: string, times: ReadonlyMap<number, Date>): Promise<void> {
    return stamp(this.database, this.contentTypes.require(uid), name, times)
  }

  secret(source: SecretSource): Promise<string> {
    // Without a folder of an application no configuration was read: options replace other files than this one.
    return findSecret(source, this.config.plugins === undefined ? null : this.dir, message => this.log.info(message))
  }

  context(access: Access, request?: unknown, isAbandoned?: () => boolean, limits?: AnswerLimits): Context {
    return createContext(access, request, isAbandoned, limits)
  }

  get connections(): PoolUsage {
    return this.database.connections
  }

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
    this.contentTypes.addForeignTables([...(definition.tables ?? []), ...Object.keys(definition.ownTables ?? {})])
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
      isRemarked: this.hooks.onRemark !== null,
    }
    const limits = resolveLimits(options, this.config.api?.rest)
    const authorize: Authorize = (uid, operation, access) => this.actions.authorizeOperation(uid, operation, access)
    const { database, contentTypes: registry, hooks, log } = this
    this.#engine = new Engine({ database, registry, hooks, grammar, lifecycles: this.#lifecycles, authorize }, limits)
    this.#options = new OptionCheck(this.parameters.compiled.keys())
    this.#reader = new Reader(this.#engine, this.#lifecycles)
    this.#writer = new Writer(this.#engine, hooks, this.#lifecycles)
    await hooks.compiled.onModel?.(registry.values())
    const mode = resolveMode(options.migrate, migrateIn(options.database ?? this.config.database))
    this.#isOpen = mode === 'none'
    if (mode === 'none') return void (await database.findNarrow())
    warnIfModelIsEmpty(registry.values(), log)
    warnOfDormant(registry.values(), log)
    warnOfGuessed(registry.customFields.settled, log)
    warnAboutUnclaimedOptions(registry.values(), this.#plugins.definitions, log)
    await database.joinElection()
    const { report, divergence } = await syncSchema({ database, registry, mode, dir: options.dir ?? null, log })
    this.syncReport = report
    registry.divergence = divergence
    warnOfNarrow(registry.values(), await database.findNarrow(), log)
    await createOwnTables(this.#plugins.definitions, this)
    await this.#plugins.bootstrap(app)
    this.#isOpen = true
    // A script may end at any moment, and would leave an index unfinished.
    if (app !== null) this.#indexing = startIndexing({ database, registry, log })
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#plugins
      .destroy()
      .finally(() => this.#indexing?.stop())
      .finally(() => this.database.close())
  }
}

function notStarted(): UsageError {
  return new UsageError('PLINTH_NOT_STARTED', 'The kernel has not started yet; use entries in `bootstrap` or later')
}
