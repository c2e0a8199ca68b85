// Values of attributes of the type `uid`: made of their target, free whoever sees the entries, and filled in.

import draftPublish from '@plinth/draft-publish'
import i18n from '@plinth/i18n'
import { type Access, definePlugin, openAccess } from '@plinth/kernel'
import rest from '@plinth/rest'
import { createServer } from '@plinth/server'
import { freshDatabase, testClient } from '@plinth/test-tools/databases'
import t, { type Test } from 'tap'
import slugs from '../src/index.ts'

const article = 'api::article.article'
const contentTypes = [
  {
    collectionName: 'articles',
    info: { singularName: 'article', pluralName: 'articles', displayName: 'Article' },
    options: { draftAndPublish: true },
    pluginOptions: { i18n: { localized: true } },
    attributes: {
      title: { type: 'string' as const },
      slug: { type: 'uid' as const, targetField: 'title', required: true },
    },
  },
  {
    collectionName: 'tags',
    info: { singularName: 'tag', pluralName: 'tags', displayName: 'Tag' },
    attributes: { code: { type: 'uid' as const, options: { separator: '_' }, default: 'No.Code' } },
  },
]

const generate = 'plugin::slugs.slugs.generate'
const check = 'plugin::slugs.slugs.checkAvailability'

/** Callers with the header `rights` have only these; those of `hidden` may not send it. */
const callers = definePlugin({
  name: 'callers',
  register({ kernel }) {
    kernel.auth.use({
      name: 'callers',
      authenticate({ headers }): Access {
        if (headers.rights === undefined) return openAccess
        const own = String(headers.rights).split(',')
        return { key: `callers:${headers.rights}`, user: null, can: one => own.includes(one) }
      },
    })
    kernel.hooks.on('prePlan', draft => {
      if (draft.type.uid === article && draft.access.can('hidden') && draft.access !== openAccess) draft.forbid('slug')
    })
  },
})

async function serve(t: Test, config: Readonly<Record<string, unknown>> = {}) {
  const database = await freshDatabase(testClient())
  const app = await createServer({
    database: database.config,
    contentTypes,
    plugins: {
      rest: { plugin: rest },
      'draft-publish': { plugin: draftPublish },
      i18n: { plugin: i18n, config: { locales: ['en', 'de'] } },
      callers: { plugin: callers },
      slugs: { plugin: slugs, config },
    },
    logger: false,
  })
  t.teardown(async () => {
    await app.close()
    await database.drop()
  })
  const post = async (url: string, payload: object, headers: Record<string, string> = {}) => {
    const response = await app.inject({ method: 'POST', url: `/api/${url}`, payload, headers })
    return { status: response.statusCode, body: response.json() }
  }
  const articles = app.kernel.query(article)
  return {
    post,
    articles,
    kernel: app.kernel,
    made: async (data: object) =>
      (await post('slugs/generate', { contentTypeUID: article, field: 'slug', data })).body.data,
    checked: async (value: string) =>
      (await post('slugs/check-availability', { contentTypeUID: article, field: 'slug', value })).body,
  }
}

t.test('a value is made of the target, and is free', async t => {
  const { made, checked, articles, post } = await serve(t)
  t.equal(await made({ title: 'Ein schönes Ding & mehr' }), 'ein-schoenes-ding-and-mehr')
  for (const data of [{}, { title: '' }, { title: null }, { title: { a: 1 } }, { title: '!?' }])
    t.equal(await made(data), 'article', `without a text it is the name of the type: ${JSON.stringify(data)}`)
  const tag = { contentTypeUID: 'api::tag.tag', field: 'code', data: {} }
  const { body } = await post('slugs/generate', tag)
  t.equal(body.data, 'no_code', 'or the default, by the options of the attribute')
  t.same(await checked('hello'), { isAvailable: true, suggestion: null })

  // Drafts and other locales count.
  await articles.create({ data: { slug: 'hello', publishedAt: null } })
  await articles.create({ data: { slug: 'hello-1', locale: 'de' } })
  await articles.create({ data: { slug: 'hello-10' } })
  t.equal(await made({ title: 'Hello' }), 'hello-2')
  t.same(await checked('hello'), { isAvailable: false, suggestion: 'hello-2' })
  for (let i = 2; i < 60; i++) if (i !== 10) await articles.create({ data: { slug: `hello-${i}` } })
  t.equal(await made({ title: 'Hello' }), 'hello-60')
  const isCaseIgnored = testClient() === 'mysql'
  t.equal((await checked('HELLO')).isAvailable, !isCaseIgnored, 'as the unique index compares')
})

t.test('callers need the action, and may write the attribute', async t => {
  const { post } = await serve(t)
  const body = { contentTypeUID: article, field: 'slug', data: { title: 'x' } }
  const as = (...rights: string[]) => ({ rights: rights.join() })
  const status = async (sent: object, rights: Record<string, string>) =>
    (await post('slugs/generate', sent, rights)).status
  t.equal(await status(body, as(`${article}.create`)), 403)
  t.equal(await status(body, as(generate)), 403)
  t.equal(await status(body, as(generate, `${article}.find`)), 403, 'who may only read learns nothing')
  t.equal(
    await status({ ...body, contentTypeUID: 'api::none.none' }, as(generate)),
    403,
    'as of a type that does not exist',
  )
  t.equal(await status(body, as(generate, `${article}.create`)), 200)
  t.equal(await status(body, as(generate, `${article}.update`)), 200)
  t.equal(await status(body, as(generate, `${article}.update`, 'hidden')), 400, 'a rule keeps the attribute')
  const value = { contentTypeUID: article, field: 'slug', value: 'x' }
  t.equal((await post('slugs/check-availability', value, as(generate, `${article}.create`))).status, 403)
  t.equal((await post('slugs/check-availability', value, as(check, `${article}.create`))).status, 200)

  const refused = async (path: string, sent: object, message: string) =>
    t.match(await post(`slugs/${path}`, sent), { status: 400, body: { error: { message } } })
  await refused(
    'generate',
    { ...body, field: 'title' },
    'field is not an attribute of the type uid that the caller may write',
  )
  await refused('generate', { ...body, data: 'x' }, 'data must be an object')
  await refused('generate', { ...body, more: 1 }, 'more is not known')
  await refused('generate', [], 'The body must be an object')
  await refused('check-availability', { ...value, value: 'a b' }, 'value must match')
  await refused(
    'check-availability',
    { ...value, contentTypeUID: 1 },
    'contentTypeUID must be the uid of a content type',
  )
})

t.test('new entries are filled if the settings say so', async t => {
  const { post, articles, kernel } = await serve(t, { fill: true })
  const created = async (data: object) => (await post('articles', { data })).body.data?.attributes.slug ?? null
  t.equal(await created({ title: 'Hello World' }), 'hello-world')
  t.equal(await created({ title: 'Hello World' }), 'hello-world-1')
  t.equal(await created({ title: 'Hello World', slug: 'own' }), 'own')
  t.equal(await created({}), null, 'without a target it is required')
  t.match(await articles.create({ data: { title: 'By code' } }), { slug: 'by-code' })
  await kernel.transaction(async () => {
    await articles.create({ data: { title: 'Within' } })
    t.match(
      await articles.create({ data: { title: 'Within' } }),
      { slug: 'within-1' },
      'what a transaction has made counts',
    )
  })
  t.match(await articles.update(1, { data: { title: 'Another' } }), { slug: 'hello-world' }, 'addresses stay')
})

t.test('without the setting nothing is filled', async t => {
  const { post } = await serve(t)
  t.match(await post('articles', { data: { title: 'Hello' } }), { status: 400 })
})
