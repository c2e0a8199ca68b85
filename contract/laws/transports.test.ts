/** Law: the same query has the same shape and the same SQL, whichever transport receives it. */

import { type Execution, openAccess } from '@plinth/kernel'
import t from 'tap'
import { boot, client } from '../boot.ts'

const queries: [query: string, params: Record<string, unknown>][] = [
  ['', {}],
  ['fields=title', { fields: ['title'] }],
  ['fields[0]=title&fields[1]=code', { fields: ['title', 'code'] }],
  ['sort=title:desc,code', { sort: ['title:desc', 'code'] }],
  ['sort[title]=desc', { sort: { title: 'desc' } }],
  ['filters[title][$eq]=a', { filters: { title: { $eq: 'b' } } }],
  ['filters[readingMinutes][$gt]=5', { filters: { readingMinutes: { $gt: 5 } } }],
  ['filters[id][0]=1&filters[id][1]=2', { filters: { id: [1, 2, 3] } }],
  ['filters[code]', { filters: { code: null } }],
  ['filters[code][$null]=true', { filters: { code: { $null: true } } }],
  ['filters[featured]=true', { filters: { featured: true } }],
  [
    'filters[$or][0][title]=a&filters[$or][1][author][fullName]=b',
    { filters: { $or: [{ title: 'x' }, { author: { fullName: 'y' } }] } },
  ],
  ['filters[$not][tags][label]=a', { filters: { $not: { tags: { label: 'b' } } } }],
  ['filters[author]=1', { filters: { author: 7 } }],
  ['populate=*', { populate: '*' }],
  ['populate=author,tags', { populate: ['author', 'tags'] }],
  ['populate[0]=author.partner', { populate: { author: { populate: { partner: true } } } }],
  [
    'populate[tags][filters][label]=a&populate[tags][sort]=label',
    { populate: { tags: { filters: { label: 'b' }, sort: 'label' } } },
  ],
  ['populate[tags][start]=1&populate[tags][limit]=2', { populate: { tags: { start: 3, limit: 4 } } }],
  [
    'populate[blocks][on][blocks.quote][fields]=text',
    { populate: { blocks: { on: { 'blocks.quote': { fields: ['text'] } } } } },
  ],
  ['publicationState=preview', { publicationState: 'preview' }],
  ['pagination[start]=2&pagination[limit]=3', { pagination: { start: 5, limit: 7 } }],
  ['_q=a', { _q: 'b' }],
]

/** Pairs of equivalent queries: the parameters differ, the SQL must not. */
const synonyms: [query: string, other: string][] = [
  ['filters[title]=a', 'filters[title][$eq]=a'],
  ['filters[id][0]=1&filters[id][1]=2', 'filters[id][$in][0]=1'],
  ['filters[code]', 'filters[code][$null]=true'],
  ['filters[code][$null]=false', 'filters[code][$notNull]=true'],
  ['filters[author]=1', 'filters[author][id][$eq]=1'],
  ['filters[title]=a&filters[code]=b', 'filters[$and][0][title]=a&filters[$and][1][code]=b'],
  ['sort=title:desc,code', 'sort[0][title]=desc&sort[1]=code'],
  ['populate=author.partner', 'populate[author][populate]=partner'],
  ['fields=*', ''],
]

t.test('REST and kernel.query', async t => {
  const asked: Execution[] = []
  const app = await boot(t, {
    configure: kernel => kernel.hooks.on('preExecute', execution => void asked.push(execution)),
  })
  const api = client(app)
  // A context with the rights of REST's callers: trusted code, without a context, also sees private attributes.
  const query = app.kernel.query('api::article.article', app.kernel.context(openAccess))
  /** Shape and SQL of the last query, without the per-entry meta that only REST adds. */
  const last = () => {
    const { parsed, compiled } = asked.pop()!
    return {
      shape: parsed.query.shape.replace('|meta', ''),
      entries: compiled.entries.text,
      total: compiled.total?.text,
    }
  }
  for (const [words, params] of queries) {
    await api.list(`/api/articles?${words}`)
    const rest = last()
    await query.findPage(params)
    t.same(last(), rest, words || 'no parameters')
  }

  t.test('an entry by id', async t => {
    await api.get('/api/articles/1?populate=author')
    const rest = last()
    await query.findOne(1, { populate: 'author' })
    t.same(last(), rest)
  })

  t.test('different spellings of one query', async t => {
    const sql = async (query: string) => {
      await api.list(`/api/articles?${query}`)
      const { entries, total } = last()
      return { entries, total }
    }
    for (const [query, other] of synonyms) t.same(await sql(other), await sql(query), `${query} and ${other}`)
  })

  t.test('different queries have different shapes', async t => {
    const texts = new Set<string>()
    for (const [query] of queries) {
      await api.list(`/api/articles?${query}`)
      texts.add(JSON.stringify(last()))
    }
    t.ok(texts.size > queries.length - 4, 'the comparison distinguishes them', { texts: texts.size })
  })
})
