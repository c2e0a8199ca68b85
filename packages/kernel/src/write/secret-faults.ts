// Takes the values of attributes that are private, or whose type is secret, out of the messages about an input (security.md
// A.5): also where they stand in a component, and where a whole component is cited. Looks at an input only if there are
// faults.

import type { FieldError } from '../errors.ts'
import type { Attribute, ContentType } from '../model/content-type.ts'
import type { Registry } from '../model/registry.ts'
import { isRecord } from '../record.ts'
import { withoutValue } from './messages.ts'

/** An input: its type, and the data as they were sent. */
interface SentInput {
  readonly type: ContentType
  readonly data: unknown
}

/** The error of a field without the value that it cites, if that is secret. */
export function discreetError(registry: Registry, sent: SentInput, error: FieldError): FieldError {
  return citesSecret(registry, sent, error.path) ? { ...error, message: withoutValue(error.message) } : error
}

/** Returns whether the value at a path of the data is secret, or contains a value that is. */
function citesSecret(registry: Registry, { type, data }: SentInput, path: readonly string[]): boolean {
  let own: ContentType | undefined = type
  let value = data
  for (let i = 0; i < path.length; i++) {
    const attribute = own?.attributes.get(path[i]!)
    // Values below a value of JSON have no attribute.
    if (attribute === undefined) return false
    if (isSecret(attribute)) return true
    value = isRecord(value) ? value[attribute.name] : undefined
    while (Array.isArray(value) && /^\d+$/.test(path[i + 1] ?? '')) value = value[Number(path[++i])]
    if (attribute.kind !== 'component' && attribute.kind !== 'zone') return false
    own = componentOf(registry, attribute, value)
    if (i + 1 === path.length) return containsSecret(registry, typesOf(registry, attribute), value)
  }
  return containsSecret(registry, [type], data)
}

function isSecret(attribute: Attribute): boolean {
  return attribute.private || (attribute.kind === 'scalar' && attribute.scalar.secret === true)
}

function componentOf(registry: Registry, attribute: Attribute, value: unknown): ContentType | undefined {
  if (attribute.kind === 'component') return registry.require(attribute.component)
  return isRecord(value) ? registry.get(String(value.__component)) : undefined
}

/** The components that the value of an attribute may consist of. */
function typesOf(registry: Registry, attribute: Attribute): ContentType[] {
  if (attribute.kind === 'component') return [registry.require(attribute.component)]
  return attribute.kind === 'zone' ? attribute.components.map(one => registry.require(one)) : []
}

/** Returns whether a value, in whatever form, has a secret attribute of one of the types, or of a component in them. */
function containsSecret(registry: Registry, types: readonly ContentType[], value: unknown): boolean {
  if (Array.isArray(value)) return value.some(one => containsSecret(registry, types, one))
  if (!isRecord(value)) return false
  return Object.entries(value).some(([name, below]) =>
    types.some(type => {
      const attribute = type.attributes.get(name)
      if (attribute === undefined) return false
      return isSecret(attribute) || containsSecret(registry, typesOf(registry, attribute), below)
    }),
  )
}
