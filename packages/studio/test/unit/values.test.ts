// Values on their way from the API into a form and back: what was not touched is not sent, and nothing is lost.

import t from 'tap'
import { buildModel } from '../../src/model/build.ts'
import { changedValues, isEqual } from '../../src/model/changes.ts'
import { readEntry } from '../../src/model/entry.ts'
import { faultsIn, inputPathOf } from '../../src/model/faults.ts'
import { parseListAddress } from '../../src/model/list-address.ts'
import { pagesAround } from '../../src/model/pages-around.ts'
import { previewAddress } from '../../src/model/preview.ts'
import { writtenValues } from '../../src/model/written.ts'

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
        data: { type: 'json' },
        tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
        about: { type: 'relation', relation: 'morphToMany' },
        cover: { type: 'media' },
        seo: { type: 'component', component: 'shared.seo' },
        zone: { type: 'dynamiczone', components: ['shared.seo'] },
      },
    },
  ],
  components: [
    {
      uid: 'shared.seo',
      displayName: 'Seo',
      attributes: {
        text: { type: 'string' },
        picture: { type: 'media' },
        page: { type: 'relation', target: 'api::page.page' },
      },
    },
  ],
  rights: new Map([['api::page.page', rights]]),
  actions: new Set(),
  settings: {},
})
const { attributes } = model.types[0]!

const wire = {
  id: 7,
  attributes: {
    title: 'A',
    data: { data: [{ id: 1, attributes: {} }] },
    tags: { data: [{ id: 2, attributes: { name: 'x' } }] },
    about: [{ id: 3, __type: 'api::tag.tag', name: 'y' }],
    cover: { data: { id: 4, attributes: { url: '/a.png' } } },
    seo: { id: 5, text: 'T', picture: { data: null }, page: { data: { id: 9, attributes: { title: 'B' } } } },
    zone: [{ id: 6, __component: 'shared.seo', text: 'Z' }],
    updatedAt: '2026-01-01T00:00:00.000Z',
  },
}

const entry = readEntry(wire, attributes, model)

t.test('an entry is read by its schema', async t => {
  t.same(entry, {
    id: 7,
    updatedAt: '2026-01-01T00:00:00.000Z',
    title: 'A',
    data: wire.attributes.data,
    tags: [{ id: 2, name: 'x' }],
    about: [{ id: 3, __type: 'api::tag.tag', name: 'y' }],
    cover: { id: 4, url: '/a.png' },
    seo: { id: 5, text: 'T', picture: null, page: { id: 9, title: 'B' } },
    zone: [{ id: 6, __component: 'shared.seo', text: 'Z' }],
  })
})

t.test('it is written with ids', async t => {
  t.same(writtenValues(entry, attributes, model), {
    title: 'A',
    data: wire.attributes.data,
    tags: { set: [2] },
    about: { set: [{ id: 3, __type: 'api::tag.tag' }] },
    cover: 4,
    seo: { id: 5, text: 'T', picture: null, page: 9 },
    zone: [{ id: 6, __component: 'shared.seo', text: 'Z' }],
  })
})

t.test('only what changed is sent', async t => {
  t.same(changedValues(entry, { ...entry, title: 'B', zone: [...(entry.zone as [])] }), { title: 'B' })
  t.same(changedValues({}, { title: null, secret: undefined, tags: [] }), { tags: [] }, 'undefined was not touched')
  t.ok(isEqual({ a: [1, { b: null }], c: undefined }, { a: [1, { b: null }] }))
  t.notOk(isEqual([], {}))
})

t.test('faults', async t => {
  const errors = [
    { path: ['zone[0]', 'text'], message: 'a' },
    { path: ['zone', '0', 'text'], message: 'b' },
    { path: 'title', message: 'c' },
    null,
  ]
  t.same(faultsIn({ errors }), [
    { path: 'zone.0.text', message: 'a' },
    { path: 'zone.0.text', message: 'b' },
  ])
  t.same(faultsIn(null), [])
  t.equal(inputPathOf('sections.0.text.1'), 'sections.0.text', 'a fault of a block is one of its input')
})

t.test('addresses', async t => {
  t.same(parseListAddress({ q: '', page: 1, size: 7, sort: 'a; drop', f: [['a', '$eq', 'b'], 'x'], state: 'other' }), {
    f: [['a', '$eq', 'b']],
  })
  t.same(parseListAddress({ q: 12, page: 3, size: 50, sort: 'title:desc', state: 'draft', locale: 'de' }), {
    q: '12',
    page: 3,
    size: 50,
    sort: 'title:desc',
    state: 'draft',
    locale: 'de',
  })
  t.equal(
    previewAddress('https://a.example/{slug}?l={locale}', { id: 1, slug: 'a/b', locale: 'en' }),
    'https://a.example/a%2Fb?l=en',
  )
  t.equal(previewAddress('/{slug}', { id: 1, slug: null }), null)
})

t.test('pages', async t => {
  t.same(pagesAround(1, 1), [1])
  t.same(pagesAround(1, 42), [1, 2, null, 42])
  t.same(pagesAround(4, 42), [1, 2, 3, 4, 5, null, 42])
  t.same(pagesAround(21, 42), [1, null, 20, 21, 22, null, 42])
})
