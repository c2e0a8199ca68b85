// The order of the errors of an answer, and that thousands of them take little time.

import { GraphQLError } from 'graphql'
import t from 'tap'
import { inOrder } from '../src/answer/error-order.ts'

const nullError = 'Cannot return null for non-nullable field Article.title.'
const error = (message: string, ...path: (string | number)[]) => new GraphQLError(message, { path })

t.test('errors are in the order of their fields, and a null has the error that caused it', async t => {
  const data = { b: null, list: [{ x: null, y: null }, null, { x: 1, y: null }], a: null }
  const errors = [
    error('a', 'a'),
    error('third', 'list', 2, 'y'),
    error('beside', 'list', 1, 'author'),
    error(nullError, 'list', 1, 'title'),
    error('y', 'list', 0, 'y'),
    error('x', 'list', 0, 'x'),
    error('own', 'b', 'one'),
    error('another', 'b', 'two'),
  ]
  t.same(
    inOrder(errors, data).map(one => one.message),
    ['own', 'another', 'x', 'y', nullError, 'third', 'a'],
  )
  t.same(inOrder([error('beside', 'a'), error(nullError, 'b', 'c')], null).length, 1, 'the whole data is null')
})

t.test('twenty thousand errors, each below a null of its own', async t => {
  const list = Array.from({ length: 20_000 }, () => null)
  const errors = list.flatMap((_, i) => [error(nullError, 'list', i, 'title'), error('beside', 'list', i, 'author')])
  const before = process.cpuUsage()
  t.equal(inOrder(errors.reverse(), { list }).length, 20_000)
  const { user, system } = process.cpuUsage(before)
  t.ok(user + system < 3_000_000, `${(user + system) / 1000} ms`)
})
