// The id and the query string of a request's URL.

import t from 'tap'
import { idOf, queryStringOf } from '../src/request-url.ts'

t.test('the id in a path', async t => {
  const id = (text: string) => idOf({ params: { id: text } })
  // On SQLite, v4 finds the entry 1 by all of these (B-1.22).
  for (const text of ['1', '01', '1.0', '1.00']) t.equal(id(text), 1, text)
  for (const text of ['', 'abc', '1abc', '-1', '1.5', '1.', '1e0', ' 1', '1'.repeat(16)]) t.equal(id(text), null, text)
  t.equal(idOf({ params: { role: '7' } }, 'role'), 7)
  t.equal(idOf({ params: {} }), null)
  t.throws(() => id('1\0'), { name: 'ValidationError', message: 'Invalid id: it contains a NUL character' })
})

t.test('the query string', async t => {
  const queryString = (url?: string) => queryStringOf({ raw: { url } } as never)
  t.equal(queryString('/api/tags?a=1?b'), 'a=1?b')
  t.equal(queryString('/api/tags?'), '')
  t.equal(queryString('/api/tags'), '')
  t.equal(queryString(), '')
})
