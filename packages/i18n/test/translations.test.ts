// Translations: how they are created, linked and deleted (B-7.18 to B-7.26, B-7.29).

import { CredentialsError } from '@plinth/kernel'
import t, { type Test } from 'tap'
import { idsOf, refused, type Started, start } from './fixtures/boot.ts'

/** `from-to` of every link, sorted. */
async function linksOf({ kernel }: Started, name: string): Promise<string[]> {
  const rows = await kernel.database.knex(`${name}s_localizations_links`).select('*')
  return rows.map(row => `${row[`${name}_id`]}-${row[`inv_${name}_id`]}`).sort()
}

t.test('the route creates a translation', async t => {
  const started = await start(t)
  const { send, get, post } = started
  await post('tags', { label: 'a' })
  await post('pages', { title: 'One', code: 'x', rank: 3, meta: { a: [1] }, tags: [1], path: '/one', key: 'k' })
  const { status, body } = await send('pages/1/localizations', { locale: 'fr', title: 'Un' })
  t.equal(status, 200)
  const { localizations, ...flat } = body
  t.match(flat, { id: 2, title: 'Un', locale: 'fr', code: 'x', rank: 3, meta: { a: [1] }, path: null, key: null })
  t.equal(flat.data, undefined, 'flat')
  t.match(localizations, [{ id: 1, title: 'One', locale: 'en' }])
  t.match((await send('pages/2/localizations', { locale: 'de', title: 'Eins', rank: 9 })).body, {
    id: 3,
    rank: 9,
    code: 'x',
  })
  t.same(await linksOf(started, 'page'), ['1-2', '1-3', '2-1', '2-3', '3-1', '3-2'], 'each to each other one')
  for (const id of [1, 2, 3]) {
    const { data } = (await get(`pages/${id}?populate=localizations,tags`)).body
    t.same(
      idsOf({ status, body: data.attributes.localizations }).sort(),
      [1, 2, 3].filter(one => one !== id),
    )
    t.equal(data.attributes.rank, 9, 'what is sent goes to all that share it')
    t.equal(data.attributes.tags.data.length, id === 1 ? 1 : 0, 'a relation belongs to one translation')
    t.same(
      data.meta.availableLocales.toSorted(),
      ['en', 'fr', 'de'].filter(one => one !== data.attributes.locale).toSorted(),
    )
  }
})

t.test('invalid requests are refused for their first fault', async t => {
  const started = await start(t)
  const { send, post } = started
  await post('pages', { title: 'One' })
  await send('pages/1/localizations', { locale: 'fr', title: 'Un' })
  const rows: [url: string, body: object, status: number, name: string, message: string | RegExp][] = [
    ['pages/9/localizations', {}, 404, 'NotFoundError', 'Entity not found'],
    ['pages/x/localizations', { locale: 'de', title: 'a' }, 404, 'NotFoundError', 'Entity not found'],
    ['pages/1/localizations', {}, 400, 'ApplicationError', 'locale is missing'],
    ['pages/1/localizations', { locale: '' }, 400, 'ApplicationError', 'locale is missing'],
    ['pages/1/localizations', { data: { locale: 'de', title: 'a' } }, 400, 'ApplicationError', 'locale is missing'],
    ['pages/1/localizations', { locale: 'es' }, 400, 'ApplicationError', 'locale is invalid'],
    ['pages/1/localizations', { locale: ['de'] }, 400, 'ApplicationError', 'locale is invalid'],
    ['pages/1/localizations', { locale: 'en' }, 400, 'ApplicationError', 'locale is already used'],
    ['pages/1/localizations', { locale: 'fr' }, 400, 'ApplicationError', 'locale is already used'],
    ['pages/2/localizations', { locale: 'en' }, 400, 'ApplicationError', 'locale is already used'],
    ['pages/1/localizations', { locale: 'de' }, 400, 'ValidationError', /title/],
  ]
  for (const [url, body, status, name, message] of rows) refused(t, await send(url, body), status, name, message)
  t.equal((await send('tags/1/localizations', { locale: 'fr' })).status, 405, 'no such route for other types')
  t.same(await linksOf(started, 'page'), ['1-2', '2-1'], 'and nothing was written')
})

