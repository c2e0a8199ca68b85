// The plugin i18n: `pluginOptions.i18n.localized`, the attributes `locale` and `localizations`, and the parameters `locale`
// and `fallbackLocale` (B-7, service.md 2.3, service.md 4.2).

import {
  and,
  type Condition,
  checked,
  definePlugin,
  eq,
  isIn,
  type Kernel,
  linked,
  not,
  type Operand,
  or,
  type PlanDraft,
  Type,
} from '@plinth/kernel'
import { hasTranslationRoute, listAction, translateAction } from './actions.ts'
import { extendGraphql } from './graphql.ts'
import { isLocalized, Locales, localeType, uid } from './locales.ts'
import { finishWrite, indexPerLocale, prepareWrite } from './localize.ts'

declare module '@plinth/kernel' {
  interface ParameterOptions {
    /** The locale of the entries: one, several, or `all`. */
    readonly locale?: string | readonly string[] | undefined
    /** The locale that stands in where there is no translation. */
    readonly fallbackLocale?: string | undefined
  }
}

const code = Type.String({
  pattern: '^[a-z]{2,3}(-[A-Za-z]{4})?(-([A-Z]{2}|[0-9]{3}))?$',
  description: 'the code of a locale, such as "en" or "pt-BR"',
})

/** A parameter that applies to a node: its shape and its value. */
type Use = { readonly shape: string; readonly value: Operand }

/** A fallback applies to reads only: a write never changes the entry that stands in for a missing translation. */
const isRead = ({ action }: PlanDraft) => action === 'find' || action === 'count'

const localesOf = new WeakMap<Kernel, Locales>()

/**
 * Scripts have no routes, and may have no server installed. The import is not inside of `export default`, where the
 * compiler would leave `.ts` in what is published.
 */
const loadRoutes = () => import('./routes.ts')

export default definePlugin({
  name: 'i18n',
  after: ['graphql'],
  config: Type.Object(
    {
      /**
       * Codes of the locales. They are stored in the table of locales, which may contain more. Without this setting, the
       * locales are those of the table, or English.
       */
      locales: Type.Optional(Type.Array(code, { minItems: 1 })),
      defaultLocale: Type.Optional(code),
    },
    { additionalProperties: false },
  ),
  pluginOptions: { localized: Type.Boolean() },
  tables: ['i18n_'],
  async register({ kernel }) {
    const locales = new Locales()
    localesOf.set(kernel, locales)
    // Its one route is not that of a content type, and transports without routes show it.
    kernel.contentTypes.add(localeType, { uid, routes: 'own', actions: { find: listAction, findOne: listAction } })
    const graphql = kernel.services.find('graphql', 'extension')
    if (graphql !== null) extendGraphql({ kernel, locales }, graphql)

    kernel.hooks.on('preModel', indexPerLocale)
    kernel.actions.add(listAction)
    kernel.hooks.on('preModel', { for: hasTranslationRoute }, draft => kernel.actions.add(translateAction(draft)))
    kernel.hooks.on('preModel', { for: isLocalized }, draft => {
      draft.attribute('localizations', { type: 'relation', relation: 'oneToMany', target: draft.uid })
      draft.attribute('locale', { type: 'string' })
      draft.scope('locale', { isEqual: true })
    })

    kernel.parameters.add({
      name: 'locale',
      schema: Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1 })]),
      for: isLocalized,
      actions: ['find', 'count', 'update', 'delete'],
      depth: 'root',
      // v4 ignores it inside populate (B-7.17).
      rootOnly: true,
      // The locale is a value and not a part of the shape: a hundred locales share one plan.
      shape: (value: string | string[]) => (value === 'all' ? 'all' : Array.isArray(value) ? 'list' : 'one'),
      fallback: () => locales.default,
      isFixed: true,
      fallbackShape: 'one',
      // B-9.45, B-9.46.
      offer: {
        many: true,
        one: true,
        writes: true,
        typeName: 'I18NLocaleCode',
        description: 'A string used to identify an i18n locale',
        refuseLiteral: code => (code === 'all' || locales.has(code) ? null : 'Unknown locale supplied'),
      },
      deleted: {
        attribute: 'locale',
        isShown: (held, wanted) => wanted === 'all' || (Array.isArray(wanted) ? wanted : [wanted]).includes(held),
      },
      plan: (node, wanted) => {
        if (wanted.shape === 'all') node.answerList()
        else node.where(inLocale(wanted, isRead(node) ? node.parameter('fallbackLocale') : null))
      },
    })

    // `locale=fr&fallbackLocale=en`: an entry without a French translation is answered in English.
    kernel.parameters.add({
      name: 'fallbackLocale',
      schema: Type.String(),
      for: isLocalized,
      actions: ['find', 'count'],
      depth: 'every',
      shape: () => 'one',
      // v4 does not have it, so typed arguments, which v4's schema lists, are not added for it.
      offer: {},
      // It shows more, and `locale` has judged the rest.
      deleted: { attribute: 'locale', isShown: () => true },
      plan: (node, fallback) => {
        const wanted = node.parameter('locale')!
        if (node.via === 'populate' && wanted.shape !== 'all') node.where(inLocale(wanted, fallback))
      },
    })

    /** The condition of `locale` alone, or of `locale` and `fallbackLocale`. */
    function inLocale(wanted: Use, fallback: Use | null): Condition {
      const value = checked(wanted.value, locales.check('locale'))
      const isWanted = wanted.shape === 'list' ? isIn('locale', value) : eq('locale', value)
      if (fallback === null) return isWanted
      const isFallback = eq('locale', checked(fallback.value, locales.check('fallbackLocale')))
      return or(isWanted, and(isFallback, not(linked('localizations', isWanted))))
    }

    kernel.hooks.on('prePlan', { for: isLocalized }, node => {
      if (node.via === 'root' && node.query.meta)
        node.meta('availableLocales', { relation: 'localizations', attribute: 'locale' })
    })

    const writes = { for: isLocalized, actions: ['create', 'update'] }
    // After the hooks of other plugins: a new translation must be complete even if it is a draft.
    kernel.hooks.on('preWrite', { ...writes, order: 'post' }, write => prepareWrite(kernel, locales, write))
    kernel.hooks.on('onWrite', writes, write => finishWrite(kernel, write))
    kernel.hooks.on('onCommit', { for: type => type.uid === uid }, () => locales.reload(kernel))

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
