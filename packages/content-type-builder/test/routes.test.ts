// The model over HTTP: v4's form, and only what the caller may know of.

import { createServer } from '@plinth/server'
import { temporary } from '@plinth/test-tools/fixtures'
import { describeModel, writeTypes } from '@plinth/types'
import t, { type Test } from 'tap'
import { actions } from '../src/actions.ts'

const relation = (target: string, more: object = {}) => ({
  type: 'relation' as const,
  relation: 'manyToOne' as const,
  target,
  ...more,
})
const info = (name: string) => ({ singularName: name, pluralName: `${name}s`, displayName: name })
const contentTypes = [
  {
    collectionName: 'articles',
    info: { ...info('article'), description: 'A piece' },
    options: { draftAndPublish: true },
    pluginOptions: { i18n: { localized: true } },
    attributes: {
      title: { type: 'string' as const, required: true, minLength: 3 },
      secret: { type: 'string' as const, private: true },
      author: relation('api::author.author', { inversedBy: 'articles' }),
      cover: { type: 'media' as const, multiple: false, allowedTypes: ['images' as const] },
      seo: { type: 'component' as const, component: 'shared.seo', repeatable: true },
      zone: { type: 'dynamiczone' as const, components: ['shared.quote'] },
    },
  },
  {
    collectionName: 'authors',
    info: info('author'),
    attributes: {
      name: { type: 'string' as const },
      articles: {
        type: 'relation' as const,
        relation: 'oneToMany' as const,
        target: 'api::article.article',
        mappedBy: 'author',
      },
    },
  },
  {
    kind: 'singleType' as const,
    collectionName: 'homepages',
    info: info('homepage'),
    pluginOptions: { 'content-type-builder': { visible: false } },
    attributes: { parts: { type: 'component' as const, component: 'shared.alone' } },
  },
]
const component = (name: string, attributes: object) => ({
  collectionName: `components_shared_${name}s`,
  info: { displayName: name, icon: 'star' },
  attributes: attributes as never,
})
const components = {
  'shared.seo': component('seo', {
    label: { type: 'string' },
    inner: { type: 'component', component: 'shared.inner' },
  }),
  'shared.inner': component('inner', { text: { type: 'text' } }),
  'shared.quote': component('quote', { text: { type: 'text' }, by: relation('api::author.author') }),
  'shared.alone': component('alone', { text: { type: 'text' } }),
}

/** A server, and the answers of a caller with rights. */
async function serve(t: Test) {
  const app = await createServer({
    dir: import.meta.dirname,
    database: { client: 'sqlite', connection: { filename: ':memory:' } },
    contentTypes,
    components,
    plugins: {
      rest: true,
      'draft-publish': true,
      i18n: { config: { locales: ['en'] } },
      upload: { config: { folder: await temporary(t) } },
      'api-tokens': { config: { salt: 'a-salt-of-the-tests-of-the-model' } },
      'content-type-builder': true,
    },
    logger: false,
  })
  t.teardown(() => app.close())
  const { tokensOf } = await import('@plinth/api-tokens')
  const tokens = tokensOf(app.kernel)
  let count = 0
  /** Answers of a caller whose token has these actions, or all of them. */
  return async (rights: readonly string[] | 'all') => {
    const name = `token ${++count}`
    const { accessKey } = await tokens.create(
      rights === 'all' ? { name, type: 'full-access' } : { name, type: 'custom', permissions: rights },
    )
    const get = async (path: string) => {
      const { statusCode, payload } = await app.inject({
        url: `/api/content-type-builder/${path}`,
        headers: { authorization: `Bearer ${accessKey}` },
      })
      return { status: statusCode, body: JSON.parse(payload) }
    }
    return { get, kernel: app.kernel }
  }
}

const uids = ({ body }: { readonly body: { readonly data: readonly { readonly uid: string }[] } }) =>
  body.data
    .map(({ uid }) => uid)
    .filter(uid => !uid.startsWith('plugin::') && !uid.startsWith('admin::'))
    .sort()

