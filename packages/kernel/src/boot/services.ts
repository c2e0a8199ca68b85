// The services of plugins: values that other plugins and the application use, found by name (v4's
// `strapi.plugin(name).service(name)`). Knows nothing of what they do.

import { UsageError } from '../errors.ts'
import { suggestion } from '../nearest.ts'
import { calledBy, type Registrar } from '../registration/registrar.ts'

/**
 * The types of services, by `<plugin>.<service>`. Plugins declare theirs by declaration merging, so that they have a
 * type where the package of the plugin is imported; without one, a service is `unknown`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: plugins merge their services into it.
export interface Services {}

/** The type of the service with a name such as `reading-time.measure`. */
export type Service<Name extends string> = Name extends keyof Services ? Services[Name] : unknown

/** The services of one plugin, as `kernel.plugin(name)`. */
export interface PluginServices<Plugin extends string> {
  /** The service of that name. Throws UsageError if it is not there, or not yet. */
  service<Name extends string>(name: Name): Service<`${Plugin}.${Name}`>
}

/** A service, and the plugin that provided it. */
interface ProvidedService {
  readonly value: unknown
  readonly by: string
}

/** The services of a kernel, as `kernel.services`. */
export class ServiceSet {
  readonly #registrar: Registrar
  readonly #provided = new Map<string, ProvidedService>()

  /** @internal */
  constructor(registrar: Registrar) {
    this.#registrar = registrar
  }

  /**
   * Provides a service of a plugin until the freeze. It is there at once, so plugins that are registered later can use
   * it in `register`, and all others from `bootstrap` on. Throws RegistrationError after the freeze, and for a name that
   * is taken.
   */
  provide<Plugin extends string, Name extends string>(
    plugin: Plugin,
    name: Name,
    value: Service<`${Plugin}.${Name}`>,
  ): void {
    const full = `${plugin}.${name}`
    const refuse = this.#registrar.begin(`service ${full}`)
    for (const word of [plugin, name] as unknown[])
      if (typeof word !== 'string' || !/^[\w-]+$/.test(word))
        refuse('the names of a plugin and of its service must consist of letters, digits, "_" and "-"')
    if (value === undefined || value === null) refuse(`must have a value, found ${String(value)}`)
    const existingService = this.#provided.get(full)
    if (existingService !== undefined) refuse(`${calledBy(existingService.by)} already provides it`)
    this.#provided.set(full, { value, by: this.#registrar.plugin })
  }

  /** The service of a plugin that may not be enabled, or null. */
  find<Plugin extends string, Name extends string>(plugin: Plugin, name: Name): Service<`${Plugin}.${Name}`> | null {
    const entry = this.#provided.get(`${plugin}.${name}`)
    // Whoever provides a value under a declared name is checked against the same declaration.
    return entry === undefined ? null : (entry.value as Service<`${Plugin}.${Name}`>)
  }

  /**
   * The services of one plugin, which need not be enabled.
   * @internal
   */
  of<Plugin extends string>(plugin: Plugin): PluginServices<Plugin> {
    return { service: name => this.#require(plugin, name) }
  }

  #require<Plugin extends string, Name extends string>(plugin: Plugin, name: Name): Service<`${Plugin}.${Name}`> {
    const service = this.find(plugin, name)
    if (service !== null) return service
    const full = `${plugin}.${name}`
    const serviceNames = [...this.#provided.keys()]
    const list =
      serviceNames.length === 0 ? '; no plugin provides one' : `; the known services are ${serviceNames.join(', ')}`
    const early = this.#registrar.isFrozen
      ? ''
      : '. While plugins register, only services of those registered before are there (`dependencies`, `after`)'
    const hint = suggestion(full, serviceNames) || list
    throw new UsageError('PLINTH_SERVICE_UNKNOWN', `There is no service "${full}"${hint}${early}`)
  }
}
