/**
 * Leaks through the query language (security.md B1) for callers whose role has, or lacks, the right that a path needs.
 * The same without rights, for what nobody may read, is in leaks.test.ts.
 */

import t, { type Test } from 'tap'
import type { Client } from '../boot.ts'
import { all, type Members, ofUsers, reads, roleUid, startMembers, userUid } from './members.ts'
import { refused } from './refusal.ts'

const types = ['article', 'category', 'landing-page', 'order', 'person', 'product', 'review', 'site-setting', 'tag']

/** `reader` may read articles and what tells nothing of people; `insider` may read everything. */
const permissions = {
  public: [...reads('tag')],
  reader: ['article', 'category', 'landing-page', 'order', 'product'].flatMap(reads),
  insider: [...types.map(all), ...ofUsers, `${roleUid}.find`, `${roleUid}.findOne`],
}

/** People with secrets, articles, an order of a customer. */
async function fill({ of }: Members): Promise<void> {
  await of('tag').create({ data: { label: 'One' } })
  const person = { fullName: 'Ann', email: 'ann@people.test', secret: 'topsecret', internalNotes: 'zebra' }
  await of('person').create({ data: { ...person, interests: [1], account: 1 } })
  await of('person').create({ data: { fullName: 'Bob', partner: 1 } })
  const blocks = [
    { __component: 'blocks.quote', text: 'quoted' },
    { __component: 'blocks.spotlight', heading: 'lit', person: 1 },
  ]
  await of('category').create({ data: { name: 'News', slug: 'news' } })
  await of('article').create({ data: { title: 'First', author: 1, coAuthors: [2], category: 1, tags: [1], blocks } })
  await of('article').create({ data: { title: 'Second', author: 2, category: 1 } })
  const variants = [{ name: 'Red', secretCode: 'abc' }]
  await of('product').create({ data: { name: 'Lamp', price: 1, costPrice: 7, variants } })
  await of('order').create({ data: { reference: 'A', customer: 1, lines: [{ quantity: 1, product: 1 }] } })
  await of(userUid).update(1, { data: { resetPasswordToken: 'abcdefgh', confirmationToken: 'ijklmnop' } })
}

const start = async (t: Test) => {
  const rest = { config: { defaultLimit: 25, maxLimit: 100, deep: 5 } }
  const members = await startMembers(t, { permissions, plugins: { rest } })
  await members.user('victim', 'reader')
  await fill(members)
  const [reader, insider] = [await members.as('reader'), await members.as('insider')]
  return { ...members, reader, insider }
}

/** Every URL is refused, with the name of the attribute alone, and the same as for a name that does not exist. */
async function alike(t: Test, api: Client, urls: readonly ((name: string) => string)[], names: readonly string[]) {
  for (const url of urls)
    for (const name of [...names, 'nope']) {
      const answer = await api.get(url(name))
      refused(t, answer, 400)
      t.equal(answer.body.error?.message, `Invalid parameter ${name}`, url(name))
    }
}

