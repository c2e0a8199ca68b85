// Writes the translations of the magazine, after it has been written in English.

import type { Id } from './id.ts'
import type { Magazine } from './magazine.ts'
import { type Common, type Data, shapeArticle, shapeCategory, shapeHomepage, shapePage } from './shapes.ts'
import { locales, type Translation } from './translation.ts'

/** The ids of the entries in English, in the order of the magazine's lists. */
export interface Originals extends Common {
  category: readonly Id[]
  article: readonly Id[]
  page: readonly Id[]
  homepage: readonly Id[]
  currentIssue: Id
}

type Create = (name: string, data: Data) => Promise<Id>

/** Writes all translations. An entry that refers to an untranslated one refers to its English version. */
export async function writeTranslations(magazine: Magazine, create: Create, originals: Originals): Promise<void> {
  const translate = createTranslator(create, originals)
  for (const locale of locales) {
    const ours = <T>(list: readonly Translation<T>[]) => list.filter(one => one.locale === locale)
    const categories = new Map<string, Id>()
    const articles = [...originals.article]
    const places = { categories, articles }
    for (const one of ours(magazine.categoryTranslations)) {
      const original = magazine.categories[one.of]!
      const words = { ...original, data: { ...original.data, ...one.data } }
      categories.set(original.data.slug, await translate('category', one, shapeCategory(words, places)))
    }
    for (const one of ours(magazine.articleTranslations)) {
      const original = magazine.articles[one.of]!
      const words = { ...original, data: { ...original.data, ...one.data } }
      const id = await translate('article', one, shapeArticle(words, places, originals))
      // A draft would not be visible.
      if (one.data.publishedAt !== null) articles[one.of] = id
    }
    for (const one of ours(magazine.pageTranslations)) await translate('page', one, shapePage(one.data, places))
    for (const one of ours(magazine.homepageTranslations)) {
      await translate('homepage', one, shapeHomepage(one.data, places, originals.currentIssue))
    }
  }
}

/** Links each translation with the original and with the translations that exist already. */
function createTranslator(create: Create, originals: Originals) {
  const inAll = (ids: readonly Id[]) => ids.map(id => [id])
  const { category, article, page, homepage } = originals
  const entries = { category: inAll(category), article: inAll(article), page: inAll(page), homepage: inAll(homepage) }
  return async (name: keyof typeof entries, { locale, of }: Translation<unknown>, data: Data): Promise<Id> => {
    const siblings = entries[name][of]!
    const id = await create(name, { ...data, locale, localizations: [...siblings] })
    siblings.push(id)
    return id
  }
}
