// What resolvers of extensions may return for generated types: responses of the format service, entries of
// `kernel.query` with and without relations, and plain objects in the form of the answer.

import t from 'tap'
import { bothWays, fill, forbidden, start, thrice, uidOf } from '../fixtures/extended.ts'

const uid = uidOf('article')

const typeDefs = `
  extend type Query {
    made(title: String): ArticleEntityResponse
    bare: ArticleEntityResponse
    plain: ArticleEntityResponse
    entity: ArticleEntity
    attributes: Article
    list(filters: ArticleFiltersInput, pagination: PaginationArg = {}, sort: [String]): ArticleEntityResponseCollection
    array: ArticleEntityResponseCollection
    plainList: ArticleEntityResponseCollection
    populated: ArticleEntityResponse
    anything: [Article]
  }
`

const attributes =
  'attributes { title kind author { data { attributes { name } } } tags(sort: "rank", pagination: { limit: 1 }) { data { attributes { label } } } }'
const whole = (title: string) => ({
  title,
  kind: 'long_read',
  author: { data: { attributes: { name: 'Ann' } } },
  tags: { data: [{ attributes: { label: 'd' } }] },
})

t.test('every form', t =>
  bothWays(t, async (t, way) => {
    const server = await start(t, {
      way,
      extend: (extension, kernel) => {
        const { toEntityResponse, toEntityResponseCollection } = kernel.plugin('graphql').service('format').returnTypes
        const all = () => kernel.query(uid).findMany({ sort: 'id' })
        const one = async () => (await all())[0]!
        extension.use({
          typeDefs,
          resolvers: {
            Query: {
              made: async (_: unknown, args: { title: string }) =>
                toEntityResponse(
                  (await all()).find(one => one.title === args.title),
                  { args: { ...args }, resourceUID: uid },
                ),
              bare: one,
              plain: () => ({
                data: {
                  id: 9,
                  attributes: {
                    title: 'Plain',
                    kind: 'note',
                    tags: { data: [{ id: 8, attributes: { label: 'x' } }] },
                    author: { data: null },
                  },
                },
              }),
              entity: one,
              attributes: one,
              list: async (_: unknown, args: { pagination: { limit: number } }) =>
                toEntityResponseCollection((await all()).slice(0, args.pagination.limit), {
                  args: { ...args },
                  resourceUID: uid,
                }),
              array: all,
              plainList: () => ({
                data: [{ id: 1, attributes: { title: 'Plain' } }],
                meta: { pagination: { total: 7, page: 1, pageSize: 1, pageCount: 7 } },
              }),
              populated: async () => ({
                value: await kernel
                  .query(uid)
                  .findOne(1, { populate: { tags: { filters: { label: 'b' } }, author: true } }),
              }),
            },
          },
        })
      },
    })
    await fill(server)
    const two = { id: '2', attributes: whole('Two') }
    const first = { id: '1', attributes: whole('One') }
    t.same(
      await thrice(
        t,
        server,
        `{ made(title: "Two") { data { id ${attributes} } } none: made(title: "x") { data { id } } }`,
      ),
      {
        data: { made: { data: two }, none: { data: null } },
      },
    )
    t.same(await thrice(t, server, `{ bare { data { id ${attributes} } } entity { id ${attributes} } }`), {
      data: { bare: { data: first }, entity: first },
    })
    t.same(await thrice(t, server, '{ attributes { title tags(pagination: { limit: 1 }) { data { id } } } }'), {
      data: { attributes: { title: 'One', tags: { data: [{ id: '1' }] } } },
    })
    t.same(await thrice(t, server, `{ plain { data { id ${attributes} } } }`), {
      data: {
        plain: {
          data: {
            id: '9',
            attributes: {
              title: 'Plain',
              kind: 'note',
              author: { data: null },
              tags: { data: [{ attributes: { label: 'x' } }] },
            },
          },
        },
      },
    })
    t.same(
      await thrice(
        t,
        server,
        `{ list(filters: { views: { gt: 1 } }, pagination: { limit: 1 }) { data { id ${attributes} } meta { pagination { total page pageSize pageCount } } } }`,
      ),
      { data: { list: { data: [first], meta: { pagination: { total: 2, page: 1, pageSize: 1, pageCount: 2 } } } } },
      'the total is counted for the arguments',
    )
    t.same(await thrice(t, server, `{ array { data { ${attributes} } meta { pagination { total pageCount } } } }`), {
      data: {
        array: {
          data: ['One', 'Two', 'Three'].map(title => ({ attributes: whole(title) })),
          meta: { pagination: { total: 3, pageCount: 1 } },
        },
      },
    })
    t.same(
      await thrice(
        t,
        server,
        '{ plainList { data { id attributes { title } } meta { pagination { total pageCount } } } }',
      ),
      {
        data: {
          plainList: {
            data: [{ id: '1', attributes: { title: 'Plain' } }],
            meta: { pagination: { total: 7, pageCount: 7 } },
          },
        },
      },
    )
    t.same(
      await thrice(
        t,
        server,
        '{ populated { data { attributes { author { data { id } } tags { data { attributes { label articles { data { id } } } } } } } } }',
      ),
      {
        data: {
          populated: {
            data: {
              attributes: {
                author: { data: { id: '1' } },
                tags: {
                  data: [{ attributes: { label: 'b', articles: { data: [1, 2, 3].map(id => ({ id: String(id) })) } } }],
                },
              },
            },
          },
        },
      },
      'populated relations are used as they are, missing ones are asked for',
    )
    const count = () =>
      server.countStatements(() => server.send('{ array { data { attributes { tags { data { id } } } } } }'))
    const few = await count()
    for (let i = 0; i < 5; i++) await server.of('article').create({ data: { title: 'more', tags: [1] } })
    t.equal(await count(), few, 'once for all entries')
  }),
)

t.test('rights and private attributes', t =>
  bothWays(t, async (t, way) => {
    const server = await start(t, {
      way,
      callers: { public: [`${uidOf('tag')}.find`], 'user:1': [`${uidOf('tag')}.find`, `${uidOf('author')}.find`] },
      extend: (extension, kernel) =>
        extension.use({
          typeDefs: 'extend type Query { given: ArticleEntityResponse }',
          resolvers: {
            Query: { given: async () => ({ value: await kernel.query(uid).findOne(1, { populate: ['author'] }) }) },
          },
          resolversConfig: { 'Query.given': { auth: false } },
        }),
    })
    await fill(server)
    const query =
      '{ given { data { attributes { title author { data { id } } tags(pagination: { limit: 1 }) { data { id } } } } } }'
    const tags = { data: [{ id: '1' }] }
    t.same(await thrice(t, server, query), {
      data: { given: { data: { attributes: { title: 'One', author: null, tags } } } },
      errors: [forbidden],
    })
    t.same(await thrice(t, server, query, { as: 'user:1' }), {
      data: { given: { data: { attributes: { title: 'One', author: { data: { id: '1' } }, tags } } } },
    })
    t.match(await server.send('{ given { data { attributes { secret } } } }'), {
      errors: [{ message: 'Cannot query field "secret" on type "Article".' }],
    })
  }),
)
