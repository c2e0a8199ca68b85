/**
 * Random queries on random content, answered by Plinth and by the naive model, through the kernel and through REST: the
 * entries, their order and the page must be equal.
 */

import { toQueryString } from '../query-string.ts'
import { uids } from './model.ts'
import { answer, type Query } from './naive-answer.ts'
import { queries } from './random-queries.ts'
import { compareAnswers, testCases } from './rounds.ts'

const toParams = ({ filters, sort, pagination }: Query) => ({
  filters,
  sort: sort.map(({ path, descending }) => `${path.join('.')}:${descending ? 'desc' : 'asc'}`),
  pagination,
})

testCases('queries to the kernel', 0.9, queries(), async ({ app, library }, query) => {
  const { entries, pagination } = await app.kernel.query(uids[query.root]).findPage(toParams(query))
  compareAnswers({ ids: entries.map(({ id }) => id), pagination }, answer(query, library[query.root]))
})

testCases('queries over REST', 0.1, queries(), async ({ app, library }, query) => {
  const given = Object.entries(toParams(query)).filter(([, value]) => Object.keys(value).length > 0)
  const { payload } = await app.inject(`/api/${query.root}s?${toQueryString(Object.fromEntries(given))}`)
  const { data, meta } = JSON.parse(payload) as { data: { id: number }[] | null; meta?: { pagination: unknown } }
  const found = { ids: data?.map(({ id }) => id), pagination: meta?.pagination }
  compareAnswers(found, answer(query, library[query.root]))
})
