// What sent data becomes, the state of the parse that makes it, and how faults are noted.

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
import { pathText, wrongType } from './messages.ts'
import type { RelationChange } from './relation-input.ts'

/** An entry or component with its values in canonical form. Only what was sent is in it. */
export interface InputEntry {
  readonly type: ContentType
  /** Id of the component to change; null makes a new one. */
  readonly id: number | null
  readonly scalars: Map<ScalarAttribute, unknown>
  readonly relations: { readonly attribute: RelationAttribute; readonly change: RelationChange }[]
  readonly components: { readonly attribute: ComponentAttribute | ZoneAttribute; readonly items: InputEntry[] }[]
}

/** What no other row may have, one value or several together; looked up inside the transaction. */
export interface UniqueCheck {
  readonly place: number
  readonly path: readonly string[]
  readonly type: ContentType
  /** What is undefined is the stored row's, which the write leaves as it is. */
  readonly values: ReadonlyMap<ScalarAttribute, unknown>
  /** The row that may have it. */
  readonly id: number | null
}

/** What a parse gives: the entry, its faults, and what the database must be asked before the entry is written. */
export interface Input {
  readonly entry: InputEntry
  readonly faults: { readonly place: number; readonly error: FieldError }[]
  readonly uniques: readonly UniqueCheck[]
  /** Ids named by relations, by type: they must exist. */
  readonly refs: ReadonlyMap<string, ReadonlySet<number>>
  /** Faults about the entry as a whole, after all others, with the relations that they are about. */
  readonly general: ReadonlyMap<string, readonly string[]>
}

/** One parse: what was found so far. */
export interface Parse {
  readonly completeness: Completeness
  readonly isCreate: boolean
  readonly faults: { readonly place: number; readonly error: FieldError }[]
  readonly uniques: UniqueCheck[]
  /** Unique indexes of several attributes, noted where the first of them stands. */
  readonly groups: { readonly place: number; readonly attributes: readonly ScalarAttribute[] }[]
  readonly refs: Map<string, Set<number>>
  readonly general: Map<string, string[]>
  /** Values whose parsing throws: dates are judged after everything else (B-4.9). */
  readonly deferred: (() => void)[]
  place: number
}

/** Where the parse is: below which path, and what stands there already. */
export interface Spot {
  readonly path: readonly string[]
  /** Nothing stands there: defaults apply, and what is required must be sent. */
  readonly isNew: boolean
  /** What stands there, where the whole must be complete; null where only what is sent is judged. */
  readonly stored: Readonly<Record<string, unknown>> | null
}

/** The spot of an attribute's value or of an item in it. */
export function below({ path }: Spot, step: string): readonly string[] {
  return path.length === 0 ? [step] : [...path, step]
}

/** Is absence a fault? */
export function lacks(parse: Parse, attribute: Attribute, spot: Spot): boolean {
  if (!attribute.required || parse.completeness !== 'full') return false
  if (spot.isNew || spot.stored === null) return spot.isNew
  const value = spot.stored[attribute.name]
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0)
}

/** v4's words for a zone's item without a name. */
export const noComponent = 'Cannot build relations store from dynamiczone, component identifier is undefined'

export function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** Notes a fault at the place reached. */
export function fault(parse: Parse, path: readonly string[], message: string): void {
  parse.faults.push({ place: parse.place, error: { path, message, name: 'ValidationError' } })
}

/** Notes a fault about the entry as a whole; `path`: the relation it is about, if there is no fault for its place. */
export function generalFault({ general }: Parse, message: string, path?: readonly string[]): void {
  const places = general.get(message) ?? []
  general.set(message, places)
  if (path !== undefined) places.push(path.join('.'))
}

/** What null is called depends on the type: numbers read it as no number. */
export function nullMessage(attribute: ScalarAttribute, path: readonly string[]): string {
  const { family } = attribute.scalar
  const at = pathText(path)
  if (family === 'integer' || family === 'number') return wrongType(at, 'number', Number.NaN, null)
  if (family === 'boolean') return wrongType(at, 'boolean', null)
  return wrongType(at, family === 'text' || family === 'enumeration' ? 'string' : 'mixed', null)
}
