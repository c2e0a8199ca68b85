// The entries of the bench, independent of a table layout: 10,000 articles of 200 authors in 50 categories, 30,000
// comments, 2,000 pictures. Each list depends on the random numbers drawn before it, so `createEntries` alone decides the order of
// drawing.

import { capitalize, FIRST_NAMES, LAST_NAMES, Random, slugOf, wordAt } from './random.ts'

export interface Author {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly bio: string
  readonly createdAt: number
}

export interface Category {
  readonly id: number
  readonly name: string
  readonly slug: string
  readonly createdAt: number
}

export interface Article {
  readonly id: number
  readonly title: string
  readonly slug: string
  readonly summary: string
  readonly body: string
  readonly kind: string
  readonly rating: number
  readonly views: number
  readonly featured: boolean
  readonly publishedOn: string
  readonly extra: object
  readonly author: number
  readonly categories: readonly number[]
  readonly seo: { readonly metaTitle: string; readonly metaDescription: string }
  readonly quote: { readonly quote: string; readonly source: string }
  readonly richText: { readonly text: string }
  readonly createdAt: number
  readonly publishedAt: number | null
}

export interface Comment {
  readonly id: number
  readonly text: string
  readonly stars: number
  readonly article: number
  readonly author: number
  readonly createdAt: number
}

/** A picture with v4's formats; there is only its record, and no file. */
export interface Picture {
  readonly id: number
  readonly name: string
  readonly alternativeText: string
  readonly width: number
  readonly height: number
  readonly formats: object
  readonly hash: string
  readonly ext: string
  readonly mime: string
  /** In kilobytes. */
  readonly size: number
  readonly url: string
  readonly provider: string
  readonly createdAt: number
}

/** The pictures of an article. */
export interface Album {
  readonly article: number
  readonly cover: number
  readonly gallery: readonly number[]
}

export interface Entries {
  readonly authors: readonly Author[]
  readonly categories: readonly Category[]
  readonly articles: readonly Article[]
  readonly comments: readonly Comment[]
  readonly pictures: readonly Picture[]
  readonly albums: readonly Album[]
}

const AUTHORS = 200
const CATEGORIES = 50
const ARTICLES = 10_000
const COMMENTS = 30_000
const PICTURES = 2000
const GALLERY = 3
const SEED = 20240607
const START = Date.UTC(2022, 0, 1)
const MINUTE = 60_000
const DAY = 86_400_000

/** The names are distinct: 20 first names for each of 10 last names. */
export const authorName = (id: number) =>
  `${FIRST_NAMES[(id - 1) % FIRST_NAMES.length]} ${LAST_NAMES[Math.floor((id - 1) / FIRST_NAMES.length) % LAST_NAMES.length]}`

/** All names, in the order of the authors' ids. */
export const AUTHOR_NAMES: readonly string[] = Array.from({ length: AUTHORS }, (_, index) => authorName(index + 1))

export function createEntries(): Entries {
  const random = new Random(SEED)
  const list = <T>(length: number, make: (id: number, random: Random) => T) =>
    Array.from({ length }, (_, index) => make(index + 1, random))
  return {
    authors: list(AUTHORS, createAuthor),
    categories: list(CATEGORIES, createCategory),
    articles: list(ARTICLES, createArticle),
    comments: list(COMMENTS, createComment),
    pictures: list(PICTURES, createPicture),
    albums: list(ARTICLES, createAlbum),
  }
}

function createAuthor(id: number, random: Random): Author {
  const name = authorName(id)
  return { id, name, email: `${slugOf(name)}@example.com`, bio: random.text(160), createdAt: START + id * 1000 }
}

function createCategory(id: number): Category {
  const name = `${capitalize(wordAt(id * 7))} ${String(id).padStart(2, '0')}`
  return { id, name, slug: slugOf(name), createdAt: START + id * 1000 }
}

/** The members are drawn in the order in which they are declared; `published` is drawn between categories and texts. */
function createArticle(id: number, random: Random): Article {
  const title = `${random.phrase(4 + random.below(3))} ${id}`
  const categories = new Set<number>()
  while (categories.size < 3) categories.add(1 + random.below(CATEGORIES))
  const published = random.next() < 0.9
  const createdAt = START + id * MINUTE
  return {
    id,
    title,
    slug: slugOf(title),
    summary: random.text(120),
    body: random.text(560 + random.below(80)),
    kind: random.pick(['news', 'essay', 'review']),
    rating: Math.round(random.next() * 50) / 10,
    views: random.below(100_000),
    featured: random.next() < 0.1,
    publishedOn: new Date(START + random.below(900) * DAY).toISOString().slice(0, 10),
    extra: { source: random.word(), tags: [random.word(), random.word()], score: random.below(100) },
    author: 1 + random.below(AUTHORS),
    categories: [...categories],
    seo: { metaTitle: title.slice(0, 60), metaDescription: random.text(140) },
    quote: { quote: random.text(120), source: `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}` },
    richText: { text: random.text(220) },
    createdAt,
    publishedAt: published ? createdAt + 60 * MINUTE : null,
  }
}

function createComment(id: number, random: Random): Comment {
  return {
    id,
    text: random.text(90),
    stars: 1 + random.below(5),
    article: 1 + random.below(ARTICLES),
    author: 1 + random.below(AUTHORS),
    createdAt: START + id * 20_000,
  }
}

/** Sizes as those of a picture of 1200 × 800 pixels. */
const FORMATS = { thumbnail: [234, 156], large: [1000, 667], medium: [750, 500], small: [500, 333] } as const

function createPicture(id: number, random: Random): Picture {
  const title = `${random.phrase(2)} ${id}`
  const name = `${title}.jpg`
  const hash = `${title.replaceAll(' ', '_')}_${random
    .below(2 ** 32)
    .toString(16)
    .padStart(10, '0')}`
  const file = { ext: '.jpg', mime: 'image/jpeg' }
  const formats = Object.entries(FORMATS).map(([format, [width, height]]) => {
    const sizeInBytes = width * 40 + random.below(20_000)
    const own = { name: `${format}_${name}`, hash: `${format}_${hash}`, ...file, path: null, width, height }
    const size = Math.round(sizeInBytes / 10) / 100
    return [format, { ...own, size, sizeInBytes, url: `/uploads/${format}_${hash}.jpg` }] as const
  })
  return {
    id,
    name,
    alternativeText: random.phrase(5),
    width: 1200,
    height: 800,
    formats: Object.fromEntries(formats),
    hash,
    ...file,
    size: (10_000 + random.below(40_000)) / 100,
    url: `/uploads/${hash}.jpg`,
    provider: 'local',
    createdAt: START + id * 30_000,
  }
}

function createAlbum(article: number, random: Random): Album {
  const gallery = new Set<number>()
  while (gallery.size < GALLERY) gallery.add(1 + random.below(PICTURES))
  return { article, cover: 1 + random.below(PICTURES), gallery: [...gallery] }
}
