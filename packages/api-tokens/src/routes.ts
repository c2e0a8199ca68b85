// The routes that manage tokens, at the paths and with the bodies of v4 (B-6.75). v4 asks for an administrator there;
// here the caller needs a full-access token, or is not a token and has the right to manage them, as a user of a role may. Such
// a caller can make tokens with all rights, so a token needs all of them already.

import { ForbiddenError, NotFoundError, type PluginHost } from '@plinth/kernel'
import { contextOf, type DescribeOperation, idOf } from '@plinth/server/transport'
import { isFullAccess, manageAction } from './access.ts'
import { describeTokens } from './described.ts'
import type { TokenManager } from './manager.ts'

/** Of the server; fastify itself is not a dependency. */
type Request = Parameters<typeof contextOf>[0]

const path = '/admin/api-tokens'

/** Adds the routes to the server. */
export function mountRoutes(app: PluginHost, tokens: TokenManager): void {
  // Before the body is read.
  const guarded = (operation: DescribeOperation) => ({ onRequest: authorize, config: { operation } })
  const { list, read, create, regenerate, update, revoke } = describeTokens
  app.get(path, guarded(list), async () => ({ data: await tokens.list() }))
  app.get(`${path}/:id`, guarded(read), async request => ({ data: await tokens.find(tokenIdOf(request)) }))
  app.post(path, guarded(create), async (request, reply) => {
    const data = await tokens.create(request.body)
    return reply.code(201).send({ data })
  })
  app.post(`${path}/:id/regenerate`, guarded(regenerate), async (request, reply) => {
    const data = await tokens.regenerate(tokenIdOf(request))
    return reply.code(201).send({ data })
  })
  app.put(`${path}/:id`, guarded(update), async request => {
    const data = await tokens.update(tokenIdOf(request), request.body)
    return { data }
  })
  app.delete(`${path}/:id`, guarded(revoke), async request => ({ data: await tokens.revoke(tokenIdOf(request)) }))
}

async function authorize(request: Request, reply: { header(name: string, value: string): unknown }): Promise<void> {
  // Answers contain keys, which no cache may keep.
  reply.header('cache-control', 'no-store')
  const { access } = await contextOf(request)
  const mayManage = access.token === undefined ? access.can(manageAction) : isFullAccess(access)
  if (!mayManage)
    throw new ForbiddenError().withReason(
      access.token === undefined ? `it lacks ${manageAction}` : 'only a full-access token may manage tokens',
    )
}

function tokenIdOf(request: Request): number {
  const id = idOf(request)
  if (id === null) throw new NotFoundError('API Token not found')
  return id
}
