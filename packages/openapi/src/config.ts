// Defines the settings of the plugin.

import { type Static, Type } from '@plinth/kernel'

export const configSchema = Type.Object(
  {
    title: Type.Optional(
      Type.String({ minLength: 1, description: 'The title of the document; by default the name in package.json.' }),
    ),
    version: Type.Optional(
      Type.String({ minLength: 1, description: 'The version of the API; by default that in package.json.' }),
    ),
    description: Type.Optional(Type.String({ description: 'A text about the API.' })),
    inProduction: Type.Boolean({
      default: false,
      description:
        'True: the document is served in production, to callers with the right to read it, and the page too.',
    }),
  },
  { additionalProperties: false },
)

export type Config = Static<typeof configSchema>

/** The right to read the document in production. */
export const readAction = 'plugin::openapi.document.read'
