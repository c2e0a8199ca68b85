// `kernel.actions.set` holds for GraphQL, as for routes: rights, scopes and policies of the actions that fields do.

import type { PolicyContext } from '@plinth/kernel'
import t from 'tap'
import { bothWays, fill, forbidden, refused, start, thrice, uidOf } from '../fixtures/extended.ts'

const articles = '{ articles { data { attributes { title } } } }'
const create = 'mutation { createArticle(data: { title: "New" }) { data { id } } }'
const update = 'mutation { updateArticle(id: 2, data: { title: "Changed" }) { data { id } } }'
const remove = 'mutation { deleteArticle(id: 2) { data { id } } }'

const callers = {
  public: [],
  'user:1': ['find', 'findOne', 'create', 'update', 'delete'].map(one => `${uidOf('article')}.${one}`),
} as const

t.test('policies of actions refuse queries and mutations, and nothing is written', t =>
  bothWays(t, async (t, way) => {
    const seen: object[] = []
    const server = await start(t, {
      way,
      callers,
      configure: ({ actions }) => {
        for (const one of ['find', 'create', 'update', 'delete'])
          actions.set(`${uidOf('article')}.${one}`, {
            policies: [
              (context: PolicyContext) => {
                const { type, action, state, params } = context as PolicyContext & { readonly params: object }
                seen.push({ type, is: context.is('graphql'), action, user: state.user, params })
                return false
              },
            ],
          })
      },
    })
    await fill(server)
    const as = 'user:1'
    t.same(await thrice(t, server, articles, { as }), { data: { articles: null }, errors: [refused] })
    for (const [name, text] of Object.entries({ createArticle: create, updateArticle: update, deleteArticle: remove }))
      t.same(await thrice(t, server, text, { as }), { data: { [name]: null }, errors: [refused] }, name)
    const titles = (await server.of('article').findMany({})).map(one => one.title)
    t.same(titles, ['One', 'Two', 'Three'])
    const user = { id: 1, username: 'user:1' }
    const ofArticle = (action: string, params: object) =>
      Array.from({ length: 3 }, () => ({
        ...{ type: 'graphql', is: true, action: `${uidOf('article')}.${action}`, user, params },
      }))
    t.same(seen, [
      ...ofArticle('find', {}),
      ...ofArticle('create', {}),
      ...ofArticle('update', { id: '2' }),
      ...ofArticle('delete', { id: '2' }),
    ])
  }),
)

t.test('policies that pass, after rights and before middlewares', t =>
  bothWays(t, async (t, way) => {
    const order: string[] = []
    const server = await start(t, {
      way,
      callers,
      configure: ({ actions }) =>
        actions.set(`${uidOf('article')}.find`, { policies: [() => void order.push('action'), () => true] }),
      extend: extension =>
        extension.use({
          resolversConfig: {
            'Query.articles': {
              policies: [() => void order.push('field')],
              middlewares: [
                (next, ...args) => {
                  order.push('middleware')
                  return next(...args)
                },
              ],
            },
          },
        }),
    })
    await fill(server)
    t.same(await server.send(articles), { data: { articles: null }, errors: [forbidden] })
    t.same(order, [], 'nothing runs without the right')
    t.match(await server.send(articles, { as: 'user:1' }), { data: { articles: { data: [{}, {}, {}] } } })
    t.same(order, ['action', 'middleware', 'field'])
  }),
)

t.test('a policy of a route reads the id, the data and the headers', t =>
  bothWays(t, async (t, way) => {
    const server = await start(t, {
      way,
      configure: ({ actions }) => {
        const isShort = ({ request, params }: PolicyContext & { readonly params: { readonly id?: string } }) => {
          const { header, body } = request as unknown as {
            readonly header: Readonly<Record<string, string>>
            readonly body: { readonly data: { title: string } }
          }
          if (header['x-as'] !== undefined) return false
          body.data.title += ` ${params.id}`
          return body.data.title.length < 12
        }
        actions.set(`${uidOf('article')}.update`, { policies: [isShort as never] })
      },
    })
    await fill(server)
    const shown = '{ data { attributes { title } } }'
    const change = (title: string) => `mutation { updateArticle(id: 2, data: { title: "${title}" }) ${shown} }`
    t.same(await server.send(change('Changed')), {
      data: { updateArticle: { data: { attributes: { title: 'Changed 2' } } } },
    })
    t.same(await server.send(change('Changed again')), { data: { updateArticle: null }, errors: [refused] })
    t.same(await server.send(change('C'), { as: 'x' }), { data: { updateArticle: null }, errors: [refused] })
    t.match(await server.app.graphql(change('Code')), { data: { updateArticle: { data: {} } } }, 'code has no headers')
  }),
)

t.test('an own rule for credentials', t =>
  bothWays(t, async (t, way) => {
    const server = await start(t, {
      way,
      callers: { ...callers, 'user:2': [`${uidOf('tag')}.update`] },
      configure: ({ actions }) => {
        actions.set(`${uidOf('article')}.find`, { auth: false })
        actions.set(`${uidOf('article')}.create`, { auth: { scope: [`${uidOf('tag')}.update`] } })
      },
    })
    await fill(server)
    t.match(await thrice(t, server, articles), { data: { articles: { data: [{}, {}, {}] } } }, 'open to everybody')
    t.same(await server.send(create, { as: 'user:1' }), { data: { createArticle: null }, errors: [forbidden] })
    t.match(await server.send(create, { as: 'user:2' }), { data: { createArticle: { data: { id: '4' } } } })
  }),
)

t.test('fields of extensions name their action', t =>
  bothWays(t, async (t, way) => {
    const send = 'plugin::own.letters.send'
    const show = 'plugin::own.letters.show'
    let isOpen = true
    const server = await start(t, {
      way,
      callers: { public: [], 'user:1': [send], 'user:2': [] },
      configure: ({ actions }) => {
        for (const name of [send, show]) {
          actions.add(name)
          actions.set(name, { policies: [() => isOpen] })
        }
      },
      extend: extension =>
        extension.use({
          typeDefs: 'extend type Query { letter: String } extend type Mutation { sendLetter: String }',
          resolvers: { Query: { letter: () => 'Dear' }, Mutation: { sendLetter: () => 'sent' } },
          resolversConfig: { 'Mutation.sendLetter': { action: send }, 'Query.letter': { action: show, auth: false } },
        }),
    })
    const mutation = 'mutation { sendLetter }'
    t.same(await server.send(mutation, { as: 'user:1' }), { data: { sendLetter: 'sent' } })
    t.same(await server.send(mutation, { as: 'user:2' }), { data: { sendLetter: null }, errors: [forbidden] })
    t.same(await server.send('{ letter }'), { data: { letter: 'Dear' } }, 'without a right')
    isOpen = false
    t.same(await server.send(mutation, { as: 'user:1' }), { data: { sendLetter: null }, errors: [refused] })
    t.same(await server.send('{ letter }'), { data: { letter: null }, errors: [refused] })
  }),
)

t.test('an action that does not exist stops the start', t =>
  t.rejects(
    start(t, {
      extend: extension =>
        extension.use({
          typeDefs: 'extend type Query { own: String }',
          resolversConfig: { 'Query.own': { action: 'api::article.article.fnd' } },
        }),
    }),
    { message: /resolversConfig: Query\.own: action.*"api::article\.article\.fnd".*did you mean "api::article/s },
  ),
)
