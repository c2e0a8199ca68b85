// The form of a rule in the settings of the plugin. What a rule means is checked against the model, in compile.ts.

import { type Static, Type } from '@plinth/kernel'

const strict = { additionalProperties: false }
const filters = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description })

/** A rule of a role: which entries an action may concern, what must hold after it, and which attributes it may not use. */
export const ruleSchema = Type.Object(
  {
    action: Type.String({
      description: 'The name of an action of a content type, or a pattern such as `api::article.article.*`.',
    }),
    where: Type.Optional(
      filters('Filters of the REST API that the entries must fulfil, with `$user.<path>` and `$now` as values.'),
    ),
    check: Type.Optional(
      filters('Filters that an entry must fulfil after a creation or an update; without it, those of `where`.'),
    ),
    fields: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        description: 'Attributes that are hidden from reads, and that a write may not send.',
      }),
    ),
  },
  strict,
)

/** A rule as the settings hold it. */
export type RuleConfig = Static<typeof ruleSchema>
