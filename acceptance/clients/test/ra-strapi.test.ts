// ra-strapi-v4-rest: the data provider of React Admin, which also sends files with entries.

import { createRequire } from 'node:module'
import t from 'tap'
import { fails } from './fixtures/fails.ts'
import { openSite, published } from './fixtures/site.ts'

const require = createRequire(import.meta.url)
const { strapiRestProvider } = require('ra-strapi-v4-rest') as typeof import('ra-strapi-v4-rest')
const { fetchUtils } = createRequire(require.resolve('ra-strapi-v4-rest'))('ra-core') as {
  fetchUtils: { fetchJson(url: string, options: object): Promise<unknown> }
}

t.test('ra-strapi-v4-rest', async t => {
  const { api, token, articles, author } = await openSite(t)
  /** Requests with a token, as React Admin's documents make them. */
  const http = (address: string, options: object = {}) =>
    fetchUtils.fetchJson(address, { ...options, user: { authenticated: true, token: `Bearer ${token}` } })
  const provider = strapiRestProvider(api, http as never)
  const resource = 'articles'
  const list = await provider.getList(resource, {
    pagination: { page: 1, perPage: 10 },
    sort: { field: 'views', order: 'DESC' },
    filter: { title_q: 'article 1' },
  })
  t.equal(list.total, 11)
  t.match(list.data[0], { title: 'Article 19', author })
  const everything = await provider.getList(resource, {
    pagination: { page: 3, perPage: 10 },
    sort: { field: 'id', order: 'ASC' },
    filter: {},
  })
  t.equal(everything.total, published)
  t.match(everything.data[0], { id: articles[20] })
  t.match(await provider.getOne(resource, { id: articles[0]! }), {
    data: { title: 'Article 1', seo: { label: 'seo 1' } },
  })
  t.equal((await provider.getMany(resource, { ids: articles.slice(0, 3) })).data.length, 3)
  const referring = await provider.getManyReference(resource, {
    target: 'author',
    id: author,
    pagination: { page: 1, perPage: 5 },
    sort: { field: 'id', order: 'ASC' },
    filter: {},
  })
  t.equal(referring.data.length, 5)

  const cover = { rawFile: new File(['a'], 'note.txt', { type: 'text/plain' }), src: 'blob:x', title: 'note.txt' }
  const { data: made } = await provider.create(resource, { data: { title: 'Made', cover } })
  t.match(await provider.getOne(resource, { id: made.id }), { data: { title: 'Made', cover: { id: Number } } })
  const previousData = { id: made.id, title: 'Made' }
  await provider.update(resource, { id: made.id, data: { title: 'Changed' }, previousData })
  t.match(await provider.getOne(resource, { id: made.id }), { data: { title: 'Changed', cover: { id: Number } } })
  await provider.delete(resource, { id: made.id, previousData })
  await fails(t, provider.getOne(resource, { id: made.id }), { status: 404 })
  const { data: tag } = await provider.create('tags', { data: { label: 'one' } })
  await provider.updateMany('tags', { ids: [tag.id], data: { label: 'two' } })
  t.match(await provider.getOne('tags', { id: tag.id }), { data: { label: 'two' } })
  await provider.deleteMany('tags', { ids: [tag.id] })
  await fails(t, provider.getOne('tags', { id: tag.id }), { status: 404 })
})
