// The hooks: what plugins can act on, in Fastify's vocabulary. `pre…` may change what it is handed; `on…` may only look,
// act elsewhere, or throw. After the freeze every hook is one function, or null where nobody listens.

import type { FastifyInstance } from 'fastify'
import type { Access, Context } from './context.ts'
import type { Execution, ReadResult } from './engine.ts'
import type { ContentType } from './model/content-type.ts'
import type { TypeDraft } from './model/draft.ts'
import type { PlanDraft } from './plan/draft.ts'
import type { Write } from './write/write.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route reads the query string from the URL: `request.query` is parsed only when something reads it. */
    parsesQuery?: boolean
  }
}

/** What is about to be answered; hooks add to `meta`, never to the entries. */
export interface Reply {
  readonly type: ContentType
  readonly meta: Record<string, unknown>
  readonly params: Readonly<Record<string, unknown>>
  readonly context: Context
}

/** Every hook. Plugins add hooks of their own by declaration merging; what takes a ContentType first can be filtered. */
export interface Hooks {
  /** Boot, once per content type and component, before the model is frozen. Sync. May add or change attributes. */
  preModel(draft: TypeDraft): void
  /** Boot, once, after the freeze: build what depends on the model. */
  onModel(types: readonly ContentType[]): void | Promise<void>
  /** Boot, once, after onModel: add routes to an encapsulated Fastify instance. Not called without Fastify. */
  onMount(app: FastifyInstance): void | Promise<void>
  /** Once per shape and plan node. Sync and pure: sees rights, never the request. May add rules, drop branches, throw. */
  prePlan(draft: PlanDraft, access: Access): void
  /** Per read, before SQL. May answer instead: the first result wins. */
  preExecute(execution: Execution): ReadResult | undefined | Promise<ReadResult | undefined>
  /** Per read, after SQL. */
  onExecute(execution: Execution, result: ReadResult): void | Promise<void>
  /** Per write, before validation and BEGIN. May change `data`, set `require`, throw. */
  preWrite(write: Write): void | Promise<void>
  /** Per write, inside the transaction, after its SQL. May write more; throwing rolls back. */
  onWrite(write: Write): void | Promise<void>
  /** Per transaction, after COMMIT. A throw is logged, never the caller's error. */
  onCommit(writes: readonly Write[]): void | Promise<void>
  /** Per answer of a door: add to the answer's `meta`. */
  preReply(reply: Reply): void | Promise<void>
  /** Per SQL statement, for tests and metrics. */
  onStatement(text: string): void
}

export type HookName = keyof Hooks

/** When and in which order a hook runs. Filters are evaluated at boot: a hook does not exist for types it is not for. */
export interface HookOptions {
  /** Content types it is for; hooks that are about one type only. */
  readonly for?: (type: ContentType) => boolean
  /** Actions it is for: find, findOne, count; create, update, delete. */
  readonly actions?: readonly string[]
  /** Before or after those of the other plugins; the rare exception. */
  readonly order?: 'pre' | 'post'
}

interface Registration {
  readonly name: HookName
  readonly options: HookOptions
  readonly fn: (...args: never[]) => unknown
  readonly plugin: string
}

/** A hook about one content type, compiled: the functions of each type, or null. */
export interface TypedHook {
  for(uid: string, action: string): ((...args: unknown[]) => unknown) | null
}

type Compiled = {
  -readonly [Name in 'onModel' | 'onMount' | 'onCommit' | 'preReply' | 'onStatement']: Hooks[Name] | null
} & { -readonly [Name in 'prePlan' | 'preExecute' | 'onExecute' | 'preWrite' | 'onWrite']: TypedHook | null }

/** Takes registrations until the freeze; `compiled` holds what runs. */
export class HookRegistry {
  readonly #registrations: Registration[] = []
  #isFrozen = false
  /** Set by the kernel: passes on who hears statements, which may change at any time. */
  listenToStatements: (listener: Hooks['onStatement'] | null) => void = () => {}
  /** Who registers at the moment; errors of its hooks carry the name. */
  plugin = 'app'
  readonly compiled: Compiled = {
    onModel: null,
    onMount: null,
    onCommit: null,
    preReply: null,
    onStatement: null,
    prePlan: null,
    preExecute: null,
    onExecute: null,
    preWrite: null,
    onWrite: null,
  }

