// Adds the name of the plugin whose code threw to an error; costs nothing without an error. At the start the message
// begins with plugin and place, for the owner; at request time the error gets both as members, for the log.

import { RegistrationError, StartError } from '../errors.ts'
import { isThenable } from './checks.ts'
import { missingPackage } from './missing-package.ts'
import { calledBy } from './registrar.ts'

/**
 * Makes the message of an error of the start begin with `where`: `plugin x: hook onModel`. Keeps class and cause, but for
 * a package that is not installed, where Node says who imports it and not what to do.
 */
export function blame(error: unknown, where: string): unknown {
  if (!(error instanceof Error))
    return new StartError('PLINTH_PLUGIN_FAILED', `${where}: ${String(error)}`, { cause: error })
  // Messages of these errors name file and path already.
  if (error instanceof StartError && !(error instanceof RegistrationError)) return error
  const missing = missingPackage(error)
  if (missing !== null)
    return new StartError('PLINTH_PLUGIN_FAILED', `${where}: needs the package ${missing}: npm install ${missing}`, {
      cause: error,
    })
  const [who = where] = where.split(':')
  if (error.message.startsWith(`${who}: `)) return error
  const { message, stack } = error
  const text = `${where}: ${message}`
  try {
    error.message = text
    if (stack !== undefined && message !== '') error.stack = stack.replace(message, () => text)
    return error
  } catch {
    // The message cannot be changed, as that of a DOMException.
    return new StartError('PLINTH_PLUGIN_FAILED', text, { cause: error })
  }
}

/** Runs a function of a plugin at the start, and names it in errors. */
export async function blaming<T>(where: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw blame(error, where)
  }
}

/** Runs a synchronous function of a plugin at the start, and names it in errors. */
export function blamingSync<T>({ plugin, hook }: Author, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw blame(error, `${calledBy(plugin)}: ${phraseOf(hook)}`)
  }
}

/** The plugin that code belongs to, and the name of a hook or a phrase such as `operator $words: encode`. */
export interface Author {
  readonly plugin: string
  readonly hook: string
}

const phraseOf = (hook: string): string => (hook.includes(' ') ? hook : `hook ${hook}`)

/**
 * The error for what code of a plugin threw at request time. An error keeps its class and message and gains `plugin`
 * and `hook`, unless code that it called has set them already. Other values become errors.
 */
export function attribute(thrown: unknown, author: Author): unknown {
  if (!(thrown instanceof Error)) {
    const error = blame(thrown, `${calledBy(author.plugin)}: ${phraseOf(author.hook)}`)
    return Object.assign(error as Error, { plugin: author.plugin, hook: author.hook })
  }
  if ('plugin' in thrown || !Object.isExtensible(thrown)) return thrown
  return Object.assign(thrown, { plugin: author.plugin, hook: author.hook })
}

/** Wraps a function so that its errors name their author. It stays synchronous if the function is. */
export function attributed<Args extends unknown[], Result>(
  fn: (...args: Args) => Result,
  author: Author,
): (...args: Args) => Result {
  return (...args) => {
    let result: Result
    try {
      result = fn(...args)
    } catch (error) {
      throw attribute(error, author)
    }
    return isThenable(result) ? (awaitAttributed(result, author) as Result) : result
  }
}

async function awaitAttributed(pending: PromiseLike<unknown>, author: Author): Promise<unknown> {
  try {
    return await pending
  } catch (error) {
    throw attribute(error, author)
  }
}

/** A copy of a definition whose functions `keys` name their author in errors: `parameter language: plan`. */
export function attributedMembers<Definition extends object>(
  definition: Definition,
  keys: readonly (keyof Definition & string)[],
  { plugin, hook }: Author,
): Definition {
  const copy = { ...definition }
  for (const key of keys) {
    const fn = definition[key]
    if (typeof fn !== 'function') continue
    copy[key] = attributed(fn.bind(definition), { plugin, hook: `${hook}: ${key}` }) as Definition[typeof key]
  }
  return copy
}

/** `plugin x: hook y: ` for an error of a plugin, otherwise an empty text; for transports that log errors. */
export function authorPrefix(error: unknown): string {
  const { plugin, hook } = (error ?? {}) as { readonly plugin?: unknown; readonly hook?: unknown }
  if (typeof plugin !== 'string' || typeof hook !== 'string') return ''
  return `${calledBy(plugin)}: ${phraseOf(hook)}: `
}
