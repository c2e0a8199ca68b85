// Removes members from sent data before hooks, lifecycles and the parser receive it: those that prevent conversions,
// and attributes that callers may not write (`writable: false`). As in v4, neither is an error. Knows neither rules nor
// rights.

import type { Attribute, ContentType } from '../model/content-type.ts'
import type { Registry } from '../model/registry.ts'
import { isPlainRecord, isRecord } from '../record.ts'

type Data = Readonly<Record<string, unknown>>

/** Keys in the value of a relation whose values contain ids and types; no other value of it is converted. */
const followed = new Set([
  'set',
  'connect',
  'disconnect',
  'position',
  'before',
  'after',
  'id',
  '__type',
  'type',
  '__component',
])

/** The maximum depth of bodies of transports. */
const maxLevels = 64

/**
 * Makes sent data convertible by String() and Number(). JSON may contain {"toString":1}, for which these and template
 * literals throw. The values of JSON attributes stay as they were sent.
 */
export class ConvertibleInput {
  readonly #registry: Registry

  constructor(registry: Registry) {
    this.#registry = registry
  }

  /**
   * Returns the same object if all of it can be converted, as is nearly always so; otherwise a copy without such
   * members.
   */
  convertible(type: ContentType, data: Data): Data {
    const sent = isConvertible(data) ? data : mend(data, type.attributes)
    let copy: Record<string, unknown> | null = null
    for (const name in sent) {
      const value = sent[name]
      if (typeof value !== 'object' || value === null) continue
      const clean = this.#value(type.attributes.get(name), value)
      if (clean === value) continue
      copy ??= { ...sent }
      copy[name] = clean
    }
    return copy ?? sent
  }

  #value(attribute: Attribute | undefined, value: object): unknown {
    if (attribute?.kind === 'scalar') return attribute.scalar.storage === 'json' ? value : mended(value, maxLevels)
    if (attribute?.kind !== 'component' && attribute?.kind !== 'zone') return mended(value, maxLevels)
    const one = (item: object) => {
      const uid = attribute.kind === 'component' ? attribute.component : (item as Data).__component
      const type = typeof uid === 'string' && isPlainRecord(item) ? this.#registry.get(uid) : undefined
      return type === undefined ? mended(item, maxLevels) : this.convertible(type, item as Data)
    }
    return Array.isArray(value) ? changed(value, one) : one(value)
  }
}

/** Returns the value, or a copy whose objects can be converted. `left` is the number of levels to check. */
function mended(value: object, left: number): unknown {
  if (left === 0) return value
  if (Array.isArray(value)) return changed(value, one => mended(one, left - 1))
  // Dates and other objects of code can be converted.
  if (!isPlainRecord(value)) return value
  const sent = isConvertible(value) ? value : mend(value)
  let copy: Record<string, unknown> | null = null
  for (const name in sent) {
    const inner = sent[name]
    if (typeof inner !== 'object' || inner === null || !followed.has(name)) continue
    const clean = mended(inner, left - 1)
    if (clean === inner) continue
    copy ??= { ...sent }
    copy[name] = clean
  }
  return copy ?? sent
}

/** Returns the same list if no object in it changes; otherwise a copy. */
function changed(list: readonly unknown[], change: (one: object) => unknown): readonly unknown[] {
  let copy: unknown[] | null = null
  for (let i = 0; i < list.length; i++) {
    const one = list[i]
    if (typeof one !== 'object' || one === null) continue
    const clean = change(one)
    if (clean === one) continue
    copy ??= [...list]
    copy[i] = clean
  }
  return copy ?? list
}

function isConvertible(value: Data): boolean {
  return typeof value.toString === 'function' && typeof value.valueOf === 'function'
}

const hiding = new Set(['toString', 'valueOf'])

/** Returns the members except those that hide functions of Object.prototype. Attributes with such a name stay. */
function mend(value: Data, attributes?: ReadonlyMap<string, Attribute>): Record<string, unknown> {
  const members = Object.entries(value).filter(([name]) => !hiding.has(name) || attributes?.has(name))
  return Object.fromEntries(members)
}

/** Removes attributes that only code may set: hooks, defaults and trusted code. */
export class WritableInput {
  readonly #registry: Registry
  /** True if all attributes are writable, as in most models; data is not inspected then. */
  readonly #isOpen: boolean

  constructor(registry: Registry) {
    this.#registry = registry
    this.#isOpen = registry.values().every(type => [...type.attributes.values()].every(isWritable))
  }

  /** Returns the data without attributes that callers may not write, also in components. */
  strip(type: ContentType, data: Data): Record<string, unknown> {
    return (this.#isOpen ? data : this.#copy(type, data)) as Record<string, unknown>
  }

  #copy(type: ContentType, data: Data): Data {
    const members = Object.entries(data).flatMap(([name, value]) => {
      const attribute = type.attributes.get(name)
      if (attribute === undefined) return [[name, value]]
      return isWritable(attribute) ? [[name, this.#below(attribute, value)]] : []
    })
    return Object.fromEntries(members)
  }

  #below(attribute: Attribute, value: unknown): unknown {
    if (attribute.kind !== 'component' && attribute.kind !== 'zone') return value
    const one = (item: unknown) => {
      if (!isRecord(item)) return item
      const uid = attribute.kind === 'component' ? attribute.component : item.__component
      const type = typeof uid === 'string' ? this.#registry.get(uid) : undefined
      return type === undefined ? item : this.#copy(type, item)
    }
    return Array.isArray(value) ? value.map(one) : one(value)
  }
}

function isWritable({ definition }: Attribute): boolean {
  return definition.writable !== false
}
