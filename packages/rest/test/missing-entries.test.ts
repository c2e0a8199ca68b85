// Invalid ids: rights and query are checked first, as for valid ids (B-1.22, B-2.1).

import { definePlugin } from '@plinth/kernel'
import t from 'tap'
import { start, type } from './fixtures/boot.ts'

const readers = definePlugin({
  name: 'readers',
  register({ kernel }) {
    const access = { key: 'reader', user: null, can: (scope: string) => scope.endsWith('.find') }
    kernel.auth.use({ name: 'reader', authenticate: () => access })
  },
})
const data = { data: { label: 'x' } }

t.test('invalid ids are answered 404 after the query is checked', async t => {
  const { app } = await start(t)
  for (const id of ['abc', '1abc', '-1', '77']) {
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const payload = method === 'PUT' ? { payload: data } : {}
      for (const [query, status] of [
        ['', 404],
        ['?fields=label', 404],
        ['?fields=nope', 400],
      ] as const) {
        const answer = await app.inject({ method, url: `/api/tags/${id}${query}`, ...payload })
        t.equal(answer.statusCode, status, `${method} ${id}${query}`)
      }
    }
  }
})

t.test('a single type without an entry is answered 404', async t => {
  const home = { ...type('home', { label: { type: 'string' } }), kind: 'singleType' }
  const { app } = await start(t, { contentTypes: [home] })
  for (const method of ['GET', 'DELETE'] as const) {
    t.equal((await app.inject({ method, url: '/api/home' })).statusCode, 404, method)
    t.equal((await app.inject({ method, url: '/api/home?fields=nope' })).statusCode, 400, method)
  }
})

t.test('data that is missing is reported before any error of the query', async t => {
  const home = { ...type('home', { label: { type: 'string' } }), kind: 'singleType' }
  const { app } = await start(t, { contentTypes: [type('tag', { label: { type: 'string' } }), home] })
  for (const [method, url] of [
    ['POST', '/api/tags'],
    ['PUT', '/api/tags/1'],
    ['PUT', '/api/tags/abc'],
    ['PUT', '/api/home'],
  ] as const)
    for (const query of ['fields=nope', 'fields=%zz']) {
      const send = async (payload: object) =>
        (await app.inject({ method, url: `${url}?${query}`, payload })).json().error
      t.match(await send({}), { status: 400, message: /^Missing "data"/ }, `${method} ${url}?${query}`)
      t.match(await send(data), { status: 400, message: query.includes('nope') ? /nope/ : /query string/i })
    }
})

t.test('invalid ids without the right are answered 403', async t => {
  const { app } = await start(t, { plugins: { readers: { plugin: readers } } })
  for (const method of ['GET', 'PUT', 'DELETE'] as const) {
    const answer = await app.inject({ method, url: '/api/tags/abc', ...(method === 'PUT' ? { payload: data } : {}) })
    t.equal(answer.statusCode, 403, method)
  }
})
