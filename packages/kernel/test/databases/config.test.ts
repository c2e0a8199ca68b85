// config/database: v4's form, its variables, and the error if no database answers (B-10.42, security.md F7).

import { existsSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { resolveDatabase } from '../../src/databases/config.ts'
import { defineDatabase } from '../../src/databases/definition.ts'
import { createKernel } from '../../src/index.ts'
import { folder, temporary, thrown } from '../fixtures/boot.ts'

/** The settings with which a database would be opened, with the name of its definition and the name in them. */
async function resolved(config: unknown, dir = '.') {
  const { definition, settings } = await resolveDatabase(config, dir)
  return { client: definition.name, name: definition.databaseName(settings), ...settings }
}

function variables(t: Test, values: Readonly<Record<string, string>>): void {
  const before = { ...process.env }
  for (const name of Object.keys(process.env)) if (name.startsWith('DATABASE_')) delete process.env[name]
  Object.assign(process.env, values)
  t.teardown(() => {
    for (const name of Object.keys(values)) delete process.env[name]
    Object.assign(process.env, before)
  })
}

t.test('without configuration the database is a file of SQLite', async t => {
  variables(t, {})
  const dir = await temporary(t)
  t.match(await resolved(undefined, dir), { client: 'sqlite', name: join(dir, '.data/plinth.db') })
  t.match(await resolved({ connection: { client: 'sqlite', connection: { filename: 'a/b.db' } } }, dir), {
    name: join(dir, 'a/b.db'),
  })
  t.match(await resolved({ client: 'better-sqlite3', connection: { filename: ':memory:' } }, dir), {
    name: ':memory:',
  })
})

t.test("v4's form of the file, completed by its variables", async t => {
  variables(t, { DATABASE_HOST: 'db.test', DATABASE_NAME: 'site', DATABASE_USERNAME: 'me', DATABASE_PASSWORD: 'x' })
  const given = { connection: { client: 'mysql2', connection: { host: 'other.test' }, pool: { max: 4 } } }
  t.match(await resolved(given), {
    client: 'mysql',
    connection: { host: 'other.test', port: 3306, database: 'site', user: 'me', password: 'x' },
    pool: { min: 0, max: 4 },
    acquireTimeout: 5000,
    rememberTotals: false,
  })
  t.match(await resolved({ client: 'pg', connection: { schema: 'cms' }, acquireConnectionTimeout: 700 }), {
    client: 'postgres',
    connection: { host: 'db.test', port: 5432, schema: 'cms' },
    acquireTimeout: 700,
  })
})

t.test('DATABASE_CLIENT chooses the client', async t => {
  variables(t, { DATABASE_CLIENT: 'postgres', DATABASE_SSL: 'true', DATABASE_PORT: '6543' })
  t.match(await resolved(undefined), {
    client: 'postgres',
    connection: { port: 6543, ssl: { rejectUnauthorized: true } },
  })
})

t.test('an unknown client is refused with the nearest name', async t => {
  await t.rejects(resolved({ client: 'postgrs' }), /client "postgrs" is not known, did you mean "postgres"\?/)
  await t.rejects(resolved({ client: 'oracle' }), /the known names are sqlite, mysql, postgres, and those of packages/)
  await t.rejects(resolved({ client: '../sqlite' }), { code: 'PLINTH_CONFIG_INVALID' })
})

t.test('an unknown key is refused with its path and the nearest key', async t => {
  variables(t, {})
  const rows: readonly (readonly [config: unknown, message: string])[] = [
    [{ conection: { filename: 'a.db' } }, 'conection is not known, did you mean "connection"?'],
    [{ connection: { filname: 'a.db' } }, 'connection.filname is not known, did you mean "filename"?'],
    [{ connection: { file: 'a.db' } }, 'connection.file is not known, did you mean "filename"?'],
    [
      { connection: { client: 'sqlite', conection: {} } },
      'connection.conection is not known, did you mean "connection"?',
    ],
    [
      { connection: { client: 'sqlite', connection: { filname: 'a.db' } } },
      'connection.connection.filname is not known, did you mean "filename"?',
    ],
    [{ client: 'pg', connection: { hots: 'x' } }, 'connection.hots is not known, did you mean "host"?'],
    [{ client: 'pg', connection: { username: 'x' } }, 'connection.username is not known, did you mean "user"?'],
    [{ client: 'pg', host: 'x' }, 'host is not known here; it belongs below connection'],
    [{ filename: 'a.db' }, 'filename is not known here; it belongs below connection'],
    [
      { connection: { client: 'pg', host: 'x' } },
      'connection.host is not known here; it belongs below connection.connection',
    ],
    [{ connection: 'postgres://me@db.test/site' }, 'connection must be an object'],
    [{ client: 'pg', pool: { mx: 4 } }, 'pool.mx is not known, did you mean "max"?'],
    [{ lockTimout: 5 }, 'lockTimout is not known, did you mean "lockTimeout"?'],
  ]
  for (const [config, message] of rows)
    await t.rejects(resolved(config), { name: 'StartError', message: `config/database: ${message}` })
  await t.rejects(resolved([]), { message: 'config/database: must be an object' })
})

t.test('a misspelt file does not start with the default database', async t => {
  const dir = await folder(t, { 'config/databse.json': { connection: { filename: 'a.db' } } })
  await t.rejects(createKernel({ dir }), { message: /^config\/databse.json: is not read, did you mean/ })
  t.notOk(existsSync(join(dir, '.data')))
})

t.test('keys of v4 and of the drivers are accepted', async t => {
  variables(t, { DATABASE_CLIENT: 'postgres' })
  const connection = { host: 'db.test', application_name: 'site', keepAlive: true }
  const inner = { connection, pool: { min: 1, idleTimeoutMillis: 5 }, acquireConnectionTimeout: 700, debug: false }
  const given = { connection: { ...inner, useNullAsDefault: true }, settings: { forceMigration: true } }
  t.match(
    await resolved(given),
    { client: 'postgres', connection, acquireTimeout: 700, pool: { min: 1 } },
    "v4's shape without a client, which the environment names",
  )
  t.match(await resolved({ client: 'sqlite', connection: { filename: '/a.db', host: 'x' } }), {
    name: '/a.db',
  })
  const tooDeep = { filename: '/a.db', useNullAsDefault: true, asyncStackTraces: false }
  t.match(await resolved({ client: 'sqlite', connection: tooDeep }), { name: '/a.db' }, 'of knex')
})

t.test('MySQL needs the name of a database', async t => {
  variables(t, { DATABASE_CLIENT: 'mysql' })
  await t.rejects(createKernel(), {
    name: 'StartError',
    message: /the name of the database is missing; .* DATABASE_NAME/,
  })
})

t.test('the error of a database that does not open names its address without the password', async t => {
  for (const client of ['mysql', 'postgres']) {
    const connection = { host: '127.0.0.1', port: 9, user: 'me', password: 'secret-word', database: 'site' }
    const printed = t.capture(console, 'warn')
    const logged = t.capture(console, 'log')
    const { name, message } = await thrown(t, () => createKernel({ database: { client, connection } }))
    t.same([...printed(), ...logged()], [], 'and only once')
    t.equal(name, 'DatabaseConnectionError')
    t.match(message, `cannot open the ${client} database "site" at 127.0.0.1:9 as me: connect ECONNREFUSED`)
    t.notMatch(message, /secret-word/)
  }
  const connection = { host: '127.0.0.1', port: 9, user: 'me', database: 'site', schema: 'tenant' }
  const { message: ofSchema } = await thrown(t, () => createKernel({ database: { client: 'postgres', connection } }))
  t.match(ofSchema, 'the postgres database "site", schema "tenant", at 127.0.0.1:9 as me: connect')
  const dir = await temporary(t)
  await chmod(dir, 0o500)
  const filename = join(dir, 'none', 'data.db')
  const database = { client: 'sqlite', connection: { filename: process.getuid?.() === 0 ? dir : filename } }
  const { message } = await thrown(t, () => createKernel({ database }))
  t.match(message, /cannot open|EACCES/)
})

t.test('a value that its key cannot have is refused', async t => {
  variables(t, { DATABASE_CLIENT: 'mysql', DATABASE_NAME: 'site' })
  const refused: readonly (readonly [config: object, message: string])[] = [
    [{ synchronous: 'ful' }, 'synchronous "ful" is not known, did you mean "full"?'],
    [{ acquireTimeout: '5s' }, 'acquireTimeout must be a whole number of milliseconds, found "5s"'],
    [{ acquireConnectionTimeout: -1 }, 'acquireConnectionTimeout must be a whole number of milliseconds, found -1'],
    [{ pool: { max: '10' } }, 'pool.max must be a whole number of connections, at least 1, found "10"'],
    [{ pool: { max: 0 } }, 'pool.max must be a whole number of connections, at least 1, found 0'],
    [{ pool: { min: 20 } }, 'pool.min must be at most pool.max, which is 10'],
    [{ pool: { min: Number.NaN } }, 'pool.min must be a whole number of connections, found NaN'],
    [{ rememberTotals: 'no' }, 'rememberTotals must be true or false, found "no"'],
    [{ consistentReads: 1 }, 'consistentReads must be true or false, found 1'],
    [{ connection: { port: 'abc' } }, 'connection.port must be a number from 1 to 65535, found "abc"'],
    [{ connection: { port: Number.NaN } }, 'connection.port must be a number from 1 to 65535, found null'],
    [{ connection: { client: 'mysql', pool: { max: 1.5 } } }, 'pool.max must be a whole number of connections'],
  ]
  for (const [config, message] of refused) {
    const error = await thrown(t, () => resolved(config))
    t.match(error, { code: 'PLINTH_CONFIG_INVALID' }, message)
    t.ok(String(error.message).startsWith(`config/database: ${message}`), `${message}: ${error.message}`)
  }
  const accepted = { pool: { min: 2, max: 2 }, acquireTimeout: 0, rememberTotals: true, connection: { port: '3307' } }
  t.match(await resolved({ ...accepted, consistentReads: false }), { ...accepted, consistentReads: false })
  t.match(await resolved(accepted), { ...accepted, client: 'mysql' })
})

t.test('a variable that cannot be meant is refused, and an empty one is not set', async t => {
  const refused: readonly (readonly [name: string, value: string, expected: string])[] = [
    ['DATABASE_PORT', 'abc', 'a number from 1 to 65535'],
    ['DATABASE_PORT', '0', 'a number from 1 to 65535'],
    ['DATABASE_SSL', '1', 'true or false'],
    ['DATABASE_SSL_REJECT_UNAUTHORIZED', 'no', 'true or false'],
  ]
  for (const [name, value, expected] of refused)
    await t.test(`${name}=${value}`, async t => {
      variables(t, { DATABASE_CLIENT: 'postgres', [name]: value })
      t.match(await thrown(t, () => resolved(undefined)), {
        code: 'PLINTH_CONFIG_INVALID',
        message: `${name} must be ${expected}, found "${value}"`,
      })
    })
  const empty = { CLIENT: '', HOST: '', PORT: '', NAME: '', USERNAME: '', SSL: '', SCHEMA: '', FILENAME: '' }
  variables(t, Object.fromEntries(Object.entries(empty).map(([name, value]) => [`DATABASE_${name}`, value])))
  const dir = await temporary(t)
  t.match(await resolved(undefined, dir), { client: 'sqlite', name: join(dir, '.data/plinth.db') })
  t.same((await resolved({ client: 'postgres' })).connection, { host: '127.0.0.1', port: 5432 })
})

t.test('a definition of a database is checked', async t => {
  const definition = {
    name: 'other',
    connection: { properties: {} },
    databaseName: () => 'a',
    place: () => 'a',
    storesLocalTimes: false,
    open: () => ({}) as never,
  }
  t.same(defineDatabase(definition), { database: definition })
  const refused: readonly (readonly [part: object, message: string])[] = [
    [{ name: 'Other' }, 'Other: name must be a text of small letters, digits and "-", such as libsql'],
    [{ connection: {} }, 'other: connection must be a JSON schema with properties'],
    [{ open: undefined }, 'other: open is missing'],
    [{ place: 'a' }, 'other: place must be a function'],
    [{ opn: 1 }, 'other: opn is not known, did you mean "open"?'],
  ]
  for (const [part, message] of refused)
    t.throws(() => defineDatabase({ ...definition, ...part }), {
      code: 'PLINTH_DEFINITION_INVALID',
      message: `defineDatabase: ${message}`,
    })
})
