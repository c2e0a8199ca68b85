// The options of createKernel, and of what starts a kernel: a misspelt one would silently be as if it were not there.

import { StartError } from '../errors.ts'
import type { KernelOptions } from './kernel.ts'
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
}

/** Options that createKernel has. */
export const kernelOptions = Object.keys(kernelWords)

/** Throws for options of `who` that nobody reads. */
export function checkOptions(who: string, given: object, known: readonly string[] = kernelOptions): void {
  for (const key of Object.keys(given)) {
    if (!known.includes(key))
      throw new StartError('PLINTH_OPTION_UNKNOWN', `${who}: the option ${key} is not known${knownWords(key, known)}`)
  }
}
