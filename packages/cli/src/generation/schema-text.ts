// Writes a content type as a TypeScript file, whose options the compiler checks.

/** The text of a `schema.ts` with this schema. */
export function schemaText(schema: object): string {
  return `import { defineContentType } from '@plinth/kernel'

export default defineContentType(${literalOf(schema, '')})
`
}

/** A value of a schema as a literal, whose lines after the first one begin with `indent`. */
function literalOf(value: unknown, indent: string): string {
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
  if (Array.isArray(value)) return `[${value.map(one => literalOf(one, indent)).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([key, member]) => `${indent}  ${keyOf(key)}: ${literalOf(member, `${indent}  `)},\n`,
  )
  return members.length === 0 ? '{}' : `{\n${members.join('')}${indent}}`
}

const keyOf = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : literalOf(name, ''))
