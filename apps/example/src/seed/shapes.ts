// The data of the entries of the magazine, once the entries that they refer to have ids.

import type { ArticleEntry } from './articles.ts'
import type { Part } from './extras.ts'
import type { Id } from './id.ts'
import type { CategoryEntry } from './magazine.ts'
import type { HomepageEntry, PageEntry } from './pages.ts'
import type { Pictures } from './pictures.ts'

/** The data of an entry. */
export type Data = Record<string, unknown>

/** The entries of one language that others refer to: categories by the slugs of their originals, articles by index. */
export interface Places {
  categories: ReadonlyMap<string, Id>
  articles: readonly Id[]
}

/** The entries that are the same in every language. */
export interface Common {
  authors: ReadonlyMap<string, Id>
  tags: ReadonlyMap<string, Id>
  pictures: Pictures
}

/** The data of a category. */
export function shapeCategory({ data, parent }: CategoryEntry, { categories }: Pick<Places, 'categories'>): Data {
  return { ...data, parent: parent === null ? null : categories.get(parent) }
}

/** The data of an article. Its cover is the picture of its beat; a guide also has a gallery. */
export function shapeArticle(article: ArticleEntry, { categories, articles }: Places, common: Common): Data {
  const { authors, tags, pictures } = common
  return {
    ...article.data,
    ...(pictures.size > 0 && { cover: pictures.get(article.beat) }),
    ...(pictures.size > 0 && article.data.kind === 'guide' && { gallery: threeFrom(article.beat, pictures) }),
    author: authors.get(article.author),
    categories: [article.topic.toLowerCase(), article.beat].map(slug => categories.get(slug)),
    tags: article.tags.map(tag => tags.get(tag.replaceAll(' ', '-'))),
    readNext: article.readNext.map(place => articles[place]),
  }
}

/** The data of a page. */
export function shapePage(page: PageEntry, { articles }: Places): Data {
  const shape = (part: Part) =>
    Array.isArray(part.articles) ? { ...part, articles: toIds(part.articles, articles) } : part
  return { ...page, sections: page.sections.map(shape) }
}

/** The data of the homepage. */
export function shapeHomepage(homepage: HomepageEntry, { articles }: Places, currentIssue: Id): Data {
  const { hero, rows, editorsChoice } = homepage
  return {
    ...homepage,
    hero: { ...hero, article: articles[hero.article] },
    rows: rows.map(row => ({ ...row, articles: toIds(row.articles, articles) })),
    editorsChoice: toIds(editorsChoice, articles),
    currentIssue,
  }
}

/** The picture of a beat, and those of the two beats after it. */
function threeFrom(beat: string, pictures: Pictures): Id[] {
  const start = [...pictures.keys()].indexOf(beat)
  return [...pictures.values(), ...pictures.values()].slice(start, start + 3)
}

const toIds = (places: readonly number[], ids: readonly Id[]) => places.map(place => ids[place])
