// Changes of relations into rows: link tables, key columns and polymorphic rows. Knows SQL, not what was sent.

import type { ContentType, RelationAttribute } from '../model/content-type.ts'
import type { Registry } from '../model/registry.ts'
import type { Transaction } from '../database/session.ts'
import type { Dialect } from '../sql/dialect.ts'
import { writeMorph } from './morphs.ts'
import { arrange, type Placed, shifts } from './order.ts'
import type { Ref, RelationChange } from './relation-input.ts'

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
}

type LinksJoin = Extract<RelationAttribute['join'], { via: 'links' }>

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
  const { tx, dialect, id, isNew } = write
  const q = (name: string) => dialect.quote(name)
  const current = isNew ? [] : await readLinks(write, join)
  const wanted = wantedIds(
    write,
    change,
    current.map(one => one.id),
  )
  const known = new Set(current.map(one => one.id))
  const kept = new Set(wanted)
  const gone = current.filter(one => !kept.has(one.id)).map(one => one.id)
  if (gone.length > 0) {
    const text = `DELETE FROM ${q(join.table)} WHERE ${q(join.from)} = ? AND ${dialect.within(q(join.to))}`
    await tx.run(dialect.finish(text), [id, dialect.list(gone)])
  }
  const added = wanted.filter(one => !known.has(one))
  if (added.length > 0 && takesTargets(write.attribute)) {
    const text = `DELETE FROM ${q(join.table)} WHERE ${dialect.within(q(join.to))} AND ${q(join.from)} <> ?`
    await tx.run(dialect.finish(text), [dialect.list(added), id])
  }
  if (join.order !== null) {
    const order = q(join.order)
    const text = `UPDATE ${q(join.table)} SET ${order} = COALESCE(${order}, 0) + ${dialect.number} WHERE ${q(join.from)} = ? AND ${dialect.within(q(join.to))}`
    for (const [by, targets] of shifts(wanted, current))
      await tx.run(dialect.finish(text), [by, id, dialect.list(targets)])
  }
  const readsFirst = added.length > 0 && join.inverseOrder !== null && dialect.locksInsertReads
  const last = readsFirst ? await readLastPlaces(write, join, join.inverseOrder!, added) : null
  const rows = wanted.flatMap((target, i) => {
    if (known.has(target)) return []
    const inverse = join.inverseOrder === null ? [] : [last === null ? target : (last.get(target) ?? 0) + 1]
    return [[id, target, ...(join.order === null ? [] : [i + 1]), ...inverse]]
  })
  for (const part of partsOf(rows)) await tx.run(insertText(dialect, join, part.length), part.flat())
}

/** The last place taken among the links of each target. */
async function readLastPlaces(
  { tx, dialect }: LinkWrite,
  { table, to }: LinksJoin,
  inverseOrder: string,
  targets: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const q = (name: string) => dialect.quote(name)
  const last = `SELECT ${q(to)}, MAX(${q(inverseOrder)}) FROM ${q(table)} WHERE ${dialect.within(q(to))} GROUP BY ${q(to)}`
  const rows = await tx.all(dialect.finish(last), [dialect.list(targets)])
  return new Map(rows.map(([target, place]) => [Number(target), Number(place ?? 0)]))
}

/** So many rows in one INSERT, at most: their numbers are powers of two, so that a few texts serve all. */
const mostRows = 32

function partsOf<T>(rows: readonly T[]): T[][] {
  const parts: T[][] = []
  for (let start = 0; start < rows.length; ) {
    const size = 2 ** Math.floor(Math.log2(Math.min(mostRows, rows.length - start)))
    parts.push(rows.slice(start, start + size))
    start += size
  }
  return parts
}

/** Linking takes the target from its former owner (B-4.41). */
function takesTargets(attribute: RelationAttribute): boolean {
  return attribute.bidirectional && attribute.relation.startsWith('oneTo')
}

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

/** New links go behind the others of their targets: their places are read by the INSERT itself unless that would lock them. */
function makeInsertText(dialect: Dialect, join: LinksJoin, rows: number): string {
  const q = (name: string) => dialect.quote(name)
  const { from, to, order, inverseOrder } = join
  const columns = [from, to, order, inverseOrder].filter(name => name !== null)
  const places = columns.map(() => '?')
  if (inverseOrder !== null && !dialect.locksInsertReads) {
    const next = `SELECT COALESCE(MAX(x.${q(inverseOrder)}), 0) + 1 FROM ${q(join.table)} x WHERE x.${q(to)} = ?`
    places[places.length - 1] = `(${next})`
  }
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
    await tx.run(dialect.finish(text), [target, id])
  }
  await tx.run(dialect.finish(`UPDATE ${table} SET ${dialect.quote(column)} = ? WHERE ${dialect.quote('id')} = ?`), [
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
  await tx.run(dialect.finish(`UPDATE ${table} SET ${q(column)} = NULL WHERE ${q(column)} = ?`), [id])
  if (wanted.length === 0) return
  const text = `UPDATE ${table} SET ${q(column)} = ? WHERE ${dialect.within(q('id'))}`
  await tx.run(dialect.finish(text), [id, dialect.list(wanted)])
}

/** How many of the named ids of each type do not exist (B-4.36); types of which all exist are left out. */
export async function countMissing(
  tx: Transaction,
  dialect: Dialect,
  registry: Registry,
  refs: ReadonlyMap<string, ReadonlySet<number>>,
): Promise<ReadonlyMap<string, number>> {
  const sound = [...refs].map(([uid, ids]) => ({ uid, ids: [...ids].filter(id => !Number.isNaN(id)) }))
  const asked = sound.filter(({ ids }) => ids.length > 0)
  const q = dialect.quote('id')
  const counts = asked.map(
    ({ uid }) => `(SELECT COUNT(*) FROM ${dialect.quote(registry.require(uid).table)} WHERE ${dialect.within(q)})`,
  )
  const [found = []] =
    asked.length === 0
      ? []
      : await tx.all(
          dialect.finish(`SELECT ${counts.join(', ')}`),
          asked.map(({ ids }) => dialect.list(ids)),
        )
  const missing = new Map([...refs].map(([uid, ids]) => [uid, ids.size]))
  for (const [i, { uid }] of asked.entries()) missing.set(uid, refs.get(uid)!.size - Number(found[i]))
  return new Map([...missing].filter(([, count]) => count > 0))
}

/** The refs a change names. */
export function refsOf(change: RelationChange): readonly Ref[] {
  return change.kind === 'set' ? change.refs : change.connect.map(one => one.ref)
}
