// Drafts by GraphQL: what is created without `publishedAt` is a draft that is as complete as a published entry (B-9.42,
// B-9.44).

import draftPublish from '@plinth/draft-publish'
import { type Access, type Kernel, systemAccess } from '@plinth/kernel'
import { fresh, onEach } from '@plinth/test-tools/on-each'
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

await onEach('the deletion of a single type deletes a draft', async t => {
  const { config: database } = await fresh(t)
  const rights = new Set<string>()
  const may = (access: Access): Access => ({
    ...access,
    key: [...rights].join(),
    can: scope => !scope.endsWith('.preview') || rights.has(scope),
  })
  const configure = (kernel: Kernel) => kernel.auth.use({ name: 'test', authenticate: () => may(systemAccess) })
  const deleted = async (previewFor: string) => {
    const plugins = { 'draft-publish': { plugin: draftPublish, config: { previewFor } } }
    const own = [type('frontpage', 'singleType')]
    const { ask, of, app } = await start(t, { contentTypes: own, components: {}, plugins, database, configure })
    if ((await of('frontpage').count({ publicationState: 'preview' })) === 0)
      await of('frontpage').create({ data: { title: 'a draft', publishedAt: null } })
    const { body } = await ask('mutation { deleteFrontpage { data { attributes { title publishedAt } } } }')
    const left = await of('frontpage').count({ publicationState: 'preview' })
    await app.close()
    return { title: body.data?.deleteFrontpage?.data.attributes.title ?? body.errors[0].message, left }
  }
  t.same(await deleted('all'), { title: 'a draft', left: 0 })
  t.same(await deleted('permitted'), { title: 'Entity not found', left: 1 }, 'not for those who may not see it')
  rights.add('plugin::draft-publish.entries.preview')
  t.same(await deleted('permitted'), { title: 'a draft', left: 0 })
  t.same(await deleted('all'), { title: 'a draft', left: 0 })
})
