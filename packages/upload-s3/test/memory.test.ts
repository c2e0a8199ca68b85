// Memory does not grow with the size of a file, nor with the number of files.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import type { S3Options } from '../src/index.ts'
import { MiB, storage } from './fixtures/storage.ts'

const run = promisify(execFile)

/** By how many MiB storing files of these sizes raises the memory of a process that has stored some. */
async function grownBy(t: Test, sizes: readonly number[], more: S3Options = {}): Promise<number> {
  const { s3 } = await storage(t)
  const program = join(import.meta.dirname, 'fixtures/memory.ts')
  const args = ['--expose-gc', program, JSON.stringify({ ...s3.options, ...more }), JSON.stringify(sizes)]
  const { stdout } = await run(process.execPath, args)
  for (const [i, size] of sizes.entries()) t.equal(s3.object(`file-${i}`)?.size, size * MiB)
  return (JSON.parse(stdout) as { grown: number }).grown / MiB
}

t.test('one file of 200 MB', async t => {
  const grown = await grownBy(t, [200])
  t.ok(grown < 80, `${grown} MiB`)
})

t.test('50 files of 8 MB at once', async t => {
  // 400 MB in all. The 16 buffers of parts that are the default may be 80 MiB by themselves, and how many of them the
  // first files have needed depends on the speed of the machine; 4 leave the bound to what grows with the files.
  const grown = await grownBy(
    t,
    Array.from({ length: 50 }, () => 8),
    { parallelParts: 4 },
  )
  t.ok(grown < 80, `${grown} MiB`)
})
