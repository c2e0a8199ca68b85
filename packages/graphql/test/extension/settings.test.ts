// `resolversConfig`: rights, middlewares and policies of fields, in this order (B-9.78, B-9.100 to B-9.103).

import t from 'tap'
import type { Middleware } from '../../src/index.ts'
import { bothWays, fill, forbidden, refused, start, thrice, uidOf } from '../fixtures/extended.ts'

const find = (...names: string[]) => names.map(name => `${uidOf(name)}.find`)

const callers = {
  public: find('tag'),
  'user:1': find('article', 'tag'),
  'user:2': [...find('article', 'tag', 'author'), `${uidOf('article')}.create`],
  nobody: [],
  token: 'all',
} as const

t.test('own fields of the root need a caller, and settings replace that', t =>
  bothWays(t, async (t, way) => {
    const server = await start(t, {
      way,
      callers,
      extend: extension =>
        extension.use({
          typeDefs: `extend type Query { own: String, open: String, scoped: String, some: String }
                     extend type Mutation { ownMutation: String }`,
          resolvers: {
            Query: { own: () => 'own', open: () => 'open', scoped: () => 'scoped', some: () => 'some' },
            Mutation: { ownMutation: () => 'own' },
          },
          resolversConfig: {
            'Query.open': { auth: false },
            'Query.scoped': { auth: { scope: find('article', 'author') } },
            'Query.some': { auth: {} },
          },
        }),
    })
    const query = '{ own open scoped some }'
    const opened = { own: 'own', open: 'open', scoped: null, some: 'some' }
    t.same(await thrice(t, server, query), {
      data: { own: null, open: 'open', scoped: null, some: null },
      errors: [forbidden, forbidden, forbidden],
    })
    t.same(await thrice(t, server, query, { as: 'user:1' }), { data: opened, errors: [forbidden] })
    t.same(
      await thrice(t, server, query, { as: 'nobody' }),
      { data: opened, errors: [forbidden] },
      'known, with no right',
    )
    t.same(await thrice(t, server, query, { as: 'user:2' }), { data: { ...opened, scoped: 'scoped' } })
    t.same(await thrice(t, server, query, { as: 'token' }), { data: { ...opened, scoped: 'scoped' } })
    t.same(await thrice(t, server, 'mutation { ownMutation }'), { data: { ownMutation: null }, errors: [forbidden] })
    t.same(await thrice(t, server, 'mutation { ownMutation }', { as: 'user:1' }), { data: { ownMutation: 'own' } })
  }),
)

t.test('without strategies everything is open', async t => {
  const server = await start(t, {
    extend: extension =>
      extension.use({ typeDefs: 'extend type Query { own: String }', resolvers: { Query: { own: () => 'own' } } }),
  })
  t.same(await thrice(t, server, '{ own }'), { data: { own: 'own' } })
})

