// Fields with code around them, and relations that are asked for by themselves: once for all entries with the same
// arguments, with the rights of the caller.

import t from 'tap'
import { bothWays, start, thrice } from '../fixtures/extended.ts'

const filled = async (server: Awaited<ReturnType<typeof start>>) => {
  for (const [i, label] of ['a', 'b', 'c', 'd'].entries())
    await server.of('tag').create({ data: { label, rank: 4 - i } })
  await server.of('author').create({ data: { name: 'Ann' } })
  for (const title of ['One', 'Two', 'Three'])
    await server
      .of('article')
      .create({ data: { title, secret: 's', tags: [1, 2, 3, 4], author: 1, kind: 'long read' } })
}

t.test('a middleware changes the arguments of a relation', t =>
  bothWays(t, async (t, config) => {
    const server = await start(t, {
      config,
      extend: extension =>
        extension.use({
          resolversConfig: {
            'Article.tags': {
              middlewares: [
                (next, parent, args, context, info) => next(parent, { ...args, sort: ['rank'] }, context, info),
              ],
            },
          },
        }),
    })
    await filled(server)
    const tags = (...labels: string[]) => ({ tags: { data: labels.map(label => ({ attributes: { label } })) } })
    const query =
      '{ articles { data { attributes { tags(pagination: { limit: 2 }) { data { attributes { label } } } } } } }'
    t.same(await thrice(t, server, query), {
      data: { articles: { data: [1, 2, 3].map(() => ({ attributes: tags('d', 'c') })) } },
    })
    let statements = 0
    await server.kernel.observe({ onStatement: () => statements++ } as never, () => server.send(query))
    t.comment(statements)
  }),
)
