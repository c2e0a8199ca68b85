// Describes routes of an application's own by the schemas with which Fastify checks their requests and writes their
// answers, if they have some.

import type { DescribedAnswer, DescribedOperation, DescribedParameter, JsonSchema } from '@plinth/server/transport'

/** `schema` of a route, as far as documents show it. */
export interface RouteSchema {
  readonly body?: unknown
  readonly querystring?: unknown
  readonly params?: unknown
  readonly headers?: unknown
  readonly response?: unknown
  readonly summary?: unknown
  readonly description?: unknown
}

/** Returns the operation of a route, by its schema. */
export function operationBySchema(schema: RouteSchema, tag: string, usualSummary: string): DescribedOperation {
  const { body, querystring, params, headers, response, summary, description } = schema
  const answers = Object.entries(isSchema(response) ? response : {}).flatMap(([status, one]) => answerOf(status, one))
  return {
    tag,
    summary: typeof summary === 'string' ? summary : usualSummary,
    ...(typeof description === 'string' && { description }),
    parameters: [
      ...parametersIn('path', params),
      ...parametersIn('query', querystring),
      ...parametersIn('header', headers),
    ],
    ...(isSchema(body) && { body: { content: { 'application/json': plain(body) } } }),
    answers: Object.fromEntries(answers),
  }
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null

/** Removes members that are not JSON, such as the marks of libraries that make schemas. */
const plain = (schema: unknown): JsonSchema => JSON.parse(JSON.stringify(schema))

/** Statuses such as `2xx` are left out. */
function answerOf(status: string, schema: unknown): [string, DescribedAnswer][] {
  if (!/^\d{3}$/.test(status) || !isSchema(schema)) return []
  const { description, ...others } = plain(schema)
  return [[status, { description: typeof description === 'string' ? description : 'OK', schema: others }]]
}

function parametersIn(place: DescribedParameter['in'], schema: unknown): DescribedParameter[] {
  if (!isSchema(schema)) return []
  const { properties = {}, required = [] } = plain(schema) as {
    readonly properties?: Readonly<Record<string, JsonSchema>>
    readonly required?: readonly string[]
  }
  return Object.entries(properties).map(([name, of]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: of,
  }))
}
