// Two types or attributes with the name of one table or column: a fault of the schema that names both places.

import t from 'tap'
import { boot, component, thrown, type, uid } from '../fixtures/boot.ts'

const to = (name: string, relation = 'manyToOne', more = {}) => ({
  type: 'relation',
  relation,
  target: uid(name),
  ...more,
})
const morph = { type: 'relation', relation: 'morphToOne' }
const string = { type: 'string' }

t.test('two attributes cannot have one column', async t => {
  const rows = [
    [{ a: morph, b: morph }, 'attributes.b: its column "target_id" is already used by the attribute "a"'],
    [
      { targetId: string, b: morph },
      'attributes.b: its column "target_id" is already used by the attribute "targetId"',
    ],
    [
      { at_id: string, at: to('page', 'manyToOne', { useJoinTable: false }) },
      'attributes.at: its column "at_id" is already used by the attribute "at_id"',
    ],
    [
      { title: string, other: { type: 'string', columnName: 'TITLE' } },
      'attributes.other: its column "TITLE" is already used by the attribute "title"',
    ],
    [{ title: { type: 'string', columnName: '' } }, 'attributes.title.columnName: must be the name of a column'],
    [
      { key: { type: 'string', columnName: 'ID' } },
      'attributes.key: its column "ID" is already used by the attribute "id"',
    ],
  ] as const
  for (const [attributes, words] of rows) {
    const error = await thrown(t, () => boot(t, { file: ':memory:', contentTypes: [type('page', attributes)] }))
    t.equal(`${error.name} ${error.message}`, `InvalidSchemaError api::page.page: ${words}`)
  }
})

t.test('two types cannot have one table', async t => {
  const others = type('other', {})
  const part = { type: 'component', component: 'shared.part' }
  const rows = [
    [
      [others, type('page', {}, { collectionName: 'Others' })],
      'page',
      'collectionName: the table "Others" is already used by api::other.other (api::other.other: collectionName "others")',
    ],
    [
      [type('page', { fooBar: to('page'), foo_bar: to('page') })],
      'page',
      'attributes.foo_bar: the table "pages_foo_bar_links" is already used by api::page.page (api::page.page: attributes.fooBar)',
    ],
    [
      [type('page', { to_tag: to('page') }), type('other', { tag: to('page') }, { collectionName: 'pages_to' })],
      'other',
      'attributes.tag: the table "pages_to_tag_links" is already used by api::page.page (api::page.page: attributes.to_tag)',
    ],
    [
      [type('page', { part }), type('other', {}, { collectionName: 'pages_components' })],
      'page',
      'collectionName: the table "pages_components" is already used by api::other.other (api::other.other: collectionName "pages_components")',
    ],
  ] as const
  const components = { 'shared.part': component('shared.part', {}) }
  for (const [contentTypes, name, words] of rows) {
    const error = await thrown(t, () => boot(t, { file: ':memory:', contentTypes, components }))
    t.equal(`${error.name} ${error.message}`, `InvalidSchemaError ${uid(name)}: ${words}`)
  }
})

t.test('a dynamic zone must list names of components', async t => {
  const rows = [
    [[5], 'must name a component, found 5'],
    [[null], 'must name a component, found null'],
  ] as const
  for (const [components, words] of rows) {
    const contentTypes = [type('page', { at: { type: 'dynamiczone', components } })]
    const { message } = await thrown(t, () => boot(t, { file: ':memory:', contentTypes }))
    t.equal(message, `api::page.page: attributes.at.components.0: ${words}`)
  }
})

t.test('tables and columns that are taken are faults of the schema', async t => {
  const rows = [
    [
      [type('person', {}), type('human', {}, { collectionName: 'persons' })],
      /^api::human\.human: collectionName: .*api::person/,
    ],
    [
      [type('person', { fooBar: { type: 'string' }, foo_bar: { type: 'string' } })],
      /^api::person\.person: attributes\.foo_bar: .*fooBar/,
    ],
  ] as const
  for (const [contentTypes, words] of rows) {
    const { name, message } = await thrown(t, () => boot(t, { file: ':memory:', contentTypes }))
    t.equal(name, 'InvalidSchemaError', message)
    t.match(message, words)
  }
})
