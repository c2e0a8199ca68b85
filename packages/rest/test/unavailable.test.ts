// A database that cannot be reached for now: 503 with Retry-After, in the envelope, without its words (security.md F4).

import { setTimeout as sleep } from 'node:timers/promises'
import { createServer } from '@plinth/kernel/server'
import t from 'tap'

const page = {
  kind: 'collectionType',
  collectionName: 'pages',
  info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
  attributes: { title: { type: 'string' } },
}

t.test('no connection within the acquire timeout', async t => {
  const folder = t.testdir()
  const app = await createServer({
    database: { client: 'sqlite', connection: { filename: `${folder}/data.db` }, acquireTimeout: 100 },
    contentTypes: [{ uid: 'api::page.page', ...page }],
    plugins: { rest: true },
    logger: false,
  })
  t.teardown(() => app.close())
  await app.ready()
  const held = app.kernel.transaction(() => sleep(400))
  await sleep(20)
  const payload = { data: { title: 'late' } }
  const began = Date.now()
  const response = await app.inject({ method: 'POST', url: '/api/pages', payload })
  t.ok(Date.now() - began < 380, 'before the other ends')
  t.equal(response.statusCode, 503)
  t.equal(response.headers['retry-after'], '1')
  t.match(response.json(), { data: null, error: { status: 503, name: 'ServiceUnavailableError' } })
  t.equal((await app.inject('/api/pages')).statusCode, 200, 'readers need no writer')
  await held
  t.equal((await app.inject({ method: 'POST', url: '/api/pages', payload })).statusCode, 200)
})
