// The dialects of sql/: every storage keeps its values, every operator means the same, on each database
// (B-2.93 to B-2.132, B-10.31). Run on the servers too (tests.json).

import t, { type Test } from 'tap'
import type { Entry, Params } from '../../src/index.ts'
import { boot, client, repositories, thrown, type, uid } from '../fixtures/boot.ts'

const thing = type('thing', {
  name: { type: 'string' },
  body: { type: 'text' },
  whole: { type: 'integer' },
  big: { type: 'biginteger' },
  float: { type: 'float' },
  money: { type: 'decimal' },
  yes: { type: 'boolean' },
  day: { type: 'date' },
  clock: { type: 'time' },
  at: { type: 'datetime' },
  stamp: { type: 'timestamp' },
  data: { type: 'json' },
  things: { type: 'relation', relation: 'oneToMany', target: uid('thing') },
})

async function start(t: Test) {
  const kernel = await boot(t, { contentTypes: [thing] })
  return { kernel, things: repositories(kernel)('thing') }
}

const ids = (entries: readonly Entry[]) => entries.map(one => one.id)

t.test('values come back as they were sent', async t => {
  const { things } = await start(t)
  const rows: Record<string, unknown>[] = [
    { name: 'Zażółć 😀 𝄞', body: 'it\'s \\ "quoted" %_*?[', whole: -2147483648, big: '9223372036854775807' },
    { name: ' padded ', body: '', whole: 2147483647, big: '-9223372036854775808', float: 0.1, money: 12.5 },
    { big: '9007199254740993', float: -1.7976931348623157e308, money: -99999999.99, yes: true, day: '0001-01-01' },
    { yes: false, day: '9999-12-31', clock: '23:59:59.999', at: '2024-02-29T23:59:59.999Z', stamp: '1709251199999' },
    { clock: '07:30:00.000', at: '1969-12-31T23:59:59.001Z', data: { b: [1, 2.5, null, 'é😀'], a: { c: true } } },
    { clock: '00:00:00.010', at: '0001-01-01T00:00:00.000Z', data: 'text' },
    { at: '9999-12-31T23:59:59.999Z', data: [] },
    { float: 5e-324, data: 0 },
    { float: 1e21, money: 0.01, data: false },
  ]
  for (const data of rows) {
    const made = await things.create({ data })
    t.match(made, data, JSON.stringify(data))
    t.match(await things.findOne(made.id), data)
    const [name, value] = Object.entries(data).at(-1)!
    if (name === 'data') continue
    t.same(ids(await things.findMany({ filters: { [name]: value, id: made.id } })), [made.id], `${name} is found`)
  }
})

