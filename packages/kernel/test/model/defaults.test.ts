// Defaults that no entry can have are named by the start, and refuse entries without a value, as in v4; others are stored.

import t from 'tap'
import { boot, notes, type, uid } from '../fixtures/boot.ts'

t.test('defaults that no entry can have', async t => {
  const rows: readonly (readonly [definition: Record<string, unknown>, words: string, sent: unknown])[] = [
    [{ type: 'integer', default: 'abc' }, 'must be an integer, found "abc"', 1],
    [{ type: 'integer', default: 1.5 }, 'must be an integer, found 1.5', 1],
    [{ type: 'biginteger', default: 'x' }, 'must be a 64-bit integer, found "x"', '1'],
    [{ type: 'biginteger', default: '9'.repeat(20) }, `must be a 64-bit integer, found "${'9'.repeat(20)}"`, '1'],
    [{ type: 'decimal', default: true }, 'must be a number, found true', 1.5],
    [{ type: 'date', default: 'x' }, 'must be a date like 2024-12-31, found "x"', '2024-12-31'],
    [{ type: 'time', default: '9' }, 'must be a time like 23:59:59.000, found "9"', '09:00:00.000'],
    [{ type: 'time', default: '9:30' }, 'must be a time like 23:59:59.000, found "9:30"', '09:30:00.000'],
    [{ type: 'time', default: '24:00' }, 'must be a time like 23:59:59.000, found "24:00"', '09:30:00.000'],
    [{ type: 'datetime', default: 'now' }, 'must be an ISO date and time, found "now"', '2024-02-29T10:00:00.000Z'],
    [{ type: 'boolean', default: 'yes' }, 'must be true or false, found "yes"', true],
    [{ type: 'enumeration', enum: ['a', 'b'], default: 'c' }, 'must be one of "a", "b", found "c"', 'a'],
    [{ type: 'integer', min: 10, default: 9 }, 'must not be less than 10, found 9', 10],
    [{ type: 'decimal', max: '2.5', default: '2.6' }, 'must not be greater than 2.5, found "2.6"', 2.5],
    [{ type: 'float', min: -1, max: 0, default: 1 }, 'must not be greater than 0, found 1', -0.5],
    [{ type: 'text', default: 7 }, 'must be a text, found 7', 'seven'],
    [{ type: 'richtext', maxLength: 4, default: 'a day' }, 'must be at most 4 characters, found "a day"', 'day'],
    [{ type: 'string', regex: '^[A-Z]+$', default: 'Ab' }, 'must match the pattern ^[A-Z]+$, found "Ab"', 'AB'],
    [{ type: 'email', default: 'ann' }, 'must be a mail address, found "ann"', 'ann@example.com'],
    [{ type: 'uid', default: 'a/b' }, 'must have only the characters A-Z, a-z, 0-9 and -_.~, found "a/b"', 'a-b'],
  ]
  for (const [definition, words, at] of rows) {
    const logger = notes()
    const kernel = await boot(t, { file: ':memory:', contentTypes: [type('page', { at: definition })], logger })
    t.match(logger.warnings, [
      `${uid('page')}: attributes.at.default: ${words}; until it is, entries without a value are refused`,
    ])
    const pages = kernel.query(uid('page'))
    await t.rejects(pages.create({ data: {} }), { name: 'ValidationError' }, words)
    t.match(await pages.create({ data: { at } as never }), { at })
    t.match(await pages.create({ data: { at: null } }), { at: null })
  }
})

t.test('times without seconds, as the forms of v4 write them', async t => {
  const times = {
    '12:00': '12:00:00.000',
    '00:05': '00:05:00.000',
    '23:59:30': '23:59:30.000',
    '10:00:00.5': '10:00:00.500',
  }
  for (const [written, stored] of Object.entries(times)) {
    const logger = notes()
    const part = { collectionName: 'components_a_parts', attributes: { at: { type: 'time', default: written } } }
    const page = type('page', {
      at: { type: 'time', default: written },
      part: { type: 'component', component: 'a.part' },
    })
    const kernel = await boot(t, { file: ':memory:', contentTypes: [page], components: { 'a.part': part }, logger })
    t.same(logger.warnings, [])
    const made = await kernel.query(uid('page')).create({ data: { part: {} }, populate: '*' })
    t.match(made, { at: stored, part: { at: stored } })
  }
})

t.test('other defaults are accepted', async t => {
  const logger = notes()
  await boot(t, {
    file: ':memory:',
    contentTypes: [
      type('page', {
        count: { type: 'integer', default: '12' },
        big: { type: 'biginteger', default: '9223372036854775807' },
        ratio: { type: 'float', default: 1.5 },
        none: { type: 'integer', default: null },
        unset: { type: 'enumeration', enum: ['a'], default: '' },
        day: { type: 'date', default: '2024-02-29' },
        moment: { type: 'datetime', default: '2024-02-29T10:00:00.000Z' },
        clock: { type: 'time', default: '10:00:00' },
        flag: { type: 'boolean', default: 'false' },
        json: { type: 'json', default: [1] },
        word: { type: 'string', minLength: '2', maxLength: 3, regex: '^a+$', default: 'aaa' },
        mail: { type: 'email', default: 'ann@example.com' },
        address: { type: 'uid', default: 'a-b_c.d~' },
        rate: { type: 'decimal', min: '0', max: 5, default: '5' },
        // Bounds of a biginteger are not applied.
        large: { type: 'biginteger', max: 5, default: '6' },
        left: { type: 'integer', min: '', default: '' },
      }),
    ],
    logger,
  })
  t.same(logger.warnings, [])
})

t.test('a default that is too short', async t => {
  const logger = notes()
  const page = type('page', { at: { type: 'string', minLength: 4, default: 'new' } })
  const kernel = await boot(t, { file: ':memory:', contentTypes: [page], logger })
  t.match(logger.warnings, [
    `${uid('page')}: attributes.at.default: must be at least 4 characters, found "new"; until it is, entries without a value are refused, unless they are drafts`,
  ])
  await t.rejects(kernel.query(uid('page')).create({ data: {} }), { message: 'at must be at least 4 characters' })
})
