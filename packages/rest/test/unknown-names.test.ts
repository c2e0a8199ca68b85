// Names that mean nothing: ignored as in v4, with a remark where somebody listens, and refused with `unknown: 'refuse'`.

import t, { type Test } from 'tap'
import { start, tags, type } from './fixtures/boot.ts'

const contentTypes = [
  ...tags,
  type('author', {
    name: { type: 'string' },
    posts: { type: 'relation', relation: 'oneToMany', target: 'api::post.post', mappedBy: 'author' },
  }),
  type('post', {
    title: { type: 'string' },
    note: { type: 'string', private: true },
    author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'posts' },
    rival: { type: 'relation', relation: 'oneToOne', target: 'api::author.author', private: true },
    seo: { type: 'component', component: 'a.seo' },
    body: { type: 'dynamiczone', components: ['a.seo', 'a.quote'] },
  }),
]
const components = {
  'a.seo': {
    collectionName: 'components_a_seos',
    info: { displayName: 'seo' },
    attributes: { words: { type: 'string' } },
  },
  'a.quote': {
    collectionName: 'components_a_quotes',
    info: { displayName: 'quote' },
    attributes: { text: { type: 'string' } },
  },
}

/** A query string or a body, the path of its fault, the remark on it, and the word that a refusal suggests. */
const queries: readonly (readonly [query: string, path: string, remark: string, near: string | null])[] = [
  ['populate=autor', 'populate.autor', 'populate: no attribute "autor", did you mean "author"?', 'author'],
  [
    'populate[author][populate]=pots',
    'populate.author.populate.pots',
    'populate.author.populate: no attribute "pots", did you mean "posts"?',
    'posts',
  ],
  ['populate=title', 'populate.title', 'populate: "title" is a string, which is answered without populate', null],
  ['populate=rival', 'populate.rival', 'populate: attribute "rival" is private', null],
  [
    'populate[body][on][a.qote]=*',
    'populate.body.on.a.qote',
    'populate.body.on: no component "a.qote" in the zone, did you mean "a.quote"?',
    'a.quote',
  ],
  [
    'populate[author][filter][name]=x',
    'populate.author.filter',
    'populate.author: unknown parameter "filter", did you mean "filters"?',
    'filters',
  ],
  [
    'pagination[pagesize]=1',
    'pagination.pagesize',
    'pagination: unknown parameter "pagesize", did you mean "pageSize"?',
    'pageSize',
  ],
  ['popluate=author', 'popluate', 'unknown parameter "popluate", did you mean "populate"?', 'populate'],
]

const bodies: readonly (readonly [data: object, path: string, remark: string, near: string | null])[] = [
  [{ titel: 'a' }, 'titel', 'data: no attribute "titel", did you mean "title"?', 'title'],
  [{ seo: { word: 'a' } }, 'seo.word', 'data.seo: no attribute "word", did you mean "words"?', 'words'],
  [
    { body: [{ __component: 'a.quote', txt: 'a' }] },
    'body.0.txt',
    'data.body.0: no attribute "txt", did you mean "text"?',
    'text',
  ],
  [{ nota: 'a' }, 'nota', 'data: no attribute "nota"', null],
]

async function server(t: Test, config: Readonly<Record<string, unknown>>, remarks: string[] | null = null) {
  const configure = (kernel: { hooks: { on(name: 'onRemark', fn: (remark: string) => void): void } }) => {
    if (remarks !== null) kernel.hooks.on('onRemark', remark => void remarks.push(remark))
  }
  const { app, kernel } = await start(t, { contentTypes, components, config, configure: configure as never })
  await kernel.query('api::post.post').create({ data: { title: 'a' } })
  const get = (query: string) => app.inject(`/api/posts?${query}`)
  const post = (data: object) => app.inject({ method: 'POST', url: '/api/posts', payload: { data } })
  return { app, kernel, get, post }
}

