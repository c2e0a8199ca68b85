// What tokens of each type may do (B-6.70 to B-6.77), on the database of the run.

import { CredentialsError } from '@plinth/kernel'
import t from 'tap'
import { start } from './fixtures/boot.ts'

const article = 'api::article.article'

t.test('read-only: what ends in find or findOne (B-6.73)', async t => {
  const { make, get, post, send, kernel } = await start(t)
  const { accessKey } = await make('read-only')
  const { id } = await kernel.query(article).create({ data: { title: 'One' } })
  t.equal((await get('/api/articles', accessKey)).status, 200)
  t.equal((await get(`/api/articles/${id}`, accessKey)).status, 200)
  t.match(await post('/api/articles', accessKey, { data: { title: 'Two' } }), {
    status: 403,
    body: { error: { name: 'ForbiddenError', message: 'Forbidden' } },
  })
  t.equal((await send('PUT', `/api/articles/${id}`, accessKey, { data: { title: 'x' } })).status, 403)
  t.equal((await send('DELETE', `/api/articles/${id}`, accessKey)).status, 403)
  t.equal(await kernel.query(article).count({ filters: { title: 'One' } }), 1)
})

t.test('full-access: everything (B-6.73)', async t => {
  const { make, get, post, send } = await start(t)
  const { accessKey } = await make('full-access')
  const { body } = await post('/api/articles', accessKey, { data: { title: 'Two' } })
  t.equal(body.data.attributes.title, 'Two')
  t.equal((await send('DELETE', `/api/articles/${body.data.id}`, accessKey)).status, 200)
  t.equal((await get('/api/people', accessKey)).status, 404, 'the plural of person here is persons')
  t.equal((await get('/api/persons', accessKey)).status, 200)
})

t.test('custom: the listed actions only (B-6.73)', async t => {
  const { make, get, post } = await start(t)
  const { accessKey, permissions } = await make('custom', [`${article}.create`, 'api::person.person.*'])
  t.ok(permissions.includes(`${article}.create`))
  t.ok(permissions.includes('api::person.person.delete'), 'patterns are stored as the actions they stand for')
  t.equal((await post('/api/articles', accessKey, { data: { title: 'Two' } })).status, 200)
  t.equal((await get('/api/articles', accessKey)).status, 403)
  t.equal((await get('/api/persons', accessKey)).status, 200)
})

t.test('relations to what a token may not find (B-6.77)', async t => {
  const { make, get, send, kernel } = await start(t)
  const { accessKey } = await make('custom', [`${article}.find`, `${article}.update`, `${article}.findOne`])
  const ada = await kernel.query('api::person.person').create({ data: { name: 'Ada' } })
  const ben = await kernel.query('api::person.person').create({ data: { name: 'Ben' } })
  const one = await kernel.query(article).create({ data: { title: 'One', author: ada.id } })
  const { status, body } = await get('/api/articles?populate=author', accessKey)
  t.equal(status, 200)
  t.notOk('author' in body.data[0].attributes, 'is not populated (B-2.86)')
  const filtered = await get('/api/articles?filters[author][name]=Ada', accessKey)
  t.match(filtered, { status: 400, body: { error: { message: 'Invalid parameter author' } } }, 'is no filter (B-2.10)')
  t.equal((await get('/api/articles?sort=author.name', accessKey)).status, 400)
  const linked = await send('PUT', `/api/articles/${one.id}`, accessKey, { data: { title: 'x', author: ben.id } })
  t.equal(linked.status, 200)
  const after = await kernel.query(article).findOne(one.id, { populate: ['author'] })
  t.match(after, { title: 'x', author: { name: 'Ada' } }, 'is dropped from input (B-4.3)')
})

t.test('tokens cannot be reached by a relation', async t => {
  const { make, get, kernel, tokens } = await start(t)
  const { accessKey, id } = await make('full-access')
  const note = await kernel.query('api::note.note').create({
    data: { text: 'x', about: { __type: 'admin::api-token', id } },
  })
  t.equal((await tokens.list()).length, 1)
  const { status, body } = await get(`/api/notes/${note.id}?populate=about`, accessKey)
  t.equal(status, 200)
  t.notMatch(JSON.stringify(body), /full-access/)
})

