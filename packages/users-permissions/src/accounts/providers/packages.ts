// Loads the packages that only logins by third parties need. An application without such logins does not install them.

import type { FastifyOAuth2Options } from '@fastify/oauth2'
import { StartError } from '@plinth/kernel'
import type { FastifyPluginCallback } from 'fastify'

/** The modules. */
export interface LoginPackages {
  readonly oauth2: FastifyPluginCallback<FastifyOAuth2Options>
  readonly jose: typeof import('jose')
  readonly makeServer: typeof import('fastify').fastify
}

/** Throws StartError if one of them is not installed. */
export async function loadPackages(): Promise<LoginPackages> {
  const [oauth2, jose, fastify] = await Promise.all([
    import('@fastify/oauth2').catch(refuseMissing),
    import('jose').catch(refuseMissing),
    import('fastify'),
  ])
  // Its types import fastify, which it does not declare, so that they are not functions here.
  const plugin = oauth2.default.default as unknown as LoginPackages['oauth2']
  return { oauth2: plugin, jose, makeServer: fastify.fastify }
}

function refuseMissing(error: unknown): never {
  if ((error as { readonly code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error
  throw new StartError(
    'PLINTH_CONFIG_INVALID',
    'config/plugins: users-permissions.config.providers: need the packages @fastify/oauth2 and jose: npm install @fastify/oauth2 jose',
    { cause: error },
  )
}
