// Attributes that translations share: copied to new translations and by every write, components by value (B-7.21,
// B-7.27, B-7.28).

import type { Entry, Kernel } from '@plinth/kernel'
import passwords from '@plinth/passwords'
import t, { type Test } from 'tap'
import { type Started, start, translated, type } from './fixtures/boot.ts'

const populate = 'populate[seo][populate]=*&populate[links]=*&populate[zone][populate]=*&populate[hero]=*'

async function family(t: Test, data: Record<string, unknown>, listen?: (kernel: Kernel) => void) {
  const started = await start(t, { configure: listen })
  await started.post('tags', { label: 'a' })
  await started.post('pages', { title: 'One', ...data })
  await started.send('pages/1/localizations', { locale: 'fr', title: 'Un' })
  await started.send('pages/2/localizations', { locale: 'de', title: 'Eins' })
  const read = async (id: number) => (await started.get(`pages/${id}?${populate}`)).body.data.attributes
  return { ...started, read, all: async () => [await read(1), await read(2), await read(3)] }
}

/** How many rows the tables of components hold. */
async function parts({ kernel }: Started): Promise<Record<string, number>> {
  const count = async (table: string) => Number((await kernel.database.knex(table).count({ n: '*' }))[0]!.n)
  return { seos: await count('components_a_seos'), links: await count('components_a_links') }
}

t.test('shared values are copied in every direction', async t => {
  const { put, all, of } = await family(t, { code: 'x', rank: 1, meta: { a: 1 }, slug: 'one' })
  t.match(
    await all(),
    [1, 2, 3].map(() => ({ code: 'x', rank: 1, meta: { a: 1 } })),
  )
  t.match(await all(), [{ slug: 'one' }, { slug: null }, { slug: null }], 'a uid is one translation’s')
  const writes: [id: number, data: Record<string, unknown>][] = [
    [1, { rank: 2 }],
    [2, { rank: 3, code: 'y' }],
    [3, { meta: ['z'] }],
    [3, { code: null }],
    [1, { meta: null }],
  ]
  const values: Record<string, unknown> = { code: 'x', rank: 1, meta: { a: 1 } }
  for (const [id, data] of writes) {
    Object.assign(values, data)
    t.equal((await put(`pages/${id}`, data)).status, 200)
    t.match(await all(), [values, values, values], `${id}: ${JSON.stringify(data)}`)
  }
  await of('page').update(2, { data: { rank: 9 } })
  t.match(await all(), [{ rank: 9 }, { rank: 9 }, { rank: 9 }], 'by trusted code, too')
  await put('pages/2', { title: 'Deux', slug: 'deux', path: '/p' })
  t.match(await all(), [
    { title: 'One', slug: 'one', path: null },
    { title: 'Deux', slug: 'deux', path: '/p' },
    { title: 'Eins', slug: null, path: null },
  ])
})

t.test('a failed write changes no translation', async t => {
  const { put, all } = await family(t, { rank: 1, key: 'k' })
  t.equal((await put('pages/2', { rank: 5, key: 'k' })).status, 400)
  t.equal((await put('pages/2', { rank: 5, title: null })).status, 400)
  t.match(await all(), [{ rank: 1 }, { rank: 1 }, { rank: 1 }])
})

t.test('entries of other families keep their values', async t => {
  const { post, put, read } = await family(t, { rank: 1 })
  await post('pages', { title: 'Other', rank: 7 })
  await put('pages/1', { rank: 2 })
  t.match(await read(4), { rank: 7 })
})

const seo = { text: 's', tag: 1, inner: [{ url: 'i' }] }
const zone = [
  { __component: 'a.link', url: 'z' },
  { __component: 'a.seo', text: 'y', inner: [{ url: 'w' }] },
]

t.test('components are copied by value', async t => {
  const started = await family(t, { seo, links: [{ url: 'a' }, { url: 'b' }], zone, hero: { text: 'h' } })
  const [one, two, three] = await started.all()
  for (const page of [one, two, three]) {
    t.match(page, { seo: { text: 's', tag: { data: { id: 1 } }, inner: [{ url: 'i' }] } })
    t.match(page, {
      links: [{ url: 'a' }, { url: 'b' }],
      zone: [
        { __component: 'a.link', url: 'z' },
        { text: 'y', inner: [{ url: 'w' }] },
      ],
    })
    t.equal(page.links.length, 2)
    t.equal(page.zone.length, 2)
  }
  t.match([one.hero, two.hero, three.hero], [{ text: 'h' }, null, null], 'one that is translated is not copied')
  const ids = [one, two, three].flatMap(page => page.links.map(({ id }: Entry) => id))
  t.equal(new Set(ids).size, 6, 'each has rows of its own')
  t.equal(new Set([one, two, three].map(page => page.seo.id)).size, 3)
  t.equal(new Set([one, two, three].map(page => page.seo.inner[0].id)).size, 3)
  t.same(await parts(started), { seos: 7, links: 15 })
})

