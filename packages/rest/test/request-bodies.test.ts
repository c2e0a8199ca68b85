// Request bodies: which methods read them, and their limits (B-1.38, B-1.45 to B-1.47).

import t from 'tap'
import { start } from './fixtures/boot.ts'

t.test('bodies of DELETE, GET, HEAD and OPTIONS are ignored', async t => {
  const { app, of } = await start(t)
  for (const method of ['DELETE', 'GET', 'HEAD', 'OPTIONS'] as const) {
    for (const [type, payload] of [
      ['application/json', '{"data":'],
      ['application/json', 'null'],
      ['application/json', '\xff'],
      ['application/x-www-form-urlencoded', 'data[label]=%ff'],
      ['garbage', 'x'],
      ['multipart/form-data', 'x'],
      ['application/json', `"${'x'.repeat(2_000_000)}"`],
    ] as const) {
      const { id } = await of('tag').create({ data: { label: 'a' } })
      const url = method === 'OPTIONS' ? '/api/tags' : `/api/tags/${id}`
      const answer = await app.inject({ method, url, payload, headers: { 'content-type': type } })
      t.equal(answer.statusCode, 200, `${method} ${type} ${payload.slice(0, 20)}`)
    }
    const headers = { 'content-encoding': 'gzip', 'content-type': 'application/json' }
    const packed = await app.inject({ method, url: '/api/tags/1', payload: 'x', headers })
    t.ok([200, 404].includes(packed.statusCode), `${method} packed`)
  }
  const wrong = await app.inject({ method: 'DELETE', url: '/api/tags', payload: '{' })
  t.equal(wrong.statusCode, 405)
})

t.test('bodies of POST, PUT and PATCH are checked', async t => {
  const { app } = await start(t)
  for (const method of ['POST', 'PUT', 'PATCH'] as const) {
    for (const headers of [
      { 'content-type': 'application/json' },
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    ]) {
      const answer = await app.inject({ method, url: '/api/tags/1', payload: '{"data":', headers })
      t.equal(answer.statusCode, 'content-encoding' in headers ? 415 : 400, method)
    }
  }
})

t.test('limits', async t => {
  const sizes = {
    'application/json': 1024 ** 2,
    'application/x-www-form-urlencoded': 56 * 1024,
    'text/plain': 56 * 1024,
  }
  const body = { jsonLimit: 2000, formLimit: '3kb', textLimit: '4 KB' }
  const own = { 'application/json': 2000, 'application/x-www-form-urlencoded': 3072, 'text/plain': 4096 }
  for (const [config, limits] of [
    [{}, sizes],
    [{ body }, own],
  ] as const) {
    const { app } = await start(t, { config })
    for (const [type, limit] of Object.entries(limits)) {
      const send = (payload: string) =>
        app.inject({ method: 'POST', url: '/api/tags', headers: { 'content-type': type }, payload })
      const fitting = { 'application/json': '{"data":{"label":"a"}}', 'text/plain': '' }[type] ?? 'data[label]=a'
      const full = type === 'application/json' ? fitting.padEnd(limit) : `${fitting}&x=`.padEnd(limit, 'x')
      t.equal((await send(full)).statusCode, type === 'text/plain' ? 400 : 200, `${type} of ${limit}`)
      const answer = await send(`${full} `)
      t.equal(answer.statusCode, 413)
      t.match(answer.json().error, { name: 'PayloadTooLargeError', message: 'request entity too large' })
      t.notOk('details' in answer.json().error)
    }
    const other = { 'content-type': 'application/octet-stream' }
    const junk = await app.inject({ method: 'POST', url: '/api/tags', headers: other, payload: 'x'.repeat(2_000_000) })
    t.match(junk.json().error, { status: 400, message: 'Missing "data" payload in the request body' })
  }
})
