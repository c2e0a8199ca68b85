// The errors that this package itself reports to clients, in the form of those of the endpoint.

import type { AnsweredError } from '@plinth/graphql'

/** An error as clients receive it. */
export function plainError(message: string): AnsweredError {
  return { message, extensions: { code: 'INTERNAL_SERVER_ERROR' } }
}

/** The errors that clients see instead of an error of the server. */
export const internalErrors: readonly AnsweredError[] = [plainError('Internal Server Error')]

/** Refuses a subscription with a message for the client. */
export class Refusal extends Error {}
