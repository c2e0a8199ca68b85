// 405 and Allow for every route, also for those of plugins (B-1.16, B-1.31 to B-1.36).

import { definePlugin } from '@plinth/kernel'
import t from 'tap'
import { start } from './fixtures/boot.ts'

const routes = definePlugin({
  name: 'routes',
  // Before REST: the order of plugins does not matter.
  register({ kernel }) {
    kernel.hooks.on('onMount', app => {
      app.post('/api/tags/:id/copies', () => ({}))
      app.get('/api/re/:id(^\\d+$)', () => ({}))
      app.route({ method: ['PUT', 'PATCH'], url: '/api/files/*', handler: () => ({}) })
    })
  },
})

t.test('a path with other methods is answered 405 with Allow', async t => {
  const { app } = await start(t, { plugins: { routes: { plugin: routes } } })
  for (const [method, url, allow] of [
    ['PUT', '/api/tags/1/copies', 'POST'],
    ['DELETE', '/api/Tags/a%20b/copies/?x=1', 'POST'],
    ['OPTIONS', '/api/tags/1/copies', 'POST'],
    ['POST', '/api/tags/1', 'HEAD, GET, PUT, DELETE'],
    ['PATCH', '/api/tags/', 'HEAD, GET, POST'],
    ['POST', '/api/re/12', 'HEAD, GET'],
    ['POST', '/api/files/a/b', 'PUT, PATCH'],
    ['PUT', '/api/nothing/at/all', 'HEAD, GET'],
  ] as const) {
    const answer = await app.inject({ method, url })
    t.equal(answer.headers.allow, allow, `${method} ${url}`)
    t.equal(answer.statusCode, method === 'OPTIONS' ? 200 : 405)
  }
  t.equal((await app.inject('/api/tags/1/copies')).statusCode, 404)
})

t.test('the health check answers every method', async t => {
  const { app } = await start(t)
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
    const headers = { 'content-type': 'application/json', authorization: 'Bearer x' }
    const answer = await app.inject({
      method,
      url: '/_health',
      headers,
      ...(method === 'POST' ? { payload: '{' } : {}),
    })
    t.equal(answer.statusCode, 204, method)
    t.equal(answer.headers.strapi, 'You are so French!')
    t.equal(answer.payload, '')
  }
})
