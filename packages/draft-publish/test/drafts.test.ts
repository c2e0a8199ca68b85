// Drafts through the kernel: which entries are live or populated, and how an entry is published (B-8.1 to B-8.17).

import type { Entry, Kernel } from '@plinth/kernel'
import t, { type Test } from 'tap'
import draftPublish from '../src/index.ts'
import { start, to, type } from './fixtures/boot.ts'

const name = { name: { type: 'string' } }

/** Shelves (no drafts) of books (drafts) with tags (drafts); the second book and tag are drafts. */
async function library(t: Test, findOne: 'strict' | 'v4') {
  const types = [
    type('shelf', false, { ...name, books: to('oneToMany', 'book') }),
    type('book', true, { ...name, tags: to('manyToMany', 'tag'), main: to('oneToOne', 'tag') }),
    type('tag', true, name),
  ]
  const started = await start(t, types, { 'draft-publish': { plugin: draftPublish, config: { findOne } } })
  for (const kind of ['tag', 'book'])
    for (const [name, publishedAt] of [
      ['live', undefined],
      ['draft', null],
    ] as const) {
      const links = kind === 'tag' ? {} : { tags: [1, 2], main: 2 }
      await started.of(kind).create({ data: { name, ...links, publishedAt } })
    }
  await started.of('shelf').create({ data: { name: 'shelf', books: [1, 2] } })
  return started
}

const names = (list: unknown) => (list as Entry[]).map(one => one.name)
const preview = { publicationState: 'preview' }

t.test('drafts in lists, counts and pages', async t => {
  const { of, kernel } = await library(t, 'strict')
  const rows: readonly (readonly [params: Record<string, unknown>, expected: string[]])[] = [
    [{}, ['live']],
    [{ publicationState: 'live' }, ['live']],
    [preview, ['live', 'draft']],
    [{ ...preview, filters: { publishedAt: { $null: true } } }, ['draft']],
    [{ filters: { publishedAt: { $null: true } } }, []],
    [{ filters: { tags: { name: 'live' } } }, ['live']],
    [{ filters: { tags: { name: 'draft' } } }, []],
    [{ ...preview, filters: { tags: { name: 'draft' } } }, ['live', 'draft']],
    [{ filters: { main: 2 } }, []],
    [{ filters: { main: { $null: true } } }, ['live']],
    [{ ...preview, filters: { main: { $null: true } } }, []],
  ]
  for (const [params, expected] of rows) {
    t.same(names(await of('book').findMany(params)), expected, JSON.stringify(params))
    t.equal(await of('book').count(params), expected.length)
    const pagination = { pageSize: 1 }
    t.match(await of('book').findPage({ ...params, pagination }), { pagination: { total: expected.length } })
  }
  const plans = kernel.engine.plans.size
  await of('book').findMany({ publicationState: 'live', filters: { name: 'x' } })
  await of('book').findMany({ publicationState: 'live', filters: { name: 'y' } })
  t.equal(kernel.engine.plans.size, plans + 1)
  for (const publicationState of ['LIVE', '', 'draft', null, ['live']])
    await t.rejects(
      of('book').findMany({ publicationState: publicationState as string }),
      { name: 'ValidationError', status: 400 },
      String(publicationState),
    )
  await t.rejects(of('book').findMany({ populate: { tags: { publicationState: 'x' } } }), {
    name: 'ValidationError',
    status: 400,
  })
})

t.test('drafts in populated relations', async t => {
  const { of } = await library(t, 'strict')
  const book = async (params: Record<string, unknown>) => (await of('book').findMany(params))[0]!
  const live = await book({ populate: '*' })
  t.same(names(live.tags), ['live'])
  t.equal(live.main, null)
  const seen = await book({ ...preview, populate: '*' })
  t.same(names(seen.tags), ['live', 'draft'])
  t.match(seen.main, { name: 'draft' })
  t.same(names((await book({ populate: { tags: preview } })).tags), ['live', 'draft'], 'preview inside live')
  const inside = { tags: { publicationState: 'live' } }
  t.same(names((await book({ ...preview, populate: inside })).tags), ['live'], 'live inside preview')
  t.match(await book({ populate: { tags: { count: true } } }), { tags: { count: 1 } })

  const shelf = async (params: Record<string, unknown>) => (await of('shelf').findMany(params))[0]!.books as Entry[]
  t.same(names(await shelf({ populate: 'books' })), ['live'], 'below a type without drafts')
  t.same(names(await shelf({ ...preview, populate: 'books' })), ['live', 'draft'])
  const deep = await shelf({
    populate: { books: { ...preview, populate: { tags: true, main: { publicationState: 'live' } } } },
  })
  t.same(
    deep.map(one => names(one.tags)),
    [
      ['live', 'draft'],
      ['live', 'draft'],
    ],
    'the nearest state holds below',
  )
  t.same(
    deep.map(one => one.main),
    [null, null],
  )
})

