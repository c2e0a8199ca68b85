// Holds all statements of writes, compiled once for each type, relation and set of columns. Independent of the order in
// which they run, and of the rules that select them.

import type { ContentType, LinkTable, MorphTable, RelationAttribute } from '../../model/content-type.ts'
import type { Registry } from '../../model/registry.ts'
import type { Bound, Dialect } from '../dialect.ts'
import { type LockMode, lockText } from '../locks.ts'
import { StatementCache } from '../statement-cache.ts'
import { type ComponentStatements, componentStatements } from './components.ts'
import { type KeyStatements, keyStatements } from './keys.ts'
import { LinkStatements } from './links.ts'
import { type MorphColumnStatements, type MorphStatements, morphColumnStatements, morphStatements } from './morphs.ts'
import { type Release, releaseStatements } from './releases.ts'
import { type InsertCheck, RowStatements } from './rows.ts'

/** A count of the existing ids of a type: an expression, and its bind values. */
export interface IdCount {
  readonly text: string
  readonly values: readonly Bound[]
}

/**
 * The statements of writes on one database. Those that depend only on the model are kept for good, the others in a
 * bounded cache.
 */
export class WriteStatements {
  readonly dialect: Dialect
  readonly #registry: Registry
  readonly #cache = new StatementCache()
  readonly #rows = new Map<ContentType, RowStatements>()
  readonly #links = new Map<LinkTable, LinkStatements>()
  readonly #keys = new Map<RelationAttribute, KeyStatements>()
  readonly #morphs = new Map<MorphTable, MorphStatements>()
  readonly #morphColumns = new Map<string, MorphColumnStatements>()
  readonly #components = new Map<ContentType, ComponentStatements>()
  readonly #releases = new Map<ContentType, readonly Release[]>()
  readonly #locks = new Map<string, Partial<Record<LockMode, string>>>()

  constructor(dialect: Dialect, registry: Registry) {
    this.dialect = dialect
    this.#registry = registry
  }

  /** Statements on rows of a content type or component. */
  rows(type: ContentType): RowStatements {
    const rows = this.#rows.get(type)
    if (rows !== undefined) return rows
    const retired = this.#registry.divergence.retired.get(type) ?? []
    return keep(this.#rows, type, new RowStatements(this.dialect, this.#cache, { type, retired }))
  }

  /** Statements on the links of a link table. */
  links(table: LinkTable): LinkStatements {
    return this.#links.get(table) ?? keep(this.#links, table, new LinkStatements(this.dialect, table))
  }

  /** Statements on a relation that is stored in `column` of `table`. */
  keys(attribute: RelationAttribute, table: string, column: string): KeyStatements {
    return this.#keys.get(attribute) ?? keep(this.#keys, attribute, keyStatements(this.dialect, table, column))
  }

  /** Statements on the links of a morph table. */
  morphs(table: MorphTable): MorphStatements {
    return this.#morphs.get(table) ?? keep(this.#morphs, table, morphStatements(this.dialect, table))
  }

  /** Statements on the polymorphic links that are stored in `table` itself. */
  morphColumns(table: string): MorphColumnStatements {
    return this.#morphColumns.get(table) ?? keep(this.#morphColumns, table, morphColumnStatements(this.dialect, table))
  }

  /** Statements on the components of a type's entries. */
  components(type: ContentType): ComponentStatements {
    return this.#components.get(type) ?? keep(this.#components, type, componentStatements(this.dialect, type))
  }

  /** Statements that remove references of other rows to entries of a type. */
  releases(type: ContentType): readonly Release[] {
    return this.#releases.get(type) ?? keep(this.#releases, type, releaseStatements(this.dialect, this.#registry, type))
  }

  /** Locks rows of a table by a list of ids. For databases with several writers. */
  lock(table: string, mode: LockMode): string {
    const modes = this.#locks.get(table) ?? keep(this.#locks, table, {})
    modes[mode] ??= lockText(this.dialect, table, mode)
    return modes[mode]
  }

  /** Counts how many of these ids of a type exist. */
  countIds(type: string, ids: readonly number[]): IdCount {
    const rows = this.rows(this.#registry.require(type))
    if (this.dialect.bindsEach(ids.length)) return { text: rows.countOf(ids.length), values: ids }
    return { text: rows.countOf(0), values: [this.dialect.list(ids)] }
  }

  /**
   * One statement that reads counts of ids and last places. Its text is the same each time, so a connection prepares it
   * once.
   */
  references({ counts, lastPlaces }: InsertCheck): string {
    let place = this.#cache.at(this)
    for (const { text } of counts) place = this.#cache.next(place, text)
    for (const { links, targets } of lastPlaces)
      place = this.#cache.next(this.#cache.next(place, links), targets.length)
    if (place.text !== null) return place.text
    const parts = counts.map(one => one.text)
    for (const { links, targets } of lastPlaces) for (const _ of targets) parts.push(links.lastPlace)
    return this.#cache.keep(place, this.dialect.finish(`SELECT ${parts.join(', ')}`))
  }
}

function keep<Key, Made>(cache: Map<Key, Made>, key: Key, one: Made): Made {
  cache.set(key, one)
  return one
}
