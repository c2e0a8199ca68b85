// @strapi/client: collections, single types, files, users, a token and errors.

import { strapi } from '@strapi/client'
import t from 'tap'
import { fails } from './fixtures/fails.ts'
import { editor, openSite, published } from './fixtures/site.ts'

t.test('@strapi/client', async t => {
  const { api, token, articles, author, tag } = await openSite(t)
  const open = strapi({ baseURL: api })
  const client = strapi({ baseURL: api, auth: token })

  t.match(
    await open.collection('articles').find({
      filters: { views: { $in: [1, 2] } },
      sort: 'views:desc',
      fields: ['title'],
      populate: ['author'],
      pagination: { pageSize: 1 },
    }),
    {
      data: [
        { id: articles[1], attributes: { title: 'Article 2', author: { data: { attributes: { name: 'Ada' } } } } },
      ],
      meta: { pagination: { page: 1, pageSize: 1, pageCount: 2, total: 2 } },
    },
  )
  const all = await open.collection('articles').find()
  t.equal(all.meta.pagination?.total, published)
  t.match(await open.collection('articles').find({ locale: 'fr' }), { data: [{ attributes: { title: 'Un article' } }] })
  t.match(await open.collection('articles').findOne(String(articles[0]), { populate: '*' }), {
    data: { attributes: { zone: [{ __component: 'shared.quote' }], tags: { data: [{ id: tag }] } } },
  })
  t.match(await open.single('homepage').find(), { data: { attributes: { greeting: 'Hello' } } })

  await fails(t, open.collection('tags').create({ label: 'x' }), {
    name: 'HTTPForbiddenError',
    response: { status: 403 },
  })
  const made = (await client.collection('articles').create({ title: 'Made', author })) as unknown as {
    data: { id: number }
  }
  t.match(made, { data: { attributes: { title: 'Made' } } })
  const id = String(made.data.id)
  t.match(await client.collection('articles').update(id, { title: 'Changed' }), {
    data: { attributes: { title: 'Changed' } },
  })
  await client.collection('articles').delete(id)
  await fails(t, open.collection('articles').findOne(id), { response: { status: 404 } })
  t.match(await client.single('homepage').update({ greeting: 'Good day' }), {
    data: { attributes: { greeting: 'Good day' } },
  })

  const [file] = (await client.files.upload(new Blob(['some text'], { type: 'text/plain' }), {
    fileInfo: { name: 'note.txt', caption: 'A note' },
  })) as unknown as { id: number }[]
  t.match(file, { name: 'note.txt', caption: 'A note' })
  t.match(await client.files.update(file!.id, { caption: 'Another' }), { caption: 'Another' })
  t.match(await client.files.find({ filters: { caption: { $eq: 'Another' } } }), [{ id: file!.id }])
  t.match(await client.files.findOne(file!.id), { name: 'note.txt' })
  await client.files.delete(file!.id)
  t.same(await client.files.find(), [])

  const users = client.collection('users', { plugin: { name: 'users-permissions', prefix: '' } })
  t.match(await users.find(), [{ username: 'nell' }])

  const reply = await fetch(`${api}/auth/local`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(editor),
  })
  const { jwt } = (await reply.json()) as { jwt: string }
  const user = strapi({ baseURL: api, auth: jwt })
  t.match(await user.collection('tags').create({ label: 'by a user' }), {
    data: { attributes: { label: 'by a user' } },
  })
  const stranger = strapi({ baseURL: api, auth: 'no token' })
  await fails(t, stranger.collection('tags').find(), { name: 'HTTPAuthorizationError', response: { status: 401 } })
})
