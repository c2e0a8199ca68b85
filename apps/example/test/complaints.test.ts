// The warnings and errors of a start: none for the unchanged application, one line for each mistake, and
// one sentence for an error that prevents the start.

import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import t from 'tap'
import { copyExample, edit } from './fixtures/copy.ts'
import { copyContent } from './fixtures/example.ts'
import { run } from './fixtures/program.ts'

const schema = 'src/api/article/content-types/article/schema.json'

t.test('columns without an attribute, or of another type', async t => {
  const dir = copyExample(t.testdir({}))
  const env = { DATABASE_FILENAME: `${dir}/example.db` }
  await copyContent(env.DATABASE_FILENAME, `${dir}/uploads`)
  const first = run(env, [], dir)
  await first.prints('Ctrl+C')
  await first.kill()
  t.equal(first.complaints, '', 'no complaints about the app as it is')
  edit(`${dir}/${schema}`, text => text.replace('"featured"', '"feature"').replace('"integer"', '"date"'))
  const second = run(env, [], dir)
  await second.prints('Ctrl+C')
  await fetch(/is served at (\S+)/.exec(second.printed)![1]!)
  await second.kill()
  const lines = second.complaints.trim().split('\n')
  t.equal(lines.length, 2, 'requests are none')
  t.match(lines[0], /^warning: The step .* only `plinth migrate apply` runs: .*reading_minutes/)
  t.match(lines[1], /^warning: The database has tables or columns that the model does not use; .*articles\.featured/)
})

t.test('removed plugins whose options the types use', async t => {
  for (const [words, option, types] of [
    [['draft-publish', 'publishedAt'], 'options.draftAndPublish', ['article', 'page']],
    [['i18n'], 'pluginOptions.i18n.localized', ['article', 'category', 'homepage', 'page']],
  ] as const) {
    const without = (text: string) =>
      text
        .split('\n')
        .filter(line => !words.some(word => line.includes(word)))
        .join('\n')
    const dir = copyExample(t.testdir({}), { 'config/plugins.ts': without })
    const program = run({ DATABASE_FILENAME: `${dir}/example.db` }, [], dir)
    await program.prints('Ctrl+C')
    await program.kill()
    const warned = [...program.complaints.matchAll(/^warning: api::(\w+)\.\w+: (\S+) is set, but has no effect, .*$/gm)]
    t.same(
      warned.map(([, type, path]) => [type, path]),
      types.map(type => [type, option]),
    )
    t.equal(program.complaints.split('\n').length, types.length + 1, 'and of nothing else')
  }
})

t.test('an error that prevents the start is one sentence', async t => {
  const other = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => other.once('listening', resolve))
  t.teardown(() => other.close())
  const PORT = String((other.address() as { port: number }).port)
  const env = { DATABASE_FILENAME: `${t.testdir({})}/example.db` }
  const rows: readonly [Record<string, string>, RegExp][] = [
    [{ PORT }, /^config\/server: port \d+ of 127\.0\.0\.1 is in use .* PORT=\d+ .*\[PLINTH_CONFIG_LISTEN\]\n$/],
    [{ PORT: 'abc' }, /^The environment variable PORT must be an integer, not "abc" \[PLINTH_CONFIG_ENV\]\n$/],
    [
      { LOG_LEVEL: 'loud' },
      /^The environment variable LOG_LEVEL: "loud" is not a log level; the levels are trace, .*\n$/,
    ],
    [
      { DATABASE_CLIENT: 'sqlitee' },
      /^config\/database: client "sqlitee" is not known, did you mean "sqlite"\? \[PLINTH_CONFIG_INVALID\]\n$/,
    ],
  ]
  for (const [variables, sentence] of rows) {
    const program = run({ ...env, ...variables })
    t.equal(await program.ended, 1)
    t.match(program.complaints, sentence)
  }
})

t.test('production starts with secrets of its own, and not without', async t => {
  const folder = t.testdir({})
  const env = { NODE_ENV: 'production', DATABASE_FILENAME: `${folder}/example.db`, ENV_PATH: `${folder}/.env` }
  const right = { JWT_SECRET: 'a-secret-of-this-test', API_TOKEN_SALT: 'a-salt-of-this-test' }
  for (const [variables, sentence] of [
    [{}, /\w+ is missing; .* \[PLINTH_SECRET_MISSING\]\n$/],
    [{ ...right, JWT_SECRET: '' }, /JWT_SECRET is missing; .* \[PLINTH_SECRET_MISSING\]\n$/],
    [
      { ...right, JWT_SECRET: 'tobemodified' },
      /JWT_SECRET has the value of an example, .* \[PLINTH_SECRET_MISSING\]\n$/,
    ],
    [{ ...right, JWT_SECRET: 'short' }, /has 5 characters, but needs at least 16; .* \[PLINTH_CONFIG_INVALID\]\n$/],
    [{ ...right, API_TOKEN_SALT: 'toBeModified' }, /API_TOKEN_SALT has the value of .* \[PLINTH_SECRET_MISSING\]\n$/],
  ] as const) {
    const program = run({ ...env, ...variables })
    t.equal(await program.ended, 1)
    t.match(program.complaints, sentence)
  }
  t.notOk(existsSync(env.ENV_PATH), 'none is made')
  await copyContent(env.DATABASE_FILENAME, `${folder}/uploads`)
  const program = run({ ...env, ...right })
  await program.prints('Ctrl+C')
  t.match(program.complaints, /^warning: Every origin may read the answers [^\n]*\n$/)
  t.equal(await program.kill(), 0)
})

t.test('a misspelt type, and a misspelt plugin', async t => {
  const dir = copyExample(t.testdir({}), { [schema]: text => text.replace('"richtext"', '"richtxt"') })
  const env = { DATABASE_FILENAME: `${dir}/example.db` }
  const typed = run(env, [], dir)
  t.equal(await typed.ended, 1)
  t.match(
    typed.complaints,
    /^src\/api\/article\/.*schema\.json: .*"richtxt", did you mean "richtext"\? \[PLINTH_SCHEMA_INVALID\]\n$/,
  )
  edit(`${dir}/config/plugins.ts`, text => text.replace("'draft-publish'", "'draft-publsh'"))
  const named = run(env, [], dir)
  t.equal(await named.ended, 1)
  t.match(
    named.complaints,
    /^config\/plugins: the plugin "draft-publsh" was not found .*, did you mean "draft-publish"\? \[PLINTH_PLUGIN_NOT_FOUND\]\n$/,
  )
})

t.test('a Node version without TypeScript', async t => {
  const program = run({}, ['--no-experimental-strip-types'])
  t.equal(await program.ended, 1)
  t.match(
    program.complaints,
    /^Plinth needs Node 22\.18 or later, and this is v[\d.]+: `npx pnpm@10 start` in the root .* brings .*\n$/,
  )
  const start = readFileSync(new URL('../src/start.js', import.meta.url), 'utf8')
  t.notMatch(start, /import \{/, 'a missing export would end an older Node without the message')
})