  /** Registers a hook; before the freeze, but for onStatement, which may be heard at any time. */
  on<Name extends HookName>(name: Name, fn: Hooks[Name]): void
  on<Name extends HookName>(name: Name, options: HookOptions, fn: Hooks[Name]): void
  on<Name extends HookName>(name: Name, options: HookOptions | Hooks[Name], fn?: Hooks[Name]): void {
    const [given, work] = typeof options === 'function' ? [{}, options] : [options as HookOptions, fn!]
    if (this.#isFrozen && name !== 'onStatement') throw new Error(`hook ${name}: the model is frozen, register earlier`)
    this.#registrations.push({ name, options: given, fn: work as Registration['fn'], plugin: this.plugin })
    if (this.#isFrozen) this.#compileStatements()
  }

  /** Calls a hook of any name at once, in order: for hooks that plugins declare themselves. */
  async call<Name extends HookName>(name: Name, ...args: Parameters<Hooks[Name]>): Promise<void> {
    for (const one of this.#of(name)) await runNamed(one, args)
  }

  /** Runs `preModel` for one draft. The filter sees the draft, which has what filters look at. */
  preModel(draft: TypeDraft): void {
    for (const one of this.#of('preModel')) {
      if (one.options.for?.(draft as unknown as ContentType) ?? true) runNamed(one, [draft])
    }
  }

  /** Compiles everything for the frozen model. */
  freeze(types: readonly ContentType[]): void {
    this.#isFrozen = true
    for (const name of ['onModel', 'onMount', 'onCommit', 'preReply'] as const) {
      const found = this.#of(name)
      if (found.length > 0) this.compiled[name] = chain(found) as never
    }
    for (const name of ['prePlan', 'preExecute', 'onExecute', 'preWrite', 'onWrite'] as const) {
      this.compiled[name] = compileTyped(this.#of(name), types, name === 'preExecute')
    }
    this.#compileStatements()
  }

  #compileStatements(): void {
    const found = this.#of('onStatement')
    if (found.length === 0) return
    this.compiled.onStatement = chain(found) as Hooks['onStatement']
    this.listenToStatements(this.compiled.onStatement)
  }

  #of(name: HookName): Registration[] {
    const rank = (one: Registration) => (one.options.order === 'pre' ? 0 : one.options.order === 'post' ? 2 : 1)
    return this.#registrations.filter(one => one.name === name).sort((a, b) => rank(a) - rank(b))
  }
}

function compileTyped(found: Registration[], types: readonly ContentType[], firstWins: boolean): TypedHook | null {
  const actions = ['find', 'findOne', 'count', 'create', 'update', 'delete']
  const byAction = new Map(actions.map(action => [action, new Map<string, (...args: unknown[]) => unknown>()]))
  for (const type of types) {
    const forType = found.filter(one => one.options.for?.(type) ?? true)
    for (const [action, byType] of byAction) {
      const list = forType.filter(one => one.options.actions?.includes(action) ?? true)
      if (list.length > 0) byType.set(type.uid, firstWins ? first(list) : chain(list))
    }
  }
  const isHeard = [...byAction.values()].some(byType => byType.size > 0)
  return isHeard ? { for: (uid, action) => byAction.get(action)?.get(uid) ?? null } : null
}

/** One after the other; sync as long as they are. */
function chain(list: readonly Registration[]): (...args: unknown[]) => unknown {
  return (...args) => {
    for (let i = 0; i < list.length; i++) {
      const result = runNamed(list[i]!, args)
      if (isThenable(result)) return finishChain(result, list, i + 1, args)
    }
    return undefined
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

function first(list: readonly Registration[]): (...args: unknown[]) => unknown {
  return async (...args) => {
    for (const one of list) {
      const result = await runNamed(one, args)
      if (result !== undefined) return result
    }
    return undefined
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return value !== null && typeof value === 'object' && typeof (value as { then?: unknown }).then === 'function'
}

/** Errors keep their class and gain `plugin` and `hook`. */
function runNamed(one: Registration, args: readonly unknown[]): unknown {
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

function named({ plugin, name }: Registration, error: unknown): unknown {
  return error instanceof Error ? Object.assign(error, { plugin, hook: name }) : error
}
