// Converts errors to v4's form: `{ message, extensions: { error, code } }` (B-9.70 to B-9.73). An error that is not meant
// for clients is answered as an internal one and logged. What errors cite of a request is cut, and so is their number.

import { ForbiddenError, PlinthError, PolicyError, UnauthorizedError } from '@plinth/kernel'
import { cite, cutMessage, shownError } from '@plinth/server/transport'
import { type ASTNode, GraphQLError, print, type SourceLocation } from 'graphql'

/** An error as clients receive it. */
export interface AnsweredError {
  readonly message: string
  readonly locations?: readonly SourceLocation[]
  readonly path?: readonly (string | number)[]
  readonly extensions: Readonly<Record<string, unknown>>
}

/** The reasons for which a document is refused before it is executed. */
export type RefusalCode =
  | 'GRAPHQL_PARSE_FAILED'
  | 'GRAPHQL_VALIDATION_FAILED'
  | 'BAD_USER_INPUT'
  | 'INTERNAL_SERVER_ERROR'
  | 'PERSISTED_QUERY_NOT_FOUND'
  | 'PERSISTED_QUERY_NOT_SUPPORTED'

/** An error of a document: where it is, and its code. */
export function refusal(error: GraphQLError, code: RefusalCode): AnsweredError {
  return { message: messageOf(error), ...placesOf(error), extensions: { code } }
}

/** A refusal that concerns no place of a document. */
export function plainRefusal(message: string, code: RefusalCode = 'INTERNAL_SERVER_ERROR'): AnsweredError {
  return { message: cutMessage(message), extensions: { code } }
}

/** An error of execution. `log` receives those that clients do not see. */
export function answeredError(error: GraphQLError, log: (error: unknown) => void): AnsweredError {
  const cause = causeOf(error)
  if (cause instanceof PlinthError) return ofKernel(cause)
  // Errors of graphql-js itself, such as a null that the schema does not allow, say nothing of the server.
  const isOwn = cause === undefined || cause instanceof GraphQLError || (cause instanceof Error && isNullError(cause))
  if (isOwn) {
    const { path, extensions } = error
    return {
      message: messageOf(error),
      ...placesOf(error),
      ...(path === undefined ? {} : { path: path.map(one => (typeof one === 'string' ? cite(one) : one)) }),
      extensions: { code: 'INTERNAL_SERVER_ERROR', ...extensions },
    }
  }
  log(cause)
  return plainRefusal('Internal Server Error')
}

/** Returns whether a field of the schema that is never null had no value. */
export function isNullError({ message }: Error): boolean {
  return message.startsWith('Cannot return null for non-nullable field ')
}

/** The error that a resolver threw; undefined if graphql-js itself made it. */
export function causeOf(error: unknown): unknown {
  let cause: unknown = error
  while (cause instanceof GraphQLError && cause.originalError !== undefined) cause = cause.originalError
  return cause === error ? undefined : cause
}

/** The reasons of errors that clients are not told, each once. */
export function reasonsOf(causes: readonly unknown[]): ReadonlySet<string> {
  const reasons = new Set<string>()
  for (const one of causes)
    if (one instanceof PlinthError && one.reason !== null) reasons.add(`${one.status}: ${one.reason}`)
  return reasons
}

/** An error of the kernel. */
export function ofKernel(error: PlinthError): AnsweredError {
  const publicError = error instanceof UnauthorizedError || isPlainForbidden(error) ? forbidden : error
  const { message, details } = shownError(publicError)
  return {
    message,
    extensions: { error: { name: publicError.name, message, details: details ?? {} }, code: codeOf(publicError) },
  }
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

/** Maximum number of places of a document that an error names. */
const maxPlaces = 20

function placesOf({ locations }: GraphQLError): Pick<AnsweredError, 'locations'> {
  return locations === undefined ? {} : { locations: locations.slice(0, maxPlaces) }
}

/** The message of an error of graphql-js, which cites literals as they are printed. */
function messageOf({ message, nodes }: GraphQLError): string {
  // Printing a literal costs, and no short message cites a long one.
  return message.length <= 200 ? message : cutMessage(message, nodes?.slice(0, maxPlaces).map(printed))
}

function printed(node: ASTNode): string | null {
  return node.kind.endsWith('Value') ? print(node) : null
}

/** Maximum number of bytes and of errors in an answer, so that it has less than 64 KiB. */
export const maxErrorBytes = 60 * 1024
const maxErrors = 100

/** The errors for which an answer has room, and how many more there are. */
export function withinRoom(errors: readonly AnsweredError[], room = maxErrorBytes): readonly AnsweredError[] {
  let left = room
  let count = 0
  for (const one of errors) {
    left -= bytesOf(one)
    if (left < 0 || count === maxErrors) break
    count++
  }
  if (count === errors.length) return errors
  const [first] = errors
  const firstErrors = count === 0 ? [plainRefusal(cite(first!.message), codeIn(first!))] : errors.slice(0, count)
  const more = errors.length - firstErrors.length
  return more === 0 ? firstErrors : [...firstErrors, plainRefusal(`${more} more errors are not shown`)]
}

function codeIn({ extensions: { code } }: AnsweredError): RefusalCode {
  return code as RefusalCode
}

function bytesOf(error: AnsweredError): number {
  return Buffer.byteLength(JSON.stringify(error)) + 1
}
