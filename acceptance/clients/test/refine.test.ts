// @refinedev/strapi-v4: the data provider of Refine, and its logins.

import { AuthHelper, DataProvider } from '@refinedev/strapi-v4'
import t from 'tap'
import { fails } from './fixtures/fails.ts'
import { editor, openSite, published } from './fixtures/site.ts'

interface Tag {
  readonly id: number
}

t.test('@refinedev/strapi-v4', async t => {
  const { api, articles, author, tag } = await openSite(t)
  const auth = AuthHelper(api)
  const login = await auth.login(editor.identifier, editor.password)
  t.match(login, { data: { jwt: String, user: { username: 'nell' } } })
  const { jwt } = login.data
  t.match(await auth.me(jwt, { meta: { populate: ['role'] } }), {
    data: { username: 'nell', role: { type: 'authenticated' } },
  })

  const resource = 'articles'
  const open = DataProvider(api)
  const list = await open.getList({
    resource,
    pagination: { currentPage: 2, pageSize: 5, mode: 'server' },
    sorters: [
      { field: 'author.name', order: 'desc' },
      { field: 'views', order: 'asc' },
    ],
    filters: [
      { field: 'title', operator: 'contains', value: 'article' },
      {
        operator: 'or',
        value: [
          { field: 'views', operator: 'gt', value: 3 },
          { field: 'views', operator: 'null', value: true },
        ],
      },
      { field: 'views', operator: 'between', value: [1, 25] },
    ],
    meta: { populate: { author: { fields: ['name'] }, tags: '*' }, publicationState: 'preview' },
  })
  t.equal(list.total, 22)
  t.match(
    list.data,
    [9, 10, 11, 12, 13].map(views => ({ views, author: { name: 'Ada' }, tags: [{ label: 'sea' }] })),
  )
  t.equal((await open.getList({ resource })).total, published)
  t.match(await open.getOne({ resource, id: articles[0]!, meta: { populate: ['author', 'seo'] } }), {
    data: { id: articles[0], title: 'Article 1', author: { id: author }, seo: { label: 'seo 1' } },
  })
  t.match(await open.getMany!({ resource, ids: articles.slice(0, 28) }), { data: { length: 28 } })
  await fails(t, open.create({ resource, variables: { title: 'x' } }), { statusCode: 403 })

  const headers = { authorization: `Bearer ${jwt}` }
  const { default: axios } = await import('axios')
  const provider = DataProvider(api, axios.create({ headers }) as never)
  const { data: made } = await provider.create({ resource, variables: { title: 'Made', tags: [tag] } })
  const id = (made as unknown as { id?: number; data?: { id: number } }).data?.id ?? made.id!
  await provider.update({ resource, id, variables: { title: 'Changed' } })
  t.match(await provider.getOne({ resource, id }), { data: { title: 'Changed' } })
  await provider.deleteOne({ resource, id })
  await fails(t, provider.getOne({ resource, id }), { response: { status: 404 } })
  await provider.createMany!({ resource: 'tags', variables: [{ label: 'a' }, { label: 'b' }] })
  const tags = await provider.getList({ resource: 'tags' })
  t.equal(tags.total, 3)
  await provider.updateMany!({
    resource: 'tags',
    ids: tags.data.map((one: Tag) => one.id),
    variables: { label: 'same' },
  })
  await provider.deleteMany!({ resource: 'tags', ids: tags.data.slice(1).map((one: Tag) => one.id) })
  t.match((await provider.getList({ resource: 'tags' })).data, [{ label: 'same' }])
})
