// The objects that execution hands from resolver to resolver, and the resolvers of generated fields. An object has the
// scalars of an entry as properties, as resolvers of extensions expect, and what its fields show by their names in the
// answer: two fields may show one relation with different arguments.

import type { GraphQLFieldResolver, GraphQLTypeResolver } from 'graphql'
import type { GraphqlContext } from './context.ts'

/** The property with the values of fields that are objects, by their names in the answer. */
const shown = Symbol('plinth.shown')
/** The property with the name of the object type. */
const named = Symbol('plinth.type')

/** An object of an answer: of an entry, a list, or what is around them. */
export interface Source {
  readonly id?: number | undefined
  readonly [shown]?: ReadonlyMap<string, unknown>
  readonly [named]?: string
  readonly [attribute: string]: unknown
}

/** Makes an object of an answer. An error among the values is thrown by its field. */
export function sourceOf(
  typeName: string,
  values: ReadonlyMap<string, unknown>,
  attributes: Readonly<Record<string, unknown>> = {},
): Source {
  return { ...attributes, [shown]: values, [named]: typeName }
}

/** The resolver of generated fields that are objects. */
export const branchValue: GraphQLFieldResolver<unknown, unknown> = (source, args, context, info) => {
  const values = (source as Source)[shown]
  const key = String(info.path.key)
  if (values?.has(key)) {
    const value = values.get(key)
    if (value instanceof Error) throw value
    return value
  }
  return (context as GraphqlContext).run.load(source, args as Readonly<Record<string, unknown>>, info)
}

/** The resolver of generated fields of the roots. */
export const rootValue: GraphQLFieldResolver<unknown, unknown> = (_source, args, context, info) =>
  (context as GraphqlContext).run.resolveRoot(args as Readonly<Record<string, unknown>>, info)

/** The type of a member of a union. */
export const typeOfMember: GraphQLTypeResolver<unknown, unknown> = value => (value as Source)[named]
