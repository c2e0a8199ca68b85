// Declares only types: the kernel's `PluginHost` as a Fastify instance, the properties that Plinth adds to Fastify's
// types, and the codes of errors that only a server has.

import type { Kernel } from '@plinth/kernel'
import type { FastifyInstance, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { DescribeOperation } from './described-operation.ts'

declare module '@plinth/kernel' {
  interface PluginHost extends FastifyInstance {}

  interface WholeServer {
    /** Sets the handler of requests that match no route, in place of `app.setNotFoundHandler`. The last call wins. */
    setNotFoundHandler(handler: RouteHandlerMethod): void
  }

  interface PolicyContext {
    /** The parameters in the path of the route. */
    readonly params: Readonly<Record<string, string>>
    /** The request, with `header` for `headers`. What a policy sets on it reaches the handler, but for `query`. */
    readonly request: FastifyRequest & { readonly header: FastifyRequest['headers'] }
  }

  interface ErrorCodes {
    /** The server cannot listen: the port is in use or not allowed, or the address does not belong to this machine. */
    PLINTH_CONFIG_LISTEN: true
    /** `contextOf` was called for a request whose route is in no scope in which a kernel is mounted. */
    PLINTH_NO_KERNEL: true
  }

  interface AnswerCodes {
    /** The body is not valid JSON. */
    SyntaxError: 400
    /** The client took too long to send its request. */
    RequestTimeoutError: 408
    /** The body is larger than the settings allow. */
    PayloadTooLargeError: 413
    /** The path of the URL is too long. */
    URITooLongError: 414
    /** The request's headers are too large. */
    RequestHeaderFieldsTooLargeError: 431
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    kernel: Kernel
  }

  interface FastifyContextConfig {
    /** The route reads the query string from the URL, so `request.query` is parsed only when it is accessed. */
    parsesQuery?: boolean
    /**
     * The action of the route, one of `kernel.actions`. The server runs its policies, and reads no credentials if
     * everybody may do it; the handler checks the right with `kernel.authorize`.
     */
    action?: string
    /** Description of the route in documents of the API. `false`: it only refuses requests, and they leave it out. */
    operation?: DescribeOperation | false
    /** The route is a page for people, which the page at `/` calls so: `GraphQL: explorer`. */
    page?: string
  }
}
