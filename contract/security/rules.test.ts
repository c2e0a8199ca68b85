/**
 * What row rules and field rules hide cannot be counted, asked about, linked or changed (security.md rows 10, 11, 14 and
 * 51), over REST.
 */

import { tokensOf } from '@plinth/api-tokens'
import t, { type Test } from 'tap'
import { client, type Entry } from '../boot.ts'
import { action, all, type Members, reads, startMembers, userUid } from './members.ts'
import { refused } from './refusal.ts'

const types = ['article', 'category', 'landing-page', 'person', 'product', 'review', 'site-setting', 'tag']

/** Members see people and products that are not hidden, and neither e-mails of people nor stocks of products. */
const rules = {
  member: [
    { action: action('person', 'find'), where: { fullName: { $notContains: 'Hidden' } }, fields: ['email', 'bio'] },
    { action: action('product', 'find'), where: { isDigital: false }, fields: ['stock', 'variants'] },
    { action: action('order', '*'), where: { customer: { id: '$user.id' } } },
    { action: `${userUid}.find`, where: { username: { $ne: 'bobby' } }, fields: ['provider'] },
  ],
}
const permissions = {
  member: [...types.map(all), all('order'), `${userUid}.me`, `${userUid}.update`, `${userUid}.find`],
}

async function fill({ of }: Members): Promise<void> {
  await of('person').create({ data: { fullName: 'Ann', email: 'ann@people.test', bio: 'zebra' } })
  await of('person').create({ data: { fullName: 'Hidden Hans', email: 'hans@people.test' } })
  await of('product').create({ data: { name: 'Lamp', price: 1, stock: 7, variants: [{ name: 'Red', sku: 'RED-1' }] } })
  await of('product').create({ data: { name: 'Hidden code', price: 1, isDigital: true } })
  const spotlight = { __component: 'blocks.spotlight', heading: 'lit', person: 2, products: [1, 2] }
  await of('article').create({ data: { title: 'Of somebody', author: 2, coAuthors: [1, 2], blocks: [spotlight] } })
  await of('article').create({ data: { title: 'Of Ann', author: 1 } })
  await of('review').create({ data: { headline: 'Bad', stars: 1, product: 2 } })
  await of('order').create({ data: { reference: 'MINE', customer: 1, lines: [{ quantity: 1, product: 2 }] } })
  await of('order').create({ data: { reference: 'THEIRS', customer: 2, lines: [{ quantity: 1, product: 1 }] } })
}

async function start(t: Test) {
  const members = await startMembers(t, { permissions, rules })
  await members.user('ann', 'member')
  await members.user('bob', 'member')
  await fill(members)
  return { ...members, api: await members.logIn('ann') }
}

const leaked = /Hans|hans@|Hidden|THEIRS|zebra|RED-1|ann@people/