t.test('a new translation leaves the others as they are', async t => {
  const started = await start(t)
  await started.post('pages', { title: 'One', links: [{ url: 'a' }] })
  const read = async () => (await started.get(`pages/1?${populate}`)).body.data.attributes
  const before = await read()
  await started.send('pages/1/localizations', { locale: 'fr', title: 'Un' })
  t.same(await read(), before, 'with the rows they had, not touched')
  await started.send('pages/1/localizations', { locale: 'de', title: 'Eins', links: [{ url: 'b' }] })
  t.match((await read()).links, [{ url: 'b' }], 'but for what is sent')
})

t.test('changes of components are copied by value', async t => {
  const started = await family(t, { seo, links: [{ url: 'a' }], zone, hero: { text: 'h' } })
  const [before] = await started.all()
  const kept = before.links[0].id
  await started.put('pages/1', { links: [{ id: kept, url: 'c' }, { url: 'd' }], hero: { text: 'g' } })
  const [one, two, three] = await started.all()
  t.equal(one.links[0].id, kept, 'where it was changed, the row stays')
  for (const page of [one, two, three])
    t.same(
      page.links.map(({ url }: { url: string }) => url),
      ['c', 'd'],
    )
  t.equal(new Set([one, two, three].flatMap(page => page.links.map(({ id }: Entry) => id))).size, 6)
  t.match([one.hero, two.hero], [{ text: 'g' }, null])
  t.match(two.seo, { text: 's', tag: { data: { id: 1 } } }, 'what was not sent stays')
  t.same(await parts(started), { seos: 7, links: 15 }, 'and no row is left behind')

  await started.put('pages/3', { seo: { text: 'new' }, zone: [zone[1]], links: [] })
  for (const page of await started.all()) {
    t.match(page, {
      seo: { text: 'new', tag: { data: null }, inner: [] },
      links: [],
      zone: [{ __component: 'a.seo', text: 'y' }],
    })
    t.equal(page.zone.length, 1)
  }
  await started.put('pages/2', { seo: null })
  t.match(await started.all(), [{ seo: null }, { seo: null }, { seo: null }])
  t.same(await parts(started), { seos: 4, links: 3 }, 'three in zones and a hero, with what they hold')
})

t.test('nested shared values are copied, and only written ones', async t => {
  const part = (name: string, more: object = {}) => ({ type: 'component', component: `a.${name}`, ...more })
  const table = (name: string, attributes: object) => ({ collectionName: `components_a_${name}s`, attributes })
  const components = {
    'a.outer': table('outer', { middle: part('middle', { repeatable: true }) }),
    'a.middle': table('middle', { inner: part('inner') }),
    'a.inner': table('inner', { label: { type: 'string' }, any: { type: 'json' }, at: { type: 'datetime' } }),
  }
  const secret = { type: 'password' }
  const contentTypes = [
    type('note', { text: { type: 'string', ...translated }, outer: part('outer'), secret }, translated),
  ]
  const plugins = { passwords: { plugin: passwords } }
  const { send, post, get, kernel } = await start(t, { contentTypes, components, plugins })
  const any = { id: 7, createdAt: 'x', list: [{ id: 8 }] }
  const outer = { middle: [{ inner: { label: 'a', any, at: '2024-01-01T00:00:00.000Z' } }, { inner: null }] }
  await post('notes', { outer, secret: 'first-secret' })
  await send('notes/1/localizations', { locale: 'fr', text: 'x' })
  const deep = 'populate[outer][populate][middle][populate]=*'
  t.match((await get(`notes/2?${deep}`)).body.data.attributes.outer, outer)
  const [one, two] = await kernel.database.knex('notes').orderBy('id').select('secret')
  t.match(one.secret, /^\$2/)
  t.equal(two.secret, null, 'a secret belongs to one translation')
})

t.test('changes of siblings are writes with hooks', async t => {
  const received: string[] = []
  const { put, of } = await family(t, { rank: 1 }, kernel =>
    kernel.hooks.on('onCommit', writes => {
      for (const { type, action, id } of writes) received.push(`${action} ${type.singularName} ${id}`)
    }),
  )
  const before = await of('page').findOne(3)
  received.length = 0
  await put('pages/1', { rank: 2 })
  t.same(received.sort(), ['update page 1', 'update page 2', 'update page 3'])
  t.ok(String((await of('page').findOne(3))!.updatedAt) > String(before!.updatedAt))
  received.length = 0
  await put('pages/1', { title: 'of one translation' })
  t.same(received, ['update page 1'])
})

t.test('a published translation stays complete', async t => {
  const posts = [
    type(
      'post',
      { title: { type: 'string', ...translated }, key: { type: 'string', required: true, minLength: 3 } },
      { ...translated, options: { draftAndPublish: true } },
    ),
  ]
  const { send, post, put, get } = await start(t, { contentTypes: posts, components: {} })
  await post('posts', { title: 'One', key: 'abc' })
  await send('posts/1/localizations', { locale: 'fr', title: 'Un' })
  const answer = await put('posts/2', { key: null })
  t.match(answer, { status: 400, body: { error: { details: { errors: [{ path: ['key'] }] } } } })
  t.match((await get('posts/1')).body, { data: { attributes: { key: 'abc' } } })
  t.equal((await put('posts/1', { publishedAt: null })).status, 200)
  t.equal((await put('posts/2', { key: null })).status, 200, 'drafts need not be')
})