t.test('leaks for callers with roles', async t => {
  const { reader, insider, kernel, of } = await start(t)
  const both: readonly [string, Client][] = [
    ['reader', reader],
    ['insider', insider],
  ]

  await t.test(
    'security.md row 1: tokens of accounts are guessed by nobody (CVE-2023-22894, CVE-2026-27886)',
    async t => {
      for (const [, api] of both)
        for (const path of ['createdBy][resetPasswordToken', 'createdBy][id', 'updatedBy][password', 'createdBy'])
          refused(t, await api.get(`/api/articles?filters[${path}][$startsWith]=a`), 400, path.split(']')[0])
      const names = ['resetPasswordToken', 'confirmationToken', 'password', 'tokensValidFrom']
      const paths = [
        (name: string) => `/api/orders?filters[customer][${name}][$startsWith]=a`,
        (name: string) => `/api/articles?filters[author][account][${name}][$startsWith]=a`,
        (name: string) => `/api/articles?filters[blocks][person][account][${name}]=a`,
        (name: string) => `/api/users?filters[role][users][${name}][$startsWith]=a`,
        (name: string) => `/api/users?filters[${name}][$startsWith]=a`,
      ]
      await alike(t, insider, paths.slice(0, 2), names)
      await alike(t, insider, paths.slice(3), names)
      for (const url of paths.slice(0, 2)) refused(t, await reader.get(url('email')), 400, /customer|author/)
      for (const url of paths.slice(3)) refused(t, await reader.get(url('email')), 403)
      for (const name of names) refused(t, await insider.get(paths[2]!(name)), 400)
    },
  )

  await t.test('security.md row 2: filters on private and password attributes', async t => {
    const paths = [
      (name: string) => `/api/articles?filters[author][${name}][$startsWith]=t`,
      (name: string) => `/api/people?filters[${name}][$startsWith]=t`,
      (name: string) => `/api/orders?filters[lines][product][${name}]=7`,
      (name: string) => `/api/products?filters[variants][${name}]=abc`,
      (name: string) => `/api/tags?filters[articles][author][partner][${name}][$null]=true`,
    ]
    const names = [['secret', 'internalNotes'], ['secret', 'internalNotes'], ['costPrice'], ['secretCode'], ['secret']]
    for (const [i, url] of paths.entries()) await alike(t, insider, [url], names[i]!)
    refused(t, await reader.get(paths[0]!('fullName')), 400, 'author')
    t.equal((await insider.list('/api/articles?filters[author][fullName]=Ann')).length, 1, 'with the right')
    refused(t, await reader.get('/api/articles?filters[author][nope]=1'), 400, 'author')
    refused(t, await reader.get('/api/articles?filters[author]=1'), 400, 'author')
    refused(t, await reader.get('/api/articles?filters[author][id][$notNull]=true'), 400, 'author')
  })

  await t.test('security.md row 3: the same inside groups, populates and zones', async t => {
    const urls = [
      (path: string) => `/api/articles?filters[$or][0][title]=x&filters[$or][1]${path}=a`,
      (path: string) => `/api/articles?filters[$and][0][$not]${path}=a`,
      (path: string) => `/api/articles?filters[$not][$or][0]${path}[$ne]=a`,
      (path: string) => `/api/categories?populate[articles][filters]${path}=a`,
      (path: string) => `/api/categories?populate[articles][populate][category][filters][articles]${path}=a`,
    ]
    for (const url of urls) {
      for (const name of ['secret', 'internalNotes', 'nope'])
        refused(t, await insider.get(url(`[author][${name}]`)), 400, `Invalid parameter ${name}`)
      refused(t, await reader.get(url('[author][fullName]')), 400, 'author')
      t.equal((await insider.get(url('[author][fullName]'))).status, 200, 'with the right')
    }
    const inZone = (name: string) => `populate[blocks][on][blocks.spotlight][populate][person][filters][${name}]=a`
    for (const name of ['secret', 'internalNotes', 'nope'])
      refused(t, await insider.get(`/api/articles?${inZone(name)}`), 400, `Invalid parameter ${name}`)
  })

  await t.test('security.md row 4: sorts', async t => {
    for (const [, api] of both) {
      refused(t, await api.get('/api/articles?sort=createdBy.email:asc'), 400, 'createdBy')
      refused(t, await api.get('/api/articles?sort[0][author][secret]=asc'), 400)
    }
    refused(t, await reader.get('/api/articles?sort=author.fullName'), 400, 'author')
    refused(t, await reader.get('/api/articles?sort=author'), 400, 'author')
    refused(t, await reader.get('/api/articles?sort=author.id'), 400, 'author')
    refused(t, await reader.get('/api/categories?populate[articles][sort]=author.fullName'), 400, 'author')
    refused(t, await reader.get('/api/orders?sort=customer.email'), 400, 'customer')
    refused(t, await insider.get('/api/orders?sort=customer.password'), 400, 'password')
    t.equal((await insider.get('/api/articles?sort=author.fullName')).status, 200, 'with the right')
  })

  await t.test('security.md row 5: fields', async t => {
    await alike(t, insider, [name => `/api/people?fields=${name}`], ['secret', 'internalNotes'])
    const below = (name: string) => `/api/articles?populate[author][fields][0]=${name}`
    await alike(t, insider, [below], ['secret', 'internalNotes'])
    await alike(t, insider, [name => `/api/orders?populate[customer][fields][0]=${name}`], ['password'])
    for (const name of ['fullName', 'secret', 'nope']) {
      const { status, text } = await reader.get(below(name))
      t.ok(status === 200 || status === 400)
      t.notMatch(text, /Ann|topsecret|"author"/)
    }
  })

  await t.test('security.md row 6: what the caller may not find is not populated or counted', async t => {
    const forms = [
      'populate=author',
      'populate=*',
      'populate[author]=*',
      'populate[author][count]=true',
      'populate[author][fields]=*',
      'populate[0]=author.partner',
      'populate[author][populate][partner]=*',
      'populate[blocks][populate]=*',
      'populate[blocks][on][blocks.spotlight][populate][person]=*',
      'populate[category][populate][articles][populate]=author',
      'populate=deep',
      'populate=deep,3',
    ]
    for (const form of forms) {
      for (const url of [`/api/articles?${form}`, `/api/articles/1?${form}`]) {
        const { status, text } = await reader.get(url)
        t.ok(status === 200 || status === 400, url)
        t.notMatch(text, /Ann|Bob|"author"|"person"|people\.test/, url)
      }
    }
    t.notMatch((await reader.get('/api/orders?populate=*')).text, /customer|victim/)
    for (const [, api] of both) t.notMatch((await api.get('/api/articles?populate=createdBy,updatedBy')).text, /edBy"/)
    t.match((await insider.get('/api/articles?populate=author')).text, /"author":\{"data":\{"id":1/, 'with the right')
    t.match(
      (await reader.get('/api/articles/1?populate=deep,3')).text,
      /"category":\{"data":\{"id":1/,
      'deep, the rest stays',
    )
    const deep = await insider.get('/api/articles?populate=deep,3')
    t.match(deep.text, /"author":\{"data":\{"id":1/, 'deep, with the right')
    t.notMatch(deep.text, /topsecret|abcdefgh|ijklmnop|scrypt|edBy"/)
    t.match((await insider.get('/api/orders?populate=customer')).text, /victim/)
    t.notMatch((await insider.get('/api/orders?populate[customer][populate]=*')).text, /abcdefgh|ijklmnop|scrypt/)
  })

  await t.test('security.md row 7: words of the lower layers of v4 (CVE-2023-34235, CVE-2024-56143)', async t => {
    const words = ['where', 'lookup', 'params][where', 'params][lookup', 'filters][where', 'options][where']
    for (const [name, api] of both) {
      const plain = await api.get('/api/articles?populate[category]=*')
      for (const word of words) {
        const [first, ...rest] = word.split('][')
        const path = [first, ...rest.map(part => `[${part}]`)].join('')
        const url = `/api/articles?populate[category]=*&${path}[author][internalNotes][$startsWith]=z`
        const answer = await api.get(url)
        if (first === 'filters') refused(t, answer, 400, 'where')
        else t.same(answer.body, plain.body, `${name}: ${word}`)
      }
      const below = ['lookup', 'where', 'on', 'having', 'select', 'orderBy']
      for (const word of below) {
        const url = `/api/articles?populate[category]=*&populate[category][${word}][name][$startsWith]=x`
        const answer = await api.get(url)
        if (answer.status !== 400) t.same(answer.body, plain.body, `${name}: populate ${word}`)
      }
      for (const word of ['select=id', 'orderBy=id:desc', 'offset=1', 'groupBy=id', '_where[id]=1', '_sort=id:desc'])
        t.same((await api.get(`/api/articles?populate[category]=*&${word}`)).body, plain.body, `${name}: ${word}`)
    }
  })

  await t.test('security.md row 7: names of tables reach no column (CVE-2023-34235)', async t => {
    for (const [, api] of both)
      for (const name of ['t0.internal_notes', 't1.secret', 'people.secret', 't0.title', 't1.password', 'main.id'])
        for (const url of [
          `filters[${name}][$startsWith]=z`,
          `sort=${name}`,
          `fields[0]=${name}`,
          `filters[$or][0][${name}]=z`,
        ])
          refused(t, await api.get(`/api/articles?${url}`), 400)
  })

  await t.test('security.md row 8: the search finds nothing by what is not read', async t => {
    for (const text of ['zebra', 'topsecret', '$scrypt', '$2', 'scrypt'])
      for (const path of ['people', 'articles', 'users']) {
        const { text: found } = await insider.get(`/api/${path}?_q=${encodeURIComponent(text)}`)
        t.notMatch(found, /"id":/, `${path}: ${text}`)
      }
    for (const text of ['abcdefgh', 'ijklmnop']) t.notMatch((await insider.get(`/api/users?_q=${text}`)).text, /"id":/)
    t.same(await reader.list('/api/articles?_q=Ann'), [], 'nor through relations')
    t.equal((await insider.list('/api/people?_q=Ann')).length, 1)
  })

  await t.test('security.md row 10: nothing is counted by an attribute that is not read', async t => {
    for (const name of ['password', 'resetPasswordToken', 'confirmationToken', 'tokensValidFrom', 'nope'])
      for (const form of [`${name}[$notNull]=true`, `$not[${name}]=x`, `role[users][${name}][$startsWith]=a`])
        refused(t, await insider.get(`/api/users/count?${form}`), 400, `Invalid parameter ${name}`)
    refused(t, await insider.get('/api/users/count?createdBy[id]=1'), 400, 'createdBy')
    t.equal((await insider.get('/api/users/count?role[users][username]=victim')).text, '2', 'with the right')
    const plain = await reader.get('/api/articles')
    for (const word of ['groupBy=author', 'aggregate[count]=author', '_aggregate=author', 'count=author'])
      t.same((await reader.get(`/api/articles?${word}`)).body, plain.body, word)
    const { body } = await insider.get(
      '/api/articles?filters[author][secret][$notNull]=true&pagination[withCount]=true',
    )
    t.notOk(body.meta, 'no total comes with a refusal')
  })

  await t.test('security.md row 14: entries that may not be read answer alike, whether they exist or not', async t => {
    const askOnce = async (id: number | string, path: string) => {
      const statements: string[] = []
      const observer = { onStatement: (text: string) => void statements.push(text), onBegin() {}, onEnd() {} }
      const answer = await kernel.observe(observer, () => reader.get(`/api/${path}/${id}`))
      return { status: answer.status, text: answer.text, statements }
    }
    // The caller is looked up again after a second: what a request needs itself is seen in the one that follows.
    const ask = async (id: number | string, path = 'people') => {
      let answer = await askOnce(id, path)
      for (let count = 0; answer.statements.length > 0 && count < 3; count++) answer = await askOnce(id, path)
      return answer
    }
    for (const path of ['people', 'users', 'reviews']) {
      const known = await ask(1, path)
      t.equal(known.status, 403, path)
      t.same(known.statements, [], 'no statement, so the time says nothing')
      for (const id of [999, 2, 'abc']) t.same(await ask(id, path), known, `${path}/${id}`)
    }
    for (const [method, body] of [
      ['put', { data: { fullName: 'x' } }],
      ['delete', undefined],
    ] as const) {
      const [known, unknown] = [1, 999].map(id => reader[method](`/api/people/${id}`, body as never))
      t.same((await known!).text, (await unknown!).text, method)
      t.equal((await known!).status, 403)
    }
    t.equal(await of('person').count(), 2)
  })

  await t.test('CVE-2023-36472: codes and hashes are in no answer, whatever the rights', async t => {
    const urls = [
      '/api/users?populate=*',
      '/api/users/1?populate=*&fields=*',
      '/api/users/me?populate=*&fields=*',
      '/api/users?populate[role][populate][users][populate]=*',
      '/api/orders?populate[customer][populate]=*',
      '/api/people?populate[account][fields]=*',
      '/api/users-permissions/roles',
      '/api/users-permissions/roles/1?populate=users',
    ]
    for (const url of urls) {
      const { status, text } = await insider.get(url)
      t.equal(status, 200, url)
      t.notMatch(
        text,
        /abcdefgh|ijklmnop|\$scrypt|tokensValidFrom|resetPasswordToken|confirmationToken|"password"/,
        url,
      )
    }
  })
})
