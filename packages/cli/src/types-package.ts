// Loads @plinth/types, which applications have for development only.

import { Failure } from './failure.ts'
import { isInstalled } from './installed.ts'

const name = '@plinth/types'

/** Returns whether the application has the package. */
export const hasTypes = (): boolean => isInstalled(name)

/** Loads the package. Throws Failure with the command that installs it, if it is missing. */
export async function loadTypes(command: string): Promise<typeof import('@plinth/types')> {
  if (!hasTypes())
    throw new Failure(`${command} needs ${name}, which the application does not have: npm install --save-dev ${name}`)
  return import('@plinth/types')
}
