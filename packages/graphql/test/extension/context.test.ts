// The context of resolvers (B-9.104), `info`, operations in code, and hooks of mercurius.

import type { GraphQLResolveInfo } from 'graphql'
import t from 'tap'
import type { GraphqlContext } from '../../src/execution/context.ts'
import { bothWays, fill, forbidden, start, thrice, uidOf } from '../fixtures/extended.ts'

const callers = { public: [`${uidOf('article')}.find`], 'user:1': [] } as const

t.test('context and info', t =>
  bothWays(t, async (t, way) => {
    const seen: { context: GraphqlContext; info: GraphQLResolveInfo }[] = []
    const server = await start(t, {
      way,
      callers,
      extend: extension =>
        extension.use({
          typeDefs: 'extend type Query { who(name: String): String }  extend type Article { who: String }',
          resolvers: {
            Query: {
              who: (_: unknown, _args: unknown, context: GraphqlContext, info: GraphQLResolveInfo) => {
                seen.push({ context, info })
                return (context.state.user as { username: string } | undefined)?.username ?? 'guest'
              },
            },
            Article: {
              who: (_: unknown, _args: unknown, context: GraphqlContext, info: GraphQLResolveInfo) => {
                seen.push({ context, info })
                return info.fieldName
              },
            },
          },
          resolversConfig: { 'Query.who': { auth: false } },
        }),
    })
    await fill(server)
    const query = 'query Asked($name: String) { alias: who(name: $name) }'
    t.same(await thrice(t, server, query, { as: 'user:1', variables: { name: 'x' } }), { data: { alias: 'user:1' } })
    for (const { context, info } of seen) {
      t.match(context.state, { user: { id: 1 } })
      t.equal((context.koaContext as { method: string }).method, 'POST')
      t.equal(context.caller.access.key, 'role:user:1')
      t.equal(info.fieldName, 'who')
      t.equal(info.path.key, 'alias')
      t.equal(info.parentType.name, 'Query')
      t.equal(info.operation.name?.value, 'Asked')
      t.equal(info.fieldNodes[0]?.name.value, 'who')
      t.same(info.variableValues, { name: 'x' })
    }
    t.equal(seen.length, 3)
    t.same(await thrice(t, server, '{ alias: who }'), { data: { alias: 'guest' } })
    seen.length = 0
    t.match(await thrice(t, server, '{ articles { data { attributes { alias: who } } } }'), {
      data: { articles: { data: [{ attributes: { alias: 'who' } }] } },
    })
    const path = []
    for (let at: GraphQLResolveInfo['path'] | undefined = seen[1]!.info.path; at !== undefined; at = at.prev)
      path.unshift(at.key)
    t.same(path, ['articles', 'data', 1, 'attributes', 'alias'])
  }),
)

t.test('operations in code', async t => {
  const server = await start(t, {
    callers,
    extend: extension =>
      extension.use({ typeDefs: 'extend type Query { own: String }', resolvers: { Query: { own: () => 'own' } } }),
  })
  await fill(server)
  const { app, kernel } = server
  const articles =
    'query A($limit: Int) { articles(pagination: { limit: $limit }) { data { id } } } query B { tags { data { id } } }'
  t.same(await app.graphql(articles, { variables: { limit: 1 }, operationName: 'A' }), {
    data: { articles: { data: [{ id: '1' }] } },
  })
  t.same(
    await app.graphql(articles, { operationName: 'B' }),
    { data: { tags: null }, errors: [forbidden] },
    'the rights of the public',
  )
  t.same(await app.graphql('{ own }'), { data: { own: null }, errors: [forbidden] })
  const context = kernel.context({ key: 'all', user: null, can: () => true })
  t.same(await app.graphql('{ tags(pagination: { limit: 1 }) { data { id } } own }', { context }), {
    data: { tags: { data: [{ id: '1' }] }, own: 'own' },
  })
  t.match(await app.graphql('{ nothing }'), { errors: [{ message: /Cannot query field "nothing"/ }] })
  t.match(await app.graphql('{ own', { context }), { errors: [{ extensions: { code: 'GRAPHQL_PARSE_FAILED' } }] })
})

t.test('without callers that need no credentials, code has no rights', async t => {
  const server = await start(t, { callers: { token: 'all' } })
  t.same(await server.app.graphql('{ articles { data { id } } }'), { data: { articles: null }, errors: [forbidden] })
})

t.test('hooks of mercurius run for every operation', t =>
  bothWays(t, async (t, way) => {
    const server = await start(t, { way })
    await fill(server)
    const query = '{ articles { data { attributes { title } } } }'
    const before = await thrice(t, server, query)
    let received = 0
    server.app.graphql.addHook('onResolution', async () => {
      received++
    })
    t.same(await thrice(t, server, query), before)
    t.equal(received, 3)
    t.same(await server.app.graphql(query), before)
    t.equal(received, 4)
  }),
)
