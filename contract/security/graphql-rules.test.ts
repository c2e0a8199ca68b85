/**
 * What row rules and field rules hide cannot be counted, asked about, linked or changed (security.md rows 10, 11, 14 and
 * 51), over GraphQL. rules.test.ts asks the same of REST.
 */

import t, { type Test } from 'tap'
import type { GraphqlAnswer } from './graphql-answer.ts'
import { action, all, type Members, startMembers, userUid } from './members.ts'

const types = ['article', 'category', 'person', 'product', 'review', 'tag']

/** Members see people and products that are not hidden, and neither e-mails of people nor stocks of products. */
const rules = {
  member: [
    { action: action('person', 'find'), where: { fullName: { $notContains: 'Hidden' } }, fields: ['email', 'bio'] },
    { action: action('person', 'create'), where: { fullName: { $notContains: 'Hidden' } }, fields: ['bio'] },
    {
      action: action('person', 'update'),
      where: { bornOn: { $null: true } },
      check: { fullName: { $ne: 'Taken' } },
      fields: ['bio'],
    },
    { action: action('product', 'find'), where: { isDigital: false }, fields: ['stock', 'variants'] },
    { action: action('order', '*'), where: { customer: { id: '$user.id' } } },
    { action: `${userUid}.find`, where: { username: { $ne: 'bobby' } }, fields: ['provider'] },
  ],
}
const permissions = {
  member: [...types.map(all), all('order'), `${userUid}.me`, `${userUid}.find`, `${userUid}.findOne`],
}

async function fill({ of }: Members): Promise<void> {
  await of('person').create({ data: { fullName: 'Ann', email: 'ann@people.test', bio: 'zebra' } })
  await of('person').create({ data: { fullName: 'Hidden Hans', email: 'hans@people.test', bornOn: '1980-01-01' } })
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
  const members = await startMembers(t, { permissions, rules, plugins: { graphql: true } })
  await members.user('ann', 'member')
  await members.user('bob', 'member')
  await fill(members)
  const api = await members.logIn('ann')
  const ask = async (query: string) => {
    const { status, text } = await api.post('/graphql', { query })
    return { status, text, body: JSON.parse(text) as GraphqlAnswer }
  }
  return { ...members, ask }
}

const leaked = /Hans|hans@|Hidden|THEIRS|zebra|RED-1|ann@people/

/** Articles that GraphQL makes are drafts. */
const drafts = { publicationState: 'preview' } as object

const forbidden = { message: 'Forbidden access', extensions: { code: 'FORBIDDEN' } }

