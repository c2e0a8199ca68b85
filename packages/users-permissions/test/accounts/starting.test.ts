// Settings of accounts: secrets, v4's stored settings, and mails that fail (security.md A.5).

import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKernel } from '@plinth/kernel'
import rest from '@plinth/rest'
import { createServer } from '@plinth/server'
import { freshDatabase, testClient } from '@plinth/test-tools/databases'
import t, { type Test } from 'tap'
import usersPermissions from '../../src/index.ts'
import { codeIn, refused, start } from '../fixtures/accounts.ts'
import { boxes } from '../fixtures/mail-provider.ts'

async function project(t: Test, plugin: Readonly<Record<string, unknown>> = {}) {
  const dir = await mkdtemp(join(tmpdir(), 'plinth-users-'))
  const database = await freshDatabase(testClient())
  t.teardown(async () => {
    await rm(dir, { recursive: true, force: true })
    await database.drop()
  })
  await mkdir(join(dir, 'config'))
  const plugins = { rest: { plugin: rest }, 'users-permissions': { plugin: usersPermissions, config: plugin } }
  return { dir, open: () => createServer({ dir, database: database.config, plugins, logger: false }) }
}

function inMode(t: Test, values: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(values)) {
    const before = process.env[name]
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
    t.teardown(() => {
      if (before === undefined) delete process.env[name]
      else process.env[name] = before
    })
  }
}

t.test('B-6.15: the first start in development makes the secret and keeps it', async t => {
  inMode(t, { NODE_ENV: undefined, JWT_SECRET: undefined, ENV_PATH: undefined })
  const { dir, open } = await project(t)
  await (await open()).close()
  const text = await readFile(join(dir, '.env'), 'utf8')
  t.match(text, /^JWT_SECRET=\S{40,}\n$/)
  await (await open()).close()
  t.equal(await readFile(join(dir, '.env'), 'utf8'), text, 'the second start takes it')
})

t.test('security.md A.5: secrets in production', async t => {
  inMode(t, { NODE_ENV: 'production', JWT_SECRET: undefined })
  await t.rejects((await project(t)).open(), /jwtSecret/)
  await t.rejects((await project(t, { jwtSecret: 'tobemodified' })).open(), /jwtSecret/)
  await t.rejects((await project(t, { jwtSecret: 'short' })).open(), /has 5 characters, but needs at least 16/)
})

t.test('CVE-2023-48223: a public key is no secret', async t => {
  const jwtSecret = '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQ\n-----END PUBLIC KEY-----'
  await t.rejects((await project(t, { jwtSecret })).open(), /is a key in PEM form/)
})

t.test('CVE-2026-34950: nor with white space or other text before it', async t => {
  for (const before of [' ', '\n\t', '\ufeff', 'x', 'Bag Attributes\n']) {
    const jwtSecret = `${before}-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQ\n-----END PUBLIC KEY-----`
    await t.rejects((await project(t, { jwtSecret })).open(), /is a key in PEM form/, JSON.stringify(before))
  }
})

t.test('a script needs no secret and no server', async t => {
  inMode(t, { NODE_ENV: 'production', JWT_SECRET: undefined })
  const database = await freshDatabase(testClient())
  const kernel = await createKernel({
    database: database.config,
    migrate: 'apply',
    plugins: { 'users-permissions': { plugin: usersPermissions } },
  } as never)
  t.teardown(async () => {
    await kernel.close()
    await database.drop()
  })
  const users = kernel.query('plugin::users-permissions.user')
  const user = await users.create({ data: { username: 'ann', email: 'Ann@Example.com', password: 'ann-secret' } })
  t.match(user, { email: 'ann@example.com', password: /^\$scrypt\$/ })
})

t.test('B-6.52: settings that v4 left in the database', async t => {
  const database = await freshDatabase(testClient())
  t.teardown(() => database.drop())
  const first = await start(t, { database: database.config })
  const { knex } = first.kernel
  await knex.schema.createTable('strapi_core_store_settings', table => {
    table.increments('id')
    table.string('key')
    table.text('value')
  })
  const advanced = { allow_register: false, email_confirmation: true, email_confirmation_redirection: 'https://a\r\nb' }
  const email = { reset_password: { options: { object: 'Hello <%= USER.username %>', message: 'C <%= TOKEN %>' } } }
  await knex('strapi_core_store_settings').insert([
    { key: 'plugin_users-permissions_advanced', value: JSON.stringify(advanced) },
    { key: 'plugin_users-permissions_email', value: JSON.stringify(email) },
  ])
  const second = await start(t, { database: database.config })
  refused(t, await second.post('auth/local/register', {}), 400, 'Register action is currently disabled')
  await second.user('ann')
  await second.post('auth/forgot-password', { email: 'ann@example.com' })
  t.match(await second.mails(), [{ subject: 'Hello ann', text: /^C [\da-f]{128}$/ }])
  await second.user('bob', { confirmed: false })
  await second.post('auth/send-email-confirmation', { email: 'bob@example.com' })
  const code = codeIn((await second.mails())[0], 'confirmation')
  const { headers } = await second.get(`auth/email-confirmation?confirmation=${code}`)
  t.equal(headers.location, '/', 'an address that could not stand in a header is none')
  const third = await start(t, { database: database.config, config: { advanced: { allow_register: true } } })
  refused(t, await third.post('auth/local/register', {}), 400, '3 errors occurred')
})

t.test('a mail that fails is logged, and the answer is the same', async t => {
  const box = 'failing'
  const provider = join(import.meta.dirname, '../fixtures/mail-provider.ts')
  const server = await start(t, { mails: { provider, providerOptions: { box, fails: true } } })
  await server.user('ann')
  t.strictSame((await server.post('auth/forgot-password', { email: 'ann@example.com' })).body, { ok: true })
  await server.app.close()
  t.same(boxes.get(box), [])
})

t.test('a provider that cannot be used stops the start', async t => {
  await t.rejects(
    start(t, { mails: { provider: './nowhere' } }),
    /email\.config\.provider: "\.\/nowhere" was not found$/,
  )
})
