// Applies the rules of plugins to the links that a caller sends (B-4.3, B-4.36): takes relations out of the data, before
// hooks and lifecycles run, and finds inside the transaction which of the named entries the caller may not link. Links
// that hooks and lifecycles add are not the caller's. Knows no SQL.

import { LRUCache } from '#lru-cache'
import { type Access, type Context, systemAccess } from '../context.ts'
import { UsageError } from '../errors.ts'
import type { ContentType, RelationAttribute, Uid } from '../model/content-type.ts'
import type { LinkingWrite } from '../plan/link.ts'
import type { Engine, LinkTest } from '../read/engine.ts'
import type { CompiledPlan } from '../sql/compile.ts'
import type { OpenWrite } from './open-write.ts'
import type { Input } from './parse.ts'
import { InvalidRelations, keepItems, parseRelation, refsOf, typeOf } from './relation-input.ts'
import type { EntryReader } from './reader.ts'
import { SentRelations } from './sent-relations.ts'

type Data = Record<string, unknown>

/** The entries of one type that a write may not link, by the uid of the type. */
export type HiddenIds = ReadonlyMap<Uid, ReadonlySet<number>>

/** Ids of entries that the caller links, and the query that finds those of them that it may link. */
export interface SentLinks {
  readonly uid: Uid
  readonly ids: Set<number>
  readonly compiled: CompiledPlan
}

/** The sent data after relations were taken out, and the links in it that rules restrict. */
export interface Linked {
  readonly data: Data
  readonly links: readonly SentLinks[]
}

/** One walk through sent data. */
interface Walk {
  readonly write: LinkingWrite
  readonly access: Access
  readonly found: Map<CompiledPlan, SentLinks>
}

/** An entry, and who wants to link it. */
export interface Linkable {
  readonly id: number
  readonly context: Context
}

export const noLinks: readonly SentLinks[] = []
export const nothingHidden: HiddenIds = new Map()

/** Applies rules to links. */
export class LinkRules {
  readonly #engine: Engine
  readonly #entries: EntryReader
  readonly #relations: SentRelations
  /** The tests by write, relation, type and rights. */
  readonly #tests = new LRUCache<string, { readonly test: LinkTest | null }>({
    max: 5000,
    maxSize: 16 * 1024 * 1024,
    sizeCalculation: ({ test }, key) => 200 + 2 * key.length + (test?.compiled?.weight ?? 0),
  })
  /** Whether a rule may restrict the links of a type, by action. */
  readonly #concerned = { create: new Map<ContentType, boolean>(), update: new Map<ContentType, boolean>() }

  constructor(engine: Engine, entries: EntryReader) {
    this.#engine = engine
    this.#entries = entries
    this.#relations = new SentRelations(engine.registry)
  }

  /** Takes out the relations that rules drop, and collects the links that they restrict. Does not change `data`. */
  apply(type: ContentType, action: LinkingWrite['action'], data: Data, access: Access): Linked {
    // Rules restrict callers, not the work of plugins.
    if (access === systemAccess || !this.#isConcerned(type, action) || !this.#relations.areIn(type, data))
      return { data, links: noLinks }
    const walk: Walk = { write: { uid: type.uid, action }, access, found: new Map() }
    const kept = this.#relations.map(type, data, (...one) => this.#apply(walk, ...one))
    return { data: kept, links: walk.found.size === 0 ? noLinks : [...walk.found.values()] }
  }

  /** The value of a relation without what rules drop; undefined if nothing is left of it. */
  #apply(walk: Walk, own: ContentType, attribute: RelationAttribute, value: unknown): unknown {
    const { target } = attribute
    const left =
      target === null
        ? keepItems(value, item => !this.#testOf(walk, own, attribute, typeOf(item))?.isDropped)
        : this.#testOf(walk, own, attribute, target)?.isDropped
          ? undefined
          : value
    if (left !== undefined) this.#collect(walk, own, attribute, left)
    return left
  }

  #collect(walk: Walk, own: ContentType, attribute: RelationAttribute, value: unknown): void {
    for (const { id, type } of sentRefs(attribute, value)) {
      const uid = attribute.target ?? type!
      const compiled = this.#testOf(walk, own, attribute, uid)?.compiled ?? null
      if (compiled === null) continue
      const links = walk.found.get(compiled) ?? { uid, ids: new Set(), compiled }
      walk.found.set(compiled, links)
      links.ids.add(id)
    }
  }

  /** The test of links to one type; null for entries that every caller may link, and for types that do not exist. */
  #testOf({ write, access }: Walk, own: ContentType, attribute: RelationAttribute, uid: unknown): LinkTest | null {
    const target = typeof uid === 'string' ? this.#engine.registry.get(uid) : undefined
    if (target === undefined || !this.#engine.hasRules(target.uid, write.action)) return null
    const key = `${write.uid} ${write.action} ${own.uid}.${attribute.name} ${target.uid} ${access.key}`
    const known = this.#tests.get(key)
    if (known !== undefined) return known.test
    const test = this.#engine.prepareLink(write, { attribute, target }, access)
    this.#tests.set(key, { test })
    return test
  }

  #isConcerned(type: ContentType, action: LinkingWrite['action']): boolean {
    const byType = this.#concerned[action]
    const known = byType.get(type)
    if (known !== undefined) return known
    const isConcerned = this.#relations.targets(type).some(uid => this.#engine.hasRules(uid, action))
    byType.set(type, isConcerned)
    return isConcerned
  }

  /** Whether rules let the caller link an entry by a relation of a new entry. Throws UsageError if it has many targets. */
  async mayLink(type: ContentType, attribute: RelationAttribute, { id, context }: Linkable): Promise<boolean> {
    const { access } = context
    if (attribute.target === null)
      throw new UsageError('PLINTH_ATTRIBUTE_UNKNOWN', `${type.uid}.${attribute.name} has no target of its own`)
    if (access === systemAccess) return true
    const walk: Walk = { write: { uid: type.uid, action: 'create' }, access, found: new Map() }
    const test = this.#testOf(walk, type, attribute, attribute.target)
    if (test === null) return true
    if (test.isDropped) return false
    if (test.compiled === null) return true
    return this.#entries.mayExist(id) && (await this.#engine.findLinkable(test.compiled, [id], context)).has(id)
  }

  /** The ids in the input that the write may not link, by the rules on what was sent and by `write.hide`. */
  findHidden(write: OpenWrite, input: Input): HiddenIds | Promise<HiddenIds> {
    if (write.links.length > 0) return this.#askHidden(write, input)
    return write.hidden ?? nothingHidden
  }

  async #askHidden({ links, hidden, context }: OpenWrite, { refs }: Input): Promise<HiddenIds> {
    const all = new Map([...(hidden ?? nothingHidden)].map(([uid, ids]) => [uid, new Set(ids)]))
    for (const { uid, ids, compiled } of links) {
      const asked = [...ids].filter(id => refs.get(uid)?.has(id) === true && this.#entries.mayExist(id))
      if (asked.length === 0) continue
      const found = await this.#engine.findLinkable(compiled, asked, context)
      const own = all.get(uid) ?? new Set()
      for (const id of asked) if (!found.has(id)) own.add(id)
      if (own.size > 0) all.set(uid, own)
    }
    return all
  }
}

/** The entries that a sent value links; none if it is not valid, which the parser reports. */
function sentRefs(attribute: RelationAttribute, value: unknown) {
  try {
    const change = parseRelation(attribute, value)
    return change === null ? [] : refsOf(change)
  } catch (error) {
    if (!(error instanceof InvalidRelations)) throw error
    return []
  }
}
