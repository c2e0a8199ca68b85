// Custom fields behind REST and GraphQL are attributes of their base types, on each database, also translated and as drafts.

import draftPublish from '@plinth/draft-publish'
import graphql from '@plinth/graphql'
import i18n from '@plinth/i18n'
import rest from '@plinth/rest'
import { createServer } from '@plinth/server'
import { fresh, onEach } from '@plinth/test-tools/on-each'
import type { Test } from 'tap'
import customFields from '../src/index.ts'

const field = (customField: string, more: object = {}) => ({ type: 'customField', customField, ...more })
const localized = { pluginOptions: { i18n: { localized: true } } }

const page = {
  kind: 'collectionType',
  collectionName: 'pages',
  info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
  options: { draftAndPublish: true },
  pluginOptions: { i18n: { localized: true } },
  attributes: {
    colour: field('plugin::color-picker.color', { required: true, regex: '^#', ...localized }),
    tags: field('plugin::multi-select.multi-select', { options: ['a:a', 'b:b'], ...localized }),
    body: field('plugin::ckeditor.CKEditor', { options: { preset: 'rich' }, ...localized }),
    code: field('plugin::field-uuid.uuid', localized),
    stars: field('plugin::own.stars', { min: 1, max: 5 }),
    size: field('plugin::own.size', { enum: ['small', 'large'] }),
    note: field('plugin::react-icons.icon', { private: true }),
    slug: { type: 'uid', targetField: 'colour', ...localized },
    card: { type: 'component', component: 'shared.card', ...localized },
    zone: { type: 'dynamiczone', components: ['shared.card'], ...localized },
  },
}
const card = { collectionName: 'components_shared_cards', attributes: { tint: field('plugin::color-picker.color') } }
const types = { 'plugin::own.stars': 'integer', 'plugin::own.size': 'enumeration' }

async function open(t: Test) {
  const { config: database } = await fresh(t)
  const app = await createServer({
    database,
    logger: false,
    contentTypes: [page],
    components: { 'shared.card': card },
    plugins: {
      rest: { plugin: rest },
      graphql: { plugin: graphql },
      i18n: { plugin: i18n, config: { locales: ['en', 'fr'] } },
      'draft-publish': { plugin: draftPublish },
      'custom-fields': { plugin: customFields, config: { baseTypes: types } },
    },
  })
  t.teardown(() => app.close())
  await app.ready()
  const send = async (method: 'GET' | 'POST' | 'PUT', url: string, data?: object) => {
    // The body of a translation is the entry itself.
    const body = url.endsWith('/localizations') ? data : { data }
    const response = await app.inject({ method, url, ...(data !== undefined && { payload: body }) })
    return { status: response.statusCode, body: response.json() }
  }
  const ask = async (query: string, variables: object = {}) =>
    (await app.inject({ method: 'POST', url: '/graphql', payload: { query, variables } })).json()
  return { send, ask }
}

const sent = {
  colour: '#0af',
  tags: ['a', 'b'],
  body: '<p>long</p>',
  code: 'c-1',
  stars: 4,
  size: 'small',
  note: 'secret',
  slug: 'blue',
  card: { tint: '#111' },
  zone: [{ __component: 'shared.card', tint: '#222' }],
}
const { note, ...shown } = sent

await onEach('REST', async t => {
  const { send } = await open(t)
  const created = await send('POST', '/api/pages?populate=*', { ...sent, publishedAt: '2024-01-01T00:00:00.000Z' })
  t.equal(created.status, 200)
  t.match(created.body.data.attributes, shown)
  t.notOk('note' in created.body.data.attributes, 'private')
  const { id } = created.body.data
  const french = await send('POST', `/api/pages/${id}/localizations`, {
    locale: 'fr',
    colour: '#0bf',
    slug: 'bleu',
    code: 'c-2',
    publishedAt: '2024-01-01T00:00:00.000Z',
  })
  t.match(french, { status: 200, body: { colour: '#0bf', stars: 4, size: 'small' } }, 'what is not localized is shared')
  t.equal((await send('POST', '/api/pages', { publishedAt: null })).status, 200, 'a draft lacks what is required')
  const refused = async (data: object, message: RegExp) =>
    t.match(await send('POST', '/api/pages', { colour: '#1', ...data, publishedAt: '2024-01-01T00:00:00.000Z' }), {
      status: 400,
      body: { error: { name: 'ValidationError', message } },
    })
  await refused({ colour: null }, /colour/)
  await refused({ colour: 'red' }, /colour must match/)
  await refused({ stars: 9 }, /stars must be less than or equal to 5/)
  await refused({ size: 'huge' }, /size must be one of/)
  await refused({ code: 'c-1' }, /unique/)
  const found = async (query: string) =>
    (await send('GET', `/api/pages?${query}`)).body.data.map((one: { id: number }) => one.id)
  t.same(await found('filters[colour][$startsWith]=%230a'), [id])
  t.same(await found('filters[stars][$gte]=4&filters[card][tint]=%23111'), [id])
  t.same(await found('filters[body][$containsi]=LONG&sort=colour:desc'), [id])
  t.same(await found('_q=0af'), [id])
  t.equal((await send('GET', '/api/pages?filters[note]=secret')).status, 400)
  t.match((await send('GET', '/api/pages?fields=colour&locale=all&sort=colour')).body.data, [
    { attributes: { colour: '#0af' } },
    { attributes: { colour: '#0bf' } },
  ])
})

await onEach('GraphQL has the types of v4', async t => {
  const { ask } = await open(t)
  const typeOf = (of: string) => `name ${of}(includeDeprecated: true) { name type { name kind ofType { name } } }`
  const { data } = await ask(`{
    page: __type(name: "Page") { ${typeOf('fields')} }
    input: __type(name: "PageInput") { ${typeOf('inputFields')} }
    filters: __type(name: "PageFiltersInput") { ${typeOf('inputFields')} }
    card: __type(name: "ComponentSharedCard") { ${typeOf('fields')} }
  }`)
  const names = (list: { name: string; type: { name: string | null; ofType: { name: string } | null } }[]) =>
    Object.fromEntries(list.map(({ name, type }) => [name, type.name ?? `${type.ofType?.name}!`]))
  t.match(names(data.page.fields), {
    colour: 'String!',
    tags: 'JSON',
    body: 'String',
    code: 'String',
    stars: 'Int',
    size: 'ENUM_PAGE_SIZE',
  })
  t.notOk('note' in names(data.page.fields))
  t.match(names(data.input.inputFields), {
    colour: 'String',
    tags: 'JSON',
    stars: 'Int',
    size: 'ENUM_PAGE_SIZE',
    note: 'String',
  })
  t.match(names(data.filters.inputFields), {
    colour: 'StringFilterInput',
    tags: 'JSONFilterInput',
    stars: 'IntFilterInput',
    size: 'StringFilterInput',
  })
  t.match(names(data.card.fields), { tint: 'String' })
  const create = `mutation ($data: PageInput!) { createPage(data: $data) { data { attributes { colour tags stars size card { tint } } } } }`
  const { zone, ...rest } = sent
  const created = await ask(create, { data: { ...rest, publishedAt: '2024-01-01T00:00:00.000Z' } })
  t.match(created.data.createPage.data.attributes, {
    colour: '#0af',
    tags: ['a', 'b'],
    stars: 4,
    size: 'small',
    card: { tint: '#111' },
  })
  t.match(
    await ask('{ pages(filters: { colour: { eq: "#0af" }, stars: { gt: 3 } }) { data { attributes { body } } } }'),
    {
      data: { pages: { data: [{ attributes: { body: '<p>long</p>' } }] } },
    },
  )
})
