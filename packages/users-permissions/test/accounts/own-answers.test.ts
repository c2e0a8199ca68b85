// Who has just proved to be a user sees what the role of this user may see, whichever request proves it, and gets a token
// only if requests with it are accepted (B-6.7, B-6.20 to B-6.27).

import t, { type Test } from 'tap'
import { codeIn, type Started, uid } from '../fixtures/accounts.ts'
import { openBrowser } from '../fixtures/browser.ts'
import { startGraphql } from '../fixtures/graphql.ts'
import { openIssuer } from '../fixtures/issuer.ts'

const seen = (action: string, fields: readonly string[]) => ({ action: `${uid}.${action}`, fields })

/** Members do not see their address; strangers see the address of nobody's confirmation. */
const rules = {
  authenticated: [seen('findOne', ['email', 'provider'])],
  public: [seen('findOne', ['confirmed'])],
}
const permissions = {
  public: [`${uid}.findOne`],
  authenticated: [`${uid}.me`, 'plugin::users-permissions.auth.changePassword', 'plugin::users-permissions.role.find'],
}

const shownByMe = async (t: Test, { get }: Started, jwt: string) => {
  const { body, status } = await get('users/me', jwt)
  t.equal(status, 200)
  return body
}

t.test('AR-1: REST', async t => {
  const issuer = await openIssuer(t)
  const server = await startGraphql(t, { config: { rules, permissions, providers: issuer.providers } })
  const { post, get, mails } = server
  const same = async (answer: { readonly body: { readonly jwt: string; readonly user: object } }, what: string) => {
    const { jwt, user } = answer.body
    t.strictSame(user, await shownByMe(t, server, jwt), what)
    t.notOk('email' in user || 'provider' in user, what)
    t.ok('confirmed' in user, what)
    return jwt
  }
  const ann = { username: 'ann', email: 'ann@example.com', password: 'ann-secret' }
  await same(await post('auth/local/register', ann), 'registration')
  const jwt = await same(await post('auth/local', { identifier: 'ann', password: 'ann-secret' }), 'login')
  const passwords = { currentPassword: 'ann-secret', password: 'ann-second', passwordConfirmation: 'ann-second' }
  await same(await post('auth/change-password', passwords, jwt), 'change of the password')
  await post('auth/forgot-password', { email: 'ann@example.com' })
  const code = codeIn((await mails())[0], 'code')
  const reset = { code, password: 'ann-third', passwordConfirmation: 'ann-third' }
  await same(await post('auth/reset-password', reset), 'reset')
  const browser = openBrowser(server, issuer)
  const back = await browser.visit(issuer.consent((await browser.visit('/api/connect/own')).location))
  await same(await get(`auth/own/callback${new URL(back.location).search}`), 'login by a third party')
})

t.test('AR-1: GraphQL', async t => {
  const config = { rules, permissions, advanced: { email_confirmation: true } }
  const { ask, mails, kernel } = await startGraphql(t, { config })
  const user = 'user { username email confirmed role { type } }'
  const own = { username: 'mia', email: null, role: { type: 'authenticated' } }
  const input = 'username: "mia", email: "mia@example.com", password: "mia-secret"'
  const registered = await ask(`mutation { register(input: { ${input} }) { jwt ${user} } }`)
  t.strictSame(registered.body.data.register, { jwt: null, user: { ...own, confirmed: false } })
  const confirmation = codeIn((await mails())[0], 'confirmation')
  const confirmed = await ask(`mutation { emailConfirmation(confirmation: "${confirmation}") { ${user} } }`)
  t.strictSame(confirmed.body.data.emailConfirmation, { user: { ...own, confirmed: true } })
  const login = await ask(`mutation { login(input: { identifier: "mia", password: "mia-secret" }) { jwt ${user} } }`)
  const { jwt, ...shown } = login.body.data.login
  t.strictSame(shown, { user: { ...own, confirmed: true } })
  t.strictSame((await ask(`{ me { username email confirmed role { type } } }`, jwt)).body.data.me, {
    ...own,
    confirmed: true,
  })
  await ask('mutation { forgotPassword(email: "mia@example.com") { ok } }')
  const code = codeIn((await mails())[0], 'code')
  const next = 'password: "mia-second", passwordConfirmation: "mia-second"'
  const reset = await ask(`mutation { resetPassword(code: "${code}", ${next}) { ${user} } }`)
  t.strictSame(reset.body.data.resetPassword, { user: { ...own, confirmed: true } })

  await t.test('a role that may see the address', async t => {
    const editor = await kernel
      .query('plugin::users-permissions.role')
      .create({ data: { name: 'Editor', type: 'editor' } })
    await kernel.query(uid).update(1, { data: { role: editor.id } })
    const answer = await ask(`mutation { login(input: { identifier: "mia", password: "mia-second" }) { ${user} } }`)
    t.match(answer.body.data.login.user, { email: 'mia@example.com', confirmed: true })
  })
})

t.test('B-6.7: a reset answers no token to who has yet to confirm the address', async t => {
  const { post, get, mails, ask, kernel } = await startGraphql(t, {
    config: { advanced: { email_confirmation: true } },
  })
  const ann = { username: 'ann', email: 'ann@example.com', password: 'ann-secret' }
  await post('auth/local/register', ann)
  const confirmation = codeIn((await mails())[0], 'confirmation')
  const codeOf = async () => {
    await post('auth/forgot-password', { email: 'ann@example.com' })
    return codeIn((await mails())[0], 'code')
  }
  const next = { password: 'ann-second', passwordConfirmation: 'ann-second' }
  const reset = await post('auth/reset-password', { code: await codeOf(), ...next })
  t.equal(reset.status, 200)
  t.match(reset.body, { user: { username: 'ann', confirmed: false } })
  t.notOk('jwt' in reset.body, 'as after a registration')
  const again = `code: "${await codeOf()}", password: "ann-third", passwordConfirmation: "ann-third"`
  const { data } = (await ask(`mutation { resetPassword(${again}) { jwt user { username } } }`)).body
  t.strictSame(data.resetPassword, { jwt: null, user: { username: 'ann' } })
  t.equal((await get(`auth/email-confirmation?confirmation=${confirmation}`)).status, 302, 'the mail still confirms')
  const { body } = await post('auth/local', { identifier: 'ann', password: 'ann-third' })
  t.equal((await get('users/me', body.jwt)).status, 200)
  t.equal(await kernel.query(uid).count({ filters: { confirmed: true } }), 1)
})
