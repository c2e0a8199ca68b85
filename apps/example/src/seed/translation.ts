// What a translation is to the seed: the entry that it translates, and what is said otherwise.

/** The languages beside English, in the order in which they are written. */
export const locales = ['fr', 'de'] as const

/** A language beside English. */
export type Locale = (typeof locales)[number]

/** One entry in another language. What its data leaves out stays as it is in the original. */
export interface Translation<Data> {
  locale: Locale
  /** The place of the original in the list of its type. */
  of: number
  data: Data
}
