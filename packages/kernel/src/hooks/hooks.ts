// The hooks of the kernel, named as Fastify names its own. `pre…` hooks may change their arguments; `on…` hooks may
// only observe, act elsewhere, or throw. After the freeze every hook is compiled to one function, or to null if it has
// no listener.

import type { Access, Context } from '../context.ts'
import { UsageError } from '../errors.ts'
import type { ContentType } from '../model/content-type.ts'
import type { TypeDraft } from '../model/draft.ts'
import type { PlanDraft } from '../plan/draft.ts'
import type { Action } from '../query/query.ts'
import { type Refuse, Registrar } from '../registration/registrar.ts'
import type { Execution, ReadResult } from '../result/execution.ts'
import type { ReadPage } from '../result/read-page.ts'
import { actions, checkHook, checkHookName, isFor, isOwnName } from './hook-checks.ts'
import type { HookOptions } from './hook-options.ts'
import {
  type ComposedHook,
  chain,
  commitChain,
  first,
  type Registration,
  runNamed,
  runSync,
  syncChain,
  writeChain,
} from './listeners.ts'
import type { PluginHost } from './plugin-host.ts'
import type { Write } from './write.ts'

/** An answer before it is sent. Hooks may add to `meta`, but must not change the entries. */
export interface Reply {
  readonly type: ContentType
  /** The action that is answered. */
  readonly action: Action
  readonly meta: Record<string, unknown>
  readonly params: Readonly<Record<string, unknown>>
  readonly context: Context
}

/** All hooks. Plugins add their own, named `<plugin>:<event>`, by declaration merging and `hooks.declare`. */
export interface Hooks {
  /**
   * Runs at the start, once per content type and component, before the model is frozen. Must be synchronous. May add or
   * change attributes.
   */
  preModel(draft: TypeDraft): void
  /** Runs once at the start, after the freeze, to build what depends on the model. */
  onModel(types: readonly ContentType[]): void | Promise<void>
  /** Runs once at the start, after onModel, if there is a server: adds routes to an encapsulated instance of it. */
  onMount(app: PluginHost): void | Promise<void>
  /**
   * Runs once per shape and plan node, for reads, for the targets of updates and deletions, and for the answers of
   * writes (`draft.stage`), but not for what the kernel looks up itself. `draft.via` and `draft.through` say how the
   * node is reached. Must be synchronous and pure: it receives the rights, never the request. May add rules, hide
   * attributes, drop branches, or throw.
   */
  prePlan(draft: PlanDraft, access: Access): void
  /** Runs per read, before its SQL. May return a result instead; the first result that a hook returns is used. */
  preExecute(execution: Execution): ReadResult | undefined | Promise<ReadResult | undefined>
  /** Runs per read, after its SQL. */
  onExecute(execution: Execution, result: ReadResult): void | Promise<void>
  /**
   * Runs per list, and per count of one, when its page was read from the database: what it sorts and filters by, and the
   * time that took. Must be synchronous, and must not throw.
   */
  onPage(page: ReadPage): void
  /** Runs per write, before validation and BEGIN. May change `data`, set `completeness`, or throw. */
  preWrite(write: Write): void | Promise<void>
  /**
   * Runs per write, inside the transaction, when no other write can change the entry any more and nothing has been changed
   * yet. May read, and throws to refuse the write. Creations have no entry then; with one writer, an update may have none
   * either, which is noticed afterwards.
   */
  onLock(write: Write): void | Promise<void>
  /** Runs per write, inside the transaction, after its SQL. May write more; an error rolls the write back. */
  onWrite(write: Write): void | Promise<void>
  /**
   * Runs per transaction, after COMMIT, with those of its writes that the listener asked for by `for` and `actions`;
   * not if there are none. An error is logged; neither the caller nor other listeners receive it.
   */
  onCommit(writes: readonly Write[]): void | Promise<void>
  /** Runs per answer of a transport. May add to the `meta` of the answer. */
  preReply(reply: Reply): void | Promise<void>
  /** Runs per SQL statement, for tests and measurements. */
  onStatement(text: string): void
  /**
   * Runs per remark on a request, for the developer of the application: what a request asked for in vain, though it was
   * answered, such as a name that does not exist. Must be synchronous, and must not throw.
   */
  onRemark(remark: string, context: Context): void
}

export type HookName = keyof Hooks

/** Hooks that plugins declare. */
export type OwnHookName = Extract<HookName, `${string}:${string}`>

