// Defaults that no entry can have stop the start; others do not.

import t from 'tap'
import { boot, thrown, type, uid } from '../fixtures/boot.ts'

t.test('defaults that no entry can have are refused', async t => {
  const rows: readonly (readonly [definition: Record<string, unknown>, words: string])[] = [
    [{ type: 'integer', default: 'abc' }, 'must be an integer, found "abc"'],
    [{ type: 'integer', default: 1.5 }, 'must be an integer, found 1.5'],
    [{ type: 'biginteger', default: 'x' }, 'must be a 64-bit integer, found "x"'],
    [{ type: 'biginteger', default: '9'.repeat(20) }, `must be a 64-bit integer, found "${'9'.repeat(20)}"`],
    [{ type: 'decimal', default: true }, 'must be a number, found true'],
    [{ type: 'date', default: 'x' }, 'must be a date like 2024-12-31, found "x"'],
    [{ type: 'time', default: '9' }, 'must be a time like 23:59:59.000, found "9"'],
    [{ type: 'datetime', default: 'now' }, 'must be an ISO date and time, found "now"'],
    [{ type: 'boolean', default: 'yes' }, 'must be true or false, found "yes"'],
    [{ type: 'enumeration', enum: ['a', 'b'], default: 'c' }, 'must be one of "a", "b", found "c"'],
  ]
  for (const [definition, words] of rows) {
    const contentTypes = [type('page', { at: definition })]
    const { message } = await thrown(t, () => boot(t, { file: ':memory:', contentTypes }))
    t.equal(message, `${uid('page')}: attributes.at.default: ${words}`)
  }
})

t.test('other defaults are accepted', async t => {
  await boot(t, {
    file: ':memory:',
    contentTypes: [
      type('page', {
        count: { type: 'integer', default: '12' },
        big: { type: 'biginteger', default: '9223372036854775807' },
        ratio: { type: 'float', default: 1.5 },
        none: { type: 'integer', default: null },
        left: { type: 'enumeration', enum: ['a'], default: '' },
        day: { type: 'date', default: '2024-02-29' },
        moment: { type: 'datetime', default: '2024-02-29T10:00:00.000Z' },
        clock: { type: 'time', default: '10:00:00' },
        flag: { type: 'boolean', default: 'false' },
        short: { type: 'string', minLength: 3, default: 'a' },
        json: { type: 'json', default: [1] },
      }),
    ],
  })
})
