// Projects of v4 become applications that start, with their schemas as they were.

import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseEnv } from 'node:util'
import type { Plugin } from '@plinth/kernel'
import { nativeCompiler } from '@plinth/test-tools/compiler'
import t, { type Test } from 'tap'
import { middlewareSettings, settingNames } from '../src/v4/setting-names.ts'
import { create, folderFor, link, node, plinth, Server } from './fixtures/project.ts'
import { bookSchema, inJavaScript, inTypeScript, seoComponent, userExtension } from './fixtures/v4-projects.ts'

async function taken(t: Test, files: Readonly<Record<string, string>>) {
  const parent = await folderFor(t)
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(parent, 'old', dirname(path)), { recursive: true })
    await writeFile(join(parent, 'old', path), text)
  }
  const made = await create(['new', '--from-v4', 'old', '--no-install'], parent)
  const read = (path: string) => readFile(join(parent, 'new', path), 'utf8')
  return { parent, dir: join(parent, 'new'), made, read }
}

for (const [language, files] of Object.entries({ js: inJavaScript, ts: inTypeScript })) {
  t.test(`a project in ${language}`, async t => {
    const { dir, made, read, parent } = await taken(t, files)
    t.equal(made.code, 0, made.err)
    t.equal(await read('src/api/book/content-types/book/schema.json'), bookSchema)
    t.equal(await read('src/components/shared/seo.json'), seoComponent)
    t.equal(await read('src/extensions/users-permissions/content-types/user/schema.json'), userExtension)
    const env = parseEnv(await read('.env'))
    t.match(env, { JWT_SECRET: 'secret of # users', API_TOKEN_SALT: 'salt-of-tokens', MY_KEY: 'kept', PORT: '1337' })
    t.notOk('ADMIN_JWT_SECRET' in env || 'TRANSFER_TOKEN_SALT' in env, "no secrets of v4's panel")
    t.equal((await stat(join(dir, '.env'))).mode & 0o777, 0o600)
    t.notMatch(await read('.env.example'), /secret of|salt-of|toBeModified/)
    t.notOk((await readdir(join(parent, 'new/src'))).includes('admin'))

    await link(dir)
    const found = await node([plinth, 'doctor'], dir)
    t.equal(found.code, 0, found.err)
    t.match(found.out, /\/api\/books +api::book\.book/)
    t.match(found.out, /The database is sqlite .*new\/\.tmp\/data\.db/, 'the file is found from the application')
    const tested = await node(['--test', `test/content.test.${language === 'ts' ? 'ts' : 'mjs'}`], dir)
    t.equal(tested.code, 0, tested.out)
    t.match(tested.out, /api::book\.book is read/)
    if (language === 'ts') t.equal((await node([nativeCompiler], dir)).out, '', 'tsc reports nothing')

    const server = await Server.start(t, dir, { HOST: '127.0.0.1' })
    t.equal((await server.get('/api/books')).status, 403, 'rights are those of v4')
    const account = { username: 'ada', email: 'ada@example.com', password: 'a long password' }
    t.match(await server.post('/api/auth/local/register', account), { status: 200, body: { user: { nickname: null } } })
    const headers = { origin: 'https://library.example' }
    const allowed = await fetch(`${server.address}/api/books`, { headers })
    t.equal(allowed.headers.get('access-control-allow-origin'), 'https://library.example', 'strapi::cors')
    t.match(await server.post('/graphql', { query: '{ __typename }' }), { body: { data: { __typename: 'Query' } } })
    t.equal(await server.end(), 0)
  })
}

