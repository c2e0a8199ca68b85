// Rules of other plugins: a translation of an entry that the caller may not change is refused like one of an entry that
// does not exist.

import { createContext, eq, openAccess, perRequest, withRights } from '@plinth/kernel'
import t from 'tap'
import { start } from './fixtures/boot.ts'

t.test('a source that a rule hides is neither copied nor changed', async t => {
  const { kernel, of } = await start(t, {
    configure: ({ hooks }) =>
      hooks.on('prePlan', { for: ({ uid }) => uid === 'api::page.page' }, draft => {
        if (draft.stage === 'target')
          draft.where(
            eq(
              'code',
              perRequest(({ state }) => state.name),
            ),
          )
      }),
  })
  const as = (name: string) => ({ ...withRights(createContext(openAccess), []), state: { name } })
  await of('page').create({ data: { title: 'Of Ann', code: 'Ann', rank: 1 } })
  await of('page').create({ data: { title: 'Of Bob', code: 'Bob', rank: 2 } })
  const translate = async (name: string, sources: readonly number[]) => {
    const data = { title: 'Neu', locale: 'de', rank: 9, localizations: sources }
    try {
      return (await kernel.query('api::page.page', as(name)).create({ data })).rank
    } catch (error) {
      return (error as Error).message
    }
  }
  const missing = await translate('Ann', [77])
  t.match(missing, /do not exist/)
  t.equal(await translate('Ann', [2]), missing, 'as if it did not exist')
  t.equal(await translate('Ann', [1, 2]), missing)
  t.equal(await translate('Ann', [-2]), missing, 'nor by its negative id')
  t.equal(await translate('Ann', [2 ** 40]), missing, 'an id that no column can have')
  t.match(await of('page').findOne(2, { populate: 'localizations' }), { rank: 2, localizations: [] })
  t.equal(await translate('Ann', [1]), 9)
  t.match(await of('page').findOne(1, { populate: 'localizations' }), { rank: 9, localizations: [{ locale: 'de' }] })
})
