// A shared attribute reaches all translations, so a write that sends one needs the right to change each of them. Else it
// is refused with the locales that it may not change, and nothing is written.

import { createContext, eq, type Kernel, not, perRequest } from '@plinth/kernel'
import t, { type Test } from 'tap'
import { start } from './fixtures/boot.ts'

const page = 'api::page.page'
const every = ['find', 'findOne', 'create', 'update', 'createLocalization']

interface Rule {
  /** The locales of which no translation may be changed. */
  readonly closed?: string
  /** The attribute that updates may not write. */
  readonly forbidden?: string
  /** The greatest rank that an update may leave. */
  readonly title?: string
  readonly granted?: readonly string[]
}

/** Three translations of a page and two of a single type; the API has the rights and rules that `rule` holds. */
async function startAs(t: Test) {
  let rule: Rule = {}
  const access = () => {
    const { granted = every } = rule
    const can = (scope: string) => granted.some(one => scope.endsWith(`.${one}`))
    return { key: JSON.stringify(rule), user: null, can }
  }
  const started = await start(t, {
    configure: ({ hooks, auth }: Kernel) => {
      auth.use({ name: 'some', authenticate: () => access() })
      hooks.on('prePlan', { for: ({ uid }) => uid === page || uid === 'api::home.home' }, (draft, { key, added }) => {
        if (draft.via !== 'root' || added?.some(one => one.endsWith('.update'))) return
        const { closed, forbidden, title } = JSON.parse(key.startsWith('{') ? key.split(' + ')[0]! : '{}') as Rule
        const constant = (value: unknown) => perRequest(() => value)
        if (draft.action !== 'update') return
        if (draft.stage === 'target' && closed) draft.where(not(eq('locale', constant(closed))))
        if (draft.stage === 'result' && forbidden) draft.forbid(forbidden)
        if (draft.stage === 'result' && title) draft.where(not(eq('title', constant(title))))
      })
    },
  })
  const { of, kernel } = started
  await of('page').create({ data: { title: 'One', rank: 1, code: 'x', seo: { text: 's' } } })
  for (const locale of ['fr', 'de']) await of('page').create({ data: { title: locale, locale, localizations: [1] } })
  const home = { uid: 'api::home.home', data: { title: 'Home', rank: 1 }, params: {} }
  await kernel.writer.put({ ...home, context: createContext({ key: 'system', user: null, can: () => true }) })
  const content = async () => {
    const all = { locale: 'all', populate: '*' } as object
    const entries = [await of('page').findMany(all), await of('home').findMany(all)]
    return JSON.stringify(entries, (key, value) => (key === 'updatedAt' ? undefined : value))
  }
  return { ...started, content, use: (one: Rule) => (rule = one), context: () => createContext(access()) }
}

const refusal = (locales: string) => ({
  status: 403,
  body: {
    error: {
      name: 'ForbiddenError',
      message: `Forbidden access: shared attributes would change translations in ${locales}`,
    },
  },
})

const shared: readonly object[] = [
  { rank: 5 },
  { rank: null },
  { code: 'y', title: 'x' },
  { meta: { a: 1 } },
  { seo: { text: 'y' } },
  { links: [{ url: 'y' }] },
  { zone: [{ __component: 'a.link', url: 'y' }] },
]

t.test('a translation that may not be changed is not changed by another one', async t => {
  const { put, content, use, kernel, context } = await startAs(t)
  const before = await content()
  use({ closed: 'fr' })
  for (const data of shared) {
    t.match(await put('pages/1', data), refusal('fr'), JSON.stringify(data))
    t.match(await put('pages/3', data), refusal('fr'))
    await t.rejects(kernel.query(page, context()).update(1, { data }), refusal('fr').body.error)
    t.equal(await content(), before, 'nothing is written')
  }
  t.equal((await put('pages/2', { rank: 5 })).status, 404)
  t.equal((await put('pages/1', { title: 'Changed', slug: 'changed', tags: [] })).status, 200, 'what is not shared')
  use({ closed: 'en' })
  t.match(await put('pages/2', { rank: 5 }), refusal('en'))
  use({ closed: 'es' })
  t.equal((await put('pages/2', { rank: 5 })).status, 200)
})

t.test('what a rule demands of the result, it demands of each translation', async t => {
  const { put, content, use } = await startAs(t)
  const before = await content()
  use({ title: 'de' })
  t.match(await put('pages/1', { rank: 5 }), refusal('de'))
  t.equal(await content(), before)
  t.equal((await put('pages/1', { title: 'Changed' })).status, 200)
})

t.test('a new translation needs the right to change the others, if it brings shared values', async t => {
  const { send, post, content, use, of } = await startAs(t)
  await of('page').create({ data: { title: 'Two', rank: 1 } })
  await of('page').create({ data: { title: 'Zwei', locale: 'de', localizations: [4] } })
  const before = await content()
  const refused = async (rule: Rule, locales: string, data: object = { rank: 5 }) => {
    use(rule)
    const made = { title: 'Deux', locale: 'fr', ...data }
    t.match(await send('pages/4/localizations', made), refusal(locales), `${JSON.stringify(rule)} by the route`)
    if (rule.granted?.includes('create') !== false)
      t.match(await post('pages', { ...made, localizations: [4] }), refusal(locales), JSON.stringify(rule))
    t.equal(await content(), before)
  }
  await refused({ closed: 'de' }, 'de')
  await refused({ forbidden: 'rank' }, 'de, en')
  await refused({ title: 'Zwei' }, 'de')
  for (const data of shared.filter(one => !('title' in one))) await refused({ closed: 'de' }, 'de', data)
  const granted = ['find', 'create', 'createLocalization']
  use({ granted })
  const made = { title: 'Deux', locale: 'fr', localizations: [4] }
  t.match(await post('pages', { ...made, rank: 5 }), refusal('de, en'), 'without the right to update')
  await refused({ granted: ['createLocalization'], closed: 'de' }, 'de')
  use({ granted })
  const created = await post('pages', made)
  t.match(created, { status: 200, body: { data: { attributes: { rank: 1 } } } }, 'values that are taken change nothing')
})

t.test('single types, and the system', async t => {
  const { put, send, content, use, of, kernel } = await startAs(t)
  t.match(await send('home/localizations', { title: 'Accueil', locale: 'fr', rank: 2 }), { status: 200 })
  const before = await content()
  use({ closed: 'fr' })
  t.match(await put('home', { rank: 5 }), refusal('fr'))
  t.match(await send('home/localizations', { title: 'Heim', locale: 'de', rank: 5 }), refusal('fr'))
  use({ granted: ['createLocalization'], closed: 'en' })
  t.match(await send('home/localizations', { title: 'Heim', locale: 'de', rank: 5 }), { status: 404 })
  t.equal(await content(), before)
  await of('page').update(1, { data: { rank: 9 } })
  t.match(await kernel.query(page).findOne(2), { rank: 9 }, 'rules restrict callers')
})
