// The values of scalar attributes in answers: as JSON text from the raw value of a column, and as values for execution.
// Both have the same form. Null belongs to the caller.

import type { Codec, ScalarAttribute } from '@plinth/kernel'
import { enumValueName } from '../schema/attributes.ts'
import { shortest } from '../schema/scalars.ts'
import { NeedsExecution } from './needs-execution.ts'

/** Raw value of a column → JSON text. Throws NeedsExecution for values that the type of the schema cannot show. */
export type WriteScalar = (raw: never) => string

/** Composes the writer of an attribute. */
export function scalarWriter(attribute: ScalarAttribute, codec: Codec): WriteScalar {
  switch (attribute.scalar.family) {
    case 'enumeration':
      return enumWriter(attribute, codec)
    case 'integer':
      return raw => {
        const text = codec.json(raw)
        const number = Number(text)
        if (number > 2147483647 || number < -2147483648 || !Number.isInteger(number)) throw new NeedsExecution()
        return text
      }
    case 'number':
      return numberWriter(attribute, codec)
    case 'datetime':
      return attribute.scalar.storage === 'timestamp' ? valueWriter(attribute, codec) : datetimeWriter(attribute, codec)
    case 'biginteger':
      return valueWriter(attribute, codec)
    default:
      return codec.json
  }
}

/** Writes the value that execution would be given. */
function valueWriter(attribute: ScalarAttribute, codec: Codec): WriteScalar {
  return raw => JSON.stringify(scalarValue(attribute, codec.decode(raw)))
}

function numberWriter(attribute: ScalarAttribute, codec: Codec): WriteScalar {
  const write = valueWriter(attribute, codec) as (raw: unknown) => string
  return (raw: unknown) => (Number.isFinite(raw) ? String(raw) : write(raw))
}

/** The column's own text is that of the schema. A value that is not a date reads as null. */
function datetimeWriter({ required }: ScalarAttribute, { json }: Codec): WriteScalar {
  if (!required) return json
  return raw => {
    const text = json(raw)
    if (text === 'null') throw new NeedsExecution()
    return text
  }
}

function enumWriter(attribute: ScalarAttribute, codec: Codec): WriteScalar {
  const values = attribute.definition.enum as readonly string[]
  const texts = new Map(values.map(value => [value, JSON.stringify(enumValueName(value))]))
  return raw => {
    const text = texts.get(codec.decode(raw) as string)
    if (text === undefined) throw new NeedsExecution()
    return text
  }
}

/** Raw value of a column → the value of the entry's object. */
export type ReadScalar = (raw: never) => unknown

/** Composes the reader of an attribute. A value that the schema cannot show is left as it is: the scalar refuses it. */
export function scalarReader(attribute: ScalarAttribute, codec: Codec): ReadScalar {
  const { family, storage } = attribute.scalar
  // Others are read in the form of the schema.
  if (family !== 'biginteger' && family !== 'number' && storage !== 'timestamp') return codec.decode
  return raw => {
    const value = codec.decode(raw)
    try {
      return scalarValue(attribute, value)
    } catch (error) {
      if (error instanceof NeedsExecution) return value
      throw error
    }
  }
}

/** The value that resolvers hand to the scalar of the schema. Throws NeedsExecution for numbers that are not finite. */
export function scalarValue({ scalar }: ScalarAttribute, value: unknown): unknown {
  if (value === null || value === undefined) return null
  switch (scalar.family) {
    case 'biginteger':
      return shortest(String(value))
    case 'number': {
      const number = Number(value)
      if (!Number.isFinite(number)) throw new NeedsExecution()
      return number
    }
    case 'datetime':
      return isoText(value)
    default:
      return value
  }
}

/** Attributes of the type `timestamp` are numbers in the REST API, and ISO text here (B-9.40). */
function isoText(value: unknown): string {
  // ISO text, as almost all values are: it has a hyphen behind the year.
  if (typeof value === 'string' && value[4] === '-') return value
  if (value instanceof Date) return value.toISOString()
  const text = String(value)
  return /^-?\d+$/.test(text) ? new Date(Number(text)).toISOString() : text
}
