/**
 * Law: a write can be followed by reading a few files. The creation of an entry passes at most 24 files of `write/`, and
 * control returns to its first page, `writer.ts`, at most twice. `node passed-files.ts` prints them.
 */

import { createKernel } from '@plinth/kernel'
import t from 'tap'
import { fresh } from '../boot.ts'
import { contentTypes, passageOfCreation } from '../passed-files.ts'

t.test('the files of a creation', async t => {
  const { config } = await fresh(t)
  const kernel = await createKernel({ contentTypes, database: config })
  t.teardown(() => kernel.close())
  const { files, calls } = await passageOfCreation(kernel)
  t.ok(files.includes('writer.ts') && files.includes('input.ts'), 'files are counted')
  t.ok(files.length <= 24, `${files.length} files: ${files.join(', ')}`)
  t.ok(calls.length > 0, 'calls are counted')
  t.ok(calls.length <= 2, `${calls.length} calls: ${calls.join(', ')}`)
})
