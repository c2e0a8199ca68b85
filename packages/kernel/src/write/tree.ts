// Writes what is below rows, recursively: components, which are inserted, updated in place, ordered, and removed with
// those nested in them (B-4.55 to B-4.73), and relations, by the function for their storage. Knows no SQL.

import type { Transaction } from '../connection/session.ts'
import { ApplicationError, PlinthError } from '../errors.ts'
import type { ComponentAttribute, ContentType, RelationAttribute, ZoneAttribute } from '../model/content-type.ts'
import type { Registry } from '../model/registry.ts'
import type { WriteStatements } from '../sql/writes/statements.ts'
import { writeInverseKey, writeKey } from './keys.ts'
import { writeLinks } from './links.ts'
import { writeInverseMorphColumns, writeInverseMorphs, writeMorphColumns, writeMorphs } from './morphs.ts'
import type { InputEntry } from './parse.ts'
import type { RelationChange } from './relation-input.ts'
import type { RelatedRow, RelationWrite } from './relation-write.ts'
import type { RowWriter } from './rows.ts'
import { namesComponent } from './stored-components.ts'

/** A component of an entry, and its place. */
interface StoredComponent {
  readonly id: number
  readonly uid: string
  readonly order: number | null
}

/** One component attribute or zone of a row. */
interface Field {
  readonly tx: Transaction
  readonly type: ContentType
  readonly id: number
  readonly name: string
}

/** Writes the components and relations of rows. */
export class TreeWriter {
  readonly #registry: Registry
  readonly #statements: WriteStatements
  readonly #rows: RowWriter

  constructor(registry: Registry, statements: WriteStatements, rows: RowWriter) {
    this.#registry = registry
    this.#statements = statements
    this.#rows = rows
  }

  /** Writes the components and relations of a row that has been inserted already. */
  async below(write: RelationWrite, entry: InputEntry, id: number, isNew: boolean): Promise<void> {
    const row = { type: entry.type, id, isNew }
    for (const { attribute, items } of entry.components) await this.#components(write, row, attribute, items)
    for (const relation of entry.relations) await writeRelation(write, row, relation)
  }

  async #components(
    write: RelationWrite,
    { type, id, isNew }: RelatedRow,
    attribute: ComponentAttribute | ZoneAttribute,
    items: readonly InputEntry[],
  ): Promise<void> {
    const field: Field = { tx: write.tx, type, id, name: attribute.name }
    const stored = isNew ? [] : await this.#stored(field, attribute)
    const keyOf = (uid: string, component: number) => `${uid} ${component}`
    const storedByKey = new Map(stored.map(one => [keyOf(one.uid, one.id), one]))
    const keptKeys = new Set<string>()
    for (const item of items) {
      if (item.id === null) continue
      const key = keyOf(item.type.uid, item.id)
      if (!storedByKey.has(key)) throw unrelated(attribute)
      keptKeys.add(key)
    }
    const dropped = stored.filter(one => !keptKeys.has(keyOf(one.uid, one.id)))
    await this.#drop(field, dropped)
    for (const [i, item] of items.entries()) {
      const component = item.id ?? (await this.#rows.insert(write.tx, item))
      if (item.id !== null) await this.#rows.update(write.tx, item, item.id)
      await this.below(write, item, component, item.id === null)
      const present = storedByKey.get(keyOf(item.type.uid, component))
      await this.#place(field, { id: component, uid: item.type.uid, order: i + 1 }, present)
    }
  }

  async #stored(
    { tx, type, id, name }: Field,
    attribute: ComponentAttribute | ZoneAttribute,
  ): Promise<StoredComponent[]> {
    const rows = await tx.all(this.#statements.components(type).read, [id, name])
    const stored = rows.map(([one, uid, order]) => ({
      id: Number(one),
      uid: String(uid),
      order: order === null ? null : Number(order),
    }))
    // Components without a schema file, and those that the attribute names no more, are hidden, not removed: a client that
    // sends a list does not know of them.
    return stored.filter(one => namesComponent(attribute, one.uid) && this.#registry.get(one.uid) !== undefined)
  }

  async #place({ tx, type, id, name }: Field, component: StoredComponent, present?: StoredComponent): Promise<void> {
    const { insert, move } = this.#statements.components(type)
    if (present === undefined) await tx.enqueue(insert, [id, component.id, component.uid, name, component.order])
    else if (present.order !== component.order)
      await tx.enqueue(move, [component.order, id, component.id, component.uid, name])
  }

  async #drop({ tx, type, id, name }: Field, dropped: readonly StoredComponent[]): Promise<void> {
    for (const [uid, ids] of groupByType(dropped)) {
      await tx.enqueue(this.#statements.components(type).remove, [id, name, uid, this.#statements.dialect.list(ids)])
      await this.remove(tx, uid, ids)
    }
  }

  /** Removes rows with their components. Foreign keys remove the rows of link tables. */
  async remove(tx: Transaction, uid: string, ids: readonly number[]): Promise<void> {
    const type = this.#registry.get(uid)
    if (type === undefined || ids.length === 0) return
    const list = this.#statements.dialect.list(ids)
    if (type.hasComponents) {
      const rows = await tx.all(this.#statements.components(type).readAll, [list])
      const components = rows.map(([id, one]) => ({ id: Number(id), uid: String(one), order: null }))
      for (const [one, nested] of groupByType(components)) await this.remove(tx, one, nested)
    }
    for (const { text, bindsType } of this.#statements.releases(type))
      await tx.enqueue(text, bindsType ? [type.uid, list] : [list])
    await this.#rows.remove(tx, type, ids)
  }
}

function groupByType(components: readonly StoredComponent[]): Map<string, number[]> {
  const groups = new Map<string, number[]>()
  for (const { uid, id } of components) groups.set(uid, [...(groups.get(uid) ?? []), id])
  return groups
}

/** As in v4, both messages are equal, but the error of a zone has another name and no details (B-4.61, B-4.73). */
function unrelated(attribute: ComponentAttribute | ZoneAttribute): PlinthError {
  const message = `Some of the provided components in ${attribute.name} are not related to the entity`
  return attribute.kind === 'zone' ? new PlinthError(400, 'Error', message, null) : new ApplicationError(message)
}

/** Writes the change of one relation of a row, by the function for its storage. */
export async function writeRelation(
  write: RelationWrite,
  row: RelatedRow,
  { attribute, change }: { readonly attribute: RelationAttribute; readonly change: RelationChange },
): Promise<void> {
  const { storage } = attribute
  switch (storage.kind) {
    case 'links':
      return writeLinks(write, row, { attribute, table: storage, change })
    case 'column':
      return writeKey(write, row, { attribute, column: storage.column, change })
    case 'inverseColumn':
      return writeInverseKey(write, row, { attribute, column: storage.column, change })
    case 'morphs':
      return writeMorphs(write, row, { attribute, table: storage, change })
    case 'morphColumns':
      return writeMorphColumns(write, row, change)
    case 'inverseMorphs':
      return writeInverseMorphs(write, row, { attribute, table: storage, change })
    case 'inverseMorphColumns':
      return writeInverseMorphColumns(write, row, { attribute, change })
  }
}
