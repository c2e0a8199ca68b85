// The routes for locales and translations. Their bodies and answers have no outer `data` (B-7.4, B-7.20 to B-7.24, B-1.9,
// B-1.10).

import { type Kernel, type PluginHost, toEntries } from '@plinth/kernel'
import { contextOf, type SchemaTools } from '@plinth/server/transport'
import { hasTranslationRoute, listAction, translateAction } from './actions.ts'
import { describeList, describeTranslation } from './described.ts'
import type { Locales } from './locales.ts'
import { translate } from './translations.ts'

const plain = Object.freeze({})
const withSiblings = Object.freeze({ populate: ['localizations'] })

/** Adds the routes below `prefix` to the server. */
export function mountRoutes(app: PluginHost, kernel: Kernel, locales: Locales, prefix: string): void {
  const listing = { action: listAction, operation: describeList }
  app.get(`${prefix}/i18n/locales`, { config: listing }, async request => {
    kernel.authorize(listAction, await contextOf(request))
    return locales.list(kernel)
  })

  const { actions } = kernel
  for (const type of kernel.contentTypes.values()) {
    if (!hasTranslationRoute(type)) continue
    const action = translateAction(type)
    const path = type.kind === 'singleType' ? `${prefix}/${type.singularName}` : `${prefix}/${type.pluralName}/:id`
    const config = { action, operation: (tools: SchemaTools) => describeTranslation(type, tools) }
    app.post(`${path}/localizations`, { config }, async request => {
      const context = await contextOf(request)
      kernel.authorize(action, context)
      const { id } = request.params as { readonly id?: string }
      // Whoever may not read entries is not answered the other translations.
      const mayFind = actions.needs(actions.of(type.uid, 'find')).every(scope => context.access.can(scope))
      const params = () => (mayFind ? withSiblings : plain)
      const { entries, rows } = await translate({ kernel, locales }, { type, id, body: request.body, context, params })
      return (entries ?? toEntries(rows))[0]!
    })
  }
}
