// The kernel: takes registrations, loads and freezes the model, synchronizes the database, runs bootstrap, and answers
// queries. It knows no plugin, no transport and no server.

import type { Knex } from 'knex'
import { Actions } from './actions.ts'
import { Auth } from './auth.ts'
import { type Access, type AnswerLimits, type Context, createContext, systemAccess } from '../context.ts'
import type { Database } from '../database/database.ts'
import { createModels, type Models } from '../objection/models.ts'
import type { StatementObserver } from '../database/observer.ts'
import type { Transaction } from '../database/session.ts'
import { type SyncReport, syncSchema } from '../migrate/start.ts'
import { UsageError } from '../errors.ts'
import { type Authorize, Engine } from '../read/engine.ts'
import { Reader } from '../read/reader.ts'
import { HookRegistry } from '../hooks/hooks.ts'
import { Lifecycles } from '../hooks/lifecycles.ts'
import type { PluginHost, WholeServer } from '../hooks/plugin-host.ts'
import { type MigrateMode, resolveMode } from '../migrate/mode.ts'
import { loadModel } from '../model/load.ts'
import { Registry } from '../model/registry.ts'
import { findSecret, type SecretSource } from './secrets.ts'
import { warnOfDormant, warnOfNone, warnOfUntaken } from './warnings.ts'
import { type AppModule, loadApp } from './app.ts'
import type { PluginDefinition, PluginsConfig } from './plugins.ts'
import { Policies } from './policies.ts'
import { type Operator, operators } from '../query/operators.ts'
import { OptionCheck } from '../query/options.ts'
import { compileParameter, type Parameter, type ParameterDefinition } from '../plan/parameters.ts'
import { checkSubscription } from '../hooks/lifecycle-checks.ts'
import { attributedMembers, blaming } from '../registration/blame.ts'
import { Registrar } from '../registration/registrar.ts'
import { checkOperator, checkParameter } from './definition-checks.ts'
import type { ContentWriter } from './content-writer.ts'
import { Repository } from './repository.ts'
import { stamp } from '../write/stamp.ts'
import { Writer } from '../write/writer.ts'

/** Receives the messages of the kernel; a pino logger has these methods. */
export interface Logger {
  info(message: string): void
  warn(message: string): void
  error(object: unknown, message?: string): void
}

export interface KernelOptions {
  /** The folder of the application, with config/ and src/. Without it no files are read. */
  readonly dir?: string
  /** Overrides config/database. */
  readonly database?: unknown
  /** Content types in addition to those of the folder. */
  readonly contentTypes?: readonly unknown[]
  /** Components in addition to those of the folder, by uid. */
  readonly components?: Readonly<Record<string, unknown>>
  /** Overrides config/plugins. */
  readonly plugins?: PluginsConfig
  /** What the start may change in the database; overrides DATABASE_MIGRATE and `migrate` of config/database. */
  readonly migrate?: MigrateMode
  readonly logger?: Logger
  /** Called first, to register hooks before any plugin does. */
  readonly configure?: (kernel: Kernel) => void
  /** The maximum number of cached plans; 1000 by default. */
  readonly maxPlans?: number
  /** The maximum number of content types and components that a query may visit; config/api's `rest.maxCost`, or 100. */
  readonly maxCost?: number
}

/** The members of a parameter that are functions of the plugin. */
const ownFunctions = ['for', 'shape', 'plan', 'fallback', 'refuse'] as const

