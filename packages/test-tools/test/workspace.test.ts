// What `pnpm test` reads and prints around the tests of packages.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readCommandLine } from '../src/run/command-line.ts'
import { groupRuns } from '../src/run/groups.ts'
import { root } from '../src/run/reports.ts'
import { readTests } from '../src/run/settings.ts'
import { TurboOutput } from '../src/run/turbo-output.ts'

t.test('the command line', async t => {
  t.match(readCommandLine([]), { packages: [], isChangedOnly: false, isMeasured: false, databases: undefined })
  process.env.INIT_CWD = root
  const named = readCommandLine(['packages/rest', 'contract/laws', '--databases', 'sqlite'])
  t.match(named, { packages: ['packages/rest'], databases: 'sqlite' })
  t.strictSame([...named.files], [['contract', ['laws']]])
  t.throws(() => readCommandLine(['packages/rset']), /"packages\/rset" is not a package with tests; there are .*rest/)
  t.throws(() => readCommandLine(['packages/rest/none']), /"packages\/rest\/none" does not exist/)
  t.throws(() => readCommandLine(['--changed', 'packages/rest']), /none can be named/)
  const measured = readCommandLine(['--coverage'])
  t.ok(measured.packages.includes('packages/kernel') && !measured.packages.includes('contract'))
})

t.test('which files run, on which databases, in which processes', async t => {
  const folder = t.testdir({})
  mkdirSync(join(folder, 'test/fixtures'), { recursive: true })
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'fixtures/g'].map(name => `test/${name}.test.ts`)
  for (const name of names) writeFileSync(join(folder, name), '')
  const write = (settings: object) => writeFileSync(join(folder, 'tests.json'), JSON.stringify(settings))
  write({
    onServers: ['test/b.test.ts'],
    alone: { 'test/c.test.ts': 'a reason' },
    long: ['test/d.test.ts', 'test/e.test.ts', 'test/f.test.ts'],
  })
  const { runs } = readTests(folder, [], ['sqlite', 'postgres'])
  const shown = groupRuns(runs).map(({ files, client }) =>
    [client ?? 'own', ...files.map(name => name.at(-9))].join(' '),
  )
  t.strictSame(shown, ['own c', 'own d e', 'own f', 'own a b', 'postgres b'], 'files of one database share a process')
  const onMysql = readTests(folder, ['test/b.test.ts'], ['mysql']).runs
  t.match(onMysql, [{ file: 'test/b.test.ts', client: 'mysql' }])
  t.throws(() => readTests(folder, ['test/x.test.ts'], ['sqlite']), /"test\/x\.test\.ts" is not a test file/)
  write({ long: ['test/x.test.ts'] })
  t.throws(() => readTests(folder, [], ['sqlite']), /tests\.json names "test\/x\.test\.ts"/)
})

t.test('of the output of turbo, lines of tests at once, and those of other tasks if they fail', async t => {
  const printed: string[] = []
  const output = new TurboOutput(line => void printed.push(line))
  output.read('@plinth/rest:lint: > biome check .\n@plinth/rest:lint: a fault\n@plinth/rest:test: > run-tests\n')
  output.read('@plinth/rest:test: cache miss, executing 1\n@plinth/rest:test: FAILED a.test.ts:3\n@plinth/re')
  output.read(
    'st#lint:  ERROR  command exited (1)\n@plinth/i18n:test: cache hit, replaying logs 2\n@plinth/i18n:types: fine',
  )
  output.end()
  t.strictSame(printed, [
    'FAILED a.test.ts:3',
    '@plinth/rest: lint failed',
    '  a fault',
    '@plinth/i18n: not changed since its tests passed',
  ])
})
