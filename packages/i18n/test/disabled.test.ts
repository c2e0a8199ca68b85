// Without the plugin there are no attributes, parameters, routes or tables of it; without the option a type has none.

import type { Kernel } from '@plinth/kernel'
import t from 'tap'
import { idsOf, refused, start, translated, type } from './fixtures/boot.ts'

async function tables(kernel: Kernel): Promise<string[]> {
  const rows = await kernel.database.knex('sqlite_master').where({ type: 'table' }).select('name')
  return rows.map(({ name }) => name)
}

t.test('without the plugin there are no attributes, parameters, routes or tables', async t => {
  const { kernel, get, post, send, put } = await start(t, { config: false })
  t.same(
    (await tables(kernel)).filter(name => /locali[sz]ation|i18n/.test(name)),
    [],
  )
  t.notOk('locale' in (await kernel.database.knex('pages').columnInfo()))
  t.same(
    kernel.parameters.values().map(({ name }) => name),
    ['publicationState'],
  )
  const { attributes } = kernel.contentTypes.get('api::page.page')!
  t.notOk(attributes.has('locale') || attributes.has('localizations'))
  t.notOk([...kernel.contentTypes.values()].some(({ uid }) => uid === 'plugin::i18n.locale'))
  t.equal((await get('i18n/locales')).status, 404)
  t.equal((await send('pages/1/localizations', { locale: 'fr' })).status, 405)
  t.equal((await send('home/localizations', { locale: 'fr' })).status, 405)
  const { body } = await post('pages', { title: 'a', locale: 'nowhere', localizations: [1] })
  t.notOk('locale' in body.data.attributes)
  t.same(body.data.meta, {})
  t.same(idsOf(await get('pages?locale=nowhere&fallbackLocale=x&locale[$ne]=y')), [1], 'unknown parameters')
  for (const query of ['filters[locale]=en', 'sort=locale', 'fields[0]=locale'])
    refused(t, await get(`pages?${query}`), 400, 'ValidationError', /locale/)
  await put('home', { title: 'a' })
  t.equal((await get('home?locale=fr')).status, 200)
})

t.test('without the option a type is not localized', async t => {
  const { kernel, get, post, send } = await start(t)
  t.ok((await tables(kernel)).includes('pages_localizations_links'))
  t.notOk((await tables(kernel)).includes('tags_localizations_links'))
  const { body } = await post('tags', { label: 'a', locale: 'fr', localizations: [1] })
  t.same(Object.keys(body.data.attributes), ['label', 'createdAt', 'updatedAt'])
  t.same((await get('tags')).body.data[0].meta, {})
  t.equal((await send('tags/1/localizations', { locale: 'fr' })).status, 405)
  t.same(idsOf(await get('tags?locale=fr')), [1])
})

t.test('without draft-publish translations have no drafts', async t => {
  const posts = [type('post', { title: { type: 'string' } }, { ...translated, options: { draftAndPublish: true } })]
  const { kernel, get, post, send } = await start(t, {
    contentTypes: posts,
    components: {},
    plugins: { 'draft-publish': false },
  })
  t.notOk('published_at' in (await kernel.database.knex('posts').columnInfo()))
  t.notOk('publishedAt' in (await post('posts', { title: 'a', publishedAt: null })).body.data.attributes)
  t.same(idsOf(await get('posts?publicationState=live')), [1])
  t.same(idsOf(await get('posts?publicationState=nonsense')), [1])
  refused(t, await get('posts?filters[publishedAt][$null]=true'), 400, 'ValidationError', /publishedAt/)
  const { body } = await send('posts/1/localizations', { locale: 'fr', title: 'b' })
  t.match(body, { id: 2, locale: 'fr' })
  t.notOk('publishedAt' in body)
  t.same(idsOf(await get('posts?locale=fr')), [2])
})
