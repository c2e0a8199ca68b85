// Polymorphic relations into rows (B-4.44): both ends of morph tables, and `target_id`/`target_type` columns.

import { inverseOfMorph, type RelationAttribute } from '../model/content-type.ts'
import { type LinkWrite, wantedIds } from './links.ts'
import { arrangeRefs } from './order.ts'
import { lockText } from '../sql/locks.ts'
import { morphLock } from './link-locks.ts'
import type { Ref, RelationChange } from './relation-input.ts'

type Join = RelationAttribute['join']

/** Writes a polymorphic relation's change. */
export async function writeMorph(write: LinkWrite, join: Join, change: RelationChange): Promise<void> {
  switch (join.via) {
    case 'morphColumns':
      return writeMorphColumns(write, change)
    case 'morphs':
      return writeMorphs(write, join, change)
    case 'inverseMorphColumns':
      return writeInverseMorphColumns(write, change)
    case 'inverseMorphs':
      return writeInverseMorphs(write, join, change)
    default:
      throw new Error(`${join.via} is no polymorphic relation`)
  }
}

async function writeMorphColumns(write: LinkWrite, change: RelationChange): Promise<void> {
  const { tx, dialect, type, id } = write
  const q = (name: string) => dialect.quote(name)
  const ref = change.kind === 'set' ? change.refs.at(-1) : change.connect.at(-1)?.ref
  const update = `UPDATE ${q(type.table)} SET ${q('target_id')} = ?, ${q('target_type')} = ? WHERE ${q('id')} = ?`
  if (ref !== undefined || change.kind === 'set') {
    await tx.send(dialect.finish(update), [ref?.id ?? null, ref?.type ?? null, id])
    return
  }
  // Only what is linked lets go (B-4.40).
  const own = `${update} AND ${q('target_id')} = ? AND ${q('target_type')} = ?`
  for (const gone of change.disconnect)
    if (!Number.isNaN(gone.id)) await tx.send(dialect.finish(own), [null, null, id, gone.id, gone.type])
}

/** Which attribute of the target points back; v4 keeps its name in `field`. */
function fieldFor(write: LinkWrite, ref: Ref): string | null {
  return inverseOfMorph(write.type, write.attribute, write.registry.require(ref.type!))
}

async function writeMorphs(
  write: LinkWrite,
  join: Extract<Join, { via: 'morphs' }>,
  change: RelationChange,
): Promise<void> {
  const { tx, dialect, id } = write
  const q = (name: string) => dialect.quote(name)
  const text = `SELECT ${q(join.id)}, ${q(join.type)}, ${q('field')} FROM ${q(join.table)} WHERE ${q(join.owner)} = ? ORDER BY ${q('order')}, ${q('id')}`
  const rows = write.isNew ? [] : await tx.all(dialect.finish(text), [id])
  const stored = await lockStored(
    write,
    rows.map(([one, type, field]) => ({ id: Number(one), type: String(type), field })),
  )
  const current = stored.filter(one => write.registry.get(one.type) !== undefined)
  const wanted = change.kind === 'set' ? change.refs : arrangeRefs(current, change.connect, change.disconnect)
  // Nobody sees links to types that are gone: they stay for the day when these come back.
  const hidden = stored.filter(one => !current.includes(one))
  const links = [
    ...wanted.map(ref => [id, ref.id, ref.type, fieldFor(write, ref)]),
    ...hidden.map(one => [id, one.id, one.type, one.field as string | null]),
  ]
  if (rows.length > 0) await tx.send(dialect.finish(`DELETE FROM ${q(join.table)} WHERE ${q(join.owner)} = ?`), [id])
  const columns = [join.owner, join.id, join.type, 'field', 'order'].map(q).join(', ')
  const insert = dialect.finish(`INSERT INTO ${q(join.table)} (${columns}) VALUES (?, ?, ?, ?, ?)`)
  for (const [i, link] of links.entries()) await tx.send(insert, [...link, i + 1])
}

/**
 * Keeps linked entries from being deleted: their links are written anew, and the deletion would not see those. Gives the links
 * without those whose entries are gone.
 */
async function lockStored<Link extends { readonly id: number; readonly type: string }>(
  { tx, dialect, registry, type: own, attribute }: LinkWrite,
  stored: readonly Link[],
): Promise<readonly Link[]> {
  if (dialect.rowLocks === null || stored.length === 0) return stored
  const types = new Map<string, number[]>()
  for (const { id, type } of stored) types.set(type, [...(types.get(type) ?? []), id])
  const gone = new Set<string>()
  for (const type of [...types.keys()].sort()) {
    const target = registry.get(type)
    if (target === undefined) continue
    const ids = types.get(type)!
    const text = lockText(dialect, target.table, morphLock(own, attribute, target))
    const found = await tx.all(text, [dialect.list(ids)])
    const there = new Set(found.map(([id]) => Number(id)))
    for (const id of ids) if (!there.has(id)) gone.add(`${type} ${id}`)
  }
  return stored.filter(({ id, type }) => !gone.has(`${type} ${id}`))
}

async function writeInverseMorphColumns(write: LinkWrite, change: RelationChange): Promise<void> {
  const { tx, dialect, registry, attribute, type, id } = write
  const q = (name: string) => dialect.quote(name)
  const table = q(registry.require(attribute.target!).table)
  const own = `${q('target_id')} = ? AND ${q('target_type')} = ?`
  const rows = await tx.all(dialect.finish(`SELECT ${q('id')} FROM ${table} WHERE ${own} ORDER BY ${q('id')}`), [
    id,
    type.uid,
  ])
  const wanted = wantedIds(
    write,
    change,
    rows.map(([one]) => Number(one)),
  )
  const clear = `UPDATE ${table} SET ${q('target_id')} = NULL, ${q('target_type')} = NULL WHERE ${own}`
  await tx.send(dialect.finish(clear), [id, type.uid])
  if (wanted.length === 0) return
  const text = `UPDATE ${table} SET ${q('target_id')} = ?, ${q('target_type')} = ? WHERE ${dialect.within(q('id'))}`
  await tx.send(dialect.finish(text), [id, type.uid, dialect.list(wanted)])
}

async function writeInverseMorphs(
  write: LinkWrite,
  join: Extract<Join, { via: 'inverseMorphs' }>,
  change: RelationChange,
): Promise<void> {
  const { tx, dialect, attribute, type, id } = write
  const q = (name: string) => dialect.quote(name)
  const own = `${q(join.id)} = ? AND ${q(join.type)} = ? AND ${q('field')} = ?`
  const values = [id, type.uid, attribute.name]
  const text = `SELECT ${q(join.owner)} FROM ${q(join.table)} WHERE ${own} ORDER BY ${q('order')}, ${q('id')}`
  const rows = await tx.all(dialect.finish(text), values)
  const wanted = wantedIds(
    write,
    change,
    rows.map(([one]) => Number(one)),
  )
  await tx.send(dialect.finish(`DELETE FROM ${q(join.table)} WHERE ${own}`), values)
  const columns = [join.owner, join.id, join.type, 'field', 'order'].map(q).join(', ')
  const insert = dialect.finish(`INSERT INTO ${q(join.table)} (${columns}) VALUES (?, ?, ?, ?, ?)`)
  for (const [i, target] of wanted.entries()) await tx.send(insert, [target, ...values, i + 1])
}
