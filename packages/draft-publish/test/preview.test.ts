// Which callers may read drafts: all, or with `previewFor: 'permitted'` callers with the right.

import type { Access, Entry } from '@plinth/kernel'
import t, { type Test } from 'tap'
import draftPublish from '../src/index.ts'
import { start, to, type } from './fixtures/boot.ts'

const access = (key: string, ...denied: string[]): Access => ({ key, user: null, can: one => !denied.includes(one) })
const right = 'plugin::draft-publish.entries.preview'
const reason = `publicationState=preview needs ${right}, which the caller lacks`
const forbidden = { name: 'ForbiddenError', status: 403, reason }
const preview = { publicationState: 'preview' }

async function books(t: Test, config: object) {
  const types = [
    type('book', true, { name: { type: 'string' }, tags: to('manyToMany', 'tag') }),
    type('tag', true, { name: { type: 'string' } }),
    type('home', true, { name: { type: 'string' } }),
  ]
  const { kernel, of } = await start(t, types, { 'draft-publish': { plugin: draftPublish, config } })
  for (const name of ['tag', 'book', 'home'])
    for (const publishedAt of [undefined, null])
      await of(name).create({ data: { name, publishedAt, ...(name === 'book' ? { tags: [1, 2] } : {}) } })
  const as = (who: Access) => (name: string) => kernel.query(`api::${name}.${name}`, kernel.context(who))
  return { editor: as(access('editor')), reader: as(access('reader', right)) }
}

/** Every way to ask for drafts. */
const queries: readonly (readonly [name: string, params: Record<string, unknown>])[] = [
  ['a list', preview],
  ['drafts only', { ...preview, filters: { publishedAt: { $null: true } } }],
  ['what is populated', { populate: { tags: preview } }],
  [
    'what is populated below a live state',
    { publicationState: 'live', populate: { tags: { ...preview, count: true } } },
  ],
]

t.test("with 'permitted', callers with the right see drafts", async t => {
  const { editor, reader } = await books(t, { previewFor: 'permitted' })
  for (const [name, params] of queries) {
    await t.rejects(reader('book').findMany(params), forbidden, name)
    await t.resolves(editor('book').findMany(params), name)
    // The same query again: what is cached for one caller is not used for the other.
    await t.rejects(reader('book').findMany(params), forbidden, name)
  }
  await t.rejects(reader('book').count(preview), forbidden)
  await t.rejects(reader('book').findOne(2, preview), forbidden)
  t.equal(await editor('book').count(preview), 2)
  t.match(await editor('book').findOne(2, preview), { publishedAt: null })
  t.equal(await reader('book').count(), 1, 'what is live needs no right')
  t.equal(await reader('book').findOne(2), null)
  const [book] = await reader('book').findMany({ publicationState: 'live', populate: 'tags' })
  t.equal((book!.tags as Entry[]).length, 1)
  t.match(await reader('book').update(2, { data: { name: 'x' } }), { name: 'x' }, 'nor does a change of a draft')
})

t.test("with 'permitted' and findOne: 'v4', an id finds a draft for callers with the right alone", async t => {
  const { editor, reader } = await books(t, { previewFor: 'permitted', findOne: 'v4' })
  t.match(await editor('book').findOne(2, { populate: 'tags' }), {
    id: 2,
    publishedAt: null,
    tags: [{ id: 1 }, { id: 2 }],
  })
  t.equal(await reader('book').findOne(2), null)
  t.match(await reader('book').findOne(1, { populate: 'tags' }), { id: 1, tags: [{ id: 1 }] })
  t.match(await reader('book').update(2, { data: { name: 'x' } }), { id: 2 }, 'a change still finds it')
})

t.test('by default all callers may read drafts', async t => {
  const { reader } = await books(t, {})
  for (const [name, params] of queries) await t.resolves(reader('book').findMany(params), name)
  t.equal(await reader('book').count(preview), 2)
  const counted = { tags: { ...preview, count: true } }
  t.match(await reader('book').findMany({ populate: counted }), [{ tags: { count: 2 } }], 'counted as populated')
  t.match(
    await reader('book').findMany({ ...preview, populate: { tags: { publicationState: 'live', count: true } } }),
    [{ tags: { count: 1 } }, { tags: { count: 1 } }],
  )
})

t.test('other values of previewFor are refused', async t => {
  await t.rejects(books(t, { previewFor: 'nobody' }), { message: /previewFor.*"all", "permitted"/ })
})

t.test('the parameter is offered for lists, at the root and below a populate', async t => {
  const { kernel } = await start(t, [type('book', true, { name: { type: 'string' } })])
  const parameter = kernel.parameters.values().find(one => one.name === 'publicationState')
  t.same(parameter!.offer, { many: true, nested: true, default: 'live' })
})
