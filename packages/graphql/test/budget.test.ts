// The budget of bytes and GraphQL: a small question whose answer has no room is a 503, however it is answered; what has been
// written is told in any case.

import { budgetOf } from '@plinth/server/transport'
import t, { type Test } from 'tap'
import type { Middleware } from '../src/index.ts'
import { type as contentType, start } from './fixtures/extended.ts'

const kb = 1024
const mb = 1024 * kb

const texts = (count: number) => Array.from({ length: count }, (_, i) => `a${i}: text`).join(' ')
const list = (count: number) => `{ pages { data { attributes { ${texts(count)} } } } }`
const one = (count: number) => `{ page(id: 1) { data { attributes { ${texts(count)} } } } }`
const change = (count: number) =>
  `mutation { updatePage(id: 1, data: { views: 1 }) { data { attributes { ${texts(count)} } } } }`

const pass: Middleware = (next, ...args) => next(...args)

async function open(t: Test, isExecuted: boolean) {
  const server = await start(t, {
    contentTypes: [contentType('page', { text: { type: 'text' }, views: { type: 'integer' } })],
    extend: extension => {
      if (isExecuted)
        extension.use({
          resolversConfig: { 'Query.page': { middlewares: [pass] }, 'Query.pages': { middlewares: [pass] } },
        })
    },
  })
  for (let i = 0; i < 4; i++) await server.of('page').create({ data: { text: 'ü'.repeat(64 * kb), views: 0 } })
  const budget = budgetOf(server.app.kernel)
  // One caller may hold 6 MiB.
  Object.assign(budget, { limits: { large: 12 * mb, small: 4 * mb }, waitTimeout: 20 })
  const post = async (payload: object) => {
    const { statusCode, headers, body } = await server.app.inject({ method: 'POST', url: '/graphql', payload })
    return { status: statusCode, retryAfter: headers['retry-after'], body }
  }
  return { budget, post }
}

for (const isExecuted of [false, true])
  t.test(isExecuted ? 'executed answers' : 'written answers', async t => {
    const { budget, post } = await open(t, isExecuted)
    for (const [query, bytes] of [
      [list(8), 4 * mb],
      [one(40), 5 * mb],
    ] as const) {
      const { status, body } = await post({ query })
      t.equal(status, 200)
      t.notOk(JSON.parse(body).errors)
      t.ok(Buffer.byteLength(body) > bytes)
    }
    for (const query of [list(100), one(400)]) t.match(await post({ query }), { status: 503, retryAfter: '2' })
    t.ok(budget.refusals.answers >= 2)
    const changed = await post({ query: change(100) })
    t.equal(changed.status, 200, 'what a mutation has done is told')
    t.ok(changed.body.length > 6 * mb)
    const batch = await post([{ query: change(1) }, { query: list(100) }])
    t.equal(batch.status, 200)
    const [first, second] = JSON.parse(batch.body)
    t.ok(first.data.updatePage)
    t.match(second, { errors: [{ extensions: { error: { name: 'ServiceUnavailableError' } } }], data: null })
    t.match(await post([{ query: list(1) }, { query: list(100) }]), { status: 503, retryAfter: '2' })
    t.equal(budget.bytes, 0, 'nothing is held')
    // No room for rows.
    const other = budget.open('127.0.0.1')
    other.add('rows', 5 * mb)
    t.match(await post({ query: list(1) }), { status: 503, retryAfter: '2' })
    // Code that runs around a field receives whole entries.
    const { status } = await post({ query: '{ pages { data { id } } }' })
    t.equal(status, isExecuted ? 503 : 200, 'a small answer has')
    other.close()
    t.equal(budget.bytes, 0)
  })
