// Fields of the root around which only checks run, rights and policies: they are answered without execution, and no policy
// runs twice.

import type { PolicyContext } from '@plinth/kernel'
import t, { type Test } from 'tap'
import { fill, forbidden, refused, start, uidOf } from '../fixtures/extended.ts'

/** Whether mercurius has executed the operation of a context: it adds properties. */
const isExecuted = ({ context }: PolicyContext) => 'app' in (context as object)

type Seen = PolicyContext & { readonly args: Record<string, unknown>; readonly context: object }

/** A server with a policy around queries and mutations of articles, and what the policy has received. */
async function startWith(t: Test, policy: (context: Seen) => unknown) {
  const seen: Seen[] = []
  const policies = [
    (context: Seen) => {
      seen.push(context)
      return policy(context)
    },
  ]
  const server = await start(t, {
    callers: { public: 'all', 'user:1': [`${uidOf('article')}.find`] },
    extend: extension =>
      extension.use({
        typeDefs: 'extend type Article { own: Int! }',
        resolvers: { Article: { own: ({ id }: { id: number }) => id } },
        resolversConfig: {
          'Query.articles': { policies },
          'Query.article': { policies },
          'Mutation.updateArticle': { policies },
        } as never,
      }),
  })
  await fill(server)
  return { ...server, seen }
}

const ids = (...all: number[]) => ({ data: all.map(id => ({ id: `${id}` })) })

t.test('without execution', async t => {
  const { send, seen } = await startWith(t, async () => true)
  t.same(await send('{ articles { data { id } meta { pagination { total } } } }'), {
    data: { articles: { ...ids(1, 2, 3), meta: { pagination: { total: 3 } } } },
  })
  t.same(
    await send('query ($id: ID) { a: article(id: $id) { data { attributes { own } } } }', { variables: { id: 2 } }),
    {
      data: { a: { data: { attributes: { own: 2 } } } },
    },
  )
  const update = 'updateArticle(id: 1, data: { title: "x" }) { data { attributes { title own } } }'
  t.same(await send(`mutation { ${update} }`), {
    data: { updateArticle: { data: { attributes: { title: 'x', own: 1 } } } },
  })
  t.equal(seen.length, 3)
  t.notOk(seen.some(isExecuted))
  t.same(
    seen.map(({ args }) => args.id),
    [undefined, '2', '1'],
  )
  t.equal((await send(`mutation { ${update} b: ${update} }`)).errors, undefined)
  t.equal(seen.length, 5)
  t.ok(seen.slice(3).every(isExecuted), 'mutations run one after the other, with their code')
})

t.test('a policy that refuses', async t => {
  const { send, seen, of } = await startWith(t, ({ args }) => args.id !== '1')
  t.same(await send('{ article(id: 1) { data { id } } articles { data { id } } }'), {
    errors: [refused],
    data: { article: null, articles: ids(1, 2, 3) },
  })
  t.equal(seen.length, 2, 'each runs once')
  t.same(await send('mutation { updateArticle(id: 1, data: { title: "x" }) { data { id } } }'), {
    errors: [refused],
    data: { updateArticle: null },
  })
  t.equal(seen.length, 3)
  t.match(await of('article').findOne(1), { title: 'One' })
})

t.test('an answer with an error runs no policy twice', async t => {
  const { send, seen, statementsOf } = await startWith(t, () => true)
  const query = '{ articles { data { id attributes { tags { data { id } } } } } }'
  const answer = await send(query, { as: 'user:1' })
  t.same(answer.errors, [forbidden, forbidden, forbidden])
  t.equal(answer.data.articles.data.length, 3)
  t.equal(seen.length, 1)
  const again = await statementsOf(() => send('{ a: articles(sort: "none") { data { id } } articles { data { id } } }'))
  t.ok(again.length > 0)
  t.equal(seen.length, 3)
})

t.test('a policy that changes the arguments', async t => {
  const { send, seen } = await startWith(t, ({ args }) => {
    args.filters = { id: { gt: '1' } }
    args.pagination = { limit: 1 }
    return true
  })
  for (let i = 0; i < 3; i++)
    t.same(
      await send(
        '{ articles(sort: "id") { data { id attributes { own tags(pagination: { limit: 1 }) { data { id } } } } } }',
      ),
      {
        data: { articles: { data: [{ id: '2', attributes: { own: 2, tags: ids(1) } }] } },
      },
    )
  t.equal(seen.length, 3)
  t.notOk(seen.some(isExecuted))
})
