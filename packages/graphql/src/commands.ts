// `plinth graphql schema`. The command opens the application without a server.

import type { CommandGroup, CommandTools, Kernel } from '@plinth/kernel'
import type { Config } from './config.ts'
import type { ExtensionService } from './extension/service.ts'
import type { GraphqlChanges } from './transport/changes.ts'

/** The registrations of plugins and code with a kernel. */
export interface Registrations {
  readonly extension: ExtensionService
  readonly changes: GraphqlChanges
}

/** Outside of the definition, because the compiler does not rewrite such paths inside of it. */
const loadSchema = () => Promise.all([import('./extension/build.ts'), import('graphql')])

/** The commands; `find` is given, because the plugin knows what was registered with which kernel. */
export function schemaCommands(find: (kernel: Kernel) => Registrations): CommandGroup {
  return {
    description: 'the GraphQL API of the application',
    commands: {
      schema: {
        description: 'print the schema, as SDL, for graphql-codegen and other tools',
        examples: ['plinth graphql schema > schema.graphql'],
        withoutDatabase: 'run',
        async run({ kernel, config, print }: CommandTools) {
          const [{ buildSchema }, { printSchema }] = await loadSchema()
          const { extension, changes } = find(kernel)
          const { shadowCRUD } = config as Config
          const hasSubscriptions = changes.close() !== null
          print(printSchema(await buildSchema(kernel, extension, { shadowCRUD, hasSubscriptions })))
        },
      },
    },
  }
}
