// What readers, members and editors may do, on all databases.

import { databases, freshDatabase } from '@plinth/test-tools/databases'
import t, { type Test } from 'tap'
import { headersOf, openExample } from './fixtures/example.ts'

type Headers = Readonly<Record<string, string>>

/** The application on a database, and a client without a socket. */
async function open(t: Test, client: Parameters<typeof freshDatabase>[0]) {
  const database = await freshDatabase(client)
  const { app, close } = await openExample({ database: database.config })
  t.teardown(async () => {
    await close()
    await database.drop()
  })
  const send = async (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    headers: Headers = {},
    body?: object,
  ) => {
    const url = `/api/${path}`
    const reply = await app.inject({ method, url, headers, ...(body !== undefined && { payload: body }) })
    return { status: reply.statusCode, body: reply.json() }
  }
  /** Registers a member, who then logs in. */
  const join = async (username: string): Promise<Headers> => {
    const email = `${username}@post.example`
    const made = await send('POST', 'auth/local/register', {}, { username, email, password: 'two-kettles' })
    t.equal(made.status, 200)
    const { body } = await send('POST', 'auth/local', {}, { identifier: email, password: 'two-kettles' })
    return { authorization: `Bearer ${body.jwt}` }
  }
  return { app, send, join }
}

const forbidden = { status: 403, body: { error: { name: 'ForbiddenError' } } }
const missing = { status: 404, body: { error: { name: 'NotFoundError' } } }
const refused = (name: string) => ({ status: 400, body: { error: { message: `Invalid parameter ${name}` } } })

