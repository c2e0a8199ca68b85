/**
 * Random questions about random content, answered by Plinth and by the naive model: the same entries in the same
 * order, the same page; through the kernel and through REST.
 */
import { toQueryString } from '../query-string.ts'
import { answer, type Question } from './answer.ts'
import { uids } from './model.ts'
import { questions } from './questions.ts'
import { compareAnswers, testCases } from './rounds.ts'

const toParams = ({ filters, sort, pagination }: Question) => ({
  filters,
  sort: sort.map(({ path, descending }) => `${path.join('.')}:${descending ? 'desc' : 'asc'}`),
  pagination,
})

testCases('questions to the kernel', 0.9, questions(), async ({ app, library }, question) => {
  const { entries, pagination } = await app.kernel.query(uids[question.root]).findPage(toParams(question))
  compareAnswers({ ids: entries.map(({ id }) => id), pagination }, answer(question, library[question.root]))
})

testCases('questions over REST', 0.1, questions(), async ({ app, library }, question) => {
  const given = Object.entries(toParams(question)).filter(([, value]) => Object.keys(value).length > 0)
  const { payload } = await app.inject(`/api/${question.root}s?${toQueryString(Object.fromEntries(given))}`)
  const { data, meta } = JSON.parse(payload) as { data: { id: number }[] | null; meta?: { pagination: unknown } }
  const found = { ids: data?.map(({ id }) => id), pagination: meta?.pagination }
  compareAnswers(found, answer(question, library[question.root]))
})
