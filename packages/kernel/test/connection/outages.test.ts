// What keeps a database from answering is logged once, then once a minute with the number of refused requests, and once
// when it is over (security.md F3). Errors of one statement or one entry are no such state.

import t from 'tap'
import { type DriverErrors, note } from '../../src/connection/meaning.ts'
import { Outages } from '../../src/connection/outages.ts'
import { awayError, takenError } from '../../src/connection/state.ts'
import { unavailable } from '../../src/connection/unavailable.ts'
import { InsufficientStorageError, UnavailableError } from '../../src/index.ts'
import { mysqlErrors, postgresErrors } from '../fixtures/driver-errors.ts'

const second = 1000
const minute = 60 * second

/** Outages with a clock and a database of the test. */
function stage() {
  const lines: string[] = []
  const state = { now: Date.UTC(2026, 0, 1), isAway: true, checks: 0 }
  const outages = new Outages({
    place: 'the database "x" at h:1',
    log: { error: text => void lines.push(`error ${text}`), warn: text => void lines.push(`warn ${text}`) },
    now: () => state.now,
    check: async () => {
      state.checks++
      if (state.isAway) throw outages.note(refused())
    },
  })
  outages.start()
  /** Lets time pass, a second at a time, as the timer does. */
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += second) {
      state.now += second
      outages.tick()
      await new Promise(setImmediate)
    }
  }
  return { lines, state, outages, pass }
}

const refused = () =>
  awayError(
    'The database cannot be reached',
    Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
  )

function errorOf(errors: DriverErrors, error: object): UnavailableError {
  note(error, errors)
  return unavailable(error)!
}

const readOnly = () => errorOf(postgresErrors, Object.assign(new Error('SQL - in a read-only one'), { code: '25006' }))

t.test('a server that is away for two minutes and a half', async t => {
  const { lines, state, outages, pass } = stage()
  t.teardown(() => outages.close())
  for (let i = 0; i < 1000; i++)
    outages.note(i % 2 === 0 ? refused() : awayError('The connection to the database was lost'))
  t.same(lines, [
    'error The database cannot be reached: the database "x" at h:1, since 2026-01-01T00:00:00.000Z (ECONNREFUSED: connect ECONNREFUSED). Requests that need it are refused; this is logged once a minute',
  ])
  for (let i = 0; i < 500; i++) outages.refuse(refused())
  outages.refuse(new UnavailableError('No database connection is free'))
  await pass(minute)
  outages.refuse(new Error('wrapped', { cause: refused() }))
  await pass(1.5 * minute)
  t.equal(lines.length, 3)
  t.match(lines[1], /^error The database cannot be reached: .*: 501 requests refused in the last minute, 501 in all$/)
  t.match(lines[2], /: 1 requests refused in the last minute, 502 in all$/)
  t.equal(state.checks, 150, 'it is asked once a second')
  state.isAway = false
  await pass(2 * second)
  t.equal(lines.length, 4)
  t.match(
    lines[3],
    /^warn The database answers again: .* from 2026-01-01T00:00:00.000Z to 2026-01-01T00:02:30.000Z; 502 req/,
  )
  await pass(minute)
  t.equal(lines.length, 4, 'and nothing more')
  t.equal(state.checks, 151, 'nor is it asked')
})

t.test('errors that come and go belong to one state', async t => {
  const { lines, state, outages, pass } = stage()
  t.teardown(() => outages.close())
  state.isAway = false
  for (let i = 0; i < 10; i++) {
    outages.note(refused())
    state.now += 500
    outages.answered(false)
  }
  t.equal(lines.length, 1)
  await pass(2 * second)
  t.equal(lines.length, 2)
  outages.note(refused())
  t.equal(lines.length, 3, 'a new one')
})

t.test('an error that reaches the log when its state is over begins no other', async t => {
  const { lines, state, outages, pass } = stage()
  t.teardown(() => outages.close())
  state.isAway = false
  const error = outages.note(refused())
  await pass(2 * second)
  t.equal(lines.length, 2)
  outages.refuse(error)
  t.equal(outages.isLogged(new Error('wrapped', { cause: error })), true, 'it has been logged')
  t.equal(lines.length, 2)
  outages.note(refused())
  t.equal(lines.length, 3, 'another error begins a new state')
})

t.test('a database that refuses writes is asked by writes', async t => {
  const { lines, state, outages, pass } = stage()
  t.teardown(() => outages.close())
  state.isAway = false
  outages.note(readOnly())
  t.match(lines, [/^error The database is read-only: .*\(25006: in a read-only one\)\./], 'without the statement')
  t.equal(outages.isOfWrites, true)
  await pass(10 * second)
  outages.answered(false)
  t.equal(lines.length, 1, 'reads work all the time')
  outages.answered(true)
  t.match(lines[1], /^warn The database answers again/)
  t.equal(outages.isOfWrites, false)
  outages.note(new InsufficientStorageError())
  t.equal(lines.length, 2, 'an error of an application')
  outages.note(errorOf(mysqlErrors, { errno: 1114 }))
  t.match(lines[2], /no space left/)
  await pass(minute)
  t.match(lines[3], /^warn The database answers again/, 'nobody has met it for a minute')
})

t.test('states of their own; errors of one statement or entry are none', async t => {
  const { lines, outages } = stage()
  t.teardown(() => outages.close())
  const statement = [
    errorOf(postgresErrors, { code: '57014' }),
    errorOf(postgresErrors, { code: '55P03' }),
    errorOf(mysqlErrors, { errno: 1969 }),
    errorOf(mysqlErrors, { errno: 1205 }),
    new UnavailableError('Mine'),
    new Error('other'),
    null,
  ]
  for (const error of statement) {
    outages.note(error)
    outages.refuse(error)
    t.equal(outages.isLogged(error), false)
  }
  t.same(lines, [])
  const errors = [
    refused(),
    takenError(),
    readOnly(),
    errorOf(mysqlErrors, { errno: 1047 }),
    errorOf(mysqlErrors, { errno: 1203 }),
  ]
  for (const error of errors) for (let i = 0; i < 3; i++) outages.note(error)
  t.equal(lines.length, errors.length)
  for (const error of errors) t.equal(outages.isLogged(new Error('x', { cause: error })), true)
})

t.test('nothing is logged before the start and after the end', async t => {
  const { lines, outages } = stage()
  await outages.close()
  outages.note(refused())
  t.equal(outages.isLogged(refused()), false)
  t.same(lines, [])
})
