// Resolves the limits of the engine from the options of createKernel and the settings of the application.

import { StartError } from '../errors.ts'
import type { EngineLimits } from '../read/engine.ts'
import type { KernelOptions } from './options.ts'

const fallbacks = { maxCost: 100, maxRows: 100_000 } as const

/**
 * The limits of queries: options first, then those of `rest` in config/api, then the defaults. Throws StartError for a
 * limit that is not a whole number of at least 1.
 */
export function resolveLimits(options: KernelOptions, rest: unknown): EngineLimits {
  const settings: Readonly<Record<string, unknown>> = typeof rest === 'object' && rest !== null ? { ...rest } : {}
  const option = (name: keyof EngineLimits) => checked(options[name], `createKernel: ${name}`, 'PLINTH_OPTION_INVALID')
  const limitOf = (name: keyof typeof fallbacks): number => {
    if (options[name] !== undefined) return option(name)
    if (settings[name] === undefined) return fallbacks[name]
    return checked(settings[name], `config/api: rest.${name}`, 'PLINTH_CONFIG_INVALID')
  }
  return {
    maxPlans: options.maxPlans === undefined ? 1000 : option('maxPlans'),
    maxCost: limitOf('maxCost'),
    maxRows: limitOf('maxRows'),
  }
}

function checked(value: unknown, name: string, code: 'PLINTH_OPTION_INVALID' | 'PLINTH_CONFIG_INVALID'): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return value
  throw new StartError(code, `${name} must be a whole number of at least 1, not ${String(value)}`)
}
