// Whole numbers and booleans are bound as text and compared as numbers on MariaDB and MySQL: the answers are those of
// SQLite for values of every kind, and the comparisons are of whole numbers, which databases count fastest.

import { createKernel, type Params } from '@plinth/kernel'
import { type Client, databases, freshDatabase } from '@plinth/test-tools/databases'
import { type } from '@plinth/test-tools/fixtures'
import t, { type Test } from 'tap'
import { mysql } from '../src/dialect.ts'

const contentTypes = [type('page', { rank: { type: 'integer' }, isOpen: { type: 'boolean' } })]
const ranks = [null, -2_147_483_648, -3, 0, 2, 3, 2_147_483_647]

async function start(t: Test, client: Client) {
  const database = await freshDatabase(client)
  const kernel = await createKernel({ database: database.config, contentTypes })
  t.teardown(async () => {
    await kernel.close()
    await database.drop()
  })
  const pages = kernel.query('api::page.page')
  for (const [i, rank] of ranks.entries()) await pages.create({ data: { rank, isOpen: [true, false, null][i % 3] } })
  return async (filters: Params) => (await pages.findMany({ filters, sort: 'id' })).map(({ id }) => id)
}

t.test('columns of whole numbers are compared with a number', t => {
  for (const comparison of ['eq', 'ne', 'lt', 'lte', 'gt', 'gte'] as const) {
    for (const storage of ['integer', 'boolean'] as const)
      t.match(mysql.compare(comparison, 'c', storage), / CAST\(\? AS SIGNED\)$/)
    t.match(mysql.compare(comparison, 'c', 'id'), / \?$/, 'one row is found by an id')
    t.match(mysql.compare(comparison, 'c', 'float'), / \?$/)
  }
  t.equal(mysql.compare('between', 'c', 'integer'), 'c BETWEEN CAST(? AS SIGNED) AND CAST(? AS SIGNED)')
  t.end()
})

if ((await databases()).includes('mysql'))
  t.test('mysql: comparisons find what they find on SQLite', async t => {
    const [ours, theirs] = [await start(t, 'mysql'), await start(t, 'sqlite')]
    const values = [-1e30, -2_147_483_649, -3, -0, 0, 2, 2.5, '2', 3, 2_147_483_648, 9e15, 9.3e18, 1e30]
    for (const operator of ['$eq', '$ne', '$lt', '$lte', '$gt', '$gte']) {
      for (const value of values)
        t.same(
          await ours({ rank: { [operator]: value } }),
          await theirs({ rank: { [operator]: value } }),
          `${operator} ${value}`,
        )
      for (const value of [true, false])
        t.same(await ours({ isOpen: { [operator]: value } }), await theirs({ isOpen: { [operator]: value } }))
    }
    for (const range of [
      [-3, 2],
      [2.1, 1e30],
      [3, 2],
    ])
      t.same(await ours({ rank: { $between: range } }), await theirs({ rank: { $between: range } }), `${range}`)
    t.same(await ours({ rank: { $eq: 2 } }), [5])
    t.same(await ours({ $not: { rank: { $lte: 2.5 } } }), await theirs({ $not: { rank: { $lte: 2.5 } } }))
  })
