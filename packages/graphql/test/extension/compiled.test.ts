// Operations with code of extensions answer the same before and after graphql-jit has compiled them: attributes that
// callers may not read, and defaults of variables.

import t from 'tap'
import type { Middleware } from '../../src/index.ts'
import { bothWays, fill, forbidden, start, thrice, uidOf } from '../fixtures/extended.ts'

const pass: Middleware = (next, ...args) => next(...args)

t.test('a hidden attribute below a relation is forbidden', t =>
  bothWays(t, async (t, config) => {
    const server = await start(t, {
      config,
      callers: { public: 'all', 'user:1': 'all' },
      configure: ({ hooks }) =>
        hooks.on('prePlan', (draft, access) => {
          if (draft.type.uid === uidOf('tag') && access.key === 'role:user:1') draft.hide('label')
        }),
      extend: (extension, kernel) =>
        extension.use({
          typeDefs: `
            extend type Query { firstArticle: ArticleEntityResponse, entry: ArticleEntityResponse }
            extend type Article { loudTitle: String }
          `,
          resolvers: {
            Article: { loudTitle: ({ title }: { title: string }) => title.toUpperCase() },
            Query: {
              firstArticle: async () => ({ value: (await kernel.query(uidOf('article')).findMany({}))[0] }),
              entry: () => ({ value: { id: 1 } }),
            },
          },
          resolversConfig: {
            'Author.articles': { middlewares: [pass] },
            'Query.firstArticle': { auth: false },
            'Query.entry': { auth: false },
          },
        }),
    })
    await fill(server)
    const label = 'tags(sort: "id", pagination: { limit: 2 }) { data { id attributes { label rank } } }'
    const seen = (label: string | null, id: number) => ({ id: `${id}`, attributes: { label, rank: 5 - id } })
    const article = (labels: readonly (string | null)[]) => ({
      data: { attributes: { tags: { data: labels.map((label, i) => seen(label, i + 1)) } } },
    })
    for (const root of ['firstArticle', 'entry']) {
      const query = `{ ${root} { data { attributes { ${label} } } } }`
      t.same(await thrice(t, server, query), { data: { [root]: article(['a', 'b']) } }, root)
      const refused = { errors: [forbidden, forbidden], data: { [root]: article([null, null]) } }
      t.same(await thrice(t, server, query, { as: 'user:1' }), refused, `${root}, to a caller with a rule`)
    }
    // The relation has code around it, and the attribute is below it.
    const nested = `{ author(id: 1) { data { attributes { articles(pagination: { limit: 1 }) { data { attributes { loudTitle ${label} } } } } } } }`
    const { errors, data } = await thrice(t, server, nested, { as: 'user:1' })
    t.same(errors, [forbidden, forbidden])
    t.match(data, {
      author: {
        data: {
          attributes: {
            articles: {
              data: [{ attributes: { loudTitle: 'ONE', tags: article([null, null]).data.attributes.tags } }],
            },
          },
        },
      },
    })
    t.equal((await thrice(t, server, nested)).errors, undefined)
  }),
)

t.test('a hidden attribute with code around it is forbidden', t =>
  bothWays(t, async (t, config) => {
    const loud: Middleware = async (next, ...args) => `${String(await next(...args))}!`
    const server = await start(t, {
      config,
      callers: { public: 'all', 'user:1': 'all' },
      configure: ({ hooks }) =>
        hooks.on('prePlan', (draft, access) => {
          if (draft.type.uid === uidOf('tag') && access.key === 'role:user:1') draft.hide('label')
        }),
      extend: extension =>
        extension.use({
          resolversConfig: { 'Tag.label': { middlewares: [loud] }, 'Article.tags': { middlewares: [pass] } },
        }),
    })
    await fill(server)
    const query =
      '{ article(id: 1) { data { attributes { tags(pagination: { limit: 1 }) { data { attributes { label } } } } } } }'
    const shown = (label: string | null) => ({
      article: { data: { attributes: { tags: { data: [{ attributes: { label } }] } } } },
    })
    t.same(await thrice(t, server, query), { data: shown('a!') })
    t.same(await thrice(t, server, query, { as: 'user:1' }), { errors: [forbidden], data: shown(null) })
  }),
)

t.test('variables without a value have their defaults', t =>
  bothWays(t, async (t, config) => {
    const server = await start(t, {
      config,
      extend: extension =>
        extension.use({
          typeDefs: `
            enum Size { SMALL LARGE }
            input Inner { size: Size! = SMALL, count: Int = 7 }
            input Wanted { text: String!, provider: String! = "local", inner: Inner, list: [Inner!] }
            extend type Query { wanted(wanted: Wanted!): String, times(n: Int!, text: String = "x"): String }
          `,
          resolvers: {
            Size: { SMALL: 1, LARGE: 2 },
            Query: {
              wanted: (_: unknown, { wanted }: object & { readonly wanted: unknown }) => JSON.stringify(wanted),
              times: (_: unknown, { n, text }: { readonly n: number; readonly text: string }) => text.repeat(n),
            },
          },
        }),
    })
    const wanted = async (value: object) => {
      const query = 'query ($wanted: Wanted!) { wanted(wanted: $wanted) }'
      const { data, errors } = await thrice(t, server, query, { variables: { wanted: value } })
      t.equal(errors, undefined)
      return JSON.parse(data.wanted)
    }
    const inner = { size: 1, count: 7 }
    t.same(await wanted({ text: 'a', inner: {} }), { text: 'a', inner, provider: 'local' })
    t.same(await wanted({ text: 'a', provider: 'b', inner: { size: 'LARGE' }, list: [{}] }), {
      ...{ text: 'a', provider: 'b', inner: { size: 2, count: 7 } },
      list: [inner],
    })
    const times = 'query ($n: Int! = 3, $text: String) { times(n: $n, text: $text) }'
    t.same(await thrice(t, server, times), { data: { times: 'xxx' } })
    t.same(await thrice(t, server, times, { variables: { n: 2, text: 'y' } }), { data: { times: 'yy' } })
  }),
)