t.test('several translations of one entry at once', async t => {
  const started = await start(t)
  await started.post('pages', { title: 'One' })
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => started.send('pages/1/localizations', { locale: 'fr', title: 'Un' })),
  )
  t.equal(answers.filter(({ status }) => status === 200).length, 1, 'one translation a locale')
  t.same(await linksOf(started, 'page'), ['1-2', '2-1'])
})

t.test('several locales at once', async t => {
  const letters = 'abcdefgh'.split('').map(a => `${a}${a}`)
  const started = await start(t, { config: { locales: ['en', ...letters] } })
  await started.post('pages', { title: 'One' })
  const twice = [...letters, ...letters]
  const answers = await Promise.all(
    twice.map(locale => started.send('pages/1/localizations', { locale, title: locale, rank: 3 })),
  )
  t.equal(answers.filter(({ status }) => status === 200).length, letters.length)
  const ids = idsOf(await started.get('pages?locale=all'))
  const pairs = ids.flatMap(a => ids.filter(b => b !== a).map(b => `${a}-${b}`))
  t.same(await linksOf(started, 'page'), pairs.sort(), 'each knows each other one')
  t.same(
    (await started.of('page').findMany({ locale: 'all' })).map(({ rank }) => rank),
    ids.map(() => 3),
  )
})

t.test('translations of drafts', async t => {
  const { send, post, get, put } = await start(t)
  await post('posts', { title: 'One', rank: 1 })
  t.match((await send('posts/1/localizations', { locale: 'fr', title: 'Un' })).body, {
    id: 2,
    publishedAt: null,
    rank: 1,
  })
  refused(t, await send('posts/1/localizations', { locale: 'de' }), 400, 'ValidationError', /title/)
  t.match((await send('posts/1/localizations', { locale: 'de', publishedAt: null })).body, {
    publishedAt: null,
    title: null,
  })
  t.same(idsOf(await get('posts?locale=all')), [1], 'translations begin as drafts')
  t.match((await get('posts?populate=localizations')).body, {
    data: [{ attributes: { localizations: { data: [] } }, meta: { availableLocales: [] } }],
  })
  const { body } = await get('posts?populate=localizations&publicationState=preview')
  t.same(idsOf({ status: 200, body: body.data[0].attributes.localizations }), [2, 3])
  t.same(body.data[0].meta.availableLocales, ['fr', 'de'])
  const date = '2024-01-01T00:00:00.000Z'
  t.match((await put('posts/2', { publishedAt: date })).body, { data: { attributes: { publishedAt: date } } })
  t.match((await get('posts')).body, { data: [{ meta: { availableLocales: ['fr'] } }] })
  await post('posts', { title: 'Two' })
  t.match((await send('posts/4/localizations', { locale: 'fr', title: 'Deux', publishedAt: date })).body, {
    publishedAt: date,
  })
})

t.test('translations of single types', async t => {
  const { send, put, get, delete: remove } = await start(t)
  refused(t, await send('home/localizations', { locale: 'fr' }), 404, 'NotFoundError', 'Entity not found')
  await put('home', { title: 'Home', rank: 2 })
  t.match((await send('home/localizations', { locale: 'fr', title: 'Accueil' })).body, { id: 2, locale: 'fr', rank: 2 })
  refused(t, await send('home/localizations', { locale: 'fr' }), 400, 'ApplicationError', 'locale is already used')
  refused(t, await send('home/localizations', {}), 400, 'ApplicationError', 'locale is missing')
  t.match((await get('home')).body, { data: { id: 1, attributes: { title: 'Home', locale: 'en' } } })
  t.match((await get('home?locale=fr')).body, { data: { id: 2, attributes: { title: 'Accueil' } } })
  t.equal((await get('home?locale=de')).status, 404)
  t.same(idsOf(await get('home?locale=all')), [1, 2])
  t.match((await get('home?locale=de&fallbackLocale=fr')).body, { data: { id: 2 } })
  t.match((await put('home?locale=fr', { title: 'Maison', rank: 7 })).body, {
    data: { id: 2, attributes: { rank: 7 } },
  })
  t.match((await get('home')).body, { data: { attributes: { title: 'Home', rank: 7 } } })
  t.equal((await remove('home?locale=fr')).status, 200)
  t.same(idsOf(await get('home?locale=all')), [1])
  await put('start', { title: 'Start' })
  t.match((await send('start/localizations', { locale: 'fr' })).body, { publishedAt: null })
  t.equal((await get('start?locale=fr')).status, 404, 'a draft')
  t.match((await get('start?locale=fr&publicationState=preview')).body, { data: { id: 2 } })
  t.match((await get('start?locale=fr&fallbackLocale=en')).body, { data: { id: 1 } }, 'a draft is no translation yet')
})

