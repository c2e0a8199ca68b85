// Describes the routes of content types for documents of the API, with the names of v4's documentation (B-12.3, B-12.4).

import type { ContentType, Kernel, Operation } from '@plinth/kernel'
import type {
  DescribedBody,
  DescribedOperation,
  DescribedParameter,
  DescribeOperation,
  JsonSchema,
  SchemaTools,
} from '@plinth/server/transport'

/** Makes the description of the route of an action; called by whoever documents the API. */
export function describeEntryRoute(kernel: Kernel, type: ContentType, operation: Operation): DescribeOperation {
  return tools => {
    const isList = operation === 'find' && type.kind === 'collectionType'
    const body = operation === 'create' || operation === 'update' ? bodyOf(type, operation, { kernel, tools }) : null
    return {
      tag: tools.nameOf(type.uid),
      summary: summaryOf(type, operation),
      ...descriptionOf(type),
      parameters: [...pathOf(type, operation), ...tools.parameters(type.uid, operation)],
      ...(body !== null && { body }),
      answers: { 200: { description: 'OK', schema: isList ? listOf(type, tools) : responseOf(type, tools) } },
    } satisfies DescribedOperation
  }
}

const summaries: Readonly<Record<Operation, string>> = {
  find: 'List',
  findOne: 'Read one of',
  create: 'Create one of',
  update: 'Update one of',
  delete: 'Delete one of',
}

function summaryOf({ kind, singularName, pluralName }: ContentType, operation: Operation): string {
  if (kind === 'collectionType') return `${summaries[operation]} the ${pluralName}`
  if (operation === 'find') return `Read the ${singularName}`
  return `${operation === 'delete' ? 'Delete' : 'Create or update'} the ${singularName}`
}

function descriptionOf({ info }: ContentType): { readonly description?: string } {
  const { description } = info
  return typeof description === 'string' && description !== '' ? { description } : {}
}

function pathOf({ kind }: ContentType, operation: Operation): readonly DescribedParameter[] {
  const hasId = kind === 'collectionType' && operation !== 'find' && operation !== 'create'
  return hasId ? [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }] : []
}

interface BodyTools {
  readonly kernel: Kernel
  readonly tools: SchemaTools
}

function bodyOf({ uid }: ContentType, operation: 'create' | 'update', { kernel, tools }: BodyTools): DescribedBody {
  const data = tools.data(uid, operation)
  const name = `${tools.nameOf(uid)}${operation === 'create' ? '' : 'Update'}Request`
  const schema = { type: 'object', required: ['data'], properties: { data } }
  const takesFiles = kernel.services.find('rest', 'files') !== null
  return {
    content: {
      'application/json': tools.named(name, schema),
      ...(takesFiles && { 'multipart/form-data': form }),
    },
  }
}

/** Files stand in fields that are named after the attribute: `files.cover`, `files.seo.image`. */
const form: JsonSchema = {
  type: 'object',
  required: ['data'],
  properties: { data: { type: 'string', contentMediaType: 'application/json', description: 'The data, as JSON' } },
  patternProperties: { '^files\\.': { type: 'string', contentMediaType: 'application/octet-stream' } },
}

/** The answer with one entry. */
function responseOf({ uid }: ContentType, tools: SchemaTools): JsonSchema {
  const name = `${tools.nameOf(uid)}Response`
  const meta = { type: 'object', additionalProperties: true }
  return tools.named(name, {
    type: 'object',
    required: ['data', 'meta'],
    properties: { data: tools.wrapped(uid), meta },
  })
}

function listOf({ uid }: ContentType, tools: SchemaTools): JsonSchema {
  const name = tools.nameOf(uid)
  const item = tools.named(`${name}ListResponseDataItem`, tools.wrapped(uid))
  const whole = (minimum: number) => ({ type: 'integer', minimum })
  const pagination = tools.named('Pagination', {
    type: 'object',
    description: '`page`, `pageSize` and `pageCount`, or `start` and `limit`, as they were asked for',
    properties: {
      page: whole(1),
      pageSize: whole(0),
      pageCount: whole(0),
      start: whole(0),
      limit: whole(0),
      total: whole(0),
    },
  })
  return tools.named(`${name}ListResponse`, {
    type: 'object',
    required: ['data', 'meta'],
    properties: {
      data: { type: 'array', items: item },
      meta: { type: 'object', required: ['pagination'], properties: { pagination }, additionalProperties: true },
    },
  })
}
