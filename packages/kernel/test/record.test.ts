// Which values are objects with members, and which texts are ids.

import t from 'tap'
import { isPlainRecord, isRecord, parseId } from '../src/index.ts'

t.test('records', async t => {
  class Own {}
  const plain = [{}, { a: 1 }, Object.create(null)]
  for (const value of plain) t.same([isRecord(value), isPlainRecord(value)], [true, true])
  for (const value of [new Date(), new Own(), Buffer.from('')])
    t.same([isRecord(value), isPlainRecord(value)], [true, false])
  for (const value of [null, undefined, [], 'a', 1, () => {}])
    t.same([isRecord(value), isPlainRecord(value)], [false, false])
})

t.test('ids', async t => {
  t.same(['7', '07', '7.0'].map(parseId), [7, 7, 7])
  t.same(['7.5', '-7', '7a', '', 7, null, undefined, ['7']].map(parseId), Array(8).fill(null))
})
