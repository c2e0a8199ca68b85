// `locale=fr&fallbackLocale=en`: entries without a French translation are answered in English, and each entry once.

import t, { type Test } from 'tap'
import { idsOf, refused, start } from './fixtures/boot.ts'

/** 1 en+fr(2), 3 en only, 4 fr only, 5 de only, 6 de+en(7). */
async function pages(t: Test) {
  const started = await start(t)
  const { post, send } = started
  await post('pages', { title: 'both' })
  await send('pages/1/localizations', { locale: 'fr', title: 'les deux' })
  await post('pages', { title: 'english' })
  await post('pages', { title: 'français', locale: 'fr' })
  await post('pages', { title: 'deutsch', locale: 'de' })
  await post('pages', { title: 'beides', locale: 'de' })
  await send('pages/6/localizations', { locale: 'en', title: 'two' })
  return started
}

t.test('lists with fallbacks have the right totals', async t => {
  const { get, of } = await pages(t)
  const rows: [query: string, ids: number[]][] = [
    ['locale=fr', [2, 4]],
    ['locale=fr&fallbackLocale=en', [2, 3, 4, 7]],
    ['locale=fr&fallbackLocale=de', [2, 4, 5, 6]],
    ['locale=de&fallbackLocale=en', [1, 3, 5, 6]],
    ['locale=de&fallbackLocale=fr', [2, 4, 5, 6]],
    ['locale=en&fallbackLocale=fr', [1, 3, 4, 7]],
    ['fallbackLocale=fr', [1, 3, 4, 7]],
    ['locale[]=fr&fallbackLocale=en', [2, 3, 4, 7]],
    ['locale[]=fr&locale[]=de&fallbackLocale=en', [2, 3, 4, 5, 6]],
    ['locale=all&fallbackLocale=en', [1, 2, 3, 4, 5, 6, 7]],
    ['locale=fr&fallbackLocale=fr', [2, 4]],
    ['locale=fr&fallbackLocale=en&filters[title][$contains]=e', [2, 3]],
    ['locale=fr&fallbackLocale=en&filters[locale]=en', [3, 7]],
    ['locale=fr&fallbackLocale=en&sort=title:desc', [7, 2, 4, 3]],
  ]
  for (const [query, ids] of rows) {
    const answer = await get(`pages?${query}`)
    t.same(idsOf(answer), ids, query)
    t.equal(answer.body.meta.pagination.total, ids.length, 'total')
    const paged: number[] = []
    for (let page = 1; page <= ids.length; page++) {
      const { body, status } = await get(`pages?${query}&pagination[pageSize]=1&pagination[page]=${page}`)
      t.equal(body.meta.pagination.pageCount, ids.length)
      paged.push(...idsOf({ body, status }))
    }
    t.same(paged, ids, 'page by page')
  }
  t.equal(await of('page').count({ locale: 'fr', fallbackLocale: 'en' }), 4)
  for (const query of ['fallbackLocale=es', 'fallbackLocale[a]=en', 'fallbackLocale[]=en', 'fallbackLocale='])
    refused(t, await get(`pages?locale=fr&${query}`), 400, 'ValidationError', /locale/i)
})

t.test('populated relations have fallbacks', async t => {
  const { post, get } = await pages(t)
  await post('menus', { name: 'm', pages: [7, 6, 5, 4, 3, 2, 1], first: 1 })
  const linked = async (query: string) => {
    const { status, body } = await get(`menus?populate=*${query}`)
    const { pages, first } = body.data[0].attributes
    return { pages: idsOf({ status, body: pages }), first: first.data?.id ?? null }
  }
  t.same(await linked(''), { pages: [7, 6, 5, 4, 3, 2, 1], first: 1 }, 'not filtered by locale')
  t.same(await linked('&locale=fr'), { pages: [7, 6, 5, 4, 3, 2, 1], first: 1 })
  t.same(
    await linked('&locale=fr&fallbackLocale=en'),
    { pages: [7, 4, 3, 2], first: null },
    'only where a fallback is named',
  )
  t.same(await linked('&locale=en&fallbackLocale=fr'), { pages: [7, 4, 3, 1], first: 1 })
  const nested = async (query: string) => {
    const { status, body } = await get(`menus?${query}`)
    return idsOf({ status, body: body.data[0].attributes.pages })
  }
  for (const value of ['=fr', '=es', '=all', '[$ne]=fr'])
    t.same(
      await nested(`populate[pages][locale]${value}`),
      [7, 6, 5, 4, 3, 2, 1],
      `${value} inside populate is ignored`,
    )
  t.same(
    await nested('locale=fr&populate[pages][locale]=de&populate[pages][fallbackLocale]=en'),
    [7, 4, 3, 2],
    'a fallback there is used with the locale of the whole query',
  )
})

t.test('writes do not change the fallback', async t => {
  const { put, get, delete: remove } = await start(t)
  await put('home', { title: 'Home' })
  refused(t, await remove('home?locale=fr&fallbackLocale=en'), 404, 'NotFoundError', 'Not Found')
  t.match((await get('home')).body, { data: { id: 1, attributes: { title: 'Home' } } })
  await put('home?locale=fr&fallbackLocale=en', { title: 'Accueil' })
  t.match((await get('home')).body, { data: { id: 1, attributes: { title: 'Home' } } })
})

t.test('a draft is not a translation in live mode', async t => {
  const { post, send, get, put } = await start(t)
  await post('posts', { title: 'one' })
  await send('posts/1/localizations', { locale: 'fr', title: 'un' })
  await post('posts', { title: 'two', publishedAt: null })
  await post('menus', { name: 'm', posts: [1, 2] })
  const ask = 'locale=fr&fallbackLocale=en'
  const menu = async (query = '') => {
    const { status, body } = await get(`menus?populate=posts&${ask}${query}`)
    return idsOf({ status, body: body.data[0].attributes.posts })
  }
  t.same(idsOf(await get(`posts?${ask}`)), [1], 'the French draft does not hide the English entry')
  t.same(await menu(), [1])
  const preview = '&publicationState=preview'
  t.same(idsOf(await get(`posts?${ask}${preview}`)), [2, 3], 'where drafts are seen, it stands for it')
  t.same(await menu(preview), [2])
  await put('posts/2', { publishedAt: new Date().toISOString() })
  t.same(idsOf(await get(`posts?${ask}`)), [2])
  t.same((await get(`posts?${ask}`)).body.meta.pagination.total, 1)
  await put('posts/1', { publishedAt: null })
  t.same(idsOf(await get('posts?locale=de&fallbackLocale=en')), [], 'nor is a draft a fallback')
})
