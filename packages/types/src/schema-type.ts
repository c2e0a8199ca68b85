// Writes the TypeScript type of the values that a JSON schema accepts. Forms that it does not know are `unknown`.

import { comment, keyOf } from './members.ts'
import { quoted } from './quoted.ts'

type Schema = Readonly<Record<string, unknown>>

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null

/** The type of the values of a schema, such as that of a query parameter. Members with a default are optional. */
export function typeOfSchema(schema: unknown): string {
  return typeAt(schema, '')
}

/** Writes a type whose lines, after the first one, begin with `indent`. */
function typeAt(schema: unknown, indent: string): string {
  if (!isSchema(schema)) return 'unknown'
  const { const: literal, enum: words, anyOf, oneOf, allOf, type } = schema
  const typesOf = (schemas: readonly unknown[]) => schemas.map(one => typeAt(one, indent))
  if (literal !== undefined) return literalOf(literal)
  if (Array.isArray(words)) return unionOf(words.map(literalOf))
  if (Array.isArray(anyOf)) return unionOf(typesOf(anyOf))
  if (Array.isArray(oneOf)) return unionOf(typesOf(oneOf))
  if (Array.isArray(allOf))
    return allOf.length === 0
      ? 'unknown'
      : typesOf(allOf)
          .map(one => `(${one})`)
          .join(' & ')
  if (Array.isArray(type)) return unionOf(typesOf(type.map(one => ({ ...schema, type: one }))))
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
    case 'undefined':
      return type
    case 'number':
    case 'integer':
      return 'number'
    case 'array':
      return `readonly (${typeAt(schema.items, indent)})[]`
    case 'object':
      return objectOf(schema, indent)
    case 'function':
      return 'Plinth.Callback'
    default:
      return 'unknown'
  }
}

function objectOf({ properties, required, additionalProperties, patternProperties }: Schema, indent: string): string {
  const inner = `${indent}  `
  const needed: readonly unknown[] = Array.isArray(required) ? required : []
  const members = Object.entries(isSchema(properties) ? properties : {}).map(([name, schema]) => {
    const isOptional = !needed.includes(name) || (isSchema(schema) && schema.default !== undefined)
    const text = typeAt(schema, inner)
    const value = isOptional && text !== 'unknown' ? `${text} | undefined` : text
    return `${documentation(schema, inner)}${inner}readonly ${keyOf(name)}${isOptional ? '?' : ''}: ${value}`
  })
  const others = otherMember({ additionalProperties, patternProperties }, inner)
  // Beside named members, the index signature is `unknown`, because its type would have to include those of the members.
  if (others !== null) members.push(`${inner}readonly [name: string]: ${members.length === 0 ? others : 'unknown'}`)
  return members.length === 0 ? 'Plinth.Nothing' : `{\n${members.join('\n')}\n${indent}}`
}

/** The type of the members that a schema does not name; null if it accepts none. */
function otherMember({ additionalProperties, patternProperties }: Schema, indent: string): string | null {
  const patterns = Object.values(isSchema(patternProperties) ? patternProperties : {})
  if (patterns.length > 0) return unionOf(patterns.map(one => typeAt(one, indent)))
  if (additionalProperties === false) return null
  return typeAt(additionalProperties, indent)
}

/** Returns the description and the default of a schema as a comment. */
function documentation(schema: unknown, indent: string): string {
  if (!isSchema(schema)) return ''
  const { description, default: value } = schema
  const isShown = value !== undefined && (typeof value !== 'object' || JSON.stringify(value).length <= 80)
  const parts = [
    ...(typeof description === 'string' ? [description] : []),
    ...(isShown && JSON.stringify(value) !== '{}' ? [`@default ${JSON.stringify(value)}`] : []),
  ]
  return parts.length === 0 ? '' : `${indent}${comment(parts.join(' '))}`
}

const literalOf = (value: unknown) => (typeof value === 'string' ? quoted(value) : JSON.stringify(value))

function unionOf(types: readonly string[]): string {
  if (types.includes('unknown')) return 'unknown'
  return types.length === 0 ? 'never' : [...new Set(types)].join(' | ')
}
