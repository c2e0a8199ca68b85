// Parses the data that clients send for components and dynamic zones, and compares it with the stored components
// (B-4.55 to B-4.73).

import type { ComponentAttribute, ContentType, ZoneAttribute } from '../model/content-type.ts'
import type { Registry } from '../model/registry.ts'
import { parseId } from './ids.ts'
import { pathText, wrongType } from './messages.ts'
import {
  below,
  fault,
  generalFault,
  type InputEntry,
  isObject,
  lacks,
  noComponent,
  type Parse,
  type Spot,
} from './parse.ts'

/** Parses the values of one component; for nested components it calls ComponentInput again. */
type ParseEntry = (
  parse: Parse,
  type: ContentType,
  data: Readonly<Record<string, unknown>>,
  spot: Spot,
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
    spot: Spot,
  ): void {
    const path = below(spot, attribute.name)
    const isList = attribute.kind === 'zone' || attribute.many
    const stored = spot.stored?.[attribute.name]
    if (sent === undefined) {
      // A required list must be there even in a draft (B-4.65).
      const mustBe = isList && attribute.required && parse.isCreate
      if (mustBe || lacks(parse, attribute, spot)) fault(parse, path, `${pathText(path)} must be defined.`)
      else this.#judgeStored(parse, attribute, stored, path)
      return
    }
    if (!isList) {
      this.#single(parse, entry, attribute, sent, path, stored)
      return
    }
    if (!Array.isArray(sent)) {
      fault(parse, path, wrongType(pathText(path), 'array', sent))
      if (attribute.kind === 'zone' && typeof sent === 'string') generalFault(parse, noComponent)
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

  /** Checks stored components that were not sent, if the whole entry must be complete. */
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
      this.#parseEntry(parse, this.#registry.require(uid), {}, { path: at, isNew: false, stored: one }, null)
    }
  }

  /** The maximum applies always, the minimum only to lists that are not empty or that are required (B-4.64). */
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
    const id = parse.isCreate || item.id === undefined || item.id === null ? null : parseId(item.id)
    const kept = (Array.isArray(stored) ? stored : [stored]).find(one => {
      return isObject(one) && one.id === id && (attribute.kind === 'component' || one.__component === uid)
    })
    const spot = { path, isNew: id === null, stored: kept ?? null }
    return this.#parseEntry(parse, this.#registry.require(uid), item, spot, id)
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
      generalFault(parse, noComponent)
      return null
    }
    if (zone.components.includes(named)) return named
    const isKnown = this.#registry.get(named)?.kind === 'component'
    fault(parse, at, `${pathText(at)} must be one of the following values: ${zone.components.join(', ')}`)
    if (!isKnown) generalFault(parse, 'Invalid relations')
    return null
  }
}
