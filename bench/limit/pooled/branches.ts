// The relations of a page of articles, one statement each: functions that return each article's populated attributes as
// text.

import {
  type ArticleRow,
  type AuthorRow,
  authorText,
  type CategoryRow,
  type CommentRow,
  type CoveredRow,
  categoryText,
  commentText,
  FILE_COLUMNS,
  type FileRow,
  fileIds,
  type GalleryRow,
  mediaTexts,
  type QuoteRow,
  quoteText,
  type RichTextRow,
  richTextText,
  type SeoRow,
  seoText,
} from '../text.ts'
import type { Pool } from './pool.ts'

export function createBranches({ prepare, listed }: Pool) {
  const authors = prepare<AuthorRow>(
    `SELECT id, name, email, bio, created_at, updated_at FROM authors WHERE id ${listed}`,
  )
  const categories = prepare<CategoryRow>(
    `SELECT l.article_id, c.id, c.name, c.slug, c.created_at, c.updated_at FROM article_categories l
     JOIN categories c ON c.id = l.category_id WHERE l.article_id ${listed} ORDER BY l.article_id, l.position`,
  )
  const galleries = prepare<GalleryRow>(
    `SELECT article_id, file_id FROM article_gallery WHERE article_id ${listed} ORDER BY article_id, position`,
  )
  const files = prepare<FileRow>(`SELECT ${FILE_COLUMNS} FROM files WHERE id ${listed}`)
  const comments = prepare<CommentRow>(
    `SELECT article_id, author_id, id, text, stars, created_at, updated_at FROM comments
     WHERE article_id ${listed} ORDER BY id`,
  )
  const component = (columns: string, table: string, of: string) =>
    `SELECT l.article_id, l.position, c.id, ${columns} FROM article_components l JOIN ${table} c ON c.id = l.component_id
     WHERE l.article_id ${listed} AND ${of}`
  const seos = prepare<SeoRow>(component('c.meta_title, c.meta_description', 'seos', "l.field = 'seo'"))
  const quotes = prepare<QuoteRow>(
    component('c.quote, c.source', 'quotes', "l.field = 'blocks' AND l.component = 'shared.quote'"),
  )
  const richTexts = prepare<RichTextRow>(
    component('c.text', 'rich_texts', "l.field = 'blocks' AND l.component = 'shared.rich-text'"),
  )

  const authorsOf = async (ids: ReadonlySet<number>) => {
    const texts = new Map<number | null, string>()
    for (const row of await authors([...ids])) texts.set(row.id, authorText(row))
    return texts
  }
  const idsOf = (rows: readonly ArticleRow[]) => rows.map(row => row.id)

  return {
    async relations(rows: readonly ArticleRow[]) {
      const [authorTexts, categoryRows] = await Promise.all([
        authorsOf(authorIds(rows, new Set())),
        categories(idsOf(rows)),
      ])
      const categoryTexts = joinedByArticle(categoryRows, categoryText)
      return (row: ArticleRow) =>
        `,"author":{"data":${authorTexts.get(row.author_id) ?? 'null'}}` +
        `,"categories":{"data":[${categoryTexts.get(row.id) ?? ''}]}`
    },
    async media(rows: readonly CoveredRow[]) {
      const galleryRows = await galleries(idsOf(rows))
      return mediaTexts(await files(fileIds(rows, galleryRows)), galleryRows)
    },
    async everything(rows: readonly ArticleRow[]) {
      const ids = idsOf(rows)
      const [commentRows, seoRows, quoteRows, richTextRows] = await Promise.all([
        comments(ids),
        seos(ids),
        quotes(ids),
        richTexts(ids),
      ])
      const authorTexts = await authorsOf(authorIds(commentRows, authorIds(rows, new Set())))
      const commentTexts = joinedByArticle(commentRows, row =>
        commentText(row, authorTexts.get(row.author_id) ?? 'null'),
      )
      const seoTexts = joinedByArticle(seoRows, seoText)
      const blockTexts = new Map<number, string[]>()
      for (const row of rows) blockTexts.set(row.id, [])
      for (const row of quoteRows) blockTexts.get(row.article_id)![row.position - 1] = quoteText(row)
      for (const row of richTextRows) blockTexts.get(row.article_id)![row.position - 1] = richTextText(row)
      return (row: ArticleRow) =>
        `,"comments":{"data":[${commentTexts.get(row.id) ?? ''}]},"seo":${seoTexts.get(row.id) ?? 'null'}` +
        `,"blocks":[${blockTexts.get(row.id)}],"author":{"data":${authorTexts.get(row.author_id) ?? 'null'}}`
    },
  }
}

function authorIds(rows: readonly { readonly author_id: number | null }[], ids: Set<number>): Set<number> {
  for (const row of rows) if (row.author_id !== null) ids.add(row.author_id)
  return ids
}

function joinedByArticle<T extends { readonly article_id: number }>(
  rows: readonly T[],
  textOf: (row: T) => string,
): Map<number, string> {
  const texts = new Map<number, string>()
  for (const row of rows) {
    const before = texts.get(row.article_id)
    texts.set(row.article_id, before === undefined ? textOf(row) : `${before},${textOf(row)}`)
  }
  return texts
}
