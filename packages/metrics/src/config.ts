// The settings of the plugin.

import { type Static, Type } from '@plinth/kernel'

export const configSchema = Type.Object(
  {
    /** The port of the numbers (9464); false serves them on the server of the API, and needs `token`. */
    port: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 65_535 }), Type.Literal(false)])),
    /** The address of that port (127.0.0.1). */
    host: Type.Optional(Type.String({ minLength: 1 })),
    /** The path (/metrics). */
    path: Type.Optional(Type.String({ pattern: '^/[\\w./-]*$' })),
    /** A secret that requests must send as `Authorization: Bearer <token>`. */
    token: Type.Optional(Type.String({ minLength: 1 })),
    /** The beginning of the names (plinth_). */
    prefix: Type.Optional(Type.String({ pattern: '^[a-zA-Z_]*$' })),
    /** The upper limits of the histogram of durations, in seconds. */
    buckets: Type.Optional(Type.Array(Type.Number({ exclusiveMinimum: 0 }), { minItems: 1 })),
    /** True if SQL statements are counted. Writes on SQLite are a little slower then. False by default. */
    statements: Type.Optional(Type.Boolean()),
    /** True if the numbers of Node are there: memory, event loop, garbage collection. True by default. */
    process: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)

export type Settings = Static<typeof configSchema>
