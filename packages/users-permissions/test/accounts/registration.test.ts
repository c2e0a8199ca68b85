// Registration, codes in mails, and changes of a password (B-6.20 to B-6.26, B-6.41 to B-6.43, security.md rows 48 and 62
// to 67).

import type { Kernel } from '@plinth/kernel'
import t from 'tap'
import { checkDefaultRole } from '../../src/accounts/settings.ts'
import { userSchema } from '../../src/accounts/user-type.ts'
import { codeIn, refused, start, uid } from '../fixtures/accounts.ts'

const taken = 'Email or Username are already taken'
const wrongCode = 'Incorrect code provided'

/** As src/extensions of a v4 project does it: its attributes replace those of the plugin. */
const extend = (kernel: Kernel) =>
  kernel.contentTypes.extend(uid, {
    attributes: {
      ...(userSchema(true).attributes as object),
      nickname: { type: 'string' },
      motto: { type: 'string' },
    },
  })

t.test('B-6.21: registration', async t => {
  const server = await start(t, {
    config: { register: { allowedFields: ['nickname'] } },
    configure: extend,
  })
  const { get, post, kernel, logIn } = server
  const register = (body: object) => post('auth/local/register', body)

  await t.test('security.md row 48: only what is allowed is taken (CVE-2023-39345)', async t => {
    const { status, body } = await register({
      username: 'ann',
      email: 'Ann@Example.com',
      password: 'ann-secret',
      nickname: 'A',
      motto: 'M',
      role: 2,
      confirmed: false,
      blocked: true,
      provider: 'x',
      resetPasswordToken: 'x',
      tokensValidFrom: '2000-01-01T00:00:00.000Z',
      id: 99,
      createdAt: '2000-01-01T00:00:00.000Z',
    })
    t.equal(status, 200)
    t.match(body.user, { id: 1, email: 'ann@example.com', provider: 'local', confirmed: true, blocked: false })
    t.match(body.user, { nickname: 'A', motto: null })
    const stored = await kernel.query(uid).findOne(1, { populate: ['role'] })
    t.match(stored, { role: { type: 'authenticated' }, resetPasswordToken: null, tokensValidFrom: null })
    t.notMatch(body.user.createdAt, /^2000/)
    t.strictSame(
      Object.keys(body.user).filter(name => /token|password/i.test(name)),
      [],
    )
    t.equal((await get('users/me', body.jwt)).status, 200)
  })

  await t.test('security.md row 65: names that are taken in any form (B-6.42)', async t => {
    const bodies = [
      { username: 'bob', email: 'ANN@EXAMPLE.COM' },
      { username: 'bob', email: 'ａnn@example.com' },
      { username: 'ann', email: 'bob@example.com' },
      { username: 'ａnn', email: 'bob@example.com' },
      { username: 'ann@example.com', email: 'bob@example.com' },
      { username: 'Ann@Example.com', email: 'bob@example.com' },
    ]
    for (const body of bodies) refused(t, await register({ ...body, password: 'bob-secret' }), 400, taken)
    for (const username of [
      'an\u200bn',
      'ann\u3164',
      'ann\u2800',
      'ann\ufe0f',
      'a\u034fnn',
      '\u202eann',
      'ann\u{e0041}',
    ]) {
      const hidden = await register({ username, email: 'bob@example.com', password: 'bob-secret' })
      refused(t, hidden, 400, 'username must not contain invisible characters')
    }
  })

  await t.test('two at a time with one name: one is registered', async t => {
    const body = { username: 'cid', email: 'cid@example.com', password: 'cid-secret' }
    const answers = await Promise.all([register(body), register({ ...body, username: 'Cid2' }), register(body)])
    t.same(answers.map(one => one.status).sort(), [200, 400, 400])
    for (const one of answers)
      if (one.status === 400) t.match(one.body.error, { name: 'ApplicationError', message: taken })
  })

  await t.test('security.md row 63: passwords (CVE-2025-25298)', async t => {
    const body = { username: 'dora', email: 'dora@example.com' }
    const message = async (password: unknown) => (await register({ ...body, password })).body.error.message
    t.equal(await message('x'.repeat(73)), 'password must be at most 72 bytes')
    t.equal(await message('ä'.repeat(37)), 'password must be at most 72 bytes')
    t.equal(await message(''), 'password is a required field')
    t.equal(await message('abc'), 'password must be at least 6 characters')
    t.equal(await message(['abcdef']), 'password must be a `string` type')
    t.equal(await message('x'.repeat(500_000)), 'password must be at most 72 bytes')
    t.equal(await kernel.query(uid).count({ filters: { username: 'dora' } }), 0)
  })

  await t.test('login by an address in any case, and by the exact username', async t => {
    t.type(await logIn('ANN@example.com', 'ann-secret'), 'string')
    t.type(await logIn('ann', 'ann-secret'), 'string')
    t.equal(await logIn('ANN', 'ann-secret'), undefined)
    await kernel.query(uid).update(1, { data: { blocked: true } })
    const answer = await post('auth/local', { identifier: 'ann', password: 'ann-secret' })
    refused(t, answer, 400, 'Your account has been blocked by an administrator')
    refused(t, await post('auth/local', { identifier: 'ann', password: 'x' }), 400, 'Invalid identifier or password')
  })
})

