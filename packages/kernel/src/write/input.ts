// Parses sent data to an entry ready to be written, with all faults in v4's messages and order (B-4.9, B-5.20). Later
// steps of a write use only the parsed entry, not the sent data.

import { ValidationError } from '../errors.ts'
import type { Completeness } from '../hooks/write.ts'
import {
  type Attribute,
  type ContentType,
  type RelationAttribute,
  type ScalarAttribute,
  scalarOf,
} from '../model/content-type.ts'
import { conversionFault } from '../model/divergence.ts'
import type { Registry } from '../model/registry.ts'
import { isRecord } from '../record.ts'
import { ComponentInput } from './component-input.ts'
import { wrongType } from './messages.ts'
import {
  addEntryFault,
  addFault,
  childPath,
  type Input,
  type InputEntry,
  type InputPosition,
  isMissing,
  nullMessage,
  type Parse,
  pathText,
} from './parse.ts'
import { InvalidRelations, parseRelation } from './relation-input.ts'
import { compileScalar, type ScalarCheck } from './scalars.ts'
import { discreetError } from './secret-faults.ts'

const nothing: readonly string[] = []
const noAttributes: readonly ScalarAttribute[] = []

/** Parses sent data. Checks of scalars are compiled once per attribute. */
export class InputParser {
  readonly #registry: Registry
  /** Attributes in schema order, as arrays, because every write iterates over them. */
  readonly #attributes = new Map<ContentType, readonly Attribute[]>()
  #compiled: ReadonlyMap<ScalarAttribute, ScalarCheck> | null = null
  /** Unique indexes of several attributes, by the first attribute. */
  readonly #groups = new Map<Attribute, ScalarAttribute[][]>()
  readonly #components: ComponentInput

  constructor(registry: Registry) {
    this.#registry = registry
    this.#components = new ComponentInput(registry, (...args) => this.#entry(...args))
    for (const type of registry.values()) {
      this.#attributes.set(type, [...type.attributes.values()])
      for (const { attributes, unique } of type.indexes) {
        if (unique !== true) continue
        const group = attributes.map(name => scalarOf(type, name))
        this.#groups.set(group[0]!, [...(this.#groups.get(group[0]!) ?? []), group])
      }
    }
  }

