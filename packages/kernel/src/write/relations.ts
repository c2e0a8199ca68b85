// Writes the change of a relation, by the function for its storage. Knows no SQL.

import type { RelationAttribute } from '../model/content-type.ts'
import { writeInverseKey, writeKey } from './keys.ts'
import { writeLinks } from './links.ts'
import { writeInverseMorphColumns, writeInverseMorphs, writeMorphColumns, writeMorphs } from './morphs.ts'
import type { RelationChange } from './relation-input.ts'
import type { RelatedRow, RelationWrite } from './relation-write.ts'

/** Writes the change of one relation of a row. */
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
