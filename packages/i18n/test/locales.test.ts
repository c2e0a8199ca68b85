// Locales: where they come from, how they are listed, and all forms of the parameter (B-7.3, B-7.4, B-7.10 to B-7.16).

import t from 'tap'
import { databaseFile, idsOf, refused, start } from './fixtures/boot.ts'

const codes = (body: { code: string }[]) => body.map(({ code }) => code)

t.test('locales come from the configuration and the table', async t => {
  const file = await databaseFile(t)
  const first = await start(t, { file, config: { locales: ['fr', 'en'] } })
  t.match((await first.get('i18n/locales')).body, [
    { id: 1, name: 'French (fr)', code: 'fr', isDefault: true },
    { id: 2, name: 'English (en)', code: 'en', isDefault: false },
  ])
  t.same(Object.keys((await first.get('i18n/locales')).body[0]), [
    'id',
    'name',
    'code',
    'createdAt',
    'updatedAt',
    'isDefault',
  ])
  t.match((await first.post('pages', { title: 'a' })).body, { data: { attributes: { locale: 'fr' } } })
  await first.close()

  const second = await start(t, { file, config: { locales: ['en', 'de', 'zh-Hans-CN'], defaultLocale: 'de' } })
  const { body } = await second.get('i18n/locales')
  t.same(codes(body), ['fr', 'en', 'de', 'zh-Hans-CN'], 'what was there stays, what is new is added')
  t.same(codes(body.filter((one: { isDefault: boolean }) => one.isDefault)), ['de'])
  t.same(idsOf(await second.get('pages')), [], 'the default is another')
  t.same(idsOf(await second.get('pages?locale=fr')), [1], 'an undeclared locale of the table is known')
  await second.close()
  const rows = await (await start(t, { file })).kernel.database.knex('i18n_locale').orderBy('id').select('code')
  t.same(codes(rows), ['fr', 'en', 'de', 'zh-Hans-CN'], 'nothing twice')
})

t.test('without configuration English is the only locale', async t => {
  const { get } = await start(t, { config: {} })
  t.match((await get('i18n/locales')).body, [{ code: 'en', isDefault: true }])
  t.equal((await get('i18n/locales')).body.length, 1)
})

t.test('an existing table gets no locale without configuration', async t => {
  const file = await databaseFile(t)
  await (await start(t, { file, config: { locales: ['fr', 'de'] } })).close()
  const { get } = await start(t, { file, config: {} })
  t.match((await get('i18n/locales')).body, [
    { code: 'fr', isDefault: true },
    { code: 'de', isDefault: false },
  ])
  t.equal((await get('i18n/locales')).body.length, 2)
})

t.test('entries without a locale get the default', async t => {
  const file = await databaseFile(t)
  const before = await start(t, { file, config: false })
  await before.post('pages', { title: 'old' })
  await before.put('home', { title: 'old' })
  await before.close()
  const { get, send } = await start(t, { file, config: { locales: ['de', 'fr'] } })
  t.match((await get('pages')).body, { data: [{ id: 1, attributes: { title: 'old', locale: 'de' } }] })
  t.match((await get('home')).body, { data: { attributes: { locale: 'de' } } })
  t.match((await send('pages/1/localizations', { locale: 'fr', title: 'vieux' })).body, { id: 2, locale: 'fr' })
})

t.test('a start that writes nothing does not wait for writers', async t => {
  const file = await databaseFile(t)
  const { kernel, post } = await start(t, { file, config: { locales: ['en'] } })
  await post('pages', { title: 'a' })
  const { knex } = kernel.database
  await knex.raw('BEGIN IMMEDIATE')
  try {
    const { get } = await start(t, { file, config: { locales: ['en'] } })
    t.same(idsOf(await get('pages')), [1])
  } finally {
    await knex.raw('ROLLBACK')
  }
})

