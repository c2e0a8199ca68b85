/**
 * Attacks on accounts over HTTP (security.md rows 48, 49, 60, 64, 68): values of the wrong type, ways to a role, and what
 * browsers send by themselves.
 */

import { tokensOf } from '@plinth/api-tokens'
import t from 'tap'
import { client } from '../boot.ts'
import { all, ofUsers, reads, roleUid, startMembers, userUid } from './members.ts'
import { refused } from './refusal.ts'

/** SQL, which is a username and a password as good as any other. */
const quoted = "' OR 1=1 --"

/** Values that are no text, or text that no account has. */
const strange: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  [],
  {},
  [''],
  ['ann'],
  [['ann@example.com']],
  { $gt: '' },
  { $ne: null },
  { $startsWith: '' },
  { $regex: '.*' },
  { $or: [{ id: 1 }] },
  { toString: 1, valueOf: 1 },
  { length: 5 },
  { id: 1 },
  '',
  ' ',
  '%',
  '\u0000',
  quoted,
  'x'.repeat(100_000),
]

/** Routes with a body that is right but for the passwords and codes, by the field that is replaced. */
const bodies: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'auth/local': { identifier: 'ann', password: 'wrong-secret' },
  'auth/local/register': { username: 'eve', email: 'eve@example.com', password: 'eve-secret' },
  'auth/forgot-password': { email: 'ann@example.com' },
  'auth/reset-password': { code: 'a'.repeat(128), password: 'new-secret', passwordConfirmation: 'new-secret' },
  'auth/change-password': {
    currentPassword: 'wrong-secret',
    password: 'new-secret',
    passwordConfirmation: 'new-secret',
  },
  'auth/send-email-confirmation': { email: 'ann@example.com' },
}

