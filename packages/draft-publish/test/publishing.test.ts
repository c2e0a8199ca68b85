// Values that a draft can leave out, and the check of an entry that is published; unlike v4's, it covers the whole
// entry (B-4.75 to B-4.79).

import type { ValidationError } from '@plinth/kernel'
import passwords from '@plinth/passwords'
import t, { type Test } from 'tap'
import { type Attributes, start, to, type } from './fixtures/boot.ts'

const errorsOf = async (work: Promise<unknown>): Promise<string[]> => {
  try {
    await work
    return []
  } catch (error) {
    const { errors } = (error as ValidationError).details as { errors: { path: string[] }[] }
    return errors.map(one => one.path.join('.'))
  }
}

const strict = {
  title: { type: 'string', required: true, minLength: 3 },
  link: { ...to('oneToOne', 'page'), required: true },
  part: { type: 'component', component: 'a.part', required: true },
  short: { type: 'string', maxLength: 2 },
  code: { type: 'string', regex: '^x' },
  kind: { type: 'enumeration', enum: ['a'] },
  count: { type: 'integer', max: 5 },
  mail: { type: 'email' },
  key: { type: 'string', unique: true },
  list: { type: 'component', component: 'a.part', repeatable: true, min: 1, max: 1, required: true },
}

t.test('values that a draft can leave out', async t => {
  const { of } = await start(t, [type('page', true, strict)])
  const list = [{ label: 'abc' }]
  const whole = { title: 'abc', link: 1, part: { label: 'abc' }, list }
  const publishedAt = null
  await of('page').create({ data: { list, publishedAt, key: 'taken' } })
  const rows: readonly (readonly [data: Record<string, unknown>, draft: string[], live: string[]])[] = [
    [{ ...whole }, [], []],
    [{ list }, [], ['title', 'link', 'part']],
    [{ list, title: null, link: null, part: null }, [], ['title', 'link', 'part']],
    [{ ...whole, title: 'ab' }, [], ['title']],
    [{ ...whole, part: {} }, [], ['part.label']],
    [{ ...whole, part: { label: 'ab' } }, [], ['part.label']],
    [{ ...whole, part: { label: 'abcdef' } }, ['part.label'], ['part.label']],
    [{ ...whole, list: undefined }, ['list'], ['list']],
    [{ ...whole, list: [...list, ...list] }, ['list'], ['list']],
    [{ ...whole, list: [] }, ['list'], ['list']],
    [{ ...whole, short: 'abc' }, ['short'], ['short']],
    [{ ...whole, code: 'y' }, ['code'], ['code']],
    [{ ...whole, kind: 'b' }, ['kind'], ['kind']],
    [{ ...whole, count: 6 }, ['count'], ['count']],
    [{ ...whole, count: 'x' }, ['count'], ['count']],
    [{ ...whole, mail: 'x' }, ['mail'], ['mail']],
    [{ ...whole, key: 'taken' }, ['key'], ['key']],
  ]
  for (const [data, draft, live] of rows) {
    const text = JSON.stringify(data)
    t.same(await errorsOf(of('page').create({ data: { ...data, publishedAt } })), draft, `draft: ${text}`)
    t.same(await errorsOf(of('page').create({ data })), live, `published: ${text}`)
    // An update that publishes is checked as published, whatever of it is stored and whatever sent.
    if (draft.length > 0) continue
    const { id } = await of('page').create({ data: { ...data, publishedAt } })
    t.same(await errorsOf(of('page').update(id, { data: { short: 'x' } })), [], 'a draft stays one')
    t.same(await errorsOf(of('page').update(id, { data: { publishedAt: new Date(0) } })), live, `to publish: ${text}`)
    t.equal((await of('page').findOne(id)) === null, live.length > 0)
    t.same(await errorsOf(of('page').update(id, { data: { ...whole, publishedAt: 5 } })), [], 'mended while published')
  }
})

const publishedAt = '2024-01-01T00:00:00.000Z'
const pages = async (t: Test, attributes: Attributes) =>
  (await start(t, [type('page', true, attributes)], { passwords: { plugin: passwords } })).of('page')

t.test('a required private value counts when a draft is published', async t => {
  for (const attribute of [{ type: 'string', private: true }, { type: 'password' }]) {
    const repository = await pages(t, { pin: { ...attribute, required: true } })
    await repository.create({ data: { pin: '123456', publishedAt: null } })
    t.match(await repository.update(1, { data: { publishedAt } }), { publishedAt }, JSON.stringify(attribute))
  }
})

t.test('components of a draft must be complete when it is published', async t => {
  const rows = [
    [{ type: 'component', component: 'a.part' }, {}, 'part.label'],
    [{ type: 'component', component: 'a.part', repeatable: true }, [{}], 'part.0.label'],
    [{ type: 'dynamiczone', components: ['a.part'] }, [{ __component: 'a.part' }], 'part.0.label'],
  ] as const
  for (const [part, value, path] of rows) {
    const repository = await pages(t, { part })
    await repository.create({ data: { part: value, publishedAt: null } })
    t.same(await errorsOf(repository.update(1, { data: { publishedAt } })), [path], 'stored')
    await repository.create({ data: { publishedAt: null } })
    t.same(await errorsOf(repository.update(2, { data: { publishedAt, part: value } })), [path], 'sent')
  }
})

t.test('a stored timestamp of the first seconds of 1970 does not stop the publication', async t => {
  const repository = await pages(t, { stamp: { type: 'timestamp' } })
  await repository.create({ data: { stamp: 5, publishedAt: null } })
  t.match(await repository.update(1, { data: { publishedAt } }), { publishedAt })
})

t.test('an entry with a recursive component can be published', async t => {
  const node = {
    collectionName: 'components_a_nodes',
    attributes: { label: { type: 'string' }, next: { type: 'component', component: 'a.node' } },
  }
  const pages = [type('page', true, { node: { type: 'component', component: 'a.node' } })]
  const { of } = await start(t, pages, {}, { 'a.node': node })
  await of('page').create({ data: { publishedAt: null, node: { label: 'a', next: { label: 'b' } } } })
  const publishedAt = '2024-01-01T00:00:00.000Z'
  t.match(await of('page').update(1, { data: { publishedAt } }), { publishedAt })
})

t.test('concurrent updates do not publish an incomplete entry', async t => {
  const { of } = await start(t, [type('page', true, { title: { type: 'string', required: true } })])
  await of('page').create({ data: { title: 'x', publishedAt: null } })
  const publish = of('page').update(1, { data: { publishedAt: '2024-01-01T00:00:00.000Z' } })
  const empty = of('page').update(1, { data: { title: null } })
  await Promise.allSettled([publish, empty])
  const page = (await of('page').findOne(1, { publicationState: 'preview' }))!
  t.notOk(page.publishedAt !== null && page.title === null)
})
