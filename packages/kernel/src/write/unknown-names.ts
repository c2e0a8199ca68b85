// Finds names in sent data that no attribute has. v4 ignores them, and so does a write. Knows no transport.

import type { ContentType } from '../model/content-type.ts'
import type { Registry } from '../model/registry.ts'
import { nearest } from '../nearest.ts'
import { isRecord } from '../record.ts'

/** A name in sent data that means nothing. */
export interface UnknownName {
  readonly name: string
  /** The place of the object that has it, from the root of the entry; empty for the entry itself. */
  readonly path: readonly string[]
  /** The attribute that was probably meant; null if none is near. */
  readonly near: string | null
}

/** Names that are not attributes and are read all the same; the last one is of the forms of v4's panel. */
const reservedNames = new Set(['id', '__component', '__temp_key__'])

/** The model, and the attributes of the entry itself that must not be named to the caller. */
export interface NameSearch {
  readonly registry: Pick<Registry, 'get'>
  readonly hidden?: ReadonlySet<string> | undefined
}

/** The names in the data of an entry, also in its components, that no attribute has. Never names private attributes. */
export function findUnknownNames(search: NameSearch, type: ContentType, data: unknown): readonly UnknownName[] {
  const unknownNames: UnknownName[] = []
  find({ search, unknownNames }, type, data, [])
  return unknownNames
}

interface Walk {
  readonly search: NameSearch
  readonly unknownNames: UnknownName[]
}

function find(walk: Walk, type: ContentType, data: unknown, path: readonly string[]): void {
  if (!isRecord(data)) return
  for (const [name, value] of Object.entries(data)) {
    const attribute = type.attributes.get(name)
    if (attribute === undefined) {
      if (!reservedNames.has(name)) walk.unknownNames.push({ name, path, near: nearestIn(walk.search, type, name) })
    } else if (attribute.kind === 'component' || attribute.kind === 'zone') {
      const isList = Array.isArray(value)
      for (const [i, item] of (isList ? value : [value]).entries()) {
        const uid = attribute.kind === 'component' ? attribute.component : isRecord(item) ? item.__component : undefined
        const inner = typeof uid === 'string' ? walk.search.registry.get(uid) : undefined
        if (inner !== undefined) find(walk, inner, item, isList ? [...path, name, String(i)] : [...path, name])
      }
    }
  }
}

function nearestIn({ hidden }: NameSearch, { kind, attributes }: ContentType, name: string): string | null {
  const isHidden = (one: string) => kind !== 'component' && hidden?.has(one) === true
  const names = [...attributes.values()].flatMap(one => (one.private || isHidden(one.name) ? [] : one.name))
  return nearest(name, names)
}
