// Logins by third parties as front ends of v4 use them (B-6.27): to the provider, back, and the exchange of the code.

import t from 'tap'
import { codeIn, refused, start, uid } from '../fixtures/accounts.ts'
import { openBrowser } from '../fixtures/browser.ts'
import { client, openIssuer } from '../fixtures/issuer.ts'

const taken = 'Email is already taken.'

t.test('B-6.27: a login by OpenID Connect', async t => {
  const issuer = await openIssuer(t)
  issuer.person.preferred_username = 'octo@corp'
  const server = await start(t, { config: { providers: issuer.providers } })
  const browser = openBrowser(server, issuer)
  const { status, location, headers } = await browser.visit('/api/connect/own')
  t.equal(status, 302)
  t.equal(headers['cache-control'], 'no-store')
  const begin = new URL(location)
  t.equal(`${begin.origin}${begin.pathname}`, `${issuer.url}/authorize`)
  t.match(Object.fromEntries(begin.searchParams), {
    client_id: client.id,
    response_type: 'code',
    redirect_uri: 'http://localhost:1337/api/connect/own/callback',
    scope: 'openid email profile',
    code_challenge_method: 'S256',
    code_challenge: /^[\w-]{43}$/,
    nonce: /^[\w-]{43}$/,
    state: /^[\w-]{32}\./,
  })
  const back = await browser.visit(issuer.consent(location))
  t.equal(back.status, 302)
  const target = new URL(back.location)
  t.equal(`${target.origin}${target.pathname}`, 'https://front.example.com/connect/own')
  t.match(target.search, /^\?access_token=[\da-f]{96}$/, 'nothing of the provider reaches the front end')
  t.equal(browser.cookies.size, 0, 'the cookies of the login are removed')
  const answer = await server.get(`auth/own/callback${target.search}`)
  t.equal(answer.status, 200)
  t.equal(answer.headers['cache-control'], 'no-store')
  const user = { username: 'octo', email: 'octo@example.com', provider: 'own', confirmed: true, blocked: false }
  t.match(answer.body, { jwt: /^ey/, user })
  t.notOk('password' in answer.body.user || 'confirmationToken' in answer.body.user)
  t.equal((await server.get('notes', answer.body.jwt)).status, 200, 'the role is the default one')
  const again = await browser.logIn('own')
  t.equal(again.body.user.id, answer.body.user.id, 'the next login is of the same user')
  t.equal(await server.kernel.query(uid).count(), 1)
  const token = issuer.seen.find(one => one.path === '/token')!
  t.match(token.headers.authorization, /^Basic /)
  t.match(token.body, /code_verifier=[\w-]{43}/)
})

t.test('B-6.27: a login by GitHub', async t => {
  const issuer = await openIssuer(t)
  const server = await start(t, { config: { providers: issuer.providers } })
  await server.user('octocat', { email: 'somebody@example.com' })
  const browser = openBrowser(server, issuer)
  const { location } = await browser.visit('/api/connect/github')
  t.match(Object.fromEntries(new URL(location).searchParams), {
    scope: 'read:user user:email',
    code_challenge_method: 'S256',
  })
  const { status, body } = await browser.logIn('github')
  t.equal(status, 200)
  t.match(
    body.user,
    { username: /^octocat-\d{4}$/, email: 'octo@example.com', provider: 'github' },
    'the name was in use',
  )
  t.match(issuer.seen.find(one => one.path === '/login/oauth/access_token')!.body, /client_secret=/)
  t.equal((await browser.logIn('github')).body.user.id, body.user.id)
  await server.kernel.query(uid).update(body.user.id, { data: { blocked: true } })
  refused(t, await browser.logIn('github'), 400, 'Your account has been blocked by an administrator')
})

t.test('a browser that uses two providers, and one that does not consent', async t => {
  const issuer = await openIssuer(t)
  const server = await start(t, { config: { providers: issuer.providers } })
  const browser = openBrowser(server, issuer)
  const [one, two] = [await browser.consent('own'), await browser.consent('github')]
  t.equal((await browser.visit(one)).status, 302)
  refused(t, await browser.visit(two), 400, taken)
  issuer.faults.back = { error: 'access_denied' }
  const { location } = await browser.comeBack('own')
  t.equal(location, 'https://front.example.com/connect/own?error=access_denied')
  refused(t, await server.get('auth/own/callback?error=access_denied'), 400, 'No access_token.')
  issuer.faults.back = { error: 'x\r\nset-cookie: a=b' }
  t.equal((await browser.comeBack('own')).location, 'https://front.example.com/connect/own?error=server_error')
})

t.test('the account of a password is not entered by a third party', async t => {
  const issuer = await openIssuer(t)
  const server = await start(t, { config: { providers: issuer.providers } })
  const ann = await server.user('ann', { email: 'octo@example.com' })
  refused(t, await openBrowser(server, issuer).logIn('own'), 400, taken)
  await server.kernel.query(uid).update(ann.id, { data: { confirmed: false } })
  refused(t, await openBrowser(server, issuer).logIn('own'), 400, taken)
  t.type(await server.logIn('ann'), 'string')
  t.equal(await server.kernel.query(uid).count(), 1)
})

