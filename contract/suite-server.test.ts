/** The server of a suite has the settings that the header of the suite describes. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@plinth/test-tools/free-port'
import t, { type Test } from 'tap'
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
