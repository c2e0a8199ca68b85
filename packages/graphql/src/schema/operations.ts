// The generated queries and mutations of content types (B-9.31, B-9.32, B-9.44).

import type { Action, ContentType } from '@plinth/kernel'
import { type GraphQLFieldConfig, type GraphQLFieldConfigMap, GraphQLID, GraphQLNonNull } from 'graphql'
import type { RootOperation } from './meaning.ts'
import { manyQuery, manySubscription, oneQuery, oneSubscription, typeName } from './names.ts'
import { listArguments, type Outputs, type OutputTools } from './outputs.ts'
import type { FieldParameters } from './parameters.ts'
import { meaning } from './shared.ts'

type Field = GraphQLFieldConfig<unknown, unknown>
type Fields = GraphQLFieldConfigMap<unknown, unknown>

/** The fields of the roots. */
export interface Roots {
  readonly query: Fields
  readonly mutation: Fields
}

/** Makes the fields of the roots for all content types. */
export function makeRoots(tools: OutputTools, outputs: Outputs): Roots {
  const roots: Roots = { query: {}, mutation: {} }
  for (const type of tools.exposed.contentTypes) {
    const make = type.kind === 'singleType' ? singleFields : collectionFields
    const { query, mutation } = make({ tools, outputs, type })
    const shadow = tools.exposed.shadowOf(type)
    if (shadow.areQueriesEnabled()) Object.assign(roots.query, query)
    if (shadow.areMutationsEnabled()) Object.assign(roots.mutation, mutation)
  }
  return roots
}

/** Makes the subscriptions for all content types: those that can be queried can be subscribed to. */
export function makeSubscriptions(tools: OutputTools, outputs: Outputs): Fields {
  const fields: Fields = {}
  for (const type of tools.exposed.contentTypes) {
    const shadow = tools.exposed.shadowOf(type)
    if (!shadow.areQueriesEnabled()) continue
    const scope = { tools, outputs, type }
    const change = outputs.changeOf(type)
    const isOn = (action: string) => shadow.isActionEnabled(action)
    if (type.kind === 'singleType') {
      if (isOn('find')) fields[oneSubscription(type)] = root(scope, 'changedSingle', change, {})
      continue
    }
    const id = { id: { type: new GraphQLNonNull(GraphQLID) } }
    const filters = { filters: { type: tools.inputs.filtersOf(type) } }
    if (isOn('findOne')) fields[oneSubscription(type)] = root(scope, 'changedOne', change, id)
    if (isOn('find')) fields[manySubscription(type)] = root(scope, 'changedMany', change, filters)
  }
  return fields
}

interface TypeScope {
  readonly tools: OutputTools
  readonly outputs: Outputs
  readonly type: ContentType
}

function collectionFields(scope: TypeScope): Roots {
  const { tools, outputs, type } = scope
  const { inputs, shared } = tools
  const isOn = (action: string) => tools.exposed.shadowOf(type).isActionEnabled(action)
  const query: Fields = {}
  const mutation: Fields = {}
  const id = { id: { type: GraphQLID } }
  const oneId = { id: { type: new GraphQLNonNull(GraphQLID) } }
  const response = outputs.responseOf(type)
  if (isOn('findOne')) query[oneQuery(type)] = root(scope, 'findOne', response, id)
  if (isOn('find'))
    query[manyQuery(type)] = root(scope, 'find', outputs.collectionOf(type), listArguments(inputs, shared, type))
  const name = typeName(type)
  if (isOn('create')) mutation[`create${name}`] = root(scope, 'create', response, dataArgument(scope))
  if (isOn('update')) mutation[`update${name}`] = root(scope, 'update', response, { ...oneId, ...dataArgument(scope) })
  if (isOn('delete')) mutation[`delete${name}`] = root(scope, 'delete', response, oneId)
  return { query, mutation }
}

function singleFields(scope: TypeScope): Roots {
  const { tools, outputs, type } = scope
  const isOn = (action: string) => tools.exposed.shadowOf(type).isActionEnabled(action)
  const query: Fields = {}
  const mutation: Fields = {}
  const response = outputs.responseOf(type)
  if (isOn('find')) query[oneQuery(type)] = root(scope, 'findSingle', response, {})
  const name = typeName(type)
  if (isOn('update')) mutation[`update${name}`] = root(scope, 'put', response, dataArgument(scope))
  if (isOn('delete')) mutation[`delete${name}`] = root(scope, 'deleteSingle', response, {})
  return { query, mutation }
}

/** Entries without attributes are written without data. */
function dataArgument({ tools, type }: TypeScope): FieldParameters['args'] {
  if (!tools.inputs.hasData(type)) return {}
  return { data: { type: new GraphQLNonNull(tools.inputs.dataOf(type)) } }
}

function root(
  { tools, type }: TypeScope,
  operation: RootOperation,
  output: Field['type'],
  own: FieldParameters['args'],
): Field {
  const { args, parameters } = tools.parameters.at(placeOf[operation], type, singleWrites[operation])
  return {
    type: output,
    args: { ...own, ...args },
    extensions: meaning({ kind: 'root', operation, type, parameters }),
  }
}

/** The writes that first find an entry: the parameters that act on them are those of the query. */
const singleWrites: { readonly [operation in RootOperation]?: Action } = { put: 'update', deleteSingle: 'delete' }

const placeOf = {
  find: 'many',
  findSingle: 'many',
  findOne: 'one',
  create: 'writes',
  update: 'writes',
  put: 'writes',
  delete: 'writes',
  deleteSingle: 'writes',
  changedMany: 'many',
  changedOne: 'one',
  changedSingle: 'many',
} as const
