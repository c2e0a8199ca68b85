// A database that cannot be reached: 503 with Retry-After in v4's form of errors, without the message of the database
// (security.md F4).

import { createServer } from '@plinth/server'
import t from 'tap'

const page = {
  kind: 'collectionType',
  collectionName: 'pages',
  info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
  attributes: { title: { type: 'string' } },
}

t.test('no connection within acquireTimeout is a 503', async t => {
  const folder = t.testdir()
  const app = await createServer({
    database: { client: 'sqlite', connection: { filename: `${folder}/data.db` }, acquireTimeout: 100 },
    contentTypes: [{ uid: 'api::page.page', ...page }],
    plugins: { rest: true },
    logger: false,
  })
  t.teardown(() => app.close())
  await app.ready()
  let held: Promise<unknown> = Promise.resolve()
  let end = () => {}
  await new Promise<void>(begun => {
    held = app.kernel.transaction(() => {
      begun()
      return new Promise<void>(resolve => {
        end = resolve
      })
    })
  })
  const payload = { data: { title: 'late' } }
  const response = await app.inject({ method: 'POST', url: '/api/pages', payload })
  t.equal(response.statusCode, 503)
  t.equal(response.headers['retry-after'], '1')
  t.match(response.json(), { data: null, error: { status: 503, name: 'ServiceUnavailableError' } })
  t.equal((await app.inject('/api/pages')).statusCode, 200, 'readers need no writer')
  end()
  await held
  t.equal((await app.inject({ method: 'POST', url: '/api/pages', payload })).statusCode, 200)
})
