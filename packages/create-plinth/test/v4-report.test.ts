// What somebody is told of an application that is made: plugins and their types, stricter defaults, and what a start in
// production would refuse.

import type { Plugin } from '@plinth/kernel'
import { createKernel } from '@plinth/kernel'
import t from 'tap'
import { productionLines } from '../src/production.ts'
import { variablesOf } from '../src/v4/env-text.ts'
import { differences, stricterLines } from '../src/v4/stricter.ts'
import { make } from './fixtures/making.ts'
import { create, folderFor } from './fixtures/project.ts'
import { inJavaScript, inTypeScript } from './fixtures/v4-projects.ts'

const withPackages = (more: Readonly<Record<string, string>>) => {
  const { dependencies, ...rest } = JSON.parse(inJavaScript['package.json']!) as { dependencies: object }
  return JSON.stringify({ ...rest, dependencies: { ...dependencies, ...more } })
}

t.test('plugins of package.json are listed with what they add, and those that work are not', async t => {
  const { left } = await make(t, {
    ...inJavaScript,
    'package.json': withPackages({
      'strapi-plugin-populate-deep': '3',
      'strapi-stripe': '1',
      '@acme/strapi-plugin-unheard': '1',
      '@strapi/plugin-sentry': '4',
      '@strapi/provider-upload-cloudinary': '4',
      lodash: '4',
    }),
  })
  const ofPackages = left.filter(one => one.startsWith('package.json: '))
  t.same(
    ofPackages.map(one => one.split(': ')[1]),
    [
      '@acme/strapi-plugin-unheard',
      '@strapi/plugin-sentry',
      'strapi-plugin-populate-deep',
      'strapi-plugin-sitemap',
      'strapi-stripe',
    ],
  )
  t.match(ofPackages.join('\n'), /populate-deep: adds the parameter populate=deep; Plinth reads it if/)
})

t.test('a plugin of the project is one line with its types, tables and routes', async t => {
  const schema =
    '{ "collectionName": "posts", "info": { "singularName": "post", "pluralName": "posts" }, "attributes": {} }'
  const { left } = await make(t, {
    ...inJavaScript,
    'src/plugins/blog/strapi-server.js': "module.exports = require('./server')",
    'src/plugins/blog/strapi-admin.js': "module.exports = require('./admin/src').default",
    'src/plugins/blog/admin/src/index.js': 'export default () => <App />',
    'src/plugins/blog/server/content-types/post/schema.json': schema,
    'src/plugins/blog/server/controllers/post.js': 'module.exports = { find(ctx) { ctx.body = strapi.config } }',
    'src/plugins/blog/server/routes/index.js':
      "module.exports = { api: { type: 'content-api', routes: [{ method: 'GET', path: '/', handler: 'post.find' }] }, admin: { type: 'admin', routes: [{ method: 'GET', path: '/set', handler: 'post.set' }] } }",
    'src/admin/app.js': 'export default {}',
    'src/admin/extensions/logo.js': 'export default {}',
  })
  const lines = left.filter(one => one.startsWith('src/plugins') || one.startsWith('src/admin'))
  t.equal(lines.length, 2, lines.join('\n'))
  t.match(
    lines.join('\n'),
    /src\/plugins\/blog: the plugin blog for v4, .*plugin::blog\.post \(table posts\).*its 1 route \(GET \/blog\/\) are not served/,
  )
})

t.test('stricter defaults name settings that the plugins have', async t => {
  const settingsOf = async (name: string) => {
    const { default: plugin } = (await import(`@plinth/${name}`)) as { readonly default: Plugin }
    return (plugin.plinth.config as { readonly properties: object }).properties
  }
  for (const { setting } of differences) {
    if (setting === null) continue
    const [head = '', ...rest] = setting.path.split('.')
    if (setting.file === 'plugins') t.ok(Object.hasOwn(await settingsOf(head), rest[1]!), setting.path)
  }
  const api: Record<string, Record<string, unknown>> = { rest: {}, compat: {} }
  for (const { setting } of differences)
    if (setting?.file === 'api') {
      const [section = '', name = ''] = setting.path.split('.')
      api[section]![name] = name === 'ignoreUnknownOperators' ? true : name === 'maxLimit' ? -1 : 1000
    }
  const warnings: string[] = []
  const log = { error() {}, info() {}, debug() {}, warn: (text: string) => warnings.push(text) }
  const kernel = await createKernel({ contentTypes: [], config: { api }, plugins: {}, logger: log as never })
  await kernel.close()
  t.same(
    warnings.filter(one => one.includes('config/api')),
    [],
    'a start knows the keys of config/api',
  )
})

