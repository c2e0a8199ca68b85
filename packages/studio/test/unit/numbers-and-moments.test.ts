// Numbers keep their digits, and moments what no field shows of them.

import t from 'tap'
import { parseExactly } from '../../src/api/exact-json.ts'
import { readMoment, utcNote, writeMoment } from '../../src/inputs/moments.ts'
import { addTo, hasDecimalComma, readNumber } from '../../src/inputs/numbers.ts'
import { isEqual } from '../../src/model/changes.ts'

const decimal = { isWhole: false, hasComma: false }
const whole = { isWhole: true, hasComma: false }

t.test('decimals', async t => {
  for (const text of ['1.10', '0.1', '-7', '12345678901234567890.123456789012345678', '1e-7'])
    t.equal(readNumber(text, decimal), text)
  t.equal(readNumber(' +5. ', decimal), '5')
  t.equal(readNumber('-.50', decimal), '-0.50')
  t.equal(readNumber('5.e3', decimal), '5e3')
  t.equal(readNumber('−3', decimal), '-3')
  t.equal(readNumber('1,10', { ...decimal, hasComma: true }), '1.10')
  for (const text of ['1,234', '', 'a', '1.2.3', '0x1', 'Infinity', '1_0'])
    t.equal(readNumber(text, decimal), null, text)
  t.equal(
    readNumber('1.234,5', { ...decimal, hasComma: true }),
    null,
    'a point that groups is not taken for a decimal one',
  )
  t.ok(hasDecimalComma('de'))
  t.notOk(hasDecimalComma('en'))
})

t.test('whole numbers', async t => {
  t.equal(readNumber('9223372036854775807', whole), '9223372036854775807')
  t.equal(readNumber('+007', whole), '7')
  t.equal(readNumber('1.0', whole), null)
  t.equal(addTo('9007199254740993', 1), '9007199254740994')
  t.equal(addTo('', -1), '-1')
  t.equal(addTo('0.1', 1), '1.1')
})

t.test('JSON keeps its numbers', async t => {
  const text = '{"a":1.10,"b":12345678901234567890,"c":1e400,"d":-0,"e":[1]}'
  t.equal(JSON.stringify(parseExactly(text)), text)
  t.notOk(isEqual(parseExactly('1.10'), parseExactly('1.1')))
  t.ok(isEqual(parseExactly('[1.10]'), parseExactly('[1.10]')))
})

t.test('moments', async t => {
  const zone = 'Europe/Berlin'
  const moment = readMoment('2026-03-29T01:30:12.345Z', zone)!
  t.equal(moment.hour, 3, 'summer has begun')
  t.equal(writeMoment(moment.set({ hour: 5 }), moment), '2026-03-29T03:30:12.345Z', 'what is not shown stays')
  t.equal(writeMoment(moment.set({ hour: 2 }), moment), '2026-03-29T01:30:12.345Z', 'an hour that does not exist')
  const later = readMoment('2026-10-25T01:30:00.000Z', zone)!
  t.equal(writeMoment(later.set({ minute: 40 }), later), '2026-10-25T01:40:00.000Z', 'the second of two hours')
  const earlier = readMoment('2026-10-25T00:30:00.000Z', zone)!
  t.equal(writeMoment(earlier.set({ minute: 40 }), earlier), '2026-10-25T00:40:00.000Z')
  t.equal(writeMoment(later, null), '2026-10-25T01:30:00.000Z')
  t.equal(readMoment('soon', zone), null)
  t.equal(utcNote('2026-03-29T01:30:12.345Z'), '2026-03-29 01:30 UTC')
})
