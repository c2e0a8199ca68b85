// Sent data → an entry ready to be written, or all its faults in v4's words and order (B-4.9, B-5.20). One form in, one form
// out: nothing behind this file looks at sent data again.

import { ValidationError } from '../errors.ts'
import {
  type Attribute,
  type ComponentAttribute,
  type ContentType,
  type RelationAttribute,
  type ScalarAttribute,
  scalarOf,
  type ZoneAttribute,
} from '../model/content-type.ts'
import type { Registry } from '../model/registry.ts'
import { pathText, wrongType } from './messages.ts'
import {
  below,
  fault,
  type Input,
  type InputEntry,
  isObject,
  noComponent,
  nullMessage,
  type Parse,
  type Requirement,
  type Spot,
} from './parse.ts'
import { InvalidRelations, parseRelation } from './relation-input.ts'
import { compileScalar, type ScalarCheck } from './scalars.ts'

/** Parses sent data; scalar checks are compiled once per attribute. */
export class InputParser {
  readonly #registry: Registry
  readonly #checks = new Map<ScalarAttribute, ScalarCheck>()
  /** Unique indexes of several attributes, by the first. */
  readonly #groups = new Map<Attribute, ScalarAttribute[][]>()

  constructor(registry: Registry) {
    this.#registry = registry
    for (const type of registry.values()) {
      for (const attribute of type.attributes.values()) {
        if (attribute.kind === 'scalar') this.#checks.set(attribute, compileScalar(attribute))
      }
      for (const { attributes, unique } of type.indexes) {
        if (unique !== true) continue
        const group = attributes.map(name => scalarOf(type, name))
        this.#groups.set(group[0]!, [...(this.#groups.get(group[0]!) ?? []), group])
      }
    }
  }

  /** `stored` is the entry as it stands, where an update must be complete. Throws ValidationError for a wrong `data`. */
  parse(
    type: ContentType,
    data: unknown,
    options: {
      isCreate: boolean
      requirement: Requirement
      id: number | null
      stored?: Record<string, unknown> | null
    },
  ): Input {
    if (!isObject(data)) {
      const message = Array.isArray(data) ? wrongType('this', 'object', null, data) : wrongType('this', 'object', data)
      throw ValidationError.ofFields([{ path: [], message, name: 'ValidationError' }])
    }
    const parse: Parse = {
      requirement: options.requirement,
      isCreate: options.isCreate,
      faults: [],
      uniques: [],
      groups: [],
      refs: new Map(),
      general: new Set(),
      deferred: [],
      place: 0,
    }
    const spot = { path: [], isNew: options.isCreate, stored: options.stored ?? null }
    const entry = this.#entry(parse, type, data, spot, options.id)
    // Dates speak for themselves, but only where nothing else is wrong.
    if (parse.faults.length === 0 && parse.general.size === 0) for (const work of parse.deferred) work()
    const { faults, uniques, refs, general } = parse
    for (const { place, attributes } of parse.groups) {
      const values = groupValues(entry, attributes, data, options.isCreate)
      if (values !== null) uniques.push({ place, path: [attributes[0]!.name], type, values, id: entry.id })
    }
    return { entry, faults, uniques, refs, general: [...general] }
  }

