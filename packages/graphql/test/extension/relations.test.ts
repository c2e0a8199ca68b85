// Fields with code around them, and relations that are asked for by themselves: once for all entries with the same
// arguments, with the rights of the caller, and with the answer that they have as a part of their parent's question.

import { definePlugin, eq, Type } from '@plinth/kernel'
import t from 'tap'
import type { Middleware } from '../../src/index.ts'
import { bothWays, contentTypes, fill, forbidden, start, thrice, type, uidOf } from '../fixtures/extended.ts'

const pass: Middleware = (next, ...args) => next(...args)

/** Settings that put code around fields, which changes nothing. */
const around = (...fields: string[]) => ({
  resolversConfig: Object.fromEntries(fields.map(field => [field, { middlewares: [pass] }])),
})

const tagsOf =
  '{ articles(sort: "id") { data { attributes { tags(pagination: { limit: 2 }) { data { attributes { label } } } } } } }'
const tags = (...labels: string[]) => ({ tags: { data: labels.map(label => ({ attributes: { label } })) } })

t.test('a middleware changes arguments and results of a relation', t =>
  bothWays(t, async (t, way) => {
    const server = await start(t, {
      way,
      extend: extension =>
        extension.use({
          resolversConfig: {
            'Article.tags': {
              middlewares: [
                async (next, parent, args, context, info) => {
                  const answer = (await next(parent, { ...args, sort: ['rank'] }, context, info)) as {
                    nodes: { label: string }[]
                  }
                  return { ...answer, nodes: answer.nodes.filter(one => one.label !== 'd') }
                },
              ],
            },
          },
        }),
    })
    await fill(server)
    t.same(await thrice(t, server, tagsOf), {
      data: { articles: { data: [1, 2, 3].map(() => ({ attributes: tags('c') })) } },
    })
  }),
)

t.test('a middleware sorts by one key, as a text', t =>
  bothWays(t, async (t, way) => {
    const sorted: Middleware = (next, parent, args, context, info) =>
      next(parent, { ...args, sort: 'rank' }, context, info)
    const server = await start(t, {
      way,
      extend: extension =>
        extension.use({
          resolversConfig: { 'Article.tags': { middlewares: [sorted] }, 'Query.tags': { middlewares: [sorted] } },
        }),
    })
    await fill(server)
    t.same((await thrice(t, server, tagsOf)).data.articles.data[0], { attributes: tags('d', 'c') })
    const list = '{ tags(pagination: { limit: 2 }) { data { attributes { label } } } }'
    t.same(await thrice(t, server, list), { data: tags('d', 'c') })
  }),
)

t.test('one question for all entries with the same arguments', t =>
  bothWays(t, async (t, way) => {
    const plain = await start(t, { way })
    const server = await start(t, {
      way,
      extend: extension =>
        extension.use({
          resolversConfig: {
            'Article.tags': {
              middlewares: [
                (next, parent, args, context, info) => {
                  const limit = (parent as { views: number }).views > 2 ? 1 : 2
                  return next(parent, { ...args, pagination: { limit } }, context, info)
                },
              ],
            },
          },
        }),
    })
    await fill(plain)
    await fill(server)
    const nested = await plain.countStatements(() => plain.send(tagsOf))
    t.ok(nested > 0)
    const { data } = await thrice(t, server, tagsOf)
    t.same(data, {
      articles: { data: [tags('a', 'b'), tags('a', 'b'), tags('a')].map(attributes => ({ attributes })) },
    })
    const few = await server.countStatements(() => server.send(tagsOf))
    for (let i = 4; i <= 9; i++) await server.of('article').create({ data: { title: `${i}`, views: i, tags: [1, 2] } })
    const many = await server.countStatements(() => server.send(tagsOf))
    t.equal(many, few, 'the number of statements does not depend on the number of entries')
  }),
)

const draft = { type: 'boolean', default: false }

/** Hides drafts in the way of draft-publish, which is tested with this package elsewhere. */
const drafts = definePlugin({
  name: 'drafts',
  register: ({ kernel }) =>
    kernel.parameters.add({
      name: 'publicationState',
      schema: Type.Union([Type.Literal('live'), Type.Literal('preview')]),
      for: type => type.attributes.has('draft'),
      actions: ['find', 'findOne', 'count'],
      depth: 'every',
      shape: (state: string) => state,
      fallback: () => 'live',
      fallbackShape: 'live',
      offer: { many: true, nested: true, default: 'live' },
      plan: (node, { shape }) => {
        if (shape === 'live') node.where(eq('draft', { perRequest: () => false }))
      },
    }),
})

