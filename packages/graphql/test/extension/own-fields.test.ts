// Own fields of entries without fields below them: they are called once for each entry, and the answer is written without
// execution. Answers with errors are executed, and have what the resolvers have given.

import { type GraphQLResolveInfo, print } from 'graphql'
import t, { type Test } from 'tap'
import type { GraphqlContext } from '../../src/execution/context.ts'
import type { Middleware } from '../../src/index.ts'
import { fill, start, uidOf } from '../fixtures/extended.ts'

/** Whether mercurius has executed the operation of a context: it adds properties. */
const isExecuted = (context: object) => 'lruGatewayResolvers' in context || 'app' in context

type Resolver = (entry: Entry, args: never, context: GraphqlContext, info: GraphQLResolveInfo) => unknown
type Entry = Readonly<Record<string, unknown>> & { readonly id: number; title: string }

/** A server with one field `own` of articles, and the contexts of its calls. */
async function startWith(t: Test, fieldType: string, resolve: Resolver, more: object = {}) {
  const contexts: GraphqlContext[] = []
  const calls: unknown[] = []
  const server = await start(t, {
    extend: extension =>
      extension.use({
        typeDefs: `scalar Any  enum Size { SMALL LARGE }  extend type Article { own${fieldType} }`,
        resolvers: {
          Size: { SMALL: 1, LARGE: 2 },
          Article: {
            own(entry: Entry, args: never, context: GraphqlContext, info: GraphQLResolveInfo) {
              calls.push(entry.id)
              contexts.push(context)
              return resolve(entry, args, context, info)
            },
          },
        },
      }),
    ...more,
  })
  await fill(server)
  return { ...server, contexts, calls }
}

const list = '{ articles { data { attributes { own } } } }'
const attributes = (values: readonly unknown[]) => ({
  articles: { data: values.map(own => ({ attributes: own === undefined ? null : { own } })) },
})
const internal = { message: 'Internal Server Error', extensions: { code: 'INTERNAL_SERVER_ERROR' } }

t.test('values of all kinds, without execution', async t => {
  const cases: readonly (readonly [type: string, value: (n: number) => unknown, answer: (n: number) => unknown])[] = [
    [': Int!', n => n, n => n],
    [': String', n => (n === 2 ? null : `"${n}"\u2028`), n => (n === 2 ? null : `"${n}"\u2028`)],
    [': String', n => (n === 2 ? undefined : Promise.resolve('later')), n => (n === 2 ? null : 'later')],
    [': ID', n => n, n => String(n)],
    [': Float', n => n / 4, n => n / 4],
    [': Size', n => (n === 1 ? 1 : 2), n => (n === 1 ? 'SMALL' : 'LARGE')],
    [': [Size!]!', () => [1, 2], () => ['SMALL', 'LARGE']],
    [': [Int]', n => new Set([n, null, n]), n => [n, null, n].slice(0, 2)],
    [': [Int!]', n => [Promise.resolve(n), n], n => [n, n]],
    [': [[Int]]', n => Promise.resolve([[n], null, new Set([Promise.resolve(7)])]), n => [[n], null, [7]]],
    [': Any', n => ({ n, at: new Date(0), left: undefined }), n => ({ n, at: '1970-01-01T00:00:00.000Z' })],
    // A builder of knex runs its statement each time that it is awaited.
    [': Int', n => thenable(n), n => n],
  ]
  for (const [fieldType, value, answer] of cases) {
    const { send, contexts, calls } = await startWith(t, fieldType, ({ id }) => value(id))
    t.same(await send(list), { data: attributes([1, 2, 3].map(answer)) }, fieldType)
    t.same(calls, [1, 2, 3])
    t.notOk(contexts.some(isExecuted), `${fieldType} is not executed`)
  }
})

/** What can be awaited once only. */
function thenable(value: unknown) {
  let isUsed = false
  const used = (resolve: (value: unknown) => void) => {
    resolve(isUsed ? 'again' : value)
    isUsed = true
  }
  return Object.defineProperty({}, 'then', { value: used })
}