t.test(
  'a registration that was never confirmed loses the address to its owner, and its password is of no use',
  async t => {
    const issuer = await openIssuer(t)
    const config = { providers: issuer.providers, advanced: { email_confirmation: true } }
    const server = await start(t, { config })
    const thief = { username: 'thief', email: 'octo@example.com', password: 'of-the-thief' }
    t.equal((await server.post('auth/local/register', thief)).status, 200)
    const [mail] = await server.mails()
    const code = codeIn(mail, 'confirmation')
    const { body } = await openBrowser(server, issuer).logIn('own')
    t.match(body.user, { username: 'thief', provider: 'own', confirmed: true })
    const wrong = await server.post('auth/local', { identifier: 'octo@example.com', password: 'of-the-thief' })
    refused(t, wrong, 400, 'Invalid identifier or password')
    refused(t, await server.get(`auth/email-confirmation?confirmation=${code}`), 400, 'Invalid token')
    const row = await server.kernel.knex('up_users').where({ id: body.user.id }).first()
    t.match(row, { password: null, confirmation_token: null, reset_password_token: null })
    t.ok(row.tokens_valid_from)
    t.equal((await server.get('users/me', body.jwt)).status, 200)
  },
)

t.test('the settings of registration', async t => {
  const issuer = await openIssuer(t)
  const { providers } = issuer
  await t.test('none', async t => {
    const server = await start(t, { config: { providers, advanced: { allow_register: false } } })
    refused(t, await openBrowser(server, issuer).logIn('own'), 400, 'Register action is actually not available.')
    t.equal(await server.kernel.query(uid).count(), 0)
  })
  await t.test('addresses that several users have', async t => {
    const server = await start(t, { config: { providers, advanced: { unique_email: false } } })
    const ann = await server.user('ann', { email: 'octo@example.com' })
    const browser = openBrowser(server, issuer)
    const [own, github] = [await browser.logIn('own'), await browser.logIn('github')]
    t.equal(new Set([ann.id, own.body.user.id, github.body.user.id]).size, 3, 'each provider has its own user')
    t.equal((await browser.logIn('own')).body.user.id, own.body.user.id)
  })
  await t.test('the default role', async t => {
    const server = await start(t, { config: { providers, advanced: { default_role: 'nobody' } } })
    refused(t, await openBrowser(server, issuer).logIn('own'), 400, 'Impossible to find the default role')
  })
})

t.test('security.md row 66: a user of a provider cannot wait under the address of somebody else', async t => {
  const issuer = await openIssuer(t)
  const server = await start(t, { config: { providers: issuer.providers } })
  const thief = (await openBrowser(server, issuer).logIn('own')).body
  const url = `users/${thief.user.id}`
  const message = 'The address of this user is that of the provider own'
  refused(t, await server.put(url, { email: 'victim@example.com' }, thief.jwt), 400, message)
  t.equal((await server.put(url, { email: 'OCTO@example.com', username: 'thief' }, thief.jwt)).status, 200)
  await server.user('ann')
  const ann = await server.logIn('ann')
  const [{ id }] = (await server.get('users?filters[username]=ann', ann)).body
  t.equal((await server.put(`users/${id}`, { email: 'ann@example.org' }, ann)).status, 200, 'with a password')
  issuer.person.email = 'victim@example.com'
  t.not((await openBrowser(server, issuer).logIn('own')).body.user.id, thief.user.id)
})

t.test('two first logins at a time make one user', async t => {
  const issuer = await openIssuer(t)
  const server = await start(t, { config: { providers: issuer.providers } })
  const browsers = [1, 2, 3].map(() => openBrowser(server, issuer))
  const answers = await Promise.all(browsers.map(browser => browser.comeBack('own')))
  t.same(
    answers.map(one => one.status),
    [302, 302, 302],
  )
  t.equal(await server.kernel.query(uid).count(), 1)
})

t.test('names that usernames cannot have', async t => {
  const issuer = await openIssuer(t)
  const server = await start(t, { config: { providers: issuer.providers } })
  const cases: readonly (readonly [string, RegExp])[] = [
    ['ab', /^ab-\d{4}$/],
    ['a\u200bdmin\u202e', /^admin$/],
    ['admin@example.com', /^admin-\d{4}$/],
    [`${'x'.repeat(500)}`, /^x{60}$/],
    ['\u200b', /^user$/],
    ['', /^mail7$/],
  ]
  for (const [i, [name, expected]] of cases.entries()) {
    Object.assign(issuer.person, { preferred_username: name, email: `mail${i + 2}@example.com`, sub: `p-${i}` })
    t.match((await openBrowser(server, issuer).logIn('own')).body.user.username, expected, JSON.stringify(name))
  }
})
