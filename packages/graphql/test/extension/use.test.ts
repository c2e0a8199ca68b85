// `use`: types, resolvers and plugins from extensions of every form (B-9.96 to B-9.98).

import { createRequire } from 'node:module'
import * as graphql from 'graphql'
import t from 'tap'
import type { ExtensionService } from '../../src/index.ts'
import { bothWays, fill, start, thrice } from '../fixtures/extended.ts'

t.test('the schema language with resolvers', t =>
  bothWays(t, async (t, way) => {
    const server = await start(t, {
      way,
      extend: extension =>
        extension
          .use({
            typeDefs: `
              type Check { code: String!, percent: Int }
              enum Size { SMALL LARGE }
              scalar Upper
              union Found = Article | Check
              input Wanted { code: String!, size: Size = SMALL }
              extend input TagInput { note: String }
              extend input TagInput { more: Upper }
              extend type Article { loudTitle: String }
              extend type Query { check(wanted: Wanted!): Check, found: [Found], shout(text: Upper): Upper }
              extend type Mutation { stamp(text: String!): String }
              type Unused { a: String }
            `,
            resolvers: {
              Size: { SMALL: 1, LARGE: 2 },
              Upper: new graphql.GraphQLScalarType({
                name: 'Upper',
                serialize: value => String(value).toUpperCase(),
                parseValue: value => `<${String(value)}>`,
              }),
              Found: { __resolveType: (value: { code?: string }) => (value.code === undefined ? 'Article' : 'Check') },
              Article: { loudTitle: (parent: { title: string }) => `${parent.title.toUpperCase()}!` },
              Query: {
                check: {
                  resolve: async (_: unknown, { wanted }: { wanted: { code: string; size: number } }) => ({
                    code: wanted.code,
                    percent: wanted.size,
                  }),
                },
                found: () => [{ title: 'An article' }, { code: 'a code' }],
                shout: (_: unknown, { text }: { text: string }) => text,
              },
              Mutation: { stamp: () => 'overridden' },
            },
          })
          .use(() => ({ resolvers: { Mutation: { stamp: (_: unknown, { text }: { text: string }) => `${text}!` } } })),
    })
    await fill(server)
    t.same(await thrice(t, server, '{ check(wanted: { code: "a" }) { code percent } }'), {
      data: { check: { code: 'a', percent: 1 } },
    })
    t.same(await thrice(t, server, '{ found { __typename ... on Article { title } ... on Check { code } } }'), {
      data: {
        found: [
          { __typename: 'Article', title: 'An article' },
          { __typename: 'Check', code: 'a code' },
        ],
      },
    })
    t.same(await thrice(t, server, '{ shout(text: "a") }'), { data: { shout: '<A>' } })
    t.same(await thrice(t, server, '{ articles { data { attributes { loudTitle } } } }'), {
      data: { articles: { data: ['ONE!', 'TWO!', 'THREE!'].map(loudTitle => ({ attributes: { loudTitle } })) } },
    })
    t.same(await thrice(t, server, 'mutation { stamp(text: "x") }'), { data: { stamp: 'x!' } })
    const types = '{ unused: __type(name: "Unused") { name } input: __type(name: "TagInput") { inputFields { name } } }'
    const { data } = await server.send(types)
    t.equal(data.unused, null, 'types that nothing leads to are removed (B-9.98)')
    t.ok(data.input.inputFields.some((one: { name: string }) => one.name === 'more'))
  }),
)

