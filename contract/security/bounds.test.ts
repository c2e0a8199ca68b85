/**
 * Limits of pages, states and sizes (security.md rows 35 to 41): only whole numbers and known words, bounded work,
 * valid text.
 */

import { createKernel, openAccess } from '@plinth/kernel'
import t from 'tap'
import { boot, client, fresh } from '../boot.ts'
import { refused } from './refusal.ts'

t.test('bounds', async t => {
  const app = await boot(t)
  const api = client(app)
  await api.create('people', { fullName: 'Ann' })
  await api.create('tags', { label: 'News' }, { label: 'Art' }, { label: 'Sport' })
  await api.create('articles', { title: 'One', author: 1, tags: [1] }, { title: 'Draft', author: 1, publishedAt: null })

  t.test('security.md row 35: pages that are not whole numbers', async t => {
    for (const key of ['page', 'pageSize', 'start', 'limit']) {
      for (const value of ['abc', '1.5', 'NaN', 'Infinity', '1%20or%201']) {
        refused(t, await api.get(`/api/tags?pagination[${key}]=${value}`), 400, key)
      }
      refused(t, await api.get(`/api/tags?pagination[${key}][a]=1`), 400, key)
      t.ok((await api.get(`/api/tags?pagination[${key}]=1e9`)).status < 500)
    }
    for (const page of ['0', '-1', '']) {
      t.match((await api.get(`/api/tags?pagination[page]=${page}`)).body.meta, { pagination: { page: 1, total: 3 } })
      t.match((await api.get(`/api/tags?pagination[pageSize]=${page}`)).body.meta, {
        pagination: { pageSize: 1, total: 3 },
      })
    }
  })

  t.test('security.md row 36: pages beyond the limit', async t => {
    for (const query of [
      'start]=9e15',
      'start]=9007199254740993',
      'page]=9e15',
      'page]=4503599627370495&pagination[pageSize]=100',
      'start]=99999999999999999999',
    ]) {
      t.same(await api.list(`/api/tags?pagination[${query}`), [], query)
    }
  })

  t.test('security.md row 37: publication states that do not exist', async t => {
    for (const state of ['=bad', '=PREVIEW', '=', '', '[]=live', '[a]=live', '=preview&publicationState=live']) {
      refused(t, await api.get(`/api/articles?publicationState${state}`), 400, 'publicationState')
    }
    refused(t, await api.get('/api/people?populate[articles][publicationState]=bad'), 400, 'publicationState')
    t.equal((await api.list('/api/articles?publicationState=preview')).length, 2, 'and the right one works')
  })

  t.test('security.md row 38: a wildcard among names', async t => {
    const both = [
      'populate=*&populate[1]=author.partner',
      'populate[0]=*',
      'populate=*&populate=tags',
      'populate=author&populate[tags]=true',
    ]
    for (const query of both) {
      const [article] = await api.list(`/api/articles?${query}`)
      t.match(article!.attributes, { author: { data: { id: 1 } }, tags: { data: [{ id: 1 }] } }, query)
    }
    const [person] = await api.list('/api/people?populate[articles][populate][0]=*')
    t.match(person!.attributes, { articles: { data: [{ id: 1, attributes: { tags: { data: [{ id: 1 }] } } }] } })
  })

  t.test('security.md row 39: a query that costs too much', async t => {
    const names: Record<string, readonly string[]> = {
      article: ['author', 'category', 'tags', 'coAuthors'],
      author: ['articles', 'partner', 'interests'],
      category: ['parent', 'children', 'articles'],
      tags: ['articles'],
      articles: ['author', 'category', 'tags', 'coAuthors'],
      coAuthors: ['articles', 'interests'],
      interests: ['articles'],
      partner: ['articles'],
      parent: ['articles', 'children'],
      children: ['articles', 'parent'],
    }
    // Paths of ten relations with different branches, as many as fit into a URL.
    const ways = Array.from({ length: 150 }, (_, seed) => {
      const way: string[] = []
      for (let at = 'article', i = 0; i < 10; i++) {
        const next = names[at]!
        at = next[(seed >> i) % next.length]!
        way.push(at)
      }
      return way.join('.')
    })
    refused(t, await api.get(`/api/articles?populate=${[...new Set(ways)].join(',')}`), 400, /too expensive/i)
  })

  t.test('security.md row 40: long values and many branches', async t => {
    refused(t, await api.get(`/api/tags?filters[label][$containsi]=${'x'.repeat(4097)}`), 400, 'label')
    t.equal((await api.get(`/api/tags?filters[label][$containsi]=${'x'.repeat(4096)}`)).status, 200)
    refused(t, await api.get(`/api/tags?_q=${'x'.repeat(5000)}`), 400, '_q')
    const branches = (length: number) => Array.from({ length }, (_, i) => `filters[$or][${i}][id]=${i + 1}`).join('&')
    refused(t, await api.get(`/api/tags?${branches(201)}`), 400, '$or')
    t.equal((await api.list(`/api/tags?${branches(200)}`)).length, 3)
    const nested = Array.from(
      { length: 250 },
      (_, i) => `filters[$and][${i % 25}][$or][${Math.floor(i / 25)}][id]=1`,
    ).join('&')
    refused(t, await api.get(`/api/tags?${nested}`), 400)
    const alternatives = Array.from({ length: 250 }, () => 'filters[label][$contains]=a').join('&')
    refused(t, await api.get(`/api/tags?${alternatives}`), 400, 'label')
    const query = app.kernel.query('api::tag.tag')
    await t.rejects(query.findMany({ filters: { label: { $containsi: 'x'.repeat(1_000_000) } } }), {
      name: 'ValidationError',
    })
    const wide = Array.from({ length: 10_000 }, (_, id) => ({ id }))
    await t.rejects(query.findMany({ filters: { $or: wide } }), { name: 'ValidationError' })
  })

  t.test('security.md row 41: invalid text', async t => {
    for (const bad of ['%ff', '%E0%A4%A', '%', '%zz', '%c0%af', '%ed%a0%80', '%00', 'a%00b']) {
      refused(t, await api.get(`/api/tags?filters[label]=${bad}`), 400)
      refused(t, await api.get(`/api/tags?filters[${bad}]=1`), 400)
      refused(t, await api.get(`/api/tags?_q=${bad}`), 400)
      refused(t, await api.get(`/api/tags?sort=label${bad}`), 400)
      const byId = await api.get(`/api/tags/1${bad}`)
      refused(t, byId, [400, 404])
    }
    refused(t, await api.get('/api/tags/1%00'), 400)
    refused(t, await api.post('/api/tags', { data: { label: 'a\0b' } }), 400, 'label')
    refused(t, await api.post('/api/specimens', { data: { payload: { deep: ['a\0b'] } } }), 400, 'payload')
    refused(
      t,
      await api.post('/api/products', { data: { name: 'Lamp', price: 1, variants: [{ name: '\0' }] } }),
      400,
      'variants',
    )
    refused(t, await api.post('/api/tags', Buffer.from('{"data":{"label":"\xff"}}', 'latin1')), 400)
    t.equal((await api.list('/api/tags')).length, 3, 'nothing was written')
  })
})

