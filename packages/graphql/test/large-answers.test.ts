// Answers above 50 MiB: an error with both numbers in the place of the data, whether or not code runs in the operation.
// The answer to a mutation is sent, because it reports what has been written.

import t, { type Test } from 'tap'
import type { Middleware } from '../src/index.ts'
import { type as contentType, start } from './fixtures/extended.ts'

const limit = 50 * 1024 * 1024
const text = 'a'.repeat(1024 * 1024)

/** The text of the entry, so many times. */
const texts = (count: number) => Array.from({ length: count }, (_, i) => `a${i}: text`).join(' ')
const query = (count: number) => `{ page(id: 1) { data { attributes { ${texts(count)} } } } }`

const pass: Middleware = (next, ...args) => next(...args)

/** Whether the servers have code around the fields. */
const ways = {
  'without execution': false,
  executed: true,
}

async function open(t: Test, isExecuted: boolean) {
  const server = await start(t, {
    contentTypes: [contentType('page', { text: { type: 'text' }, views: { type: 'integer' } })],
    extend: extension => {
      if (!isExecuted) return
      const middlewares = [pass]
      extension.use({ resolversConfig: { 'Query.page': { middlewares }, 'Mutation.updatePage': { middlewares } } })
    },
  })
  await server.of('page').create({ data: { text, views: 0 } })
  const post = async (payload: object) => {
    const { statusCode, body } = await server.app.inject({ method: 'POST', url: '/graphql', payload })
    return { status: statusCode, length: body.length, body }
  }
  return { ...server, post }
}

const refused = (length: number) => ({
  errors: [
    {
      message: new RegExp(`^The answer would have about \\d+ bytes, but the limit is ${length}`),
      extensions: { code: 'BAD_USER_INPUT', error: { name: 'ValidationError' } },
    },
  ],
  data: null,
})

for (const [way, isExecuted] of Object.entries(ways)) {
  t.test(way, async t => {
    const { post, of } = await open(t, isExecuted)

    await t.test('a query', async t => {
      for (let i = 0; i < 3; i++) {
        const answer = await post({ query: query(51) })
        t.equal(answer.status, 200)
        t.match(JSON.parse(answer.body), refused(limit))
      }
      const most = await post({ query: query(49) })
      t.equal(most.status, 200)
      t.ok(most.length > 49 * text.length, 'below the limit it is answered')
    })

    await t.test('a batch is one answer', async t => {
      const { status, body } = await post([{ query: query(30) }, { query: query(30) }, { query: '{ __typename }' }])
      t.equal(status, 200)
      const [first, second, third] = JSON.parse(body)
      t.equal(first.data.page.data.attributes.a29.length, text.length)
      t.match(second, { errors: [{ message: /bytes, but the limit is \d+/ }], data: null })
      t.same(third, { data: { __typename: 'Query' } })
    })

    await t.test('a mutation', async t => {
      for (let views = 1; views <= 3; views++) {
        const mutation = `mutation { updatePage(id: 1, data: { views: ${views} }) { data { attributes { views ${texts(51)} } } } }`
        const answer = await post({ query: mutation })
        t.equal(answer.status, 200)
        t.ok(answer.length > limit)
        const { data, errors } = JSON.parse(answer.body)
        t.equal(errors, undefined)
        t.equal(data.updatePage.data.attributes.views, views)
        t.match(await of('page').findOne(1), { views })
      }
    })
  })
}
