/** docs/deployment.md says what is there: the variables that the packages read, and commands that exist. */

import { execFile } from 'node:child_process'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)
const document = await readFile(join(root, 'docs/deployment.md'), 'utf8')

/** Variables of other programs, and the one that the document mentions elsewhere. */
const others = new Set(['ENV_PATH', 'NO_COLOR', 'NODE_OPTIONS', 'XDG_CONFIG_HOME'])

t.test('the table of variables has those that the packages read', async t => {
  const read = new Set<string>()
  for await (const path of glob('packages/*/src/**/*.ts', {
    cwd: root,
    exclude: path => /test(?:ing|-tools)$/.test(path),
  })) {
    const text = await readFile(join(root, path), 'utf8')
    const direct = [
      ...text.matchAll(/\benv\.([A-Z][A-Z_]+)\b/g),
      ...text.matchAll(/variable(?: =|:) '([A-Z_]+)'|(?:variable|flag)\('([A-Z_]+)'\)/g),
    ]
    for (const [, name, called] of direct) read.add((name ?? called)!)
  }
  const table = /## Environment\n([\s\S]*?)\n### /.exec(document)![1]!
  const cells = [...table.matchAll(/^\| ((?:`[A-Z_]+`(?:, )?)+)/gm)].flatMap(([, names]) => [
    ...names!.matchAll(/`([A-Z_]+)`/g),
  ])
  const listed = cells.map(([, name]) => name!)
  // HOST and PORT are read by names that are computed.
  const expected = [...read, 'HOST', 'PORT'].filter(name => !others.has(name) && !/^(?:TEST|PLINTH|AWS)_/.test(name))
  t.same([...listed].sort(), [...new Set(expected)].sort())
})

t.test('its commands exist, with these options', async t => {
  const found = [...document.matchAll(/plinth ((?:[a-z]+ ?)+(?:--[a-z]+)?)/g)].map(([, words]) => words!.trim())
  const bin = join(root, 'packages/cli/src/bin.ts')
  const migrate = ['migrate plan', 'migrate apply', 'migrate status']
  const builtIn = new Set(['start', ...migrate, 'advise', 'doctor', 'console'])
  const commands = [...new Set(found.map(words => [...builtIn].find(one => words.startsWith(one)) ?? words))]
  t.ok(commands.length >= 6)
  for (const words of commands.filter(one => builtIn.has(one)))
    t.match((await run(process.execPath, [bin, ...words.split(' '), '--help'])).stdout, /USAGE/i, words)
  t.same(
    commands.filter(one => !builtIn.has(one)),
    ['token create'],
    'and one of a plugin',
  )
  t.match((await run(process.execPath, [bin, 'start', '--help'])).stdout, '--processes')
})
