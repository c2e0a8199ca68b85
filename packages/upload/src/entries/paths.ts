// Paths of files in entries, such as `sections[0].image`: which media attribute a path names, and how files get into
// the data there (B-4.80).

import { type ContentType, isRecord, type Kernel, type RelationAttribute, ValidationError } from '@plinth/kernel'

/** The names and places of a path. */
type Steps = readonly string[]

/** Data of a write, or of a component in it. */
type Data = Record<string, unknown>

type Types = Kernel['contentTypes']

/** Splits a path. Throws ValidationError for one that cannot be a path. */
export function stepsOf(path: string): Steps {
  const steps = path.replace(/\[(\d+)\]/g, '.$1').split('.')
  if (steps.length > 20 || steps.some(one => !/^[A-Za-z0-9_-]+$/.test(one))) throw refused(path, 'is not a path')
  return steps
}

/**
 * Checks that a path may lead to a media attribute. In a zone the data decide, which may arrive later: there it is
 * enough that one of its components has such an attribute. Throws ValidationError.
 */
export function checkPath(types: Types, type: ContentType, path: string): void {
  if (!mayLead(types, type, stepsOf(path))) throw refused(path, `is not a media attribute of ${type.uid}`)
}

function mayLead(types: Types, type: ContentType, [name, ...steps]: Steps): boolean {
  const attribute = name === undefined ? undefined : type.attributes.get(name)
  if (attribute === undefined) return false
  if (attribute.type === 'media') return steps.length === 0
  if (attribute.kind === 'zone')
    return isPlace(steps[0]) && attribute.components.some(uid => mayLead(types, types.require(uid), steps.slice(1)))
  if (attribute.kind !== 'component') return false
  if (!attribute.many) return mayLead(types, types.require(attribute.component), steps)
  return isPlace(steps[0]) && mayLead(types, types.require(attribute.component), steps.slice(1))
}

const isPlace = (step: string | undefined) => step !== undefined && /^\d{1,4}$/.test(step)

/** Files that are to be put in data. */
export interface Placed {
  readonly path: string
  readonly ids: readonly number[]
}

/**
 * Puts files in data, which it changes. `isUpdate`: to a list that the data do not name, they are added. Throws
 * ValidationError if the data have no component at the path: it could not be known which one is meant.
 */
export function putFiles(
  types: Types,
  type: ContentType,
  data: Data,
  { path, ids, isUpdate }: Placed & { readonly isUpdate: boolean },
): void {
  let own = type
  let at = data
  const steps = [...stepsOf(path)]
  for (;;) {
    const name = steps.shift()!
    const attribute = own.attributes.get(name)
    if (attribute?.type === 'media') {
      // A component of an update is written as a whole, as in a creation.
      at[name] = linkValue(attribute as RelationAttribute, at[name], { ids, isUpdate: isUpdate && own === type })
      return
    }
    let value = Object.hasOwn(at, name) ? at[name] : undefined
    if (attribute?.kind === 'zone' || (attribute?.kind === 'component' && attribute.many))
      value = Array.isArray(value) ? value[Number(steps.shift())] : undefined
    if (!isRecord(value)) throw refused(path, 'the data have no component at this path')
    const uid = attribute?.kind === 'component' ? attribute.component : String(value.__component)
    const next = types.get(uid)
    if (next === undefined || !mayLead(types, next, steps)) throw refused(path, `is not a media attribute of ${uid}`)
    own = next
    at = value
  }
}

function linkValue(
  attribute: RelationAttribute,
  sent: unknown,
  { ids, isUpdate }: { readonly ids: readonly number[]; readonly isUpdate: boolean },
): unknown {
  if (!attribute.many) return ids.at(-1)
  const items = ids.map(id => ({ id }))
  if (sent === undefined || sent === null) return isUpdate && sent === undefined ? { connect: items } : ids
  if (Array.isArray(sent)) return [...sent, ...ids]
  if (!isRecord(sent)) return [sent, ...ids]
  if (Array.isArray(sent.set)) return { ...sent, set: [...sent.set, ...items] }
  const isChange = 'connect' in sent || 'disconnect' in sent
  if (!isChange) return [sent, ...ids]
  return { ...sent, connect: [...(Array.isArray(sent.connect) ? sent.connect : []), ...items] }
}

function refused(path: string, fault: string): ValidationError {
  return new ValidationError(`files.${path}: ${fault}`, { path: `files.${path}` })
}
