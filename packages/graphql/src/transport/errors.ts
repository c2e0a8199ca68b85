// Converts errors to v4's form: `{ message, extensions: { error, code } }` (B-9.70 to B-9.73). An error that is not meant
// for clients is answered as an internal one and logged.

import { ForbiddenError, PlinthError, PolicyError, UnauthorizedError } from '@plinth/kernel'
import { GraphQLError, type SourceLocation } from 'graphql'
import { isNullError } from '../answer/error-order.ts'

/** An error as clients receive it. */
export interface AnsweredError {
  readonly message: string
  readonly locations?: readonly SourceLocation[]
  readonly path?: readonly (string | number)[]
  readonly extensions: Readonly<Record<string, unknown>>
}

/** Why a document is refused before it is executed. */
export type RefusalCode =
  | 'GRAPHQL_PARSE_FAILED'
  | 'GRAPHQL_VALIDATION_FAILED'
  | 'BAD_USER_INPUT'
  | 'INTERNAL_SERVER_ERROR'
  | 'PERSISTED_QUERY_NOT_FOUND'
  | 'PERSISTED_QUERY_NOT_SUPPORTED'

/** An error of a document: where it is, and its code. */
export function refusal(error: GraphQLError, code: RefusalCode): AnsweredError {
  const { message, locations } = error
  return { message, ...(locations === undefined ? {} : { locations }), extensions: { code } }
}

/** A refusal that concerns no place of a document. */
export function plainRefusal(message: string, code: RefusalCode = 'INTERNAL_SERVER_ERROR'): AnsweredError {
  return { message, extensions: { code } }
}

/** An error of execution. `log` receives those that clients do not see. */
export function answeredError(error: GraphQLError, log: (error: unknown) => void): AnsweredError {
  const cause = causeOf(error)
  if (cause instanceof PlinthError) return ofKernel(cause)
  // Errors of graphql-js itself, such as a null that the schema does not allow, say nothing of the server.
  const isOwn = cause === undefined || cause instanceof GraphQLError || (cause instanceof Error && isNullError(cause))
  if (isOwn) {
    const { message, locations, path, extensions } = error
    return {
      message,
      ...(locations === undefined ? {} : { locations }),
      ...(path === undefined ? {} : { path }),
      extensions: { code: 'INTERNAL_SERVER_ERROR', ...extensions },
    }
  }
  log(cause)
  return plainRefusal('Internal Server Error')
}

/** The error that a resolver threw. */
function causeOf(error: unknown): unknown {
  let cause: unknown = error
  while (cause instanceof GraphQLError && cause.originalError !== undefined) cause = cause.originalError
  return cause === error ? undefined : cause
}

/** An error of the kernel. */
export function ofKernel(error: PlinthError): AnsweredError {
  const shown = error instanceof UnauthorizedError || isPlainForbidden(error) ? forbidden : error
  const { name, message, details } = shown
  return { message, extensions: { error: { name, message, details: details ?? {} }, code: codeOf(shown) } }
}

/** v4's words; those of a policy, and messages that code has chosen, stay. */
const forbidden = new ForbiddenError('Forbidden access')

function isPlainForbidden(error: PlinthError): boolean {
  return error instanceof ForbiddenError && !(error instanceof PolicyError) && error.message === 'Forbidden'
}

function codeOf(error: PlinthError): string {
  if (error.status === 403 || error.status === 401) return 'FORBIDDEN'
  if (error.name === 'ValidationError') return 'BAD_USER_INPUT'
  return `STRAPI_${error.name.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase()}`
}
