// Components of an entry into rows: made, changed in place, put in order, removed with what is nested in them
// (B-4.55 to B-4.73).

import { componentsTable } from '../model/naming.ts'
import type { Transaction } from '../database/session.ts'
import { ApplicationError, PlinthError } from '../errors.ts'
import type { ComponentAttribute, ContentType, ZoneAttribute } from '../model/content-type.ts'
import type { Registry } from '../model/registry.ts'
import type { Dialect } from '../sql/dialect.ts'
import type { InputEntry } from './parse.ts'
import { type Places, writeRelation } from './links.ts'
import type { PlaceNumbers } from './place-numbers.ts'
import type { RowWriter } from './rows.ts'

/** A component as it hangs on an entry. */
interface Held {
  readonly id: number
  readonly uid: string
  readonly order: number | null
}

/** The row that components hang on. */
interface Owner {
  readonly tx: Transaction
  readonly type: ContentType
  readonly id: number
  readonly isNew: boolean
  readonly places: Places
}

/** Writes what hangs on rows: relations and components, recursively. */
export class TreeWriter {
  readonly #dialect: Dialect
  readonly #registry: Registry
  readonly #rows: RowWriter
  readonly #numbers: PlaceNumbers
  readonly #releases = new Map<ContentType, readonly string[]>()

  constructor(dialect: Dialect, registry: Registry, rows: RowWriter, numbers: PlaceNumbers) {
    this.#dialect = dialect
    this.#registry = registry
    this.#rows = rows
    this.#numbers = numbers
  }

  /** Relations and components of a row that exists by now. */
  async below(tx: Transaction, entry: InputEntry, id: number, isNew: boolean, places: Places): Promise<void> {
    const { type } = entry
    for (const { attribute, items } of entry.components)
      await this.#components({ tx, type, id, isNew, places }, attribute, items)
    for (const { attribute, change } of entry.relations) {
      const context = { dialect: this.#dialect, registry: this.#registry, numbers: this.#numbers }
      const write = { ...context, tx, type, attribute, id, isNew, places }
      await writeRelation(write, change)
    }
  }

  async #components(
    { tx, type, id, isNew, places }: Owner,
    attribute: ComponentAttribute | ZoneAttribute,
    items: readonly InputEntry[],
  ): Promise<void> {
    const held = isNew ? [] : await this.#held(tx, type, id, attribute.name)
    const keyOf = (uid: string, component: number) => `${uid} ${component}`
    const known = new Map(held.map(one => [keyOf(one.uid, one.id), one]))
    const kept = new Set<string>()
    for (const item of items) {
      if (item.id === null) continue
      const key = keyOf(item.type.uid, item.id)
      if (!known.has(key)) throw unrelated(attribute)
      kept.add(key)
    }
    await this.#drop(
      tx,
      type,
      id,
      attribute.name,
      held.filter(one => !kept.has(keyOf(one.uid, one.id))),
    )
    for (const [i, item] of items.entries()) {
      const component = item.id ?? (await this.#rows.insert(tx, item))
      if (item.id !== null) await this.#rows.update(tx, item, item.id)
      await this.below(tx, item, component, item.id === null, places)
      const place = known.get(keyOf(item.type.uid, component))
      await this.#hang(tx, type, id, attribute.name, { id: component, uid: item.type.uid, order: i + 1 }, place)
    }
  }

