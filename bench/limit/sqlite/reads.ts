// The lists and the single article of the limit server: one statement for the articles, one for each relation of the
// page, and a cached total. All statements are prepared once.

import type { Database } from 'better-sqlite3'
import type { ListPlan } from '../plan.ts'
import {
  type ArticleRow,
  type AuthorRow,
  articleText,
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
  headlineText,
  mediaTexts,
  type QuoteRow,
  quoteText,
  type RichTextRow,
  richTextText,
  type SeoRow,
  seoText,
} from '../text.ts'
import { createTotal } from './total.ts'

export const ARTICLE_COLUMNS =
  'id, title, slug, summary, body, kind, rating, views, featured, published_on, extra, created_at, updated_at, ' +
  'author_id, published_at'

/** `json_each` takes lists of any length in one statement. */
const LISTED = 'IN (SELECT value FROM json_each(?))'

type List = (plan: ListPlan) => string

export interface Reads {
  readonly lists: Readonly<Record<ListPlan['kind'], List>>
  findOne(id: number): string | null
  /** Must be called after each write of this process. */
  forgetTotal(): void
}

export function createReads(database: Database, drafts: boolean): Reads {
  const published = drafts ? 'published_at IS NOT NULL' : 'TRUE'
  const page = 'LIMIT ? OFFSET ?'
  const total = createTotal(database, `SELECT count(*) FROM articles WHERE ${published}`)
  const byId = database.prepare<number[], ArticleRow>(
    `SELECT ${ARTICLE_COLUMNS} FROM articles WHERE ${published} ORDER BY id ${page}`,
  )
  const withCover = database.prepare<number[], CoveredRow>(
    `SELECT ${ARTICLE_COLUMNS}, cover_id FROM articles WHERE ${published} ORDER BY id ${page}`,
  )
  const byTitle = database.prepare<number[], ArticleRow>(
    `SELECT ${ARTICLE_COLUMNS} FROM articles WHERE ${published} ORDER BY title ${page}`,
  )
  const one = database.prepare<number[], ArticleRow>(
    `SELECT ${ARTICLE_COLUMNS} FROM articles WHERE id = ? AND ${published}`,
  )
  const ofAuthor = `FROM articles a JOIN authors u ON u.id = a.author_id WHERE u.name = ? AND ${published}`
  const headlines = database.prepare<unknown[], Pick<ArticleRow, 'id' | 'title' | 'slug'>>(
    `SELECT a.id, a.title, a.slug ${ofAuthor} ORDER BY a.published_on DESC, a.id ${page}`,
  )
  const headlineCount = database.prepare<string[], number>(`SELECT count(*) ${ofAuthor}`).pluck()
  const branches = createBranches(database)

  const readPage = (statement: typeof byId, plan: ListPlan) =>
    statement.all(plan.pageSize, (plan.page - 1) * plan.pageSize)
  const listOf = (entries: string, plan: ListPlan, count: number) =>
    `{"data":[${entries}],"meta":{"pagination":{"page":${plan.page},"pageSize":${plan.pageSize}` +
    `,"pageCount":${Math.ceil(count / plan.pageSize)},"total":${count}}}}`

  return {
    lists: {
      plain: plan =>
        listOf(
          joined(readPage(byId, plan), row => articleText(row, drafts)),
          plan,
          total.get(),
        ),
      byTitle: plan =>
        listOf(
          joined(readPage(byTitle, plan), row => articleText(row, drafts)),
          plan,
          total.get(),
        ),
      byAuthor: plan => {
        const rows = headlines.all(plan.authorName, plan.pageSize, (plan.page - 1) * plan.pageSize)
        return listOf(joined(rows, headlineText), plan, headlineCount.get(plan.authorName)!)
      },
      withRelations: plan => {
        const rows = readPage(byId, plan)
        const populated = branches.relations(rows)
        return listOf(
          joined(rows, row => articleText(row, drafts, populated(row))),
          plan,
          total.get(),
        )
      },
      withMedia: plan => {
        const rows = withCover.all(plan.pageSize, (plan.page - 1) * plan.pageSize)
        const populated = branches.media(rows)
        return listOf(
          joined(rows, row => articleText(row, drafts, populated(row))),
          plan,
          total.get(),
        )
      },
      deep: plan => {
        const rows = readPage(byId, plan)
        const populated = branches.everything(rows)
        return listOf(
          joined(rows, row => articleText(row, drafts, populated(row))),
          plan,
          total.get(),
        )
      },
    },
    findOne: id => {
      const row = one.get(id)
      return row === undefined ? null : `{"data":${articleText(row, drafts)},"meta":{}}`
    },
    forgetTotal: total.forget,
  }
}

