// Writes changes of relations to link tables: removes links, inserts links, and updates their places. Knows no SQL.

import { batchesOf } from '../connection/batches.ts'
import { type LinkTable, type RelationAttribute, takesTargets } from '../model/content-type.ts'
import type { LinkStatements } from '../sql/writes/links.ts'
import { type PlacedLink, shifts, wantedIds } from './order.ts'
import type { RelationChange } from './relation-input.ts'
import type { RelatedRow, RelationWrite } from './relation-write.ts'

interface LinkChange {
  readonly attribute: RelationAttribute
  readonly table: LinkTable
  readonly change: RelationChange
}

/** The maximum number of rows of one statement. */
const maxRows = 32

/** Writes the change of a relation with a link table. */
export async function writeLinks(write: RelationWrite, row: RelatedRow, link: LinkChange): Promise<void> {
  const { tx, tools, lastPlaces } = write
  const { attribute, table, change } = link
  const { dialect } = tools.statements
  const { id, isNew } = row
  const links = tools.statements.links(table)
  const isListed = !isNew && table.order !== null && attribute.bidirectional
  const fraction = isListed ? tools.numbers.registerList(tx, table, id) : 0
  const current = isNew ? [] : await readLinks(write, links, id)
  const targetIds = wantedIds(
    attribute,
    change,
    current.map(one => one.id),
  )
  const linked = new Set(current.map(one => one.id))
  if (current.length > 0) {
    const keptIds = new Set(targetIds)
    const removedIds = current.filter(one => !keptIds.has(one.id)).map(one => one.id)
    if (removedIds.length > 0) await tx.enqueue(links.remove, [id, dialect.list(removedIds)])
  }
  const added = targetIds.filter(one => !linked.has(one))
  if (added.length > 0 && takesTargets(attribute)) await tx.enqueue(links.take, [dialect.list(added), id])
  if (links.shift !== null && current.length > 0) {
    for (const [by, targets] of shifts(targetIds, current, fraction))
      await tx.enqueue(links.shift, [by, id, dialect.list(targets)])
  }
  const isNumbered = added.length > 0 && table.inverseOrder !== null
  const last = isNumbered ? (lastPlaces?.of(table) ?? (await readLastPlaces(write, table, added))) : null
  const rows: number[][] = []
  for (const [i, target] of targetIds.entries()) {
    if (linked.has(target)) continue
    const values = [id, target]
    if (table.order !== null) values.push(i + 1 + fraction)
    if (table.inverseOrder !== null)
      values.push(tools.numbers.nextLink(tx, table, { target, from: id, last: last!.get(target) ?? 0 }))
    rows.push(values)
  }
  for (const batch of batchesOf(rows, maxRows)) await tx.enqueue(links.insert(batch.length), batch.flat())
}

async function readLastPlaces(
  { tx, tools }: RelationWrite,
  table: LinkTable,
  targets: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const { statements, numbers } = tools
  numbers.registerLinks(tx, table, targets)
  const places = new Map<number, number>()
  for (const batch of batchesOf(targets, maxRows)) {
    const [row = []] = await tx.all(statements.links(table).lastPlaces(batch.length), batch)
    for (const [i, target] of batch.entries()) places.set(target, Number(row[i] ?? 0))
  }
  return places
}

async function readLinks({ tx }: RelationWrite, { read }: LinkStatements, id: number): Promise<PlacedLink[]> {
  const rows = await tx.all(read, [id])
  return rows.map(([target, place]) => ({ id: Number(target), order: place === null ? null : Number(place) }))
}
