// Composes the functions that plugins registered for one hook to one function. Errors keep their class and learn which
// plugin and hook they come from. Knows neither types nor actions.

import { RegistrationError } from '../errors.ts'
import { attribute, blame } from '../registration/blame.ts'
import { isThenable } from '../registration/checks.ts'
import { calledBy } from '../registration/registrar.ts'
import type { HookOptions } from './hook-options.ts'
import type { Write } from './write.ts'

/** A function that a plugin registered for a hook. */
export interface Registration {
  /** The name of the hook. */
  readonly name: string
  readonly options: HookOptions
  readonly fn: (...args: never[]) => unknown
  readonly plugin: string
}

export type ComposedHook = (...args: unknown[]) => unknown

/** Runs the functions one after the other, synchronously until one of them returns a promise. */
export function chain(list: readonly Registration[]): ComposedHook {
  return (...args) => {
    for (let i = 0; i < list.length; i++) {
      const result = runNamed(list[i]!, args)
      if (isThenable(result)) return finishChain(result, list, i + 1, args)
    }
    return undefined
  }
}

/** The function of `onLock` and of `onWrite`: those that listen to the write, one after the other. */
export function writeChain(list: readonly Registration[]): ComposedHook {
  if (list.every(one => one.options.when === undefined)) return chain(list)
  return write => chain(list.filter(one => isOn(one, write as Write)))(write)
}

function isOn({ options: { when } }: Registration, { type, context }: Write): boolean {
  return when?.(type, context) ?? true
}

/** Runs the functions one after the other. A function that returns a promise is an error. */
export function syncChain(list: readonly Registration[]): ComposedHook {
  return (...args) => {
    for (const one of list) runSync(one, args)
  }
}

async function finishChain(
  pending: PromiseLike<unknown>,
  list: readonly Registration[],
  from: number,
  args: unknown[],
) {
  await pending
  for (let i = from; i < list.length; i++) await runNamed(list[i]!, args)
}

/** Runs the functions one after the other, until one of them returns a result. */
export function first(list: readonly Registration[]): ComposedHook {
  return async (...args) => {
    for (const one of list) {
      const result = await runNamed(one, args)
      if (result !== undefined) return result
    }
    return undefined
  }
}

/**
 * The function of `onCommit` for all types and actions, so that a transaction calls it once: each listener receives the
 * writes that it asked for, which are those of its types and actions. An error of one does not keep the others from
 * their writes.
 */
export function commitChain(listeners: ReadonlyMap<Registration, ReadonlySet<string>>): ComposedHook {
  return async writes => {
    const errors: unknown[] = []
    for (const [one, uids] of listeners) {
      const { actions } = one.options
      const own = (writes as readonly Write[]).filter(
        write => uids.has(write.type.uid) && (actions?.includes(write.action) ?? true) && isOn(one, write),
      )
      if (own.length === 0) continue
      try {
        await runNamed(one, [own])
      } catch (error) {
        errors.push(error)
      }
    }
    if (errors.length > 1) throw new AggregateError(errors, 'Several hooks failed')
    if (errors.length === 1) throw errors[0]
  }
}

/** Errors keep their class and gain `plugin` and `hook`, unless code that the hook called has set them already. */
export function runNamed(one: Registration, args: readonly unknown[]): unknown {
  try {
    const result = one.fn(...(args as never[]))
    return isThenable(result) ? waitNamed(one, result) : result
  } catch (error) {
    throw named(one, error)
  }
}

async function waitNamed(one: Registration, pending: PromiseLike<unknown>): Promise<unknown> {
  try {
    return await pending
  } catch (error) {
    throw named(one, error)
  }
}

/** A promise is an error here: what the hook does after its first `await` would come too late to have an effect. */
export function runSync(one: Registration, args: readonly unknown[]): void {
  let result: unknown
  try {
    result = one.fn(...(args as never[]))
  } catch (error) {
    throw named(one, error)
  }
  if (!isThenable(result)) return
  result.then(undefined, () => {})
  const fault = `${calledBy(one.plugin)}: hook ${one.name}: returned a promise, but must be synchronous, because its promise is not awaited`
  throw named(one, new RegistrationError('PLINTH_HOOK_ASYNC', fault))
}

/** Hooks that run at the start. Their errors are read by the owner of the application, not by clients. */
const ofStart: readonly string[] = ['preModel', 'onModel', 'onMount']

function named({ plugin, name }: Registration, thrown: unknown): unknown {
  const error = ofStart.includes(name) ? blame(thrown, `${calledBy(plugin)}: hook ${name}`) : thrown
  return attribute(error, { plugin, hook: name })
}