t.test('rules over REST', async t => {
  const { app, api, of, kernel } = await start(t)

  await t.test('security.md row 11: totals count only what is visible', async t => {
    const totals: readonly [string, number][] = [
      ['people', 1],
      ['people?filters[fullName][$notNull]=true', 1],
      ['people?filters[$not][fullName]=Ann', 0],
      ['people?filters[fullName][$contains]=Hidden', 0],
      ['people?filters[id]=2', 0],
      ['people?pagination[start]=0&pagination[limit]=1', 1],
      ['people?pagination[pageSize]=1&pagination[page]=2', 1],
      ['people?_q=Hans', 0],
      ['people?_q=people.test', 0],
      ['products', 1],
      ['orders', 1],
      ['orders?filters[$or][0][reference]=THEIRS&filters[$or][1][reference]=MINE', 1],
      ['orders?filters[lines][product][name]=Hidden code', 0],
      ['articles?filters[author][fullName][$contains]=Hidden', 0],
      ['articles?filters[author][id]=2', 0],
      ['articles?filters[coAuthors][id]=2', 0],
      ['articles?filters[author][id][$notNull]=true', 1],
      ['reviews?filters[product][isDigital]=true', 0],
      ['reviews?filters[product][id][$notNull]=true', 0],
    ]
    for (const [path, total] of totals) {
      const { status, body, text } = await api.get(`/api/${path}`)
      t.equal(status, 200, path)
      const { pagination } = body.meta!
      t.equal(pagination!.total, total, path)
      t.notMatch(text, leaked, path)
    }
    for (const [path, count] of [
      ['articles?populate[coAuthors][count]=true', 1],
      ['products?populate[reviews][count]=true', 0],
    ] as const)
      t.match((await api.get(`/api/${path}`)).text, new RegExp(`"count":${count}\\b`), path)
  })

  await t.test('security.md row 10: nor is anything counted by an attribute that a rule hides', async t => {
    for (const url of [
      'people?filters[email][$startsWith]=a',
      'people?filters[$or][0][bio][$notNull]=true',
      'people?sort=email',
      'people?fields=email',
      'articles?filters[author][email][$startsWith]=a',
      'articles?sort=author.email',
      'articles?populate[author][filters][email]=a',
      'articles?populate[author][sort]=email',
      'articles?populate[author][fields]=email',
      'products?filters[variants][sku]=RED-1',
      'products?filters[stock][$gt]=5',
      'products?sort=variants.sku',
      'products?populate[related][filters][stock][$gt]=5',
      'orders?filters[lines][product][stock]=7',
      'users?filters[provider]=local',
    ])
      refused(t, await api.get(`/api/${url}`), 400, /Invalid parameter (email|bio|variants|stock|provider)/)
  })

  await t.test('CVE-2023-37263: a field rule holds wherever a relation shows the entry', async t => {
    for (const url of [
      'people?populate=*',
      'people/1?populate=*',
      'articles?populate[author]=*&populate[coAuthors]=*',
      'articles?populate[blocks][populate]=*',
      'articles?populate[blocks][on][blocks.spotlight][populate][person]=*',
      'articles?populate[blocks][on][blocks.spotlight][populate][products][populate]=*' +
        '&populate[blocks][on][blocks.spotlight][populate][products][limit]=5',
      'orders?populate[lines][populate][product][populate]=variants',
      'tags?populate[articles][populate][author]=*',
    ]) {
      const { status, text } = await api.get(`/api/${url}`)
      t.equal(status, 200, url)
      t.notMatch(text, leaked, url)
      t.notMatch(text, /"stock"|"email":"|"variants"|"provider"/, url)
    }
    t.match((await api.get('/api/articles?populate=author')).text, /"fullName":"Ann"/)
  })

  await t.test('CVE-2023-37263: also in what a write answers', async t => {
    const changed = await api.put('/api/people/1?populate=*', { data: { bornOn: '1990-01-01' } })
    t.equal(changed.status, 200)
    t.notMatch(changed.text, leaked)
    const other = await api.put('/api/users/2', { username: 'bobby' })
    t.equal(other.status, 200)
    t.notMatch(other.text, /"provider"/, 'of another user, too')
    for (const path of ['users', 'users/1', 'users/me', 'users/me?fields[0]=username'])
      t.notMatch((await api.get(`/api/${path}`)).text, /"provider"/, path)
    refused(t, await api.get('/api/users/me?fields[0]=provider'), 400, 'provider')
    await of(userUid).update(2, { data: { username: 'bob' } })
  })

  await t.test('security.md row 14: what a rule hides is answered as what does not exist', async t => {
    for (const path of ['people', 'products', 'orders']) {
      const [hidden, missing] = [await api.get(`/api/${path}/2`), await api.get(`/api/${path}/999`)]
      refused(t, hidden, 404)
      t.equal(hidden.text, missing.text, path)
    }
    const changes = [await api.put('/api/orders/2', { data: { note: 'x' } }), await api.delete('/api/orders/2')]
    for (const one of changes) refused(t, one, 404)
    t.match(await of('order').findOne(2), { reference: 'THEIRS', note: null })
  })

  await t.test('security.md row 51: what is hidden is never linked', async t => {
    const values: readonly unknown[] = [
      2,
      '2',
      [2],
      { id: 2 },
      [{ id: 2 }],
      { connect: [2] },
      { connect: [{ id: 2 }] },
      { connect: [{ id: 2, position: { end: true } }] },
      { set: [2] },
      { set: [{ id: 2 }] },
      { connect: [1, 2] },
      { connect: [{ id: 2 }], disconnect: [{ id: 1 }] },
    ]
    const linked = async () => {
      const populate = { author: true, coAuthors: true, blocks: { populate: '*' }, seo: true } as never
      const found = await of('article').findMany({ filters: { title: { $startsWith: 'Try' } }, populate })
      return JSON.stringify(found)
    }
    const missing = (uid: string) => `1 relation(s) of type ${uid} associated with this entity do not exist`
    for (const value of values) {
      for (const data of [
        { author: value },
        { coAuthors: value },
        { blocks: [{ __component: 'blocks.spotlight', person: value }] },
        { blocks: [{ __component: 'blocks.spotlight', products: value }] },
      ]) {
        const answer = await api.post('/api/articles', { data: { title: 'Try', ...data } })
        const text = JSON.stringify(data)
        t.ok([200, 400].includes(answer.status), text)
        if (answer.status === 400) refused(t, answer, 400)
      }
      t.notMatch(await linked(), /Hidden/, JSON.stringify(value))
    }
    refused(t, await api.post('/api/articles', { data: { title: 'x', author: 2 } }), 400, missing('api::person.person'))
    const absent = await api.post('/api/articles', { data: { title: 'x', author: 999 } })
    refused(t, absent, 400, missing('api::person.person'))
    const order = { reference: 'NEW', customer: 1, lines: [{ quantity: 1, product: 2 }] }
    refused(t, await api.post('/api/orders', { data: order }), 400, missing('api::product.product'))
    refused(t, await api.put('/api/orders/1', { data: { customer: 2 } }), 403)
    t.match(await of('order').findOne(1, { populate: 'customer' }), { customer: { id: 1 } })
  })

  await t.test('security.md row 51: a hidden entry is not taken from its owner by the other side', async t => {
    // Orders of others are hidden; the relation of people to articles is seen from both sides.
    const { status } = await api.put('/api/people/1', { data: { articles: [1, 2] } })
    t.equal(status, 200, 'articles are visible')
    const before = await of('review').findOne(1, { populate: 'product' })
    const taken = await api.put('/api/products/1', { data: { related: [2] } })
    refused(t, taken, 400)
    t.same(await of('review').findOne(1, { populate: 'product' }), before)
    for (const data of [{ partner: 2 }, { partner: { connect: [2] } }])
      refused(t, await api.put('/api/people/1', { data }), 400)
    t.match(await of('person').findOne(2, { populate: 'partner' }), { partner: null })
  })

  await t.test('CVE-2026-25574: the id of a token is not the id of a user', async t => {
    const { accessKey, id } = await tokensOf(kernel).create({
      name: 'one',
      type: 'custom',
      permissions: [`${userUid}.me`],
    })
    t.equal(id, 1, 'ann has this id, too')
    const token = client(app, { authorization: `Bearer ${accessKey}` })
    refused(t, await token.get('/api/users/me'), 401)
  })
})

t.test('security.md row 51: links to types that the caller may not find are dropped', async t => {
  const members = await startMembers(t, {
    permissions: { writer: [...reads('article'), action('article', 'create'), action('article', 'update')] },
  })
  const { of } = members
  const api = await members.as('writer')
  await of('person').create({ data: { fullName: 'Ann' } })
  await of('product').create({ data: { name: 'Lamp', price: 1 } })
  const everything = { author: true, coAuthors: true, tags: true, blocks: { populate: '*' } } as never
  for (const value of [1, [1], { connect: [{ id: 1 }] }, { set: [1] }]) {
    const blocks = [{ __component: 'blocks.spotlight', person: value, products: value }]
    const made = await api.post('/api/articles?populate=*', {
      data: { title: 'x', author: value, coAuthors: value, blocks },
    })
    t.equal(made.status, 200)
    t.notMatch(made.text, /Ann|Lamp/)
    const id = (made.body.data as Entry).id
    const stored = { author: null, coAuthors: [], blocks: [{ person: null, products: [] }] }
    t.match(await of('article').findOne(id, { populate: everything }), stored, JSON.stringify(value))
  }
  await of('article').update(1, { data: { author: 1 } })
  for (const value of [null, [], { disconnect: [1] }, { set: [] }]) {
    t.equal((await api.put('/api/articles/1', { data: { author: value } })).status, 200)
    t.match(await of('article').findOne(1, { populate: 'author' }), { author: { id: 1 } }, 'nor are they undone')
  }
})

t.test('security.md row 14: a translation of a hidden entry is refused like one of a missing entry', async t => {
  const landing = 'api::landing-page.landing-page'
  const { of, as } = await startMembers(t, {
    plugins: { i18n: { config: { locales: ['en', 'de'] } } },
    permissions: { translator: [action('landing-page', 'find'), `${landing}.createLocalization`] },
    rules: { translator: [{ action: action('landing-page', 'find'), where: { heading: { $ne: 'Hidden' } } }] },
  })
  for (const heading of ['Open', 'Hidden']) await of('landing-page').create({ data: { heading } })
  const api = await as('translator')
  const answers = []
  for (const id of [2, 99]) {
    const { status, text } = await api.post(`/api/landing-pages/${id}/localizations`, { locale: 'de', heading: 'Neu' })
    answers.push({ status, text })
  }
  t.equal(answers[0]!.status, 404)
  t.same(answers[0], answers[1], 'byte by byte')
  t.equal((await api.post('/api/landing-pages/1/localizations', { locale: 'de', heading: 'Neu' })).status, 200)
  t.equal(await of('landing-page').count({ locale: 'all', publicationState: 'preview' } as never), 3)
})
