// The part of accounts that needs a server: what signs tokens, the limits, logins by third parties, and the routes.

import jwt from '@fastify/jwt'
import type { PluginHost } from '@plinth/kernel'
import type { FastifyInstance } from 'fastify'
import { Limits } from './limits.ts'
import { Providers } from './providers/index.ts'
import { mountAccountRoutes } from './routes/index.ts'
import type { StartedAccounts } from './started.ts'
import type { Signer } from './tokens.ts'
import type { AccountTools } from './tools.ts'

/** Accounts on a server: what other transports share with their routes, and what is closed with them. */
export interface MountedAccounts {
  readonly tools: AccountTools
  readonly signer: Signer
  /** Null if requests are not counted. */
  readonly limits: Limits | null
}

/** The parts that are mounted: the accounts as they are after the start, and the secret that signs tokens. */
export interface MountOptions
  extends StartedAccounts,
    Omit<AccountTools, 'isEmailUnique' | 'providers' | keyof StartedAccounts> {
  readonly secret: string
}

let mounted = 0

/** Adds the routes to a server. Throws StartError for settings of limits and of logins that cannot be used. */
export async function mountAccounts(app: PluginHost, options: MountOptions): Promise<MountedAccounts> {
  const { secret, providers: enabled, ...accounts } = options
  const { config, kernel, prefix, serverUrl } = accounts
  const server = app as FastifyInstance
  const base = `${serverUrl}${prefix}`
  const tools: AccountTools = {
    ...accounts,
    isEmailUnique: config.advanced.unique_email !== false,
    providers: await Providers.open({ enabled, config, log: kernel.log, secret, base }),
  }
  const signer = await signerOf(server, secret)
  const limits = await Limits.open(server, config.ratelimit, kernel.log)
  mountAccountRoutes(server, tools, limits)
  return { tools, signer, limits }
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