  /** `stored` is the stored entry, if an update must be complete. Throws ValidationError if `data` is not an object. */
  parse(
    type: ContentType,
    data: unknown,
    options: {
      isCreate: boolean
      requirement: Completeness
      id: number | null
      stored?: Record<string, unknown> | null
    },
  ): Input {
    if (!isRecord(data)) {
      const message = Array.isArray(data) ? wrongType('this', 'object', null, data) : wrongType('this', 'object', data)
      const error = { path: [], message, name: 'ValidationError' as const }
      throw ValidationError.ofFields([discreetError(this.#registry, { type, data }, error)])
    }
    const parse: Parse = {
      completeness: options.requirement,
      isCreate: options.isCreate,
      faults: [],
      uniques: [],
      groups: [],
      refs: new Map(),
      general: new Map(),
      deferred: [],
      place: 0,
    }
    const position = { path: nothing, isNew: options.isCreate, stored: options.stored ?? null }
    const entry = this.#entry(parse, type, data, position, options.id)
    // Dates throw errors of their own, but only if there is no other fault.
    if (parse.faults.length === 0 && parse.general.size === 0) for (const work of parse.deferred) work()
    const { uniques, refs, general } = parse
    const faults = parse.faults.map(({ place, error }) => ({
      place,
      error: discreetError(this.#registry, { type, data }, error),
    }))
    for (const { place, attributes } of parse.groups) {
      const values = groupValues(entry, attributes, data, options.isCreate)
      if (values !== null) uniques.push({ place, path: [attributes[0]!.name], type, values, id: entry.id })
    }
    return { entry, faults, uniques, refs, general }
  }

  /** Returns the checks, compiled at the first write: only the start knows which columns have another type. */
  get #checks(): ReadonlyMap<ScalarAttribute, ScalarCheck> {
    this.#compiled ??= compileChecks(this.#registry)
    return this.#compiled
  }

  /** Returns the attributes that the type has no longer, while new entries need a value in their columns. */
  retiredOf(type: ContentType): readonly ScalarAttribute[] {
    return this.#registry.divergence.retired.get(type) ?? noAttributes
  }

  #entry(
    parse: Parse,
    type: ContentType,
    data: Readonly<Record<string, unknown>>,
    position: InputPosition,
    id: number | null,
  ): InputEntry {
    const entry: InputEntry = { type, id, scalars: new Map(), relations: [], components: [] }
    // Stored values are checked only if the whole entry must be complete.
    const isLeft = !position.isNew && position.stored === null
    for (const attribute of this.#attributes.get(type)!) {
      parse.place++
      if (attribute.readonly) continue
      if (this.#groups.size > 0) this.#noteGroups(parse, attribute)
      const sent = Object.hasOwn(data, attribute.name) ? data[attribute.name] : undefined
      if (sent === undefined && isLeft) continue
      if (attribute.kind === 'scalar') this.#scalar(parse, entry, attribute, sent, position)
      else if (attribute.kind === 'relation') this.#relation(parse, entry, attribute, sent, position)
      else if (attribute.kind !== 'dormant') this.#components.parse(parse, entry, attribute, sent, position)
    }
    return entry
  }

  #noteGroups(parse: Parse, attribute: Attribute): void {
    for (const attributes of this.#groups.get(attribute) ?? []) parse.groups.push({ place: parse.place, attributes })
  }

  #scalar(parse: Parse, entry: InputEntry, attribute: ScalarAttribute, sent: unknown, position: InputPosition): void {
    const value = sent === undefined && position.isNew ? attribute.definition.default : sent
    const path = childPath(position, attribute.name)
    if (value === undefined) {
      if (isMissing(parse, attribute, position)) addFault(parse, path, `${pathText(path)} must be defined.`)
      // The text of a draft may be shorter than a published entry allows.
      else if (position.stored !== null && attribute.scalar.family === 'text' && !attribute.scalar.secret) {
        this.#checkScalar(parse, attribute, position.stored[attribute.name], path)
      }
      return
    }
    if (value === null) {
      if (attribute.required && parse.completeness !== 'draft') addFault(parse, path, nullMessage(attribute, path))
      else entry.scalars.set(attribute, null)
      return
    }
    const { place } = parse
    const accept = () => {
      const canonical = this.#checkScalar(parse, attribute, value, path)
      entry.scalars.set(attribute, canonical)
      if (attribute.unique)
        parse.uniques.push({ place, path, type: entry.type, values: new Map([[attribute, canonical]]), id: entry.id })
    }
    const { family } = attribute.scalar
    if (family === 'date' || family === 'time' || family === 'datetime') parse.deferred.push(accept)
    else accept()
  }

  #checkScalar(parse: Parse, attribute: ScalarAttribute, value: unknown, path: readonly string[]): unknown {
    if (value === null || value === undefined) return null
    const checked = this.#checks.get(attribute)!(value, pathText(path), parse.completeness !== 'draft')
    for (const message of checked.messages) addFault(parse, path, message)
    for (const inner of checked.inner ?? []) addFault(parse, [...path, ...inner.path], inner.message)
    return checked.value
  }

  #relation(
    parse: Parse,
    entry: InputEntry,
    attribute: RelationAttribute,
    sent: unknown,
    position: InputPosition,
  ): void {
    const path = childPath(position, attribute.name)
    if (sent === undefined) {
      if (isMissing(parse, attribute, position)) addFault(parse, path, `${pathText(path)} must be defined.`)
      return
    }
    if (sent === null && attribute.required && parse.completeness !== 'draft') {
      addFault(parse, path, wrongType(pathText(path), 'mixed', null))
      return
    }
    try {
      const change = parseRelation(attribute, sent)
      if (change === null) return
      for (const ref of change.kind === 'set' ? change.refs : change.connect.map(one => one.ref)) {
        const uid = attribute.target ?? ref.type!
        const target = this.#registry.get(uid)
        if (target === undefined || target.kind === 'component') throw new InvalidRelations()
        const ids = parse.refs.get(uid) ?? new Set()
        parse.refs.set(uid, ids.add(ref.id))
      }
      entry.relations.push({ attribute, change })
    } catch (error) {
      if (!(error instanceof InvalidRelations)) throw error
      addEntryFault(parse, 'Invalid relations', path)
    }
  }
}

function compileChecks(registry: Registry): ReadonlyMap<ScalarAttribute, ScalarCheck> {
  const checks = new Map<ScalarAttribute, ScalarCheck>()
  for (const { attributes } of registry.values()) {
    for (const attribute of attributes.values()) {
      if (attribute.kind !== 'scalar') continue
      const fault = conversionFault(registry.divergence, attribute)
      checks.set(attribute, fault === null ? compileScalar(attribute) : refuseAll(fault))
    }
  }
  return checks
}

/** Returns the check of an attribute that takes no value. */
function refuseAll(fault: string): ScalarCheck {
  return (_value, path) => ({ value: null, messages: [`${path} cannot be written: ${fault}`] })
}

/** Returns the values of the attributes of a unique index after the write; null if they cannot clash. */
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
    // Null does not clash, and a value that could not be parsed has a fault of its own.
    if (value === null || (!isSent && (isCreate || data[one.name] !== undefined))) return null
    isTouched ||= isSent
    values.set(one, value)
  }
  return isTouched ? values : null
}
