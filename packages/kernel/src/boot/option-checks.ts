// Checks the options of createKernel, and of functions that call it. A misspelt option would have no effect, without
// any message.

import { StartError } from '../errors.ts'
import { knownWords } from '../registration/registrar.ts'
import type { KernelOptions, SettingsByFile } from './options.ts'

const kernelWords: Readonly<Record<keyof KernelOptions, true>> = {
  dir: true,
  database: true,
  contentTypes: true,
  components: true,
  config: true,
  plugins: true,
  migrate: true,
  logger: true,
  configure: true,
  maxPlans: true,
  maxCost: true,
  maxRows: true,
}

const settingsWords: Readonly<Record<keyof SettingsByFile, true>> = { server: true, api: true }

/** The names of the options of createKernel. */
export const kernelOptions = Object.keys(kernelWords)

/** Throws StartError for options that are not known. `who` is the function that was called. */
export function checkOptions(who: string, options: object, optionNames: readonly string[] = kernelOptions): void {
  for (const key of Object.keys(options)) {
    if (!optionNames.includes(key))
      throw new StartError(
        'PLINTH_OPTION_UNKNOWN',
        `${who}: the option ${key} is not known${knownWords(key, optionNames)}`,
      )
  }
}

/** Throws StartError for a logger without the methods of one, such as the `true` that Fastify takes. */
export function checkLogger(logger: unknown): void {
  const methods = ['info', 'warn', 'error']
  if (methods.every(name => typeof (logger as Readonly<Record<string, unknown>> | null)?.[name] === 'function')) return
  throw new StartError(
    'PLINTH_OPTION_INVALID',
    `createKernel: logger must be an object with ${methods.join(', ')}, not ${JSON.stringify(logger)}`,
  )
}

/**
 * Throws StartError for settings of files that the option `config` cannot replace, and for those that are not objects.
 */
export function checkSettings(settingsByFile: SettingsByFile): void {
  checkOptions('the option config', settingsByFile, Object.keys(settingsWords))
  for (const [file, settings] of Object.entries(settingsByFile) as [string, unknown][]) {
    if (settings !== undefined && (typeof settings !== 'object' || settings === null || Array.isArray(settings)))
      throw new StartError('PLINTH_CONFIG_INVALID', `the option config: ${file} must be an object of settings`)
  }
}
