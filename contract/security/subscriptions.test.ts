/**
 * Subscriptions of GraphQL (security.md row 74 and CVE-2026-30241): which subscriber receives what. Rights, rules, drafts and locales
 * hold for each event as for the query that it asks, and they are checked when the event is sent.
 */

import { tokensOf } from '@plinth/api-tokens'
import t, { type Test } from 'tap'
import { connect, eventually, listen, pause } from '../../packages/graphql-subscriptions/test/fixtures/subscriber.ts'
import { client } from '../boot.ts'
import { action, reads, startMembers, userUid } from './members.ts'

interface Options {
  readonly permissions?: Readonly<Record<string, readonly string[]>>
  readonly rules?: Readonly<Record<string, readonly object[]>>
}

async function start(t: Test, options: Options) {
  const members = await startMembers(t, {
    ...options,
    plugins: { graphql: true, 'graphql-subscriptions': true, i18n: { config: { locales: ['en', 'fr'] } } },
  })
  const url = await listen(members.app)
  const tokenOf = async (name: string): Promise<string> => {
    const body = { identifier: name, password: `${name}-secret` }
    return JSON.parse((await client(members.app).post('/api/auth/local', body)).text).jwt
  }
  /** A connection with the rights of a user. */
  const as = async (name: string) => connect(t, url, { Authorization: `Bearer ${await tokenOf(name)}` })
  return { ...members, url, tokenOf, as, anonymous: () => connect(t, url) }
}

type Events = readonly {
  readonly data: Readonly<Record<string, { readonly action: string; readonly id: string } | null>>
}[]

/** What was received, in short. */
const summary = (events: Events) =>
  events.map(({ data }) => Object.values(data).map(one => (one === null ? 'null' : `${one.action} ${one.id}`))[0])

t.test('security.md row 74: who may not read a type receives none of its changes', async t => {
  const { of, user, as, anonymous } = await start(t, {
    permissions: { public: reads('tag'), member: reads('product') },
  })
  await user('ann', 'member')
  const forbidden = [{ message: 'Forbidden access', extensions: { code: 'FORBIDDEN' } }]
  const [nobody, ann] = [await anonymous(), await as('ann')]
  t.match((await nobody.subscribe('subscription { productsChanged { id } }')).error, forbidden)
  t.match((await nobody.subscribe('subscription { productChanged(id: 1) { id } }')).error, forbidden)
  const tags = await nobody.subscribe('subscription { tagsChanged { action id } }')
  const products = await ann.subscribe(
    'subscription { productsChanged { action id data { attributes { name reviews { data { id } } } } } }',
  )
  await of('product').create({ data: { name: 'Lamp', price: 1 } })
  await of('tag').create({ data: { label: 'a' } })
  await tags.until(1)
  await products.until(1)
  t.same(summary(tags.events), ['CREATE 1'])
  t.match(products.events, [
    {
      errors: [{ message: 'Forbidden access' }],
      data: { productsChanged: { data: { attributes: { reviews: null } } } },
    },
  ])
})

t.test('security.md row 74: rules of rows and of fields hide what they hide in a query', async t => {
  const { of, user, as } = await start(t, {
    permissions: { member: reads('product'), seller: reads('product') },
    rules: {
      member: [
        { action: action('product', 'find'), where: { isDigital: false }, fields: ['stock'] },
        { action: action('product', 'findOne'), where: { isDigital: false }, fields: ['stock'] },
      ],
    },
  })
  await user('ann', 'member')
  await user('sam', 'seller')
  const [ann, sam] = [await as('ann'), await as('sam')]
  const query = 'subscription { productsChanged { action id data { attributes { name } } } }'
  const [hers, his] = [await ann.subscribe(query), await sam.subscribe(query)]
  const one = await ann.subscribe('subscription { productChanged(id: 2) { action id } }')
  const stock = await ann.subscribe('subscription { productsChanged { action id data { attributes { stock } } } }')
  const filtered = await ann.subscribe('subscription { productsChanged(filters: { stock: { gt: 1 } }) { id } }')
  await of('product').create({ data: { name: 'Lamp', price: 1, stock: 7 } })
  await of('product').create({ data: { name: 'Code', price: 1, isDigital: true } })
  await of('product').update(2, { data: { name: 'Key' } })
  await his.until(3)
  await of('product').delete(1)
  await of('product').delete(2)
  await his.until(5)
  await pause()
  t.same(summary(his.events), ['CREATE 1', 'CREATE 2', 'UPDATE 2', 'DELETE 1', 'DELETE 2'])
  t.same(summary(hers.events), ['CREATE 1'], 'nor does she receive deletions, which rules cannot check any more')
  t.same(summary(one.events), [])
  t.notOk(JSON.stringify(stock.events).includes('7'), 'the attribute is hidden')
  t.match(stock.events[0]?.errors, [{ message: 'Forbidden access' }])
  t.not(filtered.error, null, 'nor can it be asked about')
  t.same(filtered.events, [])
})

