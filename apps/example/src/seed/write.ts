// Writes the magazine into the database. It knows the names of the content types, and nothing about the content.

import type { Kernel } from '@plinth/kernel'
import type { Id } from './id.ts'
import { hasLocales } from './locales.ts'
import { countEntries, type Magazine, withoutTranslations } from './magazine.ts'
import type { Pictures } from './pictures.ts'
import type { Progress } from './progress.ts'
import { type Data, shapeArticle, shapeCategory, shapeHomepage, shapePage } from './shapes.ts'
import { writeTranslations } from './translate.ts'

/** Creates one entry and returns its id. */
type Create = (name: string, data: Data) => Promise<Id>

/** Everything that is written, and the pictures, which are there already. */
interface Whole {
  magazine: Magazine
  pictures: Pictures
}

/** Writes the whole magazine in one transaction. Without locales it writes only the English entries. */
export async function writeMagazine(kernel: Kernel, whole: Whole, progressFor: (total: number) => Progress) {
  const { pictures } = whole
  const magazine = hasLocales(kernel) ? whole.magazine : withoutTranslations(whole.magazine)
  await kernel.transaction(async () => {
    // Counted again if the transaction runs again.
    const progress = progressFor(countEntries(magazine))
    const create: Create = async (name, data) => {
      const entry = await kernel.query(`api::${name}.${name}`).create({ data })
      progress.step(name)
      return entry.id as Id
    }
    await writeEntries({ magazine, pictures }, create)
    progress.end()
  })
}

async function writeEntries({ magazine, pictures }: Whole, create: Create): Promise<void> {
  const categories = await writeNamed(magazine.categories, (category, ids) =>
    create('category', shapeCategory(category, { categories: ids })),
  )
  const tags = await writeNamed(
    magazine.tags.map(data => ({ data })),
    ({ data }) => create('tag', data),
  )
  const authors = await writeNamed(magazine.authors, async ({ data, desk, mentor, beats }, ids) =>
    create('author', {
      ...data,
      desk: desk === null ? null : await create('desk', { ...desk }),
      mentor: mentor === null ? null : ids.get(mentor),
      beats: beats.map(beat => categories.get(beat)),
    }),
  )
  const articles = await writeAll(magazine.articles, (article, earlier) =>
    create('article', shapeArticle(article, { categories, articles: earlier }, { authors, tags, pictures })),
  )
  const toArticles = (places: number[]) => places.map(place => articles[place])
  const issues = await writeAll(magazine.issues, ({ data, coverStory, articles: own }) =>
    create('issue', { ...data, coverStory: articles[coverStory], articles: toArticles(own) }),
  )
  await writeAll(magazine.comments, ({ data, article, replyTo }, earlier) =>
    create('comment', { ...data, article: articles[article], replyTo: replyTo === null ? null : earlier[replyTo] }),
  )
  const ids = { article: articles, author: [...authors.values()], issue: issues }
  await writeReferences(magazine, create, ids)
  const places = { categories, articles }
  const currentIssue = issues.at(-1)!
  const page = await writeAll(magazine.pages, page => create('page', shapePage(page, places)))
  const homepage = await create('homepage', shapeHomepage(magazine.homepage, places, currentIssue))
  await writeTranslations(magazine, create, {
    category: [...categories.values()],
    article: articles,
    page,
    homepage: [homepage],
    authors,
    tags,
    pictures,
    currentIssue,
  })
}

async function writeReferences(magazine: Magazine, create: Create, ids: Record<'article' | 'author' | 'issue', Id[]>) {
  const refer = ({ type, place }: { type: 'article' | 'author' | 'issue'; place: number }) => ({
    id: ids[type][place],
    __type: `api::${type}.${type}`,
  })
  await writeAll(magazine.dossiers, ({ data, items }) => create('dossier', { ...data, items: items.map(refer) }))
  await writeAll(magazine.corrections, ({ data, subject }) =>
    create('correction', { ...data, subject: refer(subject) }),
  )
}

/** Writes a list in its order; each entry may refer to the ids of those before it. */
async function writeAll<T>(list: readonly T[], write: (entry: T, earlier: Id[]) => Promise<Id>): Promise<Id[]> {
  const ids: Id[] = []
  for (const entry of list) ids.push(await write(entry, ids))
  return ids
}

/** The same for entries that are referred to by slug. */
async function writeNamed<T extends { data: { slug: string } }>(
  list: readonly T[],
  write: (entry: T, earlier: Map<string, Id>) => Promise<Id>,
): Promise<Map<string, Id>> {
  const ids = new Map<string, Id>()
  for (const entry of list) ids.set(entry.data.slug, await write(entry, ids))
  return ids
}
