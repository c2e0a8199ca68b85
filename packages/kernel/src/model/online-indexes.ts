// Checks the attributes of indexes that are made while others read and write: config/database names them, and plugins.

import { InvalidSchemaError, StartError } from '../errors.ts'
import { suggestion } from '../nearest.ts'
import type { Attribute, IndexDefinition, Uid } from './content-type.ts'
import { indexKeysOf } from './index-keys.ts'

/** The indexes that config/database names, by the uid of their type. */
export type ConfiguredIndexes = Readonly<Record<Uid, readonly (readonly string[])[]>>

/** The part of a draft that has indexes. */
interface IndexedDraft {
  readonly uid: Uid
  readonly source: string
  readonly indexes: IndexDefinition[]
}

/** Adds the configured indexes to the drafts of their types. Throws StartError for a type that is not there. */
export function addConfiguredIndexes(drafts: ReadonlyMap<Uid, IndexedDraft>, configured: ConfiguredIndexes): void {
  for (const [uid, lists] of Object.entries(configured)) {
    const draft = drafts.get(uid)
    if (draft === undefined)
      throw new StartError(
        'PLINTH_CONFIG_INVALID',
        `config/database: indexes: there is no content type or component "${uid}"${suggestion(uid, drafts.keys())}`,
      )
    for (const [i, attributes] of lists.entries())
      draft.indexes.push({ attributes, isOnline: true, source: `config/database: indexes["${uid}"][${i}]` })
  }
}

/** Checks an index with `isOnline` on a type. Throws StartError for config/database, otherwise InvalidSchemaError. */
export function checkOnlineIndex(
  draft: IndexedDraft,
  { attributes: names, source }: IndexDefinition,
  attributes: ReadonlyMap<string, Attribute>,
): void {
  const refuse = (fault: string): never => {
    if (source !== undefined) throw new StartError('PLINTH_CONFIG_INVALID', `${source}: ${fault}`)
    throw new InvalidSchemaError(draft.source, '', `the index ${fault}`)
  }
  const keys = indexKeysOf(names)
  const earlierNames = new Set<string>()
  for (const [i, { name, isDescending }] of keys.entries()) {
    if (earlierNames.has(name)) refuse(`names "${name}" twice`)
    earlierNames.add(name)
    const direction = names[i]!.slice(name.length)
    if (!['', ':asc', ':desc'].includes(direction.toLowerCase()))
      refuse(`"${names[i]}" must end in ":asc" or ":desc", or have no ":"`)
    if (name === 'id') {
      if (keys.length === 1) refuse('names the id alone, which has an index')
      continue
    }
    const attribute = attributes.get(name)
    const near = suggestion(name, [...attributes.keys(), 'id'])
    if (attribute === undefined) refuse(`"${name}" is not an attribute of ${draft.uid}${near}`)
    const fault = faultOf(attribute!, { isAlone: keys.length === 1, isDescending })
    if (fault !== null) refuse(`"${name}" ${fault}`)
  }
}

/** Returns why an attribute cannot be in an index, as the end of a sentence; null if it can. */
function faultOf(
  attribute: Attribute,
  { isAlone, isDescending }: { readonly isAlone: boolean; readonly isDescending: boolean },
): string | null {
  switch (attribute.kind) {
    case 'scalar':
      return attribute.scalar.storage === 'json' ? `is of the type "${attribute.type}", which has no order` : null
    case 'component':
      return `is a component, whose values are in the table of ${attribute.component}; name that component instead`
    case 'zone':
      return 'is a dynamic zone, whose values are in the tables of its components; name these instead'
    case 'dormant':
      return `has no column: it is always empty, because ${attribute.why}`
    case 'relation':
      break
  }
  const { storage } = attribute
  if (isDescending) return 'is a relation, which has no order: leave ":desc" out'
  if (storage.kind === 'column') return null
  if (storage.kind === 'links')
    return isAlone ? null : `is a relation, whose links are in the table ${storage.table}: it can only be named alone`
  if (storage.kind === 'inverseColumn')
    return `is a relation whose column is in the table of ${attribute.target}; name its other side there`
  return 'is a polymorphic relation, whose links have the index that they need'
}
