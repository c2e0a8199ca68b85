/**
 * Law: until the first release, each package has at most one changeset, named after its folder, which describes the first
 * version to users. What changes before the release is described there, and not as a change.
 */

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'

const root = join(import.meta.dirname, '../..')
const folder = join(root, '.changeset')

interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
}

const manifestOf = async (name: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(root, 'packages', name, 'package.json'), 'utf8'))

const published = (await Promise.all((await readdir(join(root, 'packages'))).map(manifestOf))).filter(
  one => one.private !== true,
)
const isReleased = published.some(one => one.version !== '0.0.0')
const files = (await readdir(folder)).filter(name => name.endsWith('.md'))

t.test('each package has one changeset, for its first version', { skip: isReleased }, async t => {
  t.same(files.map(name => name.slice(0, -3)).sort(), published.map(({ name }) => name.replace('@plinth/', '')).sort())
  for (const file of files) {
    const text = await readFile(join(folder, file), 'utf8')
    const [, head, body] = /^---\n([\s\S]*?)---\n\n([\s\S]*)$/.exec(text) ?? []
    const { name } = await manifestOf(file.slice(0, -3))
    t.equal(head, `'${name}': minor\n`, `${file} names its package alone`)
    t.match(body, /^First version\. /, `${file} describes the first version`)
    t.notMatch(body, /\bno longer\b|\bany more\b|\bused to\b|\bnow\b|\bBefore,/, `${file} describes no change`)
  }
})