t.test('security.md row 74: a rule about the caller separates callers of one role', async t => {
  const { of, user, as } = await start(t, {
    permissions: { member: reads('order') },
    rules: { member: [{ action: action('order', 'find'), where: { reference: '$user.username' } }] },
  })
  await user('ann', 'member')
  await user('bob', 'member')
  const query = 'subscription { ordersChanged { action id data { attributes { reference } } } }'
  const [ann, bob] = await Promise.all([as('ann'), as('bob')])
  const [hers, his] = [await ann.subscribe(query), await bob.subscribe(query)]
  await of('order').create({ data: { reference: 'ann' } })
  await of('order').create({ data: { reference: 'bob' } })
  await hers.until(1)
  await his.until(1)
  await pause()
  t.same(summary(hers.events), ['CREATE 1'])
  t.same(summary(his.events), ['CREATE 2'])
})

t.test('security.md row 74: drafts and locales are those of a query', async t => {
  const { of, anonymous } = await start(t, {
    permissions: { public: [...reads('category'), ...reads('article'), ...reads('landing-page')] },
  })
  const { subscribe } = await anonymous()
  const publishedAt = '2024-01-01T00:00:00.000Z'
  const live = await subscribe('subscription { articlesChanged { action id } }')
  const preview = await subscribe('subscription { articlesChanged(publicationState: PREVIEW) { action id } }')
  await of('article').create({ data: { title: 'draft', publishedAt: null } })
  await preview.until(1)
  await of('article').delete(1)
  await of('article').create({ data: { title: 'published', publishedAt } })
  await preview.until(3)
  // An entry that is gone before it is read for a subscriber is not created for it.
  await live.until(1)
  await of('article').delete(2)
  await preview.until(4)
  await live.until(2)
  await pause()
  t.same(summary(preview.events), ['CREATE 1', 'DELETE 1', 'CREATE 2', 'DELETE 2'])
  t.same(summary(live.events), ['CREATE 2', 'DELETE 2'])

  const english = await subscribe('subscription { landingPagesChanged { action id } }')
  const french = await subscribe('subscription { landingPagesChanged(locale: "fr") { action id } }')
  const every = await subscribe('subscription { landingPagesChanged(locale: "all") { action id } }')
  await of('landing-page').create({ data: { heading: 'Hello' } })
  await of('landing-page').create({ data: { heading: 'Bonjour', locale: 'fr' } as never })
  await every.until(2)
  await english.until(1)
  await french.until(1)
  await of('landing-page').delete(1)
  await of('landing-page').delete(2)
  await every.until(4)
  await pause()
  t.same(summary(every.events), ['CREATE 1', 'CREATE 2', 'DELETE 1', 'DELETE 2'])
  t.same(summary(english.events), ['CREATE 1', 'DELETE 1'])
  t.same(summary(french.events), ['CREATE 2', 'DELETE 2'])
  const unknown = await subscribe('subscription { landingPagesChanged(locale: "xx") { id } }')
  t.match(unknown.error, [{ message: /Unknown locale supplied/ }])
})

t.test('security.md row 74: a blocked user and a revoked token receive nothing more', async t => {
  const { kernel, of, user, as, url, tokenOf } = await start(t, { permissions: { member: reads('tag') } })
  const ann = await user('ann', 'member')
  await user('bob', 'member')
  const { accessKey, id } = await tokensOf(kernel).create({ name: 'reader', type: 'read-only' })
  const query = 'subscription { tagsChanged { action id } }'
  const connections = [
    await as('ann'),
    await connect(t, url, { authorization: `Bearer ${accessKey}` }),
    await connect(t, url, { headers: { Authorization: `Bearer ${await tokenOf('bob')}` } }),
  ]
  const [hers, token, his] = await Promise.all(connections.map(one => one.subscribe(query)))
  await of('tag').create({ data: { label: 'a' } })
  for (const one of [hers!, token!, his!]) {
    await one.until(1)
    t.same(summary(one.events), ['CREATE 1'])
  }
  await of(userUid).update(ann.id, { data: { blocked: true } })
  await tokensOf(kernel).revoke(id)
  await of('tag').create({ data: { label: 'b' } })
  await his!.until(2)
  await hers!.until(2)
  await token!.until(2)
  t.same([summary(hers!.events), summary(token!.events)], [['CREATE 1'], ['CREATE 1']])
  t.type(hers!.error, Array, 'the subscription has ended with an error')
  t.type(token!.error, Array)
  t.equal(his!.error, null)
})

