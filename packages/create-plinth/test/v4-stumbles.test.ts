// What a project of v4 has beside what its generator writes: it starts as an application, or the list says what to do.

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseEnv } from 'node:util'
import t, { type Test } from 'tap'
import { create, folderFor, link, node, plinth } from './fixtures/project.ts'
import { inJavaScript, userExtension } from './fixtures/v4-projects.ts'

/** The application that is made of these files, and what was printed. */
async function taken(t: Test, files: Readonly<Record<string, string>>) {
  const parent = await folderFor(t)
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(parent, 'old', dirname(path)), { recursive: true })
    await writeFile(join(parent, 'old', path), text)
  }
  const made = await create(['new', '--from-v4', 'old', '--no-install'], parent)
  const dir = join(parent, 'new')
  const read = (path: string) => readFile(join(dir, path), 'utf8')
  const dependencies = async () =>
    (JSON.parse(await read('package.json')) as { dependencies: Record<string, string> }).dependencies
  return { dir, made, read, dependencies }
}

const withPackages = (more: Readonly<Record<string, string>>) => {
  const { dependencies, ...rest } = JSON.parse(inJavaScript['package.json']!) as { dependencies: object }
  return JSON.stringify({ ...rest, dependencies: { ...dependencies, ...more } })
}

t.test('settings that need files of v4, and those in JSON', async t => {
  const { 'config/plugins.js': _, 'config/api.js': __, ...files } = inJavaScript
  const { dir, made, read } = await taken(t, {
    ...files,
    'config/server.js': `const cronTasks = require('./cron-tasks');
const { strapiUrl } = require('../src/urls');

module.exports = ({ env }) => ({
  host: env('HOST', '0.0.0.0'),
  cron: { enabled: true, tasks: cronTasks },
  port: env.int('PORT', 1337),
  app: { keys: env.array('APP_KEYS'), url: strapiUrl },
});
`,
    'config/plugins.json': '{ "graphql": { "config": { "depthLimit": 7 } }, "email": { "config": {} } }\n',
    'config/api.json': '{ "rest": { "defaultLimit": 20 } }',
  })
  t.equal(made.code, 0, made.err)
  const server = await read('config/server.js')
  t.notMatch(server, /require|cron|strapiUrl/, 'these files would not be found')
  t.match(server, /host: env\('HOST', '0\.0\.0\.0'\),\s+port: env\.int\('PORT', 1337\)/)
  t.match(made.out, 'config/server.js: cron: no cron tasks are run: make each a program with createKernel')
  t.match(await read('config/plugins.js'), /module\.exports = \{\s+rest: \{ config: [\s\S]*"depthLimit": 7/)
  t.equal(await read('config/api.json'), '{ "rest": { "defaultLimit": 20 } }')
  t.match(made.out, "config/plugins.json: email: mails need a provider other than v4's sendmail")
  await link(dir)
  const found = await node([plinth, 'doctor'], dir)
  t.equal(found.code, 0, found.err)
})

t.test('packages that files import', async t => {
  const { made, dependencies, read } = await taken(t, {
    ...inJavaScript,
    'package.json': withPackages({ slugify: '^1.6.0', 'pg-connection-string': '^2.6.0', pg: '8.8.0', lodash: '4' }),
    'config/database.js': `const parse = require('pg-connection-string').parse;
const ca = require('./ca');
const other = require('not-there');

module.exports = ({ env }) => ({
  connection: { client: 'postgres', connection: { ...parse(env('DATABASE_URL', '')), ssl: { ca, other } } },
});
`,
    'src/api/book/content-types/book/lifecycles.js':
      "const slugify = require('slugify');\nmodule.exports = { beforeCreate({ params }) { params.data.title = slugify(params.data.title); } };\n",
    'src/api/cup/content-types/cup/lifecycles.js':
      "const { trim } = require('../../../../text');\nmodule.exports = { beforeCreate(event) { trim(event); } };\n",
    'src/api/pen/content-types/pen/lifecycles.js':
      "// strapi calls this\nmodule.exports = { beforeCreate({ params }) { params.data.by = 'strapi'; } };\n",
  })
  t.equal(made.code, 0, made.err)
  const all = await dependencies()
  t.match(all, { slugify: '^1.6.0', 'pg-connection-string': '^2.6.0', '@plinth/postgres': '*' })
  t.notOk('pg' in all || 'better-sqlite3' in all, 'the packages of databases bring their drivers')
  t.notOk('lodash' in all, 'nothing that is taken imports it')
  t.match(await read('README.md'), '`.env` has the address of the database', 'config/database names it')
  t.match(made.out, 'config/database.js: imports ./ca, which is not taken along: copy it')
  t.match(made.out, 'config/database.js: imports not-there: add the package to package.json')
  t.match(made.out, 'cup/lifecycles.js: imports ../../../../text: copy both')
  t.match(await read('src/api/pen/content-types/pen/lifecycles.js'), 'strapi calls this', 'only code counts')
})

t.test('code that does nothing, and code around a factory', async t => {
  const { made } = await taken(t, {
    ...inJavaScript,
    'src/index.js':
      "'use strict';\nmodule.exports = {\n  register(/*{ strapi }*/) {},\n  bootstrap: async () => {},\n};\n",
    'src/api/book/routes/book.js':
      "const { createCoreRouter } = require('@strapi/strapi').factories;\nmodule.exports = createCoreRouter('api::book.book', { only: ['find'] });\n",
    'src/api/book/services/book.js':
      "const { createCoreService } = require('@strapi/strapi').factories;\nconst core = createCoreService('api::book.book');\nmodule.exports = wrapped(core);\n",
    'src/extensions/users-permissions/strapi-server.js': 'module.exports = plugin => plugin;\n',
    'src/extensions/comments/content-types/comment/schema.json': userExtension,
    'database/migrations/2023.01.01.js': 'module.exports = { async up(knex) {} };\n',
  })
  t.equal(made.code, 0, made.err)
  t.notMatch(made.out, 'src/index.js', 'nothing is lost')
  t.match(made.out, 'src/api/book/routes/book.js: custom routes, which are not run')
  t.match(made.out, 'src/api/book/services/book.js: a custom service, which is not run')
  t.match(made.out, 'src/extensions/users-permissions/strapi-server.js: code of an extension')
  t.match(made.out, 'comment/schema.json: of the plugin comments, which Plinth does not have; write it again')
  t.match(made.out, 'database/migrations/2023.01.01.js: a migration that v4 has run')
})

t.test('secrets that the settings have themselves', async t => {
  const { read, made } = await taken(t, {
    ...inJavaScript,
    '.env': 'HOST=127.0.0.1\n',
    'config/admin.js':
      "module.exports = ({ env }) => ({ apiToken: { salt: env('API_TOKEN_SALT', 'of the file') } });\n",
    'config/plugins.js':
      "module.exports = ({ env }) => ({ 'users-permissions': { config: { jwtSecret: env('JWT_SECRET', 'of the file') } } });\n",
  })
  const env = parseEnv(await read('.env'))
  t.equal(env.API_TOKEN_SALT, 'of the file')
  t.notOk('JWT_SECRET' in env, 'a new one would end all logins')
  t.notMatch(made.out, 'is a new one')
})

t.test('a file that is no program', async t => {
  const { made } = await taken(t, { ...inJavaScript, 'config/plugins.js': 'module.exports = {' })
  t.match(made, { code: 1, err: /--from-v4: config\/plugins\.js cannot be read: .*\(1:18\)/ })
})
