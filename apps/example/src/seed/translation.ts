// The types of translations: the entry that is translated, and the data that differs.

/** The languages beside English, in the order in which they are written. */
export const locales = ['fr', 'de'] as const

/** A language beside English. */
export type Locale = (typeof locales)[number]

/** One entry in another language. Attributes that its data leaves out are those of the original. */
export interface Translation<Data> {
  locale: Locale
  /** The index of the original in the list of its type. */
  of: number
  data: Data
}
