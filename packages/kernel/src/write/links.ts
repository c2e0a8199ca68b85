// Changes of relations into rows: link tables, key columns and polymorphic rows. Knows SQL, not what was sent.

import { batchesOf } from '../database/batches.ts'
import { type ContentType, type RelationAttribute, takesTargets } from '../model/content-type.ts'
import type { Registry } from '../model/registry.ts'
import type { Transaction } from '../database/session.ts'
import type { Dialect } from '../sql/dialect.ts'
import { writeMorph } from './morphs.ts'
import { arrange, type Placed, shifts } from './order.ts'
import type { PlaceNumbers } from './place-numbers.ts'
import type { RelationChange } from './relation-input.ts'

/** Where a change is written. */
export interface LinkWrite {
  readonly tx: Transaction
  readonly dialect: Dialect
  readonly registry: Registry
  readonly type: ContentType
  readonly attribute: RelationAttribute
  /** The entry whose relation changes. */
  readonly id: number
  /** Nothing is linked yet. */
  readonly isNew: boolean
  readonly numbers: PlaceNumbers
  /** What was asked ahead. */
  readonly places?: Places
}

export type LinksJoin = Extract<RelationAttribute['join'], { via: 'links' }>

/** The last place taken among the links of each target, by relation. */
export type Places = ReadonlyMap<LinksJoin, ReadonlyMap<number, number>>

/** Writes one relation's change. */
export async function writeRelation(write: LinkWrite, change: RelationChange): Promise<void> {
  const { join } = write.attribute
  switch (join.via) {
    case 'links':
      return writeLinks(write, join, change)
    case 'column':
      return writeColumn(write, join.column, change)
    case 'inverseColumn':
      return writeInverseColumn(write, join.column, change)
    default:
      return writeMorph(write, join, change)
  }
}

/** The ids linked after the change. To one, the last wins (B-4.34). */
export function wantedIds(write: LinkWrite, change: RelationChange, current: readonly number[]): number[] {
  const ids =
    change.kind === 'set'
      ? change.refs.map(ref => ref.id)
      : arrange(current, change.connect, new Set(change.disconnect.map(ref => ref.id)))
  if (write.attribute.many) return ids
  const last = change.kind === 'patch' && change.connect.length > 0 ? change.connect.at(-1)!.ref.id : ids.at(-1)
  return last === undefined ? [] : [last]
}

async function writeLinks(write: LinkWrite, join: LinksJoin, change: RelationChange): Promise<void> {
  const { tx, dialect, isNew } = write
  const isShared = dialect.rowLocks !== null && !isNew && join.order !== null && write.attribute.bidirectional
  const fraction = isShared ? write.numbers.registerList(tx, join, write.id) : 0
  const current = isNew ? [] : await readLinks(write, join)
  const wanted = wantedIds(
    write,
    change,
    current.map(one => one.id),
  )
  const known = new Set(current.map(one => one.id))
  if (current.length > 0) await dropLinks(write, join, wanted, current)
  const added = wanted.filter(one => !known.has(one))
  if (added.length > 0 && takesTargets(write.attribute)) await takeTargets(write, join, added)
  if (join.order !== null && current.length > 0) await shiftLinks(write, join, shifts(wanted, current, fraction))
  const isNumbered = added.length > 0 && join.inverseOrder !== null
  const last = isNumbered ? (write.places?.get(join) ?? (await readLastPlaces(write, join, added))) : null
  const rows: number[][] = []
  for (const [i, target] of wanted.entries()) {
    if (known.has(target)) continue
    const row = [write.id, target]
    if (join.order !== null) row.push(i + 1 + fraction)
    if (join.inverseOrder !== null) {
      const link = { target, from: write.id, last: last!.get(target) ?? 0 }
      row.push(write.numbers.nextLink(tx, join, link))
    }
    rows.push(row)
  }
  for (const batch of batchesOf(rows, mostRows)) await tx.send(insertText(dialect, join, batch.length), batch.flat())
}

/** Removes links that are not wanted any more. */
async function dropLinks(
  { tx, dialect, id }: LinkWrite,
  join: LinksJoin,
  wanted: readonly number[],
  current: readonly Placed[],
): Promise<void> {
  const kept = new Set(wanted)
  const gone = current.filter(one => !kept.has(one.id)).map(one => one.id)
  if (gone.length === 0) return
  const q = (name: string) => dialect.quote(name)
  const text = `DELETE FROM ${q(join.table)} WHERE ${q(join.from)} = ? AND ${dialect.within(q(join.to))}`
  await tx.send(dialect.finish(text), [id, dialect.list(gone)])
}

/** Takes targets from their former owners. */
async function takeTargets({ tx, dialect, id }: LinkWrite, join: LinksJoin, added: readonly number[]): Promise<void> {
  const q = (name: string) => dialect.quote(name)
  const text = `DELETE FROM ${q(join.table)} WHERE ${dialect.within(q(join.to))} AND ${q(join.from)} <> ?`
  await tx.send(dialect.finish(text), [dialect.list(added), id])
}

