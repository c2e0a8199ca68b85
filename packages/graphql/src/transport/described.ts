// Describes the routes of the endpoint for documents of the API. What operations may ask for is said by the schema.

import type { DescribedOperation, DescribedParameter, JsonSchema, SchemaTools } from '@plinth/server/transport'

const tag = 'GraphQL'

const text: JsonSchema = { type: 'string' }
const anything: JsonSchema = { type: 'object', additionalProperties: true }

function answersOf(tools: SchemaTools): DescribedOperation['answers'] {
  const result = tools.named('GraphQLResult', {
    type: 'object',
    properties: {
      data: { type: ['object', 'null'], additionalProperties: true },
      errors: {
        type: 'array',
        items: { type: 'object', required: ['message'], properties: { message: text }, additionalProperties: true },
      },
      extensions: anything,
    },
  })
  return { 200: { description: 'The result; a list of them for a list of operations', schema: oneOrMore(result) } }
}

const oneOrMore = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'array', items: schema }] })

const query = (name: string, description: string): DescribedParameter => ({
  name,
  in: 'query',
  description,
  schema: text,
})

/** GET of the endpoint */
export const describeGet = (tools: SchemaTools): DescribedOperation => ({
  tag,
  summary: 'Run a query',
  parameters: [
    query('query', 'The text of the query'),
    query('operationName', 'The name of the operation that runs'),
    query('variables', 'The variables, as JSON'),
    query('extensions', 'As JSON'),
  ],
  answers: answersOf(tools),
})

/** The multipart request specification; the files are fields of any name. */
const form: JsonSchema = {
  type: 'object',
  required: ['operations', 'map'],
  properties: {
    operations: { ...text, contentMediaType: 'application/json' },
    map: { ...text, contentMediaType: 'application/json' },
  },
  additionalProperties: { ...text, contentMediaType: 'application/octet-stream' },
}

/** POST of the endpoint, which takes files if a plugin does. */
export const describePost =
  (takesFiles: boolean) =>
  (tools: SchemaTools): DescribedOperation => {
    const operation = tools.named('GraphQLOperation', {
      type: 'object',
      properties: {
        query: text,
        operationName: { type: ['string', 'null'] },
        variables: anything,
        extensions: anything,
      },
    })
    return {
      tag,
      summary: 'Run an operation, or a list of them',
      body: {
        content: { 'application/json': oneOrMore(operation), ...(takesFiles && { 'multipart/form-data': form }) },
      },
      answers: answersOf(tools),
    }
  }

/** The files of the explorer. */
export const describeFile = (mediaType: string) => (): DescribedOperation => ({
  tag,
  summary: 'A file of the explorer',
  answers: { 200: { description: 'OK', schema: text, mediaType } },
})
