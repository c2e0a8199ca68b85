// The settings of the plugin.

import { type Static, Type } from '@plinth/kernel'

export const configSchema = Type.Object(
  {
    /** Whether filters may pass through media, as in v4 (B-2.119). */
    allowFilters: Type.Boolean({ default: false }),
  },
  { additionalProperties: false },
)

export type UploadConfig = Static<typeof configSchema>
