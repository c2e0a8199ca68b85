// How writes are committed: the mode, what the statement returns, and the options of the transaction, reason by reason.

import t from 'tap'
import { type CommitFacts, commitMode, planCommit } from '../../src/write/commit-plan.ts'
import type { OpenWrite } from '../../src/write/open-write.ts'
import type { Input } from '../../src/write/parse.ts'

const listener = async () => {}

/** A write of a type without hooks and rules. */
function writeOf(action: 'create' | 'update', more: object = {}, hooks: object = {}): OpenWrite {
  return {
    action,
    id: action === 'create' ? null : 7,
    type: { table: 'articles' },
    context: { limits: {} },
    hooks: {
      preWrite: null,
      onLock: null,
      onWrite: null,
      onCommit: null,
      isWatched: false,
      mayAnswer: false,
      ...hooks,
    },
    rowVersion: null,
    lockedWith: [],
    target: null,
    result: null,
    links: [],
    serializable: false,
    tests: null,
    ...more,
  } as never
}

/** Input of scalars. */
function inputOf(entry: object = {}, more: object = {}): Input {
  return { entry: { relations: [], components: [], ...entry }, uniques: [], ...more } as never
}

/** The query of an answer that the returned row is, for a caller. */
function factsOf(more: object = {}, compiled: object = {}, internal = false): CommitFacts {
  const prepared = { parsed: { query: { internal } }, compiled: { returning: '"id"', isBroad: false, ...compiled } }
  const returns = { insert: true, update: true }
  return { prepared, hasListeners: false, isObserved: false, returns, ...more } as never
}

t.test('an update of a row alone is one statement', async t => {
  t.equal(commitMode(writeOf('update'), inputOf(), factsOf()), 'statement')
  t.equal(commitMode(writeOf('create'), inputOf(), factsOf()), 'group', 'a creation is not')
})

t.test('an update is a group of statements', async t => {
  const cases: Record<string, [OpenWrite, Input, CommitFacts]> = {
    'with relations': [writeOf('update'), inputOf({ relations: [{}] }), factsOf()],
    'with components': [writeOf('update'), inputOf({ components: [{}] }), factsOf()],
    'if hooks have read the entry': [writeOf('update', { rowVersion: '1' }), inputOf(), factsOf()],
    'if other entries are locked': [writeOf('update', { lockedWith: [listener] }), inputOf(), factsOf()],
    'if a rule restricts what may be changed': [writeOf('update', { target: {} }), inputOf(), factsOf()],
    'if a rule restricts what is stored': [writeOf('update', { result: {} }), inputOf(), factsOf()],
    'if a rule restricts links': [writeOf('update', { links: [{}] }), inputOf(), factsOf()],
    'with unique values': [writeOf('update'), inputOf({}, { uniques: [{}] }), factsOf()],
    'if the answer may be too large': [writeOf('update'), inputOf(), factsOf({}, { isBroad: true })],
  }
  for (const [name, args] of Object.entries(cases)) t.equal(commitMode(...args), 'group', name)
  const unlimited = writeOf('update', { context: {} })
  t.equal(commitMode(unlimited, inputOf(), factsOf({}, { isBroad: true }, true)), 'statement', 'code has no limit')
})

t.test('hooks and lifecycles in the transaction have one of their own', async t => {
  for (const action of ['create', 'update'] as const) {
    for (const hook of ['onLock', 'onWrite'])
      t.equal(commitMode(writeOf(action, {}, { [hook]: listener }), inputOf(), factsOf()), 'transaction', hook)
    t.equal(commitMode(writeOf(action, { tests: [listener] }), inputOf(), factsOf()), 'transaction')
    t.equal(commitMode(writeOf(action), inputOf(), factsOf({ hasListeners: true })), 'transaction')
    t.equal(planCommit(writeOf(action), inputOf(), factsOf({ hasListeners: true })).returning, null)
  }
})

t.test('the statement returns the answer', async t => {
  const returned = (...args: Parameters<typeof planCommit>) => planCommit(...args).returning
  t.equal(returned(writeOf('create'), inputOf({ relations: [{}] }), factsOf()), '"id"')
  t.equal(returned(writeOf('update'), inputOf(), factsOf()), '"id"')
  t.equal(returned(writeOf('update'), inputOf({ relations: [{}] }), factsOf()), null, 'not of an update with relations')
  t.equal(returned(writeOf('create', {}, { isWatched: true }), inputOf(), factsOf()), null, 'not if hooks read it')
  t.equal(returned(writeOf('create'), inputOf(), factsOf({}, { returning: null })), null, 'not with what is below it')
  const onlyInsert = factsOf({ returns: { insert: true, update: false } })
  t.equal(returned(writeOf('create'), inputOf(), onlyInsert), '"id"')
  t.equal(returned(writeOf('update'), inputOf(), onlyInsert), null, 'not if the database cannot')
})

t.test('a write that nobody hears is private', async t => {
  const isPrivate = (...args: Parameters<typeof planCommit>) => planCommit(...args).options.isPrivate
  t.equal(isPrivate(writeOf('create'), inputOf(), factsOf()), true)
  t.equal(isPrivate(writeOf('create'), inputOf(), factsOf({ isObserved: true })), false, 'onStatement hears it')
  t.equal(isPrivate(writeOf('create', {}, { onCommit: listener }), inputOf(), factsOf()), false, 'onCommit hears it')
  t.equal(isPrivate(writeOf('create', { result: {} }), inputOf(), factsOf()), false, 'a rule is tested')
  t.equal(
    isPrivate(writeOf('create', {}, { isWatched: true }), inputOf(), factsOf()),
    false,
    'a query reads the answer',
  )
})

t.test('an update takes its turn', async t => {
  const turnOf = (...args: Parameters<typeof planCommit>) => planCommit(...args).options.turn
  t.same(turnOf(writeOf('update'), inputOf(), factsOf()), { table: 'articles', id: 7, isShort: true })
  const grouped = turnOf(writeOf('update'), inputOf({ relations: [{}] }), factsOf())
  t.equal(grouped?.isShort, false, 'a transaction holds the lock of the row')
  const heard = writeOf('update', {}, { onCommit: listener })
  t.equal(turnOf(heard, inputOf(), factsOf())?.isShort, false, 'onCommit hooks run in the order of the changes')
  t.equal(commitMode(heard, inputOf(), factsOf()), 'statement')
  t.equal(turnOf(writeOf('create'), inputOf(), factsOf()), undefined)
  t.equal(planCommit(writeOf('create', { serializable: true }), inputOf(), factsOf()).options.serializable, true)
})