t.test('what is translated and what is left out, in JavaScript', async t => {
  const { made, read, dir } = await taken(t, inJavaScript)
  t.equal(await read('config/server.js'), inJavaScript['config/server.js'], 'settings without effect may stay')
  t.equal(await read('config/api.js'), inJavaScript['config/api.js'])
  t.match(await read('config/database.js'), /connection: \{ filename: env\('DATABASE_FILENAME', '\.tmp\/data\.db'\) \}/)
  t.notMatch(await read('config/database.js'), /\bpath\b|__dirname/)
  const plugins = await read('config/plugins.js')
  t.match(
    plugins,
    /rest: \{ config: \{ entryMeta: 'never', cors: \{.*origin: \['https:\/\/library\.example'\], headers: '\*' \}, body: \{ jsonLimit: '2mb' *\} \} \},/,
  )
  t.match(plugins, /\/\/ GraphQL, as the shop needs it\./, 'comments stay')
  t.match(plugins, /depthLimit: env\.int\('DEPTH', 7\)/, 'expressions stay')
  t.match(plugins, /sizeLimit: 250 \* 1024/)
  t.match(plugins, /params: \{ Bucket: env\('BUCKET', 'library'\) \}/, 'which @plinth/upload-s3 takes')
  t.ok('@plinth/upload-s3' in JSON.parse(await read('package.json')).dependencies)
  t.notMatch(plugins, /landingPage|tracing|email|sitemap|recommender|enabled: true, origin|interval/)
  t.match(await read('config/env/production/server.js'), /proxy: true/)
  t.ok((await stat(join(dir, 'src/api/book/content-types/book/lifecycles.js'))).isFile(), 'lifecycles that run')
  const readme = await read('README.md')
  for (const left of [
    'config/server.js: app: has no effect',
    "config/admin.js: is of v4's administration panel",
    'config/cron-tasks.js: has cron tasks, which are not run: make each a program',
    "config/plugins.js: email: mails need a provider other than v4's sendmail: write provider",
    'config/plugins.js: sitemap: its settings are not taken along, ',
    'package.json: strapi-plugin-sitemap: adds the route of a sitemap, and tables of its own; ',
    'config/plugins.js: recommender: a plugin for v4, which is not run: ',
    'config/plugins.js: graphql.config.landingPage: Plinth has no such setting',
    'config/plugins.js: graphql.config.apolloServer.tracing: ',
    'config/plugins.js: users-permissions.config.ratelimit.interval: ',
    'config/middlewares.js: the settings of strapi::security are not taken: rest.config.securityHeaders',
    'config/middlewares.js: strapi::cors.enabled: ',
    'config/middlewares.js: strapi::body.patchNode: ',
    'config/middlewares.js: global::timer is not run: write it again as a hook',
    ".env: ADMIN_JWT_SECRET is left out: it is of v4's administration panel",
    'src: 2 files only call factories of v4: nothing is to do',
    'src/api/book/routes/custom.js: custom routes, which are not run: ',
    'src/api/book/policies/is-owner.js: a policy: copy it',
    'src/index.js: register and bootstrap are not run: ',
  ]) {
    t.ok(made.out.includes(`\n  ${left}`), left)
    t.ok(readme.includes(`\n- ${left}`), `the README keeps it: ${left}`)
  }
})

t.test('lifecycles that need the global strapi, and other code', async t => {
  const { made, dir } = await taken(t, inTypeScript)
  t.match(
    made.out,
    /src\/api\/book\/content-types\/book\/lifecycles\.ts: uses `strapi`, which is not there: write it again/,
  )
  t.match(made.out, /src\/api\/book\/controllers\/book\.ts: a custom controller, which is not run: write/)
  t.same(await readdir(join(dir, 'src/api/book/content-types/book')), ['schema.json'])
})

t.test('secrets that are missing are new', async t => {
  const { made, read } = await taken(t, {
    ...inJavaScript,
    '.env': 'HOST=127.0.0.1\n',
    'config/admin.js': 'module.exports = { apiToken: { salt: "in the file" } }',
  })
  const env = parseEnv(await read('.env'))
  t.equal(env.API_TOKEN_SALT, 'in the file')
  t.match(env.JWT_SECRET, /^[\w-]{43}$/)
  t.match(
    made.out,
    /JWT_SECRET was not found, and is a new one: write that of v4 there, or everybody has to log in again/,
  )
})

t.test('refusals', async t => {
  const cwd = await folderFor(t)
  t.match(await create(['new', '--from-v4', 'old'], cwd), { code: 1, err: /there is no package\.json in .*old/ })
  await mkdir(join(cwd, 'old'))
  await writeFile(join(cwd, 'old/package.json'), '{"dependencies":{"fastify":"5"}}')
  t.match(await create(['new', '--from-v4', 'old'], cwd), { code: 1, err: /is not a Strapi project/ })
  await writeFile(join(cwd, 'old/package.json'), '{"dependencies":{"@strapi/strapi":"^5.4.0"}}')
  t.match(await create(['new', '--from-v4', 'old'], cwd), { code: 1, err: /Strapi \^5\.4\.0; only projects of v4/ })
  const both = await create(['new', '--from-v4', 'old', '--database', 'mysql'], cwd)
  t.match(both, { code: 2, err: /--database does not go with --from-v4/ })
  t.same(await readdir(cwd), ['old'])
})

t.test('the settings that are taken are settings of the plugins', async t => {
  const settingsOf = async (name: string) => {
    const { default: plugin } = (await import(`@plinth/${name}`)) as { readonly default: Plugin }
    return Object.keys((plugin.plinth.config as { readonly properties: object }).properties)
  }
  for (const [name, known] of Object.entries(settingNames)) {
    const settings = await settingsOf(name)
    for (const setting of Object.keys(known)) t.ok(settings.includes(setting), `${name}.${setting}`)
  }
  const ofRest = await settingsOf('rest')
  for (const { setting } of Object.values(middlewareSettings)) t.ok(ofRest.includes(setting), `rest.${setting}`)
})
