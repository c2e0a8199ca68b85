// The settings of the plugin.

import { type Static, Type } from '@plinth/kernel'

const seconds = (text: string) => Type.Optional(Type.Integer({ minimum: 1, maximum: 2_592_000, description: text }))

export const configSchema = Type.Object(
  {
    keepFor: seconds('Seconds for which an answer is kept; a day by default.'),
    lostAfter: seconds(
      'Seconds after which a request that has not ended counts as lost, and may be carried out again if it has not written; 60 by default.',
    ),
    maxAnswerBytes: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 8_388_608,
        description: 'Bytes of an answer that is kept; 262144 by default.',
      }),
    ),
  },
  { additionalProperties: false },
)

/** The settings, with times in milliseconds. */
export interface Settings {
  readonly keepFor: number
  readonly lostAfter: number
  readonly maxAnswerBytes: number
}

export function settingsOf({
  keepFor = 86_400,
  lostAfter = 60,
  maxAnswerBytes = 262_144,
}: Static<typeof configSchema>): Settings {
  return { keepFor: keepFor * 1000, lostAfter: lostAfter * 1000, maxAnswerBytes }
}
