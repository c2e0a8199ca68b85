/** Law: the kernel knows no plugin, not even by name. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'

const kernel = join(import.meta.dirname, '../../packages/kernel')
/** What `grep -wiE` finds. */
const words = /(?<!\w)(?:locale|publicationState|jwt|graphql)(?!\w)/i

t.test('no word of a plugin stands in the kernel, its tests included', async t => {
  t.match('a Locale', words)
  t.notMatch('locales, toLocaleString', words)
  const files = (await readdir(join(kernel, 'src'), { recursive: true, withFileTypes: true })).filter(entry =>
    entry.isFile(),
  )
  t.ok(files.length > 10, 'there is a kernel to look at')
  for (const { parentPath, name } of files) {
    const text = await readFile(join(parentPath, name), 'utf8')
    const found = text.split('\n').flatMap((line, i) => (words.test(line) ? [`${name}:${i + 1}: ${line.trim()}`] : []))
    t.same(found, [], name)
  }
})

t.test('nor does it depend on one', async t => {
  const { dependencies = {}, peerDependencies = {} } = JSON.parse(await readFile(join(kernel, 'package.json'), 'utf8'))
  const names = Object.keys({ ...dependencies, ...peerDependencies })
  t.same(
    names.filter(name => name.startsWith('@plinth/') || name.startsWith('plinth-plugin-')),
    [],
  )
})