t.test('security.md row 74: a subscription whose credentials end, ends also if nothing changes', async t => {
  const { of, user, as } = await start(t, { permissions: { member: reads('tag') } })
  const ann = await user('ann', 'member')
  const received = await (await as('ann')).subscribe('subscription { tagsChanged { action id } }')
  await of(userUid).update(ann.id, { data: { blocked: true } })
  const began = performance.now()
  await eventually(() => received.error !== null, 'an error')
  t.ok(performance.now() - began < 5200, 'within five seconds')
})

t.test('security.md row 74: so do those whose credentials another process ends', async t => {
  const { kernel, user, as, url } = await start(t, { permissions: { member: reads('tag') } })
  const ann = await user('ann', 'member')
  const { accessKey, id } = await tokensOf(kernel).create({ name: 'reader', type: 'read-only' })
  const query = 'subscription { tagsChanged { action id } }'
  const hers = await (await as('ann')).subscribe(query)
  const token = await (await connect(t, url, { authorization: `Bearer ${accessKey}` })).subscribe(query)
  // Past this process, which does not forget what it has read.
  const began = performance.now()
  await kernel.knex('up_users').where({ id: ann.id }).update({ blocked: true })
  await kernel.knex('strapi_api_tokens').where({ id }).delete()
  await eventually(() => hers.error !== null && token.error !== null, 'two errors')
  t.ok(performance.now() - began < 5200, 'within five seconds')
})

t.test('security.md row 74: a right that is taken away ends its subscription', async t => {
  const { of, user, as } = await start(t, {
    permissions: { member: [...reads('tag'), ...reads('product')], other: reads('product') },
  })
  const ann = await user('ann', 'member')
  const { subscribe } = await as('ann')
  const tags = await subscribe('subscription { tagsChanged { action id } }')
  const products = await subscribe('subscription { productsChanged { action id } }')
  const [role] = await of('plugin::users-permissions.role').findMany({ filters: { type: 'other' } })
  await of(userUid).update(ann.id, { data: { role: role!.id } })
  await of('tag').create({ data: { label: 'a' } })
  await of('product').create({ data: { name: 'Lamp', price: 1 } })
  await tags.until(1)
  await products.until(1)
  t.match(tags.error, [{ message: 'Forbidden access' }])
  t.same(tags.events, [])
  t.same(summary(products.events), ['CREATE 1'], 'the others go on')
})

t.test('security.md row 74: wrong credentials, and two of them, are refused', async t => {
  const { bare } = await import('../../packages/graphql-subscriptions/test/fixtures/subscriber.ts')
  const { url, user, tokenOf } = await start(t, { permissions: { member: reads('tag') } })
  await user('ann', 'member')
  const token = `Bearer ${await tokenOf('ann')}`
  const closedBy = async (payload: object, headers: object = {}) => {
    const socket = await bare(t, url, { headers })
    socket.send({ type: 'connection_init', payload })
    await eventually(() => socket.messages.length > 0 || socket.socket.readyState > 1, 'an answer')
    return socket.messages.length > 0 ? 'accepted' : (await socket.closed()).code
  }
  t.equal(await closedBy({ Authorization: 'Bearer wrong' }), 4403)
  t.equal(await closedBy({ Authorization: token }, { authorization: 'Bearer other' }), 4403)
  t.equal(await closedBy({ Authorization: token, headers: { authorization: 'Bearer other' } }), 4403)
  t.equal(await closedBy({ Authorization: token }, { authorization: token }), 'accepted')
  t.equal(await closedBy({}, { authorization: token }), 'accepted', 'the header of the upgrade request')
  t.equal(await closedBy({}, { authorization: 'Bearer wrong' }), 4403)
})
