// Records which plugin registers at present, and whether the model is frozen. All objects of a kernel that take
// registrations share one registrar, so that each error names the plugin that made the mistake.

import type { ErrorCode } from '../error-codes.ts'
import { RegistrationError } from '../errors.ts'
import { suggestion } from '../nearest.ts'

/** Throws a RegistrationError that begins with the plugin's name and with what it registers. */
export type Refuse = (fault: string, code?: ErrorCode) => never

/** The name of a plugin in messages; the application itself registers as `app`. */
export const calledBy = (plugin: string): string => (plugin === 'app' ? 'the application' : `plugin ${plugin}`)

/** `, did you mean "x"?`, or the list of all known names. */
export function knownWords(word: string, words: readonly string[]): string {
  return suggestion(word, words) || `; the known names are ${words.join(', ')}`
}

/** The state of the registration: the plugin whose code runs, and whether the model is frozen. */
export class Registrar {
  /** The plugin that registers at present. */
  plugin = 'app'
  #isFrozen = false

  get isFrozen(): boolean {
    return this.#isFrozen
  }

  freeze(): void {
    this.#isFrozen = true
  }

  /** Begins a registration: throws after the freeze, otherwise returns the function that refuses it. */
  begin(what: string): Refuse {
    const refuse = this.refusal(what)
    if (this.#isFrozen)
      refuse('the model is frozen; make all registrations in the function `register`', 'PLINTH_FROZEN')
    return refuse
  }

  /** The function that refuses a registration of `plugin`. */
  refusal(what: string, plugin: string = this.plugin): Refuse {
    return (fault, code = 'PLINTH_DEFINITION_INVALID') => {
      throw new RegistrationError(code, `${calledBy(plugin)}: ${what}: ${fault}`)
    }
  }

  /** Runs a function of a plugin, so that its registrations have the name of the plugin. */
  async as<T>(plugin: string, work: () => T | Promise<T>): Promise<T> {
    const before = this.plugin
    this.plugin = plugin
    try {
      return await work()
    } finally {
      this.plugin = before
    }
  }
}
