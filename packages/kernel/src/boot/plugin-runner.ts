// Runs the functions of plugins and of the application's src/index: register and bootstrap in the order of the plugins,
// destroy in the reverse order. Knows nothing of the model and of the database.

import type { PluginHost, WholeServer } from '../hooks/plugin-host.ts'
import { blaming } from '../registration/blame.ts'
import type { Registrar } from '../registration/registrar.ts'
import type { AppModule } from './app.ts'
import type { Kernel } from './kernel.ts'
import type { PluginDefinition } from './plugin.ts'

/** A plugin that was registered, with its settings and its own instance of the server. */
interface RegisteredPlugin {
  readonly definition: PluginDefinition
  readonly config: unknown
  readonly app: PluginHost | null
}

/** The plugins and the own module of an application. */
export class PluginRunner {
  readonly #kernel: Kernel
  readonly #registrar: Registrar
  readonly #server: WholeServer | null
  readonly #plugins: RegisteredPlugin[] = []
  #module: AppModule | null = null
  #isBootstrapped = false

  constructor(kernel: Kernel, registrar: Registrar, server: WholeServer | null) {
    this.#kernel = kernel
    this.#registrar = registrar
    this.#server = server
  }

  /** The plugins that were registered, in their order. */
  get definitions(): readonly PluginDefinition[] {
    return this.#plugins.map(one => one.definition)
  }

  /** Runs `register` of a plugin. Errors name the plugin. */
  async register(plugin: RegisteredPlugin): Promise<void> {
    const { definition } = plugin
    const work = () => definition.register(this.#toolsOf(plugin))
    await this.#registrar.as(definition.name, () => blaming(`plugin ${definition.name}: register`, work))
    this.#plugins.push(plugin)
  }

  /** Runs `register` of the application's own module; null if it has none. */
  async registerModule(module: AppModule | null, app: PluginHost | null): Promise<void> {
    this.#module = module
    await blaming('src/index: register', () => module?.register?.(this.#moduleTools(app)))
  }

  /** Runs `bootstrap` of the plugins, then of the application. */
  async bootstrap(app: PluginHost | null): Promise<void> {
    this.#isBootstrapped = true
    for (const plugin of this.#plugins) {
      const { definition } = plugin
      const work = () => definition.bootstrap?.(this.#toolsOf(plugin))
      await this.#registrar.as(definition.name, () => blaming(`plugin ${definition.name}: bootstrap`, work))
    }
    await blaming('src/index: bootstrap', () => this.#module?.bootstrap?.(this.#moduleTools(app)))
  }

  /** Runs `destroy` of the application and the plugins; without `bootstrap` there is nothing to undo. */
  async destroy(): Promise<void> {
    if (!this.#isBootstrapped) return
    await this.#module?.destroy?.({ kernel: this.#kernel, app: null, server: null })
    for (const plugin of this.#plugins.toReversed()) await plugin.definition.destroy?.(this.#toolsOf(plugin))
  }

  #toolsOf({ config, app }: RegisteredPlugin) {
    return { kernel: this.#kernel, config: config as never, app, server: this.#server }
  }

  #moduleTools(app: PluginHost | null) {
    return { kernel: this.#kernel, app, server: this.#server }
  }
}