t.test('names that are too long are refused before they are compared', async t => {
  const { post } = await start(t)
  const long = '\ufdfa'.repeat(200_000)
  const message = (name: string) => `${name} must be at most 1024 characters`
  refused(t, await post('auth/local', { identifier: long, password: 'x' }), 400, message('identifier'))
  const body = { username: long, email: 'ann@example.com', password: 'ann-secret' }
  refused(t, await post('auth/local/register', body), 400, message('username'))
  refused(t, await post('auth/forgot-password', { email: `${'a'.repeat(2000)}@b.co` }), 400, message('email'))
})

t.test('registration that is not possible', async t => {
  const off = await start(t, { config: { advanced: { allow_register: false } } })
  const body = { username: 'ann', email: 'ann@example.com', password: 'ann-secret' }
  refused(t, await off.post('auth/local/register', body), 400, 'Register action is currently disabled')
  const lost = await start(t, { config: { advanced: { default_role: 'gone' } } })
  refused(t, await lost.post('auth/local/register', body), 400, 'Impossible to find the default role')
  await t.rejects(start(t, { config: { register: { allowedFields: ['role'] } } }), /a registration cannot set "role"/)
  await t.rejects(
    start(t, { config: { register: { allowedFields: ['nikname'] } } }),
    /users have no attribute "nikname"/,
  )
})

