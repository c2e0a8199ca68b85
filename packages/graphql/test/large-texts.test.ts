// Texts at the limits of tokens and fields, by both ways: neither copies more of a document than it can.

import t from 'tap'
import { fill, start } from './fixtures/extended.ts'

t.test('operations of nearly 2,000 tokens are answered by both ways', async t => {
  const server = await start(t, {
    extend: extension =>
      extension.use({
        typeDefs: 'extend type Query { own: String }',
        resolvers: { Query: { own: () => 'x' } },
        resolversConfig: { 'Query.own': { auth: false } },
      }),
  })
  await fill(server)
  const aliases = Array.from({ length: 640 }, (_, i) => `a${i}: id`).join(' ')
  for (const own of ['', 'own ']) {
    const text = `{ ${own}articles(sort: "id") { data { ${aliases} } } }`
    for (let time = 0; time < 3; time++) {
      const { data, errors } = await server.send(text)
      t.equal(errors, undefined, `${own === '' ? 'written' : 'executed'}, time ${time}`)
      t.match(data.articles.data[0], { a0: '1', a639: '1' })
      if (own !== '') t.equal(data.own, 'x')
    }
  }
})

t.test('errors of such an operation have their places', async t => {
  const server = await start(t, {
    extend: extension =>
      extension.use({
        typeDefs: 'extend type Query { broken: String! }',
        resolvers: { Query: { broken: () => null } },
        resolversConfig: { 'Query.broken': { auth: false } },
      }),
  })
  const text = `{\n  articles { data { ${Array.from({ length: 600 }, (_, i) => `a${i}: id`).join(' ')} } }\n  broken\n}`
  for (let time = 0; time < 3; time++)
    t.match(await server.send(text), {
      data: null,
      errors: [{ message: /Cannot return null/, locations: [{ line: 3, column: 3 }], path: ['broken'] }],
    })
})

t.test('variables of inputs that lead to themselves', async t => {
  const server = await start(t, {
    extend: extension =>
      extension.use({
        typeDefs: `
          extend type Query { own(id: ID, ids: [Int!], page: PaginationArg): String }
          input Pair { of: [Pair], n: Int! = 3 }
          input Wide { ${Array.from({ length: 40 }, (_, i) => `a${i}: [Narrow]`).join(' ')} }
          input Narrow { ${Array.from({ length: 10 }, (_, i) => `b${i}: Int`).join(' ')} }
          extend type Query { paired(pair: Pair, wide: Wide): String }
        `,
        resolvers: { Query: { own: () => 'x', paired: () => 'y' } },
        resolversConfig: { 'Query.own': { auth: false }, 'Query.paired': { auth: false } },
      }),
  })
  await fill(server)
  const filtered = 'query ($f: ArticleFiltersInput) { own articles(filters: $f, sort: "id") { data { id } } }'
  const f = { and: [{ id: { gt: '1' } }, { not: { title: { eq: 'x' } } }] }
  const wrong = { id: { between: ['1'] } }
  for (let time = 0; time < 3; time++) {
    const { data, errors } = await server.send(filtered, { variables: { f } })
    t.same([errors, data.own, data.articles.data[0]], [undefined, 'x', { id: '2' }])
    // An operation with an error is executed, too.
    const refused = await server.send(filtered.replace('own ', ''), { variables: { f: wrong } })
    t.match(refused, { data: { articles: null }, errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] })
  }
})
