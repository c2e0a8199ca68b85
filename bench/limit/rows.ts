// The entries as rows of the limit server's own tables: plain foreign keys, and an index for each scenario.

import type { Entries } from '../data/entries.ts'
import { datetimeText } from '../data/v4-tables.ts'
import type { Client, Tables } from '../store/store.ts'

/** The statements that create the tables, and those that run after they are filled. */
export interface TableTexts {
  readonly tables: readonly string[]
  readonly indexes: readonly string[]
}

/** Datetimes are the text of the response on SQLite, and values of the database's own type elsewhere. */
export function limitTables(client: Client, entries: Entries): Tables {
  const { authors, categories, articles, comments, pictures, albums } = entries
  const datetime = client === 'sqlite' ? (ms: number) => new Date(ms).toISOString() : datetimeText
  const timestamps = (createdAt: number) => ({ created_at: datetime(createdAt), updated_at: datetime(createdAt) })
  return {
    authors: authors.map(({ createdAt, ...author }) => ({ ...author, ...timestamps(createdAt) })),
    categories: categories.map(({ createdAt, ...category }) => ({ ...category, ...timestamps(createdAt) })),
    files: pictures.map(({ createdAt, alternativeText, formats, ...picture }) => ({
      ...picture,
      alternative_text: alternativeText,
      formats: JSON.stringify(formats),
      ...timestamps(createdAt),
    })),
    articles: articles.map((article, index) => ({
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
      ...timestamps(article.createdAt),
      author_id: article.author,
      cover_id: albums[index]!.cover,
      published_at: article.publishedAt === null ? null : datetime(article.publishedAt),
    })),
    article_categories: articles.flatMap(article =>
      article.categories.map((category, index) => ({
        article_id: article.id,
        position: index + 1,
        category_id: category,
      })),
    ),
    article_gallery: albums.flatMap(({ article, gallery }) =>
      gallery.map((file, index) => ({ article_id: article, position: index + 1, file_id: file })),
    ),
    comments: comments.map(({ id, text, stars, article, author, createdAt }) => ({
      id,
      text,
      stars,
      ...timestamps(createdAt),
      article_id: article,
      author_id: author,
    })),
    seos: articles.map(({ id, seo }) => ({
      id,
      meta_title: seo.metaTitle,
      meta_description: seo.metaDescription,
    })),
    quotes: articles.map(({ id, quote }) => ({ id, ...quote })),
    rich_texts: articles.map(({ id, richText }) => ({ id, ...richText })),
    article_components: articles.flatMap(({ id }) => [
      { article_id: id, field: 'seo', position: 1, component: 'shared.seo', component_id: id },
      { article_id: id, field: 'blocks', position: 1, component: 'shared.quote', component_id: id },
      { article_id: id, field: 'blocks', position: 2, component: 'shared.rich-text', component_id: id },
    ]),
  }
}
