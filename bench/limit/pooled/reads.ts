// The lists and the single article of the limit server on PostgreSQL and MariaDB: the total and the relations of a page
// are read at the same time, each on a connection of its own.

import type { ListPlan } from '../plan.ts'
import type { Limit } from '../requests.ts'
import { type ArticleRow, articleText, type CoveredRow, headlineText } from '../text.ts'
import { createBranches } from './branches.ts'
import type { Ask, Pool } from './pool.ts'
import { createTotal } from './total.ts'

export const ARTICLE_COLUMNS = [
  ...['id', 'title', 'slug', 'summary', 'body', 'kind', 'rating', 'views', 'featured', 'published_on', 'extra'],
  ...['created_at', 'updated_at', 'author_id', 'published_at'],
].join(', ')

type Reads = Pick<Limit, 'lists' | 'findOne'> & {
  /** Must be called after each write of this process. */
  forgetTotal(): void
}

export function createReads(pool: Pool, drafts: boolean, remembersTotal: boolean): Reads {
  const published = drafts ? 'published_at IS NOT NULL' : 'TRUE'
  const total = createTotal(pool.prepare(`SELECT count(*) AS total FROM articles WHERE ${published}`), remembersTotal)
  const byId = pool.prepare<ArticleRow>(
    `SELECT ${ARTICLE_COLUMNS} FROM articles WHERE ${published} ORDER BY id LIMIT ? OFFSET ?`,
  )
  const withCover = pool.prepare<CoveredRow>(
    `SELECT ${ARTICLE_COLUMNS}, cover_id FROM articles WHERE ${published} ORDER BY id LIMIT ? OFFSET ?`,
  )
  // The ids are read from the index alone; only the rows of the page are fetched.
  const byTitle = pool.prepare<ArticleRow>(
    `SELECT ${ARTICLE_COLUMNS} FROM articles
     JOIN (SELECT id AS page_id FROM articles WHERE ${published} ORDER BY title, id LIMIT ? OFFSET ?) page ON page_id = id
     ORDER BY title, id`,
  )
  const one = pool.prepare<ArticleRow>(`SELECT ${ARTICLE_COLUMNS} FROM articles WHERE id = ? AND ${published}`)
  const ofAuthor = `FROM articles a JOIN authors u ON u.id = a.author_id WHERE u.name = ? AND ${published}`
  const headlines = pool.prepare<Pick<ArticleRow, 'id' | 'title' | 'slug'>>(
    `SELECT a.id, a.title, a.slug ${ofAuthor} ORDER BY a.published_on DESC, a.id LIMIT ? OFFSET ?`,
  )
  const headlineCount = pool.prepare<{ total: number }>(`SELECT count(*) AS total ${ofAuthor}`)
  const branches = createBranches(pool)

  const plainList = (statement: Ask<ArticleRow>) => async (plan: ListPlan) => {
    const [rows, count] = await Promise.all([statement(...pageOf(plan)), total.get()])
    return listOf(
      joined(rows, row => articleText(row, drafts)),
      plan,
      count,
    )
  }
  const populatedList =
    <T extends ArticleRow>(ask: Ask<T>, populate: (rows: readonly T[]) => Promise<(row: T) => string>) =>
    async (plan: ListPlan) => {
      const [rows, count] = await Promise.all([ask(...pageOf(plan)), total.get()])
      const populated = await populate(rows)
      return listOf(
        joined(rows, row => articleText(row, drafts, populated(row))),
        plan,
        count,
      )
    }

  return {
    lists: {
      plain: plainList(byId),
      byTitle: plainList(byTitle),
      async byAuthor(plan) {
        const { authorName } = plan
        const [rows, [counted]] = await Promise.all([headlines(authorName, ...pageOf(plan)), headlineCount(authorName)])
        return listOf(joined(rows, headlineText), plan, Number(counted!.total))
      },
      withRelations: populatedList(byId, branches.relations),
      withMedia: populatedList(withCover, branches.media),
      deep: populatedList(byId, branches.everything),
    },
    async findOne(id) {
      const [row] = await one(id)
      return row === undefined ? null : `{"data":${articleText(row, drafts)},"meta":{}}`
    },
    forgetTotal: total.forget,
  }
}

const pageOf = ({ page, pageSize }: ListPlan) => [String(pageSize), String((page - 1) * pageSize)]

const listOf = (entries: string, { page, pageSize }: ListPlan, count: number) =>
  `{"data":[${entries}],"meta":{"pagination":{"page":${page},"pageSize":${pageSize}` +
  `,"pageCount":${Math.ceil(count / pageSize)},"total":${count}}}}`

function joined<T>(rows: readonly T[], textOf: (row: T) => string): string {
  let text = ''
  for (let index = 0; index < rows.length; index++) text += (index === 0 ? '' : ',') + textOf(rows[index]!)
  return text
}
