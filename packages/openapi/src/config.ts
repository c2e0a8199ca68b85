// Defines the settings of the plugin.

import { type Static, Type } from '@plinth/kernel'

export const configSchema = Type.Object(
  {
    /** The title of the document; by default the name in package.json. */
    title: Type.Optional(Type.String({ minLength: 1 })),
    /** The version of the API; by default that in package.json. */
    version: Type.Optional(Type.String({ minLength: 1 })),
    description: Type.Optional(Type.String()),
    /** True: the document is served in production, to callers with the right to read it, and the page too. */
    inProduction: Type.Boolean({ default: false }),
  },
  { additionalProperties: false },
)

export type Config = Static<typeof configSchema>

/** The right to read the document in production. */
export const readAction = 'plugin::openapi.document.read'
