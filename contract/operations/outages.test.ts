/**
 * A database that is away under a server with every plugin, and with a stranger's: each kind of request is refused by a 503
 * with Retry-After, the log has one line for the state and none for a request, and the server recovers by itself
 * (security.md F3). On SQLite, whose file cannot be away, it is read-only.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { definePlugin, type Kernel } from '@plinth/kernel'
import { createServer } from '@plinth/server'
import type { TestDatabase } from '@plinth/test-tools/databases'
import { startProxy } from '@plinth/test-tools/proxy'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { fresh, testClient } from '../boot.ts'
import { everyPlugin } from '../every-plugin.ts'

/** Longer than users-permissions uses its roles without asking whether they have changed. */
const rolesAge = 4600

/** A plugin that was written without a thought of outages. */
const stranger = definePlugin({
  name: 'stranger',
  register({ kernel }) {
    kernel.hooks.on('onMount', app => {
      app.get('/stranger/rows', async () => kernel.knex('tags').select('id'))
      app.get('/stranger/raw', async () => kernel.knex.raw('SELECT COUNT(*) FROM tags'))
      app.post('/stranger/transaction', async () =>
        kernel.knex.transaction(async trx => trx('tags').update({ label: 'x' })),
      )
      app.post('/stranger/logging', async () => {
        try {
          return await kernel.transaction(async tx => tx.knex('tags').update({ label: 'y' }))
        } catch (error) {
          kernel.log.error(error, 'stranger: it did not work')
          throw error
        }
      })
    })
  },
})

const webhookEvents = ['entry.create', 'entry.update', 'entry.delete', 'media.create']

interface Line {
  readonly level: number
  readonly msg: string
}

async function open(t: Test, database: TestDatabase['config'], lines: Line[]): Promise<FastifyInstance> {
  const folder = await mkdtemp(join(tmpdir(), 'outage-'))
  const permissions = { public: ['api::*', 'plugin::upload.*', 'plugin::users-permissions.auth.*'] }
  const app = await createServer({
    dir: join(import.meta.dirname, '../app'),
    database: { ...database, pool: { min: 0, max: 4 }, acquireTimeout: 2000 },
    plugins: {
      ...(await everyPlugin({
        upload: { folder },
        'users-permissions': {
          ratelimit: { enabled: false },
          permissions: { ...permissions, authenticated: [...permissions.public, 'plugin::users-permissions.user.me'] },
        },
        metrics: { statements: true },
        webhooks: { hooks: { all: { url: 'https://203.0.113.1/', events: webhookEvents } } },
      })),
      stranger: { plugin: stranger },
    },
    logger: { level: 'warn', stream: { write: (line: string) => void lines.push(JSON.parse(line) as Line) } },
  })
  t.teardown(async () => {
    await app.close()
    await rm(folder, { recursive: true, force: true })
  })
  return app
}

/** The kinds of requests; `isWrite`: also refused by a database that is read-only. */
const requests = [
  ['GET', '/api/tags', false],
  ['GET', '/api/tags/1', false],
  ['GET', '/api/i18n/locales', false],
  ['GET', '/api/upload/files', false],
  ['GET', '/api/users/me', false],
  ['GET', '/api/content-type-builder/content-types', false],
  ['POST', '/api/tags', true, { data: { label: 'new' } }],
  ['PUT', '/api/tags/1', true, { data: { label: 'other' } }],
  ['DELETE', '/api/tags/999', false],
  ['POST', '/api/auth/local', false, { identifier: 'ann', password: 'ann-secret' }],
  ['POST', '/api/auth/local/register', true, { username: 'bob', email: 'bob@example.com', password: 'bob-secret' }],
  ['POST', '/graphql', false, { query: '{ tags { data { id } } }' }],
  ['POST', '/graphql', true, { query: 'mutation { createTag(data: { label: "g" }) { data { id } } }' }],
  ['GET', '/stranger/rows', false],
  ['GET', '/stranger/raw', false],
  ['POST', '/stranger/transaction', true],
  ['POST', '/stranger/logging', true],
] as const

