/**
 * Drafts do not show in published content: a query in live mode has the same answer as if there were no drafts,
 * whatever it filters, sorts, populates or translates; and totals equal the number of entries on all pages.
 */

import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { toQueryString } from '../query-string.ts'
import { type Root, type ShapeName, shapes } from './newsroom.ts'
import { type Issue, issues } from './newsroom-entries.ts'
import { anyRoot, type NewsroomQuery, queries, queriesOf } from './newsroom-queries.ts'
import { compareAnswers, testRounds } from './rounds.ts'

interface Found {
  readonly id: number
  readonly attributes: Readonly<Record<string, unknown>>
}
interface Reply {
  readonly data: Found[] & Found
  readonly meta: { readonly pagination: { readonly total: number } }
  readonly error?: unknown
}

async function ask(app: FastifyInstance, path: string, params: object): Promise<Reply> {
  const { payload, statusCode } = await app.inject(`${path}?${toQueryString(params as Record<string, unknown>)}`)
  if (statusCode !== 200 && statusCode !== 404) throw new Error(`${statusCode} ${payload}`)
  // Both are set automatically.
  return JSON.parse(payload, (key, value) => (/^(created|updated)At$/.test(key) ? undefined : value)) as Reply
}
const pathOf = (root: Root) => `/api/${shapes[root].plural}`

/** All drafts in an answer, at any level. */
function draftsIn(value: unknown): unknown[] {
  if (value === null || typeof value !== 'object') return []
  const isDraft = 'publishedAt' in value && value.publishedAt === null
  return [...(isDraft ? [value] : []), ...Object.values(value).flatMap(draftsIn)]
}

function checkLive(reply: unknown): void {
  const drafts = draftsIn(reply)
  if (drafts.length > 0) throw new Error(`holds drafts: ${fc.stringify(drafts)}`)
}

const states = fc.constantFrom({}, { publicationState: 'live' })
const pages = fc.oneof<fc.Arbitrary<object>[]>(
  fc.record({ page: fc.integer({ min: 1, max: 3 }), pageSize: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ start: fc.nat({ max: 5 }), limit: fc.integer({ min: 1, max: 6 }) }),
  fc.constant({ pageSize: 100 }),
)

const live = fc.record({ query: queries, state: states, pagination: pages })
testRounds(
  'lists without a trace of a draft',
  0.12,
  issues,
  live,
  async ({ whole, pruned }, { query, state, pagination }) => {
    const params = { ...query.params, ...state, pagination }
    const reply = await ask(whole, pathOf(query.root), params)
    checkLive(reply)
    compareAnswers(reply, await ask(pruned, pathOf(query.root), params))
  },
)

const byId = fc.record({ query: queries, state: states, id: fc.integer({ min: 1, max: 40 }) })
testRounds(
  'entries by id without a trace of a draft',
  0.03,
  issues,
  byId,
  async ({ whole, pruned }, { query, state, id }) => {
    const { locale: _, fallbackLocale: __, filters: ___, sort: ____, _q, ...params } = query.params
    const [path, asked] = [`${pathOf(query.root)}/${id}`, { ...params, ...state }]
    const reply = await ask(whole, path, asked)
    checkLive(reply)
    compareAnswers(reply, await ask(pruned, path, asked))
  },
)

/** The ids on all pages, and the total that each page contains. */
async function pageThrough({ whole }: Issue, { root, params }: NewsroomQuery, pageSize: number): Promise<number[]> {
  const ids: number[] = []
  for (let page = 1; ; page++) {
    const { data, meta } = await ask(whole, pathOf(root), { ...params, pagination: { page, pageSize } })
    ids.push(...data.map(({ id }) => id))
    if (data.length > 0 && ids.length <= meta.pagination.total) continue
    compareAnswers(meta.pagination.total, ids.length)
    return ids
  }
}

const anyState = fc.constantFrom({}, { publicationState: 'live' }, { publicationState: 'preview' })
const paged = fc.record({ query: queries, state: anyState, pageSize: fc.integer({ min: 3, max: 8 }) })
testRounds('totals that can be paged through', 0.03, issues, paged, async (issue, { query, state, pageSize }) => {
  const { populate: _, ...asked } = query.params
  const params = { ...asked, ...state }
  const ids = await pageThrough(issue, { ...query, params }, pageSize)
  compareAnswers(ids.length, new Set(ids).size)
  const { data, meta } = await ask(issue.whole, pathOf(query.root), { ...params, pagination: { limit: 100 } })
  compareAnswers({ ids, total: ids.length }, { ids: data.map(({ id }) => id), total: meta.pagination.total })
})

/** The relations of the root to types with drafts, or to types that lead to such types. */
const looked = anyRoot.chain(root =>
  fc.record({
    query: queriesOf(root, 1),
    branch: fc.constantFrom(...Object.keys(shapes[root].joins).filter(name => isEntry(shapes[root].joins[name]!.to))),
    below: fc.boolean(),
    opposite: fc.constantFrom('preview', 'live'),
  }),
)
const isEntry = (shape: ShapeName) => shapes[shape].plural !== null

let seen = 0
testRounds('branches with a state of their own', 0.03, issues, looked, async ({ whole, pruned }, one) => {
  const { query, branch, below, opposite } = one
  // A fallback chooses among visible entries, so its answers differ if more are visible; only lists are compared.
  const { populate, fields: _, fallbackLocale: __, ...asked } = query.params
  const tree = typeof populate === 'object' ? (populate as object) : {}
  const inside = below ? { populate: '*' } : {}
  const of = (state: string, nested: string) => ({
    ...asked,
    publicationState: state,
    populate: { ...tree, [branch]: { publicationState: nested, ...inside } },
    pagination: { limit: 100 },
  })
  const path = pathOf(query.root)
  const branches = ({ data }: Reply) => data.map(({ id, attributes }) => [id, attributes[branch]])
  const rest = ({ data, meta }: Reply) => ({
    data: data.map(({ id, attributes }) => ({ id, attributes: { ...attributes, [branch]: null } })),
    meta,
  })
  if (opposite === 'live') return checkLive(branches(await ask(whole, path, of('preview', 'live'))))
  const reply = await ask(whole, path, of('live', 'preview'))
  checkLive(rest(reply))
  compareAnswers(rest(reply), rest(await ask(pruned, path, of('live', 'preview'))))
  // The branch equals that of the same entries in preview.
  const $in = reply.data.map(({ id }) => id)
  if ($in.length === 0) return
  const preview = { publicationState: 'preview', locale: 'all', filters: { id: { $in } }, pagination: { limit: 100 } }
  const all = await ask(whole, path, { ...preview, populate: { [branch]: below ? inside : true } })
  const byId = (list: unknown[][]) => list.toSorted(([a], [b]) => Number(a) - Number(b))
  compareAnswers(byId(branches(reply)), byId(branches(all)))
  seen += draftsIn(branches(reply)).length
})

t.test('the random cases contained drafts in every position', async t => {
  t.ok(seen > 0, 'drafts were there to be seen')
})
