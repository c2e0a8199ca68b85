// Applies the rules of plugins to the links that a caller sends (B-4.3, B-4.36): takes relations out of the data,
// before hooks and lifecycles run, refuses those that change what the caller may not write of the other side, and finds
// inside the transaction which of the named entries the caller may not link. Links that hooks and lifecycles add are
// not the caller's. Knows no SQL.

import { type Context, systemAccess } from '../context.ts'
import { DataForbiddenError, UsageError } from '../errors.ts'
import type { ContentType, RelationAttribute, Uid } from '../model/content-type.ts'
import type { LinkingWrite } from '../plan/link.ts'
import type { Engine } from '../read/engine.ts'
import { type LinkTest, LinkTests } from '../read/links.ts'
import { mayExist } from '../sql/dialect.ts'
import { TextCache } from '../text-cache.ts'
import type { OpenWrite, SentLinks } from './open-write.ts'
import type { Input } from './parse.ts'
import { type AffectedType, ReachedTypes } from './reached-types.ts'
import { keepItems, refsOf, sentChange, typeOf } from './relation-input.ts'
import type { RuleQueries } from './rule-queries.ts'
import { SentRelations } from './sent-relations.ts'

type Data = Record<string, unknown>

/** The entries of one type that a write may not link, by the uid of the type. */
export type HiddenIds = ReadonlyMap<Uid, ReadonlySet<number>>

/** The sent data after relations were taken out, and the links in it that rules restrict. */
export interface CheckedLinks {
  readonly data: Data
  readonly links: readonly SentLinks[]
}

/** A write that links, and its caller. */
export interface LinkContext {
  readonly write: LinkingWrite
  readonly context: Context
}

/** The result of a rule on sent links. */
export type Outcome = 'written' | 'leftOut' | 'refused'