async function family(t: Test) {
  const started = await start(t)
  await started.post('pages', { title: 'One' })
  for (const locale of ['fr', 'de']) await started.send('pages/1/localizations', { locale, title: locale })
  return started
}

t.test('a creation by the ordinary route has a locale', async t => {
  const started = await family(t)
  const { post } = started
  t.match((await post('pages?locale=de', { title: 'a' })).body, { data: { attributes: { locale: 'en' } } })
  t.match((await post('pages', { title: 'a', locale: 'de' })).body, { data: { attributes: { locale: 'de' } } })
  refused(t, await post('pages', { title: 'a', locale: 'es' }), 400, 'ApplicationError', "This locale doesn't exist")
  t.match((await post('pages', { title: 'b', locale: 'fr', localizations: [4, 5] })).body, { data: { id: 6 } })
  const links = (await linksOf(started, 'page')).filter(link => /[456]/.test(link))
  t.same(links, ['4-6', '5-6', '6-4', '6-5'], 'what is listed is linked, both ways')
  t.match(
    (await post('pages', { title: 'c', localizations: [] })).body,
    { data: { id: 7 } },
    'an empty list links none',
  )
  refused(
    t,
    await post('pages', { title: 'd', locale: 'fr', localizations: [3] }),
    400,
    'ApplicationError',
    'locale is already used',
  )
})

t.test('an update keeps locale and translations', async t => {
  const started = await family(t)
  const before = await linksOf(started, 'page')
  const { body } = await started.put('pages/2?locale=de', { title: 'Deux', locale: 'de', localizations: [] })
  t.match(body, { data: { id: 2, attributes: { title: 'Deux', locale: 'fr' } } })
  t.same(await linksOf(started, 'page'), before)
  await started.put('pages/2', { localizations: { disconnect: [1] }, locale: 'nowhere' })
  await started.of('page').update(2, { data: { locale: 'en', localizations: [3] } })
  t.same(await linksOf(started, 'page'), before)
  t.match(await started.of('page').findOne(2), { locale: 'fr' })
})

t.test('a deletion deletes one translation', async t => {
  const started = await family(t)
  t.match((await started.delete('pages/1?populate=localizations')).body, { data: { id: 1 } })
  t.same(await linksOf(started, 'page'), ['2-3', '3-2'])
  t.match((await started.get('pages/2?populate=localizations')).body, {
    data: { attributes: { localizations: { data: [{ id: 3 }] } }, meta: { availableLocales: ['de'] } },
  })
  t.match((await started.send('pages/3/localizations', { locale: 'en', title: 'again' })).body, { id: 4 })
  t.same(await linksOf(started, 'page'), ['2-3', '2-4', '3-2', '3-4', '4-2', '4-3'], 'its place is free again')
})

t.test('`localizations` accepts every form of a relation', async t => {
  const started = await family(t)
  for (const [i, localizations] of [
    4,
    [4],
    { id: 4 },
    [{ id: '4' }],
    { set: [4] },
    { connect: [{ id: 4 }] },
  ].entries()) {
    await started.of('page').create({ data: { title: 'other', rank: 5 } })
    const made = await started.of('page').create({ data: { title: 'x', locale: 'fr', localizations } })
    t.equal(made.rank, 5, `${i}: takes what is shared`)
    t.same(
      (await linksOf(started, 'page')).filter(link => /[45]/.test(link)),
      ['4-5', '5-4'],
    )
    const twin = { title: 'x', locale: 'fr', localizations }
    refused(t, await started.post('pages', twin), 400, 'ApplicationError', 'locale is already used')
    await started.kernel.database.knex('pages').where('id', '>', 3).delete()
    await started.kernel.database.knex('sqlite_sequence').where({ name: 'pages' }).update({ seq: 3 })
  }
  const answer = await started.post('pages', { title: 'x', locale: 'fr', localizations: [99] })
  refused(t, answer, 400, 'ValidationError', /1 relation\(s\) of type api::page.page/)
})

