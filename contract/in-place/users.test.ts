/**
 * The users of v4's database log in with their passwords, keep the rights of their roles, and their rows keep what v4
 * wrote (B-6.15, B-6.20, B-6.44, B-6.51; security.md row 63). The hashes are those that a real v4 stored.
 */

import { createHmac } from 'node:crypto'
import { createServer } from '@plinth/server'
import type { OpenConnection } from '@plinth/test-tools/connections'
import type { TestDatabase } from '@plinth/test-tools/databases'
import { onEach } from '@plinth/test-tools/on-each'
import { copyDatabase, project } from '@plinth/test-tools/recordings'
import { takeSnapshot } from '@plinth/test-tools/snapshot'
import type { Test } from 'tap'
import { plugins } from './plugins.ts'

/** The passwords are in the README of the recording. */
const passwordOf = (name: string) => `${name}-secret-1`
const names = ['emma', 'edgar', 'alice', 'bruno', 'carla', 'guest']

/** The secret under which v4 issued tokens, from config/plugins.js of the project. */
const jwtSecret = 'v4-database-jwt-secret'

/** A token as v4 signs it, made without the library that Plinth uses. */
function tokenOfV4(id: number): string {
  const iat = Math.floor(Date.now() / 1000) - 3600
  const parts = [
    { alg: 'HS256', typ: 'JWT' },
    { id, iat, exp: iat + 30 * 86_400 },
  ]
  const text = parts.map(part => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${text}.${createHmac('sha256', jwtSecret).update(text).digest('base64url')}`
}

async function serve(t: Test, database: TestDatabase, config: object = {}) {
  const settings = {
    ...plugins,
    'api-tokens': true,
    'users-permissions': { config: { jwtSecret, ratelimit: { enabled: false }, ...config } },
  }
  const app = await createServer({ dir: project, database: database.config, plugins: settings, logger: false })
  t.teardown(() => app.close())
  const send = async (method: 'GET' | 'POST' | 'DELETE', path: string, token: string | null, payload?: object) => {
    const headers = token === null ? {} : { authorization: `Bearer ${token}` }
    const answer = await app.inject({ method, url: `/api/${path}`, headers, ...(payload && { payload }) })
    const isJson = String(answer.headers['content-type']).includes('json')
    return { status: answer.statusCode, body: isJson ? JSON.parse(answer.payload) : null }
  }
  const logIn = (identifier: string, password: string) => send('POST', 'auth/local', null, { identifier, password })
  return { app, send, logIn }
}

/** The rows of users as text, without the column that Plinth adds. */
async function readUsers(opened: OpenConnection): Promise<Record<string, unknown>[]> {
  const rows = await opened.all('SELECT * FROM up_users ORDER BY id')
  return rows.map(({ tokens_valid_from: _, ...row }) => row)
}

const withoutHash = ({ password: _, ...row }: Record<string, unknown>) => row

await onEach('the users of a v4 database log in', async (t, client) => {
  const database = await copyDatabase(client)
  t.teardown(() => database.drop())
  const opened = await database.open()
  const before = await readUsers(opened)
  const tables = await takeSnapshot(database)
  const { app, send, logIn } = await serve(t, database)
  t.teardown(() => opened.close())

  const tokens = new Map<string, string>()
  for (const name of ['emma', 'edgar', 'alice', 'bruno']) {
    const { status, body } = await logIn(name, passwordOf(name))
    t.equal(status, 200, name)
    t.match(body, { user: { username: name, confirmed: true, blocked: false } })
    tokens.set(name, body.jwt)
  }
  t.equal((await logIn('bruno.b@plinth.test', passwordOf('bruno'))).status, 200, 'by an address, too')
  t.match(await logIn('carla', passwordOf('carla')), { status: 400, body: { error: { message: /blocked/ } } })
  t.match(await logIn('carla', passwordOf('emma')), { status: 400, body: { error: { message: /Invalid identifier/ } } })
  // v4 lets users log in whose address is not confirmed, unless its setting says otherwise.
  t.equal((await logIn('guest', passwordOf('guest'))).status, 200)
  for (const name of names) t.equal((await logIn(name, passwordOf('nobody'))).status, 400, `${name}, wrong password`)

  t.test('with the permissions that v4 stored for their roles', async t => {
    const [emma, alice] = [tokens.get('emma')!, tokens.get('alice')!]
    t.match((await send('GET', 'users/me', alice)).body, { username: 'alice', email: 'alice@plinth.test' })
    t.equal((await send('GET', 'tags', null)).status, 200, 'public: tags')
    t.equal((await send('GET', 'orders', null)).status, 403, 'public: no orders')
    t.equal((await send('GET', 'orders', alice)).status, 200, 'authenticated: orders')
    t.equal((await send('GET', 'specimens', alice)).status, 403, 'authenticated: no specimens')
    t.equal((await send('GET', 'users', alice)).status, 403, 'authenticated: no users')
    t.equal((await send('POST', 'tags', alice, { data: { label: 'x' } })).status, 403, 'authenticated: writes no tags')
    t.equal((await send('GET', 'specimens', emma)).status, 200, 'editor: specimens')
    t.equal((await send('GET', 'users', emma)).body.length, names.length, 'editor: users')
    t.equal((await send('GET', 'users-permissions/roles', emma)).status, 200, 'editor: roles')
    t.equal((await send('DELETE', 'users/7', emma)).status, 403, 'editor: deletes no users')
    const made = await send('POST', 'tags', emma, { data: { label: 'of emma' } })
    t.equal(made.status, 200, 'editor: writes tags')
    t.equal((await send('DELETE', `tags/${made.body.data.id}`, emma)).status, 200)
  })

  t.test('also by tokens that v4 issued', async t => {
    t.match((await send('GET', 'users/me', tokenOfV4(4))).body, { id: 4, username: 'alice' })
    t.equal((await send('GET', 'users/me', tokenOfV4(6))).status, 401, 'not for a blocked user')
    t.equal((await send('GET', 'users/me', tokenOfV4(2))).status, 401, 'nor for one that v4 deleted')
  })

  t.test('beside the API tokens of v4', async t => {
    t.equal((await send('GET', 'tags', 'reader-0f3a9c41d2b84e6fa1c7')).status, 200)
    t.equal((await send('GET', 'specimens', 'reader-0f3a9c41d2b84e6fa1c7')).status, 200, 'the rights are the token’s')
    const me = await send('GET', 'users/me', 'writer-7be2d05f9a6341c8b3d4')
    const error = { status: 401, name: 'UnauthorizedError', message: 'Unauthorized', details: {} }
    t.same(me, { status: 401, body: { data: null, error } }, 'a token is no user')
  })

  t.test('and their rows change by nothing but the algorithm of the hash', async t => {
    // What follows an answer has been done when a server has closed.
    await app.close()
    const after = await readUsers(opened)
    t.same(after.map(withoutHash), before.map(withoutHash))
    const upgraded = after.filter(row => String(row.password).startsWith('$scrypt$')).map(row => row.username)
    t.same(upgraded, ['emma', 'edgar', 'alice', 'bruno', 'guest'], 'whose password was right')
    const carla = (rows: readonly Record<string, unknown>[]) => rows.find(row => row.username === 'carla')?.password
    t.equal(carla(after), carla(before), 'a blocked user keeps the hash of v4')
    const now = await takeSnapshot(database)
    for (const table of ['up_roles', 'up_permissions', 'up_permissions_role_links', 'up_users_role_links'])
      t.same(now.get(table)?.rows, tables.get(table)?.rows, table)
  })

  t.test('the next time, by the new hashes', async t => {
    const { logIn } = await serve(t, database)
    for (const name of ['emma', 'guest']) t.equal((await logIn(name, passwordOf(name))).status, 200, name)
    t.equal((await logIn('emma', passwordOf('edgar'))).status, 400)
  })
})

await onEach('the hashes of a v4 database stay bcrypt if v4 runs beside it', async (t, client) => {
  const database = await copyDatabase(client)
  t.teardown(() => database.drop())
  const opened = await database.open()
  const before = await readUsers(opened)
  const { app, logIn } = await serve(t, database, { passwords: { algorithm: 'bcrypt' } })
  t.teardown(() => opened.close())
  for (const name of ['emma', 'edgar', 'alice', 'bruno', 'guest'])
    t.equal((await logIn(name, passwordOf(name))).status, 200, name)
  await app.close()
  t.same(await readUsers(opened), before, 'rows are as they were')
})
