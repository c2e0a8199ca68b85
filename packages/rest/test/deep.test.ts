// `populate=deep[,depth]`, as the v4 plugin populate-deep answers it: each answer is that of the populate that it stands for.

import type { Kernel } from '@plinth/kernel'
import t, { type Test } from 'tap'
import { start, type } from './fixtures/boot.ts'

const to = (relation: string, name: string, more: object = {}) => ({
  ...{ type: 'relation', relation, target: `api::${name}.${name}` },
  ...more,
})
const part = (component: string, more: object = {}) => ({ type: 'component', component, ...more })

const contentTypes = [
  type('tag', { label: { type: 'string' }, secret: to('manyToMany', 'person', { private: true }) }),
  type('person', {
    name: { type: 'string' },
    boss: to('manyToOne', 'person'),
    articles: to('oneToMany', 'article', { mappedBy: 'author' }),
  }),
  type('article', {
    title: { type: 'string' },
    author: to('manyToOne', 'person', { inversedBy: 'articles' }),
    tags: to('manyToMany', 'tag'),
    others: to('manyToMany', 'article'),
    seo: part('a.seo'),
    cards: part('a.card', { repeatable: true }),
    zone: { type: 'dynamiczone', components: ['a.seo', 'a.card', 'a.plain'] },
    about: { type: 'relation', relation: 'morphToOne' },
  }),
  { ...type('home', { title: { type: 'string' }, hero: to('oneToOne', 'article') }), kind: 'singleType' },
  type('plain', { title: { type: 'string' } }),
  type('own', { deep: to('manyToMany', 'tag') }),
]
const component = (name: string, attributes: object) => ({
  collectionName: `components_a_${name}s`,
  info: { displayName: name },
  attributes,
})
const components = {
  'a.seo': component('seo', { text: { type: 'string' }, person: to('oneToOne', 'person') }),
  'a.card': component('card', { text: { type: 'string' }, tags: to('oneToMany', 'tag'), seo: part('a.seo') }),
  'a.plain': component('plain', { text: { type: 'string' } }),
}

async function filled(t: Test, config: object = { deep: 5 }, more: object = {}) {
  const { app, of } = await start(t, { config: config as never, contentTypes, components, ...more })
  const tag = await of('tag').create({ data: { label: 'a' } })
  const boss = await of('person').create({ data: { name: 'Ann' } })
  const person = await of('person').create({ data: { name: 'Bob', boss: boss.id } })
  const seo = { text: 's', person: boss.id }
  const card = { text: 'c', tags: [tag.id], seo }
  const zone = [
    { __component: 'a.seo', ...seo },
    { __component: 'a.card', ...card },
    { __component: 'a.plain', text: 'p' },
  ]
  const data = {
    author: person.id,
    tags: [tag.id],
    seo,
    cards: [card, card],
    zone,
    about: { __type: 'api::tag.tag', id: tag.id },
  }
  const first = await of('article').create({ data: { title: 'first', ...data } })
  await of('article').create({ data: { title: 'second', ...data, others: [first.id] } })
  await of('home').create({ data: { title: 'h', hero: first.id } })
  await of('plain').create({ data: { title: 'p' } })
  await of('own').create({ data: { deep: [tag.id] } })
  const get = async (url: string) => {
    const response = await app.inject(url)
    return { status: response.statusCode, body: response.json() }
  }
  return { app, of, get }
}

/** The query string of a populate. */
const query = (populate: object): string => {
  const pairs: string[] = []
  const add = (value: unknown, path: string): void => {
    if (value === true) pairs.push(`${path}=true`)
    else for (const [key, below] of Object.entries(value as object)) add(below, `${path}[${key}]`)
  }
  add(populate, 'populate')
  return pairs.join('&')
}

const below = (populate: object) => ({ populate })
const plain = { author: true, tags: true, others: true, seo: true, cards: true, zone: true, about: true }