t.test('there is no user (B-6.76)', async t => {
  const { make, kernel } = await start(t)
  const { accessKey, id, name } = await make('full-access')
  const access = await kernel.auth.authenticate({ headers: { authorization: `Bearer ${accessKey}` } })
  t.match(access, { user: null, token: { id, name, type: 'full-access' } })
})

t.test('keys of accesses contain no text of users, and are equal for equal rights', async t => {
  const { kernel, tokens } = await start(t)
  const accessOf = async (sent: object) => {
    const { accessKey } = await tokens.create(sent)
    return kernel.auth.authenticate({ headers: { authorization: `Bearer ${accessKey}` } })
  }
  const custom = (name: string, permissions: string[]) => accessOf({ name, type: 'custom', permissions })
  const one = await custom('secret-name-1', [`${article}.find`, `${article}.create`])
  const two = await custom('secret-name-2', [`${article}.create`, `${article}.find`, `${article}.find`])
  const three = await custom('secret-name-3', [`${article}.create`])
  t.equal(one.key, two.key)
  t.not(one.key, three.key)
  t.match(one.key, /^api-token:custom:[\w-]{43}$/)
  const reader = await accessOf({ name: 'secret-name-4' })
  t.equal(reader.key, 'api-token:read-only')
})

t.test('of stored actions, those that do not exist have no effect (B-6.3)', async t => {
  const { make, kernel } = await start(t)
  const { accessKey, id } = await make('custom', [`${article}.find`])
  for (const action of ['api::gone.gone.find', 'api::article.article.explode'])
    await kernel.query('admin::api-token-permission').create({ data: { action, token: id } })
  const access = await kernel.auth.authenticate({ headers: { authorization: `Bearer ${accessKey}` } })
  t.equal(access.can(`${article}.find`), true)
  t.equal(access.can('api::article.article.explode'), false)
  t.equal(access.can('api::gone.gone.find'), false)
})

t.test('the rights of a token by its name, for other plugins', async t => {
  const { kernel, tokens } = await start(t)
  const access = kernel.services.find('api-tokens', 'access')!
  await tokens.create({ name: 'site', type: 'custom', permissions: [`${article}.find`] })
  const site = await access('site')
  t.equal(site?.can(`${article}.find`), true)
  t.equal(site?.can(`${article}.create`), false)
  t.equal(await access('nobody'), null)
  // SQLite stores moments, servers times.
  const past = kernel.database.dialect.name === 'sqlite' ? 1 : '2020-01-01 00:00:00'
  await kernel.knex('strapi_api_tokens').update({ expires_at: past })
  t.equal(await access('site'), null, 'it has expired')
})

t.test('a token of an unknown type may do nothing', async t => {
  const { make, kernel, get } = await start(t)
  const { accessKey, id } = await make('full-access')
  await kernel.knex('strapi_api_tokens').where({ id }).update({ type: 'owner' })
  t.equal((await get('/api/articles', accessKey)).status, 403)
})

t.test('what is no API token is left to other strategies', async t => {
  const { kernel } = await start(t)
  const ask = (authorization?: string) =>
    kernel.auth.authenticate({ headers: authorization === undefined ? {} : { authorization } })
  for (const header of [undefined, '', 'Bearer', 'Basic YTpi', 'Bearer a b', 'Bearer a.b.c', 'Bearer x'])
    await t.rejects(ask(header), new CredentialsError(), String(header))
})

t.test('the reasons name what kind of token lacks a right', async t => {
  const { make, kernel } = await start(t)
  for (const [type, label] of [
    ['read-only', 'a read-only token'],
    ['custom', 'a custom token'],
  ] as const) {
    const { accessKey } = await make(type, type === 'custom' ? [`${article}.find`] : undefined)
    const access = await kernel.auth.authenticate({ headers: { authorization: `Bearer ${accessKey}` } })
    try {
      kernel.authorize(`${article}.create`, kernel.context(access))
      t.fail('it is refused')
    } catch (error) {
      t.equal((error as { reason: string }).reason, `${label} lacks ${article}.create`)
    }
  }
})
