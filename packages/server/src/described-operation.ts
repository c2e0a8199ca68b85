// Declares what routes may say about themselves, for plugins that document the API. Only types: the server does not read
// what is said, and it costs a route nothing that nobody asks.

/** A JSON schema of draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** A parameter of a path, of a query string, or a header. */
export interface DescribedParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly description?: string
  readonly required?: boolean
  readonly schema: JsonSchema
  /** `deepObject` for parameters such as `filters[title][$eq]`. */
  readonly style?: 'deepObject'
}

/** The body of a request. */
export interface DescribedBody {
  /** Schemas by media type. */
  readonly content: Readonly<Record<string, JsonSchema>>
  /** False: a request may have none. */
  readonly required?: boolean
}

/** An answer with one status. */
export interface DescribedAnswer {
  readonly description: string
  /** Missing: the answer has no body. */
  readonly schema?: JsonSchema
  /** The media type of the body; `application/json` by default. */
  readonly mediaType?: string
  /** Headers that clients use, by their names. */
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: JsonSchema }>>
}

/** One operation. Its path, its method and the rights that it needs are those of the route. */
export interface DescribedOperation {
  /** The group in which it is shown, such as `Article`. */
  readonly tag: string
  /** One line. */
  readonly summary: string
  readonly description?: string
  /** Parameters of the path that are not named here are texts. */
  readonly parameters?: readonly DescribedParameter[]
  readonly body?: DescribedBody
  /** By status. Errors that all operations may answer are added. */
  readonly answers: Readonly<Record<number, DescribedAnswer>>
  /** Whoever may call it, if the route names no action: `a token with full access`. */
  readonly caller?: string
  /** The methods that are documented of a route for all methods. */
  readonly methods?: readonly string[]
}

/** Makes the schemas of entries. Each is a reference, so that types may lead to each other. */
export interface SchemaTools {
  /** The envelope of errors. */
  readonly error: JsonSchema
  /** The attributes of entries of a type, with what may be populated, as the REST API answers them. */
  attributes(uid: string): JsonSchema
  /** An entry of a type with its id, as the REST API answers it: `{ id, attributes }`. */
  wrapped(uid: string): JsonSchema
  /** An entry as `kernel.query` answers it, without a member `attributes`. `name` is that of the schema. */
  entry(uid: string, name?: string): JsonSchema
  /** The attributes that a creation or an update of an entry may set. */
  data(uid: string, use: 'create' | 'update'): JsonSchema
  /** A schema with a name, which is the same for all calls with the name. */
  named(name: string, schema: JsonSchema): JsonSchema
  /** The name of a type, with which names of schemas and tags begin: `Article`. */
  nameOf(uid: string): string
  /** The parameters of a query of a type, those of plugins included. */
  parameters(uid: string, action: QueryAction): readonly DescribedParameter[]
}

/** The actions of queries: what is asked for with an answer of a write is that of the write. */
export type QueryAction = 'find' | 'findOne' | 'create' | 'update' | 'delete'

/** Describes the operation of a route; called when a document is made, after the start. */
export type DescribeOperation = (tools: SchemaTools) => DescribedOperation
