// Garbage is collected once after a load, and the memory of the heap is returned.

import { getHeapStatistics } from 'node:v8'
import { Budget } from '@plinth/server/transport'
import t from 'tap'
import { collectGarbage, IdleCollection } from '../src/budget/idle-collection.ts'

const mb = 1024 * 1024

t.test('it collects once, when the load has been over for two looks', async t => {
  let isLoaded = true
  let collected = 0
  const collection = new IdleCollection(
    () => isLoaded,
    () => void collected++,
  )
  t.teardown(() => collection.stop())
  collection.begin()
  for (let i = 0; i < 5; i++) collection.look()
  t.equal(collected, 0, 'a load that lasts')
  isLoaded = false
  collection.look()
  t.equal(collected, 0, 'it may only pause')
  isLoaded = true
  collection.look()
  isLoaded = false
  collection.look()
  t.equal(collected, 0)
  collection.look()
  t.equal(collected, 1)
})

/** Fills the heap with garbage. Returns the size of the heap, with what is garbage when it returns. */
function fillHeap(): number {
  const texts: string[][] = []
  for (let i = 0; i < 100; i++) texts.push(Array.from({ length: 20_000 }, (_, j) => `${i} ${j}`))
  return getHeapStatistics().total_heap_size
}

t.test('the heap that garbage took is returned', async t => {
  const full = fillHeap()
  t.ok(full > 100 * mb, `${full}`)
  collectGarbage()
  t.equal((globalThis as { readonly gc?: unknown }).gc, undefined, 'the function stays hidden')
  const { total_heap_size: left } = getHeapStatistics()
  t.ok(left < full - 60 * mb, `${left} of ${full}`)
})

t.test('a budget begins it with a large load, and only then', async t => {
  const { begin } = IdleCollection.prototype
  let begun = 0
  IdleCollection.prototype.begin = () => void begun++
  t.teardown(() => {
    IdleCollection.prototype.begin = begin
  })
  const budget = new Budget({ maxBytes: 16 * mb })
  const small = budget.open('a')
  small.add('answers', 60 * 1024)
  const large = budget.open('a')
  large.claim('answers', 2 * mb)
  t.equal(begun, 0)
  large.claim('answers', 2 * mb)
  t.equal(begun, 1)
  large.close()
  budget.close()
})
