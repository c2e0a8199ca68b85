// The requests that are measured. S8 is GraphQL's: graphql-scenarios.ts.

import { AUTHOR_NAMES } from './data/entries.ts'
import type { Client } from './store/store.ts'

export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Scenario {
  readonly key: string
  readonly name: string
  /** Each connection repeats them in order. */
  readonly requests: readonly Request[]
  /** Both servers cache totals until they write, which is correct only if no other process writes. */
  readonly remembersTotals?: boolean
  /** Whether a number, which is another one in each request, follows the path. */
  readonly isNumbered?: boolean
  /** The body of each request, if all of them differ, by a number that is another one in each request. */
  readonly numberedBody?: (number: number) => string
}

export const writes = ({ requests }: Scenario): boolean => requests.some(({ method }) => method !== 'GET')

const LIST = '/api/articles?pagination[pageSize]=25'

const get = (path: string): Request => ({ method: 'GET', path })

const send = (method: 'POST' | 'PUT', path: string, data: object): Request => ({
  method,
  path,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ data }),
})

const byAuthor = (name: string) =>
  get(
    `/api/articles?filters[author][name][$eq]=${encodeURIComponent(name)}&sort=publishedOn:desc` +
      '&fields[0]=title&fields[1]=slug&pagination[pageSize]=25',
  )

/** The data of a new article. */
export const created = (index: number) => ({
  title: `Bench created ${index + 1}`,
  body: 'Created by the bench. '.repeat(28),
  author: 1,
  categories: [1, 2],
})

/** `ids` are published articles, for requests that name one. */
export const createScenarios = (client: Client, ids: readonly number[], hasMedia = false): readonly Scenario[] => [
  { key: 'S1', name: 'list of 25', requests: [get(LIST)] },
  // SQLite reports at no cost whether another process wrote, so both servers always cache totals there.
  ...(client === 'sqlite'
    ? []
    : [{ key: 'S1r', name: 'list of 25, totals remembered', requests: [get(LIST)], remembersTotals: true }]),
  { key: 'S2', name: 'one by id', requests: ids.map(id => get(`/api/articles/${id}`)) },
  {
    key: 'S3',
    name: 'list with author and categories',
    requests: [get('/api/articles?populate[0]=author&populate[1]=categories&pagination[pageSize]=25')],
  },
  // The same of files; articles have them in the variant with media only.
  ...(hasMedia
    ? [
        {
          key: 'S3m',
          name: 'list with cover and gallery',
          requests: [get('/api/articles?populate[0]=cover&populate[1]=gallery&pagination[pageSize]=25')],
        },
      ]
    : []),
  { key: 'S4', name: 'filter by author name, sorted', requests: AUTHOR_NAMES.map(byAuthor) },
  {
    key: 'S5',
    name: 'list, deeply populated',
    requests: [
      get(
        '/api/articles?populate[comments][populate][0]=author&populate[seo]=*&populate[blocks][populate]=*' +
          '&populate[author]=*&pagination[pageSize]=25',
      ),
    ],
  },
  {
    key: 'S6',
    name: 'create',
    requests: Array.from({ length: 500 }, (_, index) => send('POST', '/api/articles', created(index))),
  },
  {
    key: 'S7',
    name: 'update of one number',
    requests: ids.map((id, index) => send('PUT', `/api/articles/${id}`, { views: 1000 + index })),
  },
  {
    key: 'S9',
    name: 'page 300 by title',
    requests: [get('/api/articles?pagination[page]=300&pagination[pageSize]=25&sort=title')],
  },
]