t.test('accounts', async t => {
  const members = await startMembers(t, {
    permissions: {
      public: ['plugin::users-permissions.auth.*', ...reads('tag')],
      member: [...ofUsers, 'plugin::users-permissions.auth.*', ...reads('tag')],
      clerk: [...ofUsers, `${roleUid}.find`, `${roleUid}.findOne`, all('person'), all('order')],
      admin: [...ofUsers, `${roleUid}.*`],
    },
  })
  const { app, of, user, logIn, kernel } = members
  const ann = await user('ann', 'member')
  await user('clerk', 'clerk')
  const [stranger, asAnn, asClerk] = [client(app), await logIn('ann'), await logIn('clerk')]
  const roles = await of(roleUid).findMany({})
  const admin = roles.find(role => role.type === 'admin')!.id
  const row = () => kernel.knex(kernel.contentTypes.require(userUid).table).orderBy('id')

  await t.test('security.md row 64: values that are no text reach no account (CVE-2019-18818)', async t => {
    const before = await row()
    for (const [path, body] of Object.entries(bodies))
      for (const field of Object.keys(body))
        for (const value of strange) {
          if (path === 'auth/local/register' && value === quoted) continue
          // The other password must be the same, or only the difference would be refused.
          const same = field === 'password' && 'passwordConfirmation' in body ? { passwordConfirmation: value } : {}
          const answer = await asAnn.post(`/api/${path}`, { ...body, [field]: value, ...same })
          const place = `${path} ${field}: ${JSON.stringify(value).slice(0, 60)}`
          t.ok(answer.status === 400, place, { status: answer.status, text: answer.text.slice(0, 200) })
          t.notMatch(answer.text, /"jwt"/, place)
          t.ok(answer.text.length < 2000, `${place}: a long value is not sent back`)
        }
    for (const path of Object.keys(bodies))
      for (const body of [[], [bodies[path]], '"x"', 'null', '1', '[[]]', { data: bodies[path] }]) {
        const answer = await stranger.post(`/api/${path}`, body)
        t.ok(answer.status === 400, `${path}: ${JSON.stringify(body).slice(0, 60)}`, { text: answer.text })
      }
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    for (const text of [
      'code[$gt]=&password=abcdef&passwordConfirmation=abcdef',
      'code=&password=a&passwordConfirmation=a',
    ])
      refused(t, await stranger.post('/api/auth/reset-password', text, form), 400)
    refused(t, await stranger.post('/api/auth/local', 'identifier[$ne]=&password[$ne]=', form), 400)
    for (const query of [
      'confirmation[$ne]=x',
      'confirmation=',
      'confirmation[]=x',
      'confirmation=null',
      'confirmation=%00',
    ])
      refused(t, await stranger.get(`/api/auth/email-confirmation?${query}`), 400)
    t.same(await row(), before, 'nobody has changed')
  })

  await t.test('security.md row 48: a registration reaches nothing by nesting (CVE-2023-39345)', async t => {
    const values = { username: 'nat', email: 'nat@example.com', password: 'nat-secret' }
    const role = { connect: [{ id: admin }] }
    const answer = await stranger.post('/api/auth/local/register?populate=*&fields=*', {
      ...values,
      role,
      roles: role,
      'role.id': admin,
      'role[id]': admin,
      ROLE: admin,
      role_id: admin,
      confirmed: { set: true },
      blocked: null,
      createdBy: 1,
      publishedAt: '2001-01-01',
      locale: 'fr',
      localizations: [1],
      data: { role: admin },
      id: ann.id,
    })
    t.equal(answer.status, 200)
    t.notMatch(answer.text, /scrypt|"role"|Token"/)
    const [made] = await of(userUid).findMany({ filters: { username: 'nat' }, populate: { role: true } as never })
    t.match(made, { role: { type: 'authenticated' }, confirmed: true, provider: 'local' })
    t.not(made!.id, ann.id)
  })

  await t.test('security.md row 49: no form of a role is taken from who may not change roles', async t => {
    const forms: readonly unknown[] = [
      admin,
      String(admin),
      [admin],
      [{ id: admin }],
      { id: admin },
      { connect: [admin] },
      { connect: [{ id: admin }] },
      { connect: [{ id: admin, position: { end: true } }] },
      { set: [admin] },
      { set: [{ id: String(admin) }] },
      { connect: [{ id: admin }], disconnect: [{ id: 1 }] },
      { connect: { id: admin } },
      { disconnect: [] },
      null,
      [],
      {},
      true,
      [1, admin],
      { toString: admin },
    ]
    const stored = () => of(userUid).findOne(ann.id, { populate: { role: true } as never })
    for (const [name, api] of [
      ['member', asAnn],
      ['clerk', asClerk],
    ] as const)
      for (const [i, role] of forms.entries()) {
        for (const body of [{ role }, { role, username: 'ann' }, { data: { role }, role }]) {
          const answer = await api.put(`/api/users/${ann.id}`, body)
          t.ok([400, 403].includes(answer.status), `${name}: ${JSON.stringify(role)}`, { text: answer.text })
        }
        const values = { username: `new${i}`, email: `new${i}@example.com`, password: 'new-secret', role }
        const made = await api.post('/api/users', values)
        t.ok([400, 403].includes(made.status), `a new user, ${name}: ${JSON.stringify(role)}`, { text: made.text })
        t.match(await stored(), { role: { type: 'member' } })
      }
    for (const body of [
      { blocked: true },
      { blocked: null },
      { confirmed: false },
      { provider: 'google' },
      { provider: null },
      { resetPasswordToken: 'x' },
      { confirmationToken: null },
      { tokensValidFrom: '2001-01-01T00:00:00.000Z' },
    ])
      for (const api of [asAnn, asClerk]) {
        refused(t, await api.put(`/api/users/${ann.id}`, body), [400, 403])
        refused(t, await api.put('/api/users/me', body), [400, 403, 404])
      }
    t.equal(await of(userUid).count({ filters: { role: { id: admin } } }), 0)
  })

  await t.test('security.md row 49: nor by another way', async t => {
    const ways = [
      await asClerk.put(`/api/users-permissions/roles/${admin}`, { users: [ann.id], name: 'x' }),
      await asClerk.post('/api/users-permissions/roles', { name: 'Mine', permissions: {} }),
      await asClerk.delete(`/api/users-permissions/roles/${admin}`),
      await asAnn.get('/api/users-permissions/roles'),
      await asAnn.get('/api/users-permissions/permissions'),
    ]
    for (const one of ways) refused(t, one, 403)
    for (const path of ['roles', 'permissions', 'users-permissions/role', 'plugin::users-permissions.role']) {
      for (const one of [path, `${path}/1`]) {
        refused(t, await asClerk.get(`/api/${one}`), 404)
        const body = { data: { name: 'x', type: 'x' } }
        for (const method of ['post', 'put'] as const) t.equal((await asClerk[method](`/api/${one}`, body)).status, 405)
      }
    }
    // A relation to users links them, but writes nothing into them.
    const account = { id: ann.id, role: admin, blocked: true, password: 'taken-over', username: 'zed' }
    for (const value of [account, [account], { connect: [account] }, { set: [account] }]) {
      const { status } = await asClerk.post('/api/people', { data: { fullName: 'x', account: value } })
      t.ok([200, 400].includes(status))
    }
    t.match(await of(userUid).findOne(ann.id, { populate: { role: true } as never }), {
      username: 'ann',
      blocked: false,
      role: { type: 'member' },
    })
    t.equal((await asAnn.get('/api/users/me')).status, 200, 'and the token is still valid')
  })

  await t.test('security.md row 60: an API token is no way to an account', async t => {
    const { accessKey } = await tokensOf(kernel).create({ name: 'x', type: 'custom', permissions: ofUsers })
    const token = client(app, { authorization: `Bearer ${accessKey}` })
    refused(t, await token.get('/api/users/me'), 401)
    refused(t, await token.put(`/api/users/${ann.id}`, { role: admin }), 403)
    refused(t, await token.post('/api/auth/change-password', bodies['auth/change-password']), 403)
    t.notMatch((await token.get('/api/users?populate=*')).text, /scrypt|"role"/)
  })

  await t.test('security.md row 68: what a browser sends by itself authenticates nobody', async t => {
    const jwt = JSON.parse(
      (await stranger.post('/api/auth/local', { identifier: 'ann', password: 'ann-secret' })).text,
    ).jwt
    const names = ['jwt', 'token', 'Authorization', 'authorization', 'koa.sess', 'strapi_jwt', 'jwtToken']
    const cookie = names.map(name => `${name}=${jwt}`).join('; ')
    const withCookie = client(app, { cookie })
    refused(t, await withCookie.get('/api/users/me'), 403)
    refused(t, await withCookie.put(`/api/users/${ann.id}`, { username: 'csrf' }), 403)
    const answer = await stranger.post('/api/auth/local', { identifier: 'ann', password: 'ann-secret' })
    t.notOk('set-cookie' in answer.headers, 'no login sets a cookie')
    const form = 'multipart/form-data; boundary=b'
    for (const type of ['text/plain', 'text/plain; application/json', form]) {
      const right = JSON.stringify({ identifier: 'ann', password: 'ann-secret' })
      refused(t, await stranger.post('/api/auth/local', right, { 'content-type': type }), [400, 415])
      await asAnn.put(`/api/users/${ann.id}`, JSON.stringify({ username: 'csrf' }), { 'content-type': type })
    }
    for (const url of [
      `users/${ann.id}?_method=DELETE`,
      `users/${ann.id}?_method=PUT&username=csrf`,
      `users?username=csrf&password=csrf-secret`,
    ])
      t.equal((await asAnn.get(`/api/${url}`)).status, 200)
    const override = { 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE' }
    t.equal((await asAnn.get(`/api/users/${ann.id}`, override)).status, 200)
    t.match(await of(userUid).findOne(ann.id), { username: 'ann' })
  })
})
