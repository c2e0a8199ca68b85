// The cache of what strategies find out: its bounds, shared look-ups, and what a change takes out of it.

import t from 'tap'
import { CredentialCache } from '../../src/index.ts'

const bounds = { maxAge: 60_000, maxEntries: 3, maxLength: 1000 }
/** Headers of tokens that differ before the last characters only. */
const alike = (name: string) => `Bearer ${name}.${'s'.repeat(43)}`

const keep = <Value>(cache: CredentialCache<Value>, credential: string, value: Value, maxAge?: number) =>
  cache.lookUp(credential, async () => value, maxAge)

t.test('a value belongs to its whole credential, whatever another one ends in', async t => {
  const cache = new CredentialCache<string>(bounds)
  await keep(cache, alike('ada'), 'ada')
  t.equal(cache.get(alike('ada')), 'ada')
  t.equal(cache.get(alike('eve')), undefined)
  await cache.lookUp(alike('eve'), async () => null)
  t.equal(cache.get(alike('ada')), 'ada')
  await keep(cache, alike('eve'), 'eve')
  t.equal(cache.get(alike('ada')), undefined)
  t.equal(cache.get(alike('eve')), 'eve')
  t.equal(cache.size, 1)
})

t.test('credentials that are shorter than the part that is compared first', async t => {
  const cache = new CredentialCache<number>(bounds)
  await keep(cache, 'a', 1)
  await keep(cache, '', 2)
  t.strictSame([cache.get('a'), cache.get(''), cache.get('b')], [1, 2, undefined])
})

t.test('the oldest are dropped, by their number and by their length', async t => {
  const cache = new CredentialCache<number>(bounds)
  for (const i of [1, 2, 3, 4]) await keep(cache, `key ${i}`, i)
  t.strictSame(
    [1, 2, 3, 4].map(i => cache.get(`key ${i}`)),
    [undefined, 2, 3, 4],
  )
  await keep(cache, 'x'.repeat(996), 5)
  t.equal(cache.size, 1, 'the others would be more characters than allowed')
  await keep(cache, 'y'.repeat(1001), 6)
  t.strictSame([cache.get('x'.repeat(996)), cache.get('y'.repeat(1001))], [5, undefined])
})

t.test('what is looked up again counts once, and is dropped by its value and its age', async t => {
  const cache = new CredentialCache<number>(bounds)
  for (let i = 0; i < 300; i++) await keep(cache, 'the same key', i)
  await keep(cache, 'other', 1)
  t.strictSame([cache.get('the same key'), cache.get('other')], [299, 1])
  cache.forget(value => value === 299)
  t.strictSame([cache.get('the same key'), cache.get('other')], [undefined, 1])
  const brief = new CredentialCache<number>({ ...bounds, maxAge: 0 })
  await keep(brief, 'key', 1)
  t.equal(brief.get('key'), undefined)
  t.equal(brief.size, 0)
})

t.test('what is cached is bounded in time, number and length', async t => {
  const short = new CredentialCache<number>({ maxAge: 60_000, maxEntries: 3, maxLength: 20 })
  for (let i = 0; i < 10; i++) await keep(short, `key ${i}`, i)
  t.equal(short.size, 3)
  t.equal(short.get('key 9'), 9)
  t.equal(short.get('key 0'), undefined)
  await keep(short, 'x'.repeat(18), 1)
  t.equal(short.size, 1, 'a long key takes the place of others')
  await keep(short, 'y'.repeat(100), 1)
  t.equal(short.get('y'.repeat(100)), undefined)
  await keep(short, 'a', 1)
  await keep(short, 'a', 2)
  t.equal(short.get('a'), 2)
  short.forget(value => value === 2)
  t.equal(short.get('a'), undefined)
  const brief = new CredentialCache<number>({ maxAge: 60_000, maxEntries: 3, maxLength: 20 })
  await keep(brief, 'a', 1, 30)
  await new Promise(resolve => setTimeout(resolve, 40))
  t.equal(brief.get('a'), undefined)
})

t.test('requests at the same time share a look-up, and its failure is not kept', async t => {
  const cache = new CredentialCache<string>(bounds)
  let lookups = 0
  const { promise, resolve } = Promise.withResolvers<string>()
  const find = () => {
    lookups++
    return promise
  }
  const both = Promise.all([cache.lookUp('key', find), cache.lookUp('key', find)])
  t.equal(cache.get('key'), undefined)
  resolve('ada')
  t.strictSame([await both, lookups, cache.get('key')], [['ada', 'ada'], 1, 'ada'])
  await t.rejects(
    cache.lookUp('away', () => Promise.reject(new RangeError('no'))),
    RangeError,
  )
  t.equal(await keep(cache, 'away', 'back'), 'back', 'the next request looks it up again')
})

t.test('a look-up that began before a change is neither kept nor shared after it', async t => {
  const cache = new CredentialCache<string>(bounds)
  const { promise, resolve } = Promise.withResolvers<string>()
  const earlier = cache.lookUp('key', () => promise)
  cache.forget(() => false)
  const later = cache.lookUp('key', async () => 'new')
  resolve('old')
  t.strictSame(await Promise.all([earlier, later]), ['old', 'new'])
  t.equal(cache.get('key'), 'new')
})
