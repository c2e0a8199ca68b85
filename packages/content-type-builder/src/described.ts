// Describes the routes of the model for documents of the API.

import type { DescribedOperation, DescribedParameter, JsonSchema, SchemaTools } from '@plinth/server/transport'

const tag = 'Content-Type-Builder'

const text: JsonSchema = { type: 'string' }

/** A type or a component in v4's form. What attributes may have is the concern of their types. */
function typeOf(tools: SchemaTools, kind: 'ContentType' | 'Component'): JsonSchema {
  const schema = {
    type: 'object',
    required: ['displayName', 'description', 'collectionName', 'attributes'],
    properties: {
      displayName: text,
      description: text,
      collectionName: text,
      attributes: {
        type: 'object',
        additionalProperties: {
          type: 'object',
          required: ['type'],
          properties: { type: text },
          additionalProperties: true,
        },
      },
    },
    additionalProperties: true,
  }
  const own = kind === 'ContentType' ? { plugin: text, apiID: text } : { category: text, apiId: text }
  return tools.named(`ContentTypeBuilder${kind}`, {
    type: 'object',
    required: ['uid', 'schema'],
    properties: { uid: text, ...own, schema },
  })
}

const answer = (data: JsonSchema) => ({
  200: { description: 'OK', schema: { type: 'object', required: ['data'], properties: { data } } },
})

const missing = {
  404: {
    description: 'There is no such type or component, or the caller may not know of it',
    schema: { type: 'object', required: ['error'], properties: { error: text } },
  },
}

const uid: DescribedParameter = { name: 'uid', in: 'path', required: true, schema: text }

const kind: DescribedParameter = {
  name: 'kind',
  in: 'query',
  schema: { enum: ['collectionType', 'singleType'] },
}

type Describe = (tools: SchemaTools) => DescribedOperation

/** The routes, by what they do. */
export const describeModelRoutes = {
  listTypes: tools => ({
    tag,
    summary: 'List the content types',
    parameters: [kind],
    answers: answer({ type: 'array', items: typeOf(tools, 'ContentType') }),
  }),
  readType: tools => ({
    tag,
    summary: 'Read one of the content types',
    parameters: [uid],
    answers: { ...answer(typeOf(tools, 'ContentType')), ...missing },
  }),
  listComponents: tools => ({
    tag,
    summary: 'List the components',
    answers: answer({ type: 'array', items: typeOf(tools, 'Component') }),
  }),
  readComponent: tools => ({
    tag,
    summary: 'Read one of the components',
    parameters: [uid],
    answers: { ...answer(typeOf(tools, 'Component')), ...missing },
  }),
  readModel: tools => {
    const list = { type: 'array', items: { type: 'object', additionalProperties: true } }
    const model = {
      type: 'object',
      required: ['types', 'operators', 'parameters'],
      properties: { types: list, operators: list, parameters: list },
    }
    return {
      tag,
      summary: 'Read the model, for `plinth types --url`',
      answers: answer(tools.named('ContentTypeBuilderModel', model)),
    }
  },
  readRights: tools => {
    const names: JsonSchema = { type: 'array', items: text }
    const byOperation = (...operations: string[]) => ({
      type: 'object',
      properties: Object.fromEntries(operations.map(one => [one, names])),
      additionalProperties: false,
    })
    const attributes = {
      readable: byOperation('find', 'findOne'),
      writable: byOperation('create', 'update'),
      closed: byOperation('create', 'update'),
    }
    const rightsOf = (properties: Readonly<Record<string, JsonSchema>>) => ({
      type: 'object',
      additionalProperties: { type: 'object', required: Object.keys(properties), properties },
    })
    const parameters = { type: 'object', additionalProperties: names }
    const rights = {
      type: 'object',
      required: ['contentTypes', 'components', 'actions'],
      properties: {
        contentTypes: rightsOf({ actions: names, ...attributes, parameters }),
        components: rightsOf(attributes),
        actions: names,
      },
    }
    return {
      tag,
      summary: 'Read what the caller may do',
      answers: answer(tools.named('ContentTypeBuilderRights', rights)),
    }
  },
} satisfies Readonly<Record<string, Describe>>
