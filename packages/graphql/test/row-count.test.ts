// The rows that the operations of a request fetch together (security.md rows 70 to 72): counted while they are read, whether
// the operation is executed or not.

import t, { type Test } from 'tap'
import { serve } from './fixtures/served.ts'

const maxRows = 100

/** Ten articles with 20 tags each. */
async function start(t: Test, isExecuted: boolean) {
  const app = await serve(t, { maxRows })
  const { kernel } = app
  const tags: number[] = []
  for (let i = 0; i < 20; i++) tags.push((await kernel.query('api::tag.tag').create({ data: { label: `t${i}` } })).id)
  for (let i = 0; i < 10; i++) await kernel.query('api::article.article').create({ data: { title: `a${i}`, tags } })
  // Hooks of mercurius see operations that are executed.
  if (isExecuted) app.app.graphql.addHook('onResolution', async () => {})
  return app
}

type Answer = Awaited<ReturnType<Awaited<ReturnType<typeof serve>>['ask']>>

function exceeded(t: Test, { status, body, text }: Answer) {
  const rows = maxRows + 1
  t.equal(status, 400)
  t.equal(body.data, undefined, 'without data')
  const message = new RegExp(`^Query too expensive: it fetches at least ${rows} rows, but the limit is ${maxRows}; `)
  t.match(body.errors, [{ message, extensions: { code: 'BAD_USER_INPUT', error: { details: { rows, maxRows } } } }])
  t.equal(body.errors?.length, 1)
  t.notMatch(text, /\bat .*\.ts|node_modules/)
}

const articles = (limit: number, below = 'tags(pagination: { limit: 100 }) { data { id } }') =>
  `articles(pagination: { limit: ${limit} }) { data { attributes { ${below} } } }`
const tags = (limit: number) => `tags(pagination: { limit: ${limit} }) { data { id } }`

for (const isExecuted of [false, true])
  t.test(isExecuted ? 'executed operations' : 'written operations', async t => {
    const { ask, post, kernel } = await start(t, isExecuted)

    t.test('one field of the root', async t => {
      t.equal((await ask(`{ ${articles(4)} }`)).status, 200, '4 and 80 rows')
      exceeded(t, await ask(`{ ${articles(5)} }`))
      const below = 'tags { data { attributes { articles { data { id } } } } }'
      exceeded(t, await ask(`{ ${articles(2, below)} }`))
    })

    t.test('exactly at the limit, and one row above, also if the operation comes again', async t => {
      for (let i = 0; i < 3; i++) {
        t.equal((await ask(`{ a: ${articles(4)} b: ${tags(16)} }`)).status, 200, '84 and 16 rows')
        exceeded(t, await ask(`{ a: ${articles(4)} b: ${tags(17)} }`))
      }
    })

    t.test('fields of the root that run side by side, one of which exceeds the limit alone', async t => {
      exceeded(t, await ask(`{ a: ${tags(20)} b: ${articles(10)} c: ${tags(19)} d: ${tags(18)} e: ${tags(17)} }`))
      t.equal(kernel.database.connections.busy, 0)
    })

    t.test('equal fields are read once', async t => {
      const equal = Array.from({ length: 10 }, (_, i) => `a${i}: ${tags(20)}`).join(' ')
      t.equal((await ask(`{ ${equal} }`)).status, 200)
    })

    t.test('the operations of a batch', async t => {
      const one = { query: `{ ${articles(4)} }` }
      t.equal((await post([one, one, one])).status, 200, 'equal queries are read once')
      exceeded(t, await post([one, { query: `{ ${tags(17)} }` }]))
      const create = { query: 'mutation { createTag(data: { label: "new" }) { data { id } } }' }
      exceeded(t, await post([one, { query: `{ ${tags(17)} }` }, create]))
      t.equal(await kernel.query('api::tag.tag').count(), 20, 'what follows has not run')
      const { status, body } = await post([create, one, { query: `{ ${tags(17)} }` }])
      t.equal(status, 200, 'what has run is answered')
      t.match(body, [{ data: {} }, { data: {} }, { errors: [{ extensions: { error: { details: { maxRows } } } }] }])
      t.equal(await kernel.query('api::tag.tag').count(), 21)
    })

    t.test('a mutation: the field that exceeds the limit writes nothing, and the others stay', async t => {
      const update = (id: number, shown: string) =>
        `u${id}: updateArticle(id: ${id}, data: { title: "changed" }) { data { attributes { title ${shown} } } }`
      const below =
        'tags(pagination: { limit: 20 }) { data { attributes { articles(pagination: { limit: 10 }) { data { id } } } } }'
      const { status, body } = await ask(`mutation { ${update(1, '')} ${update(2, below)} }`)
      t.equal(status, 200)
      t.match(body, { data: { u1: { data: { attributes: { title: 'changed' } } }, u2: null } })
      t.match(body.errors, [{ message: /^Query too expensive/, extensions: { error: { details: { maxRows } } } }])
      const titles = (await kernel.query('api::article.article').findMany({ sort: 'id' })).map(one => one.title)
      t.same(titles.slice(0, 3), ['changed', 'a1', 'a2'])
    })

    t.test('what an operation might fetch at most does not matter', async t => {
      const few = 'filters: { label: { eq: "none" } }, pagination: { limit: 100 }'
      const level = (inner: string) =>
        `articles(pagination: { limit: 100 }) { data { attributes { tags(${few}) { data { ${inner} } } } } }`
      const answer = await ask(`{ ${level(`attributes { ${level('id')} }`)} }`)
      t.equal(answer.status, 200, answer.text)
    })

    t.test('code of the application counts by itself', async t => {
      for (let i = 0; i < 10; i++)
        t.equal((await kernel.query('api::tag.tag', kernel.context(kernel.auth.anonymous)).findMany()).length, 21)
    })
  })
