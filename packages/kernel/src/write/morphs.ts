// Writes changes of polymorphic relations (B-4.44), from both sides: in morph tables, and in the columns target_id and
// target_type. Knows no SQL.

import { inverseOfMorph, type MorphTable, type RelationAttribute } from '../model/content-type.ts'
import { arrangeRefs, wantedIds } from './order.ts'
import type { RelationChange } from './relation-input.ts'
import type { RelatedRow, RelationWrite } from './relation-write.ts'
import { morphLock } from './row-locks.ts'

interface MorphColumnChange {
  readonly attribute: RelationAttribute
  readonly change: RelationChange
}

interface MorphChange extends MorphColumnChange {
  readonly table: MorphTable
}

/** Writes a relation whose columns are in the table of the row. */
export async function writeMorphColumns(
  { tx, tools }: RelationWrite,
  { type, id }: RelatedRow,
  change: RelationChange,
): Promise<void> {
  const statements = tools.statements.morphColumns(type.table)
  const ref = change.kind === 'set' ? change.refs.at(-1) : change.connect.at(-1)?.ref
  if (ref !== undefined || change.kind === 'set') {
    await tx.enqueue(statements.link, [ref?.id ?? null, ref?.type ?? null, id])
    return
  }
  // Only an entry that is linked is disconnected (B-4.40).
  for (const gone of change.disconnect)
    if (!Number.isNaN(gone.id)) await tx.enqueue(statements.relink, [null, null, id, gone.id, gone.type])
}

/** Writes a relation of the row that may link to any type. */
export async function writeMorphs(
  write: RelationWrite,
  { type, id, isNew }: RelatedRow,
  { attribute, table, change }: MorphChange,
): Promise<void> {
  const { tx, tools } = write
  const { registry } = tools
  const statements = tools.statements.morphs(table)
  const rows = isNew ? [] : await tx.all(statements.read, [id])
  const links = rows.map(([one, kind, field]) => ({ id: Number(one), type: String(kind), field }))
  const stored =
    links.length === 0 ? links : await tools.locks.lockStored(tx, links, to => morphLock(type, attribute, to))
  const current = stored.filter(one => registry.get(one.type) !== undefined)
  const refs = change.kind === 'set' ? change.refs : arrangeRefs(current, change)
  // Links to types that no longer exist are hidden. They are kept, because the types may be added again.
  const hidden = stored.filter(one => !current.includes(one))
  // As in v4, `field` is the name of the inverse attribute.
  const fieldIn = (uid: string) => inverseOfMorph(type, attribute, registry.require(uid))
  if (rows.length > 0) await tx.enqueue(statements.remove, [id])
  let place = 0
  for (const ref of refs) await tx.enqueue(statements.insert, [id, ref.id, ref.type, fieldIn(ref.type!), ++place])
  for (const one of hidden)
    await tx.enqueue(statements.insert, [id, one.id, one.type, one.field as string | null, ++place])
}

/** Writes a relation whose columns are in the table of the targets. */
export async function writeInverseMorphColumns(
  { tx, tools }: RelationWrite,
  { type, id }: RelatedRow,
  { attribute, change }: MorphColumnChange,
): Promise<void> {
  const statements = tools.statements.morphColumns(tools.registry.require(attribute.target!).table)
  const rows = await tx.all(statements.readInverse, [id, type.uid])
  const current = rows.map(([one]) => Number(one))
  const targetIds = wantedIds(attribute, change, current)
  await tx.enqueue(statements.clear, [id, type.uid])
  if (targetIds.length > 0)
    await tx.enqueue(statements.linkInverse, [id, type.uid, tools.statements.dialect.list(targetIds)])
}

/** Writes the inverse side of a relation of the targets that may link to any type. */
export async function writeInverseMorphs(
  { tx, tools }: RelationWrite,
  { type, id }: RelatedRow,
  { attribute, table, change }: MorphChange,
): Promise<void> {
  const statements = tools.statements.morphs(table)
  const values = [id, type.uid, attribute.name]
  const rows = await tx.all(statements.readInverse, values)
  const current = rows.map(([one]) => Number(one))
  const targetIds = wantedIds(attribute, change, current)
  await tx.enqueue(statements.removeInverse, values)
  for (const [i, target] of targetIds.entries()) await tx.enqueue(statements.insert, [target, ...values, i + 1])
}
