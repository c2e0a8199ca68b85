// Reads a page of articles with their authors and categories: one statement for each, and the total. The rows have the
// column names that the caller chooses.

import type { Statements } from './graphql-statements.ts'
import type { Maybe } from './requests.ts'

/** The columns of each table, as they stand after SELECT. */
export interface Columns {
  readonly article: readonly string[]
  readonly author: readonly string[]
  readonly category: readonly string[]
}

interface Identified {
  readonly id: number
}

/** The rows of a page. */
export interface Page<Article, Author, Category> {
  readonly articles: readonly Article[]
  readonly authors: ReadonlyMap<number, Author>
  readonly categories: ReadonlyMap<number, readonly Category[]>
  readonly total: number
}

export type ReadPage<Article, Author, Category> = (
  start: number,
  limit: number,
) => Promise<Page<Article, Author, Category>>

/** The maximum length of a nested list, which Plinth's GraphQL has by default. */
const NESTED = 10

/** `limitsNested`: whether at most ten categories of each article are read, as the dialect demands. */
export function preparePage<
  Article extends Identified & { readonly author_id: number | null },
  Author extends Identified,
  Category extends { readonly article_id: number },
>(statements: Statements, columns: Columns, limitsNested: boolean): ReadPage<Article, Author, Category> {
  const articles = statements.prepare<Article>(
    `SELECT ${columns.article}, author_id FROM articles WHERE published_at IS NOT NULL ORDER BY id LIMIT ? OFFSET ?`,
  )
  const total = statements.prepareTotal('SELECT count(*) AS total FROM articles WHERE published_at IS NOT NULL')
  const authors = statements.prepare<Author>(`SELECT ${columns.author} FROM authors WHERE id ${statements.listed}`)
  const categories = statements.prepare<Category>(
    limitsNested ? firstCategories(statements, columns) : allCategories(statements, columns),
  )
  return async (start, limit) => {
    const [rows, count] = await both(articles(String(limit), String(start)), total())
    const authorIds = new Set<number>()
    for (const { author_id } of rows) if (author_id !== null) authorIds.add(author_id)
    const [authorRows, categoryRows] = await both(authors([...authorIds]), categories(rows.map(row => row.id)))
    const byId = new Map<number, Author>()
    for (const row of authorRows) byId.set(row.id, row)
    return { articles: rows, authors: byId, categories: grouped(categoryRows), total: count }
  }
}

const allCategories = ({ listed }: Statements, { category }: Columns) =>
  `SELECT l.article_id, ${category.map(name => `c.${name}`)} FROM article_categories l
   JOIN categories c ON c.id = l.category_id WHERE l.article_id ${listed} ORDER BY l.article_id, l.position`

const firstCategories = ({ listed }: Statements, { category }: Columns) =>
  `SELECT l.article_id, ${category.map(name => `c.${name}`)} FROM (
     SELECT article_id, category_id, position, ROW_NUMBER() OVER (PARTITION BY article_id ORDER BY position) AS place
     FROM article_categories WHERE article_id ${listed}
   ) l JOIN categories c ON c.id = l.category_id WHERE l.place <= ${NESTED} ORDER BY l.article_id, l.position`

/** Values of SQLite are there already; servers are asked for both at the same time. */
function both<A, B>(a: Maybe<A>, b: Maybe<B>): Maybe<[A, B]> {
  return a instanceof Promise || b instanceof Promise ? Promise.all([a, b]) : [a, b]
}

function grouped<T extends { readonly article_id: number }>(rows: readonly T[]): Map<number, T[]> {
  const groups = new Map<number, T[]>()
  for (const row of rows) {
    const group = groups.get(row.article_id)
    if (group === undefined) groups.set(row.article_id, [row])
    else group.push(row)
  }
  return groups
}
