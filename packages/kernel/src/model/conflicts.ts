// Refuses conflicts in a model: two attributes or types with the same storage, and former names that are still in use.

import { InvalidSchemaError } from '../errors.ts'
import type { Attribute, ContentType, Uid } from './content-type.ts'
import type { TypeDraft } from './draft.ts'
import { componentsTable } from './naming.ts'

/** A path in a schema file that requires a table. */
interface Claim {
  readonly draft: TypeDraft
  readonly path: string
  readonly table: string
}

/**
 * Refuses two types in one table and two attributes in one column, which would read each other's values. Some databases
 * treat names that differ only in case as one name, and a model can move to any of them.
 */
export function refuseSharedStorage(drafts: readonly TypeDraft[], types: ReadonlyMap<Uid, ContentType>): void {
  const claims = [
    ...drafts.map(draft => ({ draft, path: 'collectionName', table: draft.table })),
    ...drafts.flatMap(draft => linkClaims(draft, types.get(draft.uid)!)),
  ]
  const tables = new Map<string, Claim>()
  for (const claim of claims) {
    const { draft, path, table } = claim
    const fail = (fault: string): never => {
      throw new InvalidSchemaError(draft.source, path, fault)
    }
    const other = tables.get(table.toLowerCase())
    if (other !== undefined) fail(`the table "${table}" is already used by ${other.draft.uid} (${placeOf(other)})`)
    tables.set(table.toLowerCase(), claim)
  }
  for (const draft of drafts) refuseSharedColumns(draft, types.get(draft.uid)!)
}

function placeOf({ draft, path, table }: Claim): string {
  return `${draft.source}: ${path}${path === 'collectionName' ? ` "${table}"` : ''}`
}

/** The further tables of a type: of its components, and of the relations it owns. */
function linkClaims(draft: TypeDraft, type: ContentType): Claim[] {
  const claims: Claim[] = []
  for (const one of type.attributes.values()) {
    if (one.kind !== 'relation' || !one.owner || (one.storage.kind !== 'links' && one.storage.kind !== 'morphs'))
      continue
    claims.push({ draft, path: `attributes.${one.name}`, table: one.storage.table })
  }
  if (type.hasComponents) claims.push({ draft, path: 'collectionName', table: componentsTable(draft.table) })
  return claims
}

function refuseSharedColumns(draft: TypeDraft, type: ContentType): void {
  const owners = new Map<string, string>([['id', 'id']])
  for (const attribute of type.attributes.values()) {
    for (const column of columnsOf(attribute)) {
      const owner = owners.get(column.toLowerCase())
      if (owner !== undefined) {
        const fault = `its column "${column}" is already used by the attribute "${owner}"`
        throw new InvalidSchemaError(draft.source, `attributes.${attribute.name}`, fault)
      }
      owners.set(column.toLowerCase(), attribute.name)
    }
  }
}

function columnsOf(attribute: Attribute): readonly string[] {
  if (attribute.kind === 'scalar') return [attribute.column]
  if (attribute.kind !== 'relation') return []
  if (attribute.storage.kind === 'column') return [attribute.storage.column]
  return attribute.storage.kind === 'morphColumns' ? ['target_id', 'target_type'] : []
}

/** Refuses a former name that is the uid or table of an existing type. */
export function refuseLiveNames(drafts: readonly TypeDraft[]): void {
  for (const draft of drafts) {
    for (const name of draft.renamedFrom) {
      const live = drafts.find(other => other !== draft && (other.uid === name || other.table === name))
      if (live === undefined) continue
      const fault = `"${name}" still names ${live.uid}; a former name must not be in use`
      throw new InvalidSchemaError(draft.source, 'renamedFrom', fault)
    }
  }
}
