// Sent data in a form whose values can be converted. JSON may hold {"toString":1}, on which String(), Number() and template
// literals throw; hooks, lifecycles and the parser get data without such members. What JSON attributes hold stays as it was
// sent. Knows neither rules nor rights.

import type { Attribute, ContentType } from '../model/content-type.ts'
import type { Registry } from '../model/registry.ts'
import { isRecord } from '../query/writer.ts'

type Data = Readonly<Record<string, unknown>>

/** Names of a relation's value below which ids and types stand; nothing else of it is ever converted. */
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

/** As deep as the bodies of doors may be. */
const mostLevels = 64

/** Makes sent data convertible. */
export class ConvertibleInput {
  readonly #registry: Registry

  constructor(registry: Registry) {
    this.#registry = registry
  }

  /** The same object where all of it can be converted, which is nearly always; else a copy without what cannot. */
  convertible(type: ContentType, data: Data): Data {
    let made: Record<string, unknown> | null = isConvertible(data) ? null : mend(data)
    for (const name in data) {
      const value = data[name]
      if (typeof value !== 'object' || value === null) continue
      const clean = this.#value(type.attributes.get(name), value)
      if (clean === value) continue
      made ??= { ...data }
      made[name] = clean
    }
    return made ?? data
  }

  #value(attribute: Attribute | undefined, value: object): unknown {
    if (attribute?.kind === 'scalar') return attribute.scalar.storage === 'json' ? value : mended(value, mostLevels)
    if (attribute?.kind !== 'component' && attribute?.kind !== 'zone') return mended(value, mostLevels)
    const one = (item: object) => {
      const uid = attribute.kind === 'component' ? attribute.component : (item as Data).__component
      const type = typeof uid === 'string' && isRecord(item) ? this.#registry.get(uid) : undefined
      return type === undefined ? mended(item, mostLevels) : this.convertible(type, item as Data)
    }
    return Array.isArray(value) ? changed(value, one) : one(value)
  }
}

/** A value whose objects can be converted: itself, or a copy. `left`: levels that are looked at. */
function mended(value: object, left: number): unknown {
  if (left === 0) return value
  if (Array.isArray(value)) return changed(value, one => mended(one, left - 1))
  // Dates and other objects of code convert themselves.
  if (!isRecord(value)) return value
  let made: Record<string, unknown> | null = isConvertible(value) ? null : mend(value)
  for (const name in value) {
    const inner = value[name]
    if (typeof inner !== 'object' || inner === null || !followed.has(name)) continue
    const clean = mended(inner, left - 1)
    if (clean === inner) continue
    made ??= { ...value }
    made[name] = clean
  }
  return made ?? value
}

/** The same list where no object in it changes; else a copy. */
function changed(list: readonly unknown[], change: (one: object) => unknown): readonly unknown[] {
  let made: unknown[] | null = null
  for (let i = 0; i < list.length; i++) {
    const one = list[i]
    if (typeof one !== 'object' || one === null) continue
    const clean = change(one)
    if (clean === one) continue
    made ??= [...list]
    made[i] = clean
  }
  return made ?? list
}

function isConvertible(value: Data): boolean {
  return typeof value.toString === 'function' && typeof value.valueOf === 'function'
}

/** The members but those that hide Object's own functions. */
function mend(value: Data): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== 'toString' && name !== 'valueOf'))
}
