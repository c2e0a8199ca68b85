// What is remembered by a key of which only the last characters are looked up.

import t from 'tap'
import { Remembered } from '../../src/accounts/remembered.ts'

const bounds = { maxAge: 60_000, maxEntries: 3, maxLength: 1000 }
/** Headers of tokens that differ before the last characters only. */
const alike = (name: string) => `Bearer ${name}.${'s'.repeat(43)}`

t.test('a value belongs to its whole key, whatever another one ends in', async t => {
  const remembered = new Remembered<string>(bounds)
  remembered.set(alike('ada'), 'ada')
  t.equal(remembered.get(alike('ada')), 'ada')
  t.equal(remembered.get(alike('eve')), undefined)
  remembered.delete(alike('eve'))
  t.equal(remembered.get(alike('ada')), 'ada')
  remembered.set(alike('eve'), 'eve')
  t.equal(remembered.get(alike('ada')), undefined)
  t.equal(remembered.get(alike('eve')), 'eve')
  t.equal(remembered.size, 1)
})

t.test('keys that are shorter than the part that is compared first', async t => {
  const remembered = new Remembered<number>(bounds)
  remembered.set('a', 1)
  remembered.set('', 2)
  t.strictSame([remembered.get('a'), remembered.get(''), remembered.get('b')], [1, 2, undefined])
})

t.test('the oldest are forgotten, by their number and by their length', async t => {
  const remembered = new Remembered<number>(bounds)
  for (const i of [1, 2, 3, 4]) remembered.set(`key ${i}`, i)
  t.strictSame(
    [1, 2, 3, 4].map(i => remembered.get(`key ${i}`)),
    [undefined, 2, 3, 4],
  )
  remembered.set('x'.repeat(996), 5)
  t.equal(remembered.size, 1, 'the others would be more characters than allowed')
  remembered.set('y'.repeat(1001), 6)
  t.strictSame([remembered.get('x'.repeat(996)), remembered.get('y'.repeat(1001))], [5, undefined])
})

t.test('what is set again counts once, and is forgotten by its value and its age', async t => {
  const remembered = new Remembered<number>(bounds)
  for (let i = 0; i < 300; i++) remembered.set('the same key', i)
  remembered.set('other', 1)
  t.strictSame([remembered.get('the same key'), remembered.get('other')], [299, 1])
  remembered.forget(value => value === 299)
  t.strictSame([remembered.get('the same key'), remembered.get('other')], [undefined, 1])
  const brief = new Remembered<number>({ ...bounds, maxAge: 0 })
  brief.set('key', 1)
  t.equal(brief.get('key'), undefined)
  t.equal(brief.size, 0)
})