const tales = [
  ...contentTypes,
  type('note', { draft, text: { type: 'string' }, tale: link('manyToOne', 'tale', { inversedBy: 'notes' }) }),
  type('tale', {
    draft,
    name: { type: 'string' },
    lead: link('oneToOne', 'note'),
    notes: link('oneToMany', 'note', { mappedBy: 'tale' }),
    about: { type: 'relation', relation: 'morphToOne' },
    seo: { type: 'component', component: 'a.seo' },
    parts: { type: 'component', component: 'a.seo', repeatable: true },
    zone: { type: 'dynamiczone', components: ['a.seo', 'a.link'] },
  }),
]
const components = {
  'a.seo': {
    collectionName: 'components_a_seos',
    info: { displayName: 'Seo' },
    attributes: { text: { type: 'string' }, tag: link('oneToOne', 'tag') },
  },
  'a.link': {
    collectionName: 'components_a_links',
    info: { displayName: 'Link' },
    attributes: { url: { type: 'string' } },
  },
}

function link(relation: string, name: string, side: object = {}) {
  return { type: 'relation', relation, target: uidOf(name), ...side }
}

t.test('the answers are those of nested questions: order, limits, drafts, components, zones', t =>
  bothWays(t, async (t, way) => {
    const options = {
      way,
      contentTypes: tales,
      components,
      plugins: { drafts: { plugin: drafts } },
    }
    const plain = await start(t, options)
    const wrapped = await start(t, {
      ...options,
      extend: extension =>
        extension.use(
          around(
            ...['lead', 'notes', 'about', 'seo', 'parts', 'zone', 'name'].map(name => `Tale.${name}`),
            'ComponentASeo.tag',
            'Note.tale',
            'Query.tales',
            'TaleEntity.attributes',
          ),
        ),
    })
    for (const server of [plain, wrapped]) {
      await fill(server)
      for (let i = 1; i <= 8; i++) await server.of('note').create({ data: { text: `note ${i}`, draft: i % 3 === 0 } })
      for (let i = 1; i <= 3; i++)
        await server.of('tale').create({
          data: {
            name: `tale ${i}`,
            lead: i * 2 + 1 - (i % 2),
            notes: i === 1 ? [8, 7, 6, 5, 4] : i === 2 ? [1, 2, 3] : [],
            about: i === 1 ? { __type: uidOf('tag'), id: 2 } : null,
            seo: i === 2 ? null : { text: `seo ${i}`, tag: 1 },
            parts: [{ text: 'p', tag: 2 }, { text: 'q' }].slice(0, i),
            zone: [
              { __component: 'a.link', url: '/a' },
              { __component: 'a.seo', text: 'z', tag: 3 },
            ].slice(0, i),
            draft: i === 3,
          },
        })
    }
    const seo = 'text tag { data { attributes { label } } }'
    const attributes = `
      name
      lead { data { id attributes { text tale { data { id } } } } }
      notes(sort: "text:desc", pagination: { limit: 3 }) { data { id attributes { text } } }
      some: notes(filters: { text: { contains: "7" } }) { data { id } }
      all: notes(publicationState: PREVIEW) { data { id attributes { tale { data { id } } } } }
      about { __typename ... on Tag { label } }
      seo { ${seo} }
      parts(pagination: { limit: 1 }) { ${seo} }
      zone { __typename ... on ComponentASeo { ${seo} } ... on ComponentALink { url } }
    `
    for (const state of ['LIVE', 'PREVIEW']) {
      const query = `{ tales(publicationState: ${state}, sort: "id") {
        data { id attributes { ${attributes} } } again: data { other: attributes { x: notes { data { id } } } }
        meta { pagination { total pageCount } }
      } }`
      const expected = await plain.send(query)
      t.equal(expected.errors, undefined)
      t.same(await thrice(t, wrapped, query), expected, state)
    }
  }),
)

