// The plugin api-tokens: callers that are programs authenticate by a key in the header (B-6.70 to B-6.77, security.md
// rows 59 and 60). It needs no other plugin.

import { type Access, definePlugin, type Kernel, Type, UsageError } from '@plinth/kernel'
import { manageAction } from './access.ts'
import { tokenCommands } from './commands.ts'
import { refuseClosedTypes } from './gate.ts'
import { TokenManager } from './manager.ts'
import { Tokens } from './tokens.ts'
import { actionType, actionUid, tokenType, tokenUid } from './types.ts'

export type { TokenAccess } from './access.ts'
export type { ShownToken, TokenManager, TokenView } from './manager.ts'

/**
 * Returns the rights of a token at present, by its name; null if there is none, or if it has expired. For plugins that show
 * entries to somebody who sends no request.
 */
type AccessOfToken = (name: string) => Promise<Access | null>

declare module '@plinth/kernel' {
  interface Services {
    readonly 'api-tokens.access': AccessOfToken
  }
}

/** The objects of the plugin for a kernel. */
interface PluginState {
  readonly tokens: Tokens
  readonly manager: TokenManager
}

const stateByKernel = new WeakMap<Kernel, PluginState>()

/**
 * The tokens of a kernel with this plugin, for code that makes or revokes them; no right is checked. Throws UsageError if
 * the plugin is not enabled.
 */
export function tokensOf(kernel: Kernel): TokenManager {
  const state = stateByKernel.get(kernel)
  if (state === undefined)
    throw new UsageError('PLINTH_PLUGIN_NOT_FOUND', 'tokensOf: the plugin api-tokens is not enabled')
  return state.manager
}

/**
 * Commands have no routes, and may have no server installed. The import is not inside of `export default`, where the
 * compiler would leave `.ts` in what is published.
 */
const loadRoutes = () => import('./routes.ts')

export default definePlugin({
  name: 'api-tokens',
  config: Type.Object(
    {
      salt: Type.Optional(
        Type.String({
          description: 'The salt of the hashes of keys; without it the environment variable API_TOKEN_SALT.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  tables: ['strapi_api_token'],
  secretNames: ['salt'],
  commands: { token: tokenCommands(tokensOf) },
  register({ kernel, config }) {
    const tokens = new Tokens(kernel, config)
    const manager = new TokenManager(kernel, tokens)
    stateByKernel.set(kernel, { tokens, manager })
    kernel.services.provide('api-tokens', 'access', name => tokens.accessNamed(name))
    kernel.actions.add(manageAction)
    kernel.contentTypes.add(tokenType, { uid: tokenUid, internal: true })
    kernel.contentTypes.add(actionType, { uid: actionUid, internal: true })
    // Before the strategies of users (B-6.1).
    kernel.auth.use({ name: 'api-token', authenticate: request => tokens.authenticate(request) }, { order: 'pre' })
    kernel.hooks.on('prePlan', (draft, access) => refuseClosedTypes(draft, access, kernel.actions))
    kernel.hooks.on('onMount', async app => {
      const { mountRoutes } = await loadRoutes()
      mountRoutes(app, manager)
    })
  },
  async bootstrap({ kernel }) {
    await stateByKernel.get(kernel)!.tokens.loadSalt()
  },
  async destroy({ kernel }) {
    await stateByKernel.get(kernel)!.tokens.uses.close()
  },
})
