// Creates and updates an article: prepared statements in one transaction. The response is made from the sent data.

import type { Database } from 'better-sqlite3'
import { createdRow } from '../created.ts'
import type { Created } from '../requests.ts'
import { type ArticleRow, articleText } from '../text.ts'
import { ARTICLE_COLUMNS } from './reads.ts'

export interface Writes {
  create(data: Created): string
  update(id: number, data: { readonly views: number }): string | null
}

export function createWrites(database: Database, drafts: boolean): Writes {
  const insertArticle = database.prepare<(string | number | null)[]>(
    `INSERT INTO articles (title, slug, summary, body, kind, rating, views, featured, published_on, extra, created_at,
     updated_at, author_id, published_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const insertCategory = database.prepare<number[]>(
    'INSERT INTO article_categories (article_id, position, category_id) VALUES (?, ?, ?)',
  )
  const updateViews = database.prepare<(string | number)[], ArticleRow>(
    `UPDATE articles SET views = ?, updated_at = ? WHERE id = ? RETURNING ${ARTICLE_COLUMNS}`,
  )
  const insert = database.transaction((row: Omit<ArticleRow, 'id'>, categories: readonly number[]) => {
    const id = insertArticle.run(
      row.title,
      row.slug,
      row.summary,
      row.body,
      row.kind,
      row.rating,
      row.views,
      row.featured === null ? null : Number(row.featured),
      row.published_on,
      row.extra,
      row.created_at,
      row.updated_at,
      row.author_id,
      row.published_at,
    ).lastInsertRowid as number
    for (let index = 0; index < categories.length; index++) insertCategory.run(id, index + 1, categories[index]!)
    return id
  }).immediate

  return {
    create(data) {
      const row = createdRow(data, new Date().toISOString())
      const id = insert(row, data.categories ?? [])
      return `{"data":${articleText({ id, ...row }, drafts)},"meta":{}}`
    },
    update(id, { views }) {
      const row = updateViews.get(views, new Date().toISOString(), id)
      return row === undefined ? null : `{"data":${articleText(row, drafts)},"meta":{}}`
    },
  }
}
