// The types of scalar attributes in output, input and filters (B-9.36, B-9.37, B-9.40).

import type { ContentType, ScalarAttribute } from '@plinth/kernel'
import slugify from '@sindresorhus/slugify'
import { GraphQLEnumType, type GraphQLScalarType } from 'graphql'
import { enumTypeName } from './names.ts'
import { type ScalarName, scalarNamed } from './shared.ts'

const names: Readonly<Record<ScalarAttribute['scalar']['family'], ScalarName>> = {
  text: 'String',
  enumeration: 'String',
  integer: 'Int',
  biginteger: 'Long',
  number: 'Float',
  boolean: 'Boolean',
  date: 'Date',
  time: 'Time',
  datetime: 'DateTime',
  json: 'JSON',
  blocks: 'JSON',
}

/** The scalar by which filters compare an attribute: enumerations are compared by their values. */
export function scalarName(attribute: ScalarAttribute): ScalarName {
  return names[attribute.scalar.family]
}

/** The enumerations of one schema, by name: attributes with the same `enumName` share one. */
export class Enumerations {
  readonly #byName = new Map<string, GraphQLEnumType>()

  /** The type of a scalar attribute in output and input. */
  typeOf(type: ContentType, attribute: ScalarAttribute): GraphQLScalarType | GraphQLEnumType {
    return attribute.scalar.family === 'enumeration' ? this.#enum(type, attribute) : scalarNamed(scalarName(attribute))
  }

  #enum(type: ContentType, attribute: ScalarAttribute): GraphQLEnumType {
    const { enumName } = attribute.definition
    const name = typeof enumName === 'string' ? enumName : enumTypeName(type, attribute.name)
    const cached = this.#byName.get(name)
    if (cached !== undefined) return cached
    const values = attribute.definition.enum as readonly string[]
    const enumType = new GraphQLEnumType({
      name,
      values: Object.fromEntries(values.map(value => [enumValueName(value), { value }])),
    })
    this.#byName.set(name, enumType)
    return enumType
  }
}

/** Names that no value of an enumeration can have in GraphQL. */
const reserved: ReadonlySet<string> = new Set(['true', 'false', 'null'])

/**
 * `two words` → `two_words`; letters of other alphabets are transliterated (B-9.37). `true`, `false` and `null`, with which v4
 * does not start, get a `_` behind them; no other value of the enumeration has that name, since values without it must differ.
 */
export function enumValueName(value: string): string {
  const name = slugify(value, { decamelize: false, lowercase: false, separator: '_' })
  return reserved.has(name) ? `${name}_` : name
}
