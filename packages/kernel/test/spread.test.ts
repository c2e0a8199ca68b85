// Lists among the values of a MySQL statement: as many places as they need, wherever they stand.

import t from 'tap'
import { spread } from '../src/database/drivers/mysql.ts'

t.test('lists become places, padded to a power of two', async t => {
  t.same(spread('a = ? AND b IN (?)', ['x', ['p', 'q', 'r']]), {
    sql: 'a = ? AND b IN (?, ?, ?, ?)',
    bound: ['x', 'p', 'q', 'r', 'r'],
  })
  t.same(spread('a = ?', ['x']), { sql: 'a = ?', bound: ['x'] })
  t.same(
    spread("a = '?' AND `?` IN (?)", [[1]]),
    { sql: "a = '?' AND `?` IN (?)", bound: [1] },
    'a literal is no place',
  )
})

t.test('a place is not taken for the size of another list', async t => {
  const lists = [['a'], ['b', 'c'], ['d', 'e'], ['f', 'g', 'h', 'i'], ['j', 'k']]
  const text = lists.map(() => 'x IN (?)').join(' AND ')
  const { sql, bound } = spread(text, lists)
  t.equal(sql, 'x IN (?) AND x IN (?, ?) AND x IN (?, ?) AND x IN (?, ?, ?, ?) AND x IN (?, ?)')
  t.equal(bound.join(''), 'abcdefghijk')
})
