/** Leaks by queries (security.md B1): attributes that a caller may not read may not be used in queries either. */

import t, { type Test } from 'tap'
import { boot, client } from '../boot.ts'
import { refused } from './refusal.ts'

t.test('leaks through the query language', async t => {
  const api = client(await boot(t))
  await api.create('people', { fullName: 'Ann', secret: 'topsecret', internalNotes: 'zebra' }, { fullName: 'Bob' })
  await api.create('articles', { title: 'One', author: 1 })
  await api.create('products', { name: 'Lamp', price: 1, costPrice: 7, variants: [{ name: 'Red', secretCode: 'abc' }] })

  /** Private, password and missing names are refused with the same message. */
  const alike = async (t: Test, url: (name: string) => string, names: readonly string[]) => {
    for (const name of [...names, 'nope']) {
      const answer = await api.get(url(name))
      refused(t, answer, 400)
      t.equal(answer.body.error?.message, `Invalid parameter ${name}`, url(name))
    }
  }

  t.test('security.md row 1: a path through the creator does not lead to accounts', async t => {
    for (const path of ['createdBy][resetPasswordToken', 'createdBy][password', 'updatedBy][email']) {
      refused(t, await api.get(`/api/articles?filters[${path}][$startsWith]=a`), 400, path.split(']')[0])
    }
  })

  t.test('security.md row 2: filters on private and password fields, at any depth', async t => {
    await alike(t, name => `/api/people?filters[${name}][$startsWith]=t`, ['secret', 'internalNotes'])
    await alike(t, name => `/api/articles?filters[author][${name}][$startsWith]=t`, ['secret', 'internalNotes'])
    await alike(t, name => `/api/products?filters[variants][${name}]=abc`, ['secretCode'])
    await alike(t, name => `/api/products?filters[${name}]=7`, ['costPrice'])
  })

  t.test('security.md row 3: the same inside $or, populate and on', async t => {
    const inside = [
      (name: string) => `/api/people?filters[$and][0][${name}]=a`,
      (name: string) => `/api/people?filters[$or][0][fullName]=a&filters[$or][1][${name}]=a`,
      (name: string) => `/api/people?filters[$not][${name}]=a`,
      (name: string) => `/api/articles?populate[author][filters][${name}]=a`,
      (name: string) => `/api/articles?populate[author][populate][partner][filters][${name}]=a`,
      (name: string) => `/api/articles?populate[blocks][on][blocks.spotlight][populate][person][filters][${name}]=a`,
    ]
    for (const url of inside) await alike(t, url, ['secret', 'internalNotes'])
    await alike(t, name => `/api/articles?populate[blocks][on][blocks.quote][filters][${name}]=a`, [])
  })

  t.test('security.md row 4: sorts', async t => {
    await alike(t, name => `/api/people?sort=${name}:asc`, ['secret', 'internalNotes'])
    await alike(t, name => `/api/articles?sort[0][author][${name}]=asc`, ['secret', 'internalNotes'])
    await alike(t, name => `/api/articles?populate[author][sort]=${name}`, ['secret', 'internalNotes'])
    refused(t, await api.get('/api/articles?sort=createdBy.email:asc'), 400, 'createdBy')
  })

  t.test('security.md row 5: fields', async t => {
    await alike(t, name => `/api/people?fields=${name}`, ['secret', 'internalNotes'])
    await alike(t, name => `/api/people?fields[0]=fullName&fields[1]=${name}`, ['secret'])
    await alike(t, name => `/api/articles?populate[author][fields][0]=${name}`, ['secret', 'internalNotes'])
  })

  t.test('security.md row 6: a populated creator is left out', async t => {
    const [article] = await api.list('/api/articles?populate=createdBy')
    t.notOk(Object.hasOwn(article!.attributes, 'createdBy'))
  })

  t.test('security.md row 7: parameters of the lower layers of v4 have no effect', async t => {
    const plain = await api.get('/api/people')
    const words = [
      'where[id]=1',
      'lookup[id]=1',
      'select=id',
      'orderBy=id:desc',
      'offset=1',
      '_publicationState=preview',
      'params[where][id]=1',
    ]
    for (const word of words) t.same((await api.get(`/api/people?${word}`)).body, plain.body, word)
  })

  t.test('security.md row 8: the search ignores hidden attributes', async t => {
    for (const text of ['zebra', 'topsecret', '$2']) t.same(await api.list(`/api/people?_q=${text}`), [], text)
    t.same(await api.list('/api/products?_q=7'), [], 'nor private numbers')
    t.equal((await api.list('/api/people?_q=ann')).length, 1, 'and it does search')
  })

  t.test('security.md row 12b: a password is in no response', async t => {
    const answers = await Promise.all([
      api.get('/api/people?fields=*&populate=*'),
      api.get('/api/articles?populate[author][fields]=*'),
      api.post('/api/people?populate=*', { data: { fullName: 'Cy', secret: 'topsecret' } }),
    ])
    for (const { status, text } of answers) {
      t.equal(status, 200)
      t.notMatch(text, /secret|\$2[aby]\$|internalNotes|zebra/)
    }
  })
})