t.test('types of graphql-js', t =>
  bothWays(t, async (t, way) => {
    const server = await start(t, {
      way,
      extend: extension =>
        extension.use(({ graphql, schema }) => {
          const { GraphQLObjectType, GraphQLString, GraphQLInt, GraphQLEnumType, GraphQLInputObjectType } = graphql
          const level = new GraphQLEnumType({ name: 'Level', values: { HIGH: { value: 9 }, LOW: { value: 1 } } })
          const about = new GraphQLInputObjectType({
            name: 'About',
            fields: { level: { type: level, defaultValue: 9 }, text: { type: GraphQLString } },
          })
          const stats = new GraphQLObjectType({
            name: 'Stats',
            fields: {
              count: { type: GraphQLInt, resolve: source => source.count * 10 },
              level: { type: level },
              first: { type: schema.getType('Article') as graphql.GraphQLObjectType },
            },
          })
          return {
            types: [
              new GraphQLObjectType({
                name: 'Query',
                fields: {
                  stats: {
                    type: stats,
                    args: { about: { type: about } },
                    resolve: (_, { about: { level } }) => ({ count: 4, level, first: { title: 'First' } }),
                  },
                },
              }),
              new GraphQLObjectType({
                name: 'Article',
                fields: { size: { type: GraphQLInt, resolve: source => source.title.length } },
              }),
            ],
          }
        }),
    })
    await fill(server)
    t.same(await thrice(t, server, '{ stats(about: { text: "x" }) { count level first { title size } } }'), {
      data: { stats: { count: 40, level: 'HIGH', first: { title: 'First', size: 5 } } },
    })
    t.same(await thrice(t, server, '{ article(id: 3) { data { attributes { size } } } }'), {
      data: { article: { data: { attributes: { size: 5 } } } },
    })
  }),
)

/** The part of nexus that is used here. */
interface Nexus {
  extendType(definition: object): unknown
  objectType(definition: object): unknown
  plugin(definition: object): unknown
  nonNull(type: string): unknown
}

interface Definition {
  field(name: string, definition: object): void
  string(name: string, definition?: object): void
}

t.test('types and plugins of nexus', t =>
  bothWays(t, async (t, way) => {
    const server = await start(t, {
      way,
      extend: extension =>
        extension.use(tools => {
          const nexus = tools.nexus as Nexus
          return {
            plugins: [
              nexus.plugin({
                name: 'Exclaim',
                onCreateFieldResolver: ({ fieldConfig }: { fieldConfig: { extensions: object } }) =>
                  JSON.stringify(fieldConfig.extensions).includes('exclaims')
                    ? async (...[root, args, context, info, next]: unknown[]) =>
                        `${await (next as (...all: unknown[]) => unknown)(root, args, context, info)}!`
                    : undefined,
              }),
            ],
            types: [
              nexus.objectType({ name: 'Shop', definition: (t: Definition) => t.string('name', { exclaims: true }) }),
              nexus.extendType({
                type: 'Query',
                definition(t: Definition) {
                  t.field('shop', { type: 'Shop', resolve: () => ({ name: 'Lamps' }) })
                  t.field('articleByTitle', { type: 'ArticleEntityResponse', args: { title: nexus.nonNull('String') } })
                },
              }),
              nexus.extendType({
                type: 'Article',
                definition: (t: Definition) =>
                  t.string('quiet', { resolve: ({ title }: { title: string }) => title.toLowerCase() }),
              }),
            ],
            resolvers: {
              Query: {
                articleByTitle: {
                  async resolve(_: unknown, args: { title: string }) {
                    const { toEntityResponse } = tools.kernel.plugin('graphql').service('format').returnTypes
                    const [entry] = await tools.kernel
                      .query('api::article.article')
                      .findMany({ filters: { title: args.title } })
                    return toEntityResponse(entry, { args: { ...args }, resourceUID: 'api::article.article' })
                  },
                },
              },
            },
          }
        }),
    })
    await fill(server)
    t.same(await thrice(t, server, '{ shop { name } }'), { data: { shop: { name: 'Lamps!' } } })
    const query =
      '{ articleByTitle(title: "Two") { data { id attributes { title quiet } } } none: articleByTitle(title: "x") { data { id } } }'
    t.same(await thrice(t, server, query), {
      data: {
        articleByTitle: { data: { id: '2', attributes: { title: 'Two', quiet: 'two' } } },
        none: { data: null },
      },
    })
  }),
)

