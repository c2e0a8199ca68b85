// A password that cannot be stored is refused before anything else: no hash is computed, no code is used, and nothing is
// said about names (security.md rows 62 and 63).

import t from 'tap'
import { Passwords } from '../../src/accounts/passwords.ts'
import { codeIn, refused, uid } from '../fixtures/accounts.ts'
import { startGraphql } from '../fixtures/graphql.ts'

const faults = {
  short: ['abc', 'password must be at least 6 characters'],
  long: ['é'.repeat(37), 'password must be at most 72 bytes'],
} as const

t.test('a password that cannot be stored', async t => {
  const hashed: string[] = []
  const { hash, verify } = Passwords.prototype
  t.teardown(() => Object.assign(Passwords.prototype, { hash, verify }))
  const server = await startGraphql(t)
  const { post, put, ask, user, mails, logIn, kernel } = server
  await user('ann')
  await user('bob')
  const jwt = await logIn('ann')
  Passwords.prototype.hash = async function (password) {
    hashed.push(password)
    return hash.call(this, password)
  }
  Passwords.prototype.verify = async function (password, stored) {
    hashed.push(password)
    return verify.call(this, password, stored)
  }
  await post('auth/forgot-password', { email: 'ann@example.com' })
  const code = codeIn((await mails())[0], 'code')
  for (const [password, message] of Object.values(faults)) {
    const names = { username: 'bob', email: 'bob@example.com' }
    const twice = { password, passwordConfirmation: password }
    refused(t, await post('auth/local/register', { ...names, password }), 400, message)
    refused(t, await post('auth/local/register', { username: 'eve', email: 'eve@x.io', password }), 400, message)
    refused(t, await post('auth/reset-password', { code, ...twice }), 400, message)
    refused(t, await post('auth/reset-password', { code: 'x', ...twice }), 400, message)
    refused(t, await post('auth/change-password', { currentPassword: 'wrong', ...twice }, jwt), 400, message)
    refused(t, await post('users', { ...names, password, role: 1 }, jwt), 400, message)
    refused(t, await put('users/1', { ...names, password }, jwt), 400, message)
    const text = JSON.stringify(password)
    const data = `username: "bob", email: "bob@example.com", password: ${text}`
    for (const [operation, token] of [
      [`register(input: { ${data} }) { jwt }`],
      [`resetPassword(code: "${code}", password: ${text}, passwordConfirmation: ${text}) { jwt }`],
      [`changePassword(currentPassword: "x", password: ${text}, passwordConfirmation: ${text}) { jwt }`, jwt],
      [`createUsersPermissionsUser(data: { ${data}, role: 1 }) { data { id } }`, jwt],
      [`updateUsersPermissionsUser(id: 1, data: { ${data} }) { data { id } }`, jwt],
    ] as const) {
      const { body } = await ask(`mutation { ${operation} }`, token)
      t.equal(body.errors[0].message, message, operation)
    }
    const own = kernel.query(uid).create({ data: { ...names, username: 'zoe', email: 'zoe@x.io', password } })
    await t.rejects(own, { message }, 'code')
  }
  t.strictSame(hashed, [])
  const next = { password: 'ann-second', passwordConfirmation: 'ann-second' }
  t.equal((await post('auth/reset-password', { code, ...next })).status, 200, 'the code was not used up')
})
