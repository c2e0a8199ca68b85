// The model of the panel: what rights and settings leave of the schemas, and what follows for forms and lists.

import t from 'tap'
import { buildModel, type ModelParts } from '../../src/model/build.ts'
import { columnsOf, firstColumns } from '../../src/model/columns.ts'
import { filtersParameter, operatorsOf } from '../../src/model/filters.ts'
import { formOf } from '../../src/model/form-tree.ts'
import { groupTypes } from '../../src/model/groups.ts'
import { labelOf, listLabelOf } from '../../src/model/labels.ts'
import { populateForForm } from '../../src/model/populate.ts'
import { queryString } from '../../src/model/query-string.ts'
import type { TypeRights } from '../../src/model/types.ts'

const localized = { i18n: { localized: true } }

const parts: ModelParts = {
  types: [
    {
      uid: 'api::article.article',
      displayName: 'Article',
      singularName: 'article',
      pluralName: 'articles',
      kind: 'collectionType',
      draftAndPublish: true,
      isLocalized: true,
      attributes: {
        title: { type: 'string', required: true, pluginOptions: localized },
        featured: { type: 'boolean' },
        publishedOn: { type: 'date' },
        note: { type: 'text', private: true },
        hidden: { type: 'string' },
        author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
        zone: { type: 'dynamiczone', components: ['shared.hero'] },
      },
    },
    {
      uid: 'api::author.author',
      displayName: 'Writer',
      singularName: 'author',
      pluralName: 'authors',
      kind: 'collectionType',
      attributes: { name: { type: 'string' }, slug: { type: 'uid' } },
    },
    { uid: 'api::secret.secret', displayName: 'Secret', singularName: 'secret', pluralName: 'secrets', attributes: {} },
    {
      uid: 'plugin::upload.file',
      displayName: 'File',
      singularName: 'file',
      pluralName: 'files',
      kind: 'collectionType',
      attributes: { name: { type: 'string' } },
    },
  ],
  components: [
    {
      uid: 'shared.hero',
      displayName: 'Hero',
      category: 'shared',
      attributes: {
        heading: { type: 'string' },
        picture: { type: 'media' },
        inner: { type: 'component', component: 'shared.hero' },
      },
    },
  ],
  rights: new Map([
    [
      'api::article.article',
      rightsOf({ readable: ['title', 'featured', 'publishedOn', 'author', 'zone'], updatable: ['title', 'note'] }),
    ],
    ['api::author.author', rightsOf({ actions: ['find'] })],
    ['plugin::upload.file', rightsOf({})],
  ]),
  actions: new Set(),
  settings: {
    'api::article.article': { group: 'Texts', layout: [['featured', 'title']], labels: { title: 'Headline' } },
  },
}

interface Granted {
  readonly actions?: readonly string[]
  readonly readable?: readonly string[]
  readonly updatable?: readonly string[]
}

function rightsOf({ actions = ['find', 'findOne', 'create', 'update'], readable, updatable }: Granted): TypeRights {
  const names = (list?: readonly string[]) => (list === undefined ? null : new Set(list))
  return {
    actions: new Set(actions),
    readable: names(readable),
    creatable: names(updatable),
    updatable: names(updatable),
    seesDrafts: true,
    locales: null,
  }
}

const model = buildModel(parts)
const article = model.typesBySlug.get('articles')!

t.test('types and attributes of which the user has nothing are left out', async t => {
  t.same(
    model.types.map(({ slug }) => slug),
    ['articles', 'authors'],
  )
  t.same(
    article.attributes.map(({ name }) => name),
    ['title', 'featured', 'publishedOn', 'note', 'author', 'zone'],
    'a private attribute that can be written stays',
  )
})

t.test('the form', async t => {
  const rows = formOf(article, 'update')
  t.same(
    rows.map(row => row.map(({ attribute, width }) => `${attribute.label} ${width}`)),
    [['Featured half', 'Headline half'], ['Published on half'], ['Note full'], ['Author full'], ['Zone full']],
    'the rows of the layout, then the others',
  )
  const fields = Object.fromEntries(rows.flat().map(field => [field.attribute.name, field]))
  t.match(fields, {
    title: { isDisabled: false, isShared: false },
    note: { isDisabled: false },
    featured: { isDisabled: true, isShared: true },
    author: { isShared: false },
  })
})

t.test('forms leave out what is hidden, and do not change what is read-only', async t => {
  const settings = { hiddenAttributes: ['note', 'author'], readonlyAttributes: ['title'], pageSize: 50 }
  const presented = buildModel({ ...parts, settings: { 'api::article.article': settings } }).typesBySlug.get(
    'articles',
  )!
  const fields = formOf(presented, 'update').flat()
  t.same(
    fields.map(({ attribute, isDisabled }) => `${attribute.name} ${isDisabled}`),
    ['title true', 'featured true', 'publishedOn true', 'zone true'],
  )
  t.ok(
    columnsOf(presented).some(({ name }) => name === 'author'),
    'a list still has a column for it',
  )
  t.equal(presented.pageSize, 50)
})

t.test('columns', async t => {
  t.same(firstColumns(article), ['title', 'featured', 'publishedOn', 'publishedAt', 'locale', 'updatedAt'])
  const names = columnsOf(article).map(({ name }) => name)
  t.notOk(names.includes('note'), 'what is not answered is no column')
  t.notOk(names.includes('zone'))
})

t.test('filters', async t => {
  const columns = columnsOf(article)
  const filters = filtersParameter(
    article,
    columns,
    {
      filters: [
        ['title', '$containsi', 'a b'],
        ['author', '$containsi', 'Ann'],
        ['author', '$null', ''],
        ['gone', '$eq', '1'],
        ['featured', '$containsi', 'x'],
      ],
      state: 'draft',
    },
    uid => model.typesByUid.get(uid)!.mainField,
  )
  t.same(filters, [
    { title: { $containsi: 'a b' } },
    { author: { name: { $containsi: 'Ann' } } },
    { author: { id: { $null: 'true' } } },
    { publishedAt: { $null: 'true' } },
  ])
  t.equal(
    queryString({ filters: { $and: filters.slice(0, 1) }, q: null }),
    '?filters[$and][0][title][$containsi]=a%20b',
  )
  t.same(operatorsOf({ type: 'component' }), [])
})

t.test('what a form asks for ends where components contain themselves', async t => {
  const { zone, author } = populateForForm(article, model) as Record<string, never>
  t.same(author, { fields: ['name'] })
  t.equal(JSON.stringify(zone).match(/"picture":true/g)!.length, 8)
})

t.test('names', async t => {
  t.equal(labelOf('publishedOn'), 'Published on')
  t.equal(labelOf('meta_title'), 'Meta title')
  t.equal(labelOf('seoURL'), 'Seo URL')
  t.equal(listLabelOf('Article', 'article', 'articles'), 'Articles')
  t.equal(listLabelOf('Our texts', 'article', 'articles'), 'Our texts')
  t.same(
    groupTypes(model.types, { collection: 'Content', single: 'Pages' }).map(({ heading, types }) => [
      heading,
      types.length,
    ]),
    [
      ['Texts', 1],
      ['Content', 1],
    ],
  )
})
