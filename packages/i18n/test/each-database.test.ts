// What depends on the database, on each of them: unique values per locale, concurrent writes of translations, and
// fallbacks. Two servers stand for two processes of one application.

import { databases, freshDatabase } from '@plinth/test-tools/databases'
import t, { type Test } from 'tap'
import { idsOf, refused, type Started, start } from './fixtures/boot.ts'

const taken = 'This attribute must be unique'
const count = (answers: { status: number }[], status: number) => answers.filter(one => one.status === status).length

/** Two servers on one database; requests go to them in turn. */
async function pair(t: Test, client: Awaited<ReturnType<typeof databases>>[number]) {
  const fresh = await freshDatabase(client)
  const one = await start(t, { database: fresh.config })
  const two = await start(t, { database: fresh.config })
  t.teardown(async () => {
    await one.close()
    await two.close()
    await fresh.drop()
  })
  return [one, two] as const
}

const at = (servers: readonly Started[], i: number): Started => servers[i % servers.length]!

for (const client of await databases()) {
  t.test(client, async t => {
    const servers = await pair(t, client)
    const [one, two] = servers
    const locales = ['en', 'fr', 'de']
    const answers = await Promise.all(
      Array.from({ length: 18 }, (_, i) =>
        at(servers, i).post('pages', { title: 'a', path: '/same', locale: locales[i % 3] }),
      ),
    )
    t.equal(count(answers, 200), 3, 'one in each locale')
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      refused(t, answer, 400, 'ValidationError', taken)
      t.match(answer.body.error.details, { errors: [{ path: ['path'], message: taken }] })
    }
    const free = await one.post('pages', { title: 'b', path: '/free' })
    refused(t, await two.put(`pages/${free.body.data.id}`, { path: '/same' }), 400, 'ValidationError', taken)

    const source = (await one.post('posts', { title: 'One', rank: 1 })).body.data.id
    const twice = ['fr', 'de', 'fr', 'de', 'fr', 'de']
    const made = await Promise.all(
      twice.map((locale, i) =>
        at(servers, i).send(`posts/${source}/localizations`, { locale, title: locale, rank: 7 }),
      ),
    )
    t.equal(count(made, 200), 2, 'one translation a locale')
    t.equal(count(made, 400), 4)
    for (const locale of locales) {
      const { body } = await two.get(`posts?locale=${locale}&publicationState=preview&populate=localizations`)
      t.equal(body.data.length, 1)
      const { rank, localizations } = body.data[0].attributes
      t.equal(rank, 7, 'what is shared is everywhere')
      t.equal(localizations.data.length, 2, 'each knows both others')
      t.same(body.data[0].meta.availableLocales.toSorted(), locales.filter(each => each !== locale).toSorted())
    }
    t.same(idsOf(await one.get('posts?locale=fr&fallbackLocale=en')), [source], 'a draft is no translation')
    t.match((await one.get('posts?locale=fr&fallbackLocale=en')).body, { meta: { pagination: { total: 1 } } })
  })
}

for (const client of await databases()) {
  t.test(`${client}: servers that start at the same time`, async t => {
    const fresh = await freshDatabase(client)
    const locales = ['fr', 'en', 'de', 'es']
    await (await start(t, { database: fresh.config, config: { locales: ['fr'] } })).close()
    const servers = await Promise.all([1, 2, 3].map(() => start(t, { database: fresh.config, config: { locales } })))
    for (const { get } of servers) {
      const { body } = await get('i18n/locales')
      t.same(body.map((one: { code: string }) => one.code).toSorted(), locales.toSorted())
    }
    for (const server of servers) await server.close()
    await fresh.drop()
  })
}
