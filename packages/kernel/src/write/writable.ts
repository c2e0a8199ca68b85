// Removes from sent data the attributes that callers may not write (`writable: false`), without an error, as in v4.
// Hooks, defaults and trusted code can set them.

import type { Attribute, ContentType } from '../model/content-type.ts'
import type { Registry } from '../model/registry.ts'
import { isObject } from './parse.ts'

type Data = Readonly<Record<string, unknown>>

/** Removes attributes that only code may set. */
export class WritableInput {
  readonly #registry: Registry
  /** Whether all attributes are writable, as in most models; data is not inspected then. */
  readonly #isOpen: boolean

  constructor(registry: Registry) {
    this.#registry = registry
    this.#isOpen = registry.values().every(type => [...type.attributes.values()].every(isWritable))
  }

  /** The data without attributes that callers may not write, also in components. */
  strip(type: ContentType, data: Data): Record<string, unknown> {
    return (this.#isOpen ? data : this.#copy(type, data)) as Record<string, unknown>
  }

  #copy(type: ContentType, data: Data): Data {
    const kept = Object.entries(data).flatMap(([name, value]) => {
      const attribute = type.attributes.get(name)
      if (attribute === undefined) return [[name, value]]
      return isWritable(attribute) ? [[name, this.#below(attribute, value)]] : []
    })
    return Object.fromEntries(kept)
  }

  #below(attribute: Attribute, value: unknown): unknown {
    if (attribute.kind !== 'component' && attribute.kind !== 'zone') return value
    const one = (item: unknown) => {
      if (!isObject(item)) return item
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