t.test('text operators: case, accents, wildcards, trailing spaces', async t => {
  const { things } = await start(t)
  for (const name of ['Café', 'CAFÉ', 'cafe', 'Cafe ', '50%', '5_0', 'a\\b', 'a*b', '!x', null]) {
    await things.create({ data: { name, body: name } })
  }
  const rows: readonly (readonly [operator: string, value: unknown, expected: number[]])[] = [
    ['$eq', 'cafe', [3]],
    ['$eq', 'Cafe', []],
    ['$eq', 'Cafe ', [4]],
    ['$ne', 'cafe', [1, 2, 4, 5, 6, 7, 8, 9]],
    ['$eqi', 'café', [1, 2]],
    ['$eqi', 'CAFE', [3]],
    ['$nei', 'café', [3, 4, 5, 6, 7, 8, 9]],
    ['$in', ['cafe', 'CAFÉ', 'Cafe'], [2, 3]],
    ['$in', [], []],
    ['$notIn', ['cafe', 'CAFÉ'], [1, 4, 5, 6, 7, 8, 9]],
    ['$notIn', [], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
    ['$contains', 'af', [1, 3, 4]],
    ['$contains', 'É', [2]],
    ['$contains', '%', [5]],
    ['$contains', '_', [6]],
    ['$contains', '\\', [7]],
    ['$contains', '*', [8]],
    ['$contains', '!', [9]],
    ['$notContains', 'af', [2, 5, 6, 7, 8, 9]],
    ['$containsi', 'AF', [1, 2, 3, 4]],
    ['$containsi', 'FÉ', [1, 2]],
    ['$notContainsi', 'fé', [3, 4, 5, 6, 7, 8, 9]],
    ['$startsWith', 'Ca', [1, 4]],
    ['$startsWithi', 'cA', [1, 2, 3, 4]],
    ['$endsWith', 'é', [1]],
    ['$endsWithi', 'É', [1, 2]],
    ['$endsWith', ' ', [4]],
    ['$null', true, [10]],
  ]
  for (const [operator, value, expected] of rows) {
    for (const name of ['name', 'body']) {
      const filters = { [name]: { [operator]: value } }
      t.same(ids(await things.findMany({ filters })), expected, JSON.stringify(filters))
    }
  }
  t.same(ids(await things.findMany({ filters: { $not: { name: { $in: ['cafe'] } } } })), [1, 2, 4, 5, 6, 7, 8, 9])
})

t.test('values compare by their type', async t => {
  const { things } = await start(t)
  const data = [
    { whole: 1, big: '9007199254740992', float: 0.5, money: 1.1, yes: true, day: '2024-01-01', clock: '10:00:00.000' },
    { whole: 2, big: '9007199254740993', float: 2, money: 1.2, yes: false, day: '2024-01-02', clock: '10:00:00.500' },
    { whole: 10, big: '-5', float: 10, money: 10, day: '2023-12-31', clock: '09:59:59.999', data: { a: 1 } },
    { data: 'red' },
  ]
  for (const [i, one] of data.entries())
    await things.create({ data: { ...one, at: `2024-01-01T00:00:00.00${i}Z`, stamp: String(100_000 + i) } })
  const rows: readonly (readonly [filters: Record<string, unknown>, expected: number[]])[] = [
    [{ whole: { $gt: 1.5 } }, [2, 3]],
    [{ whole: { $lte: 1.5 } }, [1]],
    [{ whole: { $eq: 1.5 } }, []],
    [{ whole: { $ne: 1.5 } }, [1, 2, 3]],
    [{ whole: { $lt: 1e300 } }, [1, 2, 3]],
    [{ whole: { $gt: '99999999999' } }, []],
    [{ whole: { $between: [1.5, 10.5] } }, [2, 3]],
    [{ whole: { $in: [1, 2.5, 10, 1e20] } }, [1, 3]],
    [{ whole: { $notIn: [] } }, [1, 2, 3, 4]],
    [{ whole: { $contains: '1' } }, [1, 3]],
    [{ id: { $in: ['1', 'x', 99999999999] } }, [1]],
    [{ id: 'abc' }, []],
    [{ id: { $ne: 'abc' } }, [1, 2, 3, 4]],
    [{ id: '1abc' }, []],
    [{ big: '9007199254740993' }, [2]],
    [{ big: { $gt: '9007199254740992' } }, [2]],
    [{ big: { $in: ['9007199254740992', '-5'] } }, [1, 3]],
    [{ big: { $lt: '1e30' } }, [1, 2, 3]],
    [{ big: 'many' }, []],
    [{ float: { $gte: 0.5 } }, [1, 2, 3]],
    [{ float: 0.5 }, [1]],
    [{ float: { $in: [2, 10] } }, [2, 3]],
    [{ money: 1.1 }, [1]],
    [{ money: { $between: [1.15, 10] } }, [2, 3]],
    [{ money: { $endsWith: '.1' } }, [1]],
    [{ yes: true }, [1]],
    [{ yes: { $ne: true } }, [2]],
    [{ yes: { $in: ['t', '0'] } }, [1, 2]],
    [{ day: { $gt: '2024-01-01' } }, [2]],
    [{ day: { $in: ['2024-01-01', '2023-12-31'] } }, [1, 3]],
    [{ day: { $startsWith: '2024' } }, [1, 2]],
    [{ clock: { $gte: '10:00:00' } }, [1, 2]],
    [{ clock: { $eq: '10:00:00.5' } }, [2]],
    [{ clock: { $endsWith: '.999' } }, [3]],
    [{ at: '2024-01-01T00:00:00.002Z' }, [3]],
    [{ at: { $lt: '2024-01-01T00:00:00.002Z' } }, [1, 2]],
    [{ at: { $in: ['2024-01-01T00:00:00.000Z', '2024-01-01T00:00:00.003Z'] } }, [1, 4]],
    [{ at: { $gt: '+200000-01-01T00:00:00.000Z' } }, []],
    [{ at: { $contains: '1704067200001' } }, [2]],
    [{ stamp: { $between: [100_001, 100_002] } }, [2, 3]],
    [{ data: { $null: true } }, [1, 2]],
    [{ data: '"red"' }, [4]],
    [{ data: 'no JSON' }, []],
    [{ data: { $contains: 're' } }, [4]],
  ]
  for (const [filters, expected] of rows)
    t.same(ids(await things.findMany({ filters })), expected, JSON.stringify(filters))
  for (const sort of ['yes', 'data', 'clock', 'at'])
    t.equal((await things.findMany({ sort: `things.${sort}` })).length, 4, `sorts by a linked ${sort}`)
})

t.test('pages without a limit, beyond the end, and within each parent', async t => {
  const { things } = await start(t)
  for (let i = 0; i < 5; i++) await things.create({ data: { whole: i, things: i === 4 ? [3, 1, 4] : [] } })
  const of = async (params: Params) => ids(await things.findMany(params))
  t.same(await of({ pagination: { start: 1, limit: 2 } }), [2, 3])
  t.same(await of({ pagination: { start: 0, limit: -1 } }), [1, 2, 3, 4, 5])
  t.same(
    await of({ pagination: { start: 3, limit: -1 }, sort: 'id' } as never),
    [4, 5],
    'without a limit, from the fourth on',
  )
  t.same(await of({ pagination: { start: 9, limit: -1 } }), [])
  t.same(await of({ pagination: { start: 9, limit: 2 } }), [])
  const populate = { things: { start: 1, limit: 1 } }
  t.match(await things.findOne(5, { populate }), { things: [{ id: 1 }] }, 'in the order they were linked')
  t.match(await things.findOne(5, { populate: { things: { sort: 'whole:desc', limit: 2 } } }), {
    things: [{ id: 4 }, { id: 3 }],
  })
})

t.test('a value that a column cannot hold is a 400 that names it', async t => {
  const { things } = await start(t)
  const rows: Record<string, unknown>[] = [
    { name: 'x'.repeat(256) },
    { whole: 2147483648 },
    { money: 1e9 },
    { big: '9223372036854775808' },
    { day: '0000-01-01' },
    { at: '+010000-01-01T00:00:00.000Z' },
    { at: '-000001-01-01T00:00:00.000Z' },
  ]
  for (const data of rows) {
    const [[name, value]] = Object.entries(data) as [[string, unknown]]
    try {
      const made = await things.create({ data })
      t.not(name, 'big')
      t.equal(made[name], value, `${name} is kept`)
    } catch (error) {
      t.match(error, { status: 400, details: { errors: [{ path: [name] }] } }, `${name} is named`)
    }
  }
  const { status } = await thrown(t, () => things.create({ data: { things: [99999999999] } }))
  t.equal(status, 400, 'an id beyond all ids')
})

// Typed columns of servers hold no rubbish.
if (client() === 'sqlite') {
  t.test('an invalid datetime in a row does not fail the list', async t => {
    const kernel = await boot(t, { contentTypes: [type('day', { at: { type: 'datetime' } })] })
    await kernel.database.knex('days').insert({ at: 'rubbish' })
    await t.resolves(repositories(kernel)('day').findMany())
  })
}
