// The reasons of refusals, for the developer of the application: which right a role lacks. Clients are not told.

import { definePlugin, type Kernel } from '@plinth/kernel'
import t from 'tap'
import { start } from '../fixtures/accounts.ts'
import { startGraphql } from '../fixtures/graphql.ts'

const info = (name: string) => ({ singularName: name, pluralName: `${name}s`, displayName: name })
const relation = (target: string, relation: string, side: object) => ({
  type: 'relation',
  relation,
  target: `api::${target}.${target}`,
  ...side,
})
const contentTypes = [
  {
    kind: 'collectionType',
    collectionName: 'authors',
    info: info('author'),
    attributes: { name: { type: 'string' }, articles: relation('article', 'oneToMany', { mappedBy: 'author' }) },
  },
  {
    kind: 'collectionType',
    collectionName: 'articles',
    info: info('article'),
    attributes: {
      title: { type: 'string' },
      note: { type: 'string', private: true },
      author: relation('author', 'manyToOne', { inversedBy: 'articles' }),
    },
  },
]
const permissions = { public: ['api::article.article.find', 'api::article.article.create'] }

t.test('which right is missing', async t => {
  const remarks: string[] = []
  const reasons: (string | null)[] = []
  const { app, kernel } = await start(t, {
    contentTypes,
    config: { permissions },
    configure: kernel => {
      kernel.hooks.on('onRemark', remark => void remarks.push(remark))
    },
    plugins: {
      reasons: {
        plugin: definePlugin({
          name: 'reasons',
          register({ app }) {
            app!.addHook('onError', async (_request, _reply, error) => {
              reasons.push((error as { reason?: string | null }).reason ?? null)
            })
          },
        }),
      },
    },
  })
  const author = await kernel.query('api::author.author').create({ data: { name: 'Ann' } })
  await kernel.query('api::article.article').create({ data: { title: 'a', author: author.id } })
  const ask = async (url: string, payload?: object) => {
    remarks.length = 0
    reasons.length = 0
    const { statusCode, body } = await app.inject({ url, ...(payload && { method: 'POST', payload }) })
    return { statusCode, body, said: [...reasons, ...remarks] }
  }
  const lacks = 'role public lacks api::author.author.find'
  t.match(await ask('/api/authors'), {
    statusCode: 403,
    body: '{"data":null,"error":{"status":403,"name":"ForbiddenError","message":"Forbidden","details":{}}}',
    said: [lacks],
  })
  t.same((await ask('/api/articles?populate=author')).said, [`populate: relation author left out, ${lacks}`])
  t.same((await ask('/api/articles?populate=*')).said, [`populate: relation author left out, ${lacks}`])
  t.match(await ask('/api/articles?filters[author][name]=Ann'), { statusCode: 400, said: [`filters: ${lacks}`] })
  t.match(await ask('/api/articles?sort=author.name'), { statusCode: 400, said: [`sort: ${lacks}`] })
  t.match(await ask('/api/articles', { data: { title: 'b', author: author.id } }), {
    statusCode: 200,
    said: [`data: relation author left out, ${lacks}`],
  })
  t.match(await ask('/api/articles?filters[titel]=secret-value'), {
    said: ['filters: no attribute "titel", did you mean "title"?'],
  })
  t.match(await ask('/api/articles?sort=titel'), { said: ['sort: no attribute "titel", did you mean "title"?'] })
  t.match(await ask('/api/articles?fields=titel'), { said: ['fields: no attribute "titel", did you mean "title"?'] })
  const hidden = await ask('/api/articles?filters[note]=secret-value')
  t.match(hidden, { statusCode: 400, said: ['filters: attribute "note" is private'] })
  t.notMatch(JSON.stringify(hidden.said), 'secret-value', 'no reason repeats a value')
  t.notMatch(hidden.body, 'private', 'the client is not told')
})

t.test('a stranger to whom nothing is permitted', async t => {
  const { kernel } = await start(t, { contentTypes })
  const roles = kernel.query('plugin::users-permissions.role')
  const [stranger] = await roles.findMany({ filters: { type: 'public' } })
  await roles.update(stranger!.id, { data: { permissions: [] } })
  const access = await kernel.auth.authenticate({ headers: {} })
  try {
    kernel.authorize('api::article.article.find', kernel.context(access))
    t.fail('it is refused')
  } catch (error) {
    t.match((error as { reason: string }).reason, /role public lacks api::article\.article\.find/)
  }
})

t.test('GraphQL', async t => {
  const remarks: string[] = []
  const configure = (kernel: Kernel) => kernel.hooks.on('onRemark', remark => void remarks.push(remark))
  const { ask, kernel } = await startGraphql(t, { contentTypes, config: { permissions }, configure })
  const author = await kernel.query('api::author.author').create({ data: { name: 'Ann' } })
  await kernel.query('api::article.article').create({ data: { title: 'a', author: author.id } })
  const lacks = 'role public lacks api::author.author.find'
  const { body } = await ask('{ authors { data { id } } }')
  t.match(body, { errors: [{ message: 'Forbidden access' }] })
  t.notMatch(JSON.stringify(body), 'lacks')
  t.same(remarks, [`403: ${lacks}`])
  remarks.length = 0
  await ask('{ articles { data { attributes { author { data { id } } } } } }')
  t.same([...new Set(remarks)], [`populate: relation author left out, ${lacks}`])
})
