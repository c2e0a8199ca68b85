// What the command refuses, its exit codes, and what it does without a terminal.

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { create, folderFor } from './fixtures/project.ts'

t.test('words that are wrong', async t => {
  const cwd = await folderFor(t)
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['a', '--databse', 'sqlite'], /unknown option --databse, did you mean --database\?/],
    [['a', '--databse=sqlite'], /unknown option --databse, did you mean --database\?/],
    [['a', '-x'], /unknown option -x; the options are .*--no-install/],
    [['a', '--no-instal'], /unknown option --no-instal, did you mean --no-install\?/],
    [['a', '--no-yes'], /unknown option --no-yes/],
    [['a', '--database', 'postgress'], /--database: unknown database postgress, did you mean postgres\?/],
    [['a', '--database', 'oracle'], /unknown database oracle; the databases are sqlite, postgres, mysql/],
    [['a', '--database', 'MYSQL'], /unknown database MYSQL, did you mean mysql\?/],
    [['a', '--language', 'JS'], /unknown language JS, did you mean js\?/],
    [['a', '--Database', 'mysql'], /unknown option --Database, did you mean --database\?/],
    [['a', '--database'], /--database needs a value/],
    [['a', '--database', '--yes'], /--database needs a value/],
    [['a', '--yes=no'], /--yes takes no value/],
    [['a', '--plugins', 'graphql,uplaod'], /unknown plugin uplaod, did you mean upload\?/],
    [['a', 'b', '--yes'], /"b" is one word too many/],
    [['a', '--language', 'ts'], /no terminal to ask at: add --database, --plugins, or --yes/],
    [[], /no terminal to ask at: add a folder, --language, --database, --plugins, or --yes/],
  ]
  for (const [words, message] of cases) {
    const { code, out, err } = await create(words, cwd)
    t.equal(code, 2, words.join(' '))
    t.match(err, message)
    t.equal(out, '')
  }
  t.same(await readdir(cwd), [], 'nothing was written')
})

t.test('folders', async t => {
  const cwd = await folderFor(t)
  await mkdir(join(cwd, 'full'))
  await writeFile(join(cwd, 'full/.keep'), 'mine')
  await writeFile(join(cwd, 'file'), 'mine')
  const full = await create(['full', '--yes', '--no-install'], cwd)
  t.match(full, { code: 1, err: /the folder full is not empty \(\.keep\)/ })
  t.same(await readdir(join(cwd, 'full')), ['.keep'])
  t.match(await create(['file', '--yes', '--no-install'], cwd), { code: 1, err: /file is a file/ })
  t.equal(await readFile(join(cwd, 'file'), 'utf8'), 'mine')
  const failed = await create(['new', '--yes', '--no-install', '--tarballs', 'nowhere'], cwd)
  t.match(failed, { code: 1, err: /there is no folder nowhere/ })
  t.same(await readdir(join(cwd, 'new')), [], 'an attempt that failed leaves nothing behind')
  await mkdir(join(cwd, 'empty'))
  const here = await create(['.', '--yes', '--no-install'], join(cwd, 'empty'))
  t.equal(here.code, 0, here.err)
  t.notMatch(here.out, /\bcd /, 'one is there already')
  t.notMatch(here.out, /\u001b/, 'no colour without a terminal')
  t.match(await readFile(join(cwd, 'empty/package.json'), 'utf8'), /"name": "empty"/)
})

t.test('help and version', async t => {
  const cwd = await folderFor(t)
  const help = await create(['--help'], cwd)
  t.match(help, { code: 0, out: /EXAMPLES/ })
  t.notMatch(help.out, /\u001b/)
  t.match(await create(['--version'], cwd), { code: 0, out: /^\d+\.\d+\.\d+/ })
})