t.test('generated fields keep their scope unless auth says otherwise', t =>
  bothWays(t, async (t, way) => {
    let calls = 0
    const counting: Middleware = (next, ...args) => {
      calls++
      return next(...args)
    }
    const server = await start(t, {
      way,
      callers,
      extend: extension =>
        extension.use({
          resolversConfig: {
            'Query.articles': { middlewares: [counting] },
            'Query.authors': { auth: false },
            'Query.author': { auth: { scope: find('tag') } },
            'Mutation.createArticle': { middlewares: [counting] },
            'Mutation.createTag': { auth: false },
          },
        }),
    })
    await fill(server)
    t.same(await thrice(t, server, '{ articles { data { id } } }'), { data: { articles: null }, errors: [forbidden] })
    t.equal(calls, 0, 'middlewares run for callers with the right')
    t.match(await thrice(t, server, '{ articles { data { id } } }', { as: 'user:1' }), {
      data: { articles: { data: [{ id: '1' }, { id: '2' }, { id: '3' }] } },
    })
    t.equal(calls, 3)
    const create = 'mutation { createArticle(data: { title: "x" }) { data { attributes { title } } } }'
    t.same(await thrice(t, server, create, { as: 'user:1' }), { data: { createArticle: null }, errors: [forbidden] })
    t.same(await thrice(t, server, create, { as: 'user:2' }), {
      data: { createArticle: { data: { attributes: { title: 'x' } } } },
    })
    t.same(await thrice(t, server, 'mutation { createTag(data: { label: "x" }) { data { attributes { label } } } }'), {
      data: { createTag: { data: { attributes: { label: 'x' } } } },
    })
    const authors = '{ authors { data { attributes { name articles { data { id } } } } } }'
    t.same(
      await thrice(t, server, authors),
      { data: { authors: { data: [{ attributes: { name: 'Ann', articles: null } }] } }, errors: [forbidden] },
      'auth: false opens its own step only (row 78)',
    )
    t.same(await thrice(t, server, '{ author(id: 1) { data { attributes { name } } } }'), {
      data: { author: { data: { attributes: { name: 'Ann' } } } },
    })
    t.same(
      await thrice(t, server, '{ author(id: 1) { data { id } } }', { as: 'nobody' }),
      { data: { author: null }, errors: [forbidden] },
      'a scope that is not granted',
    )
  }),
)

t.test('auth of a relation opens its own step only', t =>
  bothWays(t, async (t, way) => {
    const server = await start(t, {
      way,
      callers,
      extend: extension =>
        extension.use({
          resolversConfig: {
            'Query.articles': { auth: false },
            'Article.author': { auth: false },
            'Article.tags': { auth: { scope: [`${uidOf('article')}.create`] } },
          },
        }),
    })
    await fill(server)
    const first = 'articles(pagination: { limit: 1 })'
    t.same(
      await thrice(
        t,
        server,
        `{ ${first} { data { attributes { author { data { attributes { name articles { data { id } } } } } } } } }`,
      ),
      {
        data: {
          articles: { data: [{ attributes: { author: { data: { attributes: { name: 'Ann', articles: null } } } } }] },
        },
        errors: [forbidden],
      },
    )
    const tags = `{ ${first} { data { attributes { tags { data { id } } } } } }`
    t.same(await thrice(t, server, tags, { as: 'user:1' }), {
      data: { articles: { data: [{ attributes: { tags: null } }] } },
      errors: [forbidden],
    })
    t.same(await thrice(t, server, tags, { as: 'user:2' }), {
      data: { articles: { data: [{ attributes: { tags: { data: [1, 2, 3, 4].map(id => ({ id: String(id) })) } } }] } },
    })
    t.same(
      await thrice(
        t,
        server,
        `{ ${first} { data { attributes { author { data { attributes { articles { data { id } } } } } } } } }`,
        { as: 'user:1' },
      ),
      {
        data: {
          articles: {
            data: [
              {
                attributes: {
                  author: { data: { attributes: { articles: { data: [1, 2, 3].map(id => ({ id: String(id) })) } } } },
                },
              },
            ],
          },
        },
      },
      'what is below is asked with the rights of the caller',
    )
  }),
)

