// Builds the schema: what is generated, and what extensions add to it.

import type { Kernel } from '@plinth/kernel'
import * as graphql from 'graphql'
import { GraphQLBoolean, GraphQLNonNull, GraphQLObjectType, GraphQLSchema, isObjectType, validateSchema } from 'graphql'
import { attachOnce, attachResolvers } from '../answer/resolvers.ts'
import type { Settings } from '../config.ts'
import type { ExposedModel } from '../schema/exposed.ts'
import { generate } from '../schema/generate.ts'
import { locatedClash } from '../schema/name-faults.ts'
import { typeName } from '../schema/names.ts'
import type { ExtensionTools } from './extension.ts'
import { extensionFault } from './fault.ts'
import { addArguments } from './field-arguments.ts'
import { guardFields } from './guards.ts'
import { mergeParts } from './merge.ts'
import { MiddlewareSet } from './middlewares.ts'
import { loadNexus } from './nexus.ts'
import { collectParts } from './parts.ts'
import type { ExtensionService } from './service.ts'

/** The settings that decide what is in the schema. */
interface SchemaSettings extends Pick<Settings, 'shadowCRUD'> {
  readonly hasSubscriptions: boolean
}

/** Builds the schema of a kernel. Throws StartError for extensions that do not fit. */
export async function buildSchema(
  kernel: Kernel,
  extension: ExtensionService,
  settings: SchemaSettings,
): Promise<GraphQLSchema> {
  const { shadow, sources, middlewares } = extension.close()
  const { config, exposed } = generate(kernel, shadow, {
    isOn: settings.shadowCRUD,
    hasSubscriptions: settings.hasSubscriptions,
  })
  const generated = schemaOf(config, exposed)
  const tools: ExtensionTools = {
    kernel,
    graphql,
    schema: generated,
    typeName(uid) {
      const type = settings.shadowCRUD ? exposed.get(uid) : null
      return type === null ? null : typeName(type)
    },
    get nexus() {
      return loadNexus(kernel.dir)
    },
  }
  const parts = collectParts(sources, tools)
  const merged = withoutUnused(mergeParts(generated, parts, kernel.dir))
  addArguments(merged, parts.args)
  await guardFields(merged, parts.resolversConfig, { kernel, middlewares: new MiddlewareSet(kernel, middlewares) })
  attachOnce(merged)
  const [fault] = validateSchema(merged)
  if (fault !== undefined) throw extensionFault(fault.message, fault)
  return merged
}

/** Makes the schema of generated types, with all roots and with resolvers. Throws InvalidSchemaError if two of them have the same name. */
function schemaOf(config: graphql.GraphQLSchemaConfig, exposed: ExposedModel): GraphQLSchema {
  try {
    const schema = withRoots(new GraphQLSchema(config))
    attachResolvers(schema)
    return schema
  } catch (error) {
    throw locatedClash(error, exposed)
  }
}

/** The schema with all root types, so that extensions can extend them. */
function withRoots(schema: GraphQLSchema): GraphQLSchema {
  const root = (name: string) => new GraphQLObjectType({ name, fields: {} })
  const { mutation, subscription, ...config } = schema.toConfig()
  return new GraphQLSchema({
    ...config,
    mutation: mutation ?? root('Mutation'),
    subscription: subscription ?? root('Subscription'),
  })
}

/** The schema without the types that no operation leads to (B-9.98), and without empty roots. */
function withoutUnused(schema: GraphQLSchema): GraphQLSchema {
  const { query, mutation, subscription, types, ...config } = schema.toConfig()
  return new GraphQLSchema({
    ...config,
    query: filled(query) ?? emptyQuery(),
    mutation: filled(mutation),
    subscription: filled(subscription),
    // Those that are reached only through an interface.
    types: types.filter(one => isObjectType(one) && one.getInterfaces().length > 0),
  })
}

function filled(type: GraphQLObjectType | null | undefined): GraphQLObjectType | null {
  return type && Object.keys(type.getFields()).length > 0 ? type : null
}

/** A schema must have a query. Without any, v4 has this one. */
function emptyQuery(): GraphQLObjectType {
  return new GraphQLObjectType({
    name: 'Query',
    fields: { ok: { type: new GraphQLNonNull(GraphQLBoolean), resolve: () => true } },
  })
}
