// The budget of bytes: what shares of callers may claim, who waits and who is refused. Knows no server.

import { UnavailableError } from '@plinth/kernel'
import { Budget } from '@plinth/server/transport'
import t from 'tap'
import { zeros } from '../src/budget/kinds.ts'
import { budgetOptions, usualBytes } from '../src/budget/size.ts'

const kb = 1024
const mb = 1024 * kb

t.test('one caller holds at most half, others get what is left', async t => {
  const budget = new Budget({ maxBytes: 16 * mb, waitTimeout: 1 })
  const greedy = Array.from({ length: 10 }, () => budget.open('greedy'))
  const got = greedy.filter(share => {
    try {
      share.claim('answers', mb)
      return true
    } catch {
      return false
    }
  })
  t.equal(got.length, 6, 'three eighths: the rest of its half is for small answers')
  for (let i = 0; i < 100; i++) {
    const small = budget.open('greedy')
    if (!small.add('answers', 64 * kb)) small.close()
  }
  t.ok(budget.bytes <= 8 * mb, 'half of the budget')
  t.doesNotThrow(() => budget.open('other').claim('answers', 6 * mb))
  t.throws(() => budget.open('third').claim('answers', mb), UnavailableError, 'the part of large answers is full')
  t.doesNotThrow(() => budget.open('third').claim('answers', 60 * kb), 'a quarter is kept for small ones')
  t.strictSame(budget.refusals, { rows: 0, answers: 5, bodies: 0, files: 0, variables: 0, messages: 0 })
})

t.test('a read claims a first share, and more as rows arrive; it waits until others return theirs', async t => {
  const budget = new Budget({ maxBytes: 16 * mb, waitTimeout: 60_000 })
  const before = budget.open('a')
  before.claim('answers', 4.5 * mb)
  const share = budget.open('a')
  share.beginRead()
  t.equal(budget.bytes, 5.5 * mb, '1 MiB before the first row')
  t.ok(share.addRows(mb / 2))
  t.equal(budget.bytes, 5.5 * mb)
  t.equal(share.rowsLeft, mb)
  t.notOk(share.addRows(1.25 * mb), 'the caller has no room for more')
  let isOn = false
  const waiting = share.roomForRows().then(() => {
    isOn = true
  })
  await null
  t.notOk(isOn)
  before.close()
  await waiting
  t.ok(isOn)
  share.endRead()
  t.equal(budget.bytes, 1.75 * mb, 'what it has read, and no more')
  t.ok(share.answer(2 * mb), 'the text takes the place of the rows')
  t.equal(budget.bytes, 2 * mb)
  t.equal(budget.held.rows, 0)
  t.equal(budget.held.answers, 2 * mb)
  share.close()
  t.equal(budget.bytes, 0)
  t.equal(budget.held.answers, 0)
})

t.test('rows leave room for the answers that are made of them', async t => {
  const budget = new Budget({ maxBytes: 16 * mb, waitTimeout: 60_000 })
  const share = budget.open('a')
  share.beginRead()
  t.ok(share.addRows(3 * mb))
  t.notOk(share.addRows(1))
  await t.rejects(
    share.roomForRows(),
    UnavailableError,
    'alone it holds more than one caller may: there never will be room',
  )
  share.removeRows(1)
  t.ok(share.add('answers', 3 * mb), 'each byte of rows as a text')
  t.ok(share.answer(3 * mb))
  t.equal(budget.bytes, 3 * mb)
})

t.test('who waits for rows goes on when those of others have become an answer of equal size', async t => {
  const budget = new Budget({ maxBytes: 16 * mb, waitTimeout: 60_000 })
  const [third, one, other] = ['a', 'b', 'c'].map(name => budget.open(name))
  third!.beginRead()
  t.ok(third!.addRows(100 * kb))
  for (const share of [one!, other!]) {
    share.beginRead()
    t.ok(share.addRows(2.75 * mb))
    share.endRead()
  }
  t.notOk(third!.addRows(mb), 'the part of rows is full')
  let isOn = false
  const waiting = third!.roomForRows().then(() => {
    isOn = true
  })
  t.ok(one!.answer(2.75 * mb), 'nothing is returned')
  await new Promise(setImmediate)
  t.ok(isOn)
  third!.close()
  await waiting.catch(() => {})
})

t.test('who waits is refused after its time; who has not begun is refused at once', async t => {
  const budget = new Budget({ maxBytes: 16 * mb, waitTimeout: 20 })
  const [begun, other, third] = ['a', 'b', 'c'].map(name => budget.open(name))
  for (const share of [begun!, other!]) {
    share.beginRead()
    t.ok(share.addRows(2.75 * mb))
  }
  third!.beginRead()
  t.notOk(third!.addRows(2 * mb))
  const late = budget.open('d')
  late.beginRead()
  t.equal(late.rowsLeft, 128 * kb, 'it may read a small answer')
  t.ok(late.addRows(20 * kb))
  t.notOk(late.addRows(200 * kb))
  const refused = await late.roomForRows().catch((error: UnavailableError) => error)
  t.match(refused, { status: 503, retryAfter: 2 })
  t.equal(budget.refusals.rows, 1)
  t.equal(late.refusal, refused)
  t.ok(budget.claimed.small < 64 * kb, 'what is kept for small answers does not shrink by it')
  late.removeRows(220 * kb)
  t.ok(late.add('answers', 60 * kb), 'a small answer has room')
  late.close()
  await t.rejects(third!.roomForRows(), UnavailableError, 'after the time')
  t.equal(budget.refusals.rows, 2)
})

