// Answers errors of routes with the envelope (B-5.1), and logs those that are not meant for clients.

import { authorPrefix, PlinthError } from '@plinth/kernel'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorBody, toErrorBody } from './error-body.ts'

/** Registers the error handler of all routes of `app`, which answers with the envelope. */
export function registerErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const body = toErrorBody(error)
    if (body.error.status >= 500 && !(error instanceof PlinthError)) request.log.error(error, logText(error))
    return sendError(reply, body)
  })
}

/**
 * Hides the messages of errors that are not meant for clients, if neither a plugin nor the application has registered a
 * handler: that of Fastify shows them, and they may have paths of the server and statements. Others keep Fastify's form.
 */
export function hideInternalErrors(app: FastifyInstance): void {
  const { errorHandler: answer } = app
  if (answer.name !== 'defaultErrorHandler') return
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const { statusCode = 500 } = error
    if (error instanceof PlinthError || statusCode < 500) return answer(error, request, reply)
    request.log.error(error, logText(error))
    return sendError(reply, toErrorBody(error))
  })
}

/** The logged message of an error. If a hook threw it, the message begins with the plugin's name. */
function logText(error: unknown): string {
  return `${authorPrefix(error)}${error instanceof Error ? error.message : String(error)}`
}

/** Sends an envelope. */
export function sendError(reply: FastifyReply, body: ErrorBody): FastifyReply {
  return reply
    .code(body.error.status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(body))
}
