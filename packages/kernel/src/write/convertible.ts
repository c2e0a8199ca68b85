// Removes from sent data the members that prevent conversions. JSON may contain {"toString":1}, for which String(),
// Number() and template literals throw; hooks, lifecycles and the parser get data without such members. The values of
// JSON attributes stay as they were sent. Knows neither rules nor rights.

import type { Attribute, ContentType } from '../model/content-type.ts'
import type { Registry } from '../model/registry.ts'
import { isRecord } from '../query/shape.ts'

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

/** Makes sent data convertible by String() and Number(). */
export class ConvertibleInput {
  readonly #registry: Registry

  constructor(registry: Registry) {
    this.#registry = registry
  }

  /** The same object if all of it can be converted, as is nearly always so; otherwise a copy without such members. */
  convertible(type: ContentType, data: Data): Data {
    const sent = isConvertible(data) ? data : mend(data, type.attributes)
    let made: Record<string, unknown> | null = null
    for (const name in sent) {
      const value = sent[name]
      if (typeof value !== 'object' || value === null) continue
      const clean = this.#value(type.attributes.get(name), value)
      if (clean === value) continue
      made ??= { ...sent }
      made[name] = clean
    }
    return made ?? sent
  }

  #value(attribute: Attribute | undefined, value: object): unknown {
    if (attribute?.kind === 'scalar') return attribute.scalar.storage === 'json' ? value : mended(value, maxLevels)
    if (attribute?.kind !== 'component' && attribute?.kind !== 'zone') return mended(value, maxLevels)
    const one = (item: object) => {
      const uid = attribute.kind === 'component' ? attribute.component : (item as Data).__component
      const type = typeof uid === 'string' && isRecord(item) ? this.#registry.get(uid) : undefined
      return type === undefined ? mended(item, maxLevels) : this.convertible(type, item as Data)
    }
    return Array.isArray(value) ? changed(value, one) : one(value)
  }
}

/** The value, or a copy whose objects can be converted. `left` is the number of levels to check. */
function mended(value: object, left: number): unknown {
  if (left === 0) return value
  if (Array.isArray(value)) return changed(value, one => mended(one, left - 1))
  // Dates and other objects of code can be converted.
  if (!isRecord(value)) return value
  const sent = isConvertible(value) ? value : mend(value)
  let made: Record<string, unknown> | null = null
  for (const name in sent) {
    const inner = sent[name]
    if (typeof inner !== 'object' || inner === null || !followed.has(name)) continue
    const clean = mended(inner, left - 1)
    if (clean === inner) continue
    made ??= { ...sent }
    made[name] = clean
  }
  return made ?? sent
}

/** The same list if no object in it changes; otherwise a copy. */
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

const hiding = new Set(['toString', 'valueOf'])

/** The members except those that hide functions of Object.prototype. Attributes with such a name stay. */
function mend(value: Data, attributes?: ReadonlyMap<string, Attribute>): Record<string, unknown> {
  const kept = Object.entries(value).filter(([name]) => !hiding.has(name) || attributes?.has(name))
  return Object.fromEntries(kept)
}
