// `unique` of a localized attribute changed between `true`, `perLocale` and nothing: the index of before does not stay.

import { createKernel } from '@plinth/kernel'
import { planMigrations } from '@plinth/kernel/migrate'
import { fresh, onEach } from '@plinth/test-tools/on-each'
import i18n from '../src/index.ts'

const page = (kind: string, unique: unknown) => ({
  collectionName: 'pages',
  info: { singularName: 'page', pluralName: 'pages', displayName: 'page' },
  pluginOptions: { i18n: { localized: true } },
  attributes: {
    path: { type: kind, ...(unique === undefined ? {} : { unique }), pluginOptions: { i18n: { localized: true } } },
  },
})

for (const kind of ['string', 'uid', 'integer']) {
  await onEach(`${kind}: true, perLocale, and back`, async t => {
    const { config: database } = await fresh(t)
    const path = kind === 'integer' ? 7 : 'a'
    const start = async (unique: unknown) => {
      const kernel = await createKernel({
        database,
        contentTypes: [page(kind, unique)],
        plugins: { i18n: { plugin: i18n, config: { locales: ['en', 'fr', 'de'], defaultLocale: 'en' } } } as never,
      })
      t.same((await planMigrations(kernel)).steps, [], 'the database matches the model')
      const create = (locale: string) => kernel.query('api::page.page').create({ data: { path, locale } })
      return { kernel, create }
    }
    const taken = { message: 'This attribute must be unique' }
    const plain = await start(true)
    await plain.create('en')
    await t.rejects(plain.create('fr'), taken)
    await plain.kernel.close()
    const perLocale = await start('perLocale')
    await t.rejects(perLocale.create('en'), taken)
    await perLocale.create('fr')
    await perLocale.kernel.query('api::page.page').delete(2)
    await perLocale.kernel.close()
    const again = await start(true)
    await t.rejects(again.create('fr'), taken)
    await again.kernel.close()
    if (kind === 'uid') return
    const free = await start(undefined)
    await free.create('en')
    await free.create('fr')
    await free.kernel.close()
  })
}