t.test('invalid settings stop the start', async t => {
  await t.rejects(start(t, { config: { locales: ['en', 'fr', 'de'], defaultLocale: 'eng' } }), {
    name: 'PluginConfigError',
    message:
      'config/plugins: i18n.config.defaultLocale: "eng" is not one of the locales en, fr, de, did you mean "en"?',
  })
  for (const locales of [[], ['english'], ['../x'], 'en', ['en', 5]]) {
    await t.rejects(start(t, { config: { locales } }), { message: /i18n\.config\.locales/ }, JSON.stringify(locales))
  }
  await t.rejects(start(t, { config: { local: ['en'] } }), { message: /local/ })
})

t.test('the default locale that v4 stored applies', async t => {
  const file = await databaseFile(t)
  const first = await start(t, { file, config: { locales: ['en', 'fr'] } })
  const { knex } = first.kernel.database
  await knex.schema.createTable('strapi_core_store_settings', table => {
    table.increments('id')
    table.string('key')
    table.text('value')
  })
  await knex('strapi_core_store_settings').insert([
    { key: 'plugin_i18n_other', value: '"en"' },
    { key: 'plugin_i18n_default_locale', value: '"fr"' },
  ])
  await first.close()
  const isDefault = async (config: Record<string, unknown>) => {
    const server = await start(t, { file, config })
    const { body } = await server.get('i18n/locales')
    await server.close()
    return codes(body.filter((one: { isDefault: boolean }) => one.isDefault))
  }
  t.same(await isDefault({}), ['fr'], 'where the config names none')
  t.same(await isDefault({ locales: ['en', 'fr'] }), ['fr'], 'a list of locales names no default')
  t.same(await isDefault({ defaultLocale: 'en' }), ['en'], 'where it names one, that')
  const again = await start(t, { file, config: {} })
  await again.kernel.database.knex('strapi_core_store_settings').where({ id: 2 }).update({ value: '"it"' })
  await again.close()
  await t.rejects(isDefault({}), {
    name: 'StartError',
    message: /that v4 stored .*: "it" is not one of the locales en, fr.*; set i18n\.config\.defaultLocale/,
  })
})

t.test('forms of the parameter', async t => {
  const { get, post, of } = await start(t)
  for (const locale of ['en', 'fr', 'de']) await post('pages', { title: locale, locale })
  await post('tags', { label: 'a' })
  const rows: [query: string, ids: number[]][] = [
    ['', [1]],
    ['locale=en', [1]],
    ['locale=fr', [2]],
    ['locale=all', [1, 2, 3]],
    ['locale[0]=fr&locale[1]=de', [2, 3]],
    ['locale[]=de', [3]],
    ['locale=fr&locale=en', [1, 2]],
    ['filters[locale]=fr', []],
    ['filters[locale]=fr&locale=fr', [2]],
    ['filters[locale]=fr&locale=all', [2]],
    ['filters[locale][$ne]=fr&locale=all', [1, 3]],
    ['locale=all&sort=locale', [3, 1, 2]],
  ]
  for (const [query, ids] of rows) {
    const answer = await get(`pages?${query}`)
    t.same(idsOf(answer), ids, query || 'no locale')
    t.equal(answer.body.meta.pagination.total, ids.length)
  }
  for (const query of [
    '=es',
    '=',
    '',
    '=FR',
    '=../x',
    '[$ne]=fr',
    '[a]=fr',
    '[]=',
    '[0]=fr&locale[1]=es',
    '[0]=all',
    '[0][0]=fr',
  ]) {
    refused(t, await get(`pages?locale${query}`), 400, 'ValidationError', /locale/)
    refused(t, await get(`home?locale${query}`), 400, 'ValidationError', /locale/)
  }
  await t.rejects(of('page').findMany({ locale: { $ne: 'fr' } as never }), { name: 'ValidationError' })
  t.equal(await of('page').count({ locale: ['en', 'fr'] }), 2, 'trusted code asks the same')
})

