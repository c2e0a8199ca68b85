// The names of errors that the REST API answers beside those of the kernel (B-5.1).

import type { ErrorBody } from '@plinth/server/transport'

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

export const notFoundBody: ErrorBody = {
  data: null,
  error: { status: 404, name: 'NotFoundError', message: 'Not Found', details: {} },
}
