// Converts filter inputs to the filters of the kernel: `{ title: { eq: "a" } }` becomes `{ title: { $eq: "a" } }`. The
// schema has checked names and types; whether the caller may filter by an attribute is decided in the kernel.

import { type ContentType, isRecord, type Registry } from '@plinth/kernel'

/** Filter inputs by name. */
type Input = Readonly<Record<string, unknown>>

/** Converts the filters of a content type or component. */
export function filtersOf(input: Input, type: ContentType, types: Pick<Registry, 'require'>): Record<string, unknown> {
  const filters: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(input)) {
    if (name === 'and' || name === 'or')
      filters[`$${name}`] = isList(value) ? value.map(one => groupOf(one, type, types)) : value
    else if (name === 'not') filters.$not = groupOf(value, type, types)
    else filters[name] = below(value, name, type, types)
  }
  return filters
}

function groupOf(value: unknown, type: ContentType, types: Pick<Registry, 'require'>): unknown {
  return isRecord(value) ? filtersOf(value, type, types) : {}
}

/** The filters below an attribute. A null stands for "is null", as in the REST API. */
function below(value: unknown, name: string, type: ContentType, types: Pick<Registry, 'require'>): unknown {
  if (!isRecord(value)) return value
  const attribute = type.attributes.get(name)
  if (attribute?.kind === 'component') return filtersOf(value, types.require(attribute.component), types)
  if (attribute?.kind === 'relation' && attribute.target !== null)
    return filtersOf(value, types.require(attribute.target), types)
  return testsOf(value)
}

/** The operators of a scalar. `and` and `or` take values, which are compared by equality. */
function testsOf(input: Input): Record<string, unknown> {
  const tests: Record<string, unknown> = {}
  for (const [operator, value] of Object.entries(input)) {
    if (operator === 'not') tests.$not = isRecord(value) ? testsOf(value) : {}
    else if (operator === 'and' || operator === 'or')
      tests[`$${operator}`] = isList(value) ? value.map(one => ({ $eq: one })) : value
    else tests[`$${operator}`] = value
  }
  return tests
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}
