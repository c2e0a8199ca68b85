// Attributes of the type biginteger: which values are accepted, answered and found, on every database.

import { processorSince } from '@plinth/test-tools/processor'
import t from 'tap'
import { boot, client, component, raw, repositories, thrown, type } from '../fixtures/boot.ts'

t.test('a biginteger is a whole number of 64 bits, answered as text', async t => {
  const kernel = await boot(t, {
    components: { 'a.part': component('a.part', { big: { type: 'biginteger' } }) },
    contentTypes: [
      type('thing', {
        big: { type: 'biginteger' },
        whole: { type: 'integer' },
        parts: { type: 'component', component: 'a.part', repeatable: true },
      }),
    ],
  })
  const things = repositories(kernel)('thing')
  const taken: readonly (readonly [sent: unknown, read: string])[] = [
    [0, '0'],
    [-0, '0'],
    ['-0', '0'],
    ['+5', '5'],
    ['007', '7'],
    [`-${'0'.repeat(1000)}12`, '-12'],
    [[12], '12'],
    [['12'], '12'],
    [5n, '5'],
    [9_007_199_254_740_992, '9007199254740992'],
    ['9007199254740993', '9007199254740993'],
    ['9223372036854775807', '9223372036854775807'],
    ['-9223372036854775808', '-9223372036854775808'],
  ]
  for (const [big, read] of taken) {
    const made = await things.create({ data: { big } })
    t.equal(made.big, read, String(big).slice(0, 40))
    t.equal((await things.findOne(made.id))?.big, read)
    t.ok(
      (await things.findMany({ filters: { big: read } })).some(one => one.id === made.id),
      'is found by it',
    )
  }
  const before = await things.count()
  const refused = [
    ...['x', '', ' ', ' 12 ', '12 ', '1e3', '12.0', '1.5', '0x10', '1_000', '--1', '+', '٣', '1n', 'true', 'NaN'],
    ...['9223372036854775808', '-9223372036854775809', '9'.repeat(1_000_000), `${'0'.repeat(1_000_000)}x`],
    ...[true, false, 1.5, 1e21, 2 ** 63, -(2 ** 64), [true], [1.5], [[12]], ['1', '2']],
  ]
  for (const big of refused) {
    const started = process.cpuUsage()
    const error = await thrown(t, () => things.create({ data: { big } }))
    t.ok(processorSince(started) < 500, 'is checked at once')
    t.same(error.details, {
      errors: [{ path: ['big'], message: 'big must be a 64-bit whole number', name: 'ValidationError' }],
    })
  }
  const data = { big: 'x', whole: 1.5, parts: [{ big: '1' }, { big: '1.0' }] }
  for (const work of [() => things.create({ data }), () => things.update(1, { data })]) {
    const { errors } = (await thrown(t, work)).details as { errors: { path: string[]; message: string }[] }
    t.same(
      errors.map(one => `${one.path.join('.')}: ${one.message}`),
      [
        'big: big must be a 64-bit whole number',
        'whole: whole must be an integer',
        'parts.1.big: parts[1].big must be a 64-bit whole number',
      ],
      'in schema order, with the other faults',
    )
  }
  t.equal(await things.count(), before)
})

t.test('filters compare bigintegers alike on every database', async t => {
  const kernel = await boot(t, { contentTypes: [type('thing', { big: { type: 'biginteger' } })] })
  const things = repositories(kernel)('thing')
  for (const big of ['-9223372036854775808', '-1', '0', '12', '9007199254740993', '9223372036854775807', null])
    await things.create({ data: { big } })
  const all = [1, 2, 3, 4, 5, 6]
  const rows: readonly (readonly [filter: unknown, ids: readonly number[]])[] = [
    [' 12 ', [4]],
    ['12.0', [4]],
    ['1.2e1', [4]],
    ['0xc', [4]],
    ['0012', [4]],
    ['-0', [3]],
    [12.5, []],
    ['x', []],
    ['', []],
    ['Infinity', []],
    ['-Infinity', []],
    ['1e400', []],
    [true, []],
    [9_007_199_254_740_993n, [5]],
    [{ $ne: 'x' }, all],
    [{ $ne: '-Infinity' }, all],
    [{ $ne: '12' }, [1, 2, 3, 5, 6]],
    [{ $in: ['x', '', '12', '-1.0', '1e400', '-Infinity'] }, [2, 4]],
    [{ $notIn: ['x', '', '12', '1e400', '-Infinity'] }, [1, 2, 3, 5, 6]],
    [{ $in: [] }, []],
    [{ $gt: '11.5' }, [4, 5, 6]],
    [{ $gte: '12.5' }, [5, 6]],
    [{ $lt: '-0.5' }, [1, 2]],
    [{ $lte: '1e400' }, []],
    [{ $gt: '-Infinity' }, []],
    [{ $gt: 'x' }, []],
    [{ $lt: 'x' }, []],
    [{ $lt: '9'.repeat(50) }, all],
    [{ $gt: `-${'9'.repeat(50)}` }, all],
    [{ $gte: '9223372036854775807' }, [6]],
    [{ $gt: '9223372036854775807' }, []],
    [{ $lt: '9223372036854775808' }, all],
    [{ $lte: '-9223372036854775808' }, [1]],
    [{ $lt: '-9223372036854775809' }, []],
    [{ $between: ['-1', '12'] }, [2, 3, 4]],
    [{ $between: ['-1.5', '12.5'] }, [2, 3, 4]],
    [{ $between: ['x', '12'] }, []],
    [{ $contains: '2' }, [1, 4, 5, 6]],
    [{ $startsWith: '-' }, [1, 2]],
    [{ $eqi: '12' }, [4]],
    [{ $null: true }, [7]],
  ]
  for (const [big, ids] of rows) {
    const shown = JSON.stringify(big, (_, one) => (typeof one === 'bigint' ? `${one}n` : one))
    const found = (await things.findMany({ filters: { big }, sort: 'id' })).map(one => one.id)
    t.same(found, ids, shown)
    const others = (await things.findMany({ filters: { $not: { big } }, sort: 'id' })).map(one => one.id)
    t.notOk(
      others.some(id => ids.includes(id)),
      `not ${shown}`,
    )
  }
})

t.test('text in a column of an old SQLite file is answered', async t => {
  if (client() !== 'sqlite') return t.comment('columns of servers hold nothing else')
  const kernel = await boot(t, { contentTypes: [type('thing', { big: { type: 'biginteger' } })] })
  const things = repositories(kernel)('thing')
  const stored = [
    `'ten'`,
    `''`,
    `'true'`,
    '1.5',
    '9223372036854775808',
    `'${'9'.repeat(400)}'`,
    `x'00ff'`,
    '-1e300',
    '7',
  ]
  await raw(kernel, `INSERT INTO things (big) VALUES ${stored.map(one => `(${one})`).join(', ')}`)
  const found = (await things.findMany({ sort: 'id' })).map(one => one.big)
  t.same(found.slice(0, 4), ['ten', '', 'true', '1.5'])
  t.equal(found.length, stored.length)
  t.equal(found.at(-1), '7')
  for (const filters of [
    { big: '7' },
    { big: { $gt: '6' } },
    { big: { $in: ['7', 'ten'] } },
    { big: { $contains: 'e' } },
  ])
    t.ok((await things.findMany({ filters, sort: 'big:desc' })).length > 0, JSON.stringify(filters))
  for (const id of [1, 2, 3, 4, 5]) {
    t.ok(await things.update(id, { data: {} }), 'an update leaves it')
    t.match(await things.update(id, { data: { big: '8' } }), { big: '8' }, 'or mends it')
  }
})
