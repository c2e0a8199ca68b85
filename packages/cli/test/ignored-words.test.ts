// Words behind a command that it would ignore, and values of options.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { application } from './application.ts'
import { plinth } from './plinth.ts'

t.test('words that a command does not take', async t => {
  const app = await application(t, { 'config/plugins.json': JSON.stringify({ 'api-tokens': true }) })
  for (const [words, hint] of [
    [['doctor', '../another'], ', such as --dir ../another'],
    [['export', 'backup'], ', such as --file backup'],
    [['import', 'backup.tar.gz'], ', such as --file backup.tar.gz'],
    [['migrate', 'down', '2'], ''],
    [['routes', '--json', 'articles'], ''],
    [['token', 'list', 'site'], ''],
  ] as const) {
    const { code, out, err } = await plinth(words, app.env, app.dir)
    const command = words.slice(0, words[0] === 'migrate' || words[0] === 'token' ? 2 : 1).join(' ')
    t.match({ code, out }, { code: 2, out: '' }, words.join(' '))
    t.equal(err, `plinth: "${words.at(-1)}" is too much: \`plinth ${command}\` takes options only${hint}\n`)
  }
  t.same(await readdir(app.dir), ['config', 'src'], 'nothing was done')
})

t.test('values of options', async t => {
  const app = await application(t)
  const run = (...words: string[]) => plinth([...words, '--dir', app.dir], app.env)
  t.match(await run('console', '--eval=-1'), { code: 0, out: '-1\n' })
  t.match(await run('console', '--eval', '-1'), { code: 2, err: /--eval needs a value, which is written --eval=-1 if/ })
  t.match(await run('console', '--eval='), { code: 2, err: /--eval needs a value\n/ })
  t.match(await run('content-types', '--json=yes'), { code: 2, err: /--json takes no value/ })
  t.match(await plinth(['routes', '--dir'], app.env, app.dir), { code: 2, err: /--dir needs a value\n/ })
  t.match(await plinth(['content-types', '--dir', join(app.dir, 'src')], app.env), { code: 1, err: /no application/ })
})
