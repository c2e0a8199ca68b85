// Converts the parameters that plugins declare to arguments, by what a parameter says about itself. No parameter is
// known here by its name (B-9.45, B-9.63).

import type { Action, ContentType, Kernel, ParameterDefinition } from '@plinth/kernel'
import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLError,
  type GraphQLFieldConfigArgumentMap,
  GraphQLFloat,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLScalarType,
  GraphQLString,
  Kind,
} from 'graphql'
import type { ParameterArgument } from './meaning.ts'
import { parameterTypeName } from './names.ts'

/** The places where an argument may stand. */
export type ArgumentPlace = 'many' | 'one' | 'nested' | 'writes'

/** The arguments of one field, and their meaning. */
export interface FieldParameters {
  readonly args: GraphQLFieldConfigArgumentMap
  readonly parameters: readonly ParameterArgument[]
}

/** The schema of a value, as far as arguments need it. */
interface ValueSchema {
  readonly type?: string
  readonly const?: unknown
  readonly anyOf?: readonly { readonly const?: unknown }[]
}

/** Makes the arguments of one schema. */
export class ParameterTypes {
  readonly #definitions: readonly ParameterDefinition[]
  readonly #types = new Map<string, GraphQLInputType>()

  constructor(kernel: Pick<Kernel, 'parameters'>) {
    this.#definitions = kernel.parameters.values()
  }

  /** The arguments of a field that shows or writes entries of a type. `finding`: the action that finds what is written. */
  at(place: ArgumentPlace, type: ContentType, finding?: Action): FieldParameters {
    const args: GraphQLFieldConfigArgumentMap = {}
    const parameters: ParameterArgument[] = []
    for (const definition of this.#definitions) {
      const { offer = { many: true } } = definition
      if (!definition.for(type) || offer[place] !== true) continue
      const hasDefault = offer.default !== undefined && (place === 'many' || place === 'nested')
      args[definition.name] = {
        type: this.#typeOf(definition),
        ...(hasDefault ? { defaultValue: offer.default } : {}),
      }
      const isFinding = finding !== undefined && definition.actions.includes(finding)
      const isQuery = place === 'many' || place === 'nested' || isFinding
      parameters.push({ definition, fallback: offer.default, isQuery })
    }
    return { args, parameters }
  }

  #typeOf(definition: ParameterDefinition): GraphQLInputType {
    const name = definition.offer?.typeName ?? parameterTypeName(definition.name)
    const cached = this.#types.get(name)
    if (cached !== undefined) return cached
    const inputType = typeFor(name, definition)
    this.#types.set(name, inputType)
    return inputType
  }
}

function typeFor(name: string, definition: ParameterDefinition): GraphQLInputType {
  const { offer } = definition
  const schema = definition.schema as ValueSchema
  if (offer?.typeName !== undefined) return namedScalar(name, definition)
  const literals = (schema.anyOf ?? [schema]).map(one => one.const)
  if (literals.every(one => typeof one === 'string' && /^[A-Za-z_]\w*$/.test(one)))
    return new GraphQLEnumType({
      name,
      values: Object.fromEntries(literals.map(one => [String(one).toUpperCase(), { value: one }])),
    })
  if (schema.type === 'boolean') return GraphQLBoolean
  if (schema.type === 'integer') return GraphQLInt
  if (schema.type === 'number') return GraphQLFloat
  return GraphQLString
}

/** A scalar of text whose literals the plugin checks; values of variables are checked when the query is parsed (B-9.46). */
function namedScalar(name: string, { offer }: ParameterDefinition): GraphQLScalarType {
  return new GraphQLScalarType({
    name,
    ...(offer?.description === undefined ? {} : { description: offer.description }),
    parseValue: value => value,
    parseLiteral(node) {
      if (node.kind !== Kind.STRING) throw new GraphQLError(`${name} cannot represent a non string value`)
      const refusal = offer?.refuseLiteral?.(node.value) ?? null
      // A plain Error: the validation adds the expected type and the literal to its message, as v4 does.
      if (refusal !== null) throw new TypeError(refusal)
      return node.value
    },
  })
}