/** A kernel. It takes registrations until the freeze, and answers queries after the start. */
export class Kernel {
  readonly dir: string
  readonly log: Logger
  readonly #registrar = new Registrar()
  readonly hooks = new HookRegistry(this.#registrar)
  readonly auth = new Auth(this.#registrar)
  readonly actions = new Actions(this.#registrar)
  readonly policies = new Policies(this.#registrar)
  readonly contentTypes: Registry
  /** Settings of config/server, config/api and the others, by file name. */
  readonly config: Readonly<Record<string, Record<string, unknown>>>
  readonly #database: Database | null
  readonly #server: WholeServer | null
  readonly #operators = new Map<string, Operator>(operators.map(one => [one.name, one]))
  readonly #parameters = new Map<string, Parameter>()
  readonly #lifecycles = new Lifecycles()
  readonly #started: {
    readonly definition: PluginDefinition
    readonly config: unknown
    readonly app: PluginHost | null
  }[] = []
  #engine: Engine | null = null
  #reader: Reader | null = null
  #writer: ContentWriter | null = null
  #options: OptionCheck | null = null
  #models: Models | null = null
  #app: AppModule | null = null
  #isClosed = false
  #isBootstrapped = false
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
    this.#server = server
    this.log = log
    this.config = config
    this.#database = database
    const responses = config.api?.responses as { privateAttributes?: string[] } | undefined
    this.contentTypes = new Registry(message => log.warn(message), responses?.privateAttributes, this.#registrar)
  }

  /** Query parameters of plugins. */
  readonly parameters = {
    add: (definition: ParameterDefinition): void => {
      const refuse = this.#registrar.begin(`parameter ${definition?.name}`)
      checkParameter(definition, refuse)
      if (this.#parameters.has(definition.name)) refuse('already exists')
      const author = { plugin: this.#registrar.plugin, hook: `parameter ${definition.name}` }
      this.#parameters.set(definition.name, compileParameter(attributedMembers(definition, ownFunctions, author)))
    },
    values: (): ParameterDefinition[] => [...this.#parameters.values()].map(one => one.definition),
  }

  /** Filter operators: those of the kernel and those of plugins. */
  readonly operators = {
    add: (operator: Operator): void => {
      const refuse = this.#registrar.begin(`operator ${operator?.name}`)
      checkOperator(operator, refuse)
      if (this.#operators.has(operator.name)) refuse('already exists')
      const author = { plugin: this.#registrar.plugin, hook: `operator ${operator.name}` }
      this.#operators.set(operator.name, attributedMembers(operator, ['sql', 'encode'], author))
    },
    values: (): Operator[] => [...this.#operators.values()],
  }

  /** Attribute types of plugins. */
  readonly attributeTypes = {
    add: (...args: Parameters<Registry['addAttributeType']>): void => this.contentTypes.addAttributeType(...args),
    replace: (...args: Parameters<Registry['replaceAttributeType']>): void =>
      this.contentTypes.replaceAttributeType(...args),
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

  /** Objection models of the frozen types, for plugins and their write graphs; reads do not build them. */
  get models(): Models {
    this.#models ??= createModels(this.contentTypes, this.database)
    return this.#models
  }

  /** Entries of one type. Without a context everything is allowed. */
  query(uid: string, context: Context = createContext(systemAccess)): Repository {
    const tools = { reader: this.reader, writer: this.writer, options: this.#options! }
    this.contentTypes.require(uid)
    return new Repository(uid, tools, context)
  }

  /** Runs everything that `work` does by kernel.query in one transaction, which is committed when `work` resolves. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.database.transaction(work)
  }

  /**
   * Runs `work`, and tells `observer` of the statements that it causes, also while others run; the hook `onStatement` is
   * told of those of all callers. The BEGIN and COMMIT of a group commit are told to the observer of each write in it.
   * Statements of `kernel.knex` are not observed. A transaction keeps the observer with which it began.
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
    // Without a folder of an application no configuration was read.
    const dir = Object.keys(this.config).length === 0 ? null : this.dir
    return findSecret(source, dir, message => this.log.info(message))
  }

  /** A context for a caller's rights. `isAbandoned` says whether the caller has gone; `limits` bounds the answers. */
  context(access: Access, request?: unknown, isAbandoned?: () => boolean, limits?: AnswerLimits): Context {
    return createContext(access, request, isAbandoned, limits)
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
    this.contentTypes.addForeignTables(definition.tables ?? [])
    const work = () => definition.register({ kernel: this, config: config as never, app, server: this.#server })
    await this.#registrar.as(name, () => blaming(`plugin ${name}: register`, work))
    this.#started.push({ definition, config, app })
  }

  /**
   * Loads model files and the application's own module.
   * @internal
   */
  async load(options: KernelOptions): Promise<void> {
    if (options.dir !== undefined) {
      const files = await loadModel(options.dir, { warn: message => this.log.warn(message) })
      const { contentTypes, components, extensions } = files
      for (const one of extensions) this.contentTypes.extend(one.uid, one.schema, { file: one.file })
      for (const one of components) this.contentTypes.addComponent(one.schema, one.uid, one.file)
      for (const one of contentTypes) {
        this.contentTypes.add(one.schema, { uid: one.uid, file: one.file })
        if (one.lifecycles !== null)
          this.#lifecycles.add(
            one.uid,
            { name: one.file.replace(/schema\.\w+$/, 'lifecycles'), plugin: 'app' },
            one.lifecycles,
          )
      }
      this.#app = await loadApp(options.dir)
    }
    for (const [uid, schema] of Object.entries(options.components ?? {})) this.contentTypes.addComponent(schema, uid)
    for (const schema of options.contentTypes ?? []) this.contentTypes.add(schema)
  }

  /**
   * Freezes the model: after this, nothing can be registered.
   * @internal
   */
  async freeze(app: PluginHost | null): Promise<void> {
    await blaming('src/index: register', () => this.#app?.register?.({ kernel: this, app, server: this.#server }))
    this.contentTypes.freeze(draft => this.hooks.preModel(draft))
    this.hooks.freeze(this.contentTypes.values())
    this.actions.freeze(this.contentTypes.values())
    for (const uid of this.#lifecycles.uids()) this.contentTypes.require(uid)
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
    const grammar = {
      operators: this.#operators,
      parameters: this.#parameters,
      ignoreUnknownOperators: this.#compat('ignoreUnknownOperators'),
    }
    const rest = this.config.api?.rest as { maxCost?: number } | undefined
    const limits = { maxPlans: options.maxPlans ?? 1000, maxCost: options.maxCost ?? rest?.maxCost ?? 100 }
    const authorize: Authorize = (uid, operation, access) => this.actions.authorizeOperation(uid, operation, access)
    const { database, contentTypes: registry, hooks, log } = this
    this.#engine = new Engine(database, registry, hooks, grammar, this.#lifecycles, limits, authorize)
    this.#options = new OptionCheck(this.#parameters.keys())
    this.#reader = new Reader(this.#engine, this.#lifecycles)
    this.#writer = new Writer(this.#engine, hooks, this.#lifecycles)
    await hooks.compiled.onModel?.(registry.values())
    const mode = resolveMode(options.migrate, options.database ?? this.config.database)
    if (mode === 'none') {
      this.#isOpen = true
      return
    }
    warnOfNone(registry.values(), log)
    warnOfDormant(registry.values(), log)
    const plugins = this.#started.map(one => one.definition)
    warnOfUntaken(registry.values(), plugins, log)
    await database.stand()
    this.syncReport = await syncSchema({ database, registry, mode, dir: options.dir ?? null, log })
    this.#isBootstrapped = true
    for (const { definition, config, app: own } of this.#started) {
      const { name } = definition
      const work = () =>
        definition.bootstrap?.({ kernel: this, config: config as never, app: own, server: this.#server })
      await this.#registrar.as(name, () => blaming(`plugin ${name}: bootstrap`, work))
    }
    await blaming('src/index: bootstrap', () => this.#app?.bootstrap?.({ kernel: this, app, server: this.#server }))
    this.#isOpen = true
  }

  #compat(name: string): boolean {
    return (this.config.api?.compat as Record<string, boolean> | undefined)?.[name] === true
  }

  /** Runs `destroy` of the application and the plugins, then closes the database. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    // Without `bootstrap` there is nothing that `destroy` could undo.
    if (this.#isBootstrapped) {
      await this.#app?.destroy?.({ kernel: this, app: null, server: null })
      for (const { definition, config, app } of this.#started.toReversed())
        await definition.destroy?.({ kernel: this, config: config as never, app, server: this.#server })
    }
    await this.database.close()
  }
}

function notStarted(): UsageError {
  return new UsageError('PLINTH_NOT_STARTED', 'The kernel has not started yet; use entries in `bootstrap` or later')
}