t.test('it stands for a populate', async t => {
  const { get } = await filled(t)
  // Attributes with the name of a table that was passed are left out: `articles` of a person here, and `tags` everywhere
  // behind the first one, except in components.
  const cases: [name: string, deep: string, populate: object | null, path?: string][] = [
    ['no level', 'deep,1', null],
    ['no level, as in v4', 'deep,0', null],
    ['one level', 'deep,2', plain],
    [
      'two levels',
      'deep,3',
      {
        ...plain,
        author: below({ boss: true }),
        others: below({ author: true, others: true, seo: true, cards: true, zone: true, about: true }),
        seo: below({ person: true }),
        cards: below({ tags: true, seo: true }),
        zone: below({ person: true, tags: true, seo: true }),
      },
    ],
    ['a type without relations', 'deep', null, '/api/plains'],
    ['a single type', 'deep,2', { hero: true }, '/api/home'],
    ['another type of the same names', 'deep,2', { boss: true, articles: true }, '/api/people'],
    ['one entry', 'deep,2', plain, '/api/articles/2'],
    ['an attribute of that name', 'deep', { deep: true }, '/api/owns'],
  ]
  for (const [name, deep, populate, path = '/api/articles?sort=id'] of cases) {
    const url = path === '/api/people' ? '/api/persons' : path
    const and = url.includes('?') ? '&' : '?'
    const expected = await get(`${url}${populate === null ? '' : and + query(populate)}`)
    t.equal(expected.status, 200, name)
    t.same(await get(`${url}${and}populate=${deep}`), expected, name)
  }
})

t.test('three and four levels', async t => {
  const { get } = await filled(t)
  const { body } = await get('/api/articles/2?populate=deep,4')
  const { author, others, cards, zone, tags, about } = body.data.attributes
  t.match(author, { data: { attributes: { boss: { data: { attributes: { boss: { data: null } } } } } } })
  t.notOk('articles' in author.data.attributes, 'it has the name of a table that was passed')
  t.notOk('secret' in tags.data[0].attributes, 'private attributes are left out')
  const [other] = others.data
  t.notOk('tags' in other.attributes, 'the table of tags was passed')
  t.match(other.attributes, { author: { data: { id: 2 } }, cards: [{ seo: { text: 's' } }, {}] })
  t.match(cards[0], { tags: { data: [{ id: 1 }] }, seo: { person: { data: { id: 1, attributes: { name: 'Ann' } } } } })
  t.match(zone, [{ person: { data: { id: 1 } } }, { seo: { person: { data: { id: 1 } } } }, { text: 'p' }])
  t.match(about, { id: 1, label: 'a' }, 'entries of any type are populated plainly')
  t.same((await get('/api/articles/2?populate=deep')).body, (await get('/api/articles/2?populate=deep,5')).body)
})

t.test('forms, and other parameters', async t => {
  const { get, app } = await filled(t)
  const expected = await get('/api/articles?populate=deep,3')
  for (const form of [
    'populate[0]=deep&populate[1]=3',
    'populate[]=deep&populate[]=3',
    'populate[]=deep,3',
    'populate=deep,%203',
    'populate=deep,3,author',
  ])
    t.same(await get(`/api/articles?${form}`), expected, form)
  for (let i = 0; i < 3; i++) {
    const { body } = await get(
      '/api/articles?populate=deep,2&fields=title&filters[title]=second&pagination[withCount]=false',
    )
    t.equal(body.data.length, 1)
    t.same(Object.keys(body.data[0].attributes), ['title', ...Object.keys(plain)])
    t.match(
      (await get('/api/tags?populate=deep,2')).body.data,
      [{ attributes: { label: 'a' } }],
      'of each type its own',
    )
  }
  t.same((await get('/api/articles?populate=author,deep')).body, (await get('/api/articles?populate=author')).body)
  const write = await app.inject({
    method: 'PUT',
    url: '/api/articles/2?populate=deep,2',
    payload: { data: { title: 'new' } },
  })
  t.match(write.json(), { data: { attributes: { title: 'new', author: { data: { id: 2 } }, seo: { text: 's' } } } })
})

