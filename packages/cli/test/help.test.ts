// Usage texts, and the words of Strapi v4.

import { stripVTControlCharacters } from 'node:util'
import t, { type Test } from 'tap'
import { run } from '../src/index.ts'
import { application } from './application.ts'
import { plinth } from './plinth.ts'

interface Shown {
  readonly code: number
  readonly out: string
}

/** What a command prints, run in this process. */
async function shown(t: Test, ...words: string[]): Promise<Shown> {
  const captured = t.capture(console, 'log')
  try {
    const code = await run(words)
    return { code, out: `${captured.args().flat().join('\n')}\n` }
  } finally {
    captured.restore()
  }
}

/** The commands that a usage text lists. */
function listedIn(usage: string): string[] {
  const list = /^COMMANDS\n\n([\s\S]*?)\n\n/m.exec(stripVTControlCharacters(usage))?.[1] ?? ''
  return list.split('\n').flatMap(line => /^ *([a-z][\w-]*)/.exec(line)?.[1] ?? [])
}

t.test('every command has a usage text with examples', async t => {
  const plugins = { 'api-tokens': true }
  const app = await application(t, { 'config/plugins.json': JSON.stringify(plugins) })
  const before = process.cwd()
  t.teardown(() => process.chdir(before))
  process.chdir(app.dir)
  const found: string[] = []
  const check = async (...words: string[]): Promise<void> => {
    const { code, out } = await shown(t, ...words, '--help')
    t.equal(code, 0)
    t.match(out, `\nUSAGE ${['plinth', ...words].join(' ')} `, 'as it is written')
    if (words.length > 0) t.match(out, `EXAMPLES\n\n  plinth ${words.join(' ')}`, words.join(' '))
    found.push(words.join(' '))
    for (const word of listedIn(out)) await check(...words, word)
  }
  await check()
  t.ok(found.length >= 23, found.join(', '))
  for (const command of ['dev', 'import', 'generate plugin', 'migrate down', 'token revoke'])
    t.ok(found.includes(command), `${command} is listed by the usage text above it`)

  for (const words of [['migrate', 'plan'], ['token']]) {
    const [help, option] = await Promise.all([
      plinth(['help', ...words], {}, app.dir),
      plinth([...words, '--help'], {}, app.dir),
    ])
    t.match(help, { code: 0, out: /EXAMPLES/, err: '' })
    t.notMatch(help.out, '\x1b', 'without colours')
    t.same(option, help)
  }
  for (const words of [['help'], ['--help'], []])
    t.match(await plinth(words, {}, app.dir), {
      code: 0,
      out: /token +API tokens[\s\S]*1 for a failure, 2 for an unknown/,
    })
  t.match(await plinth(['help', 'migrat'], {}, app.dir), { code: 2, err: /did you mean "migrate"\?/ })
})

t.test('the words of Strapi v4', async t => {
  for (const [word, err] of [
    ['build', /"build" does not exist: Plinth has no administration panel/],
    ['transfer', /use `plinth export`/],
    ['admin:create-user', /`plinth user create`/],
    ['components:list', /`plinth content-types` lists components too/],
    ['constructor', /unknown command "constructor"/],
  ] as const)
    t.match(await plinth([word]), { code: 2, out: '', err })
  t.match(await plinth(['version']), { code: 0, out: /^\d+\.\d+\.\d+\n$/ })
  for (const word of ['develop', 'routes:list', 'content-types:list', 'console'])
    t.match(await plinth([word, '--help']), { code: 0, out: /EXAMPLES/ })
})
