// Converts an entry to input that creates a copy of it: components without their ids, linked entries as ids.

import type { Attribute, ContentType, RelationAttribute } from '../model/content-type.ts'
import type { Registry } from '../model/registry.ts'
import type { Entry } from '../result/rows.ts'

/**
 * Returns a populate of all components of a type, at every depth, and of the relations that `wants` selects, as ids.
 */
export function populateParts(
  registry: Registry,
  type: ContentType,
  wants: (relation: RelationAttribute) => boolean,
  depth = 0,
): Record<string, unknown> {
  const populate: Record<string, unknown> = {}
  // A component may contain itself, so the depth is limited.
  if (depth > 8) return populate
  const below = (uid: string) => ({ populate: populateParts(registry, registry.require(uid), wants, depth + 1) })
  for (const one of type.attributes.values()) {
    if (one.kind === 'component') populate[one.name] = below(one.component)
    else if (one.kind === 'zone')
      populate[one.name] = { on: Object.fromEntries(one.components.map(uid => [uid, below(uid)])) }
    else if (one.kind === 'relation' && wants(one)) populate[one.name] = { fields: ['id'] }
  }
  return populate
}

/**
 * Returns the attributes of an entry as input, or only `names` of them. Secrets are omitted: a hash would be hashed
 * again.
 */
export function toInput(
  registry: Registry,
  type: ContentType,
  entry: Entry,
  names: readonly string[] | null = null,
): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  for (const one of type.attributes.values()) {
    const value = entry[one.name]
    if (value === undefined || one.readonly || (names !== null && !names.includes(one.name))) continue
    if (one.kind === 'scalar' && one.scalar.secret === true) continue
    input[one.name] = Array.isArray(value) && one.kind !== 'scalar' ? value.map(each) : each(value)

    function each(value: unknown): unknown {
      return value === null || one.kind === 'scalar' ? value : memberInput(registry, one, value as Entry)
    }
  }
  return input
}

/** Returns a component without its id, or the id of a linked entry. */
function memberInput(registry: Registry, attribute: Attribute, entry: Entry): unknown {
  switch (attribute.kind) {
    case 'component':
      return toInput(registry, registry.require(attribute.component), entry)
    case 'zone': {
      const uid = String(entry.__component)
      return { __component: uid, ...toInput(registry, registry.require(uid), entry) }
    }
    default:
      return entry.__type === undefined ? entry.id : { id: entry.id, __type: entry.__type }
  }
}
