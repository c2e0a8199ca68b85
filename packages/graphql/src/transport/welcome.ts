// Writes what the explorer begins with: a query of the application's own types, and the mutation that logs in, if the
// schema has one.

import type { ContentType, Kernel } from '@plinth/kernel'
import {
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isObjectType,
  isScalarType,
} from 'graphql'
import { manyQuery, oneQuery } from '../schema/names.ts'
import type { Welcome } from './explorer.ts'

/** The most attributes that the query names. */
const maxAttributes = 4

/** Returns the first content of the explorer of a schema. */
export function welcomeOf(schema: GraphQLSchema, { contentTypes }: Pick<Kernel, 'contentTypes'>): Welcome {
  const own = contentTypes.values().filter(({ uid }) => uid.startsWith('api::'))
  const queries = own.flatMap(type => queryOf(schema, type) ?? [])
  // A list shows more than one entry of a single type.
  const query = queries.find(({ isList }) => isList)?.text ?? queries[0]?.text ?? '{\n  __typename\n}\n'
  return { query: `${introduction}\n${query}`, login: loginOf(schema) }
}

/** Lines that are not cut off on a screen of usual width. */
const introduction = `# Run: Ctrl+Enter. Complete: Ctrl+Space.
# The book at the left lists everything.
`

/** The query of a type's entries; null if the schema has none. */
function queryOf(schema: GraphQLSchema, type: ContentType): { readonly text: string; readonly isList: boolean } | null {
  const isList = type.kind === 'collectionType'
  const name = isList ? manyQuery(type) : oneQuery(type)
  const field = schema.getQueryType()?.getFields()[name]
  if (field === undefined) return null
  const attributes = attributesOf(field.type)
  if (attributes === null) return null
  const names = shownAttributes(attributes)
  if (names.length === 0) return null
  const data = ['data {', '  id', '  attributes {', ...names.map(one => `    ${one}`), '  }', '}']
  const meta = isList ? ['meta {', '  pagination {', '    total', '  }', '}'] : []
  const lines = [`{`, `  ${name}${isList ? '(pagination: { pageSize: 5 })' : ''} {`]
  for (const line of [...data, ...meta]) lines.push(`    ${line}`)
  return { text: [...lines, '  }', '}', ''].join('\n'), isList }
}

/** The type below `data` and `attributes`; null for a field of another form. */
function attributesOf(type: unknown): GraphQLObjectType | null {
  let current = getNamedType(type as GraphQLObjectType)
  for (const member of ['data', 'attributes']) {
    if (!isObjectType(current)) return null
    const field = current.getFields()[member]
    if (field === undefined) return null
    current = getNamedType(field.type) as GraphQLObjectType
  }
  return isObjectType(current) ? current : null
}

/** Attributes with a value of their own, which need no argument. Times that every entry has come last. */
function shownAttributes(type: GraphQLObjectType): readonly string[] {
  const leaves = Object.values(type.getFields()).filter(({ type: of, args }) => {
    const namedType = getNamedType(of)
    return (isScalarType(namedType) || isEnumType(namedType)) && args.every(one => one.defaultValue !== undefined)
  })
  const isTime = (name: string) => /^(created|updated|published)At$/.test(name)
  const names = leaves.map(({ name }) => name)
  return [...names.filter(one => !isTime(one)), ...names.filter(isTime)].slice(0, maxAttributes)
}

/** The mutation `login(input: { identifier, password }) { jwt }`, whoever adds it. */
function loginOf(schema: GraphQLSchema): string | null {
  const field = schema.getMutationType()?.getFields().login
  const input = field?.args.find(({ name }) => name === 'input')
  if (field === undefined || input === undefined) return null
  const [inputType, answer] = [getNamedType(input.type), getNamedType(field.type)]
  const takes = isInputObjectType(inputType) && ['identifier', 'password'].every(name => name in inputType.getFields())
  if (!takes || !isObjectType(answer) || !('jwt' in answer.getFields())) return null
  return `mutation ($input: ${String(input.type)}) { login(input: $input) { jwt } }`
}
