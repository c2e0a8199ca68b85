// Adds the routes of the document and of the page to the server.

import type { Kernel } from '@plinth/kernel'
import { contextOf, type SchemaTools } from '@plinth/server/transport'
import type { FastifyInstance } from 'fastify'
import { readAction } from './config.ts'
import { mountPage } from './page.ts'

/** The served document, and its access. */
export interface ServedDocument {
  readonly kernel: Kernel
  /** The text of the document. */
  readonly text: () => string
  /** True if only callers with the right to read the document may. */
  readonly isGuarded: boolean
}

const pagePath = '/documentation'

/** The second path is that of v4 (B-12.1). */
const documentPaths = ['/openapi.json', `${pagePath}/openapi.json`]

/** Adds the routes. */
export function mountRoutes(app: FastifyInstance, served: ServedDocument): void {
  for (const path of documentPaths) mountDocument(app, served, path)
  mountPage(app, pagePath)
}

function mountDocument(app: FastifyInstance, { kernel, text, isGuarded }: ServedDocument, path: string): void {
  const operation = (tools: SchemaTools) => ({
    tag: 'Documentation',
    summary: 'This document',
    answers: {
      200: {
        description: 'OK',
        schema: tools.named('OpenApiDocument', {
          type: 'object',
          required: ['openapi', 'info', 'paths'],
          additionalProperties: true,
        }),
      },
    },
  })
  const isFirst = path === documentPaths[0]
  const config = { operation, ...(isGuarded && { action: readAction }), ...(isFirst && { page: 'REST: OpenAPI' }) }
  app.get(path, { config }, async (request, reply) => {
    if (isGuarded) kernel.authorize(readAction, await contextOf(request))
    return reply.header('content-type', 'application/json; charset=utf-8').send(text())
  })
}
