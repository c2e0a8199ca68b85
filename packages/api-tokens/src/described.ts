// Describes the routes of tokens for documents of the API.

import type { DescribedOperation, DescribedParameter, JsonSchema, SchemaTools } from '@plinth/server/transport'
import { lifespans } from './input.ts'
import { tokenTypes } from './types.ts'

const tag = 'API Tokens'
const caller = 'a token with full access'

const text: JsonSchema = { type: 'string' }
const time: JsonSchema = { type: ['string', 'null'], format: 'date-time' }
const actions: JsonSchema = { type: 'array', items: text, description: 'The actions of a custom token' }

function tokenOf(tools: SchemaTools): JsonSchema {
  const properties = {
    id: { type: 'integer' },
    name: text,
    description: { type: ['string', 'null'] },
    type: { enum: [...tokenTypes] },
    lastUsedAt: time,
    expiresAt: time,
    lifespan: { type: ['string', 'null'], description: 'Milliseconds; null if it does not expire' },
    createdAt: time,
    updatedAt: time,
    permissions: actions,
  }
  return tools.named('ApiToken', { type: 'object', required: Object.keys(properties), properties })
}

/** A token with its key, which is answered once. */
function shownOf(tools: SchemaTools): JsonSchema {
  const key = { type: 'object', required: ['accessKey'], properties: { accessKey: text } }
  return tools.named('ApiTokenWithKey', { allOf: [tokenOf(tools), key] })
}

const bodyOf = (properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]) => ({
  content: { 'application/json': { type: 'object', required, properties, additionalProperties: false } },
})

const sent = { name: text, description: text, type: { enum: [...tokenTypes] }, permissions: actions }

const answer = (data: JsonSchema) => ({
  description: 'OK',
  schema: { type: 'object', required: ['data'], properties: { data } },
})

const parameters: readonly DescribedParameter[] = [
  { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
]

type Describe = (tools: SchemaTools) => DescribedOperation

/** The routes, by what they do. */
export const describeTokens = {
  list: tools => ({
    tag,
    caller,
    summary: 'List the tokens',
    answers: { 200: answer({ type: 'array', items: tokenOf(tools) }) },
  }),
  read: tools => ({
    tag,
    caller,
    summary: 'Read one of the tokens',
    parameters,
    answers: { 200: answer(tokenOf(tools)) },
  }),
  create: tools => ({
    tag,
    caller,
    summary: 'Create one of the tokens',
    body: bodyOf({ ...sent, lifespan: { enum: [...lifespans, null] } }, ['name']),
    answers: { 201: answer(shownOf(tools)) },
  }),
  regenerate: tools => ({
    tag,
    caller,
    summary: 'Give one of the tokens another key',
    parameters,
    answers: { 201: answer(shownOf(tools)) },
  }),
  update: tools => ({
    tag,
    caller,
    summary: 'Update one of the tokens',
    parameters,
    body: bodyOf(sent, []),
    answers: { 200: answer(tokenOf(tools)) },
  }),
  revoke: tools => ({
    tag,
    caller,
    summary: 'Revoke one of the tokens',
    parameters,
    answers: { 200: answer(tokenOf(tools)) },
  }),
} satisfies Readonly<Record<string, Describe>>
