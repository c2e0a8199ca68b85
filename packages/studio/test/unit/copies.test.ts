// Copies of entries, and the drafts that a form links.

import t from 'tap'
import { buildModel } from '../../src/model/build.ts'
import { copyForDuplicate, copyForTranslation } from '../../src/model/copied.ts'
import { linkedDrafts } from '../../src/model/linked-drafts.ts'

const localized = { pluginOptions: { i18n: { localized: true } } }
const rights = {
  actions: new Set(['find', 'create', 'update']),
  readable: null,
  creatable: null,
  updatable: null,
  seesDrafts: true,
  locales: null,
}
const type = (name: string, isLocalized: boolean, attributes: Record<string, Record<string, unknown>>) => ({
  uid: `api::${name}.${name}`,
  displayName: name,
  singularName: name,
  pluralName: `${name}s`,
  kind: 'collectionType' as const,
  draftAndPublish: true,
  isLocalized,
  attributes,
})
const to = (relation: string, name: string) => ({ type: 'relation', relation, target: `api::${name}.${name}` })

const model = buildModel({
  types: [
    type('page', true, {
      title: { type: 'string', ...localized },
      slug: { type: 'uid', targetField: 'title' },
      code: { type: 'string', unique: true },
      secret: { type: 'password' },
      author: to('manyToOne', 'author'),
      twin: to('oneToOne', 'author'),
      tags: to('manyToMany', 'tag'),
      zone: { type: 'dynamiczone', components: ['shared.hero'], ...localized },
    }),
    type('author', false, { name: { type: 'string' } }),
    type('tag', true, { name: { type: 'string' } }),
  ],
  components: [
    {
      uid: 'shared.hero',
      displayName: 'Hero',
      attributes: {
        heading: { type: 'string' },
        author: to('manyToOne', 'author'),
        inner: { type: 'component', component: 'shared.hero' },
      },
    },
  ],
  rights: new Map(['page', 'author', 'tag'].map(name => [`api::${name}.${name}`, rights])),
  actions: new Set(),
  settings: {},
})
const page = model.typesBySlug.get('pages')!
const draft = { id: 8, name: 'Ann', publishedAt: null }
const entry = {
  id: 1,
  locale: 'en',
  title: 'A',
  slug: 'a',
  code: 'x',
  author: draft,
  twin: { id: 9, name: 'Bo', publishedAt: '2026-01-01' },
  tags: [{ id: 3, name: 'sea', publishedAt: null }],
  zone: [
    { id: 5, __component: 'shared.hero', heading: 'H', author: draft, inner: { id: 6, heading: 'I', author: null } },
  ],
}
const zone = [{ __component: 'shared.hero', heading: 'H', author: draft, inner: { heading: 'I', author: null } }]

t.test('a duplicate', async t => {
  const { values, leftOut } = copyForDuplicate(page, entry, model)
  t.same(values, {
    title: 'A',
    slug: null,
    code: null,
    secret: undefined,
    author: draft,
    twin: null,
    tags: entry.tags,
    zone,
  })
  t.same(
    leftOut.map(({ name }) => name),
    ['slug', 'code', 'twin'],
    'what no two entries can have',
  )
})

t.test('a translation', async t => {
  const { values, leftOut } = copyForTranslation(page, entry, model)
  t.match(values, { title: 'A', slug: null, code: 'x', author: draft, tags: [], zone })
  t.same(
    leftOut.map(({ name }) => name),
    ['slug', 'twin', 'tags'],
    'what belongs to one language; what all share is copied',
  )
})

t.test('linked drafts', async t => {
  const found = linkedDrafts(page.attributes, entry, model)
  t.same(
    found.map(({ type: { slug }, id, name }) => [slug, id, name]),
    [
      ['authors', 8, 'Ann'],
      ['tags', 3, 'sea'],
    ],
    'each once, at any depth',
  )
})
