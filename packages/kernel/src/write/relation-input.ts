// What a client may send for a relation, and what it means: replace all links, or change some (B-4.30 to B-4.39, B-4.44).

import type { RelationAttribute, Uid } from '../model/content-type.ts'

/** A linked entry; `type` only where the relation may point at any type. */
export interface Ref {
  readonly id: number
  readonly type: Uid | null
}

/** Where a connected entry goes among the others (B-4.33). */
export type Position = { readonly before: number } | { readonly after: number } | 'start' | 'end'

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
  // A yes or no names no entry; v4 accepts it and links nothing.
  if (typeof value === 'boolean') return null
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
  return id === undefined ? null : { kind: 'set', refs: [toRef(attribute, value)] }
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
  const id = /^\d{1,15}$/.test(String(given)) ? Number(given) : Number.NaN
  if (attribute.target !== null) return { id, type: null }
  const named = isObject ? (value as Record<string, unknown>) : {}
  const type = named.__type ?? named.type
  if (typeof type !== 'string') throw new InvalidRelations()
  return { id, type }
}

function toPosition(value: unknown): Position {
  const position = (value as { position?: Record<string, unknown> } | null)?.position
  if (position === undefined || position === null) return 'end'
  if (typeof position !== 'object') throw new InvalidRelations()
  if (position.start === true) return 'start'
  if (position.before !== undefined) return { before: Number(position.before) }
  if (position.after !== undefined) return { after: Number(position.after) }
  return 'end'
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