/** Sends each kind of request, without a token, with one of a user, and with an Idempotency-Key. */
async function sendAll(t: Test, app: FastifyInstance, jwt: string, isAll: boolean): Promise<number> {
  const callers = {
    stranger: {},
    user: { authorization: `Bearer ${jwt}` },
    'API token': { authorization: `Bearer ${'x'.repeat(64)}` },
  }
  let refused = 0
  const refusedBy = async (
    headers: Record<string, string>,
    [method, url, isWrite, payload]: (typeof requests)[number],
    who: string,
  ) => {
    if (!isAll && !isWrite) return
    const answer = await app.inject({ method, url, headers, ...(payload !== undefined && { payload }) })
    const what = `${method} ${url}, ${who}`
    refused++
    // GraphQL answers the errors of fields by a 200.
    if (url === '/graphql' && answer.statusCode === 200)
      return t.match(answer.json(), { errors: [{ extensions: { error: { name: 'ServiceUnavailableError' } } }] }, what)
    t.equal(answer.statusCode, 503, `${what}: ${answer.payload.slice(0, 100)}`)
    t.match(answer.headers['retry-after'], /^\d+$/, what)
  }
  for (const request of requests) {
    for (const [who, headers] of Object.entries(callers)) {
      // A token that nobody has is a 401 as soon as the database can be asked.
      if (who === 'API token' && !isAll) continue
      if (request[1] === '/api/users/me' && who === 'stranger') continue
      await refusedBy(headers, request, who)
    }
    if (request[0] !== 'GET' && request[1].startsWith('/api/tags'))
      await refusedBy({ 'idempotency-key': `${request[0]}-1` }, request, 'with a key')
  }
  return refused
}

t.test('each kind of request, with and without a token', async t => {
  const lines: Line[] = []
  const database = await fresh(t)
  const isFile = testClient() === 'sqlite'
  const proxy = isFile ? null : await startProxy(t, database)
  const app = await open(t, proxy?.config ?? database.config, lines)
  const kernel = (app as unknown as { kernel: Kernel }).kernel
  const body = { username: 'ann', email: 'ann@example.com', password: 'ann-secret' }
  const { jwt } = (await app.inject({ method: 'POST', url: '/api/auth/local/register', payload: body })).json() as {
    jwt: string
  }
  t.equal((await app.inject({ method: 'POST', url: '/api/tags', payload: { data: { label: 'a' } } })).statusCode, 200)
  t.equal((await app.inject('/_health/ready')).statusCode, 204)
  lines.length = 0
  await sleep(rolesAge)
  if (proxy === null) await kernel.knex.raw('PRAGMA query_only = 1')
  else proxy.cut()
  const refused = (await sendAll(t, app, jwt, !isFile)) + (await sendAll(t, app, jwt, !isFile))
  const errors = lines.filter(line => line.level >= 50)
  t.match(errors, [{ msg: isFile ? /^The database is read-only: / : /^The database cannot be reached: / }])
  t.equal(errors.length, 1, 'one line for all')
  if (proxy !== null) {
    await sleep(1100)
    t.equal((await app.inject('/_health/ready')).statusCode, 503)
  }
  if (proxy === null) await kernel.knex.raw('PRAGMA query_only = 0')
  else proxy.mend()
  const isBack = async () => {
    const { statusCode } = await app.inject({ method: 'PUT', url: '/api/tags/1', payload: { data: { label: 'back' } } })
    const isReady = (await app.inject('/_health/ready')).statusCode === 204
    return statusCode === 200 && isReady && lines.some(line => /answers again/.test(line.msg))
  }
  while (!(await isBack())) await sleep(100)
  const [over] = lines.filter(line => /answers again/.test(line.msg))
  t.ok(Number(/ (\d+) requests were refused$/.exec(over!.msg)![1]) >= refused, `${over!.msg}, of ${refused}`)
  t.same(
    lines.filter(line => line.level >= 50),
    errors,
    'nothing else went wrong',
  )
  t.equal(
    (await app.inject({ method: 'GET', url: '/api/users/me', headers: { authorization: `Bearer ${jwt}` } })).statusCode,
    200,
  )
})
