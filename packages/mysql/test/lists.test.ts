// Lists among the values of a statement for MySQL: each becomes as many placeholders as it needs.

import type { Bound } from '@plinth/kernel/database'
import t from 'tap'
import { spread as spreadWith } from '../src/lists.ts'

const spread = (text: string, values: readonly Bound[]) => spreadWith(text, values, JSON.stringify)

t.test('lists become placeholders, padded to a power of two', async t => {
  t.same(spread('a = ? AND b IN (?)', ['x', ['p', 'q', 'r']]), {
    sql: 'a = ? AND b IN (?, ?, ?, ?)',
    bound: ['x', 'p', 'q', 'r', 'r'],
    isOnce: false,
  })
  t.same(spread('a = ?', ['x']), { sql: 'a = ?', bound: ['x'], isOnce: false })
  t.equal(spread("a = '?' AND `?` IN (?)", [[1, 2]]).sql, "a = '?' AND `?` IN (?, ?)", 'a literal is no place')
})

t.test('the sizes of several lists are kept apart', async t => {
  const lists = [['a'], ['b', 'c'], ['d', 'e'], ['f', 'g', 'h', 'i'], ['j', 'k']]
  const text = lists.map(() => 'x IN (?)').join(' AND ')
  const { sql, bound } = spread(text, lists)
  t.equal(sql, 'x IN (?) AND x IN (?, ?) AND x IN (?, ?) AND x IN (?, ?, ?, ?) AND x IN (?, ?)')
  t.equal(bound.join(''), 'abcdefghijk')
})

t.test('a list with too many values is written into the text', async t => {
  const ids = Array.from({ length: 5000 }, (_, i) => i)
  const { sql, bound, isOnce } = spread('a = ? AND b IN (?) AND c IN (?) LIMIT ?', ['x', ids, ['p', 'q', 'r'], '9'])
  t.equal(sql, `a = ? AND b IN (${ids.join(', ')}) AND c IN (?, ?, ?, ?) LIMIT ?`)
  t.same(bound, ['x', 'p', 'q', 'r', 'r', '9'])
  t.ok(isOnce)
  const texts = ["it's", '?', ...ids.map(String)]
  t.match(spread('a IN (?) AND b = ?', [texts, 'y']).sql, /^a IN \("it's", "\?", "0", .*"4999"\) AND b = \?$/)
})
