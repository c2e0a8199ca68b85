/**
 * GraphQL (security.md rows 9, 12 and 78): selections and filters pass the same checks of rights as REST, also below what
 * resolvers of an application return.
 */

import { definePlugin } from '@plinth/kernel'
import t from 'tap'
import { client } from '../boot.ts'
import type { GraphqlAnswer } from './graphql-answer.ts'
import { action, reads, startMembers } from './members.ts'

t.test('one gate', async t => {
  const { app, of } = await startMembers(t, {
    permissions: { public: [...reads('article'), ...reads('tag'), action('tag', 'create')] },
    plugins: { graphql: true },
  })
  await of('person').create({ data: { fullName: 'Ann', secret: 'topsecret', internalNotes: 'hidden' } })
  const tag = await of('tag').create({ data: { label: 'a' } })
  await of('article').create({ data: { title: 'Public', author: 1, tags: [tag.id], publishedAt: new Date() } })
  await of('article').create({ data: { title: 'Draft', tags: [tag.id], publishedAt: null } })
  const ask = async (query: string) => JSON.parse((await client(app).post('/graphql', { query })).text) as GraphqlAnswer

  t.test('security.md row 9: filters through relations that the caller may not read', async t => {
    for (const filters of [
      '{ author: { fullName: { startsWith: "A" } } }',
      '{ not: { author: { fullName: { eq: "B" } } } }',
      '{ or: [{ author: { secret: { notNull: true } } }] }',
    ]) {
      const body = await ask(`{ articles(filters: ${filters}) { data { id } } }`)
      t.match(
        body,
        { data: { articles: null }, errors: [{ extensions: { code: /BAD_USER_INPUT|FORBIDDEN/ } }] },
        filters,
      )
    }
    const nested = await ask(
      '{ tags { data { attributes { articles(filters: { author: { fullName: { eq: "A" } } }) { data { id } } } } } }',
    )
    t.match(nested, { data: { tags: { data: [{ attributes: { articles: null } }] } }, errors: [{}] })
    t.match(await ask('{ people { data { id } } }'), {
      data: { people: null },
      errors: [{ extensions: { code: 'FORBIDDEN' } }],
    })
    t.match(await ask('{ articles { data { attributes { author { data { id } } } } } }'), {
      errors: [{ extensions: { code: 'FORBIDDEN' } }],
    })
  })

  t.test('security.md row 12: drafts through nesting and filters', async t => {
    const nested = await ask('{ tags { data { attributes { articles { data { attributes { title } } } } } } }')
    t.notMatch(JSON.stringify(nested), /Draft/)
    t.match(JSON.stringify(nested), /Public/)
    const filtered = await ask('{ tags(filters: { articles: { title: { eq: "Draft" } } }) { data { id } } }')
    t.same(filtered.data, { tags: { data: [] } })
  })
})

/** Opens some fields without any right, and a query that returns an entry by its id alone. */
const opening = definePlugin({
  name: 'opening',
  dependencies: ['graphql'],
  register({ kernel }) {
    kernel
      .plugin('graphql')
      .service('extension')
      .use({
        typeDefs: 'extend type Query { opened: ArticleEntityResponse }',
        resolvers: { Query: { opened: () => ({ value: { id: 1 } }) } },
        resolversConfig: {
          'Query.opened': { auth: false },
          'Query.articles': { auth: false },
          'Article.tags': { auth: false },
        },
      })
  },
})

t.test('security.md row 78: what a resolver without a right leads to', async t => {
  const { app, of } = await startMembers(t, {
    permissions: { public: [] },
    plugins: { graphql: true, opening: { plugin: opening } },
  })
  await of('person').create({ data: { fullName: 'Ann' } })
  const tag = await of('tag').create({ data: { label: 'a' } })
  await of('article').create({ data: { title: 'Public', author: 1, tags: [tag.id], publishedAt: new Date() } })
  await of('article').create({ data: { title: 'Draft', author: 1, publishedAt: null } })
  /** The answer to an operation, which is the same each time. */
  const ask = async (query: string) => {
    const answers: GraphqlAnswer[] = []
    for (let i = 0; i < 3; i++) answers.push(JSON.parse((await client(app).post('/graphql', { query })).text))
    t.same(answers[1], answers[0], query)
    t.same(answers[2], answers[0], query)
    return answers[0]!
  }
  const forbidden = { message: 'Forbidden access', extensions: { code: 'FORBIDDEN' } }

  const below =
    'author { data { attributes { fullName } } } tags { data { attributes { label articles { data { id } } } } }'
  const tags = { data: [{ attributes: { label: 'a', articles: null } }] }
  const list = await ask(`{ articles { data { attributes { title ${below} } } } }`)
  t.same(list.data, { articles: { data: [{ attributes: { title: 'Public', author: null, tags } }] } })
  t.match(list.errors, [forbidden, forbidden], 'the author, and the articles of the tag')
  t.equal(list.errors?.length, 2)

  const opened = await ask(`{ opened { data { attributes { ${below} } } } }`)
  t.same(opened.data, { opened: { data: { attributes: { author: null, tags } } } }, 'below code of an application, too')
  t.equal(opened.errors?.length, 2)

  const filtered = await ask('{ articles(filters: { author: { fullName: { startsWith: "A" } } }) { data { id } } }')
  t.match(filtered, { data: { articles: null }, errors: [{ extensions: { code: /BAD_USER_INPUT|FORBIDDEN/ } }] })
  for (const field of ['people', 'tags', 'article(id: 1)']) {
    const { data, errors } = await ask(`{ ${field} { data { id } } }`)
    t.same(Object.values(data ?? {}), [null], `${field}: another field of the root`)
    t.match(errors, [forbidden])
  }
  t.match(await ask('mutation { createArticle(data: { title: "Mine" }) { data { id } } }'), { errors: [forbidden] })
  t.equal((await client(app).get('/api/articles')).status, 403, 'nor does it open REST')
})
