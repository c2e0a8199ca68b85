// Caches by texts keep their limits, and have their memory only from their first entry on.

import t from 'tap'
import { TextCache } from '../src/text-cache.ts'

t.test('limits by number and by size', async t => {
  const cache = new TextCache<string>({ max: 3, maxSize: 10, sizeCalculation: value => value.length })
  t.equal(cache.size, 0)
  t.equal(cache.get('a'), undefined)
  t.equal(cache.delete('a'), false)
  t.same([...cache.entries()], [])
  for (const text of ['a', 'b', 'c', 'd']) cache.set(text, text)
  t.same([...cache.entries()].map(([text]) => text).sort(), ['b', 'c', 'd'], 'the oldest was dropped')
  t.equal(cache.get('b'), 'b')
  cache.set('long', '12345678')
  t.same(
    [...cache.entries()],
    [
      ['long', '12345678'],
      ['b', 'b'],
      ['d', 'd'],
    ].slice(0, cache.size),
  )
  t.ok(cache.size < 4)
  t.equal(cache.delete('long'), true)
  t.equal(cache.get('long'), undefined)
  cache.clear()
  t.equal(cache.size, 0)
  cache.set('again', 'x')
  t.equal(cache.get('again'), 'x')
})

t.test('an empty cache reserves nothing', async t => {
  const before = process.memoryUsage().heapUsed + process.memoryUsage().external
  const caches = Array.from({ length: 1000 }, () => new TextCache<string>({ max: 100_000 }))
  const bytes = process.memoryUsage().heapUsed + process.memoryUsage().external - before
  t.ok(bytes < 100_000_000, `${bytes} bytes of ${caches.length} caches`)
})