t.test('nexus is loaded only for those who use it', async t => {
  const { cache } = createRequire(import.meta.url)
  const loaded = () => Object.keys(cache).filter(path => path.includes('/nexus/')).length
  for (const path of Object.keys(cache)) if (path.includes('/nexus/')) delete cache[path]
  const server = await start(t, { extend: extension => extension.use(({ kernel }) => (kernel.dir === '' ? {} : {})) })
  t.same(await server.send('{ articles { data { id } } }'), { data: { articles: { data: [] } } })
  t.equal(loaded(), 0)
  await start(t, { extend: extension => extension.use(({ nexus }) => (nexus === null ? {} : {})) })
  t.ok(loaded() > 0)
})

t.test('shadowCRUD: false leaves the extensions', async t => {
  const config = { shadowCRUD: false }
  const server = await start(t, {
    config,
    extend: extension =>
      extension.use({
        typeDefs: 'type Query { hello: String }',
        resolvers: { Query: { hello: () => 'Hello' } },
      }),
  })
  t.same(await thrice(t, server, '{ hello }'), { data: { hello: 'Hello' } })
  t.match(await server.send('{ articles { data { id } } }'), { errors: [{ message: /Cannot query field "articles"/ }] })
  const empty = await start(t, { config })
  t.same(await empty.send('{ ok }'), { data: { ok: true } }, 'as v4 without any query')
})

t.test('the service is closed after the start', async t => {
  let service: ExtensionService | null = null
  await start(t, {
    extend: extension => {
      service = extension
    },
  })
  t.throws(() => service!.use({}), { code: 'PLINTH_GRAPHQL_LATE' })
  t.throws(() => service!.middleware('late', () => () => null), { code: 'PLINTH_GRAPHQL_LATE' })
})

t.test('what does not fit stops the start', async t => {
  const faults: readonly (readonly [object, string | RegExp])[] = [
    [{ resolvers: { Articel: {} } }, 'resolvers: there is no type "Articel", did you mean "Article"?'],
    [
      { resolvers: { Article: { titel: () => '' } } },
      'resolvers: Article: there is no field "titel", did you mean "title"?',
    ],
    [{ resolvers: { Article: { title: 1 } } }, 'resolvers: Article.title: must be a function or { resolve }, found 1'],
    [{ typeDefs: 'extend type Query { a: Articel }' }, /typeDefs: Unknown type "Articel"/],
    [{ typeDefs: 'extend type Query {' }, /typeDefs: Syntax Error/],
    [{ types: [1] }, 'types: must be types of graphql-js or nexus, found 1'],
    [
      { resolversConfig: { 'Query.artikles': {} } },
      'resolversConfig: Query.artikles: there is no field "artikles", did you mean "articles"?',
    ],
    [
      { resolversConfig: { 'Qery.articles': {} } },
      'resolversConfig: Qery.articles: there is no object type "Qery", did you mean "Query"?',
    ],
    [
      { resolversConfig: { 'Query.articles': { polices: [] } } },
      'there is no setting "polices", did you mean "policies"?',
    ],
    [
      { resolversConfig: { 'Query.articles': { middlewares: ['tiem'] } } },
      'there is no middleware "tiem", did you mean "time"?',
    ],
    [
      { resolversConfig: { 'Query.articles': { policies: ['is-ownr'] } } },
      'there is no policy "is-ownr", did you mean "plugin::own.is-owner"?',
    ],
    [
      { resolversConfig: { 'Query.articles': { auth: { scope: ['api::article.article.fnd'] } } } },
      'there is no action "api::article.article.fnd", did you mean "api::article.article.find"?',
    ],
    [{ resolversConfig: { 'Query.articles': { auth: 'no' } } }, 'auth: must be false or { scope }, found no'],
  ]
  for (const [extension, message] of faults) {
    const starting = start(t, {
      configure: kernel => kernel.policies.add('is-owner', () => true),
      extend: service => void service.middleware('time', () => next => next()).use(extension),
    })
    const error = await starting.then(
      () => new Error('It has started'),
      (fault: Error) => fault,
    )
    t.ok(typeof message === 'string' ? error.message.includes(message) : message.test(error.message), error.message)
  }
})
