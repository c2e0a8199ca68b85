// strapi-sdk-js: a login, entries, single types, the user, registrations and errors.

import { createRequire } from 'node:module'
import t from 'tap'
import { fails } from './fixtures/fails.ts'
import { editor, openSite, published } from './fixtures/site.ts'

const Strapi = createRequire(import.meta.url)('strapi-sdk-js') as typeof import('strapi-sdk-js').default

t.test('strapi-sdk-js', async t => {
  const { url, token, articles, author } = await openSite(t)
  const client = new Strapi({ url })
  type Values = Record<string, unknown>

  t.match(
    await client.find<Values>('articles', {
      filters: { $or: [{ title: { $containsi: 'ARTICLE 1' } }, { views: 2 as never }] },
      populate: ['author', 'zone.by'],
      sort: ['views:desc'],
      pagination: { page: 1, pageSize: 3 },
    }),
    {
      data: [{ attributes: { title: 'Article 19', zone: [{ by: { data: { id: author } } }] } }, {}, {}],
      meta: { pagination: { pageSize: 3, total: 12 } },
    },
  )
  t.match(await client.find<Values[]>('articles', { locale: 'all' as 'fr' }), {
    meta: { pagination: { total: published + 1 } },
  })
  t.match(await client.findOne<Values>('articles', articles[0]!, { populate: '*' }), {
    data: { attributes: { seo: { label: 'seo 1' }, author: { data: { attributes: { name: 'Ada' } } } } },
  })
  await fails(t, client.create('tags', { label: 'x' }), { error: { status: 403, name: 'ForbiddenError' } })
  await fails(t, client.login({ identifier: 'nell', password: 'wrong' }), {
    error: { status: 400, message: 'Invalid identifier or password' },
  })

  t.match(await client.login(editor), { jwt: String, user: { username: 'nell' } })
  t.match(client.user, { username: 'nell' })
  t.match(await client.fetchUser(), { username: 'nell' })
  const made = await client.create<Values & { id: number }>(
    'articles',
    { title: 'Made', author },
    { fields: ['title'] },
  )
  t.match(made, { data: { attributes: { title: 'Made' } } })
  const { id } = made.data
  t.match(await client.update<Values>('articles', id, { title: 'Changed' }, { populate: ['author'] }), {
    data: { attributes: { title: 'Changed', author: { data: { id: author } } } },
  })
  t.match(await client.delete<Values>('articles', id), { data: { attributes: { title: 'Changed' } } })
  await fails(t, client.findOne('articles', id), { data: null, error: { status: 404, name: 'NotFoundError' } })
  t.match(
    await client.changePassword({
      currentPassword: editor.password,
      password: 'another password',
      passwordConfirmation: 'another password',
    }),
    { jwt: String },
  )
  client.logout()
  t.equal(client.user, null)
  t.match(await client.register({ username: 'tom', email: 'tom@post.example', password: 'a password of tom' }), {
    jwt: String,
    user: { username: 'tom' },
  })
  await client.forgotPassword({ email: 'tom@post.example' })

  const program = new Strapi({ url })
  program.setToken(token)
  t.match(await program.create<Values>('tags', { label: 'by a token' }), {
    data: { attributes: { label: 'by a token' } },
  })
})
