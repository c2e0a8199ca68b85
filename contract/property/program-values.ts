/**
 * Values for the attributes of entries of programs. Each text and number identifies the program and the step that sent
 * it, so a row can be traced to its write. It depends on the model, not on how the values are used.
 */

import type { Attribute, ContentType } from '@plinth/kernel'
import type { Data } from './programs.ts'
import type { Random } from './random.ts'

type Types = ReadonlyMap<string, ContentType>
/** The names of the entries of each type that a step may link. */
export type Names = ReadonlyMap<string, readonly string[]>

type Scalar = Extract<Attribute, { kind: 'scalar' }>
type Relation = Extract<Attribute, { kind: 'relation' }>

const texts = ['string', 'text', 'richtext']

/** Whether the value in the database, as text, is the value that was sent. */
export function isTracked(attribute: Attribute): attribute is Scalar {
  if (attribute.kind !== 'scalar' || attribute.readonly || attribute.name === 'locale') return false
  const { regex, max } = attribute.definition as { regex?: unknown; max?: number }
  return texts.includes(attribute.type) ? regex === undefined : attribute.type === 'integer' && (max ?? 100) >= 100
}

/** The relations that programs write, without those of i18n and those to types outside of the application. */
export function isLinked(attribute: Attribute): attribute is Relation {
  const { kind, name } = attribute
  if (kind !== 'relation' || name === 'localizations') return false
  return attribute.target === null || attribute.target.startsWith('api::')
}

export class Values {
  readonly #random: Random
  readonly #types: Types
  readonly #program: number
  /** Unique values are one of two, so that steps conflict. */
  contends = false
  /** Drafts may lack required attributes. */
  empties = false
  #sent = 0

  constructor(random: Random, types: Types, program: number) {
    this.#random = random
    this.#types = types
    this.#program = program
  }

  /** A text that no other step sends. */
  word(): string {
    return `p${this.#program}w${++this.#sent}`
  }

  /** The data of a new entry: all required attributes, and some of the others. */
  ofNew(type: ContentType, names: Names, share = 0.4): Data {
    const data: Record<string, unknown> = {}
    for (const one of type.attributes.values()) {
      if (!one.required && !this.#random.chance(one.kind === 'scalar' && one.unique ? 0.7 : share)) continue
      const value = this.of(one, names, true)
      if (value !== undefined) data[one.name] = value
    }
    return data
  }

  /** Data that changes some of these attributes. */
  ofChange(attributes: readonly Attribute[], names: Names, most = 3): Data {
    const data: Record<string, unknown> = {}
    for (const one of this.#random.some(attributes, 1, most)) {
      const value = this.of(one, names, false)
      if (value !== undefined) data[one.name] = value
    }
    return data
  }

  /** A value for one attribute; undefined if programs do not write it or if there is no entry to link. */
  of(attribute: Attribute, names: Names, isNew: boolean): unknown {
    if (attribute.readonly) return undefined
    switch (attribute.kind) {
      case 'scalar':
        return this.#scalar(attribute, isNew)
      case 'component': {
        const low = attribute.required || attribute.definition.min !== undefined ? 1 : 0
        if (attribute.many) return this.#list([attribute.component], names, low, false)
        return !isNew && low === 0 && this.#random.chance(0.15) ? null : this.component(attribute.component, names)
      }
      case 'zone':
        return this.#list(attribute.components, names, 0, true)
      case 'relation':
        return isLinked(attribute) ? this.#links(attribute, names, isNew) : undefined
      default:
        return undefined
    }
  }

  #scalar(attribute: Scalar, isNew: boolean): unknown {
    const { unique, definition, type, name } = attribute
    const {
      min,
      max,
      regex,
      enum: words,
    } = definition as { min?: number; max?: number; regex?: string; enum?: string[] }
    if (this.empties && !isNew && attribute.required && this.#random.chance(0.3)) return null
    const isContended = (unique || type === 'uid') && this.contends && this.#random.chance(0.6)
    const word = isContended ? `p${this.#program}c${this.#random.between(1, 2)}` : this.word()
    if (regex !== undefined) return `ABC-${this.#random.between(1000, 9999)}`
    if (texts.includes(type)) return name === 'locale' ? undefined : word
    if (type === 'uid') return word
    if (type === 'email') return `${word}@example.com`
    if (type === 'integer') return max !== undefined && max < 100 ? this.#random.between(min ?? 0, max) : ++this.#sent
    if (type === 'decimal' || type === 'float') return ++this.#sent + 0.5
    if (type === 'enumeration') return this.#random.pick(words!)
    if (type === 'boolean') return this.#random.chance(0.5)
    if (name === 'publishedAt') return this.#random.chance(0.5) ? null : '2024-02-29T12:00:00.000Z'
    return undefined
  }

  /** A component with its nested components. */
  component(uid: string, names: Names): Data {
    return this.ofNew(this.#types.get(uid)!, names, 0.6)
  }

  #list(uids: readonly string[], names: Names, low: number, isZone: boolean): Data[] {
    return Array.from({ length: this.#random.between(low, 3) }, () => {
      const uid = this.#random.pick(uids)
      return { ...(isZone && { __component: uid }), ...this.component(uid, names) }
    })
  }

  #links(attribute: Relation, names: Names, isNew: boolean): unknown {
    const targets =
      attribute.target === null
        ? [...names].flatMap(([uid, list]) => list.map(name => ({ id: { $ref: name }, __type: uid })))
        : (names.get(attribute.target) ?? []).map(name => ({ id: { $ref: name } }))
    if (targets.length === 0) return undefined
    const random = this.#random
    const one = () => random.pick(targets)
    const isPlaced = attribute.many && random.chance(0.3)
    const placed = (target: object) => (isPlaced ? { ...target, position: { start: true } } : target)
    const connect = () => ({ connect: (attribute.many ? random.some(targets, 1, 2) : [one()]).map(placed) })
    const set = () => (attribute.many ? random.some(targets, 1, 3) : one())
    if (isNew) return random.chance(0.3) ? connect() : set()
    return random.weigh<() => unknown>([
      [4, connect],
      [4, set],
      [1, () => (attribute.many ? [] : null)],
      [2, () => ({ disconnect: [one()] })],
    ])()
  }
}
