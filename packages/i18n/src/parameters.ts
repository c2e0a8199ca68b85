// Defines the parameters `locale` and `fallbackLocale` (B-7.10 to B-7.17). They know the locales, not where these are
// stored.

import {
  and,
  type Condition,
  checked,
  eq,
  isIn,
  linked,
  not,
  type Operand,
  or,
  type ParameterDefinition,
  type PlanDraft,
  Type,
} from '@plinth/kernel'
import { isLocalized, type Locales } from './locales.ts'

/** A parameter that applies to a node: its shape and its value. */
interface ParameterValue {
  readonly shape: string
  readonly value: Operand
}

/** `locale=fr`: the entries in one locale, in several, or in all of them. */
export function localeParameter(locales: Locales): ParameterDefinition {
  return {
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
    choices: () => locales.codes,
    deleted: {
      attribute: 'locale',
      isShown: (entryLocale, locale) =>
        locale === 'all' || (Array.isArray(locale) ? locale : [locale]).includes(entryLocale),
    },
    plan: (node, locale) => {
      if (locale.shape === 'all') node.answerList()
      else node.where(inLocale(locales, locale, isRead(node) ? node.parameter('fallbackLocale') : null))
    },
  }
}

/** `locale=fr&fallbackLocale=en`: an entry without a French translation is answered in English. */
export function fallbackParameter(locales: Locales): ParameterDefinition {
  return {
    name: 'fallbackLocale',
    schema: Type.String(),
    for: isLocalized,
    actions: ['find', 'count'],
    depth: 'every',
    shape: () => 'one',
    // v4 does not have it, so typed arguments, which v4's schema lists, are not added for it.
    offer: {},
    choices: () => locales.codes,
    // It shows more, and `locale` has checked the rest.
    deleted: { attribute: 'locale', isShown: () => true },
    plan: (node, fallback) => {
      const locale = node.parameter('locale')!
      if (node.via === 'populate' && locale.shape !== 'all') node.where(inLocale(locales, locale, fallback))
    },
  }
}

/** A fallback applies to reads only: a write never changes the entry that stands in for a missing translation. */
const isRead = ({ action }: PlanDraft) => action === 'find' || action === 'count'

/** The condition of `locale` alone, or of `locale` and `fallbackLocale`. */
function inLocale(locales: Locales, locale: ParameterValue, fallback: ParameterValue | null): Condition {
  const value = checked(locale.value, locales.check('locale'))
  const isInLocale = locale.shape === 'list' ? isIn('locale', value) : eq('locale', value)
  if (fallback === null) return isInLocale
  const isInFallback = eq('locale', checked(fallback.value, locales.check('fallbackLocale')))
  return or(isInLocale, and(isInFallback, not(linked('localizations', isInLocale))))
}
