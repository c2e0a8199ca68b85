// Puts the name of whoever threw in front of an error, on the path of errors only. At the start a message names plugin and
// place, so that the owner knows where to look; at request time the error is left as it was and carries both for the log.

import { RegistrationError, StartError } from '../errors.ts'

/** An error at the start, its message beginning with `where`: `plugin x: hook onModel`. Classes and causes are kept. */
export function blame(error: unknown, where: string): unknown {
  if (!(error instanceof Error))
    return new StartError('PLINTH_PLUGIN_FAILED', `${where}: ${String(error)}`, { cause: error })
  // Written for the owner, who knows by file and path where to look.
  if (error instanceof StartError && !(error instanceof RegistrationError)) return error
  const [who = where] = where.split(':')
  if (error.message.startsWith(`${who}: `)) return error
  const { message, stack } = error
  const told = `${where}: ${message}`
  try {
    error.message = told
    if (stack !== undefined && message !== '') error.stack = stack.replace(message, () => told)
    return error
  } catch {
    // A message that cannot be changed, as those of DOMExceptions.
    return new StartError('PLINTH_PLUGIN_FAILED', told, { cause: error })
  }
}

/** Runs a function of a plugin's at the start. */
export async function blaming<T>(where: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw blame(error, where)
  }
}

/** `plugin x: hook y: ` for an error that a hook threw, or an empty text: for doors that log it. */
export function blamed(error: unknown): string {
  const { plugin, hook } = (error ?? {}) as { readonly plugin?: unknown; readonly hook?: unknown }
  if (typeof plugin !== 'string' || typeof hook !== 'string') return ''
  return `${plugin === 'app' ? 'the application' : `plugin ${plugin}`}: hook ${hook}: `
}
