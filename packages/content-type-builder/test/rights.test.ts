// What callers may do, as the kernel and hooks of plugins check it, and that the model names nothing else.

import { ForbiddenError } from '@plinth/kernel'
import { createServer } from '@plinth/server'
import t from 'tap'
import { actions } from '../src/actions.ts'

const text = { type: 'string' as const }
const article = 'api::article.article'
const contentTypes = [
  {
    collectionName: 'articles',
    info: { singularName: 'article', pluralName: 'articles', displayName: 'Article' },
    attributes: {
      title: text,
      fee: { type: 'integer' as const },
      secret: text,
      tree: { type: 'component' as const, component: 'shared.tree' },
      zone: { type: 'dynamiczone' as const, components: ['shared.tree', 'shared.leaf'] },
    },
  },
  {
    kind: 'singleType' as const,
    collectionName: 'homes',
    info: { singularName: 'home', pluralName: 'homes', displayName: 'Home' },
    attributes: { greeting: text },
  },
]
const components = {
  // It contains itself.
  'shared.tree': {
    collectionName: 'components_trees',
    attributes: { label: text, below: { type: 'component' as const, component: 'shared.tree', repeatable: true } },
  },
  'shared.leaf': { collectionName: 'components_leaves', attributes: { words: text } },
} as const

t.test('rights, and the model by them', async t => {
  let reads = 0
  const app = await createServer({
    dir: import.meta.dirname,
    database: { client: 'sqlite', connection: { filename: ':memory:' } },
    contentTypes,
    components: components as never,
    plugins: {
      rest: true,
      'api-tokens': { config: { salt: 'a-salt-of-the-tests-of-the-model' } },
      'content-type-builder': true,
    },
    configure: kernel => {
      kernel.lifecycles.subscribe([article], { beforeFindMany: () => void reads++ })
      const isArticle = ({ uid }: { readonly uid: string }) => uid === article
      kernel.hooks.on('prePlan', { for: isArticle }, (draft, access) => {
        if (access.can('api::home.home.delete')) return
        draft.hide('secret', 'fee')
        draft.forbid('secret')
        draft.declareClosed('fee')
      })
      kernel.hooks.on('prePlan', { for: isArticle, actions: ['findOne'] }, (_, { token }) => {
        if (token?.name === 'refused') throw new ForbiddenError()
      })
    },
    logger: false,
  })
  t.teardown(() => app.close())
  const { tokensOf } = await import('@plinth/api-tokens')
  const get = async (path: string, name: string, permissions: readonly string[]) => {
    const { accessKey } = await tokensOf(app.kernel).create({ name, type: 'custom', permissions })
    const headers = { authorization: `Bearer ${accessKey}` }
    const {
      statusCode,
      headers: answered,
      payload,
    } = await app.inject({ url: `/api/content-type-builder/${path}`, headers })
    return { status: statusCode, cache: answered['cache-control'], data: JSON.parse(payload).data }
  }
  const rights = (name: string, permissions: readonly string[]) =>
    get('rights', name, [actions.readRights, ...permissions])

  t.equal((await get('rights', 'nothing', [`${article}.find`])).status, 403, 'it needs its action')
  t.equal((await app.inject('/api/content-type-builder/rights')).statusCode, 401)
  t.strictSame(await rights('only the action', []), {
    status: 200,
    cache: 'no-store',
    data: { contentTypes: {}, components: {}, actions: [actions.readRights] },
  })

  const writable = ['title', 'tree', 'zone']
  const tree = { label: ['label', 'below'], leaf: ['words'] }
  const some = await rights('some', [`${article}.find`, `${article}.update`, 'api::home.home.update'])
  t.strictSame(some.data, {
    contentTypes: {
      [article]: {
        actions: ['find', 'update'],
        readable: { find: ['title', 'tree', 'zone', 'createdAt', 'updatedAt'] },
        writable: { update: writable },
        closed: { update: ['secret'] },
        parameters: {},
      },
      'api::home.home': {
        actions: ['update'],
        readable: {},
        writable: { update: ['greeting'] },
        closed: { update: [] },
        parameters: {},
      },
    },
    components: {
      'shared.tree': { readable: { find: tree.label }, writable: { update: tree.label }, closed: { update: [] } },
      'shared.leaf': { readable: { find: tree.leaf }, writable: { update: tree.leaf }, closed: { update: [] } },
    },
    actions: [`${article}.find`, `${article}.update`, 'api::home.home.update', actions.readRights],
  })
  t.equal(reads, 0, 'nothing is read')

  const all = await rights('all', [`${article}.find`, `${article}.create`, 'api::home.home.delete'])
  const own = all.data.contentTypes[article]
  t.strictSame(own.readable.find.includes('secret') && own.writable.create, ['title', 'fee', 'secret', 'tree', 'zone'])
  t.strictSame(all.data.contentTypes['api::home.home'].actions, ['delete'])
  const refused = await rights('refused', [`${article}.find`, `${article}.findOne`])
  t.strictSame(refused.data.contentTypes[article].actions, ['find'], 'a hook refuses the caller')

  const model = async (name: string, permissions: readonly string[]) => {
    const { data } = await get(`content-types/${article}`, name, [actions.readType, ...permissions])
    return Object.keys(data.schema.attributes)
  }
  t.strictSame(await model('reads', [`${article}.find`]), ['title', 'tree', 'zone'], 'what a hook hides is not named')
  t.strictSame(await model('writes', [`${article}.create`]), ['title', 'secret', 'tree', 'zone'], 'a write names it')
  t.strictSame(await model('deletes', [`${article}.delete`]), ['title', 'fee', 'secret', 'tree', 'zone'])
})
