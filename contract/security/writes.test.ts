/** Writes and mass assignment (security.md B4), as far as they need no accounts. */

import t from 'tap'
import { boot, client, type Entry } from '../boot.ts'
import { refused } from './refusal.ts'

t.test('writes', async t => {
  const api = client(await boot(t))
  await api.create('tags', { label: 'One' })
  await api.create('articles', { title: 'One' })

  t.test('security.md row 50: attributes that the service sets cannot be sent', async t => {
    const old = '2001-01-01T00:00:00.000Z'
    const data = { label: 'Two', id: 500, createdAt: old, updatedAt: old, createdBy: 1, updatedBy: 1 }
    const { status, body } = await api.post('/api/tags', { data })
    const made = body.data as Entry
    t.equal(status, 200)
    t.match(made, { id: 2, attributes: { label: 'Two' } })
    t.notSame([made.attributes.createdAt, made.attributes.updatedAt], [old, old])
    const changed = (await api.put('/api/tags/2', { data })).body.data as Entry
    t.equal(changed.id, 2)
    t.equal(changed.attributes.createdAt, made.attributes.createdAt)
    t.not(changed.attributes.updatedAt, old)
    const published = (await api.post('/api/articles', { data: { title: 'Old', publishedAt: old } })).body.data as Entry
    t.equal(published.attributes.publishedAt, old, 'publishedAt may be, where everything is open')
  })

  t.test('security.md row 52: a component of another entry', async t => {
    const [first, second] = await api.create(
      'products',
      { name: 'Lamp', price: 1, dimension: { width: 1 }, variants: [{ name: 'Red' }] },
      { name: 'Desk', price: 1, dimension: { width: 2 }, variants: [{ name: 'Oak' }] },
    )
    refused(t, await api.put(`/api/products/${second}`, { data: { dimension: { id: 1, width: 9 } } }), 400, 'dimension')
    refused(
      t,
      await api.put(`/api/products/${second}`, { data: { variants: [{ id: 1, name: 'Stolen' }] } }),
      400,
      'variants',
    )
    const { body } = await api.get(`/api/products/${first}?populate=*`)
    t.match(
      body.data,
      { attributes: { dimension: { id: 1, width: 1 }, variants: [{ id: 1, name: 'Red' }] } },
      'is as it was',
    )
  })

  t.test('security.md row 53: a component that the zone does not list', async t => {
    const blocks = [{ __component: 'shared.link', label: 'x' }]
    refused(t, await api.post('/api/articles', { data: { title: 'Two', blocks } }), 400, 'blocks')
    refused(t, await api.put('/api/articles/1', { data: { blocks } }), 400, 'blocks')
    for (const name of ['api::tag.tag', '__proto__', 'toString', '', null, 5, {}]) {
      refused(t, await api.put('/api/articles/1', { data: { blocks: [{ __component: name }] } }), 400, 'blocks')
    }
    const [article] = await api.list('/api/articles?populate=blocks&filters[id]=1')
    t.same(article?.attributes.blocks, [])
  })

  t.test('security.md row 55: concurrent writes of one unique value', async t => {
    const attempts = Array.from({ length: 100 }, () =>
      api.post('/api/categories', { data: { name: 'Same', slug: 'same' } }),
    )
    const answers = await Promise.all(attempts)
    t.equal(answers.filter(({ status }) => status === 200).length, 1, 'exactly one is made')
    for (const answer of answers.filter(({ status }) => status !== 200)) refused(t, answer, 400, /unique/)
    t.equal((await api.list('/api/categories')).length, 1)
    await api.create(
      'orders',
      { reference: 'A', lines: [{ quantity: 1 }] },
      { reference: 'B', lines: [{ quantity: 1 }] },
    )
    const renames = await Promise.all([1, 2].map(id => api.put(`/api/orders/${id}`, { data: { reference: 'C' } })))
    t.same(renames.map(({ status }) => status).sort(), [200, 400], 'and one of two is renamed')
  })

  t.test('values whose conversion throws are answered as those without such members', async t => {
    const bad = { toString: 1, valueOf: 1 }
    const tag = (await api.create('tags', { label: 'Linked' }))[0]!
    const [article] = await api.create('articles', { title: 'Hostile', seo: { metaTitle: 'Title' } })
    const bodies: readonly ((value: object) => Record<string, unknown>)[] = [
      value => ({ localizations: value }),
      value => ({ localizations: [value] }),
      value => ({ localizations: { connect: [{ id: value }] } }),
      value => ({ locale: value }),
      value => ({ locale: [value] }),
      value => ({ publishedAt: value }),
      value => ({ publishedAt: [value] }),
      value => ({ seo: { id: value } }),
      value => ({ seo: { id: [value], metaTitle: value } }),
      value => ({ blocks: [{ __component: value }] }),
      value => ({ blocks: [{ __component: 'blocks.quote', id: value, text: 'x' }] }),
      value => ({ tags: { connect: [{ id: tag, position: { before: { id: value } } }] } }),
      value => ({ tags: { connect: [{ id: tag, position: { after: value } }] } }),
      value => ({ tags: [value] }),
      value => ({ tags: { set: [{ id: value }] } }),
      value => ({ readingMinutes: [value] }),
      value => ({ readingMinutes: [[value]] }),
      value => ({ title: value, featured: [value] }),
      value => ({ title: 'x', unknown: value, id: value, createdAt: value }),
    ]
    for (const body of bodies) {
      for (const [method, path] of [
        ['post', '/api/articles'],
        ['put', `/api/articles/${article}`],
      ] as const) {
        const title = method === 'post' ? { title: 'Hostile' } : {}
        const answers = [await api[method](path, { data: { ...title, ...body(bad) } })]
        answers.push(await api[method](path, { data: { ...title, ...body({}) } }))
        const [hostile, plain] = answers
        t.ok([200, 400].includes(hostile!.status), `${method} ${JSON.stringify(body(bad))}`, { text: hostile!.text })
        t.same([hostile!.status, hostile!.body.error], [plain!.status, plain!.body.error])
      }
    }
    const specimen = {
      big: [bad],
      ratio: [bad],
      amount: bad,
      flag: [bad],
      kind: bad,
      day: [bad],
      clock: bad,
      handle: bad,
    }
    for (const [name, value] of Object.entries(specimen))
      refused(t, await api.post('/api/specimens', { data: { [name]: value } }), 400)
    const payload = { toString: 1, list: [bad] }
    const kept = await api.post('/api/specimens', { data: { payload, toString: 1 } })
    t.same((kept.body.data as Entry).attributes.payload, payload, 'JSON attributes hold anything')
    for (const form of ['data[tags][toString]=1', 'data[seo][id][valueOf]=1', 'data[title][hasOwnProperty]=1'])
      refused(t, await api.post('/api/articles', form, { 'content-type': 'application/x-www-form-urlencoded' }), 400)
    const data = JSON.stringify({ title: 'x', seo: { id: bad }, readingMinutes: [bad] })
    const part = `--b\r\ncontent-disposition: form-data; name="data"\r\n\r\n${data}\r\n--b--\r\n`
    const multipart = { 'content-type': 'multipart/form-data; boundary=b' }
    refused(t, await api.post('/api/articles', part, multipart), 400, 'readingMinutes')
  })

  t.test('invalid values are refused with their path, never by a 5xx', async t => {
    const wrong = [
      5,
      true,
      {},
      [],
      [1],
      'x',
      -1,
      '',
      { set: 'x' },
      { connect: 'x' },
      { connect: [{}] },
      { connect: [null] },
      { set: [[]] },
    ]
    for (const value of wrong) {
      for (const name of [
        'title',
        'slug',
        'readingMinutes',
        'featured',
        'author',
        'tags',
        'coAuthors',
        'seo',
        'blocks',
        'publishedAt',
      ]) {
        const answer = await api.put('/api/articles/1', { data: { [name]: value } })
        t.ok(answer.status === 200 || answer.status === 400, `${name}: ${JSON.stringify(value)}`, {
          text: answer.text.slice(0, 200),
        })
      }
      const inside = await api.put('/api/articles/1', {
        data: { blocks: [{ __component: 'blocks.spotlight', products: value, cta: value }] },
      })
      t.ok(inside.status === 200 || inside.status === 400, `inside a zone: ${JSON.stringify(value)}`, {
        text: inside.text.slice(0, 200),
      })
    }
  })
})