/** A compiled hook that runs for one content type: its function for each type and action, or null. */
export interface TypedHook<Fn = ComposedHook> {
  for(uid: string, action: string): Fn | null
  /**
   * Returns a function that tells whether the hook listens to a write, if that can differ from write to write; null if
   * it always does.
   * @internal
   */
  switchFor(uid: string, action: string): ((context: Context) => boolean) | null
}

type CompiledHooks = {
  -readonly [Name in 'onModel' | 'onMount' | 'onStatement' | 'onRemark']: Hooks[Name] | null
} & { -readonly [Name in Exclude<TypedName, 'onPage'>]: TypedHook | null } & {
  onPage: TypedHook<Hooks['onPage']> | null
}

/** The hooks that are compiled per type and action. */
const typed = [
  'prePlan',
  'preExecute',
  'onExecute',
  'onPage',
  'preWrite',
  'onLock',
  'onWrite',
  'onCommit',
  'preReply',
] as const
type TypedName = (typeof typed)[number]

/** Takes registrations until the freeze. `compiled` holds the functions that run afterwards. */
export class HookRegistry {
  readonly #registrations: Registration[] = []
  readonly #registrar: Registrar
  readonly #own = new Set<string>()
  #isFrozen = false
  /**
   * Set by the kernel: gives the database the listener of statements, which may change at any time.
   * @internal
   */
  listenToStatements: (listener: Hooks['onStatement'] | null) => void = () => {}
  /** @internal */
  readonly compiled: CompiledHooks = {
    onModel: null,
    onMount: null,
    onStatement: null,
    onRemark: null,
    prePlan: null,
    preExecute: null,
    onExecute: null,
    onPage: null,
    preWrite: null,
    onLock: null,
    onWrite: null,
    onCommit: null,
    preReply: null,
  }

  /** @internal */
  constructor(registrar: Registrar = new Registrar()) {
    this.#registrar = registrar
  }

  /**
   * The functions that a transport calls before it answers, by type and action: `preReply?.for(uid, 'find')`. Null if
   * the hook has no listener.
   */
  get preReply(): TypedHook<Hooks['preReply']> | null {
    return this.compiled.preReply as TypedHook<Hooks['preReply']> | null
  }

  /** The function that a server calls with the scope of the plugins' routes; null if the hook has no listener. */
  get onMount(): Hooks['onMount'] | null {
    return this.compiled.onMount
  }

  /**
   * The function by which transports and plugins remark on a request; null if the hook has no listener, so that remarks
   * need not be made: `kernel.hooks.onRemark?.(text, context)`. A remark names neither entries that the caller may not see
   * nor secrets.
   */
  get onRemark(): Hooks['onRemark'] | null {
    return this.compiled.onRemark
  }

  /**
   * The plugin that registers at present. Errors of its hooks carry the name.
   * @internal
   */
  get plugin(): string {
    return this.#registrar.plugin
  }

  /** @internal */
  set plugin(name: string) {
    this.#registrar.plugin = name
  }

