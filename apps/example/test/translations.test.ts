// The translations in a database: their number, their links, and the attributes that they share.

import t from 'tap'
import { headersOf, openExample } from './fixtures/example.ts'

interface Entry {
  id: number
  locale: string
  publishedAt?: string | null
  localizations: Entry[]
  [attribute: string]: unknown
}

const { app, close } = await openExample()
t.teardown(close)
const headers = await headersOf(app, 'editor')

const names = ['category', 'article', 'page', 'homepage']
const everywhere = { locale: 'all', publicationState: 'preview' }

async function findAll(name: string): Promise<Entry[]> {
  const type = app.kernel.contentTypes.get(`api::${name}.${name}`)!
  const { publicationState, ...anywhere } = everywhere
  const params = type.attributes.has('publishedAt') ? { ...anywhere, publicationState } : anywhere
  return (await app.kernel.query(type.uid).findMany({ ...params, populate: '*' })) as unknown as Entry[]
}

async function ask(path: string): Promise<{ total: number; data: { attributes: Entry; meta: unknown }[] }> {
  const { data, meta } = (await app.inject({ url: path, headers })).json()
  return { data, total: meta.pagination?.total }
}

t.test('each language has the expected number of translations', async t => {
  const counts = { category: [15, 15, 15], article: [226, 26, 13], page: [4, 4, 4], homepage: [1, 1, 1] }
  for (const [name, expected] of Object.entries(counts)) {
    const entries = await findAll(name)
    const count = (locale: string) => entries.filter(one => one.locale === locale).length
    t.same(['en', 'fr', 'de'].map(count), expected, name)
  }
  for (const [params, total] of [
    ['', 220],
    ['?locale=fr', 25],
    ['?locale=de', 12],
    ['?locale=all', 257],
    ['?locale=fr&fallbackLocale=en', 220],
  ] as const) {
    t.equal((await ask(`/api/articles${params}`)).total, total, `articles${params}`)
  }
})

t.test('all translations of an entry are linked with each other', async t => {
  for (const name of names) {
    const entries = await findAll(name)
    const links = new Set(entries.flatMap(one => one.localizations.map(({ id }) => `${one.id}-${id}`)))
    const isWhole = (one: Entry) => {
      const family = [one, ...one.localizations]
      const locales = new Set(family.map(({ locale }) => locale))
      const pairs = family.flatMap(({ id }) =>
        family.filter(other => other.id !== id).map(other => `${id}-${other.id}`),
      )
      return locales.size === family.length && pairs.every(pair => links.has(pair))
    }
    t.ok(links.size > 0)
    t.same(
      entries.filter(one => !isWhole(one)).map(one => one.id),
      [],
      name,
    )
  }
})

t.test('attributes that are not localized are equal in all translations', async t => {
  for (const name of names) {
    const { attributes } = app.kernel.contentTypes.get(`api::${name}.${name}`)!
    const shared = [...attributes.values()].filter(({ kind, type, definition, name }) => {
      const options = definition.pluginOptions as { i18n?: { localized?: boolean } } | undefined
      const isOwn = ['id', 'locale', 'publishedAt', 'createdAt', 'updatedAt'].includes(name)
      return !isOwn && type !== 'uid' && ['scalar', 'component', 'zone'].includes(kind) && !options?.i18n?.localized
    })
    const entries = new Map((await findAll(name)).map(one => [one.id, one]))
    // Every translation has components of its own, with other ids.
    const values = (one: Entry) =>
      JSON.stringify(
        shared.map(({ name }) => one[name]),
        (key, value) => (key === 'id' ? undefined : value),
      )
    for (const one of entries.values()) {
      for (const { id } of one.localizations) {
        const other = entries.get(id)!
        if (values(one) !== values(other)) t.equal(values(other), values(one), `${name} ${one.id} and ${id}`)
      }
    }
    t.equal(shared.length > 0, name !== 'page', `${name}: ${shared.map(({ name }) => name).join(', ')}`)
  }
})

t.test('relations lead to entries of the same language, if there is one', async t => {
  const articles = await findAll('article')
  const languages = (entries: unknown) => [...new Set((entries as Entry[]).map(one => one.locale))]
  t.same(
    articles.filter(one => String(languages(one.categories)) !== one.locale),
    [],
  )
  const { data } = await ask('/api/articles?locale=fr&filters[categories][slug]=pain&fields[0]=title')
  t.ok(data.length > 0)
  const [topic] = (await ask('/api/categories?locale=de&filters[slug]=essen&populate=children')).data
  const children = topic!.attributes.children as { data: { attributes: Entry }[] }
  t.same(
    children.data.map(one => one.attributes.name),
    ['Brot', 'Markt'],
  )
})

t.test('a draft of a translation is visible only in preview', async t => {
  const path = '/api/articles?filters[slug]=who-heard-the-meteor-over-thornwick&populate=localizations'
  const titles = async (path: string) => {
    const [entry] = (await ask(path)).data
    const { data } = entry!.attributes.localizations as unknown as { data: { attributes: Entry }[] }
    return data.map(one => one.attributes.title)
  }
  t.same(await titles(path), [])
  t.match(await titles(`${path}&publicationState=preview`), [/^Qui a entendu/])
})

t.test('a slug is used in one language only', async t => {
  const create = (locale: string) =>
    app.kernel.query('api::article.article').create({ data: { title: 'Rail', body: '…', locale } })
  t.equal((await create('fr')).slug, 'rail')
  t.equal((await create('en')).slug, 'rail-2')
})

t.test('a draft is published by an update', async t => {
  const [draft] = (await ask('/api/articles?publicationState=preview&locale=de&filters[publishedAt][$null]=true'))
    .data as unknown as { id: number }[]
  const reply = await app.inject({
    method: 'PUT',
    url: `/api/articles/${draft!.id}?fields=title`,
    headers,
    payload: { data: { publishedAt: '2026-11-20T09:00:00.000Z' } },
  })
  t.match(reply.json(), { data: { attributes: { title: /^Cato Pell/ } } })
  t.equal((await ask('/api/articles?locale=de')).total, 13)
})

t.test('a translation created by a request receives the shared attributes', async t => {
  const payload = { locale: 'de', title: 'Wer hat den Meteor gehört?', body: 'Hanne Norling.', publishedAt: null }
  const reply = await app.inject({ method: 'POST', url: '/api/articles/219/localizations', headers, payload })
  t.match(reply.json(), {
    slug: 'wer-hat-den-meteor-gehort',
    kind: 'report',
    publishedOn: '2026-11-15',
    publishedAt: null,
  })
  t.equal(reply.json().localizations.length, 2)
})
