// Multipart bodies (B-4.80, B-4.81): `data` is an entry, files are refused as long as no plugin stores them.

import { type AddressInfo, connect } from 'node:net'
import t from 'tap'
import { start, type } from './fixtures/boot.ts'
import { contentType, encode, type Part } from './fixtures/multipart.ts'

const posts = type('post', { label: { type: 'string' }, payload: { type: 'json' } })

t.test('multipart', async t => {
  const { app, of } = await start(t, { contentTypes: [posts], config: { body: { jsonLimit: '20kb' } } })
  const headers = { 'content-type': contentType }
  const send = (payload: readonly Part[] | Buffer, method: 'POST' | 'PUT' = 'POST') => {
    const url = method === 'PUT' ? '/api/posts/1' : '/api/posts'
    return app.inject({ method, url, headers, payload: Buffer.isBuffer(payload) ? payload : encode(payload) })
  }

  t.test('the entry in `data`', async t => {
    const made = await send([
      ['data', '{"label":"mp ü😀","payload":[1]}'],
      ['other', 'x'],
    ])
    t.equal(made.statusCode, 200)
    t.match(made.json().data, { id: 1, attributes: { label: 'mp ü😀', payload: [1] } })
    t.match((await send([['data', '{"label":"b"}']], 'PUT')).json().data, { id: 1, attributes: { label: 'b' } })
    const empty = await send([
      ['data', '{"label":"c"}'],
      ['files.cover', '', ''],
    ])
    t.equal(empty.statusCode, 200, 'a form whose input for files is empty')
    const form = new FormData()
    form.append('data', '{"label":"d"}')
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    const fetched = await fetch(`${address}/api/posts`, { method: 'POST', body: form })
    t.match(await fetched.json(), { data: { attributes: { label: 'd' } } })
  })

  t.test('refused', async t => {
    const before = await of('post').count()
    const good: Part = ['data', '{"label":"x"}']
    const many: Part[] = Array.from({ length: 1001 }, (_, i) => [`f${i}`, 'x'])
    const cases: [readonly Part[] | Buffer, status: number, words: RegExp][] = [
      [[good, ['files.cover', 'png', 'a.png']], 400, /files\.cover cannot be stored.*no plugin for files/],
      [[['files.seo.image', 'png', ''], good], 400, /files\.seo\.image cannot be stored/],
      [[['files.cover', 'x'.repeat(500_000), 'a.png'], good], 400, /files\.cover/],
      [[good, ['cover', 'png', 'a.png']], 400, /prefixing them with the 'files'\.\\nFor example/],
      [[], 400, /Missing \\"data\\" payload/],
      [[['label', 'x']], 400, /Missing \\"data\\" payload/],
      [[['data', '']], 400, /Missing \\"data\\" payload/],
      [[['data', 'x']], 400, /SyntaxError/],
      [[['data', '"x"']], 400, /only supports object and array/],
      [[['data', '{"data":{"label":"x"},"__proto__":{}}']], 400, /__proto__|forbidden/],
      [[['data', Buffer.from('{"label":"\xff"}', 'latin1')]], 400, /UTF-8/],
      [[['data', '{"label":"\\u0000"}']], 400, /NUL/],
      [[good, good], 400, /more than once/],
      [[['data', `{"label":"${'x'.repeat(30_000)}"}`]], 413, /request entity too large/],
      [[...many, good], 400, /has more than 1000 parts/],
      [encode([good], ''), 400, /Invalid multipart body/],
      [encode([['data', '{"label"']], '').subarray(0, -2), 400, /Invalid multipart body/],
      [Buffer.from('garbage'), 400, /Invalid multipart body/],
      [Buffer.alloc(0), 400, /multipart|Missing/],
    ]
    for (const [parts, status, words] of cases) {
      const answer = await send(parts)
      t.equal(answer.statusCode, status, String(words))
      t.match(answer.payload, words)
      t.match(answer.json(), { data: null, error: { status } })
    }
    const unbound = { 'content-type': 'multipart/form-data' }
    const answer = await app.inject({ method: 'POST', url: '/api/posts', headers: unbound, payload: encode([good]) })
    t.match(answer.json().error, { status: 400, message: /Boundary not found/ })
    t.equal(await of('post').count(), before, 'nothing was written')
  })

  t.test('a client that disconnects', async t => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    const head = `POST /api/posts HTTP/1.1\r\nHost: a\r\nContent-Type: ${contentType}\r\nContent-Length: 9999\r\n\r\n`
    socket.write(head)
    socket.write(encode([['data', '{"label":"half']], '').subarray(0, -2))
    await new Promise(done => setTimeout(done, 50))
    socket.destroy()
    await new Promise(done => setTimeout(done, 50))
    t.equal((await send([['data', '{"label":"next"}']])).statusCode, 200, 'does not affect other requests')
  })
})
