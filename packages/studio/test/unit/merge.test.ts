// Two changes of one entry: what is asked, what is kept, and what is sent of components that are not stored any more.

import t from 'tap'
import { buildModel } from '../../src/model/build.ts'
import { changedConflict, hasOwnChanges, isInvisible } from '../../src/model/conflict.ts'
import { itemChanges } from '../../src/model/item-changes.ts'
import { isDecided, mergedValues, mergeOf } from '../../src/model/merge.ts'
import { differenceOf } from '../../src/model/text-difference.ts'

const rights = {
  actions: new Set(['find', 'update']),
  readable: null,
  creatable: null,
  updatable: null,
  seesDrafts: true,
  locales: null,
}
const model = buildModel({
  types: [
    {
      uid: 'api::page.page',
      displayName: 'Page',
      singularName: 'page',
      pluralName: 'pages',
      attributes: {
        title: { type: 'string' },
        text: { type: 'text' },
        secret: { type: 'password' },
        tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
        rows: { type: 'component', component: 'shared.row', repeatable: true },
        zone: { type: 'dynamiczone', components: ['shared.row', 'shared.quote'] },
      },
    },
  ],
  components: [
    { uid: 'shared.quote', displayName: 'Quote', attributes: { text: { type: 'string' } } },
    {
      uid: 'shared.row',
      displayName: 'Row',
      attributes: {
        title: { type: 'string' },
        quotes: { type: 'component', component: 'shared.quote', repeatable: true },
      },
    },
  ],
  rights: new Map([['api::page.page', rights]]),
  actions: new Set(),
  settings: {},
})
const { attributes } = model.types[0]!
const attribute = (name: string) => attributes.find(one => one.name === name)!

const base = {
  title: 'A',
  text: 'one',
  tags: [{ id: 1, name: 'x' }],
  rows: [
    { id: 1, title: 'first', quotes: [{ id: 8, text: 'q' }] },
    { id: 2, title: 'second', quotes: [] },
  ],
  zone: [{ id: 1, __component: 'shared.row', title: 'z' }],
}

const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name)

t.test('only what both have changed to different values is asked', async t => {
  const mine = { title: 'Mine', text: 'two', secret: 'new', tags: [{ id: 1, name: 'x' }] }
  const theirs = { ...base, title: 'Theirs', text: 'two', tags: [{ id: 1, name: 'renamed' }], rows: [] }
  const merge = mergeOf(attributes, { base, mine, theirs }, model)
  t.same(
    merge.conflicts.map(({ attribute: { name }, ...values }) => ({ name, ...values })),
    [{ name: 'title', base: 'A', mine: 'Mine', theirs: 'Theirs' }],
  )
  t.same(names(merge.onlyMine), ['secret'], 'what no answer contains is the own one')
  t.same(names(merge.onlyTheirs), ['rows'], 'the new name of a linked entry is no change of the link')
  t.notOk(isDecided(merge, {}))
  t.ok(isDecided(merge, { title: 'theirs' }))
  t.same(mergedValues(merge, { mine, theirs }, { title: 'mine' }, model), { ...theirs, title: 'Mine', secret: 'new' })
  t.same(mergedValues(merge, { mine, theirs }, { title: 'theirs' }, model), { ...theirs, secret: 'new' })
})

t.test('what others have changed is a question only if the form shows it', async t => {
  const type = { ...model.types[0]!, hasDrafts: true }
  const stored = { id: 1, ...base, publishedAt: null, updatedAt: 'then' }
  const conflict = (change: object, mine: Readonly<Record<string, unknown>> = {}) => {
    const theirs = { entry: { ...stored, updatedAt: 'now', ...change }, version: 'v' }
    return changedConflict({ type, model, cause: 'save', base, mine, theirs, publishedAt: null })
  }
  t.ok(isInvisible(conflict({})))
  t.ok(isInvisible(conflict({ title: 'B' }, { title: 'B' })), 'nor if both have made the same change')
  t.notOk(isInvisible(conflict({ title: 'B' })))
  t.notOk(isInvisible(conflict({ publishedAt: '2026-01-01T00:00:00.000Z' })))
  t.equal(conflict({ publishedAt: '2026-01-01T00:00:00.000Z' }).newState, 'published')
  t.equal(hasOwnChanges(conflict({ title: 'B' })), false)
  t.equal(hasOwnChanges(conflict({ title: 'B' }, { text: 'two' })), true)
})

t.test('a kept draft has only the values that were changed', async t => {
  const merge = mergeOf(attributes, { base: { text: 'one' }, mine: { text: 'two' }, theirs: base }, model)
  t.same([names(merge.onlyMine), names(merge.onlyTheirs), merge.conflicts], [['text'], [], []])
})

t.test('ids of components that are not stored any more are dropped', async t => {
  const mine = {
    rows: [
      { id: 2, title: 'second, mine', quotes: [] },
      { id: 1, title: 'first', quotes: [{ id: 8, text: 'q' }] },
    ],
    zone: [
      { id: 1, __component: 'shared.row', title: 'z, mine' },
      { __component: 'shared.quote', text: 'new' },
    ],
  }
  const theirs = {
    ...base,
    rows: [{ id: 2, title: 'second, theirs', quotes: [] }],
    zone: [{ id: 1, __component: 'shared.quote', text: 'other kind with the same id' }],
  }
  const merge = mergeOf(attributes, { base, mine, theirs }, model)
  t.same(mergedValues(merge, { mine, theirs }, { rows: 'mine', zone: 'mine' }, model), {
    ...theirs,
    rows: [
      { id: 2, title: 'second, mine', quotes: [] },
      { title: 'first', quotes: [{ text: 'q' }] },
    ],
    zone: [
      { __component: 'shared.row', title: 'z, mine' },
      { __component: 'shared.quote', text: 'new' },
    ],
  })
})

t.test('what has become of components', async t => {
  const row = (id: number | undefined, title: string) => ({ ...(id !== undefined && { id }), title, quotes: [] })
  const before = [row(1, 'a'), row(2, 'b'), row(3, 'c'), row(4, 'd')]
  const changes = (after: unknown) =>
    itemChanges(before, after, attribute('rows'), model).map(({ kind, label, title, place, values }) => [
      kind,
      `${label} ${title}`,
      place,
      ...values.map(one => one.attribute.name),
    ])
  t.same(changes(before), [])
  t.same(changes([row(4, 'd'), row(1, 'a'), row(2, 'B'), row(undefined, 'e')]), [
    ['moved', 'Row d', 1],
    ['changed', 'Row B', 3, 'title'],
    ['added', 'Row e', 4],
    ['removed', 'Row c', 3],
  ])
  t.same(changes([]).length, 4)
})

t.test('the part of a text that differs', async t => {
  t.same(differenceOf('The harbour, at night', 'The ferry, at night'), {
    start: 'The ',
    middle: 'harbour',
    end: ', at night',
  })
  t.same(differenceOf('Harbours', 'Harbour'), { start: '', middle: 'Harbours', end: '' }, 'whole words')
  t.same(differenceOf('a b', 'a b'), { start: 'a b', middle: '', end: '' })
  t.same(differenceOf('aa', 'aaa'), { start: '', middle: 'aa', end: '' })
})
