// Finds the components that an entry has before an update, and what the update does with each. Read only if a unique
// value is refused otherwise. Changes nothing, and knows no SQL.

import type { Transaction } from '../connection/session.ts'
import type { Attribute, ContentType } from '../model/content-type.ts'
import type { Registry } from '../model/registry.ts'
import type { WriteStatements } from '../sql/writes/statements.ts'
import type { InputEntry } from './parse.ts'

/** The effect of an update on a stored component: the values that it writes there, or that it keeps or deletes it. */
export type Fate = InputEntry | 'kept' | 'deleted'

/** The effects of an update on the stored components of its entry, by type and id. */
export type StoredComponents = ReadonlyMap<ContentType, ReadonlyMap<number, Fate>>

interface Source {
  readonly registry: Registry
  readonly statements: WriteStatements
}

/** A stored row, whose components are to be found. */
interface Owner {
  readonly type: ContentType
  readonly id: number
  readonly fate: Fate
  /** The items that were sent for the row's components, by the name of the attribute, and by type and id. */
  readonly sent: ReadonlyMap<string, ReadonlyMap<string, InputEntry>>
}

/**
 * Reads the components of the entry that `entry` changes, those nested in them included: one statement a type and
 * level.
 */
export async function readStoredComponents(
  tx: Transaction,
  { registry, statements }: Source,
  entry: InputEntry,
): Promise<StoredComponents> {
  const fatesByType = new Map<ContentType, Map<number, Fate>>()
  let level = [ownerOf(entry.type, entry.id!, entry)]
  while (level.length > 0) {
    const next: Owner[] = []
    for (const [type, owners] of byType(level)) {
      if (!type.hasComponents) continue
      const list = statements.dialect.list([...owners.keys()])
      for (const [owner, id, uid, field] of await tx.all(statements.components(type).readFields, [list])) {
        // Components without a schema file stay.
        const component = registry.get(String(uid))
        if (component === undefined) continue
        const fates = fatesByType.get(component) ?? new Map<number, Fate>()
        fatesByType.set(component, fates)
        if (fates.has(Number(id))) continue
        const fate = fateOf(owners.get(Number(owner))!, String(field), component, Number(id))
        fates.set(Number(id), fate)
        next.push(ownerOf(component, Number(id), fate))
      }
    }
    level = next
  }
  return fatesByType
}

function fateOf({ type, fate, sent }: Owner, field: string, component: ContentType, id: number): Fate {
  if (typeof fate === 'string') return fate
  const items = sent.get(field)
  // Components that the attribute does not name any more stay, too.
  if (items === undefined || !namesComponent(type.attributes.get(field)!, component.uid)) return 'kept'
  return items.get(keyOf(component, id)) ?? 'deleted'
}

/** Returns whether an attribute has components of a type. Rows of others are hidden: the schema named them earlier. */
export function namesComponent(attribute: Attribute, uid: string): boolean {
  return attribute.kind === 'zone'
    ? attribute.components.includes(uid)
    : attribute.kind === 'component' && attribute.component === uid
}

function ownerOf(type: ContentType, id: number, fate: Fate): Owner {
  const sent = new Map<string, Map<string, InputEntry>>()
  for (const { attribute, items } of typeof fate === 'string' ? [] : fate.components) {
    const stored = items.filter(one => one.id !== null)
    sent.set(attribute.name, new Map(stored.map(one => [keyOf(one.type, one.id!), one])))
  }
  return { type, id, fate, sent }
}

function keyOf({ uid }: ContentType, id: number): string {
  return `${uid} ${id}`
}

function byType(owners: readonly Owner[]): Map<ContentType, Map<number, Owner>> {
  const types = new Map<ContentType, Map<number, Owner>>()
  for (const owner of owners) {
    const ofType = types.get(owner.type) ?? new Map<number, Owner>()
    types.set(owner.type, ofType.set(owner.id, owner))
  }
  return types
}
