// Texts that one database takes for a number and another does not: all of them answer alike (B-2.107, B-2.125 to B-2.132).

import { fresh, onEach } from '@plinth/test-tools/on-each'
import t from 'tap'
import { createKernel } from '../../src/index.ts'
import { type, uid } from '../fixtures/boot.ts'

const attributes = {
  whole: { type: 'integer' },
  big: { type: 'biginteger' },
  float: { type: 'float' },
  cents: { type: 'decimal' },
  flag: { type: 'boolean' },
  text: { type: 'string' },
  data: { type: 'json' },
  day: { type: 'date' },
  at: { type: 'datetime' },
  mate: { type: 'relation', relation: 'oneToOne', target: uid('row') },
}
const data = {
  whole: 1,
  big: '1',
  float: 1,
  cents: 1,
  flag: true,
  text: '1',
  data: 1,
  day: '2024-01-01',
  at: 1,
  mate: 1,
}
const operators = ['$eq', '$ne', '$in', '$notIn', '$lt', '$lte', '$gt', '$gte', '$between']
const texts = [
  ...[
    '1',
    '01',
    '1.0',
    '1.',
    '1e0',
    '1E+0',
    '10e-1',
    ' 1',
    '1 ',
    '+1',
    '\t1',
    '\u00a01',
    '1_0',
    '1,0',
    '0x1',
    '0b1',
    '0o1',
    '-0',
  ],
  ...[
    '',
    ' ',
    'one',
    'Infinity',
    '-Infinity',
    'NaN',
    'null',
    'true',
    '1n',
    '1.5',
    '.5',
    '1e400',
    '-1e400',
    '9007199254740993',
  ],
  ...['99999999999999999999', '1;1', '1)', "1' OR '1'='1", '１'],
]

/** The order of texts is that of each database. */
const all: Record<string, unknown>[] = []

await onEach('numbers as text', async t => {
  const { config: database } = await fresh(t)
  const kernel = await createKernel({ database, contentTypes: [type('row', attributes)] })
  t.teardown(() => kernel.close())
  const rows = kernel.query(uid('row'))
  await rows.create({ data: { ...data, mate: null } })
  await rows.update(1, { data: { mate: 1 } })
  await rows.create({ data: { text: 'two', whole: 2, big: '2', float: 2, cents: 2, data: { a: 1 } } })
  const answers: Record<string, unknown> = {}
  for (const name of ['id', 'mate', ...Object.keys(attributes)])
    for (const text of texts)
      for (const operator of name === 'text' || name === 'data' ? ['$eq', '$ne', '$in', '$notIn'] : operators) {
        const operand =
          /n$/i.test(operator) && operator !== '$between' ? [text] : operator === '$between' ? ['0', text] : text
        const key = `${name} ${operator} ${JSON.stringify(text)}`
        try {
          const found = await rows.findMany({
            filters: { [name]: { [operator]: operand } },
            sort: 'id',
            fields: ['id'],
          })
          answers[key] = found.map(one => one.id)
        } catch (error) {
          const { status, message } = error as { status?: number; message: string }
          answers[key] = status === 400 ? '400' : `${status} ${message}`
        }
      }
  t.same(
    Object.entries(answers).filter(([, answer]) => typeof answer === 'string' && answer !== '400'),
    [],
  )
  t.same(answers['id $eq "0x1"'], [])
  t.same(answers['mate $eq "0x1"'], [])
  t.same(answers['id $in "0b1"'], [])
  for (const text of ['1', '1.0', '1e0', ' 1', '+1']) t.same(answers[`id $eq ${JSON.stringify(text)}`], [1], text)
  t.equal(await rows.findOne('0x1' as never), null)
  all.push(answers)
})

t.test('all databases answer alike', async t => {
  for (const other of all.slice(1)) {
    const different = Object.entries(other).filter(
      ([key, answer]) => JSON.stringify(answer) !== JSON.stringify(all[0]![key]),
    )
    t.same(
      different.map(([key, answer]) => `${key}: ${JSON.stringify(answer)}, SQLite ${JSON.stringify(all[0]![key])}`),
      [],
    )
  }
})
