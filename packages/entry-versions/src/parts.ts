// Compiles the statements that read what a version covers, once per type: the rows of entries, their components, and the
// links that belong to them. Knows no hash, and runs nothing.

import type { Attribute, ContentType, Registry } from '@plinth/kernel'
import { type BoundOne, componentsTable, type Dialect, layoutOf } from '@plinth/kernel/tables'

/** One of the tables that a type's entries, or components, are stored in. */
export interface Part {
  /** The name that tells its rows from those of other tables. */
  readonly table: string
  /** `row`: the rows themselves; `components`: their components, as id, uid and field; `links`: what they link to. */
  readonly kind: 'row' | 'components' | 'links'
  /** Selects the rows that belong to a list of ids, which come first in each row, in an order that means something. */
  readonly text: string
  /** Values that are bound before the list. */
  readonly values: readonly BoundOne[]
}

/** The parts of all types. */
export class Parts {
  readonly #registry: Registry
  readonly #dialect: Dialect
  readonly #byType = new Map<ContentType, readonly Part[]>()
  #columns: ReadonlyMap<ContentType, readonly Column[]> | null = null

  constructor(registry: Registry, dialect: Dialect) {
    this.#registry = registry
    this.#dialect = dialect
  }

  /** The parts of a type. The rows themselves are the first. */
  of(type: ContentType): readonly Part[] {
    const cached = this.#byType.get(type)
    if (cached !== undefined) return cached
    const parts = [this.#row(type), ...(type.hasComponents ? [this.#components(type)] : []), ...this.#links(type)]
    this.#byType.set(type, parts)
    return parts
  }

  /** The `updatedAt` of a row of entries, as entries show it; null if it has none. */
  updatedAt(type: ContentType, row: readonly unknown[]): string | null {
    const attribute = type.attributes.get('updatedAt')
    if (attribute?.kind !== 'scalar') return null
    const raw = row[this.#columnsOf(type).findIndex(one => one.name === attribute.column)]
    return raw === null ? null : String(this.#dialect.codecs[attribute.scalar.storage].decode(raw as never))
  }

  #row(type: ContentType): Part {
    const columns = this.#columnsOf(type).map(one => one.selected)
    return this.#part('row', { table: type.table, owner: 'id', columns, order: [] })
  }

  #columnsOf(type: ContentType): readonly Column[] {
    this.#columns ??= columnsOf(this.#registry, this.#dialect)
    return this.#columns.get(type)!
  }

  #components({ table }: ContentType): Part {
    const columns = ['entity_id', 'component_id', 'component_type', 'field'].map(name => this.#dialect.quote(name))
    return this.#part('components', {
      table: componentsTable(table),
      owner: 'entity_id',
      columns,
      order: ['field', 'order', 'id'],
    })
  }

  #links(type: ContentType): Part[] {
    const parts = new Map<string, Part>()
    for (const attribute of type.attributes.values()) {
      const part = this.#linksOf(type, attribute)
      // All files of a type are in one table.
      if (part !== null) parts.set(part.table, part)
    }
    return [...parts.values()]
  }

  /** Returns the links of an attribute that belong to its own entries; null if they belong to others, or have no table. */
  #linksOf({ uid }: ContentType, attribute: Attribute): Part | null {
    // Relations that no form shows are kept by plugins: a new translation does not change the others.
    if (attribute.kind !== 'relation' || attribute.definition.visible === false) return null
    const { storage, owner } = attribute
    const q = (name: string) => this.#dialect.quote(name)
    if (storage.kind === 'links' && owner) {
      const { table, from, to, order } = storage
      const by = order === null ? ['id'] : [order, 'id']
      return this.#part('links', { table, owner: from, columns: [q(from), q(to)], order: by })
    }
    if (storage.kind === 'morphs') {
      const { table, owner: from, id, type } = storage
      const columns = [from, id, type, 'field'].map(q)
      return this.#part('links', { table, owner: from, columns, order: ['order', 'id'] })
    }
    // Files belong to the entry that shows them, although the table is that of the files.
    if (storage.kind !== 'inverseMorphs' || !attribute.isShownWithEntry) return null
    const { table, owner: to, id, type } = storage
    const columns = [id, 'field', to].map(q)
    const order = ['field', 'order', 'id']
    return this.#part('links', { table, owner: id, columns, order, condition: `${q(type)} = ?`, values: [uid] })
  }

  #part(kind: Part['kind'], { table, owner, columns, order, condition, values = [] }: Selection): Part {
    const { quote } = this.#dialect
    const within = this.#dialect.within(quote(owner))
    const where = condition === undefined ? within : `${condition} AND ${within}`
    const by = [owner, ...order].map(name => quote(name)).join(', ')
    const text = `SELECT ${columns.join(', ')} FROM ${quote(table)} WHERE ${where} ORDER BY ${by}`
    return { table, kind, text: this.#dialect.finish(text), values }
  }
}

/** The rows of a part, before they are a statement. */
interface Selection {
  readonly table: string
  /** The column of the id to which the rows belong. */
  readonly owner: string
  /** Expressions; the first is the owner. */
  readonly columns: readonly string[]
  /** The columns that the rows of one owner are sorted by. */
  readonly order: readonly string[]
  readonly condition?: string
  readonly values?: readonly BoundOne[]
}

/** A column of the rows of a type. */
interface Column {
  readonly name: string
  /** The expression that selects it. */
  readonly selected: string
}

/** Returns the columns of all types, the id first. */
function columnsOf(registry: Registry, dialect: Dialect): ReadonlyMap<ContentType, readonly Column[]> {
  const columns = new Map<ContentType, readonly Column[]>()
  const codecs = dialect.codecs as Readonly<Record<string, Dialect['codecs']['string'] | undefined>>
  for (const { type, columns: own } of layoutOf(registry)) {
    if (type === null) continue
    const selected = own.map(({ name, kind }) => {
      const quoted = dialect.quote(name)
      return { name, selected: codecs[kind]?.select?.(quoted) ?? quoted }
    })
    columns.set(type, selected)
  }
  return columns
}
