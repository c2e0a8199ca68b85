// The entries as rows in the table layout of Strapi v4: link tables, component links, datetimes in the form of each
// database.

import type { Client, Row, Tables, Value } from '../store/store.ts'
import type { Album, Article, Comment, Entries, Picture } from './entries.ts'

/** Epoch milliseconds on SQLite; `2024-01-31 12:34:56.789` on databases with a type for datetimes. */
type Datetime = (milliseconds: number) => Value

/** The form of datetimes in columns of the database's own type, in UTC. */
export const datetimeText = (milliseconds: number) =>
  new Date(milliseconds).toISOString().replace('T', ' ').slice(0, -1)

/** The attribute that rules compare; only the variants with rules have it. */
const level = 1

export function v4Tables(client: Client, { authors, categories, articles, comments }: Entries): Tables {
  const timestamps = timestampsOf(client)
  return {
    authors: authors.map(({ createdAt, ...author }) => ({ ...author, level, ...timestamps(createdAt) })),
    categories: categories.map(({ createdAt, ...category }) => ({ ...category, level, ...timestamps(createdAt) })),
    articles: articleRows(client, articles),
    comments: comments.map(({ id, text, stars, createdAt }) => ({ id, text, stars, level, ...timestamps(createdAt) })),
    components_shared_seos: articles.map(({ id, seo }) => ({
      id,
      meta_title: seo.metaTitle,
      meta_description: seo.metaDescription,
    })),
    components_shared_quotes: articles.map(({ id, quote }) => ({ id, ...quote })),
    components_shared_rich_texts: articles.map(({ id, richText }) => ({ id, ...richText })),
    articles_components: numbered(articles.flatMap(componentLinks)),
    articles_author_links: numbered(authorLinks(articles)),
    articles_categories_links: numbered(categoryLinks(articles)),
    comments_article_links: numbered(commentLinks(comments)),
    comments_author_links: numbered(comments.map(({ id, author }) => ({ comment_id: id, author_id: author }))),
  }
}

const datetimeOf = (client: Client): Datetime => (client === 'sqlite' ? milliseconds => milliseconds : datetimeText)

/** The tables of the plugin for files. */
export function fileTables(client: Client, { pictures, albums }: Pick<Entries, 'pictures' | 'albums'>): Tables {
  const timestamps = timestampsOf(client)
  return {
    files: pictures.map(({ createdAt, ...picture }) => ({ ...pictureRow(picture), ...timestamps(createdAt) })),
    files_related_morphs: numbered(albums.flatMap(pictureLinks)),
  }
}

const pictureRow = ({ alternativeText, formats, ...picture }: Omit<Picture, 'createdAt'>): Row => ({
  ...picture,
  alternative_text: alternativeText,
  formats: JSON.stringify(formats),
  folder_path: '/',
})

const pictureLinks = ({ article, cover, gallery }: Album): Row[] => {
  const related = { related_id: article, related_type: 'api::article.article' }
  return [
    { file_id: cover, ...related, field: 'cover', order: 1 },
    ...gallery.map((file, index) => ({ file_id: file, ...related, field: 'gallery', order: index + 1 })),
  ]
}

function timestampsOf(client: Client) {
  const datetime = datetimeOf(client)
  return (createdAt: number) => ({ created_at: datetime(createdAt), updated_at: datetime(createdAt) })
}

/** The rows of the table `articles` alone. */
export function articleRows(client: Client, articles: readonly Article[]): Row[] {
  const datetime = datetimeOf(client)
  const timestamps = timestampsOf(client)
  return articles.map(article => ({ ...articleRow(client, datetime, article), ...timestamps(article.createdAt) }))
}

const articleRow = (client: Client, datetime: Datetime, article: Article): Row => ({
  id: article.id,
  title: article.title,
  slug: article.slug,
  summary: article.summary,
  body: article.body,
  kind: article.kind,
  rating: article.rating,
  views: article.views,
  featured: client === 'postgres' ? article.featured : Number(article.featured),
  published_on: article.publishedOn,
  extra: JSON.stringify(article.extra),
  published_at: article.publishedAt === null ? null : datetime(article.publishedAt),
  locale: 'en',
  level,
})

const componentLinks = ({ id }: Article): Row[] => [
  { entity_id: id, component_id: id, component_type: 'shared.seo', field: 'seo', order: 1 },
  { entity_id: id, component_id: id, component_type: 'shared.quote', field: 'blocks', order: 1 },
  { entity_id: id, component_id: id, component_type: 'shared.rich-text', field: 'blocks', order: 2 },
]

function authorLinks(articles: readonly Article[]): Row[] {
  const order = createCounter()
  return articles.map(({ id, author }) => ({ article_id: id, author_id: author, article_order: order(author) }))
}

function categoryLinks(articles: readonly Article[]): Row[] {
  const order = createCounter()
  return articles.flatMap(({ id, categories }) =>
    categories.map((category, index) => ({
      article_id: id,
      category_id: category,
      category_order: index + 1,
      article_order: order(category),
    })),
  )
}

function commentLinks(comments: readonly Comment[]): Row[] {
  const order = createCounter()
  return comments.map(({ id, article }) => ({ comment_id: id, article_id: article, comment_order: order(article) }))
}

/** Counts 1, 2, 3, … per key: the place of an entry in the list of the other side. */
function createCounter() {
  const counts = new Map<number, number>()
  return (key: number) => {
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count
  }
}

const numbered = (rows: readonly Row[]): Row[] => rows.map((row, index) => ({ id: index + 1, ...row }))