t.test('errors are executed, and resolvers are called once all the same', async t => {
  const failing = {
    get text() {
      throw new Error('a secret of the server')
    },
  }
  const failure = () => {
    throw new Error('a secret of the server')
  }
  const cases: readonly (readonly [type: string, value: () => unknown, own: unknown])[] = [
    [': String', failure, null],
    [': String', () => Promise.reject(new Error('a secret of the server')), null],
    [': String', () => Promise.reject('a text'), null],
    [': String', () => new Error('returned'), null],
    [': Int!', failure, undefined],
    [': [String]', () => ['a', Promise.reject(new Error('a secret of the server'))], ['a', null]],
    [': Any', () => failing, null],
    [': Any', () => () => 'called', null],
    [': Any', () => ({ later: Promise.reject(new Error('a secret of the server')) }), null],
    [': Any', () => 10n, null],
  ]
  for (const [fieldType, value, own] of cases) {
    const { send, calls } = await startWith(t, fieldType, ({ id }) => (id === 2 ? value() : id === 1 ? [] : null))
    // Of other types than lists and `Any`, no value is a list.
    const first = /Any|\[/.test(fieldType) ? [] : null
    const query = first === null ? '{ articles(filters: { id: { eq: "2" } }) { data { attributes { own } } } }' : list
    const all = first === null ? [own] : [first, own, null]
    t.same(await send(query), { errors: [internal], data: attributes(all) }, `${fieldType} ${value}`)
    t.same(calls, first === null ? [2] : [1, 2, 3])
  }
})

t.test('a value that the type does not allow has an error with its path', async t => {
  const { send, calls } = await startWith(t, ': Int!', ({ id }) => (id === 1 ? 1 : id === 2 ? null : 'text'))
  t.match(await send(list), {
    errors: [
      {
        message: 'Cannot return null for non-nullable field Article.own.',
        path: ['articles', 'data', 1, 'attributes', 'own'],
      },
      { message: 'Int cannot represent non-integer value: "text"', path: ['articles', 'data', 2, 'attributes', 'own'] },
    ],
    data: attributes([1, undefined, undefined]),
  })
  t.same(calls, [1, 2, 3])
})

t.test('what resolvers receive is what execution passes', async t => {
  const received: unknown[][] = []
  const { app, send, calls } = await startWith(
    t,
    '(add: Int = 3, to: String!): String',
    (entry, args, context, info) => {
      const { path, ...about } = info
      const keys = []
      for (let at: GraphQLResolveInfo['path'] | undefined = path; at !== undefined; at = at.prev)
        keys.unshift([at.key, at.typename])
      const { state, koaContext, caller } = context
      const { parentType, returnType, fieldName, fieldNodes, operation, fragments, variableValues, rootValue } = about
      const method = (koaContext as { method: string }).method
      received.push([
        { ...entry },
        { ...(args as object) },
        { state, method, key: caller.access.key, responseOf: typeof context.responseOf },
        keys,
        {
          parentType: `${parentType}`,
          returnType: `${returnType}`,
          fieldName,
          rootValue,
          variableValues: { ...variableValues },
        },
        [...fieldNodes, operation, ...Object.values(fragments)].map(print),
        Object.keys(info).sort(),
      ])
      Object.assign(args, { add: 0 })
      return 'ok'
    },
  )
  const query = `query Q($to: String!) {
    all: articles { data { id attributes { a: own(to: $to) ...F } } }
    tag(id: 2) { data { attributes { articles(pagination: { limit: 1 }) { data { attributes { own(to: "x", add: null) } } } } } }
  }
  fragment F on Article { author { data { attributes { articles { first: data { attributes { own(to: $to, add: 5) } } } } } } }`
  const ask = async () => {
    received.length = 0
    const answer = await send(query, { variables: { to: 'a' } })
    return { answer, received: received.map(one => JSON.stringify(one)).sort() }
  }
  const written = await ask()
  t.equal(written.answer.errors, undefined)
  t.equal(calls.length, 13)
  app.graphql.addHook('onResolution', async () => undefined)
  t.same(await ask(), written, 'executed')
})

t.test('resolvers of one answer are called before the first of them is awaited', async t => {
  const batches: number[][] = []
  let batch: number[] = []
  const load = async (id: number) => {
    if (batch.length === 0)
      process.nextTick(() => {
        batches.push(batch)
        batch = []
      })
    batch.push(id)
    await new Promise(setImmediate)
    return id
  }
  const { send } = await startWith(t, ': Int', ({ id }) => load(id))
  t.same(await send(list), { data: attributes([1, 2, 3]) })
  t.same(batches, [[1, 2, 3]])
})

t.test('generated fields with code around them', async t => {
  const loud: Middleware = async (next, ...args) => `${String(await next(...args))}!`
  const contexts: object[] = []
  const server = await start(t, {
    callers: { public: 'all', 'user:1': 'all' },
    configure: ({ hooks }) =>
      hooks.on('prePlan', (draft, access) => {
        if (draft.type.uid === uidOf('article') && access.key === 'role:user:1') draft.hide('title')
      }),
    extend: extension =>
      extension.use({
        resolversConfig: { 'Article.title': { middlewares: [loud] } },
        resolvers: {
          Article: {
            views: ({ views }: { views: number }, _: unknown, context: object) =>
              contexts.push(context) * 0 + views * 2,
          },
        },
      }),
  })
  await fill(server)
  const query = '{ article(id: 2) { data { attributes { title views kind } } } }'
  t.same(await server.send(query), {
    data: { article: { data: { attributes: { title: 'Two!', views: 4, kind: 'long_read' } } } },
  })
  t.notOk(contexts.some(isExecuted))
  const { data, errors } = await server.send(query, { as: 'user:1' })
  t.equal(errors?.length, 1)
  t.same(data, { article: { data: { attributes: { title: null, views: 4, kind: 'long_read' } } } })
})

t.test('a mutation calls them after its write, and before the next one', async t => {
  const seen: string[] = []
  const { send, of, contexts } = await startWith(t, ': String', async ({ id, title }) => {
    const { title: stored } = (await of('article').findOne(id)) as unknown as { title: string }
    seen.push(`${title} ${stored}`)
    return title.toUpperCase()
  })
  const update = (title: string) => `updateArticle(id: 1, data: { title: "${title}" }) { data { attributes { own } } }`
  const answer = (own: string) => ({ data: { attributes: { own } } })
  t.same(await send(`mutation { ${update('a')} }`), { data: { updateArticle: answer('A') } })
  t.notOk(contexts.some(isExecuted))
  t.same(await send(`mutation { ${update('b')} more: ${update('c')} }`), {
    data: { updateArticle: answer('B'), more: answer('C') },
  })
  t.same(seen, ['a a', 'b b', 'c c'])
})

t.test('long answers', async t => {
  const { send, calls } = await startWith(t, ': String', ({ id }) => String(id).repeat(300_000))
  const { data, errors } = await send(list)
  t.equal(errors, undefined)
  t.same(data, attributes([1, 2, 3].map(id => String(id).repeat(300_000))))
  t.same(calls, [1, 2, 3])
})

t.test('a value of the entry that cannot be shown', async t => {
  const { send, calls, kernel } = await startWith(t, ': Int', ({ id }) => id)
  await kernel.query(uidOf('article')).update(2, { data: { kind: 'note' } })
  t.equal((await send('{ articles { data { attributes { own kind } } } }')).errors, undefined)
  t.same(calls, [1, 2, 3])
})
