/** Law: a source file has one subject, and is short enough to be read as a whole. */

import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'

const root = join(import.meta.dirname, '../..')

/**
 * A longer file has more than one subject. A file is split where a subject ends, and not where it reaches a number of
 * lines: about 250 are the aim, and a file with one subject may have more.
 */
const maxLines = 400

t.test('no source file has more than 400 lines', async t => {
  const long: string[] = []
  let count = 0
  for await (const file of glob('packages/*/src/**/*.{ts,tsx}', { cwd: root })) {
    const lines = (await readFile(join(root, file), 'utf8')).split('\n').length - 1
    if (lines > maxLines) long.push(`${file}: ${lines}`)
    count++
  }
  t.same(long, [])
  t.ok(count > 500, `${count} files`)
})
