// GraphQL as an experienced engineer writes it by hand: a schema in SDL, one resolver, which reads a page with all its
// relations ahead, and for all other fields the properties of its result, but for the own field of S8x. Rows are the
// objects of the answer.

import { GraphQLScalarType } from 'graphql'
import type { MercuriusOptions } from 'mercurius'
import { OWN_FIELD, readingTime } from '../graphql-scenarios.ts'
import { preparePage } from './graphql-page.ts'
import type { Statements } from './graphql-statements.ts'
import { isoText } from './text.ts'

const SCHEMA = `
  scalar DateTime
  scalar Date
  scalar JSON
  enum ENUM_ARTICLE_KIND { news essay review }
  input PaginationArg { page: Int pageSize: Int start: Int limit: Int }
  type Query { articles(pagination: PaginationArg = {}): ArticleEntityResponseCollection }
  type ArticleEntityResponseCollection { data: [ArticleEntity!]! meta: ResponseCollectionMeta! }
  type ResponseCollectionMeta { pagination: Pagination! }
  type Pagination { total: Int! page: Int! pageSize: Int! pageCount: Int! }
  type ArticleEntity { id: ID attributes: Article }
  type Article {
    title: String! slug: String summary: String body: String kind: ENUM_ARTICLE_KIND rating: Float views: Int
    featured: Boolean publishedOn: Date extra: JSON author: AuthorEntityResponse
    categories: CategoryRelationResponseCollection createdAt: DateTime updatedAt: DateTime publishedAt: DateTime
    ${OWN_FIELD}: Int!
  }
  type AuthorEntityResponse { data: AuthorEntity }
  type AuthorEntity { id: ID attributes: Author }
  type Author { name: String email: String bio: String createdAt: DateTime updatedAt: DateTime }
  type CategoryRelationResponseCollection { data: [CategoryEntity!]! }
  type CategoryEntity { id: ID attributes: Category }
  type Category { name: String slug: String createdAt: DateTime updatedAt: DateTime }
`

const TIMESTAMPS = ['created_at AS "createdAt"', 'updated_at AS "updatedAt"']

const columns = {
  article: [
    ...['id', 'title', 'slug', 'summary', 'body', 'kind', 'rating', 'views', 'featured', 'extra', ...TIMESTAMPS],
    ...['published_on AS "publishedOn"', 'published_at AS "publishedAt"'],
  ],
  author: ['id', 'name', 'email', 'bio', ...TIMESTAMPS],
  category: ['id', 'name', 'slug', ...TIMESTAMPS],
}

interface Author {
  readonly id: number
}

interface Category extends Author {
  readonly article_id: number
}

interface Article extends Author {
  readonly author_id: number | null
  author?: unknown
  categories?: unknown
}

interface PaginationArgument {
  readonly page?: number
  readonly pageSize?: number
  readonly start?: number
  readonly limit?: number
}

/** The options of mercurius. */
export function createJit(statements: Statements, limitsNested: boolean): MercuriusOptions {
  const read = preparePage<Article, Author, Category>(statements, columns, limitsNested)
  const articles = async (_: unknown, { pagination }: { readonly pagination: PaginationArgument }) => {
    const [start, limit] = placeOf(pagination)
    const page = await read(start, limit)
    for (const article of page.articles) {
      const author = article.author_id === null ? undefined : page.authors.get(article.author_id)
      article.author = { data: author === undefined ? null : entityOf(author) }
      article.categories = { data: (page.categories.get(article.id) ?? []).map(entityOf) }
    }
    const { total } = page
    const pages = { page: Math.floor(start / limit) + 1, pageSize: limit, pageCount: Math.ceil(total / limit), total }
    return { data: page.articles.map(entityOf), meta: { pagination: pages } }
  }
  return {
    schema: SCHEMA,
    resolvers: { Query: { articles }, Article: { [OWN_FIELD]: readingTime }, ...scalars },
    jit: 1,
  }
}

const entityOf = (row: Author) => ({ id: row.id, attributes: row })

function placeOf({ page = 1, pageSize = 10, start, limit = pageSize }: PaginationArgument): [number, number] {
  return [start ?? (page - 1) * pageSize, limit]
}

const scalars = {
  DateTime: new GraphQLScalarType({ name: 'DateTime', serialize: value => isoText(value as string) }),
  Date: new GraphQLScalarType({ name: 'Date' }),
  JSON: new GraphQLScalarType({ name: 'JSON', serialize: value => JSON.parse(value as string) }),
}
