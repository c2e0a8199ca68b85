// The part of accounts that needs a server: what signs tokens, the limits, and the routes.

import jwt from '@fastify/jwt'
import type { PluginHost } from '@plinth/kernel'
import type { FastifyInstance } from 'fastify'
import { Limits } from './limits.ts'
import { mountAccountRoutes } from './routes/index.ts'
import type { Signer } from './tokens.ts'
import type { AccountTools } from './tools.ts'

/** What is kept of a mounted server. */
export interface Mounted {
  readonly signer: Signer
  readonly limits: Limits | null
}

let mounted = 0

/** Adds the routes to a server. Throws StartError for settings of limits that cannot be used. */
export async function mountAccounts(app: PluginHost, tools: AccountTools, secret: string): Promise<Mounted> {
  const server = app as FastifyInstance
  const signer = await signerOf(server, secret)
  const limits = await Limits.open(server, tools.config.ratelimit, tools.kernel.log)
  mountAccountRoutes(server, tools, limits)
  return { signer, limits }
}

/** @fastify/jwt in a scope of its own: an application may use it for its own tokens. */
async function signerOf(app: FastifyInstance, secret: string): Promise<Signer> {
  const name = `plinthUsers${++mounted}`
  let signer: Signer | undefined
  await app.register(async scope => {
    await scope.register(jwt, {
      secret,
      namespace: name,
      decoratorName: name,
      sign: { algorithm: 'HS256' },
      verify: { algorithms: ['HS256'], requiredClaims: ['id', 'iat', 'exp'] },
    })
    signer = (scope.jwt as unknown as Readonly<Record<string, Signer>>)[name]
  })
  return signer!
}