t.test('B-6.22, B-6.23: a new password by mail', async t => {
  const server = await start(t, { config: { advanced: { email_reset_password: 'https://front.test/reset' } } })
  const { get, kernel, logIn, mails, post, user } = server
  const ann = await user('ann')
  const before = await logIn('ann')
  const forgot = (email: unknown) => post('auth/forgot-password', { email })
  const reset = (code: unknown, password = 'new-secret') =>
    post('auth/reset-password', { code, password, passwordConfirmation: password })
  const newCode = async () => {
    await forgot('ann@example.com')
    return codeIn((await mails())[0], 'code')
  }

  await t.test('security.md row 62: the answer is the same for everybody', async t => {
    await user('bea', { blocked: true })
    for (const email of ['ann@example.com', 'nobody@example.com', 'bea@example.com'])
      t.strictSame((await forgot(email)).body, { ok: true })
    const sent = await mails()
    t.match(sent, [{ to: 'ann@example.com', subject: 'Reset password' }])
    t.match(sent[0]!.html, /https:\/\/front\.test\/reset\?code=[\da-f]{128}</)
    t.equal(sent.length, 1)
    const extra = await post('auth/forgot-password', { email: 'ann@example.com', extra: 1 })
    refused(t, extra, 400, 'this field has unspecified keys: extra')
    refused(t, await forgot('bob'), 400, 'email must be a valid email')
    refused(
      t,
      await forgot({ $gt: '' }),
      400,
      'email must be a `string` type, but the final value was: `{\n  "$gt": ""\n}`.',
    )
  })

  await t.test('security.md row 64: the code is stored hashed, and guesses are refused (CVE-2019-18818)', async t => {
    const code = await newCode()
    const row = await kernel.knex('up_users').where({ id: ann.id }).first('reset_password_token')
    t.match(row.reset_password_token, /^sha256:[\da-f]{64}$/)
    for (const guess of ['', 'x', row.reset_password_token, `${code.slice(0, -1)}${code.endsWith('0') ? 1 : 0}`]) {
      const answer = await reset(guess)
      t.equal(answer.status, 400, guess)
      t.equal(answer.body.error.message, guess === '' ? 'code is a required field' : wrongCode)
    }
    for (const guess of [{ $gt: '' }, [code], null, 1, true])
      refused(t, await reset(guess), 400, 'code must be a `string` type')
    t.type(await logIn('ann'), 'string', 'the password is as before')
    const other = await post('auth/reset-password', { code, password: 'new-secret', passwordConfirmation: 'x' })
    refused(t, other, 400, 'Passwords do not match')
    const short = await reset(code, 'abc')
    refused(t, short, 400, 'password must be at least 6 characters')
    const { status, body } = await reset(code)
    t.equal(status, 200, 'a refused password does not use up the code')
    t.match(body, { jwt: String, user: { username: 'ann' } })
    t.equal((await get('users/me', body.jwt)).status, 200)
    refused(t, await get('users/me', before), 401, 'Invalid credentials')
    refused(t, await reset(code), 400, wrongCode)
    t.type(await logIn('ann', 'new-secret'), 'string')
  })

  await t.test('security.md row 64: a code is used once, even by two at a time', async t => {
    const code = await newCode()
    const answers = await Promise.all([reset(code, 'one-secret'), reset(code, 'two-secret'), reset(code, 'six-secret')])
    t.same(answers.map(one => one.status).sort(), [200, 400, 400])
    const [won] = ['one', 'two', 'six'].filter((_, i) => answers[i]!.status === 200)
    t.type(await logIn('ann', `${won}-secret`), 'string')
  })

  await t.test('security.md row 64: a code ends with the password or the address for which it was sent', async t => {
    const [byPassword, byAddress] = [{ password: 'last-secret' }, { email: 'ann2@example.com' }]
    for (const data of [byPassword, byAddress]) {
      const code = await newCode()
      await kernel.query(uid).update(ann.id, { data })
      refused(t, await reset(code), 400, wrongCode)
    }
    t.type(await logIn('ann', 'last-secret'), 'string', 'nothing was changed by them')
    await kernel.query(uid).update(ann.id, { data: { email: 'ann@example.com' } })
  })

  await t.test('security.md row 64: an earlier code, and that of somebody who was blocked since', async t => {
    const [first, second] = [await newCode(), await newCode()]
    refused(t, await reset(first), 400, wrongCode)
    await kernel.query(uid).update(ann.id, { data: { blocked: true } })
    refused(t, await reset(second), 400, wrongCode)
  })
})

t.test('B-6.24: a change of the password', async t => {
  const { kernel, logIn, post, user } = await start(t)
  const ann = await user('ann')
  const token = await logIn('ann')
  const change = (body: object) => post('auth/change-password', body, token)
  const changes = [1, 2].map(i =>
    change({ currentPassword: 'ann-secret', password: `new-${i}-secret`, passwordConfirmation: `new-${i}-secret` }),
  )
  const statuses = (await Promise.all(changes)).map(one => one.status)
  t.same(statuses.sort(), [200, 400], 'of two at a time, the second does not know the current one')
  await kernel.query(uid).delete(ann.id)
  t.equal((await change({})).status, 401)
  const stranger = await post('auth/change-password', {})
  t.equal(stranger.status, 403)
})

