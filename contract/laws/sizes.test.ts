/** Law: a source file is short enough to be read as a whole. */
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'

const root = join(import.meta.dirname, '../..')

/** More than this, and a file has two subjects. */
const maxLines = 300

t.test('no source file has more than 300 lines', async t => {
  const long: string[] = []
  let count = 0
  for await (const file of glob('packages/*/src/**/*.ts', { cwd: root })) {
    const lines = (await readFile(join(root, file), 'utf8')).split('\n').length - 1
    if (lines > maxLines) long.push(`${file}: ${lines}`)
    count++
  }
  t.same(long, [])
  t.ok(count > 500, `${count} files`)
})
