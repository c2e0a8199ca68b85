// Lists the parameters of queries (B-2): those of every type, and those that plugins have added.

import type { ContentType, Kernel, ParameterDefinition } from '@plinth/kernel'
import type { DescribedParameter, JsonSchema, QueryAction } from '@plinth/server/transport'

const texts: JsonSchema = { type: 'array', items: { type: 'string' } }

const inQuery = (name: string, description: string, schema: JsonSchema): DescribedParameter => ({
  name,
  in: 'query',
  description,
  schema,
})

/** Parameters that select the content of an answer. */
const selecting: readonly DescribedParameter[] = [
  inQuery('fields', 'The attributes that are answered; all by default', { anyOf: [{ type: 'string' }, texts] }),
  inQuery('populate', 'The relations, media, components and zones that are answered; none by default', {
    anyOf: [{ type: 'string' }, texts, { type: 'object', additionalProperties: true }],
  }),
]

/** The order of a list, and its entries. */
const finding: readonly DescribedParameter[] = [
  {
    name: 'filters',
    in: 'query',
    description: 'Conditions: `filters[title][$contains]=hello`',
    schema: { type: 'object', additionalProperties: true },
    style: 'deepObject',
  },
  inQuery('sort', 'Attributes, each perhaps with `:asc` or `:desc`', { anyOf: [{ type: 'string' }, texts] }),
  inQuery('_q', 'A text that an attribute contains', { type: 'string' }),
]

const page: readonly DescribedParameter[] = [
  inQuery('pagination[page]', 'The page, from 1', { type: 'integer' }),
  inQuery('pagination[pageSize]', 'The number of entries of a page', { type: 'integer' }),
  inQuery('pagination[start]', 'The number of entries that are left out first, in place of a page', {
    type: 'integer',
  }),
  inQuery('pagination[limit]', 'The number of entries, in place of that of a page', { type: 'integer' }),
  inQuery('pagination[withCount]', 'True if the entries are counted', { type: 'boolean' }),
]

/** The parameters of a query of a type. */
export function queryParameters(
  { parameters }: Pick<Kernel, 'parameters'>,
  type: ContentType,
  action: QueryAction,
): readonly DescribedParameter[] {
  const isList = action === 'find' && type.kind === 'collectionType'
  const own = parameters.values().filter(one => one.for(type) && actsOn(one, action))
  return [...(isList ? [...finding, ...page] : []), ...selecting, ...own.map(parameterOf)]
}

/** Populated entries and those of a filter are concerned, whatever the action is. */
function actsOn({ actions, depth }: ParameterDefinition, action: QueryAction): boolean {
  return actions.includes(action) || depth === 'every'
}

function parameterOf({ name, schema, offer }: ParameterDefinition): DescribedParameter {
  const { description, default: value } = offer ?? {}
  const plain = JSON.parse(JSON.stringify(schema)) as JsonSchema
  return {
    name,
    in: 'query',
    ...(description !== undefined && { description }),
    schema: { ...plain, ...(value !== undefined && { default: value }) },
  }
}