t.test('values whose conversion throws, in localized types', async t => {
  const app = await boot(t, {
    plugins: { rest: {}, 'draft-publish': {}, i18n: { config: { locales: ['en', 'fr', 'de'] } } },
  })
  const api = client(app)
  const [article] = await api.create('articles', { title: 'One' })
  const bad = { toString: 1, valueOf: 1 }
  const route = `/api/articles/${article}/localizations`
  for (const locale of [bad, [bad], [[]], { id: bad }]) {
    refused(t, await api.post(route, { locale, title: 'Un' }), 400, 'locale is invalid')
    refused(t, await api.post('/api/articles', { data: { locale, title: 'Un' } }), 400, 'locale')
  }
  refused(t, await api.post(route, { locale: 'fr', title: bad }), 400, 'title')
  refused(t, await api.post(route, { locale: 'fr', title: 'Un', publishedAt: bad }), 400, 'timestamp')
  refused(t, await api.post(route, { locale: 'fr', title: 'Un', readingMinutes: [bad] }), 400, 'readingMinutes')
  for (const localizations of [bad, [bad], [[bad]], { set: [bad] }, { connect: [{ id: bad }] }, { set: bad }, true]) {
    const { status, text, body } = await api.post('/api/articles', {
      data: { title: 'Un', locale: 'fr', localizations },
    })
    t.ok(status === 200 || status === 400, JSON.stringify(localizations), { text })
    if (status === 200) await api.delete(`/api/articles/${(body.data as Entry).id}`)
  }
  const [alone] = await api.list(`/api/articles?filters[id]=${article}&populate=localizations`)
  t.same((alone!.attributes.localizations as { data: unknown[] }).data, [], 'none of them was taken for a translation')
  const made = await api.post(route, { locale: 'fr', title: 'Un', localizations: bad })
  t.equal(made.status, 200, 'the route says whose translation it is')
  for (const query of [
    'locale[toString]=1',
    'publicationState[valueOf]=1',
    'pagination[page][toString]=1',
    'pagination[withCount][toString]=1',
    'sort[0][toString]=1',
    'fields[0][toString]=1',
    'filters[id][$in][0][toString]=1',
    'filters[title][$null][0][toString]=1',
    'populate[seo][count][toString]=1',
    '_q[toString]=1',
  ])
    refused(t, await api.get(`/api/articles?${query}`), 400)
})
