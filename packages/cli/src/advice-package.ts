// Loads @plinth/advice, by which lists are counted: applications have it for development, and in production if they count.

import type { Kernel, ListSearch } from '@plinth/kernel'
import { Failure } from './failure.ts'
import { isInstalled } from './installed.ts'

const name = '@plinth/advice'

/** Returns whether the application has the package. */
export const hasAdvice = (): boolean => isInstalled(name)

/** Loads the reports of the package. Throws Failure with the command that installs it, if it is missing. */
export async function loadReports(command: string): Promise<typeof import('@plinth/advice/report')> {
  if (!hasAdvice())
    throw new Failure(`${command} needs ${name}, which the application does not have: npm install ${name}`)
  return import('@plinth/advice/report')
}

/** The index that a list lacks, in words; null if it lacks none, or if the package is missing. */
export async function adviseOnList(kernel: Kernel, search: ListSearch): Promise<string | null> {
  if (!hasAdvice()) return null
  const { missingIndex } = await import('@plinth/advice/report')
  return missingIndex(kernel, search)
}
