// The error for an extension that does not fit: the start ends with a message that says what is wrong and where.

import { StartError, suggestion } from '@plinth/kernel'

/** Refuses an extension. `cause` is the error of graphql-js or of nexus, if there is one. */
export function extensionFault(message: string, cause?: unknown): StartError {
  return new StartError(
    'PLINTH_GRAPHQL_EXTENSION',
    `graphql extension: ${message}`,
    cause === undefined ? undefined : { cause },
  )
}

/** Refuses a name that the schema does not have, and names the nearest one. */
export function unknownName(where: string, what: string, name: string, names: Iterable<string>): StartError {
  return extensionFault(`${where}: there is no ${what} "${name}"${suggestion(name, names)}`)
}

/** Runs a step, and makes its errors errors of the start. */
export function faulting<Result>(where: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (error instanceof StartError) throw error
    throw extensionFault(`${where}: ${error instanceof Error ? error.message : String(error)}`, error)
  }
}
