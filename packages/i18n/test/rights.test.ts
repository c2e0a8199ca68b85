// Callers who have some rights to a translated type and not others, and a plugin that enforces rights as a permissions
// plugin does: it drops, refuses and removes what needs `find`.

import { createContext, invalidParameter, type Kernel, type PlanDraft } from '@plinth/kernel'
import t, { type Test } from 'tap'
import { start } from './fixtures/boot.ts'

const uid = 'api::page.page'

function check(draft: PlanDraft): void {
  const { type, via, path, access } = draft
  if (via === 'root' || via === 'rule' || type.kind === 'component' || access.can(`${type.uid}.find`)) return
  if (via === 'filter' || via === 'sort') throw invalidParameter(path.slice(path.lastIndexOf('.') + 1), path)
  draft.drop()
}

async function startAs(t: Test, ...granted: string[]) {
  const rights = new Set<string>()
  const access = { key: granted.join(), user: null, can: (scope: string) => rights.has(scope) }
  const started = await start(t, {
    config: { locales: ['en', 'fr', 'de'] },
    configure: ({ hooks, auth }: Kernel) => {
      auth.use({ name: 'some', authenticate: () => access })
      hooks.on('prePlan', check)
      // Relations to what cannot be read are taken out of the data (B-4.3).
      hooks.on('preWrite', ({ type, data, context }) => {
        for (const [name, attribute] of type.attributes)
          if (attribute.kind === 'relation' && attribute.target !== null)
            if (!context.access.can(`${attribute.target}.find`)) delete data[name]
      })
    },
  })
  for (const one of granted) rights.add(`${uid}.${one}`)
  const { of } = started
  const page = await of('page').create({ data: { title: 'Hello', code: 'x', rank: 1 } })
  const german = await of('page').create({ data: { title: 'Hallo', locale: 'de', localizations: [page.id] } })
  const whole = async (id: number) =>
    (await of('page').findOne(id, { populate: ['localizations'] })) as never as {
      rank: number
      code: string
      localizations: { id: number; locale: string }[]
    }
  return { ...started, access, page, german, whole }
}

t.test('T1: who may create a translated entry need not find them', async t => {
  const { post } = await startAs(t, 'create')
  const made = await post('pages', { title: 'New' })
  t.equal(made.status, 200)
  t.match(made.body.data, { attributes: { title: 'New', locale: 'en' } })
  t.same(made.body.data.meta, {}, 'the locales of other entries are not answered')
  t.equal((await post('pages?filters[localizations][id]=1', { title: 'New' })).status, 400)
})

t.test('T1: callers who may find them get the locales', async t => {
  const { get } = await startAs(t, 'find')
  t.match((await get('pages')).body.data, [{ meta: { availableLocales: ['de'] } }])
})

t.test('T2: who may update a translated entry need not find them', async t => {
  const { put, kernel, access, page, german, whole } = await startAs(t, 'update')
  t.equal((await put(`pages/${page.id}`, { code: 'over REST' })).status, 200)
  t.equal((await whole(german.id)).code, 'over REST', 'shared attributes reach the translations')
  t.match(await kernel.query(uid, createContext(access)).update(page.id, { data: { rank: 7 } }), { rank: 7 })
  t.equal((await whole(german.id)).rank, 7)
})

t.test('T2: who may create translations need not find, create or update entries', async t => {
  const { send, page, german, whole } = await startAs(t, 'createLocalization')
  const made = await send(`pages/${page.id}/localizations`, { locale: 'fr', title: 'Bonjour' })
  t.equal(made.status, 200)
  t.match(made.body, { title: 'Bonjour', locale: 'fr', rank: 1 })
  t.notOk('localizations' in made.body, 'the others are not answered to who may not find them')
  const linked = (await whole(made.body.id)).localizations.map(one => one.locale)
  t.same(linked.sort(), ['de', 'en'], 'the translation is linked to all others')
  for (const id of [page.id, german.id])
    t.ok(
      (await whole(id)).localizations.some(one => one.id === made.body.id),
      'and they to it',
    )
})

t.test('who may find the others is answered them', async t => {
  const { send, page } = await startAs(t, 'createLocalization', 'find')
  const made = await send(`pages/${page.id}/localizations`, { locale: 'fr', title: 'Bonjour' })
  t.equal(made.body.localizations.length, 2)
})
