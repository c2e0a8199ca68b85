/** Drafts and translations for callers with and without the right to preview (security.md rows 12 to 13), with roles. */

import t, { type Test } from 'tap'
import { type Client, client, type Entry } from '../boot.ts'
import { reads, startMembers } from './members.ts'
import { refused } from './refusal.ts'

const preview = 'plugin::draft-publish.entries.preview'
const types = ['article', 'category', 'tag', 'product', 'review', 'site-setting']
const readable = types.flatMap(reads)

async function start(t: Test, strict = true) {
  const members = await startMembers(t, {
    permissions: { public: readable, reader: readable, editor: [...readable, preview] },
    plugins: {
      'draft-publish': { config: { previewFor: 'permitted', ...(!strict && { findOne: 'v4' }) } },
      i18n: { config: { locales: ['en', 'fr'] } },
    },
  })
  const { of } = members
  await of('category').create({ data: { name: 'News', slug: 'news' } })
  await of('tag').create({ data: { label: 'One' } })
  const links = { category: 1, tags: [1] }
  await of('article').create({ data: { title: 'Published', ...links } })
  const hidden = { title: 'Hidden draft', summary: 'unreleased', publishedAt: null, ...links }
  await of('article').create({ data: hidden })
  const french = { title: 'Brouillon', locale: 'fr', localizations: [1], publishedAt: null, ...links }
  await of('article').create({ data: french })
  await of('product').create({ data: { name: 'Lamp', price: 1 } })
  await of('review').create({ data: { headline: 'Secret review', stars: 1, product: 1, publishedAt: null } })
  await of('site-setting').create({ data: { siteName: 'Soon', publishedAt: null } })
  return { ...members, reader: await members.as('reader'), editor: await members.as('editor') }
}

const leaked = /Hidden draft|unreleased|Brouillon|Secret review|Soon/

t.test('drafts', async t => {
  const { app, reader, editor } = await start(t)
  const callers: readonly [string, Client][] = [
    ['a stranger', client(app)],
    ['a reader', reader],
  ]

  await t.test('security.md row 12: no path leads a caller without the right to a draft', async t => {
    const lists = [
      '/api/articles?populate=*',
      '/api/articles?locale=all&populate=localizations',
      '/api/articles/1?populate=localizations',
      '/api/articles/1?populate[localizations][populate]=*',
      '/api/categories?populate=articles',
      '/api/categories?populate[articles][populate]=*',
      '/api/categories?populate[articles][filters][publishedAt][$null]=true',
      '/api/categories?populate[articles][publicationState]=live',
      '/api/tags?populate[articles][populate][category][populate]=articles',
      '/api/tags?populate[articles][limit]=5&populate[articles][populate][localizations][limit]=4' +
        '&populate[articles][populate][localizations][populate]=*',
      '/api/products?populate=reviews',
      '/api/articles?_q=unreleased&locale=all',
      '/api/articles?_q=Hidden',
    ]
    for (const [name, api] of callers)
      for (const url of lists) {
        const { status, text } = await api.get(url)
        t.equal(status, 200, url)
        t.notMatch(text, leaked, `${name}: ${url}`)
      }
    t.match((await editor.get('/api/categories?publicationState=preview&populate=articles')).text, leaked)
  })

  await t.test('security.md row 12: filters, sorts and counts do not follow drafts', async t => {
    for (const [, api] of callers) {
      const none = [
        '/api/categories?filters[articles][title][$startsWith]=Hidden',
        '/api/categories?filters[articles][publishedAt][$null]=true&filters[articles][id][$notNull]=true',
        '/api/tags?filters[articles][summary]=unreleased',
        '/api/products?filters[reviews][headline][$startsWith]=Secret',
        '/api/products?filters[reviews][id][$notNull]=true',
        '/api/articles?filters[localizations][title][$startsWith]=Brou',
        '/api/articles?filters[localizations][locale]=fr',
        '/api/articles?filters[publishedAt][$null]=true',
        '/api/articles?filters[$or][0][title]=Hidden draft&filters[$or][1][id]=2',
      ]
      for (const url of none) {
        const { body } = await api.get(url)
        t.same(body.data, [], url)
        t.equal(body.meta?.pagination?.total, 0, url)
      }
      const counted = (await api.get('/api/categories?populate[articles][count]=true')).text
      t.match(counted, /"count":1\b/, 'the drafts are not counted')
      t.notMatch((await api.get('/api/articles?locale=all')).text, /"availableLocales":\["fr"\]|"locale":"fr"/)
    }
    t.equal((await editor.list('/api/articles?publicationState=preview&locale=all')).length, 3)
    const { text } = await editor.get('/api/categories?publicationState=preview&populate[articles][count]=true')
    t.match(text, /"count":[23]\b/)
  })

  await t.test('security.md row 12a: a draft by its id is 404 without the right to preview', async t => {
    for (const [, api] of callers) {
      for (const id of [2, 3, 999]) refused(t, await api.get(`/api/articles/${id}`), 404)
      for (const id of [2, 3]) refused(t, await api.get(`/api/articles/${id}?publicationState=preview`), 403)
      refused(t, await api.get('/api/site-setting'), 404)
    }
    const { body } = await editor.get('/api/articles/2?publicationState=preview')
    t.equal((body.data as Entry).attributes.title, 'Hidden draft')
  })

  await t.test('security.md row 13: preview needs the right', async t => {
    for (const [, api] of callers)
      for (const url of [
        '/api/articles?publicationState=preview',
        '/api/articles/1?publicationState=preview',
        '/api/site-setting?publicationState=preview',
        '/api/categories?populate[articles][publicationState]=preview',
        '/api/articles?publicationState=preview&publicationState=live',
        '/api/articles?publicationState[0]=preview',
        '/api/articles?PublicationState=preview',
        '/api/articles?_publicationState=preview',
        '/api/articles?status=draft',
      ]) {
        const { status, text } = await api.get(url)
        t.ok([200, 400, 403].includes(status), url)
        t.notMatch(text, leaked, url)
      }
    refused(t, await reader.get('/api/articles?publicationState=preview'), 403)
    t.equal((await editor.list('/api/articles?publicationState=preview')).length, 2)
  })
})

t.test('security.md row 12a: as in v4, an id finds a draft, but not without the right to preview', async t => {
  const { app, reader, editor } = await start(t, false)
  for (const api of [client(app), reader]) {
    for (const id of [2, 3]) refused(t, await api.get(`/api/articles/${id}`), 404)
    refused(t, await api.get('/api/site-setting'), 404)
    const populate = 'populate[category][populate]=articles&populate[localizations]=*&populate[tags][populate]=articles'
    const { status, text } = await api.get(`/api/articles/1?${populate}`)
    t.equal(status, 200)
    t.notMatch(text, leaked)
  }
  t.match((await editor.get('/api/articles/2')).text, leaked)
})

t.test('security.md row 13: without the option everybody may preview, as in v4', async t => {
  const { app, of } = await startMembers(t, { permissions: { public: readable } })
  await of('article').create({ data: { title: 'Draft', publishedAt: null } })
  t.equal((await client(app).list('/api/articles')).length, 0)
  t.equal((await client(app).list('/api/articles?publicationState=preview')).length, 1)
})