  /** Declares a hook that a plugin calls itself. Must precede the first call; listeners may have registered before. */
  declare(name: OwnHookName): void {
    const refuse = this.#registrar.begin(`hook ${name}`)
    if (!isOwnName(name))
      refuse('the name of a hook of a plugin must have the form <plugin>:<event>', 'PLINTH_HOOK_INVALID')
    if (this.#own.has(name)) refuse('is already declared', 'PLINTH_HOOK_INVALID')
    this.#own.add(name)
  }

  /**
   * Registers a hook, before the freeze; onStatement can be registered at any time. Throws RegistrationError for a hook
   * that could never run. Names of hooks of plugins are checked at the freeze, when all plugins have declared theirs.
   */
  on<Name extends HookName>(name: Name, fn: Hooks[Name]): void
  on<Name extends HookName>(name: Name, options: HookOptions, fn: Hooks[Name]): void
  on<Name extends HookName>(name: Name, options: HookOptions | Hooks[Name], fn?: Hooks[Name]): void {
    const [hookOptions, work] = typeof options === 'function' ? [{}, options] : [options as HookOptions, fn!]
    const what = `hook ${String(name)}`
    const refuse = name === 'onStatement' ? this.#registrar.refusal(what) : this.#registrar.begin(what)
    if (!isOwnName(name)) checkHookName(name, this.#own, refuse)
    checkHook(name, hookOptions, work, refuse)
    this.#registrations.push({ name, options: hookOptions, fn: work as Registration['fn'], plugin: this.plugin })
    if (this.#isFrozen) this.#compileStatements()
  }

  /** Calls the functions of a hook one after the other, for hooks that plugins declare themselves. */
  async call<Name extends HookName>(name: Name, ...args: Parameters<Hooks[Name]>): Promise<void> {
    if (isOwnName(name) && !this.#own.has(name))
      throw new UsageError('PLINTH_HOOK_INVALID', `hook ${name}: is called, but was not declared with hooks.declare`)
    for (const one of this.#of(name)) await runNamed(one, args)
  }

  /**
   * Runs `preModel` for one draft. The filter receives the draft, which has the members that filters read.
   * @internal
   */
  preModel(draft: TypeDraft): void {
    for (const one of this.#of('preModel')) {
      if (isFor(draft as unknown as ContentType, one.options, () => this.#refusal(one))) runSync(one, [draft])
    }
  }

  /**
   * Compiles all hooks for the frozen model.
   * @internal
   */
  freeze(types: readonly ContentType[]): void {
    this.#isFrozen = true
    this.#registrar.freeze()
    for (const one of this.#registrations) checkHookName(one.name, this.#own, this.#refusal(one))
    for (const name of ['onModel', 'onMount'] as const) {
      const registrations = this.#of(name)
      if (registrations.length > 0) this.compiled[name] = chain(registrations) as never
    }
    const remarks = this.#of('onRemark')
    if (remarks.length > 0) this.compiled.onRemark = syncChain(remarks) as Hooks['onRemark']
    for (const name of typed) this.compiled[name] = this.#compileTyped(name, types) as never
    this.#compileStatements()
  }

  #compileStatements(): void {
    const registrations = this.#of('onStatement')
    if (registrations.length === 0) return
    this.compiled.onStatement = syncChain(registrations) as Hooks['onStatement']
    this.listenToStatements(this.compiled.onStatement)
  }

  #refusal({ name, plugin }: Registration): Refuse {
    return this.#registrar.refusal(`hook ${name}`, plugin)
  }

  #compileTyped(name: TypedName, types: readonly ContentType[]): TypedHook | null {
    const registrations = this.#of(name)
    /** The types of each listener. */
    const uids = new Map(registrations.map(one => [one, new Set<string>()]))
    for (const type of types)
      for (const [one, own] of uids) if (isFor(type, one.options, () => this.#refusal(one))) own.add(type.uid)
    const compose = composerOf(name, uids)
    const byAction = new Map(actions.map(action => [action as string, new Map<string, ComposedHook>()]))
    const switches = new Map(
      actions.map(action => [action as string, new Map<string, (context: Context) => boolean>()]),
    )
    for (const type of types) {
      const { uid } = type
      const forType = registrations.filter(one => uids.get(one)!.has(uid))
      for (const [action, byType] of byAction) {
        const list = forType.filter(one => one.options.actions?.includes(action) ?? true)
        if (list.length === 0) continue
        byType.set(uid, compose(list))
        const isOn = switchOf(list, type)
        if (isOn !== null) switches.get(action)!.set(uid, isOn)
      }
    }
    const hasFunctions = [...byAction.values()].some(byType => byType.size > 0)
    if (!hasFunctions) return null
    return {
      for: (uid, action) => byAction.get(action)?.get(uid) ?? null,
      switchFor: (uid, action) => switches.get(action)?.get(uid) ?? null,
    }
  }

  #of(name: HookName): Registration[] {
    const rank = (one: Registration) => (one.options.order === 'pre' ? 0 : one.options.order === 'post' ? 2 : 1)
    return this.#registrations.filter(one => one.name === name).sort((a, b) => rank(a) - rank(b))
  }
}

/** Returns whether one of the listeners listens to a write of a type; null if one of them always does. */
function switchOf(list: readonly Registration[], type: ContentType): ((context: Context) => boolean) | null {
  const conditions = list.map(one => one.options.when)
  if (conditions.some(one => one === undefined)) return null
  return context => conditions.some(isOn => isOn!(type, context))
}

/** Returns the function that composes the listeners of one type and action. */
function composerOf(
  name: TypedName,
  uids: ReadonlyMap<Registration, ReadonlySet<string>>,
): (list: readonly Registration[]) => ComposedHook {
  if (name === 'preExecute') return first
  if (name === 'prePlan' || name === 'onPage') return syncChain
  if (name === 'onLock' || name === 'onWrite') return writeChain
  if (name !== 'onCommit') return chain
  const commit = commitChain(uids)
  return () => commit
}
