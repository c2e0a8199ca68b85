// Attributes with names that every object of JavaScript has: they are filtered, sorted, selected and populated like others, and
// where no attribute has such a name, nothing changes (security.md row 25).

import { createServer } from '@plinth/server'
import t from 'tap'
import rest from '../src/index.ts'

const names = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf', 'toLocaleString']

type Attributes = Readonly<Record<string, Readonly<Record<string, unknown>>>>

const type = (name: string, attributes: Attributes) => ({
  uid: `api::${name}.${name}`,
  collectionName: `${name}s`,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  attributes,
})
const every = (definition: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(names.map(name => [name, definition])) as Attributes

async function start(contentTypes: readonly unknown[]) {
  const app = await createServer({
    database: { client: 'sqlite', connection: { filename: ':memory:' } },
    contentTypes,
    plugins: { rest: { plugin: rest } },
    logger: false,
  })
  t.teardown(() => app.close())
  await app.ready()
  const get = async (url: string) => {
    const { statusCode, body } = await app.inject({ url: `/api/${url}` })
    return {
      status: statusCode,
      body: JSON.parse(body) as { data: { id: number; attributes: Record<string, unknown> }[] },
    }
  }
  const post = (url: string, data: object) => app.inject({ method: 'POST', url: `/api/${url}`, payload: { data } })
  return { get, post }
}

t.test('attributes', async t => {
  const relation = { type: 'relation', relation: 'manyToMany', target: 'api::thing.thing' }
  const { get, post } = await start([type('thing', every({ type: 'string' })), type('list', every(relation))])
  for (const value of ['a', 'b']) await post('things', Object.fromEntries(names.map(name => [name, value])))
  await post('lists', Object.fromEntries(names.map(name => [name, [1]])))
  await post('lists', {})
  const ids = async (url: string) => {
    const { status, body } = await get(url)
    return status === 200 ? body.data.map(one => one.id) : status
  }
  for (const name of names) {
    const encoded = [...name].map(letter => `%${letter.charCodeAt(0).toString(16)}`).join('')
    for (const key of [
      `[${name}]`,
      `[${name}][$eq]`,
      `%5B${name}%5D`,
      `[${encoded}]`,
      `[$and][0][${name}]`,
      `[$or][0][${name}][$in][0]`,
    ])
      t.same(await ids(`things?filters${key}=b`), [2], key)
    t.same(await ids(`things?filters[$not][${name}]=b`), [1])
    for (const key of [`sort=${name}:desc`, `sort[0]=${name}:desc`, `sort[${name}]=desc`])
      t.same(await ids(`things?${key}`), [2, 1], key)
    for (const key of [`fields=${name}`, `fields[0]=${name}`])
      t.same(Object.keys((await get(`things?${key}`)).body.data[0]!.attributes), [name], key)
    for (const key of [
      `=${name}`,
      `[0]=${name}`,
      `[${name}]=true`,
      `[${name}]=*`,
      `[${name}][fields]=id`,
      `[${name}][populate]=*`,
      `[${name}][filters][${name}]=a`,
    ]) {
      const { body } = await get(`lists?populate${key}`)
      t.match(body, { data: [{ attributes: { [name]: { data: [{ id: 1 }] } } }] }, key)
    }
    t.match((await get(`lists?populate[${name}][filters][${name}]=b`)).body, {
      data: [{ attributes: { [name]: { data: [] } } }],
    })
    t.same(await ids(`lists?filters[${name}][${name}]=a`), [1])
    t.same(await ids(`lists?filters[${name}][id]=2`), [])
  }
  t.same(await ids('things?filters[propertyIsEnumerable]=b'), 400, 'a name without an attribute is refused as before')
  t.same(await ids('things?filters[__proto__][x]=1'), [1, 2], 'or is as if absent')
  t.notOk('x' in {})
})

t.test('many parameters, and texts with faulty escapes', async t => {
  const { get, post } = await start([type('thing', every({ type: 'string' }))])
  await post('things', { toString: 'a' })
  const many = Array.from({ length: 300 }, (_, i) => `filters[toString][$in][${i}]=${i}`).join('&')
  t.same((await get(`things?${many}`)).body.data, [])
  t.same((await get(`things?${many}&filters[toString][$in][300]=a`)).body.data.length, 1)
  t.equal((await get('things?filters[toString]=%E0%A4%A')).status, 400)
  t.equal((await get('things?filters[%E0%A4%A]=1')).status, 400)
})

t.test('no attribute of these names', async t => {
  const { get, post } = await start([type('thing', { name: { type: 'string' } })])
  await post('things', { name: 'a' })
  t.equal((await get('things?filters[toString]=b')).status, 400)
  t.equal((await get('things?filters[constructor]=b')).body.data.length, 1, 'as if absent')
})
