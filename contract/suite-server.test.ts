/** The server of a suite has the settings that the header of the suite describes, and gets a port if others took its own. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@plinth/test-tools/free-port'
import t, { type Test } from 'tap'
import { replay } from './replayer.ts'
import { startFaults } from './report.ts'
import { startSuiteServer } from './suite-server.ts'

async function start(t: Test, config: object): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'plinth-suite-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  const suite = join(dir, 'suite.json')
  await writeFile(suite, JSON.stringify({ config, steps: [] }))
  const port = String(await freePort())
  const close = await startSuiteServer({
    ...{ HOST: '127.0.0.1', PORT: port, APP_DIR: join(import.meta.dirname, 'app') },
    ...{ DATABASE_FILENAME: join(dir, 'data.db'), UPLOADS_DIR: join(dir, 'uploads'), CONFORMANCE_SUITE: suite },
  })
  t.teardown(close)
  return `http://127.0.0.1:${port}`
}

async function uploadOf(base: string, size: number): Promise<number> {
  const body = new FormData()
  body.append('files', new Blob(['x'.repeat(size)]), 'a.txt')
  return (await fetch(`${base}/api/upload`, { method: 'POST', body })).status
}

async function pageSizes(base: string, query: string): Promise<number> {
  const answer = (await (await fetch(`${base}/api/tags?${query}`)).json()) as {
    meta: { pagination: { pageSize: number } }
  }
  return answer.meta.pagination.pageSize
}

t.test('the settings of a header', async t => {
  const base = await start(t, { upload: { sizeLimit: 2000 }, rest: { defaultLimit: 7, maxLimit: 9 } })
  t.same([await uploadOf(base, 2000), await uploadOf(base, 2001)], [200, 413])
  t.same([await pageSizes(base, ''), await pageSizes(base, 'pagination[pageSize]=50')], [7, 9])
})

t.test('the settings of a header without any', async t => {
  const base = await start(t, {})
  t.same([await uploadOf(base, 1_000_000), await uploadOf(base, 1_000_001)], [200, 413])
  t.same([await pageSizes(base, ''), await pageSizes(base, 'pagination[pageSize]=500')], [25, 100])
})

t.test('a port that another process has taken', async t => {
  const dir = await mkdtemp(join(tmpdir(), 'plinth-taken-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  const refuse = `mkdir ${dir}/refused 2>&1 && { echo "listen EADDRINUSE" >&2; exit 1; }`
  const start = `${refuse}; exec node serve.ts`
  const report = await replay({ isIncluded: name => name === 'private-fields', start })
  t.same(startFaults(report), [], 'the suite is replayed again')
  t.match(report.suites, [{ suite: 'private-fields', failed: 0, results: [{ passed: true }] }])
  const broken = await replay({ isIncluded: name => name === 'private-fields', start: 'echo "no such file"; exit 1' })
  t.match(startFaults(broken), [/^private-fields: .*no such file/s], 'any other fault is reported')
})
