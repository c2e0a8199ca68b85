// Drafts by GraphQL: what is created without `publishedAt` is a draft that is as complete as a published entry (B-9.42,
// B-9.44).

import draftPublish from '@plinth/draft-publish'
import t from 'tap'
import { start } from '../../packages/graphql/test/fixtures/boot.ts'
import { contentTypes } from '../../packages/graphql/test/fixtures/model.ts'

const type = (name: string, kind: string) => ({
  kind,
  collectionName: `${name}s`,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  options: { draftAndPublish: true },
  attributes: { title: { type: 'string', required: true }, note: { type: 'string' } },
})

t.test('a new entry is a draft unless a date is sent', async t => {
  const plugins = { 'draft-publish': { plugin: draftPublish } }
  const own = [type('story', 'collectionType'), type('frontpage', 'singleType')]
  const { ask, of, app } = await start(t, { contentTypes: [...contentTypes, ...own], plugins })
  const create = async (data: string) => {
    const { body } = await ask(`mutation { createStory(data: { ${data} }) { data { attributes { publishedAt } } } }`)
    return body.errors?.[0].message ?? body.data.createStory.data.attributes.publishedAt
  }
  t.equal(await create('title: "a"'), null)
  t.equal(await create('note: "no title"'), 'title must be defined.', 'it must be complete')
  t.equal(await create('note: "no title", publishedAt: null'), null, 'unless it is said to be a draft')
  t.equal(await create('title: "a", publishedAt: "2024-01-01T00:00:00.000Z"'), '2024-01-01T00:00:00.000Z')
  t.type((await of('story').create({ data: { title: 'by code' } })).publishedAt, 'string')
  const posted = await app.inject({ method: 'POST', url: '/api/storys', payload: { data: { title: 'by REST' } } })
  t.type(posted.json().data.attributes.publishedAt, 'string', 'REST publishes')

  const update = 'mutation { updateFrontpage(data: { title: "b" }) { data { attributes { publishedAt } } } }'
  t.equal((await ask(update)).body.data.updateFrontpage.data.attributes.publishedAt, null)
  const [only] = await of('frontpage').findMany({ publicationState: 'preview' })
  await of('frontpage').update(only!.id, { data: { publishedAt: '2024-01-01T00:00:00.000Z' } })
  t.equal(
    (await ask(update)).body.data.updateFrontpage.data.attributes.publishedAt,
    '2024-01-01T00:00:00.000Z',
    'an entry that exists keeps its state',
  )
})
