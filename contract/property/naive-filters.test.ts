/**
 * The naive model of filters is tested against the rules it implements, with one example each, before Plinth is tested
 * against it.
 */

import t from 'tap'
import type { Row } from './model.ts'
import { answer } from './naive-answer.ts'
import { type Filter, finds } from './naive-filters.ts'

const tag = (id: number, label: string | null): Row => ({ id, values: { label, weight: id }, links: { books: [] } })
const author = (id: number, name: string | null): Row => ({
  id,
  values: { name, age: null, born: null, active: null },
  links: { books: [], mentor: [], pupils: [], address: [] },
})
const book = (id: number, title: string | null, links: Record<string, Row[]>, values: Row['values'] = {}): Row => ({
  id,
  values: { title, pages: null, sold: null, ...values },
  links: { author: [], tags: [], reviewers: [], sequel: [], seo: [], chapters: [], ...links },
})

const [news, sport, art, unnamed] = [tag(1, 'News'), tag(2, 'Sport'), tag(3, 'Art'), tag(4, null)]
const [ann, nameless] = [author(1, 'Ann'), author(2, null)]
const books = [
  book(1, 'Alpha', { author: [ann], tags: [news, sport] }, { pages: 5, sold: '9007199254740993' }),
  book(2, 'Beta', { author: [nameless], tags: [art] }, { pages: 3, sold: '9007199254740992' }),
  book(3, 'Gamma', { author: [ann], tags: [news, art] }, { pages: 10 }),
  book(4, 'delta', {}, { pages: 3, sold: '10' }),
  book(5, null, { tags: [unnamed] }),
]
const found = (filter: Filter) => books.filter(row => finds(filter, 'book', row)).map(({ id }) => id)

const cases: [rule: string, filter: Filter, ids: number[]][] = [
  ['B-2.90 implicit equality', { title: 'Beta' }, [2]],
  ['B-2.90 a list means in', { pages: [5, 10] }, [1, 3]],
  ['B-2.91 a list for one value is or-ed', { title: { $startsWith: ['A', 'B'] } }, [1, 2]],
  ['B-2.92 keys are and-ed', { pages: 3, title: { $contains: 'e' } }, [2, 4]],
  ['B-2.93 $ne does not match null', { title: { $ne: 'Alpha' } }, [2, 3, 4]],
  ['B-2.94 $eqi folds case', { title: { $eqi: 'DELTA' } }, [4]],
  ['B-2.95 bytes, not letters', { title: { $gt: 'Z' } }, [4]],
  ['B-2.97 $between includes both ends', { pages: { $between: [3, 5] } }, [1, 2, 4]],
  ['B-2.98 $contains minds the case', { title: { $contains: 'A' } }, [1]],
  ['B-2.98 $notContains does not match null', { title: { $notContains: 'l' } }, [2, 3]],
  ['B-2.99 $containsi does not', { title: { $containsi: 'A' } }, [1, 2, 3, 4]],
  [
    'B-2.102 $null, $notNull and their contraries',
    { title: { $null: false }, pages: { $notNull: true } },
    [1, 2, 3, 4],
  ],
  ['B-2.103 $not of null is not true', { $not: { title: 'Alpha' } }, [2, 3, 4]],
  ['B-2.103 $not below a field', { pages: { $not: { $gt: 3 } } }, [2, 4]],
  ['B-2.103 $not of two', { $not: { title: 'Beta', pages: 3 } }, [1, 3, 4]],
  ['B-2.104 $or', { $or: [{ title: 'Beta' }, { pages: 10 }] }, [2, 3]],
  ['B-2.110 through a relation', { author: { name: 'Ann' } }, [1, 3]],
  ['B-2.111 a relation as a value', { author: 1 }, [1, 3]],
  ['B-2.111 $ne of a relation', { author: { $ne: 1 } }, [2]],
  ['B-2.112 any linked id', { tags: [2, 3] }, [1, 2, 3]],
  ['B-2.113 no relation', { author: { $null: true } }, [4, 5]],
  ['B-2.113 null of a field also where nothing is linked', { author: { name: { $null: true } } }, [2, 4, 5]],
  ['B-2.114 null', { author: null }, [4, 5]],
  ['B-2.116 $not around a to-many is row-wise', { $not: { tags: { label: 'News' } } }, [1, 2, 3]],
  ['B-2.116 $notIn of linked ids is row-wise', { tags: { id: { $notIn: [1] } } }, [1, 2, 3, 5]],
  ['B-2.117 one join each', { $and: [{ tags: { label: 'News' } }, { tags: { label: 'Art' } }] }, [3]],
  ['B-2.117 one join for what stands together', { tags: { label: 'News', id: 3 } }, []],
  ['B-2.104 $or inside a relation', { tags: { $or: [{ label: 'Sport' }, { label: null }] } }, [1, 4, 5]],
  ['B-3.14 biginteger beyond 2^53', { sold: '9007199254740993' }, [1]],
  ['B-2.134 null means is null', { title: null }, [5]],
]

t.test('filters', async t => {
  for (const [rule, filter, ids] of cases) t.same(found(filter), ids, rule)
})

t.test('sort and page', async t => {
  const ask = (path: string[], descending: boolean, pagination = {}) =>
    answer({ root: 'book', filters: {}, sort: [{ path, descending }], pagination }, books)
  t.same(ask(['title'], false).ids, [5, 1, 2, 3, 4], 'nulls first, then by bytes')
  t.same(ask(['title'], true).ids, [4, 3, 2, 1, 5], 'B-2.21')
  t.same(ask(['pages'], true).ids, [3, 1, 2, 4, 5], 'ties by id')
  t.same(ask(['author', 'name'], false).ids, [2, 4, 5, 1, 3], 'B-2.22, nothing linked sorts as null')
  t.same(ask(['sold'], false).ids, [3, 5, 4, 2, 1], 'numbers beyond 2^53 are distinguished')
  t.same(ask(['id'], false, { page: 2, pageSize: 2 }), {
    ids: [3, 4],
    pagination: { page: 2, pageSize: 2, pageCount: 3, total: 5 },
  })
  t.same(ask(['id'], false, { start: 4 }), { ids: [5], pagination: { start: 4, limit: 25, total: 5 } }, 'B-2.32')
})
