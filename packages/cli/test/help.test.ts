// Usage texts, and the words of Strapi v4.

import t from 'tap'
import { application } from './application.ts'
import { plinth } from './plinth.ts'

t.setTimeout(240_000)

const commands = [
  ...['dev', 'start', 'routes', 'content-types', 'console', 'doctor', 'export', 'import'],
  ...['generate', 'generate api', 'generate content-type', 'generate component', 'generate plugin'],
  ...['migrate', 'migrate plan', 'migrate apply', 'migrate status', 'migrate down'],
  ...['token', 'token create', 'token list', 'token revoke'],
]

t.test('every command has a usage text with examples', async t => {
  const app = await application(t, { 'config/plugins.json': '{ "api-tokens": true }' })
  for (const command of commands) {
    const words = command.split(' ')
    const [help, option] = await Promise.all([
      plinth(['help', ...words], {}, app.dir),
      plinth([...words, '--help'], {}, app.dir),
    ])
    t.match(help, { code: 0, out: new RegExp(`EXAMPLES\\n\\n  plinth ${command}`), err: '' }, command)
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
