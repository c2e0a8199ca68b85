// Who registers at the moment, and until when. A kernel has one, shared by everything that takes registrations, so that each
// mistake names the plugin that made it.

import { RegistrationError } from '../errors.ts'
import type { ErrorCode } from '../error-codes.ts'
import { suggestion } from '../nearest.ts'

/** Throws a RegistrationError that begins with the plugin's name and with what it registers. */
export type Refuse = (fault: string, code?: ErrorCode) => never

/** How messages call whoever registers; hooks of the application itself are registered by `app`. */
export const calledBy = (plugin: string): string => (plugin === 'app' ? 'the application' : `plugin ${plugin}`)

/** `, did you mean "x"?`, or all words there are. */
export function knownWords(word: string, known: readonly string[]): string {
  return suggestion(word, known) || `; there are ${known.join(', ')}`
}

/** The one place that knows whether the model is frozen, and which plugin's code runs. */
export class Registrar {
  /** The plugin that registers at the moment. */
  plugin = 'app'
  #isFrozen = false

  get isFrozen(): boolean {
    return this.#isFrozen
  }

  freeze(): void {
    this.#isFrozen = true
  }

  /** For what is registered now: throws where it is too late, and gives back how to refuse it. */
  begin(what: string): Refuse {
    const refuse = this.refusal(what)
    if (this.#isFrozen) refuse('the model is frozen, register earlier', 'PLINTH_FROZEN')
    return refuse
  }

  /** How to refuse what `plugin` registers. */
  refusal(what: string, plugin: string = this.plugin): Refuse {
    return (fault, code = 'PLINTH_DEFINITION_INVALID') => {
      throw new RegistrationError(code, `${calledBy(plugin)}: ${what}: ${fault}`)
    }
  }

  /** Runs a plugin's function under its name. */
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
