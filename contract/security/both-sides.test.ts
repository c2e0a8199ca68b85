/**
 * The rules on what a caller may write of an entry hold for its links from the other side too, over REST and GraphQL, in
 * components and of files (security.md row 51).
 */

import t, { type Test } from 'tap'
import type { GraphqlAnswer } from './graphql-answer.ts'
import { action, all, startMembers, userUid } from './members.ts'
import { refused } from './refusal.ts'

const types = ['article', 'category', 'person', 'product', 'review', 'staff-profile', 'tag']
const upload = 'plugin::upload.content-api.upload'

const rules = {
  member: [
    { action: `${userUid}.update`, where: { id: '$user.id' }, fields: ['team'] },
    { action: action('article', 'update'), fields: ['author', 'tags'] },
    { action: action('staff-profile', 'update'), fields: ['person'] },
    { action: action('category', 'update'), fields: ['members'] },
    { action: upload, fields: ['related'] },
  ],
}
const permissions = {
  member: [...types.map(all), `${userUid}.*`, 'plugin::upload.content-api.*'],
}

async function start(t: Test) {
  const members = await startMembers(t, {
    permissions,
    rules,
    plugins: { graphql: true, upload: true },
    configure: ({ hooks }) => {
      const team = { type: 'relation', relation: 'manyToOne', target: 'api::category.category', inversedBy: 'members' }
      const ofTeam = { type: 'relation', relation: 'oneToMany', target: userUid, mappedBy: 'team' }
      hooks.on('preModel', { for: one => one.uid === userUid }, draft => draft.attribute('team', team))
      hooks.on('preModel', { for: one => one.uid === 'api::category.category' }, draft =>
        draft.attribute('members', ofTeam),
      )
    },
  })
  const { of, user, logIn } = members
  for (const slug of ['red', 'blue']) await of('category').create({ data: { name: slug, slug } })
  await user('ann', 'member', { team: 1 })
  for (const fullName of ['Ann', 'Bob']) await of('person').create({ data: { fullName } })
  for (const label of ['a', 'b']) await of('tag').create({ data: { label } })
  for (const nickName of ['one', 'two']) await of('staff-profile').create({ data: { nickName, person: 1 } })
  for (const title of ['One', 'Two']) await of('article').create({ data: { title, author: 1, tags: [1] } })
  const data = { name: 'a.png', hash: 'a', ext: '.png', mime: 'image/png', size: 1, url: '/a.png', provider: 'local' }
  await of('plugin::upload.file').create({ data: { ...data, folderPath: '/' } })
  const drafts = { publicationState: 'preview', populate: '*' } as object
  const content = async () => {
    const entries = await Promise.all([...types, userUid, 'plugin::upload.file'].map(one => of(one).findMany(drafts)))
    return JSON.stringify(entries, (key, value) => (key === 'updatedAt' ? undefined : value))
  }
  return { ...members, content, api: await logIn('ann') }
}

t.test('security.md row 51: what may not be written is not written from the other side', async t => {
  const { api, of, content } = await start(t)
  const before = await content()
  const x = { name: 'x', slug: 'x' }
  const blocks = [{ __component: 'blocks.gallery', images: [1] }]
  const writes: readonly [plural: string, data: object, named: string][] = [
    ['categories', { ...x, members: [1] }, 'team'],
    ['categories', { ...x, members: { connect: [1] } }, 'team'],
    ['categories', { ...x, members: { disconnect: [1] } }, 'team'],
    ['categories', { ...x, members: { set: [] } }, 'team'],
    ['people', { fullName: 'x', articles: [2] }, 'author'],
    ['people', { fullName: 'x', articles: null }, 'author'],
    ['people', { fullName: 'x', profile: 2 }, 'person'],
    ['tags', { label: 'x', articles: { connect: [{ id: 2, position: { start: true } }] } }, 'tags'],
    ['articles', { title: 'x', cover: 1 }, 'related'],
    ['articles', { title: 'x', gallery: { connect: [1] } }, 'related'],
    ['articles', { title: 'x', seo: { metaTitle: 'm', metaImage: 1 } }, 'metaImage'],
    ['articles', { title: 'x', blocks }, 'images'],
  ]
  for (const [plural, data, named] of writes) {
    for (const send of [api.post, api.put]) {
      const url = send === api.post ? `/api/${plural}` : `/api/${plural}/2`
      refused(t, await send(url, { data }), 403, named)
    }
    t.equal(await content(), before, `${plural} ${JSON.stringify(data)}`)
  }
  refused(t, await api.put('/api/users/1', { team: 2 }), 403)
  t.equal((await api.put('/api/users/1', { username: 'anna' })).status, 200, 'other attributes may be written')
  t.equal((await api.put('/api/tags/1', { data: { label: 'c' } })).status, 200)
  t.equal((await api.post('/api/articles', { data: { title: 'Three', category: 1 } })).status, 200)
  t.match(await of('category').findOne(1, { populate: '*' } as never), { members: [{ id: 1 }] })
})