/** One walk through sent data. */
interface Walk extends LinkContext {
  readonly sentLinks: Map<LinkTest, SentLinks>
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
  readonly #rules: RuleQueries
  readonly #links: LinkTests
  readonly #relations: SentRelations
  readonly #reached: ReachedTypes
  /** The tests by write, relation, type and rights. */
  readonly #tests = new TextCache<{ readonly test: LinkTest | null }>({
    max: 5000,
    maxSize: 16 * 1024 * 1024,
    sizeCalculation: ({ test }, key) => 200 + 2 * key.length + (test?.linkable?.weight ?? 0),
  })
  /** True if a rule may restrict the links of a type, by action. */
  readonly #concerned = { create: new Map<ContentType, boolean>(), update: new Map<ContentType, boolean>() }

  constructor(engine: Engine, rules: RuleQueries) {
    this.#engine = engine
    this.#rules = rules
    this.#links = new LinkTests(engine)
    this.#relations = new SentRelations(engine.registry)
    this.#reached = new ReachedTypes(engine.registry)
  }

  /**
   * Takes out the relations that rules drop, and collects the links that they restrict. Does not change `data`. Throws
   * DataForbiddenError for a relation that changes an attribute of other entries that the caller may not write.
   */
  apply(type: ContentType, action: LinkingWrite['action'], data: Data, context: Context): CheckedLinks {
    // Rules restrict callers, not the work of plugins.
    if (context.access === systemAccess || !this.#isConcerned(type, action) || !this.#relations.areIn(type, data))
      return { data, links: noLinks }
    const walk: Walk = { write: { uid: type.uid, action }, context, sentLinks: new Map() }
    const allowedData = this.#relations.map(type, data, (...one) => this.#apply(walk, ...one))
    return { data: allowedData, links: walk.sentLinks.size === 0 ? noLinks : [...walk.sentLinks.values()] }
  }

  /** Returns the value of a relation without what rules drop; undefined if nothing is left of it. */
  #apply(walk: Walk, own: ContentType, attribute: RelationAttribute, value: unknown): unknown {
    const { target } = attribute
    const left =
      target === null
        ? keepItems(value, item => !this.#isDropped(walk, this.#testOf(walk, own, attribute, typeOf(item))))
        : this.#isDropped(walk, this.#testOf(walk, own, attribute, target))
          ? undefined
          : value
    if (left === undefined) return left
    const refusal = this.#refusalOf(walk, own, attribute, left)
    if (refusal !== null) throw new DataForbiddenError(refusal)
    this.#collect(walk, own, attribute, left)
    return left
  }

  /** Returns whether a relation is taken out, and remarks on it. */
  #isDropped({ context }: Walk, test: LinkTest | null): boolean {
    if (test?.isDropped !== true) return false
    if (test.dropReason !== null && test.dropReason !== undefined) this.#engine.remark(test.dropReason, context)
    return true
  }

  /** Returns why a relation is refused: it changes an attribute of others that the caller may not write; null if not. */
  #refusalOf(walk: Walk, own: ContentType, attribute: RelationAttribute, value: unknown): string | null {
    const { action } = walk.write
    for (const uid of this.#reached.by(own, attribute, value, action)) {
      const refusal = this.#testOf(walk, own, attribute, uid)?.refusal ?? null
      if (refusal !== null) return refusal
    }
    const holders = this.#reached.holders(own, attribute, value, action)
    return holders.some(one => this.#isProtected(one, walk.context)) ? `"${attribute.name}" must not be sent` : null
  }

  /**
   * Returns what becomes of the links that a caller sends by a relation, whichever entries they name: they are written,
   * left out, or refused. A relation to any type is written if links to one of the types are.
   */
  outcomeOf({ write, context }: LinkContext, own: ContentType, attribute: RelationAttribute): Outcome {
    if (context.access === systemAccess) return 'written'
    const walk: Walk = { write, context, sentLinks: new Map() }
    const { registry } = this.#engine
    const targets =
      attribute.target === null
        ? registry.values().flatMap(({ uid, kind }) => (kind === 'component' ? [] : [uid]))
        : [attribute.target]
    const linkable = targets.filter(uid => this.#testOf(walk, own, attribute, uid)?.isDropped !== true)
    if (linkable.length === 0) return 'leftOut'
    const isWritten = (uid: Uid) =>
      this.#refusalOf(walk, own, attribute, { connect: [{ id: 1, __type: uid }] }) === null
    return linkable.some(isWritten) ? 'written' : 'refused'
  }

  /** Returns whether the caller may not write what entries of a type would lose. */
  #isProtected({ type, names }: AffectedType, context: Context): boolean {
    const forbidden = this.#rules.forbiddenAttributes(type.uid, 'update', context)
    return names.some(name => forbidden.has(name))
  }

  #collect(walk: Walk, own: ContentType, attribute: RelationAttribute, value: unknown): void {
    const change = sentChange(attribute, value)
    for (const { id, type } of change === null ? [] : refsOf(change)) {
      const uid = attribute.target ?? type!
      const test = this.#testOf(walk, own, attribute, uid)
      if (test === null || (test.linkable === null && test.takenFromProtected === null)) continue
      const links = walk.sentLinks.get(test) ?? { uid, name: attribute.name, ids: new Set(), test }
      walk.sentLinks.set(test, links)
      links.ids.add(id)
    }
  }

  /**
   * Returns the test of links to one type; null for entries that every caller may link, and for types that do not
   * exist.
   */
  #testOf({ write, context }: Walk, own: ContentType, attribute: RelationAttribute, uid: unknown): LinkTest | null {
    const target = typeof uid === 'string' ? this.#engine.registry.get(uid) : undefined
    if (target === undefined || !this.#engine.hooks.hasRules(target.uid, write.action)) return null
    const key = `${write.uid} ${write.action} ${own.uid}.${attribute.name} ${target.uid} ${context.access.key}`
    const cached = this.#tests.get(key)
    if (cached !== undefined) return cached.test
    const protectedOwners = this.#reached
      .formerOwners(own, attribute, write.action)
      .filter(one => this.#isProtected(one, context))
    const step = { own, attribute, target, protectedOwners: protectedOwners.map(one => one.type) }
    const test = this.#links.prepare(write, step, context.access)
    this.#tests.set(key, { test })
    return test
  }

  #isConcerned(type: ContentType, action: LinkingWrite['action']): boolean {
    const byType = this.#concerned[action]
    const cached = byType.get(type)
    if (cached !== undefined) return cached
    const isConcerned = this.#relations.targets(type).some(uid => this.#engine.hooks.hasRules(uid, action))
    byType.set(type, isConcerned)
    return isConcerned
  }

  /**
   * Returns whether rules let the caller link an entry by a relation of a new entry. Throws UsageError if it has many
   * targets.
   */
  async mayLink(type: ContentType, attribute: RelationAttribute, { id, context }: Linkable): Promise<boolean> {
    const { access } = context
    if (attribute.target === null)
      throw new UsageError('PLINTH_ATTRIBUTE_UNKNOWN', `${type.uid}.${attribute.name} has no target of its own`)
    if (access === systemAccess) return true
    const walk: Walk = { write: { uid: type.uid, action: 'create' }, context, sentLinks: new Map() }
    const test = this.#testOf(walk, type, attribute, attribute.target)
    if (test === null) return true
    if (test.isDropped || test.refusal !== null) return false
    if (test.linkable === null) return true
    return mayExist(this.#engine.database.dialect, id) && (await this.#links.find(test.linkable, [id], context)).has(id)
  }

  /**
   * Returns the ids in the input that the write may not link, by the rules on what was sent and by `write.hide`. Throws
   * DataForbiddenError for a link that takes an entry from another one whose links the caller may not write.
   */
  findHidden(write: OpenWrite, input: Input): HiddenIds | Promise<HiddenIds> {
    if (write.links.length > 0) return this.#askHidden(write, input)
    return write.hidden ?? nothingHidden
  }

  async #askHidden({ links, hidden, context }: OpenWrite, { refs }: Input): Promise<HiddenIds> {
    const all = new Map([...(hidden ?? nothingHidden)].map(([uid, ids]) => [uid, new Set(ids)]))
    const remainingLinks = links.map(({ uid, ids, ...link }) => {
      const possibleIds = [...ids].filter(
        id => refs.get(uid)?.has(id) === true && mayExist(this.#engine.database.dialect, id),
      )
      return { ...link, uid, ids: possibleIds }
    })
    for (const { uid, ids, test } of remainingLinks) {
      if (test.linkable === null || ids.length === 0) continue
      const linkable = await this.#links.find(test.linkable, ids, context)
      const own = all.get(uid) ?? new Set()
      for (const id of ids) if (!linkable.has(id)) own.add(id)
      if (own.size > 0) all.set(uid, own)
    }
    // Hidden entries are refused first: the answer must not tell whether they are linked.
    if (all.size > 0) return all
    for (const { name, ids, test } of remainingLinks) {
      if (test.takenFromProtected === null || ids.length === 0) continue
      const takenIds = await this.#links.find(test.takenFromProtected, ids, context)
      if (takenIds.size > 0) throw new DataForbiddenError(`"${name}" takes entries from others`)
    }
    return all
  }
}
