// Answers the operations of the bench without executing them: the body is looked up by its text, and the answer is written
// as text by hand.

import { LIST_TEXT, PAGE_TEXT } from '../graphql-scenarios.ts'
import { preparePage } from './graphql-page.ts'
import type { Statements } from './graphql-statements.ts'
import {
  type ArticleRow,
  type AuthorRow,
  articleMembers,
  authorMembers,
  type CategoryRow,
  categoryMembers,
} from './text.ts'

const TIMESTAMPS = ['created_at', 'updated_at']

const columns = {
  article: [
    ...['id', 'title', 'slug', 'summary', 'body', 'kind', 'rating', 'views', 'featured', 'published_on', 'extra'],
    ...[...TIMESTAMPS, 'published_at'],
  ],
  author: ['id', 'name', 'email', 'bio', ...TIMESTAMPS],
  category: ['id', 'name', 'slug', ...TIMESTAMPS],
}

interface Place {
  readonly start: number
  readonly limit: number
}

/** The answer to a body. */
export function createText(statements: Statements, limitsNested: boolean): (body: string) => Promise<string> {
  const read = preparePage<ArticleRow, AuthorRow, CategoryRow>(statements, columns, limitsNested)
  return async body => {
    const { start, limit } = placeOf(body)
    const { articles, authors, categories, total } = await read(start, limit)
    const texts = articles.map(row => {
      const author = row.author_id === null ? undefined : authors.get(row.author_id)
      const populated =
        `,"author":{"data":${author === undefined ? 'null' : entryText(author.id, authorMembers(author))}}` +
        `,"categories":{"data":[${categoryTexts(categories.get(row.id))}]}`
      return entryText(row.id, articleMembers(row, true) + populated)
    })
    return (
      `{"data":{"articles":{"data":[${texts}],"meta":{"pagination":{"page":${Math.floor(start / limit) + 1}` +
      `,"pageSize":${limit},"pageCount":${Math.ceil(total / limit)},"total":${total}}}}}}`
    )
  }
}

const entryText = (id: number, attributes: string) => `{"id":"${id}","attributes":{${attributes}}}`

const categoryTexts = (rows: readonly CategoryRow[] = []) => rows.map(row => entryText(row.id, categoryMembers(row)))

const REMEMBERED = 1000
const places = new Map<string, Place>()

function placeOf(body: string): Place {
  const known = places.get(body)
  if (known !== undefined) return known
  const place = parse(body)
  if (places.size >= REMEMBERED) places.delete(places.keys().next().value!)
  places.set(body, place)
  return place
}

function parse(body: string): Place {
  const { query, variables } = JSON.parse(body) as { query: string; variables: { start: number } }
  if (query === LIST_TEXT) return { start: 0, limit: 25 }
  if (query === PAGE_TEXT) return { start: variables.start, limit: 25 }
  throw new Error(`This operation is not known: ${query}`)
}
