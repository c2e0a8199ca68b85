// Creates and updates an article on MariaDB and MySQL: one transaction for the article and its categories. The response
// to a create is made from the sent data, because MariaDB's UPDATE returns no row.

import type { Pool, ResultSetHeader } from 'mysql2/promise'
import { createdRow } from '../created.ts'
import type { Limit } from '../requests.ts'
import { articleText } from '../text.ts'

const INSERT_ARTICLE = `INSERT INTO articles (title, slug, summary, body, kind, rating, views, featured, published_on, extra,
  created_at, updated_at, author_id, published_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
const INSERT_CATEGORIES = 'INSERT INTO article_categories (article_id, position, category_id) VALUES '
const UPDATE_VIEWS = 'UPDATE articles SET views = ?, updated_at = ? WHERE id = ?'

const datetimeOf = (iso: string) => iso.replace('T', ' ').slice(0, -1)

export function createWrites(pool: Pool, drafts: boolean, findOne: Limit['findOne']): Pick<Limit, 'create' | 'update'> {
  return {
    async create(data) {
      const row = createdRow(data, new Date().toISOString())
      const now = datetimeOf(row.created_at)
      const stored = { ...row, created_at: now, updated_at: now, published_at: now }
      const connection = await pool.getConnection()
      try {
        await connection.query('BEGIN')
        const [{ insertId }] = await connection.execute<ResultSetHeader>(INSERT_ARTICLE, Object.values(stored))
        const { categories = [] } = data
        if (categories.length > 0) {
          const links = categories.flatMap((category, index) => [insertId, index + 1, category])
          await connection.execute(INSERT_CATEGORIES + categories.map(() => '(?, ?, ?)'), links)
        }
        await connection.query('COMMIT')
        return `{"data":${articleText({ id: insertId, ...row }, drafts)},"meta":{}}`
      } catch (error) {
        await connection.query('ROLLBACK')
        throw error
      } finally {
        connection.release()
      }
    },
    async update(id, { views }) {
      await pool.execute(UPDATE_VIEWS, [views, datetimeOf(new Date().toISOString()), id])
      return findOne(id)
    },
  }
}