t.test('a draft by its id', async t => {
  for (const findOne of ['strict', 'v4'] as const) {
    const { of } = await library(t, findOne)
    const isStrict = findOne === 'strict'
    t.match(await of('book').findOne(2), isStrict ? null : { name: 'draft' }, findOne)
    t.match(await of('book').findOne(2, preview), { name: 'draft' })
    const { tags } = (await of('book').findOne(1, { populate: 'tags' }))!
    t.same(names(tags), isStrict ? ['live'] : ['live', 'draft'])
    const nested = await of('book').findOne(1, { populate: { tags: { publicationState: 'live' } } })
    t.same(names(nested!.tags), ['live'])
    t.same(names(await of('book').findMany()), ['live'], 'lists are the same')
  }
})

t.test('publishing and unpublishing, and answers of writes', async t => {
  const { of } = await library(t, 'strict')
  const before = Date.now()
  const made = await of('tag').create({ data: { name: 'new' } })
  t.equal(made.publishedAt, made.createdAt)
  t.ok(Date.parse(String(made.publishedAt)) >= before)
  const sent = '2999-01-01T00:00:00.000Z'
  const future = await of('tag').create({ data: { name: 'future', publishedAt: sent } })
  t.match(future, { publishedAt: sent })
  t.match(await of('tag').findOne(future.id), { name: 'future' }, 'a future date counts as published')
  t.match(await of('book').create({ data: { publishedAt: null, tags: [1, 2] }, populate: 'tags' }), {
    publishedAt: null,
    tags: [{ name: 'live' }, { name: 'draft' }],
  })
  t.match(await of('tag').update(2, { data: { publishedAt: '2024-01-01' } }), {
    publishedAt: '2024-01-01T00:00:00.000Z',
  })
  t.match(await of('tag').findOne(2), { name: 'draft' })
  t.match(await of('tag').update(2, { data: { publishedAt: null } }), { publishedAt: null })
  t.equal(await of('tag').findOne(2), null)
  await t.rejects(of('tag').update(2, { data: { publishedAt: 'soon' } }), { name: 'ValidationError', status: 400 })
  const seen = { tags: [{ name: 'live' }, { name: 'draft' }] }
  t.match(await of('book').update(1, { data: {}, populate: 'tags' }), seen)
  t.match(await of('book').delete(1, { populate: 'tags' }), seen)
  t.match(await of('tag').delete(2), { name: 'draft' })
})

t.test('entries without the plugin or the option', async t => {
  const columns = (kernel: Kernel) => kernel.database.knex('tags').columnInfo()
  const off = await start(t, [type('tag', true, name)], { 'draft-publish': false })
  t.notOk('published_at' in (await columns(off.kernel)))
  t.notOk('publishedAt' in (await off.of('tag').create({ data: { name: 'a', publishedAt: null } })))
  t.same(names(await off.of('tag').findMany()), ['a'])
  await t.rejects(off.of('tag').findMany({ publicationState: 'live' }), { code: 'PLINTH_OPTION_UNKNOWN' })
  t.same(off.kernel.parameters.values(), [])
  await t.rejects(off.of('tag').findMany({ filters: { publishedAt: { $null: true } } }), {
    name: 'ValidationError',
    status: 400,
  })

  const without = await start(t, [type('tag', false, name)])
  t.notOk('published_at' in (await columns(without.kernel)))
  t.notOk('publishedAt' in (await without.of('tag').create({ data: { name: 'a', publishedAt: null } })))
  t.same(names(await without.of('tag').findMany({ publicationState: 'live' })), ['a'])
})
