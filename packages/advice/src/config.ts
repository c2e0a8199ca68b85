// The settings of the plugin.

import { type Static, Type } from '@plinth/kernel'

export const configSchema = Type.Object(
  {
    storeEvery: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 3600,
        description: 'Seconds between two times that counts are stored; 60 by default, and 5 in development.',
      }),
    ),
    warnings: Type.Optional(
      Type.Boolean({
        description: 'True if the log has a warning for each search without an index. By default in development.',
      }),
    ),
  },
  { additionalProperties: false },
)

/** The settings, with their defaults. */
export interface Settings {
  readonly storeEvery: number
  readonly warnings: boolean
}

export function settingsOf({ storeEvery, warnings }: Static<typeof configSchema>): Settings {
  const isProduction = process.env.NODE_ENV === 'production'
  return { storeEvery: (storeEvery ?? (isProduction ? 60 : 5)) * 1000, warnings: warnings ?? !isProduction }
}
