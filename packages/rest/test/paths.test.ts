// Entries that a lifecycle looked at take another way to JSON than rows (entries.ts, serialize.ts): both say the same.

import { definePlugin } from '@plinth/kernel'
import t, { type Test } from 'tap'
import { start, type } from './fixtures/boot.ts'

const to = (relation: string, name: string, side: object = {}) => ({
  type: 'relation',
  relation,
  target: `api::${name}.${name}`,
  ...side,
})
const part = (component: string, repeatable = false) => ({ type: 'component', component, repeatable })
const scalars = {
  text: { type: 'text' },
  count: { type: 'integer' },
  big: { type: 'biginteger' },
  price: { type: 'decimal' },
  ratio: { type: 'float' },
  open: { type: 'boolean' },
  day: { type: 'date' },
  clock: { type: 'time' },
  moment: { type: 'datetime' },
  data: { type: 'json' },
  secret: { type: 'string', private: true },
}
const components = {
  'a.leaf': {
    collectionName: 'components_a_leafs',
    attributes: { word: { type: 'string' }, tag: to('oneToOne', 'tag'), tags: to('oneToMany', 'tag') },
  },
  'a.branch': {
    collectionName: 'components_a_branches',
    attributes: { leaf: part('a.leaf'), leaves: part('a.leaf', true) },
  },
}
const contentTypes = [
  type('tag', { label: { type: 'string' }, secret: { type: 'string', private: true } }),
  type('thing', {
    ...scalars,
    one: to('manyToOne', 'tag'),
    many: to('manyToMany', 'tag'),
    none: to('oneToOne', 'tag'),
    empty: to('oneToMany', 'tag'),
    self: to('oneToOne', 'thing'),
    branch: part('a.branch'),
    branches: part('a.branch', true),
    bare: part('a.branch'),
    zone: { type: 'dynamiczone', components: ['a.leaf', 'a.branch'] },
    cover: { type: 'media', multiple: false },
    pictures: { type: 'media', multiple: true },
    notes: { type: 'relation', relation: 'morphMany', target: 'api::note.note', morphBy: 'about' },
    note: { type: 'relation', relation: 'morphOne', target: 'api::note.note', morphBy: 'about' },
  }),
  type('note', { text: { type: 'string' }, about: { type: 'relation', relation: 'morphToMany' } }),
]

const leaf = { word: 'w', tag: 1, tags: [1, 2] }
const thing = {
  text: 'a "quoted"\n text',
  count: 3,
  big: '9007199254740993',
  price: 1.5,
  ratio: 0.1,
  open: true,
  day: '2024-02-29',
  clock: '12:30:00.000',
  moment: '2024-02-29T12:30:00.000Z',
  data: { a: [1, null, { b: 'c' }] },
  secret: 's',
  one: 1,
  many: [2, 1],
  branch: { leaf, leaves: [leaf, { word: null }] },
  branches: [{ leaf }, {}],
  zone: [
    { __component: 'a.leaf', ...leaf },
    { __component: 'a.branch', leaf, leaves: [leaf] },
  ],
}

/** A server on which lifecycles look at everything, or nobody at anything; entry meta on both. */
async function open(t: Test, looks: boolean) {
  const meta = definePlugin({
    name: 'meta',
    register({ kernel }) {
      const isThing = ({ uid }: { uid: string }) => uid === 'api::thing.thing'
      kernel.hooks.on('prePlan', { for: isThing }, node => {
        if (node.via === 'root' && node.query.meta) node.meta('labels', { relation: 'many', attribute: 'label' })
      })
    },
  })
  const started = await start(t, { contentTypes, components, plugins: { meta: { plugin: meta } } })
  const { kernel, of } = started
  let seen = 0
  if (looks) {
    const look = () => void seen++
    kernel.lifecycles.subscribe(null, { afterFindOne: look, afterFindMany: look })
  }
  for (const label of ['x', 'y']) await of('tag').create({ data: { label, secret: 's' } })
  await of('thing').create({ data: thing })
  await of('thing').create({ data: { self: 1 } })
  await of('note').create({ data: { text: 'n', about: [{ id: 1, __type: 'api::thing.thing' }] } })
  return { ...started, seen: () => seen }
}

const stamps = /\d{4}-\d\d-\d\dT(?!12:30)[\d:.]+Z/g

const everything = [
  'populate=*',
  'populate[branch][populate][leaf][populate]=*&populate[branch][populate][leaves][populate]=*',
  'populate[branches][populate][leaf][populate]=*',
  'populate[self][populate]=*',
  'populate[cover]=*&populate[pictures]=*&populate[none]=*&populate[empty]=*&populate[bare]=*',
  'populate[many][count]=true',
  'fields[0]=text&fields[1]=data&populate[one][fields]=label',
  'fields[0]=id',
  'sort=id:desc&pagination[limit]=1',
  'filters[id]=99',
]
const zones = ['populate[zone][populate]=*', 'populate[zone][on][a.branch][populate][leaf][populate]=*']
const morphs = ['populate[notes][populate]=*', 'populate[note]=*', 'populate[notes][populate][about][populate]=*']

t.test('with lifecycles and without', async t => {
  const [rows, entries] = [await open(t, false), await open(t, true)]
  const both = async (url: string) => {
    const before = entries.seen()
    const texts = [(await rows.app.inject(url)).payload, (await entries.app.inject(url)).payload]
    t.ok(entries.seen() > before, 'a lifecycle looked')
    const [short, long] = texts.map(text => text.replaceAll(stamps, 'now'))
    t.same(JSON.parse(long!), JSON.parse(short!), url)
    t.equal(long, short, `${url}, to the letter`)
    return short!
  }
  t.match(await both('/api/things?populate=*'), /"many":\{"data":\[\{"id":\d,"attributes":\{"label":"/)
  for (const query of everything) {
    await both(`/api/things?${query}`)
    await both(`/api/things/1?${query}`)
  }
  t.test('zones', async t => {
    for (const query of zones) await both(`/api/things?${query}`)
    t.end()
  })
  t.test('morphs', async t => {
    for (const query of morphs) await both(`/api/things?${query}`)
    await both('/api/notes?populate=*')
    await both('/api/notes?populate[about][populate]=one,many')
    t.end()
  })
})
