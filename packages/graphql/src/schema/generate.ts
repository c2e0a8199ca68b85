// Generates the schema of a model in graphql-js types, without a text in between. It has no resolvers, which
// are attached by the meanings of fields; extensions change it afterwards.

import type { Kernel } from '@plinth/kernel'
import { type GraphQLFieldConfigMap, type GraphQLNamedType, GraphQLObjectType, type GraphQLSchemaConfig } from 'graphql'
import { Enumerations } from './attributes.ts'
import { ExposedModel } from './exposed.ts'
import { Inputs } from './inputs.ts'
import { refuseNames } from './name-faults.ts'
import { makeRoots, makeSubscriptions } from './operations.ts'
import { Outputs } from './outputs.ts'
import { ParameterTypes } from './parameters.ts'
import type { ShadowCrud } from './shadow-crud.ts'
import { SharedTypes } from './shared.ts'

/** A generated schema, before it is checked, and its types for extensions that refer to them. */
export interface GeneratedSchema {
  readonly config: GraphQLSchemaConfig
  readonly outputs: Outputs
  readonly inputs: Inputs
  readonly exposed: ExposedModel
}

/** The options that say what is generated beside the types. */
export interface GenerateOptions {
  /** True if operations are generated; otherwise the only operations are those of extensions. */
  readonly isOn: boolean
  readonly hasSubscriptions: boolean
}

/** Generates the types and the operations. */
export function generate(
  kernel: Kernel,
  shadow: ShadowCrud,
  { isOn, hasSubscriptions }: GenerateOptions,
): GeneratedSchema {
  const exposed = new ExposedModel(kernel.contentTypes, shadow)
  if (isOn) refuseNames(exposed)
  const shared = new SharedTypes()
  const enumerations = new Enumerations()
  const inputs = new Inputs(exposed, shared, enumerations)
  const tools = { exposed, shared, enumerations, inputs, parameters: new ParameterTypes(kernel) }
  const outputs = new Outputs(tools)
  const { query, mutation } = isOn ? makeRoots(tools, outputs) : { query: {}, mutation: {} }
  const subscription = isOn && hasSubscriptions ? makeSubscriptions(tools, outputs) : {}
  // Extensions may refer to types that no generated operation has; those that nothing refers to are removed at the end.
  const types: GraphQLNamedType[] = []
  for (const type of isOn ? exposed.contentTypes : []) {
    types.push(outputs.responseOf(type))
    if (inputs.hasData(type)) types.push(inputs.dataOf(type))
  }
  const config: GraphQLSchemaConfig = {
    types,
    query: new GraphQLObjectType({ name: 'Query', fields: query }),
    mutation: rootOf('Mutation', mutation),
    subscription: rootOf('Subscription', subscription),
  }
  return { config, outputs, inputs, exposed }
}

function rootOf(name: string, fields: GraphQLFieldConfigMap<unknown, unknown>): GraphQLObjectType | null {
  return Object.keys(fields).length === 0 ? null : new GraphQLObjectType({ name, fields })
}
