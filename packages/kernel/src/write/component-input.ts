// Parses the data that clients send for components and dynamic zones, and compares it with the stored components
// (B-4.55 to B-4.73).

import type { ComponentAttribute, ContentType, ZoneAttribute } from '../model/content-type.ts'
import type { Registry } from '../model/registry.ts'
import { parseSentId } from '../model/values.ts'
import { isRecord } from '../record.ts'
import { wrongType } from './messages.ts'
import {
  addEntryFault,
  addFault,
  childPath,
  type InputEntry,
  type InputPosition,
  isMissing,
  noComponent,
  type Parse,
  pathText,
} from './parse.ts'

/** Parses the values of one component; for nested components it calls ComponentInput again. */
type ParseEntry = (
  parse: Parse,
  type: ContentType,
  data: Readonly<Record<string, unknown>>,
  position: InputPosition,
  id: number | null,
) => InputEntry

/** Parses components within an entry. */
export class ComponentInput {
  readonly #registry: Registry
  readonly #parseEntry: ParseEntry

  constructor(registry: Registry, parseEntry: ParseEntry) {
    this.#registry = registry
    this.#parseEntry = parseEntry
  }

  /** Parses the value of a component, a list of components, or a zone. */
  parse(
    parse: Parse,
    entry: InputEntry,
    attribute: ComponentAttribute | ZoneAttribute,
    sent: unknown,
    position: InputPosition,
  ): void {
    const path = childPath(position, attribute.name)
    const isList = attribute.kind === 'zone' || attribute.many
    const stored = position.stored?.[attribute.name]
    if (sent === undefined) {
      // A required list must be there even in a draft (B-4.65).
      const mustBe = isList && attribute.required && parse.isCreate
      if (mustBe || isMissing(parse, attribute, position)) addFault(parse, path, `${pathText(path)} must be defined.`)
      else this.#checkStored(parse, attribute, stored, path)
      return
    }
    if (!isList) {
      this.#single(parse, entry, attribute, sent, path, stored)
      return
    }
    if (!Array.isArray(sent)) {
      addFault(parse, path, wrongType(pathText(path), 'array', sent))
      if (attribute.kind === 'zone' && typeof sent === 'string') addEntryFault(parse, noComponent)
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
      const isMissed = attribute.required && parse.completeness !== 'draft'
      if (isMissed) addFault(parse, path, wrongType(pathText(path), 'object', null))
      else entry.components.push({ attribute, items: [] })
      return
    }
    if (!isRecord(sent)) {
      addFault(parse, path, wrongType(pathText(path), 'object', sent))
      return
    }
    const item = this.#item(parse, attribute, sent, path, stored)
    if (item !== null) entry.components.push({ attribute, items: [item] })
  }

  /** Checks stored components that were not sent, if the whole entry must be complete. */
  #checkStored(
    parse: Parse,
    attribute: ComponentAttribute | ZoneAttribute,
    stored: unknown,
    path: readonly string[],
  ): void {
    const isList = Array.isArray(stored)
    for (const [i, one] of (isList ? stored : [stored]).entries()) {
      if (!isRecord(one)) continue
      const uid = attribute.kind === 'component' ? attribute.component : String(one.__component)
      const at = isList ? [...path, String(i)] : path
      this.#parseEntry(parse, this.#registry.require(uid), {}, { path: at, isNew: false, stored: one }, null)
    }
  }

  /**
   * Checks the length: the maximum applies always, the minimum only to lists that are not empty or that are required
   * (B-4.64).
   */
  #checkLength(
    parse: Parse,
    attribute: ComponentAttribute | ZoneAttribute,
    length: number,
    path: readonly string[],
  ): void {
    const { min, max } = attribute.definition as { min?: number; max?: number }
    if (typeof min === 'number' && length < min && (length > 0 || attribute.required)) {
      addFault(parse, path, `${pathText(path)} field must have at least ${min} items`)
    }
    if (typeof max === 'number' && length > max) {
      addFault(parse, path, `${pathText(path)} field must have less than or equal to ${max} items`)
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
    if (!isRecord(item)) {
      addFault(parse, path, wrongType(pathText(path), 'object', item))
      return null
    }
    const uid = attribute.kind === 'component' ? attribute.component : this.#zoneComponent(parse, attribute, item, path)
    if (uid === null) return null
    const id = parse.isCreate || item.id === undefined || item.id === null ? null : parseSentId(item.id)
    const storedItem = (Array.isArray(stored) ? stored : [stored]).find(one => {
      return isRecord(one) && one.id === id && (attribute.kind === 'component' || one.__component === uid)
    })
    const position = { path, isNew: id === null, stored: storedItem ?? null }
    return this.#parseEntry(parse, this.#registry.require(uid), item, position, id)
  }

  #zoneComponent(
    parse: Parse,
    zone: ZoneAttribute,
    item: Record<string, unknown>,
    path: readonly string[],
  ): string | null {
    const uid = item.__component
    const at = [...path, '__component']
    if (typeof uid !== 'string') {
      addFault(parse, at, `${pathText(at)} is a required field`)
      addEntryFault(parse, noComponent)
      return null
    }
    if (zone.components.includes(uid)) return uid
    const isKnown = this.#registry.get(uid)?.kind === 'component'
    addFault(parse, at, `${pathText(at)} must be one of the following values: ${zone.components.join(', ')}`)
    if (!isKnown) addEntryFault(parse, 'Invalid relations')
    return null
  }
}
