// Tokens over HTTP: whose are valid, and until when (B-6.5 to B-6.10, security.md rows 57, 58 and 63).

import { setTimeout as wait } from 'node:timers/promises'
import { hash as bcryptHash } from '@node-rs/bcrypt'
import t from 'tap'
import { refused, start, uid } from '../fixtures/accounts.ts'

const invalid = 'Invalid credentials'
const missing = 'Missing or invalid credentials'

t.test('who may ask', async t => {
  const server = await start(t)
  const { get, logIn, put, send, user, kernel } = server
  const ann = await user('ann')
  const token = await logIn('ann')

  await t.test('B-6.5, B-6.6: without a token, with one, and with what is none', async t => {
    t.equal((await get('notes')).status, 200)
    t.equal((await get('notes', token)).status, 200)
    for (const authorization of ['Basic YTpi', 'Bearer', 'Bearer ', token])
      t.equal((await send('GET', 'notes', { headers: { authorization } })).status, 200, authorization)
    t.equal((await send('GET', 'notes', { headers: { authorization: `bEARER ${token}` } })).status, 200)
    for (const wrong of ['abc.def.ghi', `${token}x`, 'x']) refused(t, await get('notes', wrong), 401, missing)
    t.equal((await get(`users/me?access_token=${token}`)).status, 403, 'a token in the URL is none')
  })

  await t.test('B-6.9: members do not have the permissions of strangers', async t => {
    const reset = { code: 'x', password: 'abcdef', passwordConfirmation: 'abcdef' }
    t.equal((await server.post('auth/reset-password', reset, token)).status, 403)
    t.equal((await server.post('auth/reset-password', reset)).status, 400)
  })

  await t.test('security.md row 57: an unsigned token over HTTP', async t => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const now = Math.floor(Date.now() / 1000)
    const payload = part({ id: ann.id, iat: now, exp: now + 60 })
    refused(t, await get('users/me', `${part({ alg: 'none', typ: 'JWT' })}.${payload}.`), 401, missing)
  })

  await t.test('a remembered token costs no statement', async t => {
    await get('users/me', token)
    let statements = 0
    kernel.hooks.on('onStatement', () => void statements++)
    await get('notes', token)
    const withToken = statements
    await get('notes')
    t.equal(withToken, statements - withToken)
  })

  await t.test('security.md row 58: a blocked user, and one that is free again (CVE-2025-3930)', async t => {
    await kernel.query(uid).update(ann.id, { data: { blocked: true } })
    refused(t, await get('notes', token), 401, invalid)
    await kernel.query(uid).update(ann.id, { data: { blocked: false } })
    t.equal((await get('notes', token)).status, 200)
  })

  await t.test(
    'security.md row 58: tokens of before a change of the password (CVE-2026-22706, CVE-2025-4643)',
    async t => {
      const before = await logIn('ann')
      const changed = await server.post(
        'auth/change-password',
        { currentPassword: 'ann-secret', password: 'second-secret', passwordConfirmation: 'second-secret' },
        before,
      )
      t.equal(changed.status, 200)
      refused(t, await get('notes', before), 401, invalid)
      t.equal((await get('notes', changed.body.jwt)).status, 200, 'the answer has one that is valid')
      const again = await logIn('ann', 'second-secret')
      t.equal((await get('notes', again)).status, 200, 'so is one of the same second')
      const member = await user('mod')
      const edited = await put(`users/${ann.id}`, { password: 'third-secret' }, await logIn('mod'))
      t.equal(edited.status, 200)
      refused(t, await get('notes', again), 401, invalid)
      await kernel.query(uid).delete(member.id)
    },
  )

  await t.test('security.md row 58: changes of other processes are seen within 5 seconds', async t => {
    const eve = await user('eve')
    const evil = await logIn('eve')
    t.equal((await get('notes', evil)).status, 200)
    await kernel.knex('up_users').where({ id: eve.id }).update({ blocked: true })
    await wait(5100)
    refused(t, await get('notes', evil), 401, invalid)
  })

  await t.test('security.md row 58: a deleted user', async t => {
    const bea = await user('bea')
    const gone = await logIn('bea')
    t.equal((await get('users/me', gone)).status, 200)
    await kernel.query(uid).delete(bea.id)
    refused(t, await get('notes', gone), 401, invalid)
    refused(t, await get('users/me', gone), 401, invalid)
  })
})

t.test('B-6.7: who has not confirmed, while that is needed', async t => {
  const { get, kernel, logIn, post, user } = await start(t, { config: { advanced: { email_confirmation: true } } })
  const ann = await user('ann')
  const token = await logIn('ann')
  await kernel.query(uid).update(ann.id, { data: { confirmed: false } })
  refused(t, await get('notes', token), 401, invalid)
  const answer = await post('auth/local', { identifier: 'ann', password: 'ann-secret' })
  refused(t, answer, 400, 'Your account email is not confirmed')
  t.equal(answer.body.error.name, 'ApplicationError')
})

t.test('B-6.10: where nothing is permitted to strangers', async t => {
  const { get, kernel } = await start(t, { config: { permissions: {} } })
  const permissions = kernel.query('plugin::users-permissions.permission')
  for (const { id } of await permissions.findMany({ filters: { role: { type: 'public' } } }))
    await permissions.delete(id)
  refused(t, await get('notes'), 401, missing)
})

t.test('B-6.27: no provider is enabled', async t => {
  const { get } = await start(t)
  for (const url of ['connect/github', 'auth/github/callback?access_token=x', 'auth/__proto__/callback'])
    refused(t, await get(url), 400, 'This provider is disabled')
})

t.test('hashes of v4', async t => {
  const { kernel, logIn, user, mails } = await start(t)
  const ann = await user('ann')
  const bcrypt = await bcryptHash('old-secret', { cost: 10, version: '2a' })
  const row = () => kernel.knex('up_users').where({ id: ann.id }).first('password', 'updated_at', 'tokens_valid_from')
  await kernel.knex('up_users').where({ id: ann.id }).update({ password: bcrypt })
  const before = await row()
  t.type(await logIn('ann', 'old-secret'), 'string')
  await mails()
  const after = await row()
  t.match(after.password, /^\$scrypt\$ln=15,r=8,p=1\$/)
  t.same({ ...after, password: '' }, { ...before, password: '' }, 'nothing else changes')
  t.type(await logIn('ann', 'old-secret'), 'string')
  t.equal(await logIn('ann', 'old-secre'), undefined)

  await t.test('security.md row 63: the end of a long password counts', async t => {
    const long = 'x'.repeat(72)
    await kernel
      .knex('up_users')
      .where({ id: ann.id })
      .update({ password: await bcryptHash(long, { cost: 4 }) })
    t.equal(await logIn('ann', `${long}y`), undefined)
    t.type(await logIn('ann', long), 'string')
  })
})
