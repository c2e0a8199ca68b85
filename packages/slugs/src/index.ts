// The plugin slugs: free values of attributes of the type `uid`, made of their `targetField`, for forms that ask for them, and
// for new entries that have none.

import { definePlugin, Type, type Write } from '@plinth/kernel'
import { actions } from './actions.ts'
import { findFree, slugFor, slugsOf, targetTextOf } from './slugs.ts'

/**
 * Commands have no routes, and may have no server installed. The import is not inside of `export default`, where the
 * compiler would leave `.ts` in what is published.
 */
const loadRoutes = () => import('./routes.ts')

export default definePlugin({
  name: 'slugs',
  config: Type.Object(
    {
      fill: Type.Boolean({
        default: false,
        description:
          'True if a new entry without a value of an attribute of the type `uid` gets one, if its target has a text.',
      }),
    },
    { additionalProperties: false },
  ),
  register({ kernel, config }) {
    for (const action of Object.values(actions)) kernel.actions.add(action)
    const isFilled = (type: Write['type']) => slugsOf(type).some(one => one.definition.targetField !== undefined)
    if (config.fill)
      // After hooks of others, which may set the target.
      kernel.hooks.on('preWrite', { for: isFilled, actions: ['create'], order: 'post' }, async ({ type, data }) => {
        for (const attribute of slugsOf(type)) {
          if (data[attribute.name] !== undefined || targetTextOf(attribute, data) === null) continue
          const field = { type, attribute }
          data[attribute.name] = await findFree(kernel, field, slugFor(field, data))
        }
      })
    kernel.hooks.on('onMount', async app => {
      const [{ mountRoutes }, { apiPrefix }] = await Promise.all([loadRoutes(), import('@plinth/server/transport')])
      mountRoutes(app, kernel, apiPrefix(kernel))
    })
  },
})
