// Loads nexus, which is an optional peer, only when an extension uses it, and makes graphql-js types of what is written
// with it. Everything else of the package knows graphql-js types alone.

import { createRequire } from 'node:module'
import { join } from 'node:path'
import { StartError } from '@plinth/kernel'
import { type GraphQLNamedType, type GraphQLSchema, isSpecifiedScalarType } from 'graphql'

/** The part of nexus that is called here. */
interface Nexus {
  makeSchema(config: object): GraphQLSchema
}

/** Loads nexus from the folder of the application, or from this package. Throws StartError if neither has it. */
export function loadNexus(dir: string): Nexus {
  for (const from of [join(dir, 'package.json'), import.meta.filename]) {
    try {
      return createRequire(from)('nexus') as Nexus
    } catch (error) {
      if ((error as { readonly code?: unknown }).code !== 'MODULE_NOT_FOUND') throw error
    }
  }
  throw new StartError(
    'PLINTH_GRAPHQL_EXTENSION',
    'graphql extension: it uses nexus, which is not installed; run `npm install nexus`, or use `typeDefs` or types of graphql-js',
  )
}

/** The property by which nexus marks what it makes, whichever copy of it an application has. */
const mark = Symbol.for('@nexus/wrapped')

/** Returns whether nexus made a definition: with `extendType`, `objectType` or another of its functions. */
export function isOfNexus(definition: unknown): boolean {
  return typeof definition === 'object' && definition !== null && mark in definition
}

/** The types of a schema that nexus makes of its definitions, which may refer to the types of `schema` by name. */
export function typesOfNexus(
  nexus: Nexus,
  definitions: readonly unknown[],
  { schema, plugins }: { readonly schema: GraphQLSchema; readonly plugins: readonly unknown[] },
): GraphQLNamedType[] {
  const existing = Object.values(schema.getTypeMap()).filter(isOwnType)
  const nexusSchema = nexus.makeSchema({
    types: [...existing, ...definitions],
    plugins,
    shouldGenerateArtifacts: false,
  })
  return Object.values(nexusSchema.getTypeMap()).filter(isOwnType)
}

function isOwnType(type: GraphQLNamedType): boolean {
  return !type.name.startsWith('__') && !isSpecifiedScalarType(type)
}
