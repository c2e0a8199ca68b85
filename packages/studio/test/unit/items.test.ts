// Components in lists: their titles, their keys while the list changes, what a new one begins with, and what is asked for
// and sent of them.

import t from 'tap'
import { buildModel, type Schema } from '../../src/model/build.ts'
import { groupComponents } from '../../src/model/component-groups.ts'
import { faultsBelow } from '../../src/model/faults.ts'
import { emptyValues, firstValues } from '../../src/model/first-values.ts'
import { alignKeys, indexAfterDrop, marksOf, withMoved } from '../../src/model/item-keys.ts'
import { itemTitle } from '../../src/model/item-title.ts'
import { writtenValues } from '../../src/model/written.ts'

const text = (children: readonly unknown[]) => [{ type: 'paragraph', children }]

const components: readonly Schema[] = [
  {
    uid: 'sections.hero',
    displayName: 'Hero',
    category: 'sections',
    icon: 'picture',
    attributes: {
      tone: { type: 'enumeration', enum: ['a'], default: 'a' },
      body: { type: 'richtext' },
      heading: { type: 'string' },
      note: { type: 'string' },
      link: { type: 'component', component: 'shared.link', required: true },
      links: { type: 'component', component: 'shared.link', repeatable: true, required: true, min: 2 },
      more: { type: 'component', component: 'shared.link', repeatable: true, min: 2 },
    },
  },
  {
    uid: 'shared.link',
    displayName: 'Link',
    category: 'shared',
    attributes: { url: { type: 'string' }, isNew: { type: 'boolean', default: true } },
  },
  { uid: 'shared.text', displayName: 'Text', category: 'shared', attributes: { body: { type: 'blocks' } } },
  {
    uid: 'shared.endless',
    displayName: 'Endless',
    category: 'shared',
    attributes: { again: { type: 'component', component: 'shared.endless', required: true } },
  },
]

const model = buildModel({
  types: [
    {
      uid: 'api::page.page',
      displayName: 'Page',
      singularName: 'page',
      pluralName: 'pages',
      attributes: {
        hero: { type: 'component', component: 'sections.hero' },
        zone: { type: 'dynamiczone', components: ['sections.hero', 'shared.text'] },
      },
    },
  ],
  components,
  rights: new Map([
    [
      'api::page.page',
      {
        actions: new Set(['find', 'update']),
        readable: null,
        creatable: null,
        updatable: null,
        seesDrafts: true,
        locales: null,
      },
    ],
  ]),
  componentRights: new Map([
    [
      'sections.hero',
      {
        readable: new Set(['tone', 'body', 'heading', 'note', 'link', 'links', 'more']),
        writable: new Set(['tone', 'body', 'heading', 'link', 'links', 'more']),
      },
    ],
  ]),
  actions: new Set(),
  settings: {},
})
const page = model.types[0]!
const hero = model.components.get('sections.hero')!

t.test('a component is named by its first text', async t => {
  t.equal(itemTitle(hero, { body: '# A *b*\n[c](d)', heading: 'H' }), 'A b c')
  t.equal(itemTitle(hero, { tone: 'a', body: ' ', heading: 'H' }), 'H', 'what is empty names nothing')
  t.equal(itemTitle(hero, {}), null)
  const body = text([{ type: 'text', text: 'One' }, { type: 'link', children: [{ type: 'text', text: 'two' }] }, null])
  t.equal(itemTitle(model.components.get('shared.text')!, { body }), 'One two')
  t.equal(itemTitle(hero, { heading: 'x'.repeat(200) })!.length, 81)
})

t.test('keys stay with their components', async t => {
  let last = 0
  const newKey = () => `${++last}`
  const marks = marksOf([{ __component: 'a', id: 1 }, { __component: 'a' }, { __component: 'b', id: 1 }], null)
  const keyed = alignKeys([], marks, newKey)
  t.same(
    keyed.map(({ key }) => key),
    ['1', '2', '3'],
  )
  const keysOf = (values: readonly unknown[]) => alignKeys(keyed, marksOf(values, null), newKey).map(({ key }) => key)
  t.equal(alignKeys(keyed, [...marks], newKey), keyed)
  t.same(
    keysOf([
      { __component: 'b', id: 1 },
      { __component: 'a', id: 1 },
    ]),
    ['3', '1'],
    'they are found by their ids',
  )
  t.same(
    keysOf([
      { __component: 'a', id: 1 },
      { __component: 'a', id: 9 },
      { __component: 'b', id: 1 },
    ]),
    ['1', '2', '3'],
    'a save gives the second one an id',
  )
  t.same(keysOf([{ __component: 'b' }, { __component: 'a', id: 7 }]), ['4', '2'])
  t.same(marksOf(null, 'a'), [])
})

t.test('places', async t => {
  t.same(withMoved(['a', 'b', 'c'], 0, 2), ['b', 'c', 'a'])
  t.same(withMoved(['a', 'b', 'c'], 2, 0), ['c', 'a', 'b'])
  t.equal(indexAfterDrop(0, 2, 'before'), 1)
  t.equal(indexAfterDrop(0, 2, 'after'), 2)
  t.equal(indexAfterDrop(2, 0, 'before'), 0)
  t.equal(indexAfterDrop(2, 0, 'after'), 1)
})

t.test('the search over components', async t => {
  const all = [...model.components.values()]
  const found = (searched: string) =>
    groupComponents(all, searched).map(group => [group.category, ...group.components.map(({ label }) => label)])
  t.same(found(''), [
    ['Sections', 'Hero'],
    ['Shared', 'Link', 'Text', 'Endless'],
  ])
  t.same(found('share te'), [['Shared', 'Text']])
  t.same(found('nothing'), [])
  t.equal(hero.icon, 'picture')
})

t.test('a new component has the defaults of the schema, and what it requires', async t => {
  const link = { url: null, isNew: true }
  t.same(emptyValues(hero.attributes, model.components), {
    tone: 'a',
    body: null,
    heading: null,
    note: null,
    link,
    links: [link, link],
    more: [],
  })
  t.same(firstValues(page, null, model.components), { hero: null, zone: [] })
  const endless = emptyValues(model.components.get('shared.endless')!.attributes, model.components)
  t.equal(JSON.stringify(endless).match(/again/g)!.length, 9, 'one that requires itself ends')
})

t.test('what the user may not fill is not sent back', async t => {
  const values = { id: 1, heading: 'H', note: 'N', link: null }
  t.same(writtenValues({ hero: values }, page.attributes, model), { hero: { id: 1, heading: 'H', link: null } })
  t.same(
    writtenValues({ zone: [{ id: 2, __component: 'gone.one', any: { id: 3 } }] }, page.attributes, model),
    { zone: [{ id: 2, __component: 'gone.one', any: { id: 3 } }] },
    'a component that is not known stays as it is',
  )
})

t.test('faults below a path', async t => {
  const tree = [
    undefined,
    { heading: { message: 'a', ref: { message: 'b' } }, links: { message: 'c', 0: { url: { message: 'd' } } } },
  ]
  t.same(
    [...faultsBelow(tree)],
    [
      ['1.heading', 'a'],
      ['1.links', 'c'],
      ['1.links.0.url', 'd'],
    ],
  )
  t.equal(faultsBelow({ message: 'own' }).get(''), 'own')
  t.equal(faultsBelow(undefined).size, 0)
})