t.test('the order: auth, middlewares, policies, the resolver', t =>
  bothWays(t, async (t, way) => {
    const seen: string[] = []
    const noting =
      (name: string): Middleware =>
      async (next, parent, args, context, info) => {
        seen.push(name)
        return `${name}(${String(await next(parent, { ...args, from: name }, context, info))})`
      }
    const policies: Record<string, unknown>[] = []
    const server = await start(t, {
      way,
      callers,
      configure: kernel => {
        kernel.policies.add('says', {
          validator: (settings: { word?: string }) => {
            if (settings.word === undefined) throw new Error('a word is needed')
          },
          handler: (context, settings: { word: string }, tools) => {
            seen.push(settings.word)
            policies.push({ context, tools })
            return (context.args as { refuse?: boolean }).refuse !== true
          },
        })
      },
      extend: extension =>
        extension
          .middleware('named', ({ word = 'named' }: { word?: string }) => noting(word))
          .use({
            typeDefs: 'extend type Query { own(refuse: Boolean): String }',
            resolvers: {
              Query: {
                own: (_: unknown, { from }: { from: string }) => {
                  seen.push('resolver')
                  return from
                },
              },
            },
            resolversConfig: {
              'Query.own': {
                auth: { scope: find('article') },
                middlewares: [noting('first'), 'named', { name: 'named', options: { word: 'last' } }],
                policies: [
                  () => {
                    seen.push('policy')
                  },
                  { name: 'plugin::own.says', config: { word: 'second policy' } },
                ],
              },
            },
          }),
    })
    t.same(await server.send('{ own }'), { data: { own: null }, errors: [forbidden] })
    t.same(seen, [], 'auth comes first')
    t.same(await thrice(t, server, '{ own }', { as: 'user:1' }), { data: { own: 'first(named(last(last)))' } })
    const order = ['first', 'named', 'last', 'policy', 'second policy', 'resolver']
    t.same(seen, [...order, ...order, ...order])
    t.same(await thrice(t, server, '{ own(refuse: true) }', { as: 'user:1' }), {
      data: { own: null },
      errors: [refused],
    })
    const { context, tools } = policies[0] as { context: Record<string, unknown>; tools: Record<string, unknown> }
    t.match(context, { type: 'graphql', args: { from: 'last' }, state: { user: { username: 'user:1' } } })
    t.equal((context.is as (type: string) => boolean)('graphql'), true)
    t.equal((context.is as (type: string) => boolean)('koa'), false)
    t.equal((context.info as { fieldName: string }).fieldName, 'own')
    t.equal((context.http as { method: string }).method, 'POST')
    t.equal((context.context as { koaContext: unknown }).koaContext, context.http)
    t.equal(tools.kernel, server.kernel)
  }),
)

t.test('anything but true or undefined blocks, and errors stay', t =>
  bothWays(t, async (t, way) => {
    const results: Record<string, unknown> = { yes: true, none: undefined, no: false, zero: 0, text: 'yes', object: {} }
    const names = Object.keys(results)
    const server = await start(t, {
      way,
      extend: extension =>
        extension.use({
          typeDefs: `extend type Query { ${names.map(name => `${name}: String`).join(' ')} }`,
          resolvers: { Query: Object.fromEntries(names.map(name => [name, () => 'passed'])) },
          resolversConfig: {
            ...Object.fromEntries(names.map(name => [`Query.${name}`, { policies: [async () => results[name]] }])),
            'Article.title': { policies: [context => (context.parent as { title: string }).title !== 'Two'] },
          },
        }),
    })
    await fill(server)
    const { data, errors } = await thrice(t, server, `{ ${names.join(' ')} }`)
    t.same(data, { yes: 'passed', none: 'passed', no: null, zero: null, text: null, object: null })
    t.same(errors, [refused, refused, refused, refused])
    t.same(await thrice(t, server, '{ articles { data { attributes { title } } } }'), {
      data: { articles: { data: ['One', null, 'Three'].map(title => ({ attributes: { title } })) } },
      errors: [refused],
    })
  }),
)

t.test('a policy of a bare name is global, and the check of its settings stops the start', async t => {
  const settings = (config: object) => ({
    configure: (kernel: { policies: { add(name: string, policy: object): void } }) =>
      kernel.policies.add('says', {
        validator: () => {
          throw new Error('a word is needed')
        },
        handler: () => true,
      }),
    extend: (extension: { use(one: object): void }) => extension.use({ resolversConfig: { 'Query.articles': config } }),
  })
  await t.rejects(start(t, settings({ policies: ['plugin::own.says'] }) as never), {
    message: 'the application: graphql Query.articles: policy plugin::own.says: config: a word is needed',
  })
  await t.rejects(start(t, settings({ policies: [1] }) as never), {
    message: /graphql Query.articles: policies\.0: must be/,
  })
})
