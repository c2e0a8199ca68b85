// Links between entries: what is offered, what is sent of a list that was changed, and where links to an entry are looked
// for.

import t from 'tap'
import { buildModel, type Schema } from '../../src/model/build.ts'
import { firstValues } from '../../src/model/first-values.ts'
import { linkChanges } from '../../src/model/link-changes.ts'
import { populateForForm } from '../../src/model/populate.ts'
import { isToMany, linkableTypes, offerParameters } from '../../src/model/relations.ts'
import { linkingTypes, usedByParameters } from '../../src/model/used-by.ts'
import { writtenChanges } from '../../src/model/written.ts'

const rights = {
  actions: new Set(['find', 'update']),
  readable: null,
  creatable: null,
  updatable: null,
  seesDrafts: true,
  locales: null,
}

const typeOf = (name: string, attributes: Schema['attributes'], rest: Partial<Schema> = {}): Schema => ({
  uid: `api::${name}.${name}`,
  displayName: name,
  singularName: name,
  pluralName: `${name}s`,
  attributes,
  ...rest,
})
const link = (relation: string, target: string, rest = {}) => ({ type: 'relation', relation, target, ...rest })
const tag = 'api::tag.tag'

const model = buildModel({
  types: [
    typeOf('tag', { name: { type: 'string' }, pages: link('manyToMany', 'api::page.page', { mappedBy: 'tags' }) }),
    typeOf(
      'page',
      {
        title: { type: 'string' },
        tags: link('manyToMany', tag, { inversedBy: 'pages' }),
        main: link('manyToOne', tag),
        hero: { type: 'component', component: 'shared.hero' },
        about: { type: 'relation', relation: 'morphToMany' },
        zone: { type: 'dynamiczone', components: ['shared.hero'] },
      },
      { draftAndPublish: true, isLocalized: true },
    ),
    typeOf('secret', { tag: link('manyToOne', tag) }),
  ],
  components: [
    {
      uid: 'shared.hero',
      displayName: 'Hero',
      attributes: { tag: link('oneToOne', tag), inner: { type: 'component', component: 'shared.hero' } },
    },
  ],
  rights: new Map([
    [tag, rights],
    ['api::page.page', rights],
    ['api::secret.secret', { ...rights, actions: new Set(['update']) }],
  ]),
  actions: new Set(),
  settings: {},
})
const page = model.typesByUid.get('api::page.page')!
const attributeOf = (name: string) => page.attributes.find(one => one.name === name)!

t.test('changes of a list make the new list of the old one', async t => {
  const listOf = (ids: readonly number[]) => ids.map(id => ({ id }))
  const changes = (before: readonly number[], after: readonly number[]) => linkChanges(listOf(before), listOf(after))
  t.same(changes([1, 2, 3], [1, 2, 3]), {})
  t.same(changes([1, 2, 3], [1, 3]), { disconnect: [2] })
  t.same(changes([1, 2], [1, 2, 3]), { connect: [{ id: 3, position: { end: true } }] })
  t.same(changes([1, 2, 3], [3, 1, 2]), { connect: [{ id: 3, position: { start: true } }] })
  t.same(changes([1, 2, 3, 4], [2, 3, 1, 4]), { connect: [{ id: 1, position: { after: 3 } }] })
  t.same(
    linkChanges([{ id: 1, __type: 'a' }], [{ id: 1, __type: 'b' }]),
    { disconnect: [{ id: 1, __type: 'a' }], connect: [{ id: 1, __type: 'b', position: { end: true } }] },
    'one id of two types is two links',
  )
  // Every order of four, played as the API plays it: one after the other, with a link in between that nobody sees.
  for (const after of ordersOf([1, 2, 3, 4, 5])) {
    const { connect = [] } = changes([1, 2, 3, 4], after)
    t.same(
      played([1, 2, 99, 3, 4], connect).filter(id => id !== 99),
      after,
      after.join(),
    )
  }
})

type Connections = NonNullable<ReturnType<typeof linkChanges>['connect']>

function played(stored: readonly number[], connect: Connections): readonly number[] {
  let list = stored
  for (const { id, position } of connect) {
    const rest = list.filter(one => one !== id)
    const place = 'after' in position ? rest.indexOf(position.after) + 1 : 'start' in position ? 0 : rest.length
    list = rest.toSpliced(place, 0, id)
  }
  return list
}

function ordersOf(items: readonly number[]): readonly (readonly number[])[] {
  if (items.length === 0) return [[]]
  return items.flatMap(item => ordersOf(items.filter(one => one !== item)).map(rest => [item, ...rest]))
}

t.test('only changes of links are sent', async t => {
  const before = { tags: [{ id: 1 }, { id: 2 }], main: { id: 1 }, about: [] }
  const write = (now: object) => writtenChanges({ ...now }, before, { attributes: page.attributes, model })
  t.same(write({ tags: [{ id: 2, name: 'b' }] }), { tags: { disconnect: [1] } })
  t.same(write({ tags: [{ id: 1 }, { id: 2, name: 'other' }] }), {}, 'names are no change')
  t.same(write({ main: null }), { main: null })
  t.same(write({ about: [{ id: 3, __type: tag }] }), {
    about: { connect: [{ id: 3, __type: tag, position: { end: true } }] },
  })
})

t.test('links that are not answered are not known', async t => {
  t.same(firstValues(page, { id: 1, title: 'A' }).tags, undefined)
  t.same(firstValues(page, { id: 1, tags: null, main: null }), {
    ...firstValues(page, { id: 1 }),
    title: null,
    tags: [],
    main: null,
  })
})

t.test('only types that the user may list are offered', async t => {
  t.same(
    linkableTypes(attributeOf('about'), model).map(({ slug }) => slug),
    ['tags', 'pages'],
  )
  t.ok(isToMany(attributeOf('about').options))
  t.notOk(isToMany(attributeOf('main').options))
  t.same(Object.keys((populateForForm(page, model).about as { readonly on: object }).on), [tag, 'api::page.page'])
  t.match(offerParameters(page, { text: 'a', locale: 'de', without: [3] }), {
    fields: ['title', 'publishedAt', 'locale'],
    locale: 'de',
    filters: { $and: [{ title: { $containsi: 'a' } }, { id: { $notIn: [3] } }] },
  })
})

t.test('an entry is used by relations of its side, also inside of components', async t => {
  const [linking, ...more] = linkingTypes(model.typesByUid.get(tag)!, model)
  t.equal(more.length, 0)
  t.same(linking!.paths.slice(0, 3), [['tags'], ['main'], ['hero', 'tag']])
  t.ok(linking!.paths.length < 8, 'a component that contains itself ends')
  t.match(usedByParameters(linking!, 5), {
    filters: {
      $or: [{ tags: { id: { $eq: 5 } } }, { main: { id: { $eq: 5 } } }, { hero: { tag: { id: { $eq: 5 } } } }],
    },
  })
})
