// The plugin i18n: `pluginOptions.i18n.localized`, the attributes `locale` and `localizations`, and the parameters `locale`
// and `fallbackLocale` (B-7, service.md 2.3, service.md 4.2).

import { definePlugin, type Kernel, Type } from '@plinth/kernel'
import { hasTranslationRoute, listAction, translateAction } from './actions.ts'
import { localeCommands } from './commands.ts'
import { extendGraphql } from './graphql.ts'
import { isLocalized, Locales, localeType, uid } from './locales.ts'
import { finishWrite, indexPerLocale, prepareWrite } from './localize.ts'
import { fallbackParameter, localeParameter } from './parameters.ts'

declare module '@plinth/kernel' {
  interface ParameterOptions {
    /** The locale of the entries: one, several, or `all`. */
    readonly locale?: string | readonly string[] | undefined
    /** The locale that stands in where there is no translation. */
    readonly fallbackLocale?: string | undefined
  }
}

const localeCode = (description?: string) =>
  Type.String({
    pattern: '^[a-z]{2,3}(-[A-Za-z]{4})?(-([A-Z]{2}|[0-9]{3}))?$',
    expected: 'the code of a locale, such as "en" or "pt-BR"',
    ...(description !== undefined && { description }),
  })

const localesOf = new WeakMap<Kernel, Locales>()

export default definePlugin({
  name: 'i18n',
  after: ['graphql'],
  config: Type.Object(
    {
      locales: Type.Optional(
        Type.Array(localeCode(), {
          minItems: 1,
          description:
            'Codes of the locales. They are stored in the table of locales, which may contain more. Without this setting, the locales are those of the table, or English.',
        }),
      ),
      defaultLocale: Type.Optional(
        localeCode('The locale of entries and requests that name none; the first one by default.'),
      ),
    },
    { additionalProperties: false },
  ),
  pluginOptions: {
    localized: Type.Boolean({
      description: 'True if the type has translations, or if the attribute differs between them.',
    }),
  },
  tables: ['i18n_'],
  commands: { locale: localeCommands(kernel => localesOf.get(kernel)!) },
  register({ kernel }) {
    const locales = new Locales()
    localesOf.set(kernel, locales)
    addLocaleType(kernel, locales)
    addTranslations(kernel)
    kernel.parameters.add(localeParameter(locales))
    kernel.parameters.add(fallbackParameter(locales))
    addWriteHooks(kernel, locales)
    kernel.hooks.on('onMount', async app => {
      const [{ mountRoutes }, { apiPrefix }] = await Promise.all([loadRoutes(), import('@plinth/server/transport')])
      mountRoutes(app, kernel, locales, apiPrefix(kernel))
    })
  },
  async bootstrap({ kernel, config }) {
    const locales = localesOf.get(kernel)!
    await locales.load(kernel, config.locales ?? [], config.defaultLocale)
    await locales.adopt(kernel)
  },
})

/**
 * Scripts have no routes, and may have no server installed. The import is not inside of `export default`, where the
 * compiler would leave `.ts` in what is published.
 */
const loadRoutes = () => import('./routes.ts')

/** Adds the content type of locales. A change of its entries reads them again. */
function addLocaleType(kernel: Kernel, locales: Locales): void {
  // Its one route is not that of a content type, and transports without routes show it.
  kernel.contentTypes.add(localeType, { uid, routes: 'own', actions: { find: listAction, findOne: listAction } })
  kernel.actions.add(listAction)
  kernel.hooks.on('onCommit', { for: type => type.uid === uid }, () => locales.reload(kernel))
  const graphql = kernel.services.find('graphql', 'extension')
  if (graphql !== null) extendGraphql({ kernel, locales }, graphql)
}

/** Gives localized types their attributes, their action, and the meta `availableLocales`. */
function addTranslations(kernel: Kernel): void {
  kernel.hooks.on('preModel', indexPerLocale)
  kernel.hooks.on('preModel', { for: hasTranslationRoute }, draft => kernel.actions.add(translateAction(draft)))
  kernel.hooks.on('preModel', { for: isLocalized }, draft => {
    draft.attribute('localizations', { type: 'relation', relation: 'oneToMany', target: draft.uid, visible: false })
    draft.attribute('locale', { type: 'string', visible: false })
    draft.scope('locale', { isEqual: true })
  })
  kernel.hooks.on('prePlan', { for: isLocalized }, node => {
    if (node.via === 'root' && node.query.meta)
      node.meta('availableLocales', { relation: 'localizations', attribute: 'locale' })
    // An update leaves both out (B-7.26).
    if (node.action === 'update') node.declareClosed('locale', 'localizations')
  })
}

/** Keeps translations together when one of them is written. */
function addWriteHooks(kernel: Kernel, locales: Locales): void {
  const writes = { for: isLocalized, actions: ['create', 'update'] }
  // After the hooks of other plugins: a new translation must be complete even if it is a draft.
  kernel.hooks.on('preWrite', { ...writes, order: 'post' }, write => prepareWrite(kernel, locales, write))
  kernel.hooks.on('onWrite', writes, write => finishWrite(kernel, write))
}
