// What a client may send for a relation, and what it means: replace all links, or change some (B-4.30 to B-4.39, B-4.44).

import type { RelationAttribute, Uid } from '../model/content-type.ts'
import { parseId } from './ids.ts'

/** A linked entry; `type` only where the relation may point at any type. */
export interface Ref {
  readonly id: number
  readonly type: Uid | null
}

/**
 * Where a connected entry goes among the others (B-4.33). `__type`: of the neighbour, where it may be of any; of the connected
 * entry's own type where it is not said.
 */
export type Position =
  | { readonly before: number; readonly __type?: Uid }
  | { readonly after: number; readonly __type?: Uid }
  | 'start'
  | 'end'

/** A change of one relation. */
export type RelationChange =
  | { readonly kind: 'set'; readonly refs: readonly Ref[] }
  | {
      readonly kind: 'patch'
      readonly connect: readonly { readonly ref: Ref; readonly position: Position }[]
      readonly disconnect: readonly Ref[]
    }

/** Thrown inside this file's callers as `Invalid relations` (B-4.37). */
export class InvalidRelations extends Error {}

/** The change a value asks for; null where it asks for none (`{}`, `{"set":null}`). Throws InvalidRelations. */
export function parseRelation(attribute: RelationAttribute, value: unknown): RelationChange | null {
  if (value === null) return { kind: 'set', refs: [] }
  if (typeof value === 'boolean') {
    // A yes or no names no entry; v4 accepts it and links nothing, but not where an entry of any type may be linked.
    if (isMorph(attribute)) throw new InvalidRelations()
    return null
  }
  if (Array.isArray(value)) return { kind: 'set', refs: unique(value.map(one => toRef(attribute, one))) }
  if (typeof value !== 'object') return { kind: 'set', refs: [toRef(attribute, value)] }
  const { set, connect, disconnect, id } = value as Record<string, unknown>
  if (set !== undefined && set !== null) {
    if (!Array.isArray(set)) throw new InvalidRelations()
    return { kind: 'set', refs: unique(set.map(one => toRef(attribute, one))) }
  }
  if (connect !== undefined || disconnect !== undefined) {
    const connected = toItems(connect).map(one => ({ ref: toRef(attribute, one), position: toPosition(one) }))
    return { kind: 'patch', connect: connected, disconnect: toItems(disconnect).map(one => toRef(attribute, one)) }
  }
  const isNothing = id === undefined && (attribute.target !== null || typeOf(value) === undefined)
  return isNothing ? null : { kind: 'set', refs: [toRef(attribute, value)] }
}

function isMorph({ type, relation }: RelationAttribute): boolean {
  return type === 'relation' && relation.startsWith('morph')
}

/** The type that an item names (B-4.44). */
function typeOf(value: unknown): unknown {
  const { __type, type } = (value ?? {}) as Record<string, unknown>
  return __type ?? type
}

function toItems(value: unknown): unknown[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw new InvalidRelations()
  return value
}

/** Ids that cannot be are kept as NaN: they are counted among the entries that do not exist (B-4.36). */
function toRef(attribute: RelationAttribute, value: unknown): Ref {
  const isObject = value !== null && typeof value === 'object'
  const given = isObject ? (value as { id?: unknown }).id : value
  if (given === undefined || given === null || typeof given === 'object' || typeof given === 'boolean')
    throw new InvalidRelations()
  const id = parseId(given)
  if (attribute.target !== null) return { id, type: null }
  const type = typeOf(value)
  if (typeof type !== 'string') throw new InvalidRelations()
  return { id, type }
}

function toPosition(value: unknown): Position {
  const position = (value as { position?: Record<string, unknown> } | null)?.position
  if (position === undefined || position === null) return 'end'
  if (typeof position !== 'object') throw new InvalidRelations()
  if (position.start === true) return 'start'
  if (position.before !== undefined) return { before: neighbour(position.before), ...neighbourType(position) }
  if (position.after !== undefined) return { after: neighbour(position.after), ...neighbourType(position) }
  return 'end'
}

/** An id, or an entry that says its type. Numbers that are ids of nothing are kept: the refusal names them. */
function neighbour(given: unknown): number {
  const id = given !== null && typeof given === 'object' ? (given as { id?: unknown }).id : given
  return typeof id === 'number' || typeof id === 'string' ? Number(id) : Number.NaN
}

function neighbourType(position: Record<string, unknown>): { __type?: Uid } {
  const type = typeOf(position.before ?? position.after) ?? typeOf(position)
  return typeof type === 'string' ? { __type: type } : {}
}

/** Repeated ids are one link (B-4.35). */
function unique(refs: readonly Ref[]): Ref[] {
  const seen = new Set<string>()
  return refs.filter(ref => {
    const key = `${ref.type} ${ref.id}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/** The refs a change names. */
export function refsOf(change: RelationChange): readonly Ref[] {
  return change.kind === 'set' ? change.refs : change.connect.map(one => one.ref)
}
