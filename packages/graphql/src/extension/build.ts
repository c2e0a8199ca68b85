// Builds the schema: what is generated, and what extensions add to it.

import type { Kernel } from '@plinth/kernel'
import { assertValidSchema, GraphQLSchema } from 'graphql'
import type { Settings } from '../config.ts'
import { generate } from '../schema/generate.ts'
import type { ExtensionService } from './service.ts'

/** The schema of a kernel. Throws for extensions that do not fit. */
export function buildSchema(kernel: Kernel, extension: ExtensionService, settings: Settings): GraphQLSchema {
  const { shadow } = extension.close()
  const { config } = generate(kernel, shadow, settings.shadowCRUD)
  const schema = new GraphQLSchema(config)
  assertValidSchema(schema)
  return schema
}
