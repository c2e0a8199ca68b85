// Long pieces of work share the event loop: in each of its turns one of them has a slice.

import t from 'tap'
import { nextSlice } from '../src/slices.ts'

t.test('one slice in a turn of the event loop, in order', async t => {
  let turn = 0
  let isDone = false
  const tick = () => {
    turn++
    if (!isDone) setImmediate(tick)
  }
  setImmediate(tick)
  const slices: { readonly name: string; readonly turn: number }[] = []
  const work = async (name: string) => {
    for (let i = 0; i < 4; i++) {
      await nextSlice()
      slices.push({ name, turn })
    }
  }
  await Promise.all(['a', 'b', 'c'].map(work))
  isDone = true
  t.same(
    slices.map(one => one.name),
    ['a', 'b', 'c', 'a', 'b', 'c', 'a', 'b', 'c', 'a', 'b', 'c'],
  )
  t.equal(new Set(slices.map(one => one.turn)).size, slices.length, JSON.stringify(slices))
})

t.test('works that begin later, one after the other', async t => {
  await nextSlice()
  await nextSlice()
  let isTurn = false
  setImmediate(() => {
    isTurn = true
  })
  await nextSlice()
  t.ok(isTurn, 'a slice begins in a later turn')
})
