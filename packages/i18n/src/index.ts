// Locales: `pluginOptions.i18n.localized`, the attributes `locale` and `localizations`, the parameter `locale`
// (B-7; service.md, "locale" and "availableLocales").

import { and, definePlugin, eq, isIn, type Kernel, late, linked, not, or, type PlanDraft, Type } from '@plinth/kernel'
import { Locales } from './locales.ts'
import { finishWrite, isLocalized, prepareWrite } from './localize.ts'
import { mountRoutes } from './routes.ts'

const code = Type.String({ pattern: '^[a-z]{2,3}(-[A-Za-z]{4})?(-([A-Z]{2}|[0-9]{3}))?$' })

const localesOf = new WeakMap<Kernel, Locales>()

export default definePlugin({
  name: 'i18n',
  config: Type.Object(
    {
      /** Codes of the locales; kept in the table, where more may be. */
      locales: Type.Array(code, { default: ['en'], minItems: 1 }),
      defaultLocale: Type.Optional(code),
    },
    { additionalProperties: false },
  ),
  async register({ kernel, config }) {
    const locales = new Locales(config.defaultLocale ?? config.locales[0]!)
    localesOf.set(kernel, locales)
    locales.register(kernel)
    const byDefault = { late: () => locales.default }

    kernel.hooks.on('preModel', { for: isLocalized }, draft => {
      for (const [name, one] of draft.attributes) {
        if (one.unique === 'perLocale') draft.index([name, 'locale'], { unique: true })
      }
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
      // The locale is a value: a hundred of them make no more plans than one.
      shape: (value: string | string[]) => {
        if (value === 'all') return 'all'
        for (const one of Array.isArray(value) ? value : [value]) locales.check(one)
        return Array.isArray(value) ? 'list' : 'one'
      },
      fallback: () => locales.default,
      fallbackShape: 'one',
      plan: (node, { shape, value }) => {
        if (shape === 'all') node.answerList()
        if (node.parameter('fallbackLocale') !== null || shape === 'all') return
        node.where(shape === 'list' ? isIn('locale', value) : eq('locale', value))
      },
    })

    // `locale=fr&fallbackLocale=en`: where there is no French translation, the English one stands for it.
    kernel.parameters.add({
      name: 'fallbackLocale',
      schema: Type.String(),
      for: isLocalized,
      actions: ['find', 'count'],
      depth: 'every',
      shape: (value: string) => {
        locales.check(value)
        return 'one'
      },
      plan: (node: PlanDraft, { value }) => {
        if (node.via === 'filter' || node.via === 'sort') return
        const wanted = node.parameter('locale')
        const asked = wanted === null ? late(byDefault.late) : wanted.value
        if (wanted !== null && wanted.shape !== 'one') return
        const isAsked = eq('locale', asked)
        node.where(or(isAsked, and(eq('locale', value), not(linked('localizations', isAsked)))))
      },
    })

    kernel.hooks.on('prePlan', { for: isLocalized }, node => {
      if (node.via === 'root' && node.query.meta)
        node.meta('availableLocales', { relation: 'localizations', attribute: 'locale' })
    })

    kernel.hooks.on('preWrite', { for: isLocalized, actions: ['create', 'update'] }, write =>
      prepareWrite(kernel, locales, write),
    )
    kernel.hooks.on('preWrite', { for: isLocalized, actions: ['create'], order: 'post' }, write => {
      if (write.context.state.i18nNew === true) write.require = 'all'
    })
    kernel.hooks.on('onWrite', { for: isLocalized, actions: ['create', 'update'] }, write => finishWrite(kernel, write))
    kernel.hooks.on('onCommit', writes => {
      if (writes.some(write => write.type.uid === 'plugin::i18n.locale')) return locales.reload(kernel)
    })

    const rest = kernel.config.api?.rest as { prefix?: string } | undefined
    kernel.hooks.on('onMount', app => mountRoutes(app, kernel, locales, rest?.prefix ?? '/api'))
  },
  async bootstrap({ kernel, config }) {
    await localesOf.get(kernel)!.load(kernel, config.locales, config.defaultLocale)
  },
})