t.test('security.md row 39: a query that fetches too many rows', async t => {
  const api = client(await boot(t, { maxRows: 200 }))
  await api.create('tags', ...Array.from({ length: 20 }, (_, i) => ({ label: `t${i}` })))
  const tags = Array.from({ length: 20 }, (_, i) => i + 1)
  await api.create('articles', ...Array.from({ length: 10 }, (_, i) => ({ title: `a${i}`, tags })))
  const exceeded = (answer: Awaited<ReturnType<typeof api.get>>) => {
    refused(t, answer, 400, 'Query too expensive: it fetches at least 201 rows, but the limit is 200')
    t.match(answer.body, { error: { details: { rows: 201, maxRows: 200 } } })
  }
  t.equal((await api.get('/api/articles?populate=tags&pagination[pageSize]=9')).status, 200, '9 and 9 × 20 rows')
  exceeded(await api.get('/api/articles?populate=tags'))
  exceeded(await api.get('/api/tags?populate=articles&pagination[pageSize]=20'))
  exceeded(await api.get('/api/tags/1?populate=articles.tags'))
  exceeded(await api.put('/api/tags/1?populate=articles.tags', { data: { label: 'b' } }))
  t.match((await api.get('/api/tags/1')).body, { data: { attributes: { label: 't0' } } }, 'and nothing is written')
  const limited = 'populate[articles][limit]=2&populate[articles][populate]=tags'
  t.equal((await api.get(`/api/tags/1?${limited}`)).status, 200, 'a limit lowers the number')
})

t.test('security.md row 39: what a query might fetch at most does not matter', async t => {
  const statements: string[] = []
  const listen = (text: string) => void statements.push(text)
  const info = (name: string) => ({ singularName: name, pluralName: `${name}s`, displayName: name })
  const to = (relation: string, name: string) => ({ type: 'relation', relation, target: `api::${name}.${name}` })
  const lists = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`list${i}`, to('manyToMany', 'part')]))
  const kernel = await createKernel({
    database: (await fresh(t)).config,
    contentTypes: [
      { collectionName: 'orders', info: info('order'), attributes: { products: to('manyToMany', 'product') } },
      { collectionName: 'products', info: info('product'), attributes: lists },
      { collectionName: 'parts', info: info('part'), attributes: { name: { type: 'string' } } },
    ].map(one => ({ kind: 'collectionType', ...one })),
    configure: ({ hooks }) => hooks.on('onStatement', listen),
  })
  t.teardown(() => kernel.close())
  const part = await kernel.query('api::part.part').create({ data: { name: 'p' } })
  const product = await kernel.query('api::product.product').create({ data: { list0: [part.id], list8: [part.id] } })
  for (let i = 0; i < 25; i++) await kernel.query('api::order.order').create({ data: { products: [product.id] } })
  const orders = kernel.query('api::order.order', kernel.context(openAccess))
  statements.length = 0
  const { entries } = await orders.findPage({ populate: { products: { populate: '*' } } })
  t.equal(statements.filter(text => !text.startsWith('PRAGMA') && !/count\(/i.test(text)).length, 1 + 1 + 9)
  t.equal(entries.length, 25)
  t.match(entries[24], { products: [{ list0: [{ name: 'p' }], list1: [], list8: [{ name: 'p' }] }] })
})

t.test('security.md row 39: a wildcard over a hundred relations', async t => {
  const info = { singularName: 'hub', pluralName: 'hubs', displayName: 'Hub' }
  const spokes = Array.from({ length: 100 }, (_, i) => [
    `spoke${i}`,
    { type: 'relation', relation: 'manyToMany', target: 'api::hub.hub' },
  ])
  const kernel = await createKernel({
    database: (await fresh(t)).config,
    contentTypes: [{ kind: 'collectionType', collectionName: 'hubs', info, attributes: Object.fromEntries(spokes) }],
  })
  t.teardown(() => kernel.close())
  // Trusted code, which has no context, has no such limit.
  const hubs = kernel.query('api::hub.hub', kernel.context(openAccess))
  await t.rejects(hubs.findMany({ populate: '*' }), {
    name: 'ValidationError',
    message: /too expensive/i,
  })
})
