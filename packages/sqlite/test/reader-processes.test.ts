// Reader processes that cannot start or open the file: reads that wait are refused, and the server goes on.

import { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { UnavailableError } from '@plinth/kernel'
import { temporary, thrown } from '@plinth/test-tools/fixtures'
import BetterSqlite3 from 'better-sqlite3'
import t, { type Test } from 'tap'
import { ReaderProcesses } from '../src/processes.ts'

const endless = 'WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < 1e12) SELECT MAX(i) FROM k'

/** The processes of a file. */
function processesOf(t: Test, filename: string, statementTimeout = 500): ReaderProcesses {
  const times = { acquireTimeout: 20_000, statementTimeout }
  const processes = new ReaderProcesses({ filename, synchronous: 'normal', consistentReads: true, ...times })
  t.teardown(() => processes.close())
  return processes
}

t.test('reads that wait are refused if no process can be started', async t => {
  const filename = join(await temporary(t), 'data.db')
  new BetterSqlite3(filename).close()
  const processes = processesOf(t, filename)
  const ask = () => thrown(t, () => processes.use(process => process.all(endless, [])))
  const asked = [ask(), ask()]
  await sleep(50)
  // They wait for the end of one of the two that run.
  asked.push(ask(), ask())
  const { spawn } = ChildProcess.prototype as unknown as { spawn(): void }
  t.teardown(() => Object.assign(ChildProcess.prototype, { spawn }))
  const spawnNone = () => {
    throw Object.assign(new Error('spawn ENOMEM'), { code: 'ENOMEM' })
  }
  Object.assign(ChildProcess.prototype, { spawn: spawnNone })
  const began = performance.now()
  for (const error of await Promise.all(asked)) t.type(error, UnavailableError)
  t.ok(performance.now() - began < 15_000, 'every read is answered')
  t.match(await ask(), { status: 503, message: 'The system cannot start a process for a long read' })
})

t.test('a process opens the file again after it could not be opened', async t => {
  const filename = join(await temporary(t), 'data.db')
  const processes = processesOf(t, filename, 15_000)
  const ask = () => processes.use(process => process.all('SELECT 1', []))
  for (let i = 0; i < 3; i++)
    t.match(await thrown(t, ask), { status: 503, message: 'The database file cannot be used' })
  new BetterSqlite3(filename).close()
  t.match(await ask(), { rows: [[1]] })
})
