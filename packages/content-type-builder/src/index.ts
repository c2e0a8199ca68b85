// The plugin content-type-builder: v4's read routes for the model, and the model that `plinth types --url` reads. Nothing
// can be changed by it.

import { type Context, definePlugin, Type } from '@plinth/kernel'
import { actions } from './actions.ts'
import { VisibleModel } from './visible-model.ts'

declare module '@plinth/kernel' {
  interface Services {
    /**
     * Returns the attributes of which a caller may know, by the uid of their type or component: those that the routes of
     * the model name to it, whatever rights to these routes it has.
     */
    readonly 'content-type-builder.visible': (context: Context) => Promise<ReadonlyMap<string, ReadonlySet<string>>>
  }
}

/**
 * Commands have no routes, and may have no server installed. The import is not inside of `export default`, where the
 * compiler would leave `.ts` in what is published.
 */
const loadRoutes = () => import('./routes.ts')

export default definePlugin({
  name: 'content-type-builder',
  config: Type.Object({}, { additionalProperties: false }),
  register({ kernel }) {
    for (const action of Object.values(actions)) kernel.actions.add(action)
    kernel.services.provide(
      'content-type-builder',
      'visible',
      async context => (await VisibleModel.of(kernel, context)).names,
    )
    kernel.hooks.on('onMount', async app => {
      const [{ mountRoutes }, { apiPrefix }] = await Promise.all([loadRoutes(), import('@plinth/server/transport')])
      mountRoutes(app, kernel, apiPrefix(kernel))
    })
  },
})
