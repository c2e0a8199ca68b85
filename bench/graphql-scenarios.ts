// The GraphQL requests that are measured, and the texts of their operations. They ask for what S3 and S6 of scenarios.ts
// answer.

import { created, type Request, type Scenario } from './scenarios.ts'

/** The attributes that answers of the REST API show, in their order. */
const AUTHOR = '{ data { id attributes { name email bio createdAt updatedAt } } }'
const CATEGORIES = '{ data { id attributes { name slug createdAt updatedAt } } }'
const SCALARS = 'title slug summary body kind rating views featured publishedOn extra createdAt updatedAt publishedAt'
const META = '{ pagination { page pageSize pageCount total } }'

/** `more` are further fields of an article. */
const articles = (pagination: string, more = '') => `articles(pagination: ${pagination}) {
    data {
      id
      attributes {
        ${SCALARS}${more}
        author ${AUTHOR}
        categories ${CATEGORIES}
      }
    }
    meta ${META}
  }`

/** The list of S3. */
export const LIST_TEXT = `query {
  ${articles('{ pageSize: 25 }')}
}`

/** The same from any place. */
export const PAGE_TEXT = `query Articles($start: Int!) {
  ${articles('{ start: $start, limit: 25 }')}
}`

/** The own field of S8x, which an extension resolves; the limit server has it, too. */
export const OWN_FIELD = 'readingTime'

/** Words per minute. */
const READING_SPEED = 200

/** The resolver of the own field. */
export const readingTime = ({ body }: { readonly body: string | null }): number =>
  Math.ceil((body ?? '').split(' ').length / READING_SPEED)

const OWN_TEXT = `query {
  ${articles('{ pageSize: 25 }', ` ${OWN_FIELD}`)}
}`

const CREATE_TEXT = `mutation Create($data: ArticleInput!) {
  createArticle(data: $data) {
    data {
      id
      attributes { ${SCALARS} }
    }
  }
}`

/**
 * So many places of S8v. Plinth keeps about a thousand bodies, and each is sent only when the others were, so none of
 * them is kept.
 */
const PLACES = 2500

const bodyOf = (query: string, variables?: object) => JSON.stringify({ query, variables })

export const post = (path: string, query: string, variables?: object): Request => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json' },
  body: bodyOf(query, variables),
})

/** GraphQL creates drafts, unless the date is given. */
export const PUBLISHED_AT = '2024-01-31T12:00:00.000Z'

const create = (path: string, index: number) =>
  post(path, CREATE_TEXT, { data: { ...created(index), publishedAt: PUBLISHED_AT } })

export type GraphqlKey = 'S8' | 'S8v' | 'S8m' | 'S8x'

/** The scenarios of GraphQL by their keys, sent to a path. */
export const createGraphqlScenarios = (path = '/graphql'): Readonly<Record<GraphqlKey, Scenario>> => ({
  S8: { key: 'S8', name: 'list with author and categories', requests: [post(path, LIST_TEXT)] },
  S8v: {
    key: 'S8v',
    name: 'the same, from another place in each request',
    requests: [post(path, PAGE_TEXT, { start: 0 })],
    numberedBody: number => bodyOf(PAGE_TEXT, { start: number % PLACES }),
  },
  S8m: { key: 'S8m', name: 'create', requests: Array.from({ length: 500 }, (_, index) => create(path, index)) },
  S8x: { key: 'S8x', name: 'list with an own field', requests: [post(path, OWN_TEXT)] },
})
