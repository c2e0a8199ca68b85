// Creates and updates an article on PostgreSQL: one transaction for the article and its categories. The response is
// made from the sent data.

import type pg from 'pg'
import { createdRow } from '../created.ts'
import { ARTICLE_COLUMNS } from '../pooled/reads.ts'
import type { Limit } from '../requests.ts'
import { type ArticleRow, articleText } from '../text.ts'
import { named } from './named.ts'

export function createWrites(pool: pg.Pool, drafts: boolean): Pick<Limit, 'create' | 'update'> {
  const insertArticle = named(
    `INSERT INTO articles (title, slug, summary, body, kind, rating, views, featured, published_on, extra, created_at,
     updated_at, author_id, published_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
  )
  const insertCategories = named(
    `INSERT INTO article_categories (article_id, position, category_id)
     SELECT ?::int, position, category FROM unnest(?::int[]) WITH ORDINALITY x(category, position)`,
  )
  const updateViews = named(`UPDATE articles SET views = ?, updated_at = ? WHERE id = ? RETURNING ${ARTICLE_COLUMNS}`)

  return {
    async create(data) {
      const row = createdRow(data, new Date().toISOString())
      const client = await pool.connect()
      try {
        await client.query('BEGIN')
        const { rows } = await client.query({ ...insertArticle, values: Object.values(row) })
        const id: number = rows[0].id
        if (data.categories !== undefined) {
          await client.query({ ...insertCategories, values: [id, data.categories] })
        }
        await client.query('COMMIT')
        return `{"data":${articleText({ id, ...row }, drafts)},"meta":{}}`
      } catch (error) {
        await client.query('ROLLBACK')
        throw error
      } finally {
        client.release()
      }
    },
    async update(id, { views }) {
      const { rows } = await pool.query<ArticleRow>({ ...updateViews, values: [views, new Date().toISOString(), id] })
      return rows.length === 0 ? null : `{"data":${articleText(rows[0]!, drafts)},"meta":{}}`
    },
  }
}
