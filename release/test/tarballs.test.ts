// `pnpm tarballs`: what it leaves in the folder, and that the documents have the command that it prints.

import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { publishedIn } from '../published.ts'
import { createCommand, packInto } from '../tarballs.ts'
import { folderFor, root, tarballOf } from './fixtures/packed.ts'
import { prepared } from './fixtures/prepared.ts'

const built = await prepared()
const prepare = async (dir: string) => {
  await cp(join(built.dir, 'tarballs'), join(dir, 'tarballs'), { recursive: true })
  return { report: '' }
}

t.test('the folder has a tarball of each package, and nothing else', async t => {
  const target = join(await folderFor(t), 'tarballs')
  await mkdir(target)
  await writeFile(join(target, 'plinth-rest-0.0.0-old.tgz'), 'of an earlier run')
  const files = await packInto(target, prepare)
  t.same(files, [...(await publishedIn(root)).values()].map(tarballOf).sort())
  t.same((await readdir(target)).sort(), files)
})

t.test('what does not compile leaves the former tarballs', async t => {
  const target = join(await folderFor(t), 'tarballs')
  await mkdir(target)
  await writeFile(join(target, 'former.tgz'), '')
  const fails = async () => ({ report: 'error TS1005' })
  await t.rejects(packInto(target, fails), /error TS1005/)
  t.same(await readdir(target), ['former.tgz'])
})

t.test('the documents have the command', async t => {
  const files = await readdir(join(built.dir, 'tarballs'))
  const command = createCommand('./tarballs', files, '')
  const [packages] = command.split(' create-plinth ')
  t.match(packages, /--package=\.\/tarballs\/create-plinth-\d/)
  for (const path of ['docs/newcomer.md', 'docs/start.md', 'packages/create-plinth/README.md']) {
    const text = await readFile(join(root, path), 'utf8')
    t.match(text, packages!, path)
    t.match(text, 'npx pnpm@10 tarballs', path)
  }
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  t.equal(scripts.tarballs, 'node release/tarballs.ts')
})
