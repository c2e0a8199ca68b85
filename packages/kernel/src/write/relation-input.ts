// Parses the data that clients send for relations, which replaces all links or changes some (B-4.30 to B-4.39, B-4.44).

import type { RelationAttribute, Uid } from '../model/content-type.ts'
import { parseSentId } from '../model/values.ts'

/** A linked entry. `type` is set only if the relation may link to any type. */
export interface Ref {
  readonly id: number
  readonly type: Uid | null
}

/**
 * The position of a connected entry among the others (B-4.33). `__type` is the type of the neighbour, if the relation
 * may link to any type; without it, the neighbour has the type of the connected entry.
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
      /** True if a neighbour that is not linked is refused; otherwise its entry is placed at the end. */
      readonly strict: boolean
    }

/** Thrown for relations that cannot be parsed. The parser of the entry reports it as `Invalid relations` (B-4.37). */
export class InvalidRelations extends Error {}

/**
 * Returns the change that a value means; null if it changes nothing (`{}`, `{"set":null}`). Throws InvalidRelations.
 */
export function parseRelation(attribute: RelationAttribute, value: unknown): RelationChange | null {
  if (value === null) return { kind: 'set', refs: [] }
  if (typeof value === 'boolean') {
    // A boolean names no entry. v4 accepts it without a change, except for polymorphic relations, where it refuses it.
    if (isMorph(attribute)) throw new InvalidRelations()
    return null
  }
  if (Array.isArray(value)) return { kind: 'set', refs: unique(value.map(one => toRef(attribute, one))) }
  if (typeof value !== 'object') return { kind: 'set', refs: [toRef(attribute, value)] }
  const { set, connect, disconnect, options, id } = value as Record<string, unknown>
  if (set !== undefined && set !== null) {
    if (!Array.isArray(set)) throw new InvalidRelations()
    return { kind: 'set', refs: unique(set.map(one => toRef(attribute, one))) }
  }
  if (connect !== undefined || disconnect !== undefined) {
    const connected = toItems(connect).map(one => ({ ref: toRef(attribute, one), position: toPosition(one) }))
    const disconnected = toItems(disconnect).map(one => toRef(attribute, one))
    return { kind: 'patch', connect: connected, disconnect: disconnected, strict: isStrict(options) }
  }
  const isNothing = id === undefined && (attribute.target !== null || typeOf(value) === undefined)
  return isNothing ? null : { kind: 'set', refs: [toRef(attribute, value)] }
}

/**
 * Returns the change that a sent value means; null if it changes nothing, or is not valid, which the parser reports.
 */
export function sentChange(attribute: RelationAttribute, value: unknown): RelationChange | null {
  try {
    return parseRelation(attribute, value)
  } catch (error) {
    if (!(error instanceof InvalidRelations)) throw error
    return null
  }
}

/** `{"strict":false}` lets neighbours be missing; as in v4, so does every other value that means false. */
function isStrict(options: unknown): boolean {
  const { strict } = (options ?? {}) as { strict?: unknown }
  return strict === undefined || Boolean(strict)
}

function isMorph({ type, relation }: RelationAttribute): boolean {
  return type === 'relation' && relation.startsWith('morph')
}

/** Returns the type that an item names (B-4.44). */
export function typeOf(value: unknown): unknown {
  const { __type, type } = (value ?? {}) as Record<string, unknown>
  return __type ?? type
}

function toItems(value: unknown): unknown[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw new InvalidRelations()
  return value
}

/** Ids that no entry can have are kept as NaN, so that they count as missing entries (B-4.36). */
function toRef(attribute: RelationAttribute, value: unknown): Ref {
  const isObject = value !== null && typeof value === 'object'
  const sent = isObject ? (value as { id?: unknown }).id : value
  if (sent === undefined || sent === null || typeof sent === 'object' || typeof sent === 'boolean')
    throw new InvalidRelations()
  const id = parseSentId(sent)
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

/**
 * Returns the id of a neighbour, given as an id or as an object. Numbers that are not ids are kept for the error
 * message.
 */
function neighbour(sent: unknown): number {
  const id = sent !== null && typeof sent === 'object' ? (sent as { id?: unknown }).id : sent
  return typeof id === 'number' || typeof id === 'string' ? Number(id) : Number.NaN
}

function neighbourType(position: Record<string, unknown>): { __type?: Uid } {
  const type = typeOf(position.before ?? position.after) ?? typeOf(position)
  return typeof type === 'string' ? { __type: type } : {}
}

/** Returns the refs without repetitions: repeated ids are one link (B-4.35). */
function unique(refs: readonly Ref[]): Ref[] {
  const keys = new Set<string>()
  return refs.filter(ref => {
    const key = `${ref.type} ${ref.id}`
    if (keys.has(key)) return false
    keys.add(key)
    return true
  })
}

/**
 * Returns the value of a polymorphic relation without the items that `keep` refuses, in lists and alone. Undefined if
 * nothing is left of a value that linked something: a list that became empty would unlink all entries.
 */
export function keepItems(value: unknown, keep: (item: unknown) => boolean): unknown {
  if (Array.isArray(value)) return keepOf(value, keep)
  if (value === null || typeof value !== 'object') return value
  const { set, connect, disconnect } = value as Record<string, unknown>
  if (Array.isArray(set)) {
    const left = keepOf(set, keep)
    return left === undefined ? undefined : left === set ? value : { ...value, set: left }
  }
  if (connect === undefined && disconnect === undefined) return keep(value) ? value : undefined
  const parts = Object.entries({ connect, disconnect }).filter(([, list]) => Array.isArray(list))
  const left = parts.map(([name, list]) => [name, keepOf(list as unknown[], keep) ?? []] as const)
  if (left.every(([, list], i) => list === parts[i]![1])) return value
  if (left.every(([, list]) => list.length === 0)) return undefined
  return { ...value, ...Object.fromEntries(left) }
}

function keepOf(list: readonly unknown[], keep: (item: unknown) => boolean): readonly unknown[] | undefined {
  const left = list.filter(keep)
  if (left.length === list.length) return list
  return left.length === 0 ? undefined : left
}

/** Returns the entries that a change links. */
export function refsOf(change: RelationChange): readonly Ref[] {
  return change.kind === 'set' ? change.refs : change.connect.map(one => one.ref)
}
