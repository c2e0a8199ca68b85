// Writes the schemas of scalar values (B-12.5): as they are answered, and as they are sent. Knows no types of entries.

import type { ScalarAttribute } from '@plinth/kernel'
import type { JsonSchema } from '@plinth/server/transport'

type Family = ScalarAttribute['scalar']['family']

const byFamily: Readonly<Record<Exclude<Family, 'enumeration'>, JsonSchema>> = {
  text: { type: 'string' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  // Beyond 2^53 a number is not exact. v4's pattern has no minus, which these values may have.
  biginteger: { type: 'string', pattern: '^-?\\d*$' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  time: { type: 'string', format: 'time' },
  datetime: { type: 'string', format: 'date-time' },
  json: {},
  blocks: {
    type: 'array',
    items: {
      type: 'object',
      required: ['type'],
      properties: { type: { type: 'string' } },
      additionalProperties: true,
    },
  },
}

/** A value without null. */
function plainValue({ scalar, type, definition }: ScalarAttribute): JsonSchema {
  const { family } = scalar
  if (family === 'enumeration') return { type: 'string', enum: wordsOf(definition.enum) }
  // Milliseconds, as a text.
  if (scalar.storage === 'timestamp') return { type: 'string' }
  if (type === 'email') return { type: 'string', format: 'email' }
  if (type === 'password') return { type: 'string', format: 'password' }
  return byFamily[family]
}

const wordsOf = (words: unknown): readonly unknown[] => (Array.isArray(words) ? words : [])

/** The same schema, which accepts null too. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: words } = schema
  if (type === undefined && schema.$ref === undefined && schema.anyOf === undefined) return schema
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] }
  return { ...schema, type: [type, 'null'], ...(Array.isArray(words) && { enum: [...words, null] }) }
}

/** A value as it is answered. What was stored before a rule was in the schema is answered too, so no rule stands here. */
export function answeredValue(attribute: ScalarAttribute, isNullable: boolean): JsonSchema {
  const schema = plainValue(attribute)
  return isNullable ? orNull(schema) : schema
}

/**
 * A value as it is sent, with the bounds of its attribute. Its default is not said: generators of types take a value with
 * one for needed.
 */
export function sentValue(attribute: ScalarAttribute, isNullable: boolean): JsonSchema {
  const { scalar } = attribute
  const plain = plainValue(attribute)
  const mayBeNumber = scalar.family === 'biginteger' || scalar.storage === 'timestamp'
  const schema = { ...(mayBeNumber ? { anyOf: [{ type: 'integer' }, plain] } : plain), ...boundsOf(attribute) }
  return isNullable ? orNull(schema) : schema
}

function boundsOf({ scalar: { family }, definition }: ScalarAttribute): JsonSchema {
  const { minLength, maxLength, min, max } = definition
  const numbers = (bounds: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(bounds).filter(([, bound]) => typeof bound === 'number'))
  if (family === 'text') return numbers({ minLength, maxLength })
  return family === 'integer' || family === 'number' ? numbers({ minimum: min, maximum: max }) : {}
}
