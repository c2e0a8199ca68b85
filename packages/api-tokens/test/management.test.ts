// The routes that manage tokens (B-6.75).

import { definePlugin } from '@plinth/kernel'
import t from 'tap'
import { type Answer, start } from './fixtures/boot.ts'

const path = '/admin/api-tokens'
const article = 'api::article.article'

t.test('a token is made, shown once, changed, given another key, and deleted', async t => {
  const { make, send, get, post } = await start(t)
  const { accessKey: admin } = await make('full-access')
  const before = Date.now()
  const made = await post(path, admin, { name: ' Site ', description: 'of the site', lifespan: 604_800_000 })
  t.equal(made.status, 201)
  t.equal(made.headers['cache-control'], 'no-store')
  const { accessKey, ...shown } = made.body.data
  t.match(accessKey, /^[0-9a-f]{256}$/, 'B-6.70')
  t.match(shown, {
    name: 'Site',
    description: 'of the site',
    type: 'read-only',
    lastUsedAt: null,
    lifespan: '604800000',
    permissions: [],
  })
  const left = Date.parse(shown.expiresAt) - before
  t.ok(left >= 604_800_000 && left < 604_860_000, 'expires after its lifespan')

  const one = await get(`${path}/${shown.id}`, admin)
  t.same(one.body.data, shown, 'without the key')
  const list = await get(path, admin)
  t.equal(list.body.data.length, 2)
  t.notMatch(JSON.stringify(list.body), /accessKey|[0-9a-f]{100}/)

  t.equal((await get('/api/articles', accessKey)).status, 200)
  const changed = await send('PUT', `${path}/${shown.id}`, admin, {
    type: 'custom',
    permissions: [`${article}.create`],
  })
  t.match(changed, {
    status: 200,
    body: { data: { name: 'Site', type: 'custom', permissions: [`${article}.create`] } },
  })
  t.equal((await get('/api/articles', accessKey)).status, 403, 'a change is seen at once')
  const renamed = await send('PUT', `${path}/${shown.id}`, admin, { name: 'Shop' })
  t.match(renamed.body.data, { name: 'Shop', type: 'custom', permissions: [`${article}.create`] }, 'the rest stays')
  const listed = await send('PUT', `${path}/${shown.id}`, admin, { permissions: [`${article}.find`] })
  t.same(listed.body.data.permissions, [`${article}.find`], 'actions are replaced')

  const again = await post(`${path}/${shown.id}/regenerate`, admin, {})
  t.equal(again.status, 201)
  t.equal((await get('/api/articles', accessKey)).status, 401, 'the old key is revoked')
  t.equal((await get('/api/articles', again.body.data.accessKey)).status, 200)

  const deleted = await send('DELETE', `${path}/${shown.id}`, admin)
  t.match(deleted, { status: 200, body: { data: { id: shown.id, name: 'Shop' } } })
  t.equal((await get('/api/articles', again.body.data.accessKey)).status, 401)
  const missing = { status: 404, body: { error: { name: 'NotFoundError', message: 'API Token not found' } } }
  t.match(await get(`${path}/${shown.id}`, admin), missing)
  t.match(await send('DELETE', `${path}/${shown.id}`, admin), missing)
  t.match(await get(`${path}/x`, admin), missing)
})

t.test('the permissions of a deleted token go with it', async t => {
  const { make, tokens, kernel } = await start(t)
  const { id } = await make('custom', [`${article}.*`])
  await make('custom', [`${article}.find`])
  await tokens.revoke(id)
  t.same(
    (await kernel.query('admin::api-token-permission').findMany()).map(one => one.action),
    [`${article}.find`],
  )
})

t.test('only a full-access token may do this', async t => {
  const { make, get, post, send, kernel } = await start(t)
  const { accessKey: reader, id } = await make('read-only')
  const { accessKey: custom } = await make('custom', kernel.actions.names as string[])
  for (const key of [reader, custom]) {
    const all = [
      get(path, key),
      get(`${path}/${id}`, key),
      post(path, key, { name: 'x', type: 'full-access' }),
      post(`${path}/${id}/regenerate`, key, {}),
      send('PUT', `${path}/${id}`, key, { type: 'full-access' }),
      send('DELETE', `${path}/${id}`, key),
    ]
    for (const { status, body } of await Promise.all(all)) {
      t.equal(status, 403)
      t.equal(body.error.name, 'ForbiddenError')
    }
  }
  t.equal((await get(path, null)).status, 401)
  t.equal((await get(path, 'wrong')).status, 401)
  t.equal((await get(path, reader)).headers['cache-control'], 'no-store')
})

