// The plugin openapi: one OpenAPI document of all routes of the server, and a page for people (B-12). It knows no other
// plugin: routes say themselves what they do, by `config.operation`.

import { definePlugin, UsageError } from '@plinth/kernel'
import { configSchema, readAction } from './config.ts'
import type { OpenApiDocument } from './document.ts'

export type { OpenApiDocument } from './document.ts'

declare module '@plinth/kernel' {
  interface Services {
    /** Makes the document. There is none without a server. */
    'openapi.document': () => OpenApiDocument
  }
}

/**
 * Commands have no routes, and may have no server installed. The imports are not inside of `export default`, where the
 * compiler would leave `.ts` in what is published.
 */
const loadParts = () =>
  Promise.all([
    import('./document.ts'),
    import('./documented-routes.ts'),
    import('./info.ts'),
    import('./routes.ts'),
    import('@plinth/server/transport'),
  ])

export default definePlugin({
  name: 'openapi',
  config: configSchema,
  register({ kernel, config, app }) {
    kernel.actions.add(readAction)
    if (app === null) return
    let make: (() => OpenApiDocument) | null = null
    kernel.services.provide('openapi', 'document', () => {
      if (make === null)
        throw new UsageError(
          'PLINTH_NOT_STARTED',
          'openapi: the document is made after the start, when all routes are known',
        )
      return make()
    })
    kernel.hooks.on('onMount', async scope => {
      const [{ makeDocument }, { documentedRoutes }, { infoOf }, { mountRoutes }, { apiPrefix, routesOf }] =
        await loadParts()
      // Null is that of a variable that is not set.
      const { url } = (kernel.config.server ?? {}) as { readonly url?: string | null }
      const parts = {
        kernel,
        info: await infoOf(kernel.dir, config),
        serverUrl: (url ?? '').replace(/\/$/, ''),
        prefix: `${scope.prefix}${apiPrefix(kernel)}`,
      }
      let document: OpenApiDocument | null = null
      make = () => {
        document ??= makeDocument({ ...parts, routes: routesOf(kernel).flatMap(documentedRoutes) })
        return document
      }
      const isProduction = process.env.NODE_ENV === 'production'
      if (isProduction && !config.inProduction) return
      let text: string | null = null
      mountRoutes(scope, {
        kernel,
        isGuarded: isProduction,
        text: () => {
          text ??= JSON.stringify(make!())
          return text
        },
      })
    })
  },
})
