// What happens after the files are written: npm installs the packages, and plinth doctor reports on a project of v4. npm is
// played by a program that links the packages of the workspace.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { create, folderFor, withNpm } from './fixtures/project.ts'
import { inJavaScript } from './fixtures/v4-projects.ts'

/** A folder with a project of v4 in `old`, of which some files are others. */
async function withProject(t: Test, others: Readonly<Record<string, string>> = {}): Promise<string> {
  const parent = await folderFor(t)
  for (const [path, text] of Object.entries({ ...inJavaScript, ...others })) {
    await mkdir(join(parent, 'old', dirname(path)), { recursive: true })
    await writeFile(join(parent, 'old', path), text)
  }
  return parent
}

const words = ['new', '--from-v4', 'old']

t.test('a new application is installed, and nothing inspects it', async t => {
  const parent = await folderFor(t)
  const made = await create(['new', '--yes'], parent, await withNpm(t))
  t.equal(made.code, 0, made.err)
  t.ok((await stat(join(parent, 'new/node_modules/@plinth/kernel'))).isDirectory())
  const names = await readdir(join(parent, 'new/node_modules/@plinth'))
  t.same(
    names.filter(name => ['studio', 'content-type-builder', 'slugs'].includes(name)),
    [],
    'the studio is installed where it is chosen',
  )
  t.notMatch(made.out, /doctor|Not taken along/)
  t.notMatch(made.out, /npm install/, 'which is done')
})

t.test('plinth doctor reports on an application of v4', async t => {
  const parent = await withProject(t)
  const { code, out, err } = await create(words, parent, await withNpm(t))
  t.equal(code, 0, err)
  const places = ['Not taken along', 'What plinth doctor finds in', '/api/books', 'The database is sqlite', '  cd new']
  const found = places.map(text => out.indexOf(text))
  t.same(
    [...found].sort((a, b) => a - b),
    found,
    'one after the other',
  )
  t.ok(found[0]! > -1, out)
  t.match(out, /\/api\/books +api::book\.book/)
  t.match(out, join(parent, 'new/.tmp/data.db'), 'the database of the new application')
})

t.test('without an installation nothing is inspected', async t => {
  const { code, out } = await create([...words, '--no-install'], await withProject(t), await withNpm(t, 3))
  t.equal(code, 0)
  t.notMatch(out, /What plinth doctor finds/)
  t.match(out, /^ {2}npm install$/m)
})

t.test('plinth doctor fails', async t => {
  const parent = await withProject(t, { 'src/api/book/content-types/book/schema.json': '{ "kind": "collectonType" }' })
  const { code, out, err } = await create(words, parent, await withNpm(t))
  t.equal(code, 1)
  t.match(out, 'What stops a start')
  t.match(out, /src\/api\/book\/content-types\/book\/schema\.json: kind: must be one of/, 'it says what is wrong')
  t.match(err, 'plinth doctor failed with exit code 1. The files are in new: mend what it names')
  t.match(out, 'Not taken along')
  t.match(await readFile(join(parent, 'new/package.json'), 'utf8'), /"name": "new"/, 'the files stay')
})

t.test('npm fails', async t => {
  const parent = await withProject(t)
  const { code, out, err } = await create(words, parent, await withNpm(t, 3))
  t.equal(code, 1)
  t.match(err, /npm install failed with exit code 3\. The files are in new: run npm install there again/)
  t.match(out, 'Not taken along', 'which nobody says again')
  t.notMatch(out, /What plinth doctor finds/)
  t.match(await readFile(join(parent, 'new/package.json'), 'utf8'), /"name": "new"/, 'the files stay')
})

t.test('a signal while npm runs ends both', async t => {
  const parent = await folderFor(t)
  const program = `#!${process.execPath}\nconsole.log('npm', process.pid)\nsetInterval(() => {}, 1000)\n`
  await writeFile(join(parent, 'npm'), program, { mode: 0o755 })
  const PATH = `${parent}${delimiter}${process.env.PATH}`
  const child = spawn(process.execPath, [join(import.meta.dirname, '../src/bin.ts'), 'new', '--yes'], {
    cwd: parent,
    env: { ...process.env, PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  const [out, err]: [string[], string[]] = [[], []]
  child.stderr.on('data', chunk => err.push(String(chunk)))
  const pid = new Promise<number>(resolve => {
    child.stdout.on('data', chunk => {
      out.push(String(chunk))
      const [, number] = /npm (\d+)/.exec(out.join('')) ?? []
      if (number !== undefined) resolve(Number(number))
    })
  })
  const npm = await pid
  child.kill('SIGTERM')
  t.same(await once(child, 'close'), [1, null])
  t.match(err.join(''), /create-plinth: interrupted by SIGTERM while npm ran in .*new/)
  t.throws(() => process.kill(npm, 0), { code: 'ESRCH' }, 'npm has ended too')
})

t.test('there is no npm', async t => {
  const parent = await folderFor(t)
  const made = await create(['new', '--yes'], parent, { PATH: parent })
  t.match(made, { code: 1, err: /^create-plinth: npm cannot be run: .*ENOENT/ })
})
