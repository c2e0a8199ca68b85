// The envelope of errors, and the answers with one that every operation may have (B-12.3).

import type { DescribedAnswer, JsonSchema } from '@plinth/server/transport'

/** The body of every failed answer. */
export const errorSchema: JsonSchema = {
  type: 'object',
  required: ['data', 'error'],
  properties: {
    data: { type: 'null' },
    error: {
      type: 'object',
      required: ['status', 'name', 'message'],
      properties: {
        status: { type: 'integer' },
        name: { type: 'string' },
        message: { type: 'string' },
        details: { type: 'object', additionalProperties: true },
      },
    },
  },
}

const descriptions: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  500: 'Internal Server Error',
}

/** The answers by status. */
export function errorAnswers(error: JsonSchema): Readonly<Record<string, DescribedAnswer>> {
  return Object.fromEntries(
    Object.entries(descriptions).map(([status, description]) => [status, { description, schema: error }]),
  )
}
