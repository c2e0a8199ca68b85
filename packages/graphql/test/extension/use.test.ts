// `use`: types, resolvers and settings from extensions of every form (B-9.96 to B-9.98).

import t from 'tap'
import { bothWays, start, thrice } from '../fixtures/extended.ts'

t.test('the schema language with resolvers', t =>
  bothWays(t, async (t, config) => {
    const server = await start(t, {
      config,
      extend: extension =>
        extension
          .use({
            typeDefs: `
              type Check { code: String!, percent: Int }
              enum Size { SMALL LARGE }
              input Wanted { code: String!, size: Size = SMALL }
              extend type Article { loudTitle: String }
              extend type Query { check(wanted: Wanted!): Check }
              extend type Mutation { stamp(text: String!): String }
            `,
            resolvers: {
              Size: { SMALL: 1, LARGE: 2 },
              Article: { loudTitle: (parent: { title: string }) => `${parent.title.toUpperCase()}!` },
              Query: {
                check: {
                  resolve: async (_: unknown, { wanted }: { wanted: { code: string; size: number } }) => ({
                    code: wanted.code,
                    percent: wanted.size,
                  }),
                },
              },
              Mutation: { stamp: () => 'overridden' },
            },
          })
          .use(() => ({ resolvers: { Mutation: { stamp: (_: unknown, { text }: { text: string }) => `${text}!` } } })),
    })
    await server.of('article').create({ data: { title: 'Loud' } })
    t.same(await thrice(t, server, '{ check(wanted: { code: "a" }) { code percent } }'), {
      data: { check: { code: 'a', percent: 1 } },
    })
    t.same(await thrice(t, server, '{ articles { data { attributes { loudTitle } } } }'), {
      data: { articles: { data: [{ attributes: { loudTitle: 'LOUD!' } }] } },
    })
    t.same(await thrice(t, server, 'mutation { stamp(text: "x") }'), { data: { stamp: 'x!' } })
  }),
)
