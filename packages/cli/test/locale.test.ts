// `plinth locale list | remove`: what becomes of the entries of a locale is said before it goes.

import { databases, freshDatabase } from '@plinth/test-tools/databases'
import t from 'tap'
import { application, noteSchema, schemaFile } from './application.ts'
import { plinth, plinthProcess } from './plinth.ts'

const localized = { pluginOptions: { i18n: { localized: true } } }
const schema = { ...JSON.parse(noteSchema({ title: { type: 'string', ...localized } })), ...localized }
const plugins = (locales: readonly string[]) => JSON.stringify({ rest: true, i18n: { config: { locales } } })

for (const client of await databases()) {
  await t.test(`a locale is listed and removed (${client})`, async t => {
    const database = await freshDatabase(client)
    t.teardown(() => database.drop())
    const app = await application(t, {
      'config/plugins.json': plugins(['en', 'fr', 'de']),
      [schemaFile]: JSON.stringify(schema),
    })
    const run = (...words: string[]) => plinth([...words, '--dir', app.dir], { ...database.env, NODE_ENV: 'test' })
    t.match(await run('locale', 'list'), {
      code: 1,
      err: /The database (file .* does not exist|has no table i18n_locale); start the server once/,
    })
    t.match(await run('migrate', 'apply'), { code: 0 })
    t.match(await run('locale', 'list'), { code: 0, out: '', err: /There are no locales; a start makes those of/ })
    const make = (title: string, locale: string) =>
      `await kernel.query('api::note.note').create({ data: { title: '${title}', locale: '${locale}' } });`
    const entries = [make('a', 'en'), make('b', 'fr'), make('c', 'fr'), make('d', 'de')].join('')
    t.match(await run('console', '--eval', `${entries} return 'made'`), { code: 0, out: /made/ })

    t.match(await run('locale', 'remove', 'fr'), { code: 1, err: /names fr, so a start would add it again/ })
    await app.write('config/plugins.json', plugins(['en']))
    t.match(await run('locale', 'list'), {
      out: /en {2}English \(en\) {2}1 entry {2}default\nfr {2}French \(fr\) {2}2 entries {2}not in i18n\.config\.locales\nde /,
    })
    const refused = await run('locale', 'remove', 'fr')
    t.match(refused, { code: 1, out: '', err: /French \(fr\) has 2 entries: 2 of api::note\.note\n/ })
    t.match(refused.err, /Nothing was removed\. --entries delete .*--entries keep/)
    t.match(await run('locale', 'remove', 'fr', '--entries', 'all'), { code: 1, err: /must be delete or keep/ })
    t.match(await run('locale', 'remove', 'frr'), { code: 1, err: /no locale "frr", did you mean "fr"\?\n$/ })
    t.match(await run('locale', 'remove', 'xx-YY'), {
      code: 1,
      err: /no locale "xx-YY"; the locales are en, fr, de\n$/,
    })
    t.match(await run('locale', 'remove'), { code: 1, err: /the code of the locale is missing/ })
    t.match(await run('locale', 'remove', 'fr', '--entries', 'delete'), {
      code: 0,
      out: /Removed the locale fr and deleted 2 entries/,
    })
    t.match(await run('locale', 'remove', 'de', '--entries', 'keep'), {
      code: 0,
      out: /Removed the locale de and kept 1 entry/,
    })
    const codes = await run('locale', 'list', '--json')
    t.match(JSON.parse(codes.out), [{ code: 'en', isDefault: true, isDeclared: true, entries: 1 }])
    const count = `return (await kernel.knex('notes').select('locale')).map(one => one.locale).sort()`
    t.same(JSON.parse((await run('console', '--eval', count)).out), ['de', 'en'], 'what was kept is there')
    await app.write('config/plugins.json', plugins(['fr']))
    t.match(await run('locale', 'remove', 'en'), { code: 1, err: /en has 1 entry|English \(en\) has 1 entry/ })
  })
}

t.test('a start in development says which locales the settings do not name', async t => {
  const app = await application(t, { 'config/plugins.json': plugins(['en', 'fr']) })
  const start = () => plinthProcess(['console', '--eval', '1', '--dir', app.dir], app.env)
  t.notMatch((await start()).err, /does not name/)
  await app.write('config/plugins.json', plugins(['en']))
  t.match((await start()).err, /i18n\.config\.locales does not name fr,.*`plinth locale remove fr` removes one/)
})
