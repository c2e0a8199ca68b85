// Calls resolvers without execution, with what graphql-js would pass. It knows neither entries nor answers.

import { defaultFieldResolver, type GraphQLResolveInfo, getArgumentValues } from 'graphql'
import type { Variables } from '../operation/arguments.ts'
import type { CalledField } from '../operation/output.ts'
import type { OperationSource } from '../operation/reader.ts'

export type Path = GraphQLResolveInfo['path']

/** The values that resolvers of an operation receive beside their object and arguments. */
interface CallScope {
  readonly operation: OperationSource
  readonly variables: Variables
  readonly context: unknown
}

/** A field of an object, and where it is in the answer. */
export interface CallPlace {
  readonly called: CalledField
  /** The object; without it, the one that is above the fields of the root. */
  readonly source?: unknown
  readonly path: Path
}

/** The calls of one operation. */
export class ResolverCalls {
  readonly #source: OperationSource
  readonly #context: unknown
  readonly #variableValues: Record<string, unknown>
  readonly #rootValue = {}

  constructor({ operation, variables, context }: CallScope) {
    this.#source = operation
    this.#context = context
    this.#variableValues = { ...variables }
  }

  /** Calls the resolver of a field. Throws what it throws, and GraphQLError for arguments that do not fit. */
  call({ called: { parent, field, nodes }, source, path }: CallPlace): unknown {
    const { schema, fragments, operation } = this.#source
    const rootValue = this.#rootValue
    const variableValues = this.#variableValues
    const args = field.args.length === 0 ? {} : getArgumentValues(field, nodes[0]!, variableValues)
    const info: GraphQLResolveInfo = {
      fieldName: field.name,
      fieldNodes: nodes,
      returnType: field.type,
      parentType: parent,
      path,
      schema,
      fragments,
      rootValue,
      operation,
      variableValues,
    }
    return (field.resolve ?? defaultFieldResolver)(source ?? rootValue, args, this.#context, info)
  }
}
