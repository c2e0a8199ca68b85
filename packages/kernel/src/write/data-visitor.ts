// Walks the data of a write with its attributes, those of components and of items of dynamic zones included. What hooks
// replace stands in copies, since the objects below the top of the data are the caller's own.

import { UsageError } from '../errors.ts'
import type { VisitValue } from '../hooks/write.ts'
import type { Attribute, ContentType } from '../model/content-type.ts'
import type { Registry } from '../model/registry.ts'
import { isRecord } from '../record.ts'
import { isThenable } from '../registration/checks.ts'

type Data = Readonly<Record<string, unknown>>
type Path = readonly (string | number)[]

/** Calls a function for each value of data, and puts the values that it returns in their places. */
export class DataVisitor {
  readonly #registry: Registry
  readonly #visit: VisitValue

  constructor(registry: Registry, visit: VisitValue) {
    this.#registry = registry
    this.#visit = visit
  }

  /** Walks the data of a write, which is changed; what is below it is copied where it changes. */
  run(type: ContentType, data: Record<string, unknown>): void {
    for (const [name, value] of this.#changes(type, data, [])) data[name] = value
  }

  /** Returns the values of attributes that were replaced, or in which one was. */
  #changes(type: ContentType, data: Data, path: Path): (readonly [name: string, value: unknown])[] {
    return Object.entries(data).flatMap(([name, value]) => {
      const attribute = type.attributes.get(name)
      // The parser ignores names without an attribute.
      if (attribute === undefined) return []
      const at = [...path, name]
      const next = this.#below(attribute, this.#replaced(type, attribute, value, at), at)
      return next === value ? [] : [[name, next] as const]
    })
  }

  #replaced(type: ContentType, attribute: Attribute, value: unknown, path: Path): unknown {
    const returned: unknown = this.#visit({ type, attribute, path, value })
    if (!isThenable(returned)) return returned === undefined ? value : returned
    returned.then(undefined, () => undefined)
    throw new UsageError('PLINTH_HOOK_ASYNC', 'The function of write.visit returned a promise, but must be synchronous')
  }

  #below(attribute: Attribute, value: unknown, path: Path): unknown {
    if (attribute.kind !== 'component' && attribute.kind !== 'zone') return value
    if (!Array.isArray(value)) return this.#item(attribute, value, path)
    const items = value.map((item, i) => this.#item(attribute, item, [...path, i]))
    return items.some((item, i) => item !== value[i]) ? items : value
  }

  #item(attribute: Attribute, item: unknown, path: Path): unknown {
    const type = isRecord(item) ? this.#typeOf(attribute, item) : undefined
    // The parser refuses items that are not components of the attribute.
    if (type === undefined) return item
    const changes = this.#changes(type, item as Data, path)
    return changes.length === 0 ? item : { ...(item as Data), ...Object.fromEntries(changes) }
  }

  #typeOf(attribute: Attribute, { __component }: Data): ContentType | undefined {
    if (attribute.kind === 'component') return this.#registry.get(attribute.component)
    if (attribute.kind !== 'zone' || typeof __component !== 'string') return undefined
    return attribute.components.includes(__component) ? this.#registry.get(__component) : undefined
  }
}
