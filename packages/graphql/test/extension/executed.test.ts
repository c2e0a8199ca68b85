// Operations with code of extensions answer the same each time: attributes that callers may not read, computed attributes
// in objects of code, and defaults of variables.

import t from 'tap'
import type { Middleware } from '../../src/index.ts'
import { bothWays, fill, forbidden, start, thrice, uidOf } from '../fixtures/extended.ts'

const pass: Middleware = (next, ...args) => next(...args)

t.test('a hidden attribute below a relation is forbidden', t =>
  bothWays(t, async (t, way) => {
    const server = await start(t, {
      way,
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
  bothWays(t, async (t, way) => {
    const loud: Middleware = async (next, ...args) => `${String(await next(...args))}!`
    const server = await start(t, {
      way,
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

t.test('in objects of code, computed attributes may fail, and may be promises and functions', t =>
  bothWays(t, async (t, way) => {
    const tag = (label: PropertyDescriptor) => Object.defineProperty({ id: 1 }, 'label', { enumerable: true, ...label })
    const failing = {
      get() {
        throw new Error('a secret of the server')
      },
    }
    const made: Readonly<Record<string, () => object>> = {
      thrower: () => tag(failing),
      rejected: () => tag({ value: Promise.reject(new Error('a secret of the server')) }),
      promised: () => tag({ value: Promise.resolve('later') }),
      called: () => tag({ value: () => 'called' }),
    }
    const names = Object.keys(made)
    const around: Middleware = async (next, ...args) => {
      await next(...args)
      return { nodes: [tag(failing)] }
    }
    const server = await start(t, {
      way,
      // A function that mercurius had made of an operation would let such an error end the process.
      config: { serverOptions: { jit: 1 } },
      extend: extension =>
        extension.use({
          typeDefs: `extend type Query { ${names.map(name => `${name}: TagEntityResponse`).join(' ')} }`,
          resolvers: { Query: Object.fromEntries(names.map(name => [name, () => ({ value: made[name]!() })])) },
          resolversConfig: {
            ...Object.fromEntries(names.map(name => [`Query.${name}`, { auth: false }])),
            'Query.tags': { middlewares: [around] },
          },
        }),
    })
    const internal = { message: 'Internal Server Error', extensions: { code: 'INTERNAL_SERVER_ERROR' } }
    const attributes = (label: string | null) => ({ data: { attributes: { label } } })
    const failed = attributes(null)
    const ask = (name: string) => thrice(t, server, `{ ${name} { data { attributes { label } } } }`)
    t.same(await ask('promised'), { data: { promised: attributes('later') } })
    t.same(await ask('called'), { data: { called: attributes('called') } })
    t.same(await ask('thrower'), { errors: [internal], data: { thrower: failed } })
    t.same(await ask('rejected'), { errors: [internal], data: { rejected: failed } })
    t.same(await ask('tags'), { errors: [internal], data: { tags: { data: [failed.data] } } })
  }),
)

t.test('variables without a value have their defaults', t =>
  bothWays(t, async (t, way) => {
    const server = await start(t, {
      way,
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