for (const client of await databases()) {
  t.test(client, async t => {
    const { app, send, join } = await open(t, client)
    const nell = await join('nell')
    const odo = await join('odo')
    const editor = await headersOf(app, 'editor')

    await t.test('readers see what is published, and write nothing', async t => {
      for (const path of ['articles', 'articles/218', 'comments/1', 'homepage', 'desks', 'i18n/locales'])
        t.equal((await send('GET', path)).status, 200, path)
      t.match(await send('GET', 'articles/226'), missing, 'a draft')
      t.match(await send('GET', 'articles?publicationState=preview'), forbidden)
      t.match(await send('POST', 'articles', {}, { data: { title: 'Mine', body: '…' } }), forbidden)
      t.match(await send('PUT', 'articles/218', {}, { data: { title: 'Mine' } }), forbidden)
      t.match(await send('DELETE', 'articles/218'), forbidden)
      t.match(await send('POST', 'comments', {}, { data: { name: 'I', text: 'Hear, hear.', article: 218 } }), forbidden)
      t.match(await send('GET', 'users'), forbidden)
      t.match(await send('GET', 'comments?filters[author][username]=nell'), refused('author'))
      t.match(await send('GET', 'articles', { authorization: 'Bearer of.no.token' }), { status: 401 })
    })

    await t.test('members comment, and change their own comments alone', async t => {
      const data = { text: 'Hear, hear.', article: 218 }
      // The link to somebody else is left out, because members may not find users.
      const made = await send('POST', 'comments', nell, { data: { ...data, author: 2 } })
      t.match(made, { status: 200, body: { data: { attributes: { name: 'nell', text: 'Hear, hear.', likes: 0 } } } })
      const { id } = made.body.data
      const stored = () =>
        app.kernel.query('api::comment.comment').findOne(id, { populate: { author: { fields: ['username'] } } })
      t.match(await stored(), { author: { username: 'nell' }, postedAt: String })

      const path = `comments/${id}`
      t.match(await send('PUT', path, odo, { data: { text: 'Nonsense.' } }), missing)
      t.match(await send('DELETE', path, odo), missing)
      t.match(await send('PUT', 'comments/1', nell, { data: { text: 'Nonsense.' } }), missing, 'of the seed')
      const changed = await send('PUT', path, nell, { data: { text: 'Hear, hear!', author: 2 } })
      t.match(changed, { status: 200, body: { data: { attributes: { text: 'Hear, hear!' } } } })
      t.match(await stored(), { author: { username: 'nell' } }, 'nobody gives a comment away')

      for (const [name, value] of Object.entries({ name: 'Odo', likes: 99, postedAt: '2020-01-01', replies: [1] })) {
        t.match(await send('PUT', path, nell, { data: { [name]: value } }), forbidden, name)
        t.match(await send('POST', 'comments', nell, { data: { ...data, [name]: value } }), forbidden, name)
      }
      t.match(await send('POST', 'comments', nell, { data: { ...data, article: 226 } }), forbidden, 'on a draft')
      t.match(await send('PUT', path, nell, { data: { article: 226 } }), forbidden, 'nor moved to one')
      t.match(await send('POST', 'comments', nell, { data: { text: 'On nothing.' } }), forbidden)
      t.match(await send('POST', 'articles', nell, { data: { title: 'Mine', body: '…' } }), forbidden)
      t.match(await send('GET', 'articles?publicationState=preview', nell), forbidden)
      t.match(await send('GET', 'users/me', nell), { status: 200, body: { username: 'nell' } })

      t.match(await send('DELETE', path, nell), { status: 200 })
      t.equal(await stored(), null)
    })

    await t.test('editors write everything', async t => {
      const data = { title: 'The café on Weir Street', body: 'The kettle is on.', author: 6, publishedAt: null }
      const { status, body } = await send('POST', 'articles?populate=author', editor, { data })
      t.equal(status, 200)
      t.match(body.data.attributes, { slug: 'the-cafe-on-weir-street', author: { data: { id: 6 } } })
      const path = `articles/${body.data.id}`
      t.match(await send('GET', path), missing, 'a draft')
      t.match(await send('GET', `${path}?publicationState=preview`, editor), { status: 200 })
      t.match(await send('PUT', path, editor, { data: { publishedAt: '2026-11-20' } }), { status: 200 })
      t.match(await send('GET', path), { status: 200 })
      t.match(await send('PUT', 'comments/1', editor, { data: { likes: 99 } }), { status: 200 })
      t.match(await send('DELETE', path, editor), { status: 200 })
      t.match(await send('GET', 'users', editor), forbidden, 'but not users')
    })

    await t.test('notes are for editors', async t => {
      const noted = { fields: ['id'] as const, filters: { editorsNote: { $notNull: true } }, pagination: { limit: 1 } }
      const [article] = await app.kernel.query('api::article.article').findMany(noted)
      const path = `articles/${article!.id}`
      const text = /lines over/
      t.match(await send('GET', path, editor), { body: { data: { attributes: { editorsNote: text } } } })
      t.match((await send('GET', `articles?_q=lines+over`, editor)).body.data, [{}])
      for (const [who, headers] of [
        ['readers', {}],
        ['members', nell],
      ] as const) {
        t.notMatch((await send('GET', path, headers)).body.data.attributes, { editorsNote: text }, who)
        const issue = await send('GET', 'issues?populate=articles&pagination[limit]=100', headers)
        t.notMatch(JSON.stringify(issue.body), text, `${who}, populated`)
        t.match(await send('GET', 'articles?filters[editorsNote][$notNull]=true', headers), refused('editorsNote'))
        t.match(await send('GET', 'articles?sort=editorsNote', headers), refused('editorsNote'))
        t.match(
          await send('GET', 'comments?filters[article][editorsNote][$null]=true', headers),
          refused('editorsNote'),
        )
        t.match(await send('GET', 'articles?_q=lines+over', headers), { body: { data: [] } })
      }
    })

    await t.test('a blocked user is locked out', async t => {
      const users = app.kernel.query('plugin::users-permissions.user')
      const [user] = await users.findMany({ filters: { username: 'odo' } })
      t.match(await send('GET', 'users/me', odo), { status: 200 })
      await users.update(user!.id, { data: { blocked: true } })
      t.match(await send('GET', 'users/me', odo), { status: 401 })
      t.match(await send('GET', 'articles', odo), { status: 401 }, 'also where readers are let in')
      const again = await send('POST', 'auth/local', {}, { identifier: 'odo', password: 'two-kettles' })
      t.match(again, { status: 400, body: { error: { message: /blocked/ } } })
    })
  })
}
