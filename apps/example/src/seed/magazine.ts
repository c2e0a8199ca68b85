// The whole magazine as plain data. It depends only on the seed: not on the time, a database or the order of files.

import { slugify } from '../slug.ts'
import { type Appearance, type ArticleEntry, createArticleWriter } from './articles.ts'
import { type AuthorEntry, makeAuthors } from './authors.ts'
import { type Beat, readBeats, readLetters } from './beats.ts'
import { type CorrectionEntry, type DossierEntry, makeCorrections, makeDossiers } from './collections.ts'
import { type CommentEntry, makeComments } from './comments.ts'
import { bindIssues, type IssueData, type IssueEntry, makeIssues } from './issues.ts'
import { type HomepageEntry, makeHomepage, makePages, type PageEntry } from './pages.ts'
import { createRandom, type Random } from './random.ts'
import type { Translation } from './translation.ts'
import { type ArticleWords, translateArticles } from './translations/articles.ts'
import { type CategoryWords, translateCategories } from './translations/categories.ts'
import { translateHomepage } from './translations/homepage.ts'
import { translatePages } from './translations/pages.ts'

/** A category; topics have no parent. */
export interface CategoryEntry {
  data: { name: string; slug: string; description: string; colour: string; position: number }
  parent: string | null
}

/**
 * Everything that is written into an empty database. Entries refer to each other by slug or by their index in a list.
 */
export interface Magazine {
  categories: CategoryEntry[]
  tags: { name: string; slug: string }[]
  authors: AuthorEntry[]
  issues: IssueEntry[]
  articles: ArticleEntry[]
  comments: CommentEntry[]
  dossiers: DossierEntry[]
  corrections: CorrectionEntry[]
  pages: PageEntry[]
  homepage: HomepageEntry
  categoryTranslations: Translation<CategoryWords>[]
  articleTranslations: Translation<ArticleWords>[]
  pageTranslations: Translation<PageEntry>[]
  homepageTranslations: Translation<HomepageEntry>[]
}

const topics = [
  ['Food', 'Growing it, buying it, cooking it and sitting down to it.', '#b5542b'],
  ['Travel', 'Never far, and never fast.', '#2f6f73'],
  ['Science', 'How the world works, as far as one can see from here.', '#3b4a86'],
  ['Craft', 'Things made by hand, and the hands.', '#7a5a2e'],
  ['City', 'Streets, and those who live on them.', '#5c5f66'],
] as const

/** Articles that are written and not yet published. */
const drafts = 6

/** Composes the magazine. Equal seeds give equal magazines. */
export function makeMagazine(seed = 1887): Magazine {
  const random = createRandom(seed)
  const beats = readBeats()
  const authors = makeAuthors()
  const months = makeIssues()
  const articles = makeArticles(beats, authors, months, random)
  const issues = bindIssues(months, articles)
  const tags = [...new Set(beats.flatMap(beat => beat.tags))].map(name => ({ name, slug: slugify(name) }))
  const categories = makeCategories(beats)
  const pages = makePages(articles)
  const homepage = makeHomepage(articles, issues)
  const articleTranslations = translateArticles(articles)
  const slugIn = (locale: string, place: number) =>
    articleTranslations.find(one => one.locale === locale && one.of === place)?.data.slug ?? articles[place]!.data.slug
  return {
    categories,
    tags,
    authors,
    issues,
    articles,
    comments: makeComments(articles, beats, readLetters(), random),
    dossiers: makeDossiers(articles),
    corrections: makeCorrections(articles),
    pages,
    homepage,
    categoryTranslations: translateCategories(categories.map(({ data }) => data.slug)),
    articleTranslations,
    pageTranslations: translatePages(pages),
    homepageTranslations: translateHomepage(homepage, locale => slugIn(locale, homepage.hero.article)),
  }
}

/** The magazine in English only. */
export function withoutTranslations(magazine: Magazine): Magazine {
  return {
    ...magazine,
    categoryTranslations: [],
    articleTranslations: [],
    pageTranslations: [],
    homepageTranslations: [],
  }
}

/** The number of entries, which is the number of steps in which they are written. */
export function countEntries(magazine: Magazine): number {
  const desks = magazine.authors.filter(author => author.desk !== null).length
  return Object.values(magazine).reduce((sum, list) => sum + (Array.isArray(list) ? list.length : 1), desks)
}

function makeCategories(beats: readonly Beat[]): CategoryEntry[] {
  const parents = topics.map(([name, description, colour], index) => ({
    data: { name, slug: slugify(name), description, colour, position: index + 1 },
    parent: null,
  }))
  const children = beats.map((beat, index) => {
    const parent = parents.find(({ data }) => data.name === beat.topic)!.data
    const { name, slug, description } = beat
    return { data: { name, slug, description, colour: parent.colour, position: (index % 2) + 1 }, parent: parent.slug }
  })
  return [...parents, ...children]
}

/** One article for each beat in each issue, in the order of publication, followed by the drafts. */
function makeArticles(beats: Beat[], authors: AuthorEntry[], issues: IssueData[], random: Random): ArticleEntry[] {
  const authorsOf = (beat: string) => authors.filter(author => author.beats.includes(beat)).map(({ data }) => data.slug)
  const write = createArticleWriter(beats, authorsOf, random)
  const printed = issues.flatMap((issue, place) => {
    const days = random.shuffled([2, 4, 5, 7, 8, 10, 12, 13, 15, 17]).sort((one, other) => one - other)
    return random.shuffled(beats).map((beat, index) => {
      const publishedOn = `${issue.month.slice(0, 8)}${String(days[index]!).padStart(2, '0')}`
      return write(beat, { issue: place, month: issue.month, publishedOn })
    })
  })
  const waiting: Appearance = { issue: null, month: '2026-12-01', publishedOn: null }
  const unprinted = random.shuffled(beats).slice(0, drafts)
  return [...printed, ...unprinted.map(beat => write(beat, waiting))]
}