t.test('stricter defaults are those that concern the application', async t => {
  const all = { plugins: new Set(['graphql', 'draft-publish', 'upload', 'users-permissions', 'i18n']), hasDrafts: true }
  const whole = stricterLines({ ...all, limitsPages: false })
  t.equal(whole.length, differences.length)
  t.match(
    whole.join('\n'),
    /GET of a draft by its id is a 404.* \(as v4: draft-publish\.config\.findOne: 'v4' in config\/plugins\)/,
  )
  const few = stricterLines({ plugins: new Set(), hasDrafts: false, limitsPages: true }).join('\n')
  t.notMatch(few, /draft|GraphQL|media|password|rest\.maxLimit/)
  const made = await make(t, inTypeScript)
  t.match(made.stricter.join('\n'), /draft by its id/)
  t.match(await made.read('README.md'), /## Stricter than v4[\s\S]*draft by its id[\s\S]*## In production/)
})

const secret = 'a-secret-of-enough-characters'
const { 'config/env/production/server.js': _, ...plain } = inJavaScript
const base = { ...plain, 'config/plugins.js': 'module.exports = {}', 'config/admin.js': 'module.exports = {}' }
const envOf = (jwt: string, salt = secret, more = '') => `JWT_SECRET=${jwt}\nAPI_TOKEN_SALT=${salt}\n${more}`

t.test('what a start in production refuses is said', async t => {
  const cases: readonly (readonly [Readonly<Record<string, string>>, RegExp | null])[] = [
    [
      { '.env': envOf('12345678') },
      /JWT_SECRET has 8 characters, but needs at least 16: a start in production is refused/,
    ],
    [{ '.env': envOf('tobemodified') }, /JWT_SECRET has the value of an example/],
    [{ '.env': envOf('"-----BEGIN PUBLIC KEY-----"') }, /JWT_SECRET is a key in PEM form/],
    [{ '.env': envOf(secret, 'changeme') }, /API_TOKEN_SALT has the value of an example/],
    [{ '.env': envOf(secret, 'toBeModified1') }, /API_TOKEN_SALT has the value of an example/],
    [
      {
        '.env': envOf(secret),
        'config/plugins.js': "module.exports = { 'users-permissions': { config: { jwtSecret: 'short' } } }",
      },
      /jwtSecret of config\/plugins has 5 characters/,
    ],
    [
      {
        '.env': `${envOf(secret)}MY_SECRET=tiny`,
        'config/plugins.js':
          "module.exports = ({ env }) => ({ 'users-permissions': { config: { jwtSecret: env('MY_SECRET') } } })",
      },
      /MY_SECRET has 4 characters/,
    ],
    [
      {
        '.env': `${envOf(secret)}MY_SECRET=tiny`,
        'config/plugins.js':
          "module.exports = { 'users-permissions': { config: { jwtSecret: process.env.MY_SECRET || 'x' } } }",
      },
      /MY_SECRET has 4 characters/,
    ],
    [
      {
        '.env': envOf(secret),
        'config/database.js':
          "module.exports = ({ env }) => ({ connection: { client: 'postgres', connection: { host: env('DATABASE_HOST', 'x'), password: env('DATABASE_PASSWORD') } } })",
      },
      /config\/database\.js reads DATABASE_PASSWORD, which \.env does not have/,
    ],
    [
      {
        '.env': envOf(secret, secret, 'DATABASE_PORT=five\n'),
        'config/database.js':
          "module.exports = ({ env }) => ({ connection: { client: 'sqlite', connection: { filename: 'a', port: env.int('DATABASE_PORT', 1) } } })",
      },
      /config\/database\.js reads DATABASE_PORT as a number, and \.env has "five"/,
    ],
    [{ '.env': envOf(secret) }, null],
  ]
  for (const [files, line] of cases) {
    const { production } = await make(t, { ...base, ...files })
    const faults = production.filter(one => !one.startsWith('mails have no provider'))
    if (line === null) t.same(faults, [])
    else t.match(faults.join('\n'), line)
  }
})

t.test('a new application says what production needs', async t => {
  const cwd = await folderFor(t)
  const made = await create(['a', '--yes', '--no-install'], cwd)
  t.match(made.out, /Before a start in production:\n {2}a start in production changes no tables, .*migrate apply/)
  t.match(made.out, /needs its variables: JWT_SECRET with random values of at least 16 characters/)
  t.notMatch(made.out, /Stricter than v4|Not taken along/)
  const none = await create(['b', '--yes', '--no-install', '--plugins', 'none'], cwd)
  t.notMatch(none.out, /JWT_SECRET|API_TOKEN_SALT/)
  t.equal(productionLines([], 'x').length, 1)
})

t.test('.env is read as v4 reads it', async t => {
  const text =
    '# comment\r\nA=1\r\nB: two words # c\r\nexport C="x\\ny"\r\nD=\'#not a comment\'\r\nE=\r\n  F = spaced  \r\nURL=postgres://u:p@h/db?x=1\r\nA=2\r\nG=`a"b\'c`\r\nKEY="-----BEGIN\nX: y\n-----END"\n'
  const all = variablesOf(text)
  t.same(all, {
    A: '2',
    B: 'two words',
    C: 'x\ny',
    D: '#not a comment',
    E: '',
    F: 'spaced',
    URL: 'postgres://u:p@h/db?x=1',
    G: 'a"b\'c',
    KEY: '-----BEGIN\nX: y\n-----END',
  })
  const made = await make(t, { ...base, '.env': `\uFEFF${text}` })
  const { parseEnv } = await import('node:util')
  t.match(parseEnv(await made.read('.env')), all, 'Node reads the same')
})
