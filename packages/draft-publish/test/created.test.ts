// The state of a new entry whose data has no `publishedAt`, by REST, GraphQL and code, with both settings.

import graphql from '@plinth/graphql'
import rest from '@plinth/rest'
import { createServer } from '@plinth/server'
import { freshDatabase, testClient } from '@plinth/test-tools/databases'
import t, { type Test } from 'tap'
import draftPublish from '../src/index.ts'
import { type } from './fixtures/boot.ts'

const attributes = { title: { type: 'string', required: true }, text: { type: 'string' } }
const contentTypes = [
  type('book', true, attributes),
  type('shelf', false, attributes),
  { ...type('home', true, attributes), kind: 'singleType' },
]

async function serve(t: Test, config: Readonly<Record<string, unknown>>) {
  const database = await freshDatabase(testClient())
  const plugins = {
    rest: { plugin: rest },
    graphql: { plugin: graphql },
    'draft-publish': { plugin: draftPublish, config },
  }
  const app = await createServer({
    database: database.config,
    contentTypes: contentTypes as never,
    plugins,
    logger: false,
  })
  t.teardown(async () => {
    await app.close()
    await database.drop()
  })
  const send = async (method: 'POST' | 'PUT', url: string, payload: object) => {
    const response = await app.inject({ method, url, payload })
    return { status: response.statusCode, body: response.json() }
  }
  return {
    of: (name: string) => app.kernel.query(`api::${name}.${name}`),
    /** Whether what REST has written is a draft; the status of an error. */
    written: async (method: 'POST' | 'PUT', url: string, data: object) => {
      const { status, body } = await send(method, url, { data })
      return status === 200 ? body.data.attributes.publishedAt === null : status
    },
    /** The same of an entry that GraphQL has created. */
    created: async (data: string) => {
      const query = `mutation { createBook(data: { ${data} }) { data { attributes { publishedAt } } } }`
      const { body } = await send('POST', '/graphql', { query })
      return body.errors === undefined ? body.data.createBook.data.attributes.publishedAt === null : 400
    },
  }
}

const now = '2024-02-29T12:00:00.000Z'

t.test("with create: 'draft', a new entry is a draft that may be incomplete", async t => {
  const { of, written, created } = await serve(t, { create: 'draft' })
  t.equal(await written('POST', '/api/books', { title: 'One' }), true)
  t.equal(await written('POST', '/api/books', { text: 'One' }), true, 'without what is required')
  t.equal(await written('POST', '/api/books', { title: 'One', publishedAt: now }), false)
  t.equal(await written('POST', '/api/books', { publishedAt: now }), 400)
  t.equal(await created('title: "One"'), true)
  t.equal(await created('text: "One"'), true)
  t.equal(await created(`title: "One", publishedAt: "${now}"`), false)
  t.equal(await created(`publishedAt: "${now}"`), 400)
  t.match(await of('book').create({ data: {} }), { publishedAt: null })
  t.equal(await of('book').count(), 2, 'drafts are not live')
  t.equal(await written('POST', '/api/shelfs', { text: 'One' }), 400, 'of types without drafts nothing changes')
  t.equal(await written('PUT', '/api/home', { text: 'One' }), true)
  t.equal(await written('PUT', '/api/home', { text: 'Two' }), true, 'nor do changes publish')
  t.equal(await written('PUT', '/api/home', { publishedAt: now }), 400)
  t.equal(await written('PUT', '/api/home', { title: 'Home', publishedAt: now }), false)
})

t.test('without the setting, it is as in v4', async t => {
  const { of, written, created } = await serve(t, {})
  t.equal(await written('POST', '/api/books', { title: 'One' }), false)
  t.equal(await written('POST', '/api/books', { text: 'One' }), 400)
  t.equal(await created('title: "One"'), true)
  t.equal(await created('text: "One"'), 400)
  t.equal(await written('PUT', '/api/home', { title: 'Home' }), false)
  t.equal((await of('book').create({ data: { title: 'One' } })).publishedAt === null, false)
})
