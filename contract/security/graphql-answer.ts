/** The answer to an operation of GraphQL, as JSON has it. */

export interface GraphqlAnswer {
  readonly data?: Readonly<Record<string, unknown>> | null
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[]
}
