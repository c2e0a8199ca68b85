// Configuration files: those of the environment, misspelt names, and files without a default export.

import t from 'tap'
import { loadConfig } from '../../src/application/config-files.ts'
import { checkConfigNames } from '../../src/application/config-names.ts'
import { folder } from '../fixtures/boot.ts'

t.test('config files are merged with those of the environment', async t => {
  const mode = process.env.NODE_ENV ?? 'development'
  const dir = await folder(t, {
    'package.json': { type: 'module' },
    'config/server.js': 'export default ({ env }) => ({ port: env.int("NO_PORT", 1337), http: { a: 1, b: [1, 2] } })',
    [`config/env/${mode}/server.json`]: { http: { b: [3], c: 4 } },
    'config/api.json': { rest: { prefix: '/v1' } },
    'config/env/elsewhere/api.json': { rest: { prefix: '/no' } },
    'config/plain.js': 'export const host = "h"',
  })
  t.same(await loadConfig(dir, 'server'), { port: 1337, http: { a: 1, b: [3], c: 4 } })
  t.same(await loadConfig(dir, 'api'), { rest: { prefix: '/v1' } })
  t.match(await loadConfig(dir, 'plain'), { host: 'h' })
  t.same(await loadConfig(dir, 'nothing'), {})
})

t.test('NODE_ENV is development before a file is read, unless it is set', async t => {
  const given = process.env.NODE_ENV
  t.teardown(() => {
    if (given === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = given
  })
  const files = {
    'package.json': { type: 'module' },
    'config/server.js': 'export default ({ env }) => ({ mode: env("NODE_ENV"), same: process.env.NODE_ENV })',
    'config/env/development/server.json': { isDevelopment: true },
  }
  const whole = { mode: 'development', same: 'development', isDevelopment: true }
  delete process.env.NODE_ENV
  t.same(await loadConfig(await folder(t, files), 'server'), whole)
  process.env.NODE_ENV = ''
  t.same(await loadConfig(await folder(t, files), 'server'), whole, 'an empty one is none')
  process.env.NODE_ENV = 'staging'
  t.same(await loadConfig(await folder(t, files), 'server'), { mode: 'staging', same: 'staging' })
  delete process.env.NODE_ENV
  const named = await folder(t, { ...files, '.env': 'NODE_ENV=preview\n' })
  t.same(await loadConfig(named, 'server'), { mode: 'preview', same: 'preview' }, '.env may name it')
})

t.test('files with the mark and the line ends of Windows', async t => {
  const dir = await folder(t, {
    'package.json': { type: 'module' },
    '.env': '\uFEFFPLINTH_TEST_FIRST=1\r\nPLINTH_TEST_SECOND="two words"\r\n',
    'config/server.js':
      '\uFEFFexport default ({ env }) => ({\r\n  first: env.int("PLINTH_TEST_FIRST"),\r\n  second: env("PLINTH_TEST_SECOND"),\r\n})\r\n',
    'config/api.json': '\uFEFF{ "rest": { "maxLimit": 5 } }\r\n',
  })
  t.same(await loadConfig(dir, 'server'), { first: 1, second: 'two words' })
  t.same(await loadConfig(dir, 'api'), { rest: { maxLimit: 5 } })
})

t.test('a misspelt file name in config/ stops the start', async t => {
  const check = async (...files: string[]) => {
    const dir = await folder(t, Object.fromEntries(files.map(name => [`config/${name}`, ''])))
    const warnings: string[] = []
    await checkConfigNames(dir, 'test', message => warnings.push(message))
    return warnings
  }
  const refused: readonly (readonly [file: string, message: string])[] = [
    ['databse.json', 'did you mean config/database.json?'],
    ['plugin.ts', 'did you mean config/plugins.ts?'],
    ['Server.js', 'did you mean config/server.js?'],
    ['plugins.yml', '; its extension must be one of ts, js, mjs, cjs, json'],
    ['env/test/databases.ts', 'did you mean config/env/test/database.ts?'],
  ]
  for (const [file, hint] of refused) {
    const message = `config/${file}: is not read${hint.startsWith(';') ? '' : ', '}${hint}`
    await t.rejects(check(file), { name: 'StartError', message }, file)
  }
  const accepted = ['middlewares.js', 'admin.js', 'cron-tasks.ts', 'services.ts', 'README.md', 'database.example.js']
  t.same(await check(...accepted, 'env/other/databse.ts'), [])
  t.same(await check('plugins.ts', 'plugin.ts', 'plugins.yml'), [], 'beside the right one it is something else')
  t.same(await check('app.ts'), ['config/app.ts: is not read, did you mean config/api.ts?'], 'may be a word of its own')
  t.same(await check(), [])
})

t.test('a misspelt NODE_ENV is warned of, and a misspelt folder of it stops the start', async t => {
  const check = async (mode: string, ...folders: string[]) => {
    const files = folders.map(name => [`config/env/${name}/server.json`, {}] as const)
    const dir = await folder(t, { 'config/api.json': {}, ...Object.fromEntries(files) })
    const warnings: string[] = []
    await checkConfigNames(dir, mode, message => warnings.push(message))
    return warnings
  }
  for (const name of ['prodution', 'Production', 'prductoin'])
    await t.rejects(check('production', name), {
      code: 'PLINTH_CONFIG_INVALID',
      message: `config/env/${name}: is not read, did you mean config/env/production?`,
    })
  t.same(await check('production', 'production', 'prodution'), [], 'beside the right one it is another')
  t.same(await check('production', 'staging', 'development'), [])
  t.same(await check('production'), [])
  const hint = (mode: string, meant: string) => [
    `NODE_ENV is "${mode}", did you mean "${meant}"? The settings and checks of ${meant} do not apply`,
  ]
  t.same(await check('prodution', 'production'), hint('prodution', 'production'))
  t.same(await check('prod'), hint('prod', 'production'))
  t.same(await check('live', 'lives'), hint('live', 'lives'))
  t.same(await check('prod', 'prod'), [], 'a mode with a folder of its own')
  t.same(await check('preview', 'production'), [], 'a mode of the application')
})

t.test('a file in config/ without a default export is refused', async t => {
  const dir = await folder(t, {
    'package.json': { type: 'module' },
    'config/plugins.js': 'export const plugins = { rest: true }',
    'config/server.js': 'export const config = { port: 1 }',
  })
  const end = 'has no default export; write "export default" instead of "export const'
  await t.rejects(loadConfig(dir, 'plugins'), { message: new RegExp(`plugins\\.js: ${end} plugins"`) })
  await t.rejects(loadConfig(dir, 'server'), { message: new RegExp(`server\\.js: ${end} config"`) })
})

t.test('a CommonJS file in an application of ES modules is refused in one sentence', async t => {
  const dir = await folder(t, {
    'package.json': { type: 'module' },
    'config/plugins.js': 'module.exports = { rest: true }',
    'config/server.js': 'exports.port = 1',
    'config/api.js': 'missing()',
  })
  for (const name of ['plugins', 'server'])
    await t.rejects(loadConfig(dir, name), {
      code: 'PLINTH_CONFIG_INVALID',
      message: new RegExp(`${name}\\.js: is an ES module, .*write "export default" instead of "module.exports"$`),
    })
  await t.rejects(loadConfig(dir, 'api'), {
    code: 'PLINTH_CONFIG_INVALID',
    message: /config\/api\.js:1: missing is not defined$/,
    cause: { name: 'ReferenceError' },
  })
})
