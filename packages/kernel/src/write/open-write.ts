// The state of a write while it runs, as the writer uses it.

import type { Context } from '../context.ts'
import type { Write } from '../hooks/write.ts'
import type { ContentType, Uid } from '../model/content-type.ts'
import type { Registry } from '../model/registry.ts'
import type { LinkTest } from '../read/links.ts'
import type { PreparedQuery, ReadResult } from '../result/execution.ts'
import type { Entry } from '../result/rows.ts'
import { DataVisitor } from './data-visitor.ts'
import type { WriteHooks } from './write-hooks.ts'

/** Ids of entries that the caller links by a relation, and the test of them. */
export interface SentLinks {
  readonly uid: Uid
  readonly name: string
  readonly ids: Set<number>
  readonly test: LinkTest
}

/** A write with the members that hooks do not see. `isRead` says whether `before()` was called. */
export type OpenWrite = { -readonly [Key in keyof Write]: Write[Key] } & {
  isRead: boolean
  /** The hooks that listen to writes of the type and action. */
  readonly hooks: WriteHooks
  /** The time of the write in milliseconds since 1970, as `now` says it. */
  readonly time: number
  /** The row version of the entry when `before()` read it; null if nothing read it. */
  rowVersion: string | null
  /** The arguments of the calls of `lock`. */
  readonly lockedWith: (() => Promise<Iterable<number>>)[]
  /** The query that the entry must fulfil to be changed; null if no rule restricts the caller. */
  readonly target: PreparedQuery | null
  /** The query that the written entry must fulfil before it is committed; null if no rule restricts the caller. */
  readonly result: PreparedQuery | null
  /** The links that the caller sent and that rules restrict. */
  readonly links: readonly SentLinks[]
  /** The entries that hooks have hidden from the write, by the uid of their type; null if there are none. */
  hidden: Map<string, Set<number>> | null
  /** The arguments of the calls of `check`; null if there are none. */
  tests: (() => Promise<void>)[] | null
}

/** Returns whether rules restrict what the write stores. Then more than its own statements run in its transaction. */
export function isRestricted({ target, result, links }: OpenWrite): boolean {
  return target !== null || result !== null || links.length > 0
}

/** The result of a write, which is serialized like that of a read. */
export type WriteResult = ReadResult & { readonly prepared: PreparedQuery }

/** The row that a write has changed. */
export interface Written {
  readonly id: number
  /** The row that the statement returned, which is the whole answer; null if it returned none. */
  readonly row: unknown[] | null
}

/** Returns the result of a write whose statement returned the row. */
export function answerOf(prepared: PreparedQuery, row: unknown[]): WriteResult {
  return { rows: { node: prepared.compiled.root, rows: [row], branches: [], meta: [] }, total: null, prepared }
}

/** Reads the entry of a write, before the change and after it. */
interface Entries {
  readonly registry: Registry
  before(write: OpenWrite, id: number): Promise<Entry | null>
  read(uid: string, id: number, context: Context): Promise<Entry | null>
}

type Begin = Pick<
  OpenWrite,
  'type' | 'action' | 'id' | 'data' | 'params' | 'context' | 'hooks' | 'target' | 'result' | 'links'
>

/** Creates the state of a write. `source` is what the caller sent; the write gets `data`, a copy, which may change. */
export function openWrite(begin: Begin, source: object, entries: Entries): OpenWrite {
  return new WriteState(begin, source, entries)
}

/**
 * A class, because an accessor in an object literal makes V8 store each such object as a dictionary. Without private
 * fields, which are slower to create than others.
 */
class WriteState implements OpenWrite {
  readonly type: ContentType
  readonly action: Begin['action']
  id: number | null
  data: Record<string, unknown>
  readonly params: Begin['params']
  readonly context: Context
  readonly target: PreparedQuery | null
  readonly result: PreparedQuery | null
  readonly links: readonly SentLinks[]
  readonly hooks: WriteHooks
  readonly time = Date.now()
  singleton: boolean
  serializable = false
  completeness: OpenWrite['completeness']
  tx: OpenWrite['tx'] = null
  readonly state: Record<string, unknown> = {}
  isRead = false
  rowVersion: string | null = null
  readonly lockedWith: OpenWrite['lockedWith'] = []
  hidden: OpenWrite['hidden'] = null
  tests: OpenWrite['tests'] = null
  readonly entries: Entries
  readonly source: object
  sentNames: ReadonlySet<string> | null = null
  entryBefore: Promise<Entry | null> | null = null

  constructor(begin: Begin, source: object, entries: Entries) {
    this.type = begin.type
    this.action = begin.action
    this.id = begin.id
    this.data = begin.data
    this.params = begin.params
    this.context = begin.context
    this.hooks = begin.hooks
    this.target = begin.target
    this.result = begin.result
    this.links = begin.links
    this.singleton = begin.type.kind === 'singleType'
    this.completeness = begin.action === 'create' ? 'full' : 'partial'
    this.source = source
    this.entries = entries
  }

  get now(): string {
    return new Date(this.time).toISOString()
  }

  // Functions that hooks can take from the object: `({ before }) => before()`. Most writes need none of them, so they
  // are made when they are taken.

  get lock(): OpenWrite['lock'] {
    return find => void this.lockedWith.push(find)
  }

  get visit(): OpenWrite['visit'] {
    return visit => new DataVisitor(this.entries.registry, visit).run(this.type, this.data)
  }

  get hide(): OpenWrite['hide'] {
    return (uid, ids) => {
      this.hidden ??= new Map()
      const hiddenIds = this.hidden.get(uid) ?? new Set()
      this.hidden.set(uid, hiddenIds)
      for (const one of ids) hiddenIds.add(one)
    }
  }

  get check(): OpenWrite['check'] {
    return test => {
      this.tests ??= []
      this.tests.push(test)
    }
  }

  get before(): OpenWrite['before'] {
    return () => {
      this.isRead = true
      this.entryBefore ??= this.action === 'create' ? Promise.resolve(null) : this.entries.before(this, this.id!)
      return this.entryBefore
    }
  }

  get after(): OpenWrite['after'] {
    return () => (this.id === null ? Promise.resolve(null) : this.entries.read(this.type.uid, this.id, this.context))
  }

  get sent(): ReadonlySet<string> {
    this.sentNames ??= sentNames(this.type, this.source)
    return this.sentNames
  }
}

/** Returns the attributes that an object names, apart from those that only the service sets. */
function sentNames({ attributes }: ContentType, source: object): ReadonlySet<string> {
  return new Set(Object.keys(source).filter(name => attributes.get(name)?.readonly === false))
}