t.test('a caller who is no token needs the right', async t => {
  const right = 'plugin::api-tokens.tokens.manage'
  const letters = definePlugin({
    name: 'letters',
    register({ kernel }) {
      kernel.auth.use({
        name: 'letters',
        authenticate({ headers }) {
          const name = headers['x-letter']
          return name === undefined
            ? null
            : { key: `letter ${name}`, user: null, can: scope => name === 'A' && scope === right }
        },
      })
    },
  })
  const { app } = await start(t, { plugins: { letters: { plugin: letters } } })
  const list = async (letter: string) => (await app.inject({ url: path, headers: { 'x-letter': letter } })).statusCode
  t.equal(await list('A'), 200)
  t.equal(await list('B'), 403)
})

t.test('what is refused', async t => {
  const { make, post, send } = await start(t)
  const { accessKey: admin, id } = await make('full-access')
  const refused = async (sent: unknown, message: string | RegExp) => {
    const { status, body } = await post(path, admin, sent)
    t.match({ status, message: body.error.message }, { status: 400, message }, JSON.stringify(sent))
  }
  await refused([], /must be a JSON object/)
  await refused({}, 'name is a required field')
  await refused({ name: '  ' }, 'name must be at least 1 characters')
  await refused({ name: 7 }, /name must be a `string` type/)
  await refused({ name: 'a\u001b[2Jb' }, 'name must not contain control characters')
  await refused({ name: 'x'.repeat(256) }, 'name must be at most 255 characters')
  await refused({ name: 'x', nmae: 'y' }, /this field has unspecified keys: nmae, did you mean "name"\?/)
  await refused({ name: 'x', accessKey: 'mine' }, /unspecified keys: accessKey/)
  await refused({ name: 'x', type: 'readonly' }, /one of the following values: .*, did you mean "read-only"\?/)
  await refused({ name: 'x', lifespan: 1 }, /lifespan must be one of the following values: 604800000, /)
  await refused({ name: 'x', lifespan: '604800000' }, /lifespan must be one of/)
  await refused({ name: 'x', type: 'custom' }, 'Missing permissions attribute for custom token')
  await refused({ name: 'x', permissions: [`${article}.find`] }, 'Non-custom tokens should not reference permissions')
  const custom = (permissions: unknown) => ({ name: 'x', type: 'custom', permissions })
  await refused(
    custom([`${article}.fnd`]),
    /Unknown permissions provided: "api::article.article.fnd", did you mean "api::article.article.find"\?/,
  )
  await refused(custom(['api::nothing.*']), /Unknown permissions provided: "api::nothing\.\*"/)
  await refused(custom([{ $ne: 'x' }]), 'permissions must be a list of names of actions')
  await refused(custom('api::article.article.find'), 'Missing permissions attribute for custom token')
  await refused(custom(Array(1001).fill(`${article}.find`)), /at most 1000/)
  const taken: Answer = await post(path, admin, { name: 'full' })
  t.equal(taken.status, 201)
  t.match(await post(path, admin, { name: 'full' }), {
    status: 400,
    body: { error: { message: 'Name already taken' } },
  })
  t.match(await send('PUT', `${path}/${id}`, admin, { name: 'full' }), { status: 400 })
  t.match(await send('PUT', `${path}/${id}`, admin, { lifespan: null }), { status: 400 })
  t.match(await send('PUT', `${path}/${id}`, admin, { type: 'custom' }), { status: 400 })
  t.match(await send('PUT', `${path}/9999`, admin, { name: 'y' }), { status: 404 })
})

t.test('names that differ in case are two names where the database says so, and never a 5xx', async t => {
  const { make, post } = await start(t)
  const { accessKey: admin } = await make('full-access')
  const both = await Promise.all(Array.from({ length: 8 }, () => post(path, admin, { name: 'same' })))
  const statuses = both.map(one => one.status).sort()
  t.same(statuses, [201, 400, 400, 400, 400, 400, 400, 400], 'of requests at the same time, one makes it')
})
