// Adds arguments to generated fields of the root, for hooks of writes that read them. Knows nothing of their meaning.

import {
  type GraphQLArgument,
  type GraphQLFieldConfigArgumentMap,
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql'
import { meaningOfField } from '../schema/meaning.ts'
import { isWrapped } from '../schema/wrapped.ts'
import type { Extension } from './extension.ts'
import { extensionFault, faulting } from './fault.ts'
import { findField } from './guards.ts'

/**
 * Adds the arguments to the fields of a schema, in place; before code around fields is added. Throws StartError for a field
 * that does not exist or is not generated, and for an argument that it has already.
 */
export function addArguments(schema: GraphQLSchema, argsByField: NonNullable<Extension['args']>): void {
  for (const [path, args] of Object.entries(argsByField)) {
    const { field } = findField(schema, path, 'args')
    if (meaningOfField(field)?.kind !== 'root')
      throw extensionFault(`args: ${path}: is not a generated field of the root`)
    const duplicate = field.args.find(one => Object.hasOwn(args, one.name))
    if (duplicate !== undefined) throw extensionFault(`args: ${path}: has an argument "${duplicate.name}" already`)
    // The resolver of an extension answers it.
    if (isWrapped(field)) continue
    field.args = [...field.args, ...faulting(`args: ${path}`, () => argumentsOf(field.type, args))]
  }
}

/** Makes arguments of their configurations, which graphql-js does in fields only. */
function argumentsOf(type: GraphQLOutputType, args: GraphQLFieldConfigArgumentMap): readonly GraphQLArgument[] {
  const wrapper = new GraphQLObjectType({ name: 'Arguments', fields: { made: { type, args } } })
  return wrapper.getFields().made!.args
}
