// Writes changes of relations that are stored in a column of one of their two tables. Knows no SQL.

import { type RelationAttribute, takesTargets } from '../model/content-type.ts'
import { wantedIds } from './order.ts'
import type { RelationChange } from './relation-input.ts'
import type { RelatedRow, RelationWrite } from './relation-write.ts'

interface KeyChange {
  readonly attribute: RelationAttribute
  readonly column: string
  readonly change: RelationChange
}

/** Writes a relation whose column is in the table of the row. */
export async function writeKey({ tx, tools }: RelationWrite, row: RelatedRow, key: KeyChange): Promise<void> {
  const { attribute, column, change } = key
  const statements = tools.statements.keys(attribute, row.type.table, column)
  const [stored] = await tx.all(statements.read, [row.id])
  const current = stored?.[0] === null || stored?.[0] === undefined ? [] : [Number(stored[0])]
  const [target = null] = wantedIds(attribute, change, current)
  if (target !== null && takesTargets(attribute)) await tx.enqueue(statements.take, [target, row.id])
  await tx.enqueue(statements.link, [target, row.id])
}

/** Writes a relation whose column is in the table of the targets. */
export async function writeInverseKey({ tx, tools }: RelationWrite, row: RelatedRow, key: KeyChange): Promise<void> {
  const { attribute, column, change } = key
  const { table } = tools.registry.require(attribute.target!)
  const statements = tools.statements.keys(attribute, table, column)
  const rows = await tx.all(statements.readInverse, [row.id])
  const current = rows.map(([one]) => Number(one))
  const targetIds = wantedIds(attribute, change, current)
  await tx.enqueue(statements.clear, [row.id])
  if (targetIds.length > 0) await tx.enqueue(statements.linkInverse, [row.id, tools.statements.dialect.list(targetIds)])
}
