// A process that runs several test files: each is a subtest of its own, and what it leaves behind is a failure.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { databases } from '../src/databases.ts'
import { type Failure, runGroup } from '../src/run/group-process.ts'
import { databasesOf } from '../src/servers.ts'

async function run(t: Test, files: readonly string[], timeout = 60_000) {
  const folder = join(import.meta.dirname, 'fixtures/files')
  const temporary = t.testdir({})
  const reported: Failure[] = []
  const result = await runGroup({
    group: { client: null, files: files.map(name => `${name}.test.ts`), isAlone: false, isLong: false },
    folder,
    temporary,
    timeout,
    standIns: {},
    env: process.env,
    output: join(temporary, 'output'),
    onFailure: failure => void reported.push(failure),
  })
  t.strictSame(reported, result.failures, 'failures are reported at once')
  return { ...result, tap: await readFile(join(temporary, 'output.tap'), 'utf8') }
}

t.test('files are subtests, and find the environment as it was', async t => {
  const { passed, failures, files, tap } = await run(t, ['passing', 'following'])
  t.strictSame(failures, [])
  t.equal(passed, 3, 'checks are counted, summaries are not')
  t.match(tap, /^# Subtest: passing\.test\.ts$/m)
  t.match(tap, /^ok 2 - following\.test\.ts/m)
  t.strictSame(
    files.map(one => one.file),
    ['passing.test.ts', 'following.test.ts'],
  )
  t.ok(files.every(({ cost }) => cost.wall > 0 && cost.processor > 0 && cost.processes === 0))
})

t.test('a failure names its tests, its file and its line', async t => {
  const { passed, failures } = await run(t, ['failing', 'following'])
  t.equal(passed, 2, 'what follows runs')
  t.match(failures, [
    {
      file: 'failing.test.ts',
      client: null,
      path: ['failing.test.ts', 'outer', 'inner', 'one is two'],
      at: 'failing.test.ts:7',
      detail: /-2\n\+1/,
    },
  ])
  t.equal(failures.length, 1, 'the tests around it are not failures of their own')
})

t.test('an error that nothing catches is a failure of the test that runs, and what follows runs', async t => {
  const { passed, failures } = await run(t, ['throwing', 'following'])
  t.strictSame(
    failures.map(one => [one.file, ...one.path.slice(1)].slice(0, -1).join(' › ')),
    ['throwing.test.ts › throws', 'throwing.test.ts › rejects › within a test'],
  )
  t.match(failures, [{ path: [/./, /./, 'from a timer'] }, { path: [/./, /./, /./, 'from a promise'] }])
  t.equal(passed, 2)
})

t.test('a file that leaves something behind fails, and the next one does not', async t => {
  const { failures } = await run(t, ['leaving', 'following'])
  t.equal(failures.length, 1)
  t.equal(failures[0]!.file, 'leaving.test.ts')
  t.match(failures[0], { detail: /left\.txt.*the process \d+: .*setTimeout/s })
})

t.test('the databases that a program leaves on servers are failures of its file, and are dropped', async t => {
  const servers = (await databases()).filter(client => client !== 'sqlite')
  const { failures } = await run(t, ['abandoning', 'following'])
  t.equal(failures.length, servers.length === 0 ? 0 : 1)
  const [{ detail } = { detail: '' }] = failures
  const names = detail.match(/(?<=the database )plinth_test_\w+/g) ?? []
  t.equal(names.length, servers.length, detail)
  const [, , host] = names[0]?.split('_') ?? []
  for (const client of servers) t.strictSame((await databasesOf(client, host)).length, 0, client)
})

t.test('a file that ends the process fails, with those that did not run', async t => {
  const { failures, tap } = await run(t, ['passing', 'ending', 'following'])
  const last = failures.at(-1)
  t.match(last, { file: 'ending.test.ts', detail: /its last words/ })
  t.match(last!.path.join(': '), /the process ended with \d; not run: following\.test\.ts$/)
  t.match(tap, /^not ok 1 - ending\.test\.ts: the process ended with \d/m)
})

t.test('a file whose time is over fails', async t => {
  const { failures } = await run(t, ['slow', 'following'], 500)
  t.match(failures[0], { file: 'slow.test.ts', path: ['slow.test.ts'] })
  t.ok(
    failures.every(one => one.file === 'slow.test.ts'),
    'and the next one does not',
  )
})