t.test('wrong depths', async t => {
  const { get, app } = await filled(t, { deep: 3 })
  const message = async (url: string) => {
    const { status, body } = await get(url)
    t.match(
      { status, error: body.error },
      { status: 400, error: { name: 'ValidationError', details: { path: 'populate' } } },
    )
    return body.error.message
  }
  t.match(await message('/api/articles?populate=deep,4'), 'the setting deep of the plugin rest allows 3')
  t.match(await message('/api/home?populate=deep,99'), 'allows 3')
  for (const depth of ['x', '1.5', '-1', '3e1', 'NaN'])
    t.match(await message(`/api/articles/1?populate=deep,${depth}`), 'the depth must be a whole number', depth)
  const write = await app.inject({
    method: 'PUT',
    url: '/api/articles/1?populate=deep,9',
    payload: { data: { title: 'x' } },
  })
  t.equal(write.statusCode, 400)
  t.match((await get('/api/articles/1')).body.data.attributes, { title: 'first' }, 'nothing is written')
})

t.test('without the setting', async t => {
  const { get } = await filled(t, {})
  for (const url of ['/api/articles?populate=deep', '/api/articles/1?populate=deep,3', '/api/home?populate[]=deep']) {
    const { status, body } = await get(url)
    t.equal(status, 400, url)
    t.match(body.error, {
      message: /populate=deep is not enabled; the setting deep .*rest: \{ config: \{ deep: 5 \} \}/,
    })
  }
  t.equal((await get('/api/owns?populate=deep')).status, 200, 'the name of an attribute')
  t.equal((await get('/api/articles?populate=deeper')).status, 200, 'another name is ignored')
  for (const deep of [0, 1, 13, 2.5, '5'])
    await t.rejects(start(t, { config: { deep } as never }), { message: /rest\.config\.deep/ }, String(deep))
})

t.test('it is planned once, whatever the values', async t => {
  let plans = 0
  const { get } = await filled(
    t,
    { deep: 5 },
    {
      configure: (kernel: Kernel) => kernel.hooks.on('prePlan', () => void plans++),
    },
  )
  const ask = (title: string) => get(`/api/articles?populate=deep,4&filters[title]=${title}`)
  plans = 0
  t.equal((await ask('first')).body.data.length, 1)
  const first = plans
  t.ok(first > 10, 'hooks check each node')
  for (const title of ['second', 'third', 'first']) await ask(title)
  t.equal(plans, first)
})

t.test('limits: nodes of its own, not those of callers, and rows', async t => {
  const lists = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`list${i}`, to('manyToMany', 'hub')]))
  const hubs = (count: number) => [type('hub', { label: { type: 'string' }, ...lists(count) })]
  const many = await start(t, { config: { deep: 5 }, contentTypes: hubs(12) })
  await many.of('hub').create({ data: { label: 'a' } })
  const answer = async ({ app }: Pick<typeof many, 'app'>, url: string) => (await app.inject(url)).json()
  t.match(
    await answer(many, '/api/hubs?populate=deep,3'),
    { data: [{ id: 1 }] },
    '12 + 144 nodes, more than callers may name',
  )
  t.match(await answer(many, '/api/hubs?populate[list0][populate]=*'), { data: [{ id: 1 }] })
  const tooMany = await answer(many, '/api/hubs?populate=deep,4')
  t.match(tooMany.error, {
    status: 400,
    message: /populate=deep,4 has more than 1000 nodes; send a smaller depth/,
    details: { nodes: 1001, maxNodes: 1000 },
  })
  t.match((await answer(many, '/api/hubs?populate=deep')).error, {
    message: /populate=deep,5 has more than 1000 nodes/,
  })
  const own = Array.from({ length: 101 }, (_, i) => `populate[list${i % 12}][populate][list${Math.floor(i / 12)}]=true`)
  t.match((await answer(many, `/api/hubs?${own.join('&')}`)).error, { message: /more than 100 content types/ })

  const rows = await filled(t, { deep: 5 }, { maxRows: 20 })
  t.equal((await rows.get('/api/articles/1?populate=deep,2')).status, 200)
  t.match((await rows.get('/api/articles?populate=deep,5')).body.error, { status: 400, details: { maxRows: 20 } })
})
