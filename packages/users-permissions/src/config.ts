// The settings of the plugin: `config` below 'users-permissions' in config/plugins. The names of v4 keep their meaning
// (B-6.53); `passwords`, `permissions` and `rules` are Plinth's.

import { type Static, Type } from '@plinth/kernel'
import { accountSettings } from './accounts/config.ts'
import { ruleSchema } from './rules/schema.ts'

export const configSchema = Type.Object(
  {
    ...accountSettings,
    /** Actions of roles, by the type of the role: names, or patterns such as `api::article.article.*`. */
    permissions: Type.Record(Type.String(), Type.Array(Type.String()), { default: {} }),
    /** Rules of roles, by the type of the role. */
    rules: Type.Record(Type.String(), Type.Array(ruleSchema), { default: {} }),
  },
  { additionalProperties: false },
)

/** The settings as the plugin reads them. */
export type Config = Static<typeof configSchema>
