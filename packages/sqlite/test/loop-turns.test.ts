// Which queries on SQLite begin in a turn of the event loop.

import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { LoopTurn } from '../src/turn.ts'

/** A clock on which only work takes time. */
let clock = 0
const openTurn = () => new LoopTurn(() => clock)

/** Works for a number of milliseconds, as a statement does. */
function work(turn: LoopTurn, milliseconds: number): void {
  clock += milliseconds
  turn.spend(milliseconds)
}

t.test('queries share a turn, but one is enough while quick ones arrive', async t => {
  const turn = openTurn()
  turn.spend(1.1)
  t.notOk(turn.isOver)
  turn.spend(14)
  t.ok(turn.isOver)
  await nextTurn()
  t.notOk(turn.isOver, 'the next turn has its own share')
  turn.expect()
  turn.spend(1.1)
  t.ok(turn.isOver)
  t.ok(turn.isShared)
})

t.test('quick queries are expected for a number of turns', async t => {
  const turn = openTurn()
  turn.expect()
  let turns = 0
  for (; turn.isShared && turns < 1000; turns++) {
    turn.spend(1)
    await nextTurn()
  }
  t.ok(turns > 10 && turns < 200, `${turns} turns`)
})

t.test('waiting queries begin in order, and only in every second turn', async t => {
  const turn = openTurn()
  turn.expect()
  turn.spend(2)
  const began: string[] = []
  const ask = async (name: string) => {
    await turn.next()
    began.push(name)
    work(turn, 2)
  }
  const asked = Promise.all(['a', 'b', 'c'].map(ask))
  const isDone = () => began.includes('c')
  for (let turns = 0; !isDone() && turns < 100; turns++) {
    await nextTurn()
    began.push('turn')
  }
  await asked
  const order = began.filter(one => one !== 'turn')
  t.strictSame(order, ['a', 'b', 'c'])
  t.notMatch(began.join(' '), /a b|b c/, 'others have theirs in between')
})

t.test('waiting queries begin although quick ones use up every turn', async t => {
  const turn = openTurn()
  let isOver = false
  const spend = () => {
    turn.expect()
    turn.spend(2)
    if (!isOver) setImmediate(spend)
  }
  spend()
  const began: string[] = []
  const asked = Promise.all(['a', 'b', 'c'].map(name => turn.next().then(() => began.push(name))))
  for (let turns = 0; began.length < 3 && turns < 10; turns++) await nextTurn()
  isOver = true
  t.strictSame(began, ['a', 'b', 'c'])
  await asked
})

t.test('waiting queries have a part of the time of long turns', async t => {
  const turn = openTurn()
  let isOver = false
  const spend = () => {
    turn.expect()
    work(turn, 8)
    if (!isOver) setImmediate(spend)
  }
  spend()
  let begun = 0
  const ask = async () => {
    await turn.next()
    work(turn, 0.4)
    begun++
  }
  const asked = Promise.all(Array.from({ length: 200 }, ask))
  let turns = 0
  for (; begun < 200 && turns < 400; turns++) await nextTurn()
  isOver = true
  await asked
  // Two turns of 8 ms let in ten.
  t.ok(turns > 10 && turns < 100, `${turns} turns`)
})

t.test('callers take turns', async t => {
  const turn = openTurn()
  turn.spend(20)
  const [many, few] = [{}, {}]
  const began: string[] = []
  const ask = async (name: string, caller?: object) => {
    await turn.next(caller)
    began.push(name)
    work(turn, 20)
  }
  await Promise.all([
    ...['a1', 'a2', 'a3'].map(name => ask(name, many)),
    ask('b1', few),
    ask('of nobody'),
    ask('a4', many),
    ask('b2', few),
  ])
  t.strictSame(began, ['a1', 'b1', 'of nobody', 'a2', 'b2', 'a3', 'a4'])
})
