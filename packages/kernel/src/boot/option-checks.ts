// Checks the options of createKernel, and of functions that call it. A misspelt option would have no effect, without
// any message.

import { StartError } from '../errors.ts'
import type { KernelOptions } from './options.ts'
import { knownWords } from '../registration/registrar.ts'

const kernelWords: Readonly<Record<keyof KernelOptions, true>> = {
  dir: true,
  database: true,
  contentTypes: true,
  components: true,
  plugins: true,
  migrate: true,
  logger: true,
  configure: true,
  maxPlans: true,
  maxCost: true,
  maxRows: true,
}

/** The names of the options of createKernel. */
export const kernelOptions = Object.keys(kernelWords)

/** Throws StartError for options that are not known. `who` is the function that was called. */
export function checkOptions(who: string, given: object, known: readonly string[] = kernelOptions): void {
  for (const key of Object.keys(given)) {
    if (!known.includes(key))
      throw new StartError('PLINTH_OPTION_UNKNOWN', `${who}: the option ${key} is not known${knownWords(key, known)}`)
  }
}
