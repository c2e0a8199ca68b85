// kernel.secret: from the setting, the environment or `.env`; made in development; missing in production (security.md A.5).

import { chmod, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createKernel, type KernelOptions } from '../../src/index.ts'
import { folder, thrown } from '../fixtures/boot.ts'

const setting = 'config/plugins: guard.config.key'

/** Sets variables for the test. */
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

async function open(t: Test, dir?: string, logged: string[] = [], more: KernelOptions = {}) {
  const logger = { info: (message: string) => void logged.push(message), warn: () => {}, error: () => {} }
  const database = { client: 'sqlite', connection: { filename: ':memory:' } }
  const kernel = await createKernel({ database, logger, migrate: 'none', ...more, ...(dir !== undefined && { dir }) })
  t.teardown(() => kernel.close())
  return kernel
}

t.test('a missing secret is made once in development', async t => {
  withEnv(t, { NODE_ENV: undefined, GUARD_KEY: undefined })
  const dir = await folder(t, { '.env': 'OTHER=1' })
  const logged: string[] = []
  const kernel = await open(t, dir, logged)
  const made = await kernel.secret({ setting, variable: 'GUARD_KEY' })
  t.match(made, /^[\w-]{43}$/)
  t.equal(await readFile(join(dir, '.env'), 'utf8'), `OTHER=1\nGUARD_KEY=${made}\n`)
  t.match(logged, [/A value for GUARD_KEY was made and stored in .*\.env/])
  t.notMatch(logged.join(), made)
  t.equal(await kernel.secret({ setting, variable: 'GUARD_KEY' }), made)
  const again = await open(t, dir)
  t.equal(await again.secret({ setting, variable: 'GUARD_KEY' }), made)
  const second = await kernel.secret({ setting, variable: 'SECOND_KEY' })
  t.not(second, made)
  t.equal(await readFile(join(dir, '.env'), 'utf8'), `OTHER=1\nGUARD_KEY=${made}\nSECOND_KEY=${second}\n`)
})

t.test('the file is for its owner alone', { skip: process.platform === 'win32' }, async t => {
  withEnv(t, { NODE_ENV: 'test', GUARD_KEY: undefined })
  const dir = await folder(t, { 'config/api.json': {} })
  await (await open(t, dir)).secret({ setting, variable: 'GUARD_KEY' })
  t.equal((await stat(join(dir, '.env'))).mode & 0o777, 0o600)
})

t.test('two starts at the same time use one secret', async t => {
  withEnv(t, { NODE_ENV: undefined, GUARD_KEY: undefined })
  const dir = await folder(t, { 'config/api.json': {} })
  // That of a process which was killed.
  await writeFile(join(dir, '.env.lock'), '')
  await utimes(join(dir, '.env.lock'), 0, 0)
  const kernels = [await open(t, dir), await open(t, dir), await open(t, dir)]
  const secrets = await Promise.all(kernels.map(kernel => kernel.secret({ setting, variable: 'GUARD_KEY' })))
  t.equal(new Set(secrets).size, 1)
  t.equal(await readFile(join(dir, '.env'), 'utf8'), `GUARD_KEY=${secrets[0]}\n`)
  await t.rejects(stat(join(dir, '.env.lock')), 'the lock is removed')
})

t.test('the setting comes before the variable', async t => {
  withEnv(t, { NODE_ENV: 'production', GUARD_KEY: 'of-the-environment' })
  const kernel = await open(t)
  t.equal(await kernel.secret({ setting, variable: 'GUARD_KEY' }), 'of-the-environment')
  t.equal(await kernel.secret({ configured: 'of-the-setting', setting, variable: 'GUARD_KEY' }), 'of-the-setting')
})

t.test('security.md A.5: in production a missing secret and a sample are refused', async t => {
  withEnv(t, { NODE_ENV: 'production', GUARD_KEY: undefined })
  const dir = await folder(t, { 'config/api.json': {} })
  const kernel = await open(t, dir)
  const ask = (configured?: string) => thrown(t, () => kernel.secret({ configured, setting, variable: 'GUARD_KEY' }))
  const missing = {
    code: 'PLINTH_SECRET_MISSING',
    message: /^config\/plugins: guard\.config\.key: GUARD_KEY is missing; set it, or /,
  }
  t.match(await ask(), missing)
  t.match(await ask(''), missing)
  for (const sample of ['tobemodified', 'toBeModified1', 'change-me', 'changeme', 'secret'])
    t.match(await ask(sample), { code: 'PLINTH_SECRET_MISSING', message: /value of an example/ }, sample)
  await t.rejects(stat(join(dir, '.env')), 'and nothing is made')
})

t.test('without a folder nothing could keep a secret', async t => {
  withEnv(t, { NODE_ENV: undefined, GUARD_KEY: undefined })
  const config = { api: { rest: { prefix: '/v1' } } }
  for (const kernel of [await open(t), await open(t, undefined, [], { config })]) {
    const ask = () => kernel.secret({ setting, variable: 'GUARD_KEY' })
    t.match(await thrown(t, ask), { code: 'PLINTH_SECRET_MISSING' })
  }
})

t.test('a file that cannot be written is told with the secret that it would keep', async t => {
  withEnv(t, { NODE_ENV: undefined, GUARD_KEY: undefined, ENV_PATH: undefined })
  const dir = await folder(t, { 'config/api.json': {}, 'kept/a.json': {} })
  const kernel = await open(t, dir)
  const ask = (file: string) => {
    process.env.ENV_PATH = join(dir, file)
    return thrown(t, () => kernel.secret({ setting, variable: 'GUARD_KEY' }))
  }
  for (const [file, code] of [
    ['kept', 'EISDIR'],
    ['nowhere/.env', 'ENOENT'],
    ['kept/a.json/.env', 'ENOTDIR'],
  ] as const) {
    const error = await ask(file)
    t.match(error, { code: 'PLINTH_SECRET_MISSING', cause: { code } }, file)
    const start = `${setting}: GUARD_KEY is missing, and none can be kept in ${join(dir, file)} (${code}`
    t.ok(
      error.message.startsWith(start) && error.message.includes('; set it, or the environment variable'),
      error.message,
    )
  }
  if (process.getuid?.() === 0) return
  await chmod(dir, 0o500)
  t.match(await ask('.env'), { code: 'PLINTH_SECRET_MISSING', cause: { code: 'EACCES' } })
})