t.test('B-6.25, B-6.26: the confirmation of an address', async t => {
  const server = await start(t, {
    config: { advanced: { email_confirmation: true, email_confirmation_redirection: 'https://front.test/welcome' } },
  })
  const { get, kernel, logIn, mails, post, user } = server
  const { status, body } = await post('auth/local/register', {
    username: 'ann',
    email: 'ann@example.com',
    password: 'ann-secret',
  })
  t.equal(status, 200)
  t.strictSame(Object.keys(body), ['user'])
  t.equal(body.user.confirmed, false)
  const [mail] = await mails()
  t.match(mail, { to: 'ann@example.com', subject: 'Account confirmation' })
  t.match(mail!.html, /http:\/\/localhost:1337\/api\/auth\/email-confirmation\?confirmation=[\da-f]{40}</)
  const first = codeIn(mail, 'confirmation')
  t.equal(await logIn('ann'), undefined)

  t.strictSame((await post('auth/send-email-confirmation', { email: 'ANN@example.com' })).body, {
    email: 'ann@example.com',
    sent: true,
  })
  const second = codeIn((await mails())[0], 'confirmation')
  t.strictSame((await post('auth/send-email-confirmation', { email: 'no@example.com' })).body, {
    email: 'no@example.com',
    sent: true,
  })
  t.same(await mails(), [])
  const confirm = (code: string, more = '') => get(`auth/email-confirmation?confirmation=${code}${more}`)
  refused(t, await get('auth/email-confirmation'), 400, 'confirmation is a required field')
  refused(t, await confirm(first), 400, 'Invalid token')
  refused(t, await confirm('x'), 400, 'Invalid token')
  refused(t, await confirm(`&confirmation[$gt]=`), 400, 'confirmation must be a `string` type')

  await t.test('security.md row 64: a code that was sent to one address confirms no other', async t => {
    await kernel.query(uid).update(1, { data: { email: 'other@example.com' } })
    refused(t, await confirm(second), 400, 'Invalid token')
    await kernel.query(uid).update(1, { data: { email: 'ann@example.com' } })
  })
  await post('auth/send-email-confirmation', { email: 'ann@example.com' })
  const third = codeIn((await mails())[0], 'confirmation')
  await t.test('security.md row 67: the request does not choose where it leads to', async t => {
    const headers = { host: 'evil.test', 'x-forwarded-host': 'evil.test', referer: 'https://evil.test/' }
    const url = `auth/email-confirmation?confirmation=${third}&redirect=https://evil.test&redirection=//evil.test`
    const answer = await server.send('GET', url, { headers })
    t.equal(answer.status, 302)
    t.equal(answer.headers.location, 'https://front.test/welcome')
    refused(t, await confirm(third), 400, 'Invalid token')
  })
  t.type(await logIn('ann'), 'string')
  refused(t, await post('auth/send-email-confirmation', { email: 'ann@example.com' }), 400, 'Already confirmed')
  await user('bea', { blocked: true, confirmed: false })
  refused(t, await post('auth/send-email-confirmation', { email: 'bea@example.com' }), 400, 'User blocked')
  t.equal(await kernel.query(uid).count({ filters: { confirmationToken: { $notNull: true } } }), 0)
})

t.test('a default role that does not exist is a warning', t => {
  const warnings: unknown[] = []
  const log = { info() {}, warn: (text: unknown) => void warnings.push(text), error() {} }
  const roles = [{ type: 'public' }, { type: 'member' }] as unknown as Parameters<typeof checkDefaultRole>[1]
  for (const given of [undefined, 'member', 'mmber']) checkDefaultRole(given, roles, log as never)
  t.match(warnings, [/default_role: there is no role "mmber", did you mean "member"\?; nobody can register/])
  t.equal(warnings.length, 1)
  t.end()
})
