// Converts errors to the envelope of all errors (B-5.1). An error that is not meant for clients is answered as a plain
// 500, and its message is only logged.

import { authorPrefix, CredentialsError, ForbiddenError, PlinthError, UnauthorizedError } from '@plinth/kernel'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module '@plinth/kernel' {
  interface AnswerCodes {
    /** The body cannot be read, or Fastify refuses the request with a status that has no name of its own. */
    BadRequestError: 400
    /**
     * The body has a `Content-Encoding`, such as gzip, or a `Content-Type` that is malformed or that the route does not
     * accept.
     */
    UnsupportedMediaTypeError: 415
    /**
     * Too many requests to a route that limits them, such as those of logins, or to a server with a plugin of Fastify that
     * does. `Retry-After` says when to repeat the request. The REST API itself has no such limit.
     */
    RateLimitError: 429
    /** An error that is not meant for clients. The log has the error, the plugin, and the hook that threw it. */
    InternalServerError: 500
  }
}

/** The body of a failed answer. */
export interface ErrorBody {
  readonly data: null
  readonly error: { status: number; name: string; message: string; details?: Record<string, unknown> }
}

/** The envelope of an error. */
export function toErrorBody(error: unknown): ErrorBody {
  if (error instanceof PlinthError) {
    const { status, name, message, details } = withoutSecrets(error)
    return { data: null, error: { status, name, message, ...(details === null ? {} : { details }) } }
  }
  return fromFastify(error as FastifyError)
}

/**
 * Clients do not see the messages and details of 401 and 403 that code throws, except those of CredentialsError
 * (B-5.24).
 */
function withoutSecrets(error: PlinthError): PlinthError {
  if (error.status === 403) return forbidden
  if (error.status !== 401 || error instanceof CredentialsError) return error
  return unauthorized
}

const forbidden = new ForbiddenError()
const unauthorized = new UnauthorizedError()

function fromFastify(error: FastifyError): ErrorBody {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return libraryError(413, 'PayloadTooLargeError', 'request entity too large')
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return libraryError(415, 'UnsupportedMediaTypeError', 'Unsupported Media Type')
  if (error.validation !== undefined) return libraryError(400, 'ValidationError', error.message)
  const status = error.statusCode ?? 500
  if (status >= 400 && status < 500) return libraryError(status, names[status] ?? 'BadRequestError', error.message)
  return libraryError(500, 'InternalServerError', 'Internal Server Error')
}

const names: Record<number, string> = {
  401: 'UnauthorizedError',
  403: 'ForbiddenError',
  404: 'NotFoundError',
  413: 'PayloadTooLargeError',
  415: 'UnsupportedMediaTypeError',
  429: 'RateLimitError',
}

function libraryError(status: number, name: string, message: string): ErrorBody {
  return { data: null, error: { status, name, message } }
}

/** Registers the error handler of all routes of `app`, which answers with the envelope. */
export function registerErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const body = toErrorBody(error)
    if (body.error.status >= 500 && !(error instanceof PlinthError)) request.log.error(error, logText(error))
    return send(reply, body)
  })
}

/** The logged message of an error. If a hook threw it, the message begins with the plugin's name. */
function logText(error: unknown): string {
  return `${authorPrefix(error)}${error instanceof Error ? error.message : String(error)}`
}

/** Sends an envelope. */
export function send(reply: FastifyReply, body: ErrorBody): FastifyReply {
  return reply
    .code(body.error.status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(body))
}

export const notFoundBody: ErrorBody = {
  data: null,
  error: { status: 404, name: 'NotFoundError', message: 'Not Found', details: {} },
}
