// The actions of the plugin's routes, and the types that have them.

import type { ContentType } from '@plinth/kernel'
import { isLocalized } from './locales.ts'

export const listAction = 'plugin::i18n.locales.listLocales'

/** The action that creates a translation of an entry (B-7.31). */
export const translateAction = ({ uid }: Pick<ContentType, 'uid'>): string => `${uid}.createLocalization`

/** Returns whether translations of the type have a route; those of types with their own routes have none. */
export function hasTranslationRoute(type: ContentType): boolean {
  return isLocalized(type) && type.kind !== 'component' && !type.internal && !type.hasOwnRoutes
}
