// Mistakes in config/ and .env that were silent or badly worded: one test for each row of the table of mistakes.

import t, { type Test } from 'tap'
import { loadConfig } from '../../../src/application/config-files.ts'
import { createKernel, type KernelOptions } from '../../../src/index.ts'
import { folder, notes, thrown } from '../../fixtures/boot.ts'

const memory = { client: 'sqlite', connection: { filename: ':memory:' } }

type Files = Readonly<Record<string, unknown>>

/** What a start on these files throws. */
async function refusal(t: Test, files: Files, options: KernelOptions = { database: memory }) {
  const dir = await folder(t, { 'package.json': { type: 'module' }, ...files })
  const error = await thrown(t, async () => (await createKernel({ dir, ...options })).close())
  return { code: error.code, message: error.message.replaceAll(`${dir}/`, '') }
}

/** The warnings of a start on these files. */
async function warnings(t: Test, files: Files): Promise<string[]> {
  const log = notes()
  const dir = await folder(t, { 'package.json': { type: 'module' }, ...files })
  await (await createKernel({ dir, database: memory, logger: log })).close()
  return log.warnings.filter(one => !one.startsWith('The application has no content types'))
}

t.test('config/database: conection, filname, databse.json', async t => {
  const code = 'PLINTH_CONFIG_INVALID'
  const rows: readonly (readonly [Files, string])[] = [
    [
      { 'config/database.json': { conection: { filename: 'x.db' } } },
      'config/database: conection is not known, did you mean "connection"?',
    ],
    [
      { 'config/database.json': { connection: { filname: 'x.db' } } },
      'config/database: connection.filname is not known, did you mean "filename"?',
    ],
    [{ 'config/databse.json': {} }, 'config/databse.json: is not read, did you mean config/database.json?'],
    [
      { 'config/database.json': { client: 'postgres', connectionString: 'postgres://127.0.0.1' } },
      'config/database: connectionString is not known here; it belongs below connection',
    ],
  ]
  for (const [files, message] of rows) t.same(await refusal(t, files, {}), { code, message })
})

t.test('config/plugin.ts, config/plugins.yml', async t => {
  t.same(await refusal(t, { 'config/plugin.ts': 'export default {}' }), {
    code: 'PLINTH_CONFIG_INVALID',
    message: 'config/plugin.ts: is not read, did you mean config/plugins.ts?',
  })
  t.same(await refusal(t, { 'config/plugins.yml': 'rest: true' }), {
    code: 'PLINTH_CONFIG_INVALID',
    message: 'config/plugins.yml: is not read; its extension must be one of ts, js, mjs, cjs, json',
  })
})

t.test('config/plugins.ts and .json both there', async t => {
  const code = 'PLINTH_CONFIG_INVALID'
  const both = (folder: string) => ({ [`${folder}/plugins.ts`]: 'export default {}', [`${folder}/plugins.json`]: {} })
  for (const place of ['config', `config/env/${process.env.NODE_ENV ?? 'development'}`])
    t.same(await refusal(t, both(place)), {
      code,
      message: `${place}/plugins.json: is not read, because ${place}/plugins.ts exists; remove one of them`,
    })
  t.same(await warnings(t, { 'config/api.ts': 'export default {}', 'config/env/elsewhere/api.json': {} }), [])
})

t.test('a file in config/ that holds no settings', async t => {
  const code = 'PLINTH_CONFIG_INVALID'
  const rows: readonly (readonly [file: string, content: string, fault: string])[] = [
    ['plugins.json', '["rest"]', 'must be an object of settings'],
    ['server.json', '"0.0.0.0"', 'must be an object of settings'],
    ['api.ts', 'export default () => 5', 'must be an object of settings'],
    [
      'plugins.ts',
      'export default () => { rest: true }',
      'its function returns nothing; write "({ … })" instead of "{ … }" after "=>", or "return"',
    ],
    [
      'plugins.ts',
      'export const plugins = {}',
      'has no default export; write "export default" instead of "export const plugins"',
    ],
  ]
  for (const [file, content, fault] of rows)
    t.same(await refusal(t, { [`config/${file}`]: content }), { code, message: `config/${file}: ${fault}` })
  t.same(await warnings(t, { 'config/server.json': 'null', 'config/api.ts': 'export default async () => ({})' }), [])
})

t.test('keys of config/api that are not known', async t => {
  const refused: readonly (readonly [content: object, fault: string])[] = [
    [{ rset: {} }, 'rset is not known, did you mean "rest"?'],
    [
      { responses: { privateAttribute: ['a'] } },
      'responses.privateAttribute is not known, did you mean "privateAttributes"?',
    ],
    [
      { compat: { ignoreUnknownOperator: true } },
      'compat.ignoreUnknownOperator is not known, did you mean "ignoreUnknownOperators"?',
    ],
    [{ compat: [] }, 'compat must be an object'],
    [{ compat: { ignoreUnknownOperators: 'yes' } }, 'compat.ignoreUnknownOperators must be true or false, not "yes"'],
  ]
  for (const [content, fault] of refused)
    t.same(await refusal(t, { 'config/api.json': content }), {
      code: 'PLINTH_CONFIG_INVALID',
      message: `config/api: ${fault}`,
    })
  t.same(await warnings(t, { 'config/api.json': { cows: 1, rest: {}, responses: {} } }), [
    'config/api: cows is not known; the known names are rest, responses, compat',
  ])
  t.same(await warnings(t, { 'config/api.json': { responses: { privateAttributes: ['createdAt', 'updatedat'] } } }), [
    'config/api: responses.privateAttributes: no type has an attribute "updatedat", so the name has no effect, did you mean "updatedAt"?',
  ])
})

