// A process that is killed while it stores a file: what it leaves is what `remove` cleans, in another process.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Operation } from '@plinth/test-tools/s3'
import t from 'tap'
import { file, MiB, never, storage } from './fixtures/storage.ts'

const size = 17 * MiB

/** The requests at which it is killed, and the size of the file. */
const steps: readonly [Operation, number, number][] = [
  ['PutObject', 1, 100],
  ['CreateMultipartUpload', 1, size],
  ['UploadPart', 1, size],
  ['UploadPart', 4, size],
  ['CompleteMultipartUpload', 1, size],
]

for (const [operation, nth, bytes] of steps)
  for (const fault of ['stall', 'late'] as const) {
    const what = fault === 'stall' ? 'is sent' : 'was done'
    t.test(`killed when ${operation} ${nth} ${what}`, async t => {
      const { s3, provider } = await storage(t)
      await provider.store(file('ab', 10), never)
      s3.faults.add(operation, fault, { nth })
      const before = s3.faults.count(operation)
      const args = [join(import.meta.dirname, 'fixtures/killed.ts'), JSON.stringify(s3.options), String(bytes)]
      const child = spawn(process.execPath, args, { stdio: 'inherit' })
      const ended = once(child, 'exit')
      await s3.faults.reached(operation, before + nth)
      await new Promise(resolve => setTimeout(resolve, fault === 'late' ? 200 : 20))
      child.kill('SIGKILL')
      t.same(await ended, [null, 'SIGKILL'], 'it had not ended')
      await provider.remove('a')
      t.same([s3.keys, s3.unfinished], [['ab'], []])
    })
  }