function joined<T>(rows: readonly T[], textOf: (row: T) => string): string {
  let text = ''
  for (let index = 0; index < rows.length; index++) text += (index === 0 ? '' : ',') + textOf(rows[index]!)
  return text
}

/** Functions that read the relations of a page of articles and return each article's populated attributes as text. */
function createBranches(database: Database) {
  const authors = database.prepare<string[], AuthorRow>(
    `SELECT id, name, email, bio, created_at, updated_at FROM authors WHERE id ${LISTED}`,
  )
  const categories = database.prepare<string[], CategoryRow>(
    `SELECT l.article_id, c.id, c.name, c.slug, c.created_at, c.updated_at FROM article_categories l
     JOIN categories c ON c.id = l.category_id WHERE l.article_id ${LISTED} ORDER BY l.article_id, l.position`,
  )
  const galleries = database.prepare<string[], GalleryRow>(
    `SELECT article_id, file_id FROM article_gallery WHERE article_id ${LISTED} ORDER BY article_id, position`,
  )
  const files = database.prepare<string[], FileRow>(`SELECT ${FILE_COLUMNS} FROM files WHERE id ${LISTED}`)
  const comments = database.prepare<string[], CommentRow>(
    `SELECT article_id, author_id, id, text, stars, created_at, updated_at FROM comments
     WHERE article_id ${LISTED} ORDER BY id`,
  )
  const component = (columns: string, table: string, of: string) =>
    `SELECT l.article_id, l.position, c.id, ${columns} FROM article_components l JOIN ${table} c ON c.id = l.component_id
     WHERE l.article_id ${LISTED} AND ${of}`
  const seos = database.prepare<string[], SeoRow>(
    component('c.meta_title, c.meta_description', 'seos', "l.field = 'seo'"),
  )
  const quotes = database.prepare<string[], QuoteRow>(
    component('c.quote, c.source', 'quotes', "l.field = 'blocks' AND l.component = 'shared.quote'"),
  )
  const richTexts = database.prepare<string[], RichTextRow>(
    component('c.text', 'rich_texts', "l.field = 'blocks' AND l.component = 'shared.rich-text'"),
  )

  const authorsOf = (ids: ReadonlySet<number>) => {
    const texts = new Map<number | null, string>()
    for (const row of authors.all(`[${[...ids]}]`)) texts.set(row.id, authorText(row))
    return texts
  }
  const listOf = (rows: readonly ArticleRow[]) => `[${rows.map(row => row.id)}]`

  return {
    relations(rows: readonly ArticleRow[]) {
      const authorTexts = authorsOf(authorIds(rows, new Set()))
      const categoryTexts = joinedByArticle(categories.all(listOf(rows)), categoryText)
      return (row: ArticleRow) =>
        `,"author":{"data":${authorTexts.get(row.author_id) ?? 'null'}}` +
        `,"categories":{"data":[${categoryTexts.get(row.id) ?? ''}]}`
    },
    media(rows: readonly CoveredRow[]) {
      const galleryRows = galleries.all(listOf(rows))
      return mediaTexts(files.all(`[${fileIds(rows, galleryRows)}]`), galleryRows)
    },
    everything(rows: readonly ArticleRow[]) {
      const list = listOf(rows)
      const commentRows = comments.all(list)
      const authorTexts = authorsOf(authorIds(commentRows, authorIds(rows, new Set())))
      const commentTexts = joinedByArticle(commentRows, row =>
        commentText(row, authorTexts.get(row.author_id) ?? 'null'),
      )
      const seoTexts = joinedByArticle(seos.all(list), seoText)
      const blockTexts = new Map<number, string[]>()
      for (const row of rows) blockTexts.set(row.id, [])
      for (const row of quotes.all(list)) blockTexts.get(row.article_id)![row.position - 1] = quoteText(row)
      for (const row of richTexts.all(list)) blockTexts.get(row.article_id)![row.position - 1] = richTextText(row)
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
