// The settings of the plugin: `config` below 'users-permissions' in config/plugins. The names of v4 keep their meaning
// (B-6.53); `passwords`, `permissions` and `rules` are Plinth's.

import { type Static, Type } from '@plinth/kernel'
import { accountSettings } from './accounts/config.ts'
import { ruleSchema } from './rules/schema.ts'

export const configSchema = Type.Object(
  {
    ...accountSettings,
    permissions: Type.Record(Type.String(), Type.Array(Type.String()), {
      default: {},
      description: 'Actions of roles, by the type of the role: names, or patterns such as `api::article.article.*`.',
    }),
    rules: Type.Record(Type.String(), Type.Array(ruleSchema), {
      default: {},
      description: 'Rules of roles, by the type of the role.',
    }),
  },
  { additionalProperties: false },
)

/** The settings as the plugin reads them. */
export type Config = Static<typeof configSchema>
