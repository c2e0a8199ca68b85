// Writes the TypeScript type of the values that a JSON schema accepts. Forms that it does not know are `unknown`.

import { quoted } from './quoted.ts'

/** The type of the values of a schema, such as that of a query parameter. */
export function typeOfSchema(schema: unknown): string {
  if (typeof schema !== 'object' || schema === null) return 'unknown'
  const { const: literal, enum: words, anyOf, type, items } = schema as Readonly<Record<string, unknown>>
  if (literal !== undefined) return literalOf(literal)
  if (Array.isArray(words)) return unionOf(words.map(literalOf))
  if (Array.isArray(anyOf)) return unionOf(anyOf.map(typeOfSchema))
  if (Array.isArray(type)) return unionOf(type.map(one => typeOfSchema({ type: one, items })))
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type
    case 'number':
    case 'integer':
      return 'number'
    case 'array':
      return `readonly (${typeOfSchema(items)})[]`
    default:
      return 'unknown'
  }
}

const literalOf = (value: unknown) => (typeof value === 'string' ? quoted(value) : JSON.stringify(value))

const unionOf = (types: readonly string[]) => (types.length === 0 ? 'never' : [...new Set(types)].join(' | '))
