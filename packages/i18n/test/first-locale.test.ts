// The first write of a single type: its entry has the locale that the request asks for, on each database.

import { databases, freshDatabase } from '@plinth/test-tools/databases'
import t from 'tap'
import { refused, start } from './fixtures/boot.ts'

for (const client of await databases()) {
  t.test(client, async t => {
    const fresh = await freshDatabase(client)
    const { put, get, delete: remove, send, of, close } = await start(t, { database: fresh.config })
    t.teardown(async () => {
      await close()
      await fresh.drop()
    })
    /** Writes the entry for the first time, and reads in which locale it is. */
    const first = async (url: string, data: object = {}) => {
      const created = await put(url, { title: 'Accueil', ...data })
      t.equal(created.status, 200, url)
      const { id, attributes } = created.body.data
      const { locale } = attributes
      t.match((await get(`home?locale=${locale}`)).body, { data: { id, attributes: { title: 'Accueil', locale } } })
      t.equal((await remove(`home?locale=${locale}`)).status, 200)
      return locale
    }
    t.equal(await first('home'), 'en')
    t.equal(await first('home?locale=fr'), 'fr')
    t.equal(await first('home?locale[0]=de'), 'de')
    t.equal(await first('home?locale[0]=de&locale[1]=en'), 'en')
    t.equal(await first('home?locale[0]=de&locale[1]=fr'), 'de')
    t.equal(await first('home?locale=all'), 'en')
    t.equal(await first('home?locale=fr', { locale: 'de' }), 'de', 'the data says more than the query')
    refused(t, await put('home?locale=xx', { title: 'x' }), 400, 'ValidationError', 'Invalid locale "xx"')

    t.equal(
      (await put('home?locale=fr', { title: 'Un' })).body.data.id,
      (await put('home?locale=fr', { title: 'Deux' })).body.data.id,
    )
    t.equal((await get('home')).status, 404, 'the default locale has none')
    refused(t, await put('home', { title: 'x' }), 400, 'ValidationError', 'singleType.alreadyExists')
    t.equal((await send('home/localizations?locale=fr', { locale: 'en', title: 'Home' })).status, 200)
    t.match((await get('home?locale=fr')).body, { data: { attributes: { title: 'Deux' } } })

    const made = await Promise.all(Array.from({ length: 8 }, () => put('start?locale=de', { title: 'Anfang' })))
    t.same(new Set(made.map(({ body }) => `${body.data.id} ${body.data.attributes.locale}`)).size, 1)
    t.match(await of('start').findMany({ locale: 'all', publicationState: 'preview' }), [{ locale: 'de' }])

    const { body } = await send('pages?locale=fr', { data: { title: 'A page' } })
    t.match(body, { data: { attributes: { locale: 'en' } } }, 'a collection type ignores the query')
  })
}