t.test('a share that began as a small one has the room that others have returned', async t => {
  const budget = new Budget({ maxBytes: 16 * mb, waitTimeout: 20 })
  const full = budget.open('a')
  full.claim('answers', 6 * mb)
  const share = budget.open('a')
  share.beginRead()
  t.equal(share.rowsLeft, 128 * kb)
  await t.rejects(share.roomForRows(200 * kb), UnavailableError)
  full.close()
  await share.roomForRows(200 * kb)
  t.equal(share.rowsLeft, 3 * mb, 'what it was promised arrives')
  t.ok(share.addRows(200 * kb))
})

t.test('waiters are served in their order, and leave with their client', async t => {
  const budget = new Budget({ maxBytes: 16 * mb, waitTimeout: 60_000 })
  const full = budget.open('full')
  full.claim('answers', 6 * mb)
  const [first, second, gone] = ['x', 'y', 'z'].map(name => budget.open(name))
  for (const share of [first!, second!, gone!]) {
    share.beginRead()
    share.addRows(mb)
  }
  const filler = budget.open('filler')
  filler.claim('answers', 3 * mb)
  const order: string[] = []
  for (const [name, share] of Object.entries({ first, second })) {
    t.notOk(share!.addRows(mb))
    void share!.roomForRows(mb).then(() => order.push(name))
  }
  t.notOk(gone!.addRows(mb))
  const left = gone!.roomForRows(mb)
  gone!.close()
  await t.rejects(left, /no longer waits/)
  t.strictSame(order, [], 'what it held is not enough')
  filler.remove('answers', 2 * mb)
  await new Promise(setImmediate)
  t.strictSame(order, ['first'])
  filler.close()
  await new Promise(setImmediate)
  t.strictSame(order, ['first', 'second'])
})

t.test('a share that is closed while it reads returns its claim once', async t => {
  const budget = new Budget({ maxBytes: 16 * mb })
  for (const bytes of [0, 10 * kb, 2 * mb]) {
    const share = budget.open('a')
    share.beginRead()
    share.beginRead()
    t.ok(share.addRows(bytes))
    share.close()
    t.equal(budget.bytes, 0)
    share.removeRows(bytes)
    share.endRead()
    t.notOk(share.answer(bytes))
    share.endRead()
    share.beginRead()
    share.endRead()
    share.moveTo('b')
    share.close()
    t.strictSame({ ...budget.claimed, ...budget.held }, { large: 0, small: 0, ...zeros() })
  }
})

t.test('a share moves to the caller that asks', async t => {
  const budget = new Budget({ maxBytes: 16 * mb })
  const share = budget.open('10.0.0.1')
  share.claim('bodies', 6 * mb)
  t.throws(() => budget.open('10.0.0.1').claim('bodies', mb))
  share.moveTo('user 1')
  t.doesNotThrow(() => budget.open('10.0.0.1').claim('bodies', mb))
  t.throws(() => budget.open('user 1').claim('bodies', mb))
})

t.test('a share that waits is counted for the caller to whom it moves', async t => {
  const budget = new Budget({ maxBytes: 16 * mb, waitTimeout: 60_000 })
  const share = budget.open('user 1')
  share.claim('answers', mb)
  budget.open('user 1').claim('answers', 5 * mb)
  budget.open('user 2').claim('answers', 5 * mb)
  const waiting = t.rejects(share.room('answers', 2 * mb), /no longer waits/)
  t.equal(budget.account('user 1').waiting, 1)
  share.moveTo('user 2')
  t.equal(budget.account('user 1').waiting, 0)
  t.equal(budget.account('user 2').waiting, 1)
  share.close()
  await waiting
  t.equal(budget.account('user 2').waiting, 0)
})

t.test('the size: a quarter of the smaller memory, or as config/server says', async t => {
  t.equal(usualBytes(512 * mb, 256 * mb), 64 * mb)
  t.equal(usualBytes(512 * mb, 1024 * mb), 128 * mb)
  t.equal(usualBytes(512 * mb, 0), 128 * mb, 'no container')
  t.equal(usualBytes(512 * mb, undefined), 128 * mb)
  t.equal(usualBytes(512 * mb, 18_446_744_073_709_552_000), 128 * mb, 'a container without a limit')
  t.equal(budgetOptions({ budget: { maxBytes: '128mb' } }).maxBytes, 128 * mb)
  t.equal(budgetOptions({ budget: { maxBytes: 3_000_000 } }).maxBytes, 3_000_000)
  t.equal(budgetOptions({ budget: { maxBytes: '1.5 MB' } }).maxBytes, 1.5 * mb)
  t.equal(budgetOptions({ budget: { maxBytes: '' } }).maxBytes, usualBytes())
  for (const budget of [
    5,
    [],
    { maxByte: 1 },
    { maxBytes: '12 cats' },
    { maxBytes: 1000 },
    { maxBytes: -1 },
    { maxBytes: 1.5 },
    { maxBytes: '0kb' },
    { maxBytes: ' 128mb' },
  ])
    t.throws(() => budgetOptions({ budget }), { code: 'PLINTH_CONFIG_INVALID' }, JSON.stringify(budget))
})
