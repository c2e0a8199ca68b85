// A condition and the transactions of its write: what is rolled back is checked again.

import { type Context, systemAccess, type Transaction, type Write } from '@plinth/kernel'
import t from 'tap'
import { addCondition, Condition, conditionOf } from '../src/condition.ts'

const write = (id: number | null, uid = 'api::note.note') => ({ type: { uid }, id }) as Write

/** A transaction of which nothing runs but what it calls at its end. */
function transaction() {
  const ends: (() => void)[] = []
  const commits: ((items: readonly never[]) => unknown)[] = []
  const tx = {
    afterEnd: (fn: () => void) => void ends.push(fn),
    afterCommit: (fn: () => unknown) => void commits.push(fn),
  } as unknown as Transaction
  const rollBack = () => {
    for (const fn of ends) fn()
  }
  const commit = () => {
    rollBack()
    for (const fn of commits) fn([])
  }
  return { tx, rollBack, commit }
}

t.test('a condition is held by its write until the transaction is rolled back', async t => {
  const condition = new Condition({ uid: 'api::note.note', id: 1 }, ['a'])
  const own = write(1)
  const first = transaction()
  condition.hold(own, first.tx, 'a')
  t.ok(condition.isHeldBy(own))
  t.notOk(condition.isHeldBy(write(1)))
  first.rollBack()
  t.notOk(condition.isHeld, 'the write runs again, and is checked again')
  const second = transaction()
  condition.hold(own, second.tx, 'a')
  second.commit()
  t.ok(condition.isHeldBy(own), 'what hooks write after COMMIT is not checked')
})

t.test('the entry that it is about', async t => {
  const one = new Condition({ uid: 'api::note.note', id: 1 }, ['a'])
  t.ok(one.isAbout(write(1)))
  t.notOk(one.isAbout(write(2)))
  t.notOk(one.isAbout(write(null)))
  t.notOk(one.isAbout(write(1, 'api::other.other')))
  const single = new Condition({ uid: 'api::note.note', id: null }, '*')
  t.ok(single.isAbout(write(2)))
  t.ok(single.isAbout(write(null)))
  t.ok(single.allows('any'))
  t.notOk(one.allows('b'))
})

t.test('a context without a condition', async t => {
  const context: Context = { access: systemAccess, state: {} }
  t.equal(conditionOf(context), null)
  const condition = new Condition({ uid: 'api::note.note', id: 1 }, ['a'])
  addCondition(context, condition)
  t.equal(conditionOf({ ...context }), condition)
  t.equal(conditionOf({ ...context, state: { 'entry-versions': 'x' } }), null)
})