/** Moves links that stay to their new places. */
async function shiftLinks(
  { tx, dialect, id }: LinkWrite,
  join: LinksJoin,
  moved: ReadonlyMap<number, readonly number[]>,
): Promise<void> {
  const q = (name: string) => dialect.quote(name)
  const order = q(join.order!)
  const text = `UPDATE ${q(join.table)} SET ${order} = FLOOR(COALESCE(${order}, 0)) + ${dialect.number} WHERE ${q(join.from)} = ? AND ${dialect.within(q(join.to))}`
  for (const [by, targets] of moved) await tx.send(dialect.finish(text), [by, id, dialect.list(targets)])
}

/**
 * Asks for the last place of one target. A question for each: the index answers those in one step, where a grouped one is at
 * times answered from all links.
 */
export function lastPlaceText(dialect: Dialect, { table, to, inverseOrder }: LinksJoin): string {
  return `(SELECT MAX(${dialect.quote(inverseOrder!)}) FROM ${dialect.quote(table)} WHERE ${dialect.quote(to)} = ?)`
}

async function readLastPlaces(
  { tx, dialect, numbers }: LinkWrite,
  join: LinksJoin,
  targets: readonly number[],
): Promise<Map<number, number>> {
  if (dialect.rowLocks !== null) numbers.registerLinks(tx, join, targets)
  const places = new Map<number, number>()
  for (const part of batchesOf(targets, mostRows)) {
    const text = `SELECT ${Array(part.length).fill(lastPlaceText(dialect, join)).join(', ')}`
    const [row = []] = await tx.all(dialect.finish(text), part)
    for (const [i, target] of part.entries()) places.set(target, Number(row[i] ?? 0))
  }
  return places
}

/** Most rows of one statement. */
const mostRows = 32

async function readLinks(write: LinkWrite, join: LinksJoin): Promise<Placed[]> {
  const { tx, dialect, id } = write
  const q = (name: string) => dialect.quote(name)
  const order = join.order === null ? 'NULL' : q(join.order)
  const by = join.order === null ? q('id') : `${q(join.order)}, ${q('id')}`
  const text = `SELECT ${q(join.to)}, ${order} FROM ${q(join.table)} WHERE ${q(join.from)} = ? ORDER BY ${by}`
  const rows = await tx.all(dialect.finish(text), [id])
  return rows.map(([target, place]) => ({ id: Number(target), order: place === null ? null : Number(place) }))
}

function insertText(dialect: Dialect, join: LinksJoin, rows: number): string {
  const known = insertTexts.get(join) ?? []
  insertTexts.set(join, known)
  known[rows] ??= makeInsertText(dialect, join, rows)
  return known[rows]
}

/** By number of rows; a join belongs to one model, and that to one database. */
const insertTexts = new WeakMap<LinksJoin, string[]>()

function makeInsertText(dialect: Dialect, join: LinksJoin, rows: number): string {
  const q = (name: string) => dialect.quote(name)
  const { from, to, order, inverseOrder } = join
  const columns = [from, to, order, inverseOrder].filter(name => name !== null)
  const places = columns.map(() => '?')
  const values = Array(rows)
    .fill(`(${places.join(', ')})`)
    .join(', ')
  return dialect.finish(`INSERT INTO ${q(join.table)} (${columns.map(q).join(', ')}) VALUES ${values}`)
}

async function writeColumn(write: LinkWrite, column: string, change: RelationChange): Promise<void> {
  const { tx, dialect, type, attribute, id } = write
  const table = dialect.quote(type.table)
  const [row] = await tx.all(
    dialect.finish(`SELECT ${dialect.quote(column)} FROM ${table} WHERE ${dialect.quote('id')} = ?`),
    [id],
  )
  const current = row?.[0] === null || row?.[0] === undefined ? [] : [Number(row[0])]
  const [target = null] = wantedIds(write, change, current)
  if (target !== null && takesTargets(attribute)) {
    const text = `UPDATE ${table} SET ${dialect.quote(column)} = NULL WHERE ${dialect.quote(column)} = ? AND ${dialect.quote('id')} <> ?`
    await tx.send(dialect.finish(text), [target, id])
  }
  await tx.send(dialect.finish(`UPDATE ${table} SET ${dialect.quote(column)} = ? WHERE ${dialect.quote('id')} = ?`), [
    target,
    id,
  ])
}

async function writeInverseColumn(write: LinkWrite, column: string, change: RelationChange): Promise<void> {
  const { tx, dialect, registry, attribute, id } = write
  const q = (name: string) => dialect.quote(name)
  const table = q(registry.require(attribute.target!).table)
  const rows = await tx.all(
    dialect.finish(`SELECT ${q('id')} FROM ${table} WHERE ${q(column)} = ? ORDER BY ${q('id')}`),
    [id],
  )
  const wanted = wantedIds(
    write,
    change,
    rows.map(([one]) => Number(one)),
  )
  await tx.send(dialect.finish(`UPDATE ${table} SET ${q(column)} = NULL WHERE ${q(column)} = ?`), [id])
  if (wanted.length === 0) return
  const text = `UPDATE ${table} SET ${q(column)} = ? WHERE ${dialect.within(q('id'))}`
  await tx.send(dialect.finish(text), [id, dialect.list(wanted)])
}