t.test('rights on relations with code around them', t =>
  bothWays(t, async (t, way) => {
    const callers = {
      public: [`${uidOf('article')}.find`],
      'user:1': [`${uidOf('article')}.find`, `${uidOf('tag')}.find`],
    }
    const server = await start(t, {
      way,
      callers,
      extend: extension =>
        extension.use({
          ...around('Article.tags'),
          typeDefs: 'extend type Query { firstTag: TagEntityResponse }',
          resolvers: {
            Query: { firstTag: () => ({ value: { id: 1, label: 'made', articles: [{ id: 2, title: 'Put in' }] } }) },
          },
        }),
    })
    await fill(server)
    const none = { attributes: { tags: null } }
    t.same(await thrice(t, server, tagsOf), {
      data: { articles: { data: [none, none, none] } },
      errors: [forbidden, forbidden, forbidden],
    })
    t.match(await thrice(t, server, tagsOf, { as: 'user:1' }), {
      data: { articles: { data: [{ attributes: tags('a', 'b') }] } },
    })
    const filtered =
      '{ articles(pagination: { limit: 1 }) { data { attributes { tags(filters: { articles: { author: { name: { eq: "x" } } } }) { data { id } } } } } }'
    t.match(await thrice(t, server, filtered, { as: 'user:1' }), {
      data: { articles: { data: [{ attributes: { tags: null } }] } },
      errors: [{ extensions: { code: 'BAD_USER_INPUT' } }],
    })
  }),
)

t.test('code around scalars, and what resolvers receive', t =>
  bothWays(t, async (t, way) => {
    const parents: Record<string, unknown>[] = []
    const server = await start(t, {
      way,
      extend: extension =>
        extension.use({
          typeDefs: 'extend type Article { own: String, ownTags: Int }',
          resolvers: {
            Article: {
              own: (parent: Record<string, unknown>) => {
                parents.push(Object.fromEntries(Object.entries(parent)))
                return 'own'
              },
              views: (parent: { views: number }) => parent.views * 100,
            },
          },
          resolversConfig: {
            'Article.title': { middlewares: [async (next, ...args) => `${String(await next(...args))}!`] },
          },
        }),
    })
    await fill(server)
    t.same(
      await thrice(
        t,
        server,
        '{ articles(pagination: { limit: 1 }) { data { attributes { title views kind own } } } }',
      ),
      {
        data: { articles: { data: [{ attributes: { title: 'One!', views: 100, kind: 'long_read', own: 'own' } }] } },
      },
    )
    const { createdAt, updatedAt, publishedAt, ...known } = parents[0]!
    t.same(known, { id: 1, title: 'One', views: 1, kind: 'long read' }, 'all scalars that the caller may read')
    t.type(createdAt, 'string')
    t.type(updatedAt, 'string')
  }),
)

t.test('a middleware changes arguments and result of a field of the root', t =>
  bothWays(t, async (t, way) => {
    const server = await start(t, {
      way,
      extend: extension =>
        extension.use({
          resolversConfig: {
            'Query.tags': {
              middlewares: [
                async (next, parent, args, context, info) => {
                  const changed = { ...args, filters: { label: { ne: 'b' } } }
                  const answer = (await next(parent, changed, context, info)) as {
                    nodes: { label: string; rank: number }[]
                  }
                  const nodes = answer.nodes.filter(one => one.rank !== 1)
                  return { ...answer, nodes: nodes.map((one, i) => (i === 0 ? { ...one, label: 'changed' } : one)) }
                },
              ],
            },
            'Query.tag': {
              middlewares: [(next, parent, args, context, info) => next(parent, { ...args, id: '2' }, context, info)],
            },
          },
        }),
    })
    await fill(server)
    const query = `{ tags { data { id attributes { label articles(pagination: { limit: 1 }) { data { id } } } }
      again: data { more: attributes { name: label } } meta { pagination { total } } } }`
    const articles = { data: [{ id: '1' }] }
    t.same(await thrice(t, server, query), {
      data: {
        tags: {
          data: [
            { id: '1', attributes: { label: 'changed', articles } },
            { id: '3', attributes: { label: 'c', articles } },
          ],
          again: [{ more: { name: 'changed' } }, { more: { name: 'c' } }],
          meta: { pagination: { total: 3 } },
        },
      },
    })
    t.same(await thrice(t, server, '{ tags { meta { pagination { total } } } }'), {
      data: { tags: { meta: { pagination: { total: 3 } } } },
    })
    t.same(await thrice(t, server, '{ tag(id: 1) { data { id } } }'), { data: { tag: { data: { id: '2' } } } })
  }),
)
