// The types of parsed input, the state of a parse, its paths, and the functions that record faults.

import type { FieldError } from '../errors.ts'
import type { Completeness } from '../hooks/write.ts'
import type {
  Attribute,
  ComponentAttribute,
  ContentType,
  RelationAttribute,
  ScalarAttribute,
  ZoneAttribute,
} from '../model/content-type.ts'
import { wrongType } from './messages.ts'
import type { RelationChange } from './relation-input.ts'

/** An entry or component with its values in canonical form. It contains only what was sent. */
export interface InputEntry {
  readonly type: ContentType
  /** The id of the entry or component to change; null for a new one. */
  readonly id: number | null
  readonly scalars: Map<ScalarAttribute, unknown>
  readonly relations: { readonly attribute: RelationAttribute; readonly change: RelationChange }[]
  readonly components: { readonly attribute: ComponentAttribute | ZoneAttribute; readonly items: InputEntry[] }[]
}

/** A value, or several values together, that no other row may have. It is checked inside the transaction. */
export interface UniqueCheck {
  readonly place: number
  readonly path: readonly string[]
  readonly type: ContentType
  /** Undefined stands for the stored value, which the write does not change. */
  readonly values: ReadonlyMap<ScalarAttribute, unknown>
  /** The row that may have it. */
  readonly id: number | null
}

/** The result of a parse: the entry, its faults, and the checks that need the database. */
export interface Input {
  readonly entry: InputEntry
  readonly faults: { readonly place: number; readonly error: FieldError }[]
  readonly uniques: readonly UniqueCheck[]
  /** The ids that relations name, by type. They must exist. */
  readonly refs: ReadonlyMap<string, ReadonlySet<number>>
  /** Faults of the entry as a whole, which are reported last, with the paths of the relations that they are about. */
  readonly general: ReadonlyMap<string, readonly string[]>
}

/** The state of one parse. */
export interface Parse {
  readonly completeness: Completeness
  readonly isCreate: boolean
  readonly faults: { readonly place: number; readonly error: FieldError }[]
  readonly uniques: UniqueCheck[]
  /** Unique indexes of several attributes, with the place of the first attribute. */
  readonly groups: { readonly place: number; readonly attributes: readonly ScalarAttribute[] }[]
  readonly refs: Map<string, Set<number>>
  readonly general: Map<string, string[]>
  /** The checks of values whose parsing throws: dates are checked after everything else (B-4.9). */
  readonly deferred: (() => void)[]
  place: number
}

/** The position of a parse: the path, and what is stored there. */
export interface InputPosition {
  readonly path: readonly string[]
  /** True if nothing is stored there: defaults apply, and required attributes must be sent. */
  readonly isNew: boolean
  /** The values stored there, if the whole entry must be complete; null if only sent values are checked. */
  readonly stored: Readonly<Record<string, unknown>> | null
}

/** Returns the path of an attribute's value, or of an item in it. */
export function childPath({ path }: InputPosition, step: string): readonly string[] {
  return path.length === 0 ? [step] : [...path, step]
}

/** Returns a path as messages show it: `links[0].label`. */
export function pathText(path: readonly string[]): string {
  let text = ''
  for (const step of path) text += isIndex(step) ? `[${step}]` : text === '' ? step : `.${step}`
  return text === '' ? 'this' : text
}

/** Every sent value has a path, and few steps begin with a digit. */
function isIndex(step: string): boolean {
  const first = step.charCodeAt(0)
  return first >= 48 && first <= 57 && /^\d+$/.test(step)
}

/** Returns whether it is a fault that the attribute was not sent. */
export function isMissing(parse: Parse, attribute: Attribute, position: InputPosition): boolean {
  if (!attribute.required || parse.completeness !== 'full') return false
  if (position.isNew || position.stored === null) return position.isNew
  const value = position.stored[attribute.name]
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0)
}

/** v4's message for an item of a zone that does not name its component. */
export const noComponent = 'Cannot build relations store from dynamiczone, component identifier is undefined'

/** Records a fault at the current place of the parse. */
export function addFault(parse: Parse, path: readonly string[], message: string): void {
  parse.faults.push({ place: parse.place, error: { path, message, name: 'ValidationError' } })
}

/** Records a fault of the entry as a whole. `path` is the relation that it is about, if it has no fault of its own. */
export function addEntryFault({ general }: Parse, message: string, path?: readonly string[]): void {
  const places = general.get(message) ?? []
  general.set(message, places)
  if (path !== undefined) places.push(path.join('.'))
}

/** Returns the message for null, which depends on the type: numeric types convert it to NaN. */
export function nullMessage(attribute: ScalarAttribute, path: readonly string[]): string {
  const { family } = attribute.scalar
  const at = pathText(path)
  if (family === 'integer' || family === 'number') return wrongType(at, 'number', Number.NaN, null)
  if (family === 'boolean') return wrongType(at, 'boolean', null)
  return wrongType(at, family === 'text' || family === 'enumeration' ? 'string' : 'mixed', null)
}
