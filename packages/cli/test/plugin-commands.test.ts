// Commands of plugins: found in the application of the folder, with their options and words.

import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { plinth } from './plinth.ts'

/** A plugin that prints what it is called with. */
const plugin = `export default { plinth: {
  name: 'greeter',
  register() {},
  commands: {
    greet: {
      description: 'greetings',
      commands: {
        one: {
          description: 'greet somebody',
          words: ['name'],
          options: { from: { type: 'string', description: 'who greets' }, loud: { type: 'boolean', description: 'loudly' } },
          async run({ kernel, config, words, options, print, remark }) {
            if (words.length === 0) throw new Error('who is to be greeted?')
            print(JSON.stringify({ config, words, options, isOpen: kernel.contentTypes.values().length }))
            remark('greeted')
          },
        },
      },
    },
  },
} }`

async function application(t: Test, files: Readonly<Record<string, string>> = {}): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'plinth-cli-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  const all = {
    'plugin.mjs': plugin,
    'config/plugins.json': JSON.stringify({ greeter: { resolve: './plugin.mjs' } }),
    ...files,
  }
  for (const [name, text] of Object.entries(all)) {
    await mkdir(dirname(join(dir, name)), { recursive: true })
    await writeFile(join(dir, name), text)
  }
  return dir
}

const env = { DATABASE_CLIENT: 'sqlite', DATABASE_FILENAME: ':memory:' }

t.test('a command of a plugin', async t => {
  const dir = await application(t)
  const run = (...args: string[]) => plinth([...args, '--dir', dir], env)
  const { code, out, err } = await run('greet', 'one', 'Ada', '--loud', '--from', 'Ben')
  t.equal(code, 0, err)
  t.same(JSON.parse(out), { config: {}, words: ['Ada'], options: { from: 'Ben', loud: true }, isOpen: 0 })
  t.match(err, /greeted/)
  t.match(await run('greet', 'one'), { code: 1, out: '', err: /plinth: who is to be greeted\?/ })
  t.match(await run('greet', 'oen'), { code: 2, err: /unknown command "oen", did you mean "one"\?/ })
  t.match(await run('graet'), { code: 2, err: /unknown command "graet", did you mean "greet"\?/ })
  t.match(await run('greet', 'one', 'Ada', '--form', 'x'), {
    code: 2,
    err: /unknown option "--form", did you mean "--from"/,
  })
  t.match(await run('greet', 'one', '--help'), { code: 0, out: /who greets/ })
  t.match(await run('--help'), { code: 2 }, 'an option must follow the command')
})

t.test('a command of a plugin where the file of SQLite does not exist', async t => {
  const file = '.data/shop.db'
  const at = { DATABASE_CLIENT: 'sqlite', DATABASE_FILENAME: file }
  const saying = (withoutDatabase: string) =>
    plugin.replace("words: ['name'],", `words: ['name'], withoutDatabase: '${withoutDatabase}',`)
  const refused = await application(t)
  for (const dir of [refused, await application(t, { 'plugin.mjs': saying('refuse') })]) {
    const path = join(dir, file)
    t.match(await plinth(['greet', 'one', 'Ada', '--dir', dir], at), {
      code: 1,
      out: '',
      err: `plinth: The database file ${path} does not exist; start the server once, or run \`plinth migrate apply\`\n`,
    })
    t.notOk(existsSync(dirname(path)), 'nothing is made')
    t.match(await plinth(['greet', 'oen', '--dir', dir], at), { code: 2 }, 'a fault of the words comes first')
  }
  t.match(await plinth(['migrate', 'apply', '--dir', refused], at), { code: 0 })
  t.match(await plinth(['greet', 'one', 'Ada', '--dir', refused], at), { code: 0, out: /Ada/ })

  const running = await application(t, { 'plugin.mjs': saying('run') })
  t.match(await plinth(['greet', 'one', 'Ada', '--dir', running], at), { code: 0, out: /Ada/ })
  t.notOk(existsSync(join(running, '.data')))
  const creating = await application(t, { 'plugin.mjs': saying('create') })
  t.match(await plinth(['greet', 'one', 'Ada', '--dir', creating], at), { code: 0, out: /Ada/ })
  t.ok(existsSync(join(creating, file)))
})

t.test('the usage text names the commands of plugins', async t => {
  const dir = await application(t)
  const [usage, group, foreign] = await Promise.all([
    plinth(['--help'], env, dir),
    plinth(['greet'], env, dir),
    plinth(['greet', 'one'], env),
  ])
  t.match(usage, { code: 0, out: /greet {2,}greetings/ })
  t.match(group, { code: 0, out: /one {2,}greet somebody/ })
  t.match(foreign, { code: 2, err: /unknown command "greet"/ }, 'in another folder they are unknown')
})

t.test('a command of a plugin that is not enabled names the plugin', async t => {
  const dir = await application(t, { 'config/plugins.json': '{"graphql": false}' })
  for (const [word, name] of [
    ['token', 'api-tokens'],
    ['graphql', 'graphql'],
    ['user', 'users-permissions'],
  ] as const)
    t.match(await plinth([word, 'list', '--dir', dir], env), {
      code: 2,
      out: '',
      err: `plinth: "${word}" is a command of the plugin ${name}, which config/plugins does not enable\n`,
    })
  t.match(await plinth(['locale', 'list'], {}, join(dir, 'config')), {
    code: 2,
    err: /^plinth: "locale" is a command of the plugin i18n; .* contains no application: it has none of config\//,
  })
  t.match(await plinth(['tokn', '--dir', dir], env), { code: 2, err: /unknown command "tokn"; the commands are/ })
})

t.test('a word of this package is refused, and a plugin that cannot be found', async t => {
  const taken = await application(t, { 'plugin.mjs': plugin.replace('greet: {', 'doctor: {') })
  t.match(await plinth(['greet', '--dir', taken], env), {
    code: 1,
    err: /plugin greeter: the command "doctor" exists already/,
  })
  const missing = await application(t, { 'config/plugins.json': '{"nobody": true}' })
  t.match(await plinth(['greet', '--dir', missing], env), {
    code: 1,
    err: /the plugin "nobody" was not found/,
  })
})