t.test('the right to create translations alone', async t => {
  const scopes = new Set(['api::page.page.createLocalization', 'api::home.home.createLocalization'])
  const access = { key: 'translator', user: null, can: (scope: string) => scopes.has(scope) }
  const started = await start(t, {
    configure: kernel => kernel.auth.use({ name: 'translator', authenticate: () => access }),
  })
  await started.of('page').create({ data: { title: 'One', rank: 1 } })
  await started.of('home').create({ data: { title: 'Home' } })
  const { status } = await started.send('pages/1/localizations', { locale: 'fr', title: 'Un', rank: 2 })
  t.equal(status, 200, 'needs no right to create (B-7.31)')
  t.match(await started.of('page').findOne(1), { rank: 2 }, 'nor one to update')
  t.equal((await started.send('home/localizations', { locale: 'fr', title: 'Accueil' })).status, 200)
  refused(t, await started.post('pages', { title: 'a' }), 403, 'ForbiddenError', 'Forbidden')
  refused(t, await started.send('posts/1/localizations', { locale: 'fr' }), 403, 'ForbiddenError', 'Forbidden')
  refused(t, await started.get('i18n/locales'), 403, 'ForbiddenError', 'Forbidden')
})

t.test('actions of i18n are listed, and can be open or need others', async t => {
  const rights = new Set(['api::page.page.findOne'])
  const access = { key: 'finder', user: null, can: (scope: string) => rights.has(scope) }
  const started = await start(t, {
    configure(kernel) {
      kernel.auth.use({
        name: 'finder',
        authenticate({ headers }) {
          if (headers.authorization !== undefined) throw new CredentialsError()
          return access
        },
      })
      kernel.actions.set('plugin::i18n.locales.listLocales', { auth: false })
      kernel.actions.set('api::page.page.createLocalization', { auth: { scope: ['api::page.page.findOne'] } })
      kernel.actions.set('api::home.home.createLocalization', { policies: [() => false] })
    },
  })
  const { names } = started.kernel.actions
  const own = names.filter(name => /createLocalization$|^plugin::i18n/.test(name))
  t.ok(own.includes('plugin::i18n.locales.listLocales'))
  t.ok(own.includes('api::page.page.createLocalization'))
  t.notOk(names.includes('api::tag.tag.createLocalization'), 'types without translations have none')
  t.notOk(names.includes('plugin::i18n.locale.find'), 'internal types have none')
  const bad = { authorization: 'Bearer x' }
  t.equal((await started.app.inject({ url: '/api/i18n/locales', headers: bad })).statusCode, 200)
  await started.of('page').create({ data: { title: 'One' } })
  t.equal((await started.send('pages/1/localizations', { locale: 'fr', title: 'Un' })).status, 200)
  rights.add('api::home.home.createLocalization')
  await started.of('home').create({ data: { title: 'Home' } })
  const refusedByPolicy = await started.send('home/localizations', { locale: 'fr', title: 'Accueil' })
  refused(t, refusedByPolicy, 403, 'ForbiddenError', 'Forbidden')
})

t.test('types without translations need no extra statement', async t => {
  const started = await start(t)
  for (const title of ['a', 'b']) await started.post('pages', { title })
  const received: string[] = []
  started.kernel.hooks.on('onStatement', text => received.push(text))
  const count = async (url: string) => {
    await started.get(url)
    received.length = 0
    const { body } = await started.get(url)
    const list = [body.data].flat().map(({ meta }: { meta: object }) => meta)
    return { statements: received.filter(text => !text.startsWith('PRAGMA')).length, list }
  }
  const none = { availableLocales: [] }
  t.same(await count('pages'), { statements: 1, list: [none, none] })
  t.same(await count('pages/1'), { statements: 1, list: [none] })
  await started.send('pages/2/localizations', { locale: 'fr', title: 'B' })
  t.same(await count('pages'), { statements: 2, list: [none, { availableLocales: ['fr'] }] })
  t.same(await count('pages/1'), { statements: 1, list: [none] })
  t.same(await count('pages/2'), { statements: 2, list: [{ availableLocales: ['fr'] }] })
  t.same(await count('pages?sort=title:desc&pagination[pageSize]=1'), {
    statements: 2,
    list: [{ availableLocales: ['fr'] }],
  })
})
