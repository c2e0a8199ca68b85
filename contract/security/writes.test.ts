/** Writes and mass assignment (security.md B4), as far as they need no accounts. */
import t from 'tap'
import { boot, client, type Entry } from '../boot.ts'
import { refused } from './refusal.ts'

t.test('writes', async t => {
  const api = client(await boot(t))
  await api.create('tags', { label: 'One' })
  await api.create('articles', { title: 'One' })

  t.test('row 50: what the service sets cannot be sent', async t => {
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

  t.test('row 52: a component of another entry', async t => {
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

  t.test('row 53: a component that the zone does not list', async t => {
    const blocks = [{ __component: 'shared.link', label: 'x' }]
    refused(t, await api.post('/api/articles', { data: { title: 'Two', blocks } }), 400, 'blocks')
    refused(t, await api.put('/api/articles/1', { data: { blocks } }), 400, 'blocks')
    for (const name of ['api::tag.tag', '__proto__', 'toString', '', null, 5, {}]) {
      refused(t, await api.put('/api/articles/1', { data: { blocks: [{ __component: name }] } }), 400, 'blocks')
    }
    const [article] = await api.list('/api/articles?populate=blocks&filters[id]=1')
    t.same(article?.attributes.blocks, [])
  })

  t.test('row 55: one unique value, many at once', async t => {
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

  t.test('bad values are refused with their place, never 5xx', async t => {
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
