// The settings of the plugin.

import { type Static, Type } from '@plinth/kernel'

export const configSchema = Type.Object(
  {
    port: Type.Optional(
      Type.Union([Type.Integer({ minimum: 0, maximum: 65_535 }), Type.Literal(false)], {
        description: 'The port of the numbers (9464); false serves them on the server of the API, and needs `token`.',
      }),
    ),
    host: Type.Optional(Type.String({ minLength: 1, description: 'The address of that port (127.0.0.1).' })),
    path: Type.Optional(
      Type.String({
        pattern: '^/[\\w./-]*$',
        expected: 'a path that begins with "/", such as "/metrics"',
        description: 'The path (/metrics).',
      }),
    ),
    token: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'A secret that requests must send as `Authorization: Bearer <token>`.',
      }),
    ),
    prefix: Type.Optional(
      Type.String({
        pattern: '^[a-zA-Z_]*$',
        expected: 'letters and "_", such as "plinth_"',
        description: 'The beginning of the names (plinth_).',
      }),
    ),
    buckets: Type.Optional(
      Type.Array(Type.Number({ exclusiveMinimum: 0 }), {
        minItems: 1,
        description: 'The upper limits of the histogram of durations, in seconds.',
      }),
    ),
    statements: Type.Optional(
      Type.Boolean({
        description: 'True if SQL statements are counted. Some writes are a little slower then. False by default.',
      }),
    ),
    process: Type.Optional(
      Type.Boolean({
        description: 'True if the numbers of Node are there: memory, event loop, garbage collection. True by default.',
      }),
    ),
  },
  { additionalProperties: false },
)

export type Settings = Static<typeof configSchema>