t.test('the model in the form of v4', async t => {
  const caller = await serve(t)
  const { get } = await caller('all')
  t.strictSame(uids(await get('content-types')), [
    'api::article.article',
    'api::author.author',
    'api::homepage.homepage',
  ])
  const all = await get('content-types')
  const file = all.body.data.find(({ uid }: { uid: string }) => uid === 'plugin::upload.file')
  t.match(file, { plugin: 'upload', apiID: 'file', schema: { restrictRelationsTo: [], singularName: 'file' } })
  const { body } = await get('content-types/api::article.article')
  t.strictSame(body.data, {
    uid: 'api::article.article',
    apiID: 'article',
    schema: {
      draftAndPublish: true,
      displayName: 'article',
      singularName: 'article',
      pluralName: 'articles',
      description: 'A piece',
      pluginOptions: { i18n: { localized: true } },
      kind: 'collectionType',
      collectionName: 'articles',
      attributes: {
        title: { type: 'string', required: true, minLength: 3 },
        secret: { type: 'string', private: true },
        author: {
          type: 'relation',
          relation: 'manyToOne',
          target: 'api::author.author',
          inversedBy: 'articles',
          targetAttribute: 'articles',
          private: false,
        },
        cover: { type: 'media', multiple: false, required: false, private: false, allowedTypes: ['images'] },
        seo: { type: 'component', component: 'shared.seo', repeatable: true },
        zone: { type: 'dynamiczone', components: ['shared.quote'] },
      },
      visible: true,
      restrictRelationsTo: null,
    },
  })
  const homepage = await get('content-types/api::homepage.homepage')
  t.match(homepage.body.data.schema, { kind: 'singleType', visible: false, restrictRelationsTo: [] })
  t.strictSame(uids(await get('content-types?kind=singleType')), ['api::homepage.homepage'])
  t.match(await get('content-types?kind=other'), { status: 400, body: { error: { name: 'ValidationError' } } })
  t.strictSame(uids(await get('components')), ['shared.alone', 'shared.inner', 'shared.quote', 'shared.seo'])
  t.strictSame((await get('components/shared.inner')).body.data, {
    uid: 'shared.inner',
    category: 'shared',
    apiId: 'inner',
    schema: {
      displayName: 'inner',
      description: '',
      icon: 'star',
      collectionName: 'components_shared_inners',
      pluginOptions: {},
      attributes: { text: { type: 'text' } },
    },
  })
  t.strictSame(await get('content-types/shared.inner'), { status: 404, body: { error: 'contentType.notFound' } })
  t.strictSame(await get('components/api::article.article'), { status: 404, body: { error: 'component.notFound' } })
})

t.test('a caller knows only what it may do something with', async t => {
  const caller = await serve(t)
  const reading = await caller([...Object.values(actions), 'api::article.article.find'])
  const types = await reading.get('content-types')
  t.strictSame(
    types.body.data.map(({ uid }: { uid: string }) => uid).sort(),
    ['api::article.article', 'plugin::upload.file'],
    'files are shown with articles',
  )
  const { attributes } = (await reading.get('content-types/api::article.article')).body.data.schema
  t.strictSame(Object.keys(attributes), ['title', 'cover', 'seo', 'zone'], 'no private one, none that leads to authors')
  t.strictSame(uids(await reading.get('components')), ['shared.inner', 'shared.quote', 'shared.seo'])
  const quote = await reading.get('components/shared.quote')
  t.strictSame(Object.keys(quote.body.data.schema.attributes), ['text'])
  t.equal((await reading.get('content-types/api::author.author')).status, 404)
  t.equal((await reading.get('components/shared.alone')).status, 404)
  const text = JSON.stringify((await reading.get('model')).body)
  t.notMatch(text, /author|homepage|secret|shared\.alone|users-permissions/)
  const writing = await caller([...Object.values(actions), 'api::article.article.create', 'api::author.author.find'])
  const article = await writing.get('content-types/api::article.article')
  t.strictSame(Object.keys(article.body.data.schema.attributes), ['title', 'secret', 'author', 'cover', 'seo', 'zone'])
  for (const path of [
    'content-types',
    'content-types/api::article.article',
    'components',
    'components/shared.seo',
    'model',
  ])
    t.equal((await (await caller(['api::article.article.find'])).get(path)).status, 403, `${path} needs its action`)
})

t.test('with all rights, the model gives the types that the files give', async t => {
  const { get, kernel } = await (await serve(t))('all')
  const { body } = await get('model')
  t.equal(writeTypes(body.data), writeTypes(describeModel(kernel)))
})