  async #held(tx: Transaction, type: ContentType, id: number, field: string): Promise<Held[]> {
    const q = (name: string) => this.#dialect.quote(name)
    const columns = ['component_id', 'component_type', 'order'].map(q).join(', ')
    const where = `${q('entity_id')} = ? AND ${this.#dialect.unindexed(q('field'))} = ?`
    const text = `SELECT ${columns} FROM ${q(componentsTable(type.table))} WHERE ${where} ORDER BY ${q('order')}, ${q('id')}`
    const rows = await tx.all(this.#dialect.finish(text), [id, field])
    const held = rows.map(([one, uid, order]) => ({
      id: Number(one),
      uid: String(uid),
      order: order === null ? null : Number(order),
    }))
    // Components whose file is gone are hidden, not removed: nobody who sends a list knows of them.
    return held.filter(one => this.#registry.get(one.uid) !== undefined)
  }

  async #hang(
    tx: Transaction,
    type: ContentType,
    id: number,
    field: string,
    wanted: Held,
    present?: Held,
  ): Promise<void> {
    const q = (name: string) => this.#dialect.quote(name)
    const table = q(componentsTable(type.table))
    if (present === undefined) {
      const columns = ['entity_id', 'component_id', 'component_type', 'field', 'order'].map(q).join(', ')
      const text = `INSERT INTO ${table} (${columns}) VALUES (?, ?, ?, ?, ?)`
      await tx.send(this.#dialect.finish(text), [id, wanted.id, wanted.uid, field, wanted.order])
    } else if (present.order !== wanted.order) {
      const where = `${q('entity_id')} = ? AND ${q('component_id')} = ? AND ${q('component_type')} = ? AND ${q('field')} = ?`
      const text = `UPDATE ${table} SET ${q('order')} = ? WHERE ${where}`
      await tx.send(this.#dialect.finish(text), [wanted.order, id, wanted.id, wanted.uid, field])
    }
  }

  async #drop(tx: Transaction, type: ContentType, id: number, field: string, dropped: readonly Held[]): Promise<void> {
    const q = (name: string) => this.#dialect.quote(name)
    for (const [uid, ids] of groupByType(dropped)) {
      const where = `${q('entity_id')} = ? AND ${q('field')} = ? AND ${q('component_type')} = ? AND ${this.#dialect.within(q('component_id'))}`
      const text = `DELETE FROM ${q(componentsTable(type.table))} WHERE ${where}`
      await tx.send(this.#dialect.finish(text), [id, field, uid, this.#dialect.list(ids)])
      await this.remove(tx, uid, ids)
    }
  }

  /** Removes rows with all that hangs on them. Link rows go by their foreign keys. */
  async remove(tx: Transaction, uid: string, ids: readonly number[]): Promise<void> {
    const type = this.#registry.get(uid)
    if (type === undefined || ids.length === 0) return
    const q = (name: string) => this.#dialect.quote(name)
    if (type.hasComponents) {
      const select = `SELECT ${q('component_id')}, ${q('component_type')} FROM ${q(componentsTable(type.table))}`
      const text = `${select} WHERE ${this.#dialect.within(q('entity_id'))}`
      const rows = await tx.all(this.#dialect.finish(text), [this.#dialect.list(ids)])
      const held = rows.map(([id, one]) => ({ id: Number(id), uid: String(one), order: null }))
      for (const [one, nested] of groupByType(held)) await this.remove(tx, one, nested)
    }
    for (const text of this.#releasesOf(type)) {
      const values = text.includes('= ?') ? [type.uid, this.#dialect.list(ids)] : [this.#dialect.list(ids)]
      await tx.send(this.#dialect.finish(text), values)
    }
    await this.#rows.remove(tx, type, ids)
  }

  /** Statements that make other rows let go of a type's entries, where no foreign key does. */
  #releasesOf(type: ContentType): readonly string[] {
    const known = this.#releases.get(type)
    if (known !== undefined) return known
    const q = (name: string) => this.#dialect.quote(name)
    const texts: string[] = []
    for (const other of this.#registry.values()) {
      for (const attribute of other.attributes.values()) {
        if (attribute.kind !== 'relation') continue
        const { join } = attribute
        if (join.via === 'morphs') {
          texts.push(`DELETE FROM ${q(join.table)} WHERE ${q(join.type)} = ? AND ${this.#dialect.within(q(join.id))}`)
        } else if (join.via === 'morphColumns') {
          const set = `${q('target_id')} = NULL, ${q('target_type')} = NULL`
          const where = `${q('target_type')} = ? AND ${this.#dialect.within(q('target_id'))}`
          texts.push(`UPDATE ${q(other.table)} SET ${set} WHERE ${where}`)
        } else if (join.via === 'column' && attribute.target === type.uid) {
          const column = q(join.column)
          texts.push(`UPDATE ${q(other.table)} SET ${column} = NULL WHERE ${this.#dialect.within(column)}`)
        }
      }
    }
    this.#releases.set(type, texts)
    return texts
  }
}

function groupByType(held: readonly Held[]): Map<string, number[]> {
  const groups = new Map<string, number[]>()
  for (const { uid, id } of held) groups.set(uid, [...(groups.get(uid) ?? []), id])
  return groups
}

/** v4 words both alike, but gives the zone's error another name and no details (B-4.61, B-4.73). */
function unrelated(attribute: ComponentAttribute | ZoneAttribute): PlinthError {
  const message = `Some of the provided components in ${attribute.name} are not related to the entity`
  return attribute.kind === 'zone' ? new PlinthError(400, 'Error', message, null) : new ApplicationError(message)
}