  #entry(
    parse: Parse,
    type: ContentType,
    data: Readonly<Record<string, unknown>>,
    spot: Spot,
    id: number | null,
  ): InputEntry {
    const entry: InputEntry = { type, id, scalars: new Map(), relations: [], components: [] }
    for (const attribute of type.attributes.values()) {
      parse.place++
      if (attribute.readonly) continue
      for (const attributes of this.#groups.get(attribute) ?? []) parse.groups.push({ place: parse.place, attributes })
      const sent = Object.hasOwn(data, attribute.name) ? data[attribute.name] : undefined
      if (attribute.kind === 'scalar') this.#scalar(parse, entry, attribute, sent, spot)
      else if (attribute.kind === 'relation') this.#relation(parse, entry, attribute, sent, spot)
      else if (attribute.kind !== 'dormant') this.#components(parse, entry, attribute, sent, spot)
    }
    return entry
  }

  /** Is absence a fault? */
  #lacks(parse: Parse, attribute: Attribute, spot: Spot): boolean {
    if (!attribute.required || parse.requirement !== 'all') return false
    if (spot.isNew || spot.stored === null) return spot.isNew
    const value = spot.stored[attribute.name]
    return value === null || value === undefined || (Array.isArray(value) && value.length === 0)
  }

  #scalar(parse: Parse, entry: InputEntry, attribute: ScalarAttribute, sent: unknown, spot: Spot): void {
    const path = below(spot, attribute.name)
    const value = sent === undefined && spot.isNew ? attribute.definition.default : sent
    if (value === undefined) {
      if (this.#lacks(parse, attribute, spot)) fault(parse, path, `${pathText(path)} must be defined.`)
      // A draft's text may be too short for what is published now.
      else if (spot.stored !== null && attribute.scalar.family === 'text' && !attribute.scalar.secret) {
        this.#judge(parse, attribute, spot.stored[attribute.name], path)
      }
      return
    }
    if (value === null) {
      if (attribute.required && parse.requirement !== 'none') fault(parse, path, nullMessage(attribute, path))
      else entry.scalars.set(attribute, null)
      return
    }
    const { place } = parse
    const accept = () => {
      const canonical = this.#judge(parse, attribute, value, path)
      entry.scalars.set(attribute, canonical)
      if (attribute.unique)
        parse.uniques.push({ place, path, type: entry.type, values: new Map([[attribute, canonical]]), id: entry.id })
    }
    const { family } = attribute.scalar
    if (family === 'date' || family === 'time' || family === 'datetime') parse.deferred.push(accept)
    else accept()
  }

  #judge(parse: Parse, attribute: ScalarAttribute, value: unknown, path: readonly string[]): unknown {
    if (value === null || value === undefined) return null
    const checked = this.#checks.get(attribute)!(value, pathText(path), parse.requirement !== 'none')
    for (const message of checked.messages) fault(parse, path, message)
    for (const inner of checked.inner ?? []) fault(parse, [...path, ...inner.path], inner.message)
    return checked.value
  }

  #relation(parse: Parse, entry: InputEntry, attribute: RelationAttribute, sent: unknown, spot: Spot): void {
    const path = below(spot, attribute.name)
    if (sent === undefined) {
      if (this.#lacks(parse, attribute, spot)) fault(parse, path, `${pathText(path)} must be defined.`)
      return
    }
    if (sent === null && attribute.required && parse.requirement !== 'none') {
      fault(parse, path, wrongType(pathText(path), 'mixed', null))
      return
    }
    try {
      const change = parseRelation(attribute, sent)
      if (change === null) return
      for (const ref of change.kind === 'set' ? change.refs : change.connect.map(one => one.ref)) {
        const uid = attribute.target ?? ref.type!
        if (this.#registry.get(uid) === undefined) throw new InvalidRelations()
        const ids = parse.refs.get(uid) ?? new Set()
        parse.refs.set(uid, ids.add(ref.id))
      }
      entry.relations.push({ attribute, change })
    } catch (error) {
      if (!(error instanceof InvalidRelations)) throw error
      parse.general.add('Invalid relations')
    }
  }

  #components(
    parse: Parse,
    entry: InputEntry,
    attribute: ComponentAttribute | ZoneAttribute,
    sent: unknown,
    spot: Spot,
  ): void {
    const path = below(spot, attribute.name)
    const isList = attribute.kind === 'zone' || attribute.many
    const stored = spot.stored?.[attribute.name]
    if (sent === undefined) {
      // A required list must be there even in a draft (B-4.65).
      const mustBe = isList && attribute.required && parse.isCreate
      if (mustBe || this.#lacks(parse, attribute, spot)) fault(parse, path, `${pathText(path)} must be defined.`)
      else this.#judgeStored(parse, attribute, stored, path)
      return
    }
    if (!isList) {
      this.#single(parse, entry, attribute, sent, path, stored)
      return
    }
    if (!Array.isArray(sent)) {
      fault(parse, path, wrongType(pathText(path), 'array', sent))
      if (attribute.kind === 'zone' && typeof sent === 'string') parse.general.add(noComponent)
      return
    }
    this.#checkLength(parse, attribute, sent.length, path)
    const items = sent.map((item, i) => this.#item(parse, attribute, item, [...path, String(i)], stored))
    entry.components.push({ attribute, items: items.filter(item => item !== null) })
  }

  #single(
    parse: Parse,
    entry: InputEntry,
    attribute: ComponentAttribute,
    sent: unknown,
    path: readonly string[],
    stored: unknown,
  ): void {
    if (sent === null) {
      const isMissed = attribute.required && parse.requirement !== 'none'
      if (isMissed) fault(parse, path, wrongType(pathText(path), 'object', null))
      else entry.components.push({ attribute, items: [] })
      return
    }
    if (!isObject(sent)) {
      fault(parse, path, wrongType(pathText(path), 'object', sent))
      return
    }
    const item = this.#item(parse, attribute, sent, path, stored)
    if (item !== null) entry.components.push({ attribute, items: [item] })
  }

  /** Components that were not sent, where the whole entry must be complete. */
  #judgeStored(
    parse: Parse,
    attribute: ComponentAttribute | ZoneAttribute,
    stored: unknown,
    path: readonly string[],
  ): void {
    const isList = Array.isArray(stored)
    for (const [i, one] of (isList ? stored : [stored]).entries()) {
      if (!isObject(one)) continue
      const uid = attribute.kind === 'component' ? attribute.component : String(one.__component)
      const at = isList ? [...path, String(i)] : path
      this.#entry(parse, this.#registry.require(uid), {}, { path: at, isNew: false, stored: one }, null)
    }
  }

  /** The maximum counts always, the minimum for lists that hold something or must (B-4.64). */
  #checkLength(
    parse: Parse,
    attribute: ComponentAttribute | ZoneAttribute,
    length: number,
    path: readonly string[],
  ): void {
    const { min, max } = attribute.definition as { min?: number; max?: number }
    if (typeof min === 'number' && length < min && (length > 0 || attribute.required)) {
      fault(parse, path, `${pathText(path)} field must have at least ${min} items`)
    }
    if (typeof max === 'number' && length > max) {
      fault(parse, path, `${pathText(path)} field must have less than or equal to ${max} items`)
    }
  }

  #item(
    parse: Parse,
    attribute: ComponentAttribute | ZoneAttribute,
    item: unknown,
    path: readonly string[],
    stored: unknown,
  ): InputEntry | null {
    parse.place++
    if (!isObject(item)) {
      fault(parse, path, wrongType(pathText(path), 'object', item))
      return null
    }
    const uid = attribute.kind === 'component' ? attribute.component : this.#zoneComponent(parse, attribute, item, path)
    if (uid === null) return null
    const id = parse.isCreate || item.id === undefined || item.id === null ? null : Number(item.id)
    const kept = (Array.isArray(stored) ? stored : [stored]).find(one => {
      return isObject(one) && one.id === id && (attribute.kind === 'component' || one.__component === uid)
    })
    const spot = { path, isNew: id === null, stored: kept ?? null }
    return this.#entry(parse, this.#registry.require(uid), item, spot, id)
  }

  #zoneComponent(
    parse: Parse,
    zone: ZoneAttribute,
    item: Record<string, unknown>,
    path: readonly string[],
  ): string | null {
    const named = item.__component
    const at = [...path, '__component']
    if (typeof named !== 'string') {
      fault(parse, at, `${pathText(at)} is a required field`)
      parse.general.add(noComponent)
      return null
    }
    if (zone.components.includes(named)) return named
    const isKnown = this.#registry.get(named)?.kind === 'component'
    fault(parse, at, `${pathText(at)} must be one of the following values: ${zone.components.join(', ')}`)
    if (!isKnown) parse.general.add('Invalid relations')
    return null
  }
}

/** What the attributes of a unique index hold after the write; null where that cannot clash. */
function groupValues(
  entry: InputEntry,
  attributes: readonly ScalarAttribute[],
  data: Readonly<Record<string, unknown>>,
  isCreate: boolean,
): ReadonlyMap<ScalarAttribute, unknown> | null {
  const values = new Map<ScalarAttribute, unknown>()
  let isTouched = false
  for (const one of attributes) {
    const value = entry.scalars.get(one)
    const isSent = value !== undefined
    // Null is no value, and what could not be read has a fault of its own.
    if (value === null || (!isSent && (isCreate || data[one.name] !== undefined))) return null
    isTouched ||= isSent
    values.set(one, value)
  }
  return isTouched ? values : null
}