t.test('lines of .env that are no settings', async t => {
  const write = (text: string) => folder(t, { '.env': text })
  const refused: readonly (readonly [text: string, fault: string])[] = [
    ['PLINTH_A=1\nPLINTH_B: 2', 'line 2 (PLINTH_B) is not of the form NAME=value'],
    ['PLINTH_A', 'line 1 is not of the form NAME=value'],
    ['# c\n\nPLINTH A=1', 'line 3 is not of the form NAME=value'],
    ['=x', 'line 1 is not of the form NAME=value'],
    ['1A=x', 'line 1 is not of the form NAME=value'],
    ['PLINTH_A="x\nPLINTH_B=1', 'line 1 (PLINTH_A) has a quote that is not closed'],
    ['PLINTH_A=-----BEGIN KEY-----\nMIIEvQ\n', 'line 2 is not of the form NAME=value'],
    ['PLINTH_A="1\n2"\nexport x', 'line 3 is not of the form NAME=value'],
  ]
  for (const [text, fault] of refused) {
    const dir = await write(text)
    for (const _ of ['once', 'and again'])
      await t.rejects(loadConfig(dir, 'api'), { code: 'PLINTH_CONFIG_ENV', message: `${dir}/.env: ${fault}` })
  }
  const fine = [
    '',
    '# PLINTH_C: 1',
    'export PLINTH_C=1',
    ' PLINTH_C = 1 # c',
    'PLINTH_C="1\n2" # c',
    "PLINTH_C='it''s'",
  ]
  for (const text of [...fine, 'PLINTH_C=', 'PLINTH_C=a\r\nPLINTH.D-E=`x`\r\n', `\uFEFFPLINTH_C=1`])
    t.same(await loadConfig(await write(text), 'api'), {}, text)
  t.teardown(() => {
    for (const name of ['PLINTH_C', 'PLINTH.D-E']) delete process.env[name]
  })
  t.equal(process.env['PLINTH.D-E'], 'x')
})

t.test('createKernel({ pluggins }), and settings of a plugin that do not stand below config', async t => {
  t.match(await refusal(t, {}, { pluggins: {} } as KernelOptions), {
    code: 'PLINTH_OPTION_UNKNOWN',
    message: 'createKernel: the option pluggins is not known, did you mean "plugins"?',
  })
  t.match(await refusal(t, {}, { config: { plugins: {} } } as KernelOptions), {
    message: 'the option config: the option plugins is not known; the known names are server, api',
  })
  t.match(await refusal(t, {}, { config: { api: 5 } } as never), {
    code: 'PLINTH_CONFIG_INVALID',
    message: 'the option config: api must be an object of settings',
  })
  await t.rejects(
    createKernel({ config: { api: { responces: {} } } }),
    { message: 'config/api: responces is not known, did you mean "responses"?' },
    'also without a folder',
  )
  t.match(await refusal(t, { 'config/plugins.json': { lamp: { maxLimit: 50 } } }), {
    code: 'PLINTH_PLUGIN_CONFIG',
    message: 'config/plugins: lamp: maxLimit is not known; the settings of a plugin belong below config',
  })
})

t.test('createKernel({ maxPlans: 0 }), createKernel({ logger: true })', async t => {
  const code = 'PLINTH_OPTION_INVALID'
  t.same(await refusal(t, {}, { database: memory, maxPlans: 0 }), {
    code,
    message: 'createKernel: maxPlans must be a whole number of at least 1, not 0',
  })
  t.same(await refusal(t, {}, { database: memory, logger: true as never }), {
    code,
    message: 'createKernel: logger must be an object with info, warn, error, not true',
  })
})

t.test('DATABASE_* are read without config/database', async t => {
  const dir = await folder(t, {})
  process.env.DATABASE_FILENAME = 'elsewhere.db'
  t.teardown(() => delete process.env.DATABASE_FILENAME)
  const kernel = await createKernel({ dir })
  t.teardown(() => kernel.close())
  t.equal((await kernel.knex.raw('PRAGMA database_list'))[0].file.split('/').at(-1), 'elsewhere.db')
})

t.test('config/database: client alone, and a connection string: the message says what is not set', async t => {
  const refused = async (connection: object) =>
    (await refusal(t, { 'config/database.json': { client: 'postgres', connection } }, {})).message
  t.match(
    await refused({ port: 9 }),
    /^config\/database: cannot open the postgres database "" at 127\.0\.0\.1:9 without a user \(not set: connection\.database or DATABASE_NAME, connection\.user or DATABASE_USERNAME\): connect/,
  )
  t.match(await refused({ port: 9, user: 'me' }), / as me \(not set: connection\.database or DATABASE_NAME\): connect/)
  const url = await refused({ connectionString: 'postgres://me:s3cret@127.0.0.1:9/site' })
  t.match(url, /^config\/database: cannot open the postgres database "site" at 127\.0\.0\.1:9 as me: connect/)
  t.notMatch(url, 's3cret')
})
