// Runs v4's lifecycles (B-10.70 to B-10.74), from files per type and from subscriptions in code. They cost nothing for
// types that have none.

import { StartError } from '../errors.ts'
import type { ContentType } from '../model/content-type.ts'
import { suggestion } from '../nearest.ts'
import type { PaginationRules } from '../query/pagination.ts'
import type { Params } from '../query/request.ts'
import { attributed } from '../registration/blame.ts'
import type { ReadResult } from '../result/execution.ts'
import { type Entry, toEntries } from '../result/rows.ts'
import { changedWhere, fromDatabaseParams, toDatabaseParams } from './lifecycle-params.ts'
import type { Write } from './write.ts'

/**
 * The argument of a lifecycle. `before…` may change `params`, `after…` may change `result`; both share `state`.
 */
export interface LifecycleEvent {
  readonly action: string
  readonly model: ContentType
  params: Record<string, unknown>
  readonly state: Record<string, unknown>
  result?: unknown
}

export type Lifecycle = (event: LifecycleEvent) => unknown

/** The origin of lifecycles, for errors. */
export interface Source {
  /** A file, or `subscription`. */
  readonly name: string
  readonly plugin: string
}

const verbs = ['Create', 'CreateMany', 'Update', 'UpdateMany', 'Delete', 'DeleteMany', 'FindOne', 'FindMany', 'Count']
const lifecycleNames = verbs.flatMap(verb => [`before${verb}`, `after${verb}`])

/** A read between its `before…` and its `after…` lifecycles. */
export interface ReadEvents {
  readonly params: Params
  /** The condition with which a lifecycle replaced that of the query, or the one on its id; null if none did. */
  readonly where: Readonly<Record<string, unknown>> | null
  after(result: ReadResult): Promise<ReadResult>
}

/** All lifecycles of one kernel. */
export class Lifecycles {
  readonly #byType = new Map<string, Map<string, Lifecycle[]>>()
  /** Subscriptions to every type. */
  readonly #forAll = new Map<string, Lifecycle[]>()
  readonly #states = new WeakMap<Write, Record<string, unknown>>()

  /** Adds the functions of a lifecycles file or of a subscription. Throws for unknown names. */
  add(uid: string, source: Source, functions: Readonly<Record<string, unknown>>): void {
    const own = this.#byType.get(uid) ?? new Map<string, Lifecycle[]>()
    this.#byType.set(uid, own)
    this.#addTo(own, source, functions)
  }

  /** Adds functions for every type. Throws for unknown names. */
  addForAll(source: Source, functions: Readonly<Record<string, unknown>>): void {
    this.#addTo(this.#forAll, source, functions)
  }

  #addTo(
    own: Map<string, Lifecycle[]>,
    { name: source, plugin }: Source,
    functions: Readonly<Record<string, unknown>>,
  ): void {
    for (const [name, fn] of Object.entries(functions)) {
      if (!lifecycleNames.includes(name))
        throw new StartError(
          'PLINTH_LIFECYCLE_INVALID',
          `${source}: unknown lifecycle "${name}"${suggestion(name, lifecycleNames)}`,
        )
      if (typeof fn !== 'function')
        throw new StartError('PLINTH_LIFECYCLE_INVALID', `${source}: ${name} must be a function`)
      own.set(name, [...(own.get(name) ?? []), attributed(fn as Lifecycle, { plugin, hook: `lifecycle ${name}` })])
    }
  }

  /** Types with lifecycles of their own. */
  uids(): Iterable<string> {
    return this.#byType.keys()
  }

  /** Returns whether the type has any lifecycle. */
  hasListeners(uid: string): boolean {
    return this.#forAll.size > 0 || this.#byType.has(uid)
  }

  /** Returns whether reads of the type have any lifecycle. */
  hasReadListeners(uid: string): boolean {
    if (this.#byType.size === 0 && this.#forAll.size === 0) return false
    const names = [...(this.#byType.get(uid)?.keys() ?? []), ...this.#forAll.keys()]
    return names.some(name => /(FindOne|FindMany|Count)$/.test(name))
  }

  #of(uid: string, name: string): readonly Lifecycle[] {
    return [...(this.#byType.get(uid)?.get(name) ?? []), ...(this.#forAll.get(name) ?? [])]
  }

  /** Runs before… of a write, which may change `data`, and `where` to name another entry; returns a changed `where`. */
  async before(write: Write): Promise<Readonly<Record<string, unknown>> | null> {
    const state: Record<string, unknown> = {}
    this.#states.set(write, state)
    const verb = verbOf(write.action)
    const event = { action: `before${verb}`, model: write.type, params: paramsOf(write), state }
    for (const fn of this.#of(write.type.uid, event.action)) await fn(event)
    const { data } = event.params
    if (data !== write.data && data !== null && typeof data === 'object') {
      for (const key of Object.keys(write.data)) delete write.data[key]
      Object.assign(write.data, data)
    }
    return write.id === null ? null : changedWhere(event.params, paramsOf(write))
  }

  /** Runs after… of a write, which may change the entry of the answer. Returns null if there is no such lifecycle. */
  async after(write: Write, result: ReadResult): Promise<Entry[] | null> {
    const action = `after${verbOf(write.action)}`
    const list = this.#of(write.type.uid, action)
    if (list.length === 0) return null
    const [entry] = toEntries(result.rows)
    const event: LifecycleEvent = {
      action,
      model: write.type,
      params: paramsOf(write),
      state: this.#states.get(write) ?? {},
      result: entry,
    }
    for (const fn of list) await fn(event)
    return [event.result as Entry]
  }

  /** Runs before… of a read; returns null if there is no lifecycle. `rules` are the transport's, for lists. */
  async read(
    type: ContentType,
    verb: 'FindOne' | 'FindMany' | 'Count',
    params: Params,
    id?: unknown,
    rules: PaginationRules | null = null,
  ): Promise<ReadEvents | null> {
    const before = this.#of(type.uid, `before${verb}`)
    const after = this.#of(type.uid, `after${verb}`)
    if (before.length === 0 && after.length === 0) return null
    const state: Record<string, unknown> = {}
    const sent = toDatabaseParams(params, id, rules)
    const eventParams = toDatabaseParams(params, id, rules)
    const event: LifecycleEvent = { action: `before${verb}`, model: type, params: eventParams, state }
    for (const fn of before) await fn(event)
    return {
      params: fromDatabaseParams(params, event.params, sent, id),
      where: changedWhere(event.params, sent),
      after: async result => {
        // Without a count there is no number that a lifecycle could receive or change.
        if (after.length === 0 || (verb === 'Count' && result.total === null)) return result
        const entries = toEntries(result.rows)
        const answer = verb === 'FindMany' ? entries : verb === 'FindOne' ? (entries[0] ?? null) : result.total
        const ended: LifecycleEvent = {
          action: `after${verb}`,
          model: type,
          params: event.params,
          state,
          result: answer,
        }
        for (const fn of after) await fn(ended)
        if (verb === 'Count') return { ...result, total: Number(ended.result) }
        const changed = verb === 'FindMany' ? ended.result : ended.result === null ? [] : [ended.result]
        return { ...result, entries: changed as Entry[] }
      },
    }
  }
}

function verbOf(action: Write['action']): string {
  return action[0]!.toUpperCase() + action.slice(1)
}

function paramsOf(write: Write): Record<string, unknown> {
  const where = write.id === null ? undefined : { id: write.id }
  return { ...toDatabaseParams(write.params), data: write.data, where }
}
