// Describes the routes that the panel asks for documents of the API. The page and its files are not part of it.

import type { DescribedOperation, JsonSchema } from '@plinth/server/transport'
import { typeSchema } from './config.ts'

const tag = 'Studio'

/** The schema of the settings of a type, without the words that only messages of faults use. */
const settingsSchema = JSON.parse(
  JSON.stringify(typeSchema, (key, value) => (key === 'expected' ? undefined : value)),
) as JsonSchema

const answer = (schema: JsonSchema) => ({
  200: {
    description: 'OK',
    schema: { type: 'object', required: ['data'], properties: { data: schema }, additionalProperties: false },
  },
})

export const describeSettings = (): DescribedOperation => ({
  tag,
  summary: 'Read how the panel presents types and components, by their uid',
  answers: answer({ type: 'object', additionalProperties: settingsSchema }),
})

export const describeLogins = (): DescribedOperation => ({
  tag,
  summary: 'Read the logins by other providers that the panel offers',
  answers: answer({
    type: 'array',
    items: {
      type: 'object',
      required: ['name', 'label', 'callback'],
      properties: { name: { type: 'string' }, label: { type: 'string' }, callback: { type: 'string' } },
      additionalProperties: false,
    },
  }),
})
