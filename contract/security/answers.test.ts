/**
 * Limits of the size of answers (security.md A.4): a few rows can be millions of entries, because each is written once
 * per parent.
 */

import type { Kernel } from '@plinth/kernel'
import t, { type Test } from 'tap'
import { boot, client } from '../boot.ts'
import { refused } from './refusal.ts'

/** One tag and its articles, with these settings of the REST plugin. */
async function ladder(
  t: Test,
  articles: number,
  config: Readonly<Record<string, unknown>> = {},
  listen?: (kernel: Kernel) => void,
) {
  // The rows that a query may fetch are limited before; here it is about those that there are.
  const app = await boot(t, { plugins: { rest: { config } }, maxRows: Number.MAX_SAFE_INTEGER, configure: listen })
  const api = client(app)
  const [tag] = await api.create('tags', { label: 'é' })
  for (let i = 0; i < articles; i++) await api.create('articles', { title: `Article ${i}`, tags: [tag] })
  return { app, api }
}

/** A path `articles.tags.articles…` with so many steps. */
const way = (steps: number) => Array.from({ length: steps }, (_, i) => (i % 2 === 0 ? 'articles' : 'tags')).join('.')

t.test('few rows, millions of entries', async t => {
  const { api } = await ladder(t, 20)
  const steps = (length: number) => `/api/tags?populate=${way(length)}`
  // 1 + 20 + 20 + 400 + 400 + …
  const entries = (length: number) => 1 + Array.from({ length }, (_, i) => 20 ** (1 + (i >> 1))).reduce((a, b) => a + b)
  t.equal((await api.get(steps(5))).status, 200)
  for (const length of [8, 10]) {
    const answer = await api.get(steps(length))
    refused(t, answer, 400, `would have ${entries(length)} entries, but the limit is 100000`)
    t.match(answer.body, { error: { details: { entries: entries(length), maxEntries: 100_000 } } })
  }
})

t.test('the limit counts everything that is written as an entry', async t => {
  // A product and its two variants.
  for (const [maxEntries, status] of [
    [3, 200],
    [2, 400],
  ] as const) {
    const app = await boot(t, { plugins: { rest: { config: { maxEntries } } } })
    const api = client(app)
    await api.create('products', { name: 'Lamp', price: 1, variants: [{ name: 'a' }, { name: 'b' }] })
    t.equal((await api.get('/api/products/1')).status, 200)
    const answer = await api.get('/api/products?populate=variants')
    t.equal(answer.status, status, `${maxEntries}`)
    if (status === 400) refused(t, answer, 400, 'would have 3 entries, but the limit is 2')
  }
})

t.test('a write whose answer is too large writes nothing', async t => {
  const { api } = await ladder(t, 20, { maxEntries: 500 })
  const query = `populate=tags.${way(4)}`
  refused(t, await api.post(`/api/articles?${query}`, { data: { title: 'New', tags: [1] } }), 400, 'the limit is 500')
  refused(t, await api.put(`/api/articles/1?${query}`, { data: { title: 'Changed' } }), 400, 'the limit is 500')
  refused(t, await api.delete(`/api/articles/1?${query}`), 400, 'the limit is 500')
  const list = await api.list('/api/articles?pagination[pageSize]=100&sort=id')
  t.equal(list.length, 20)
  t.equal(list[0]!.attributes.title, 'Article 0')
  t.equal((await api.put('/api/articles/1?populate=tags.articles', { data: { title: 'Changed' } })).status, 200)
})

t.test('bytes', async t => {
  const { api } = await ladder(t, 20)
  const { text } = await api.get('/api/tags?populate=articles')
  const bytes = Buffer.byteLength(text.slice('{"data":'.length, text.indexOf(',"meta":{"pagination"')))
  t.not(bytes, text.length, 'which are no characters')
  for (const [maxBytes, status] of [
    [bytes, 200],
    [bytes - 1, 400],
  ] as const) {
    const { api } = await ladder(t, 20, { maxBytes })
    const answer = await api.get('/api/tags?populate=articles')
    t.equal(answer.status, status)
    if (status === 400) refused(t, answer, 400, `${bytes} bytes, but the limit is ${maxBytes}`)
  }
  const small = await ladder(t, 2, { maxBytes: '2kb' })
  const sent = { data: { title: 'x'.repeat(200), tags: [1] } }
  const refusedPost = await small.api.post(`/api/articles?populate=tags.${way(3)}`, sent)
  refused(t, refusedPost, 400, 'the limit is 2048')
  t.equal((await small.api.list('/api/articles')).length, 2, 'of a write, too')
})

t.test('entries that lifecycles receive', async t => {
  let seen = 0
  const look = () => void seen++
  const { api } = await ladder(t, 20, {}, ({ lifecycles }) =>
    lifecycles.subscribe(['api::tag.tag'], { afterFindMany: look, afterFindOne: look, afterUpdate: look }),
  )
  t.equal((await api.get(`/api/tags?populate=${way(3)}`)).status, 200)
  t.ok(seen > 0)
  seen = 0
  const query = `populate=${way(9)}`
  for (const path of ['/api/tags', '/api/tags/1'])
    refused(t, await api.get(`${path}?${query}`), 400, 'the limit is 100000')
  t.equal(seen, 0, 'are not made at all')
  refused(t, await api.put(`/api/tags/1?${query}`, { data: { label: 'x' } }), 400, 'the limit is 100000')
  t.equal(seen, 1, 'but for the entry before a change')
})

t.test('a long answer is complete, and other requests are served meanwhile', async t => {
  const { api } = await ladder(t, 30)
  const path = `/api/tags?populate=${way(5)}`
  let turns = 0
  let isDone = false
  const count = () => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const { body, status, text } = await api.get(path)
  isDone = true
  // About 6 MB, in pieces of 128 KiB.
  t.ok(turns > 40, 'others had their turn', { turns, length: text.length })
  t.equal(status, 200)
  type Below = Record<string, { readonly data: readonly Nested[] }>
  interface Nested {
    readonly id: number
    readonly attributes: Below
  }
  const below = (entry: Nested, name: string) => entry.attributes[name]!.data
  const [tag] = body.data as Nested[]
  let leaves = 0
  for (const first of below(tag!, 'articles'))
    for (const second of below(below(first, 'tags')[0]!, 'articles'))
      for (const third of below(below(second, 'tags')[0]!, 'articles')) leaves += third.id > 0 ? 1 : 0
  t.equal(leaves, 30 ** 3)
  t.equal(JSON.stringify(body), text, 'nothing is missing and nothing stands for something else')
})