t.test('they are ignored, and the answer is the same where somebody listens', async t => {
  const remarks: string[] = []
  const [silent, heard] = [await server(t, {}), await server(t, {}, remarks)]
  t.equal(silent.kernel.hooks.onRemark, null, 'nobody listens')
  for (const [query, , remark] of queries) {
    remarks.length = 0
    const [one, other] = [await silent.get(query), await heard.get(query)]
    t.equal(one.statusCode, 200, query)
    t.equal(other.body.replaceAll(/"\w+At":"[^"]+"/g, ''), one.body.replaceAll(/"\w+At":"[^"]+"/g, ''), query)
    t.same(remarks, [remark], query)
    await heard.get(query)
    t.same(remarks, [remark, remark], 'also for a query that is planned already')
  }
  for (const [data, , remark] of bodies) {
    remarks.length = 0
    const [one, other] = [await silent.post(data), await heard.post(data)]
    t.match([one.statusCode, other.statusCode], [200, 200])
    t.same(remarks, [remark], JSON.stringify(data))
  }
  remarks.length = 0
  await heard.get(
    'populate=*&filters[title]=a&sort=title&pagination[page]=1&pagination[withCount]=true&fields=title&_q=a',
  )
  await heard.get('populate[seo]=true&populate[body][on][a.seo][fields]=words&populate[author][count]=true')
  await heard.post({ title: 'b', id: 9, seo: { id: 3, words: 'a' }, body: [{ __component: 'a.seo', words: 'a' }] })
  t.same(remarks, [], 'nothing is said of what has a meaning')
})

t.test('with `refuse` they are 400 with path and the nearest word', async t => {
  const { app, get, post } = await server(t, { unknown: 'refuse' })
  const { get: ignoring } = await server(t, { unknown: 'ignore' })
  const check = (answer: Awaited<ReturnType<typeof get>>, path: string, near: string | null) => {
    const { error } = answer.json()
    t.match(error, { status: 400, name: 'ValidationError', details: { path } }, path)
    if (near === null) t.notMatch(error.message, 'did you mean', path)
    else t.match(error.message, `did you mean "${near}"?`, path)
  }
  for (const [query, path, , near] of queries) {
    t.equal((await ignoring(query)).statusCode, 200)
    check(await get(query), path, near)
    check(await get(query), path, near)
    const one = await app.inject(`/api/posts/1?${query}`)
    if (!query.startsWith('pagination')) check(one, path, near)
  }
  for (const [data, path, , near] of bodies) check(await post(data), path, near)
  check(
    await app.inject({ method: 'POST', url: '/api/posts?populate=autor', payload: { data: {} } }),
    'populate.autor',
    'author',
  )
  t.equal((await get('populate=*&populate[0]=author&filters[title]=a&pagination[pageSize]=1&_q=a')).statusCode, 200)
  t.equal((await post({ title: 'b', author: null, seo: { words: 'a' } })).statusCode, 200)
  t.equal((await post({ title: 'b', author: null })).json().data.attributes.title, 'b')
})

t.test("v4's own refusals say where, and the nearest word that the caller may read, with `refuse` alone", async t => {
  const [refusing, usual] = [await server(t, { unknown: 'refuse' }), await server(t, {})]
  const cases: readonly (readonly [query: string, name: string, path: string, near: string | null])[] = [
    ['filters[titel]=a', 'titel', 'filters.titel', 'title'],
    ['filters[$or][0][author][nam][$eq]=a', 'nam', 'filters.author.nam', 'name'],
    ['sort=titel', 'titel', 'sort.titel', 'title'],
    ['sort=author.nam:desc', 'nam', 'sort.author.nam', 'name'],
    ['fields=titel', 'titel', 'fields', 'title'],
    ['populate[author][filters][nam]=a', 'nam', 'populate.author.filters.nam', 'name'],
    ['filters[note]=a', 'note', 'filters.note', null],
    ['filters[noet]=a', 'noet', 'filters.noet', null],
  ]
  for (const [query, name, path, near] of cases) {
    const hint = near === null ? '' : `, did you mean "${near}"?`
    const wanted = {
      status: 400,
      name: 'ValidationError',
      message: `Invalid parameter ${name}${hint}`,
      details: { path },
    }
    t.same((await refusing.get(query)).json().error, wanted, query)
    t.same(
      (await usual.get(query)).json().error,
      { ...wanted, message: `Invalid parameter ${name}`, details: {} },
      query,
    )
  }
})

t.test('`populate=deep` is not refused for what it leaves out', async t => {
  const { get } = await server(t, { unknown: 'refuse', deep: 3 })
  t.match((await get('populate=deep')).json(), { data: [{ attributes: { title: 'a', author: { data: null } } }] })
})
