// Where the salt comes from (B-6.71, security.md A.5).

import { createHmac } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createKernel, type KernelOptions } from '@plinth/kernel'
import t, { type Test } from 'tap'
import apiTokens, { tokensOf } from '../src/index.ts'

function withEnv(t: Test, variables: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(variables)) {
    const before = process.env[name]
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
    t.teardown(() => {
      if (before === undefined) delete process.env[name]
      else process.env[name] = before
    })
  }
}

async function folder(t: Test, files: Readonly<Record<string, string>>): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'plinth-tokens-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, name)), { recursive: true })
    await writeFile(join(dir, name), text)
  }
  return dir
}

async function open(t: Test, options: KernelOptions, config: Readonly<Record<string, unknown>> = {}) {
  const kernel = await createKernel({
    database: { client: 'sqlite', connection: { filename: ':memory:' } },
    plugins: { 'api-tokens': { plugin: apiTokens, config } },
    ...options,
  })
  t.teardown(() => kernel.close())
  return kernel
}

/** Whether keys are hashed with this salt. */
async function isSalt(kernel: Awaited<ReturnType<typeof open>>, salt: string): Promise<boolean> {
  const { accessKey, id } = await tokensOf(kernel).create({ name: salt })
  const row = await kernel.query('admin::api-token').findOne(id)
  return row?.accessKey === createHmac('sha512', salt).update(accessKey).digest('hex')
}

const admin = `module.exports = ({ env }) => ({ apiToken: { salt: env('OTHER_SALT', 'of-the-admin-file') } })`

t.test('the setting, the variable, and config/admin of v4, in this order', async t => {
  withEnv(t, { API_TOKEN_SALT: undefined, NODE_ENV: 'production' })
  const dir = await folder(t, { 'config/admin.cjs': admin })
  t.ok(await isSalt(await open(t, { dir }), 'of-the-admin-file'))
  withEnv(t, { API_TOKEN_SALT: 'of-the-environment' })
  t.ok(await isSalt(await open(t, { dir }), 'of-the-environment'))
  t.ok(await isSalt(await open(t, {}), 'of-the-environment'))
  t.ok(await isSalt(await open(t, { dir }, { salt: 'of-the-setting' }), 'of-the-setting'))
})

t.test('a first start in development makes it', async t => {
  withEnv(t, { API_TOKEN_SALT: undefined, NODE_ENV: 'development' })
  const dir = await folder(t, { 'config/api.json': '{}' })
  const kernel = await open(t, { dir })
  const [, made] = /^API_TOKEN_SALT=(.+)\n$/.exec(await readFile(join(dir, '.env'), 'utf8')) ?? []
  t.ok(await isSalt(kernel, made!))
  t.ok(await isSalt(await open(t, { dir }), made!), 'and the next one finds it')
})

t.test('security.md A.5: without it, or with the value of an example, production does not start', async t => {
  withEnv(t, { API_TOKEN_SALT: undefined, NODE_ENV: 'production' })
  const dir = await folder(t, { 'config/api.json': '{}' })
  const refused =
    (salt: string | undefined, options: KernelOptions = { dir }) =>
    async () => {
      if (salt !== undefined) process.env.API_TOKEN_SALT = salt
      await open(t, options)
    }
  const fault = { name: 'StartError', message: /api-tokens\.config\.salt: API_TOKEN_SALT / }
  await t.rejects(refused(undefined), fault)
  await t.rejects(refused('tobemodified'), fault)
  await t.rejects(refused(''), fault)
  // A command that changes tables needs no salt.
  await t.resolves(open(t, { dir, migrate: 'none' }))
})
