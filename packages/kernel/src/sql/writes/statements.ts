// All statements of writes, compiled once for each type, relation and set of columns. Must not know the order in which they run,
// nor the rules that decide which ones do.

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

/** How many of some ids of a type exist: an expression, and the values that are bound for it. */
export interface IdCount {
  readonly text: string
  readonly values: readonly Bound[]
}

/** The statements of writes on one database. What hangs on the model alone is kept for good, the rest in a bounded cache. */
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

  /** About rows of a content type or component. */
  rows(type: ContentType): RowStatements {
    return this.#rows.get(type) ?? keep(this.#rows, type, new RowStatements(this.dialect, this.#cache, type))
  }

  /** About links. */
  links(table: LinkTable): LinkStatements {
    return this.#links.get(table) ?? keep(this.#links, table, new LinkStatements(this.dialect, table))
  }

  /** About a relation that is stored in `column` of `table`. */
  keys(attribute: RelationAttribute, table: string, column: string): KeyStatements {
    return this.#keys.get(attribute) ?? keep(this.#keys, attribute, keyStatements(this.dialect, table, column))
  }

  /** About the links of a morph table. */
  morphs(table: MorphTable): MorphStatements {
    return this.#morphs.get(table) ?? keep(this.#morphs, table, morphStatements(this.dialect, table))
  }

  /** About the polymorphic links that are stored in `table` itself. */
  morphColumns(table: string): MorphColumnStatements {
    return this.#morphColumns.get(table) ?? keep(this.#morphColumns, table, morphColumnStatements(this.dialect, table))
  }

  /** About the components of a type's entries. */
  components(type: ContentType): ComponentStatements {
    return this.#components.get(type) ?? keep(this.#components, type, componentStatements(this.dialect, type))
  }

  /** What makes other rows let go of entries of a type. */
  releases(type: ContentType): readonly Release[] {
    return this.#releases.get(type) ?? keep(this.#releases, type, releaseStatements(this.dialect, this.#registry, type))
  }

  /** Locks rows of a table by a list of ids. For databases with many writers. */
  lock(table: string, mode: LockMode): string {
    const modes = this.#locks.get(table) ?? keep(this.#locks, table, {})
    modes[mode] ??= lockText(this.dialect, table, mode)
    return modes[mode]
  }

  /** How many of these ids of a type exist? */
  countIds(type: string, ids: readonly number[]): IdCount {
    const rows = this.rows(this.#registry.require(type))
    if (this.dialect.bindsEach(ids.length)) return { text: rows.countOf(ids.length), values: ids }
    return { text: rows.countOf(0), values: [this.dialect.list(ids)] }
  }

  /** One statement that asks for counts of ids and for last places: the same text each time, which a connection prepares once. */
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

function keep<Key, Made>(made: Map<Key, Made>, key: Key, one: Made): Made {
  made.set(key, one)
  return one
}
