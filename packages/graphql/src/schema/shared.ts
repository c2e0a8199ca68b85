// The types that all generated operations share: pagination, the error of an empty zone, and the filters of scalars
// (B-9.4, B-9.40). They belong to no content type.

import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLFloat,
  GraphQLID,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLScalarType,
  GraphQLString,
} from 'graphql'
import { type FieldMeaning, type InputMeaning, type PageMember, plinth, type TypeMeaning } from './meaning.ts'
import { DateScalar, DateTimeScalar, JsonScalar, LongScalar, TimeScalar } from './scalars.ts'

type Meaning = TypeMeaning | FieldMeaning | InputMeaning

/** The `extensions` of a generated type or field. */
export function meaning(what: Meaning): { readonly [plinth]: Meaning } {
  return { [plinth]: what }
}

const page = (member: PageMember) => ({
  type: new GraphQLNonNull(GraphQLInt),
  extensions: meaning({ kind: 'page', member }),
})

const scalars = {
  ID: GraphQLID,
  Boolean: GraphQLBoolean,
  String: GraphQLString,
  Int: GraphQLInt,
  Long: LongScalar,
  Float: GraphQLFloat,
  Date: DateScalar,
  Time: TimeScalar,
  DateTime: DateTimeScalar,
  JSON: JsonScalar,
} as const

export type ScalarName = keyof typeof scalars

export function scalarNamed(name: ScalarName): GraphQLScalarType {
  return scalars[name]
}

/** Operators that compare with one value, in v4's order. */
const single = [
  'eq',
  'eqi',
  'ne',
  'nei',
  'startsWith',
  'endsWith',
  'contains',
  'notContains',
  'containsi',
  'notContainsi',
  'gt',
  'gte',
  'lt',
  'lte',
]

/** The types of one schema. Each schema has its own, because extensions may change them. */
export class SharedTypes {
  readonly #filters = new Map<ScalarName, GraphQLInputObjectType>()

  readonly pagination = new GraphQLObjectType({
    name: 'Pagination',
    extensions: meaning({ kind: 'pagination' }),
    fields: { total: page('total'), page: page('page'), pageSize: page('pageSize'), pageCount: page('pageCount') },
  })

  readonly meta = new GraphQLObjectType({
    name: 'ResponseCollectionMeta',
    extensions: meaning({ kind: 'meta' }),
    fields: {
      pagination: {
        type: new GraphQLNonNull(this.pagination),
        extensions: meaning({ kind: 'pagination' }),
      },
    },
  })

  readonly paginationArg = new GraphQLInputObjectType({
    name: 'PaginationArg',
    fields: {
      page: { type: GraphQLInt },
      pageSize: { type: GraphQLInt },
      start: { type: GraphQLInt },
      limit: { type: GraphQLInt },
    },
  })

  readonly error = new GraphQLObjectType({
    name: 'Error',
    fields: { code: { type: new GraphQLNonNull(GraphQLString) }, message: { type: GraphQLString } },
  })

  /** The action on an entry, in events of subscriptions. */
  readonly changeAction = new GraphQLEnumType({
    name: 'EntryChangeAction',
    values: { CREATE: { value: 'create' }, UPDATE: { value: 'update' }, DELETE: { value: 'delete' } },
  })

  /** The filter input of a scalar. */
  filterOf(name: ScalarName): GraphQLInputObjectType {
    const cached = this.#filters.get(name)
    if (cached !== undefined) return cached
    const type = scalars[name]
    const list = new GraphQLList(type)
    const of = (names: readonly string[], fieldType: GraphQLInputType) =>
      Object.fromEntries(names.map(one => [one, { type: fieldType }]))
    const inputType: GraphQLInputObjectType = new GraphQLInputObjectType({
      name: `${name}FilterInput`,
      fields: () => ({
        ...of(['and', 'or'], list),
        not: { type: inputType },
        ...of(single, type),
        ...of(['null', 'notNull'], GraphQLBoolean),
        ...of(['in', 'notIn', 'between'], list),
      }),
    })
    this.#filters.set(name, inputType)
    return inputType
  }
}
