// Converts errors to the envelope of all errors (B-5.1). An error that is not meant for clients is answered as a plain
// 500; its message says nothing to them. It knows no transport.

import { CredentialsError, DataForbiddenError, ForbiddenError, PlinthError, UnauthorizedError } from '@plinth/kernel'
import type { FastifyError } from 'fastify'
import { cutMessage, shownError } from './shown-error.ts'

/** The body of a failed answer. */
export interface ErrorBody {
  readonly data: null
  readonly error: { status: number; name: string; message: string; details?: Record<string, unknown> }
}

/** The envelope of an error. What it cites of the request is cut (shownError). */
export function toErrorBody(error: unknown): ErrorBody {
  if (!(error instanceof PlinthError)) return fromFastify(error as FastifyError)
  const publicError = withoutSecrets(error)
  const { status, name } = publicError
  const { message, details } = shownError(publicError)
  return { data: null, error: { status, name, message, ...(details === null ? {} : { details }) } }
}

/**
 * Clients do not see the messages and details of 401 and 403 that code throws, except those of CredentialsError and
 * DataForbiddenError, which are made for them (B-5.24).
 */
function withoutSecrets(error: PlinthError): PlinthError {
  if (error instanceof CredentialsError || error instanceof DataForbiddenError) return error
  if (error.status === 403) return forbidden
  return error.status === 401 ? unauthorized : error
}

const forbidden = new ForbiddenError()
const unauthorized = new UnauthorizedError()

function fromFastify(error: FastifyError): ErrorBody {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return libraryError(413, 'PayloadTooLargeError', 'request entity too large')
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return libraryError(415, 'UnsupportedMediaTypeError', 'Unsupported Media Type')
  if (error.validation !== undefined) return libraryError(400, 'ValidationError', cutMessage(error.message))
  const status = error.statusCode ?? 500
  if (status >= 400 && status < 500)
    return libraryError(status, names[status] ?? 'BadRequestError', cutMessage(error.message))
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
