// The drafts that are kept of unsaved forms: their keys, their values, and how long they are kept. Knows no store.

import type { Attribute, Model } from './types.ts'

type Values = Readonly<Record<string, unknown>>

/** The form that a draft belongs to. */
export interface DraftPlace {
  readonly userId: number
  readonly uid: string
  /** The id of the entry; for a new one, `new`, or `from 5` for a copy of another entry; for a single type, `single`. */
  readonly subject: string
  readonly locale: string | null
}

/** The key of a draft. Each form that is opened has an own one, so that two windows do not overwrite each other. */
export interface DraftKey extends DraftPlace {
  /** The version of the entry that the form has read; null for a new one. */
  readonly version: string | null
  readonly form: string
}

/** The draft that is kept under a key. */
export interface KeptDraft {
  /** In milliseconds since 1970. */
  readonly savedAt: number
  /** The values that were changed, as they were read. */
  readonly base: Values
  /** The same values as they were typed. */
  readonly mine: Values
}

/** The name of a key in the store. */
export const textOfKey = ({ userId, uid, subject, locale, version, form }: DraftKey): string =>
  JSON.stringify([userId, uid, subject, locale, version, form])

/** The key of that name; null for what is none. */
export function keyOfText(text: unknown): DraftKey | null {
  if (typeof text !== 'string' || !text.startsWith('[')) return null
  const [userId, uid, subject, locale, version, form] = JSON.parse(text)
  return { userId, uid, subject, locale, version, form }
}

/** Returns whether a draft was typed by that user in that form. */
export const isOf = (key: DraftKey, place: DraftPlace): boolean =>
  key.userId === place.userId && key.uid === place.uid && key.subject === place.subject && key.locale === place.locale

/** The most drafts that a browser keeps. */
const mostDrafts = 50
/** Thirty days, in milliseconds. */
const longestAge = 30 * 86_400_000

/** The names of drafts that are too old, or too many: then the oldest ones. */
export function expiredDrafts(savedAt: ReadonlyMap<string, number>, now: number): readonly string[] {
  const newestFirst = [...savedAt].sort(([, left], [, right]) => right - left)
  return newestFirst.filter(([, time], index) => index >= mostDrafts || now - time > longestAge).map(([name]) => name)
}

/** The values without passwords and without those that no answer contains, at any depth. */
export function withoutSecrets(
  values: Values,
  attributes: readonly Attribute[],
  model: Model,
): Record<string, unknown> {
  const entries = attributes
    .filter(({ name, isPrivate, type }) => name in values && !isPrivate && type !== 'password')
    .map(attribute => [attribute.name, withoutInnerSecrets(values[attribute.name], attribute, model)] as const)
  return Object.fromEntries(entries)
}

function withoutInnerSecrets(value: unknown, { type, options }: Attribute, model: Model): unknown {
  if (value === null || value === undefined || (type !== 'component' && type !== 'dynamiczone')) return value
  const one = (item: unknown) => {
    const values = item as Values
    const component = model.components.get(String(values.__component ?? options.component))
    if (component === undefined) return values
    const { id, __component } = values
    return {
      ...(id !== undefined && { id }),
      ...(__component !== undefined && { __component }),
      ...withoutSecrets(values, component.attributes, model),
    }
  }
  return Array.isArray(value) ? value.map(one) : one(value)
}
