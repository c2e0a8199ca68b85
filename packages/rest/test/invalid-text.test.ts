// Text that cannot be stored as it was sent is refused with its path, in names and values (security.md row 41).

import t from 'tap'
import { start, type } from './fixtures/boot.ts'

const posts = type('post', { label: { type: 'string' }, payload: { type: 'json' } })

t.test('lone surrogates and NUL characters are refused', async t => {
  const { app, of } = await start(t, { contentTypes: [posts] })
  const send = (payload: string) =>
    app.inject({ method: 'POST', url: '/api/posts', headers: { 'content-type': 'application/json' }, payload })
  for (const half of ['\\ud800', '\\uD800', '\\uDFFF', '\\udc00x', '\\uDead\\uBEEF', '\\ude00\\ud83d', '\\u0000']) {
    for (const [body, path] of [
      [`{"data":{"label":"a${half}"}}`, 'data.label'],
      [`{"data":{"payload":{"a":["x","${half}"]}}}`, 'data.payload.a.1'],
      [`{"data":{"payload":{"${half}":1}}}`, 'data.payload'],
      [`{"data":{"label":"x","${half}":1}}`, 'data'],
    ] as const) {
      const answer = await send(body)
      t.equal(answer.statusCode, 400, body)
      t.match(answer.json().error, { name: 'ValidationError', details: { path } })
    }
  }
  t.equal(await of('post').count(), 0)
})

t.test('surrogate pairs are accepted, escaped or not', async t => {
  const { app } = await start(t, { contentTypes: [posts] })
  const label = '😀\ud7ff\ue000\\ud800'
  for (const text of [JSON.stringify(label), '"\\uD83D\\uDe00\\uD7FF\\uE000\\\\ud800"']) {
    const headers = { 'content-type': 'application/json' }
    const payload = `{"data":{"label":${text}}}`
    const answer = await app.inject({ method: 'POST', url: '/api/posts', headers, payload })
    t.equal(answer.json().data.attributes.label, label)
  }
})
