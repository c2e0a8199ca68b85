// What answers contain besides the entries of a plain query: what lifecycles of reads change, forbidden parts at each of
// several parents, errors of code that are not for clients, and as many entries as `amountLimit` allows.

import t from 'tap'
import type { ExtensionService } from '../src/index.ts'
import { bothWays, fill, forbidden, start, thrice, uidOf } from './fixtures/extended.ts'

t.test('lifecycles of reads receive the entries of queries, nested lists and mutations', t =>
  bothWays(t, async (t, way) => {
    const seen: string[] = []
    const server = await start(t, {
      way,
      configure: ({ lifecycles }) => {
        lifecycles.subscribe([uidOf('article')], {
          beforeFindMany: () => void seen.push('beforeFindMany'),
          afterFindMany: ({ result }: { readonly result?: unknown }) => {
            for (const one of result as { title: string }[]) one.title += '!'
          },
          afterFindOne: ({ result }: { readonly result?: unknown }) => {
            if (result !== null) (result as { title: string }).title += '?'
          },
        })
      },
    })
    await fill(server)
    const title = 'data { attributes { title } }'
    const many = await thrice(t, server, `{ articles { ${title} } }`)
    t.same(
      many.data.articles.data.map((one: { attributes: object }) => one.attributes),
      ['One!', 'Two!', 'Three!'].map(text => ({ title: text })),
    )
    t.ok(seen.length >= 3)
    t.same(await thrice(t, server, `{ article(id: 2) { ${title} } }`), {
      data: { article: { data: { attributes: { title: 'Two?' } } } },
    })
  }),
)

t.test('one FORBIDDEN error at each parent, without code of extensions', async t => {
  const server = await start(t, {
    callers: {
      public: ['article', 'tag', 'author'].map(name => `${uidOf(name)}.find`),
      'user:1': [`${uidOf('article')}.find`],
    },
    configure: ({ hooks }) =>
      hooks.on('prePlan', (draft, access) => {
        if (draft.type.uid === uidOf('article') && access.key === 'role:user:1') draft.hide('views')
      }),
  })
  await fill(server)
  const query = '{ articles { data { attributes { title views author { data { id } } } } } }'
  const open = await thrice(t, server, query)
  t.equal(open.errors, undefined)
  const { data, errors } = await thrice(t, server, query, { as: 'user:1' })
  t.same(errors, Array(6).fill(forbidden), 'a hidden attribute and a relation, at each of three parents')
  t.same(
    data.articles.data.map((one: { attributes: object }) => one.attributes),
    ['One', 'Two', 'Three'].map(title => ({ title, views: null, author: null })),
  )
})

t.test('B-9.73: errors of resolvers that are not for clients', t =>
  bothWays(t, async (t, way) => {
    const server = await start(t, {
      way,
      extend: extension =>
        extension.use({
          typeDefs: 'extend type Query { sync: String, later: String } extend type Article { own: String }',
          resolvers: {
            Query: {
              sync: () => {
                throw new Error('the password is hunter2')
              },
              later: async () => {
                throw new TypeError('the password is hunter2')
              },
            },
            Article: {
              own: () => {
                throw new Error('the password is hunter2')
              },
            },
          },
          resolversConfig: { 'Query.sync': { auth: false }, 'Query.later': { auth: false } },
        }),
    })
    const logged: unknown[] = []
    server.kernel.log.error = ((error: unknown) => void logged.push(error)) as never
    await fill(server)
    const internal = { message: 'Internal Server Error', extensions: { code: 'INTERNAL_SERVER_ERROR' } }
    for (const name of ['sync', 'later'])
      t.same(await thrice(t, server, `{ ${name} }`), { data: { [name]: null }, errors: [internal] }, name)
    const { data, errors } = await thrice(t, server, '{ articles { data { attributes { title own } } } }')
    t.same(errors, [internal, internal, internal])
    t.match(data.articles.data[0].attributes, { title: 'One', own: null })
    t.ok(logged.length >= 5 && logged.every(one => /hunter2/.test(String(one))), 'the log has them')
  }),
)

t.test('amountLimit is 100', async t => {
  const server = await start(t, {})
  const { of, send } = server
  await server.kernel.transaction(async () => {
    for (let i = 0; i < 120; i++) await of('tag').create({ data: { label: `t${i}` } })
  })
  await of('article').create({ data: { title: 'x', tags: Array.from({ length: 120 }, (_, i) => i + 1) } })
  const { data } = await send(`{
    tags(pagination: { limit: 1000 }) { data { id } meta { pagination { total pageSize } } }
    all: tags(pagination: { limit: -1 }) { data { id } }
    article(id: 1) { data { attributes { tags(pagination: { limit: 1000 }) { data { id } } } } }
  }`)
  t.same([data.tags.data.length, data.tags.meta.pagination], [100, { total: 120, pageSize: 100 }])
  t.equal(data.all.data.length, 100)
  t.equal(data.article.data.attributes.tags.data.length, 100)
})

t.test('app.graphqlExtension is the service of the plugin, and is there in register', async t => {
  let service: ExtensionService | null = null
  const { app, kernel, send } = await start(t, {
    extend: extension => {
      service = extension
      extension.use({ typeDefs: 'extend type Query { own: String }', resolvers: { Query: { own: () => 'x' } } })
    },
  })
  t.equal(app.graphqlExtension, service)
  t.equal(kernel.plugin('graphql').service('extension'), service)
  t.same(await send('{ own }'), { data: { own: 'x' } })
})