t.test('values of the parameter are not checked where it has no effect', async t => {
  const { get, post, put, of } = await start(t)
  await post('pages', { title: 'a', locale: 'fr' })
  await post('tags', { label: 'a', pages: [1] })
  await put('home', { title: 'a' })
  for (const query of ['locale=fr', 'locale=all', 'locale[]=de', 'locale=es', 'fallbackLocale=es', 'locale=../../x'])
    t.same(idsOf(await get(`tags?${query}`)), [1], `${query} on a type that is not localized (B-7.16)`)
  for (const query of ['locale=en', 'locale=es'])
    t.match((await get(`pages/1?${query}`)).body, { data: { id: 1 } }, `${query} beside an id (B-7.15)`)
  t.match((await put('pages/1?locale=es', { title: 'b' })).body, { data: { id: 1 } }, 'B-7.26')
  t.match((await post('pages?locale=es', { title: 'c' })).body, { data: { attributes: { locale: 'en' } } }, 'B-7.25')
  t.equal(await of('tag').count({ locale: 'es' }), 1)
  for (const url of ['tags?locale[$ne]=fr', 'pages/1?locale[$ne]=fr', 'tags?fallbackLocale[a]=en'])
    refused(t, await get(url), 400, 'ValidationError', /locale/i)
  const rows: [url: string, path: string][] = [
    ['pages?locale=es', 'locale'],
    ['pages?locale[]=en&locale[]=es', 'locale'],
    ['pages?fallbackLocale=es', 'fallbackLocale'],
    ['pages?locale=fr&fallbackLocale=es', 'fallbackLocale'],
    ['pages?locale=es&fallbackLocale=fr', 'locale'],
    ['home?locale=es', 'locale'],
    ['tags?populate=pages&locale=es&fallbackLocale=fr', 'locale'],
    ['tags?populate=pages&locale=fr&fallbackLocale=es', 'fallbackLocale'],
  ]
  for (const [url, path] of rows) {
    const answer = await get(url)
    refused(t, answer, 400, 'ValidationError', 'Invalid locale "es"')
    t.same(answer.body.error.details, { path }, url)
  }
  refused(t, await put('home?locale=es', { title: 'b' }), 400, 'ValidationError', 'Invalid locale "es"')
})

t.test('the number of plans does not depend on the number of locales', async t => {
  const letters = 'abcdefghij'.split('')
  const locales = letters.flatMap(a => letters.map(b => `${a}${b}`))
  const { get, kernel } = await start(t, { config: { locales } })
  await get('pages?locale=aa')
  await get('pages?locale[]=aa')
  await get('pages?locale=aa&fallbackLocale=ab')
  const { size } = kernel.engine.plans
  for (const code of locales) {
    t.equal((await get(`pages?locale=${code}`)).status, 200)
    await get(`pages?locale[]=${code}&locale[]=aa`)
    await get(`pages?locale=${code}&fallbackLocale=ac`)
  }
  t.equal(kernel.engine.plans.size, size)
  await get('pages?locale=all')
  t.equal(kernel.engine.plans.size, size + 1, 'together they are one further query')
})

t.test('the parameter is offered for lists, entries and writes, and checks codes in texts of queries', async t => {
  const { kernel } = await start(t, { config: { locales: ['fr', 'en'] } })
  const { offer } = kernel.parameters.values().find(one => one.name === 'locale')!
  const { refuseLiteral, ...rest } = offer!
  const description = 'A string used to identify an i18n locale'
  t.same(rest, { many: true, one: true, writes: true, typeName: 'I18NLocaleCode', description })
  for (const code of ['fr', 'en', 'all']) t.equal(refuseLiteral!(code), null, code)
  for (const code of ['de', '', null, 7, ['fr']]) t.equal(refuseLiteral!(code), 'Unknown locale supplied', String(code))
  await kernel.query('plugin::i18n.locale').create({ data: { code: 'de', name: 'German' } })
  t.equal(refuseLiteral!('de'), null, 'a locale that was added')
})
