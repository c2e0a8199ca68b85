// What no model may hold: two things in one place of the database, and names that are past and present at once.

import { InvalidSchemaError } from '../errors.ts'
import type { ContentType, Uid } from './content-type.ts'
import type { TypeDraft } from './draft.ts'

/** Two types in one table or two attributes in one column would read each other's values. */
export function refuseSharedStorage(drafts: Iterable<TypeDraft>, types: ReadonlyMap<Uid, ContentType>): void {
  const tables = new Map<string, TypeDraft>()
  for (const draft of drafts) {
    const other = tables.get(draft.table)
    if (other !== undefined) {
      const fault = `the table "${draft.table}" is taken by ${other.uid}`
      throw new InvalidSchemaError(draft.source, 'collectionName', fault)
    }
    tables.set(draft.table, draft)
    refuseSharedColumns(draft, types.get(draft.uid)!)
  }
}

function refuseSharedColumns(draft: TypeDraft, type: ContentType): void {
  const columns = new Map<string, string>([['id', 'id']])
  for (const attribute of type.attributes.values()) {
    if (attribute.kind !== 'scalar') continue
    const taken = columns.get(attribute.column)
    if (taken !== undefined) {
      const fault = `its column "${attribute.column}" is taken by the attribute "${taken}"`
      throw new InvalidSchemaError(draft.source, `attributes.${attribute.name}`, fault)
    }
    columns.set(attribute.column, attribute.name)
  }
}

/** A type that still exists was not renamed to another one. */
export function refuseLiveNames(drafts: readonly TypeDraft[]): void {
  for (const draft of drafts) {
    for (const name of draft.renamedFrom) {
      const live = drafts.find(other => other !== draft && (other.uid === name || other.table === name))
      if (live === undefined) continue
      const fault = `"${name}" is ${live.uid}, which exists still; a rename's old name must be gone`
      throw new InvalidSchemaError(draft.source, 'renamedFrom', fault)
    }
  }
}
