// Describes the routes of the plugin for documents of the API.

import type { DescribedOperation, JsonSchema } from '@plinth/server/transport'

const tag = 'Slugs'
const text: JsonSchema = { type: 'string' }

/** A body that names an attribute, and one member more. */
function bodyWith(name: string, schema: JsonSchema) {
  return {
    content: {
      'application/json': {
        type: 'object',
        required: ['contentTypeUID', 'field', name],
        properties: { contentTypeUID: text, field: text, [name]: schema },
        additionalProperties: false,
      },
    },
  }
}

/** POST /slugs/generate */
export const describeGeneration = (): DescribedOperation => ({
  tag,
  summary: 'Make a free value of a uid attribute',
  body: bodyWith('data', { type: 'object', additionalProperties: true }),
  answers: { 200: { description: 'OK', schema: { type: 'object', required: ['data'], properties: { data: text } } } },
})

/** POST /slugs/check-availability */
export const describeCheck = (): DescribedOperation => ({
  tag,
  summary: 'Check whether a value of a uid attribute is free',
  body: bodyWith('value', text),
  answers: {
    200: {
      description: 'OK',
      schema: {
        type: 'object',
        required: ['isAvailable', 'suggestion'],
        properties: { isAvailable: { type: 'boolean' }, suggestion: { anyOf: [text, { type: 'null' }] } },
      },
    },
  },
})