t.test('security.md row 51: the same over GraphQL', async t => {
  const { api, content } = await start(t)
  const before = await content()
  for (const one of [
    'createCategory(data: { name: "x", slug: "x", members: [1] })',
    'updateCategory(id: 2, data: { members: [1] })',
    'updateCategory(id: 1, data: { members: [] })',
    'updatePerson(id: 2, data: { articles: [1] })',
    'updatePerson(id: 2, data: { profile: 1 })',
    'updateTag(id: 2, data: { articles: [1] })',
    'createArticle(data: { title: "x", cover: 1 })',
    'updateArticle(id: 1, data: { seo: { metaTitle: "m", metaImage: 1 } })',
    'createArticle(data: { title: "x", blocks: [{ __typename: "ComponentBlocksGallery", images: [1] }] })',
    'updateUsersPermissionsUser(id: 1, data: { team: 2 })',
  ]) {
    const { text } = await api.post('/graphql', { query: `mutation { one: ${one} { data { id } } }` })
    const { data, errors } = JSON.parse(text) as GraphqlAnswer
    t.equal(data?.one ?? null, null, one)
    t.match(errors, [{ message: /^Forbidden access/, extensions: { code: 'FORBIDDEN' } }], one)
    t.equal(await content(), before, one)
  }
})

t.test('security.md row 51: a link names what it changes only to who may know it', async t => {
  const { as, of } = await startMembers(t, {
    permissions: { knowing: [all('person'), all('article')], unknowing: [all('person'), all('article')] },
    rules: {
      knowing: [{ action: action('article', 'update'), fields: ['author'] }],
      unknowing: [
        { action: action('article', 'update'), fields: ['author'] },
        { action: action('article', 'find'), fields: ['author'] },
      ],
    },
  })
  await of('article').create({ data: { title: 'One' } })
  const data = { fullName: 'x', articles: [1] }
  refused(
    t,
    await (await as('knowing')).post('/api/people', { data }),
    403,
    '"articles" changes "author" of api::article',
  )
  const answer = await (await as('unknowing')).post('/api/people', { data })
  refused(t, answer, 403, '"articles" must not be sent')
  t.notMatch(answer.text, /author/)
})

t.test(
  'security.md row 14: a shared attribute is not changed in translations that the caller may not update',
  async t => {
    const { as, of } = await startMembers(t, {
      plugins: { graphql: true, i18n: { config: { locales: ['en', 'de', 'fr'] } } },
      permissions: { writer: [all('landing-page')] },
      rules: { writer: [{ action: action('landing-page', 'update'), where: { locale: { $ne: 'de' } } }] },
    })
    const shown = { locale: 'all', sort: 'id' } as object
    const content = async () =>
      (await of('landing-page').findMany(shown)).map(({ id, locale, rank }) => [id, locale, rank])
    await of('landing-page').create({ data: { heading: 'One', rank: 1 } })
    await of('landing-page').create({ data: { heading: 'Eins', locale: 'de', localizations: [1] } })
    const before = await content()
    const api = await as('writer')
    const named = 'shared attributes would change translations in de'
    refused(t, await api.put('/api/landing-pages/1', { data: { rank: 2 } }), 403, named)
    const french = { heading: 'Un', locale: 'fr', rank: 2 }
    refused(t, await api.post('/api/landing-pages/1/localizations', french), 403, named)
    refused(t, await api.post('/api/landing-pages', { data: { ...french, localizations: [1] } }), 403, named)
    for (const one of [
      'updateLandingPage(id: 1, data: { rank: 2 })',
      'createLandingPageLocalization(id: 1, data: { heading: "Un", rank: 2 }, locale: "fr")',
    ]) {
      const { text } = await api.post('/graphql', { query: `mutation { one: ${one} { data { id } } }` })
      t.match(JSON.parse(text), { errors: [{ message: `Forbidden access: ${named}` }] }, one)
    }
    t.same(await content(), before, 'nothing is written')
    t.equal((await api.put('/api/landing-pages/1', { data: { heading: 'Changed' } })).status, 200)
  },
)