t.test('rules over GraphQL', async t => {
  const { ask, of } = await start(t)

  await t.test('security.md row 11: lists, totals and nested lists have only what is visible', async t => {
    const totals: readonly [string, number][] = [
      ['people', 1],
      ['people(filters: { fullName: { contains: "Hidden" } })', 0],
      ['people(filters: { not: { fullName: { eq: "Ann" } } })', 0],
      ['people(filters: { id: { eq: 2 } })', 0],
      ['people(pagination: { pageSize: 1, page: 2 })', 1],
      ['products', 1],
      ['orders', 1],
      ['orders(filters: { or: [{ reference: { eq: "THEIRS" } }, { reference: { eq: "MINE" } }] })', 1],
      ['orders(filters: { lines: { product: { name: { eq: "Hidden code" } } } })', 0],
      ['articles(filters: { author: { fullName: { contains: "Hidden" } } })', 0],
      ['articles(filters: { author: { id: { notNull: true } } })', 1],
      ['articles(filters: { coAuthors: { id: { eq: 2 } } })', 0],
      ['reviews(filters: { product: { isDigital: { eq: true } } })', 0],
    ]
    for (const [field, total] of totals) {
      const { text, body } = await ask(`{ all: ${field} { data { id } meta { pagination { total } } } }`)
      t.notOk(body.errors, field)
      t.match(body.data, { all: { meta: { pagination: { total } } } }, field)
      t.notMatch(text, leaked, field)
    }
    const { text, body } = await ask(`{
      articles(sort: "id") { data { attributes {
        author { data { id attributes { fullName } } }
        coAuthors { data { id } }
        byName: coAuthors(filters: { fullName: { startsWith: "Hidden" } }) { data { id } }
        blocks { ... on ComponentBlocksSpotlight { person { data { id } } products { data { id } } } }
      } } }
      orders { data { attributes { reference lines { product { data { id } } } } } }
      reviews { data { attributes { product { data { id } } } } }
    }`)
    const nobody = { data: null }
    t.strictSame(body.data, {
      articles: {
        data: [
          {
            attributes: {
              author: nobody,
              coAuthors: { data: [{ id: '1' }] },
              byName: { data: [] },
              blocks: [{ person: nobody, products: { data: [{ id: '1' }] } }],
            },
          },
          {
            attributes: {
              author: { data: { id: '1', attributes: { fullName: 'Ann' } } },
              coAuthors: { data: [] },
              byName: { data: [] },
              blocks: [],
            },
          },
        ],
      },
      orders: { data: [{ attributes: { reference: 'MINE', lines: [{ product: nobody }] } }] },
      reviews: { data: [{ attributes: { product: nobody } }] },
    })
    t.notMatch(text, leaked)
  })

  await t.test('security.md row 10: nothing is asked about an attribute that a rule hides', async t => {
    for (const field of [
      'people(filters: { email: { startsWith: "a" } })',
      'people(filters: { or: [{ bio: { notNull: true } }] })',
      'people(filters: { not: { bio: { null: true } } })',
      'people(sort: "email")',
      'articles(filters: { author: { email: { startsWith: "a" } } })',
      'articles(sort: "author.email")',
      'products(filters: { stock: { gt: 5 } })',
      'products(filters: { variants: { sku: { eq: "RED-1" } } })',
      'orders(filters: { lines: { product: { stock: { eq: 7 } } } })',
      'usersPermissionsUsers(filters: { provider: { eq: "local" } })',
    ]) {
      const { text, body } = await ask(`{ all: ${field} { data { id } } }`)
      t.strictSame(body.data, { all: null }, field)
      t.match(
        body.errors,
        [
          {
            message: /^Invalid parameter (email|bio|variants|stock|provider)$/,
            extensions: { code: 'BAD_USER_INPUT' },
          },
        ],
        field,
      )
      t.notMatch(text, leaked, field)
    }
    const nested = await ask('{ articles { data { attributes { coAuthors(sort: "bio") { data { id } } } } } }')
    t.match(nested.body, {
      data: { articles: { data: [{ attributes: { coAuthors: null } }, { attributes: { coAuthors: null } }] } },
      errors: [{ message: 'Invalid parameter bio' }],
    })
  })

  await t.test('security.md row 10: a hidden attribute that is selected is null, and FORBIDDEN', async t => {
    const shown: readonly [string, object][] = [
      ['{ people { data { attributes { fullName bio } } } }', { people: { data: [{ attributes: { bio: null } }] } }],
      ['{ person(id: 1) { data { attributes { email } } } }', { person: { data: { attributes: { email: null } } } }],
      [
        '{ articles(filters: { title: { eq: "Of Ann" } }) { data { attributes { author { data { attributes { bio } } } } } } }',
        { articles: { data: [{ attributes: { author: { data: { attributes: { bio: null } } } } }] } },
      ],
      [
        '{ products { data { attributes { name stock variants { sku } } } } }',
        { products: { data: [{ attributes: { name: 'Lamp', stock: null, variants: null } }] } },
      ],
      [
        '{ usersPermissionsUser(id: 1) { data { attributes { provider } } } }',
        { usersPermissionsUser: { data: { attributes: { provider: null } } } },
      ],
      [
        'mutation { updatePerson(id: 1, data: { email: "ann@people.test" }) { data { attributes { email fullName } } } }',
        { updatePerson: { data: { attributes: { email: null, fullName: 'Ann' } } } },
      ],
    ]
    for (const [query, data] of shown) {
      const { text, body } = await ask(query)
      t.match(body, { data, errors: [forbidden] }, query)
      t.notMatch(text.replaceAll(query, ''), leaked, query)
    }
  })

  await t.test('security.md row 14: what a rule hides is answered as what does not exist', async t => {
    for (const query of [
      '{ one: person(id: ID) { data { id } } }',
      '{ one: product(id: ID) { data { id } } }',
      '{ one: order(id: ID) { data { id } } }',
      'mutation { one: updateOrder(id: ID, data: { note: "x" }) { data { id } } }',
      'mutation { one: deleteOrder(id: ID) { data { id } } }',
      'mutation { one: updatePerson(id: ID, data: { fullName: "x" }) { data { id } } }',
    ]) {
      const [hidden, missing] = [await ask(query.replace('ID', '2')), await ask(query.replace('ID', '999'))]
      t.match(hidden.body.data, { one: { data: null } }, query)
      t.same([hidden.status, hidden.text], [missing.status, missing.text], query)
    }
    t.match(await of('order').findOne(2), { reference: 'THEIRS', note: null })
    t.match(await of('person').findOne(2), { fullName: 'Hidden Hans' })
  })

  await t.test('security.md row 14: a write that would leave the rule is refused, and nothing is kept', async t => {
    const refusedWrites = [
      'createPerson(data: { fullName: "Hidden Hugo" })',
      'createPerson(data: { fullName: "New", bio: "sent" })',
      'createPerson(data: { fullName: "New", bio: null })',
      'createOrder(data: { reference: "NEW", customer: 2 })',
      'createOrder(data: { reference: "NEW" })',
      'updatePerson(id: 1, data: { fullName: "Taken", email: "taken@people.test" })',
      'updatePerson(id: 1, data: { fullName: "New", bio: "sent" })',
      'updateOrder(id: 1, data: { note: "given away", customer: 2 })',
    ]
    const stored = async () => {
      const people = await of('person').findMany({ populate: '*' })
      return { people, orders: await of('order').findMany({ populate: '*' }) }
    }
    const before = await stored()
    for (const one of refusedWrites) {
      const { body } = await ask(`mutation { one: ${one} { data { id } } }`)
      t.match(body, { data: { one: null }, errors: [forbidden] }, one)
      t.equal(body.errors?.length, 1)
      t.same(await stored(), before, one)
    }
    // Of several mutations of one request, those that are allowed are kept.
    const { body } = await ask(`mutation {
      first: updateOrder(id: 1, data: { note: "mine" }) { data { id } }
      second: updateOrder(id: 1, data: { note: "not mine", customer: 2 }) { data { id } }
    }`)
    t.match(body, { data: { first: { data: { id: '1' } }, second: null }, errors: [forbidden] })
    t.match(await of('order').findOne(1, { populate: 'customer' }), { note: 'mine', customer: { id: 1 } })
  })

  await t.test('security.md row 51: what is hidden is never linked', async t => {
    const spotlight = (of: string) => `blocks: [{ __typename: "ComponentBlocksSpotlight", ${of} }]`
    const articles = await of('article').count(drafts)
    for (const data of ['author: ID', 'coAuthors: [1, ID]', spotlight('person: ID'), spotlight('products: [1, ID]')]) {
      const query = `mutation { createArticle(data: { title: "Try", ${data} }) { data { id } } }`
      const [hidden, missing] = [await ask(query.replace('ID', '2')), await ask(query.replace('ID', '999'))]
      t.match(
        hidden.body,
        { data: { createArticle: null }, errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] },
        data,
      )
      t.match(hidden.body.errors?.[0]?.message, /^1 relation\(s\) of type api::(person|product)\.\1 associated/)
      t.equal(hidden.text, missing.text, `${data}: as what does not exist`)
    }
    t.equal(await of('article').count(drafts), articles)
    for (const one of [
      'updatePerson(id: 1, data: { partner: 2 })',
      'updateProduct(id: 1, data: { related: [2] })',
      'updateOrder(id: 1, data: { lines: [{ quantity: 1, product: 2 }] })',
    ])
      t.match((await ask(`mutation { one: ${one} { data { id } } }`)).body, {
        data: { one: null },
        errors: [{ message: /do not exist$/, extensions: { code: 'BAD_USER_INPUT' } }],
      })
    t.match(await of('person').findOne(2, { populate: 'partner' }), { partner: null })
  })
})

t.test('security.md row 51: links to types that the caller may not find are dropped', async t => {
  const { as, of } = await startMembers(t, {
    permissions: { writer: [all('article')] },
    plugins: { graphql: true },
  })
  await of('person').create({ data: { fullName: 'Ann' } })
  const api = await as('writer')
  const ask = async (query: string) => JSON.parse((await api.post('/graphql', { query })).text) as GraphqlAnswer
  const made = await ask('mutation { createArticle(data: { title: "x", author: 1, coAuthors: [1] }) { data { id } } }')
  t.strictSame(made, { data: { createArticle: { data: { id: '1' } } } })
  const options = { ...drafts, populate: { author: true, coAuthors: true } } as never
  t.match(await of('article').findOne(1, options), { author: null, coAuthors: [] })
  await of('article').update(1, { data: { author: 1, coAuthors: [1] } })
  await ask('mutation { updateArticle(id: 1, data: { author: null, coAuthors: [] }) { data { id } } }')
  t.match(await of('article').findOne(1, options), { author: { id: 1 }, coAuthors: [{ id: 1 }] }, 'nor undone')
})
