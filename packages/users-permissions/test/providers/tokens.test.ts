// What a provider says is verified before anybody is logged in: ID tokens and addresses (security.md row 66); and what the
// front end sends is a code of the server, once.

import { createHmac, createPublicKey } from 'node:crypto'
import { generateKeyPair, type JWTPayload } from 'jose'
import t from 'tap'
import { confirmationCode, loginCode, makeCode, resetCode } from '../../src/accounts/codes.ts'
import { refused, start, uid } from '../fixtures/accounts.ts'
import { openBrowser } from '../fixtures/browser.ts'
import { client, openIssuer } from '../fixtures/issuer.ts'

const wrongToken = 'The ID token of the provider is not valid'
const wrongCode = 'Invalid access_token: it must be that of the redirect to the front end, and is valid once'

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

t.test('security.md row 66: an ID token that is not verified logs nobody in (CVE-2023-22893)', async t => {
  const issuer = await openIssuer(t)
  const server = await start(t, { config: { providers: issuer.providers } })
  const browser = openBrowser(server, issuer)
  const { faults, sign } = issuer
  const foreign = await generateKeyPair('RS256')
  const now = Math.floor(Date.now() / 1000)
  const hmac = (claims: JWTPayload, secret: string) => {
    const text = `${encode({ alg: 'HS256', kid: 'k1' })}.${encode(claims)}`
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
  }
  const jwks = (await (await fetch(`${issuer.url}/jwks`)).json()) as { keys: never[] }
  const pem = String(createPublicKey({ key: jwks.keys[0]!, format: 'jwk' }).export({ type: 'spki', format: 'pem' }))
  const tokens: Record<string, (claims: JWTPayload) => Promise<string> | string> = {
    'no signature': claims => `${encode({ alg: 'none' })}.${encode(claims)}.`,
    'no algorithm': claims => `${encode({})}.${encode(claims)}.x`,
    'the secret of the client': claims => hmac(claims, client.secret),
    'the public key as a secret': claims => hmac(claims, pem),
    'a key of somebody else': claims => sign(claims, foreign.privateKey),
    'an unknown key': claims => sign(claims, foreign.privateKey, 'k2'),
    'another client': claims => sign({ ...claims, aud: 'another-client' }),
    'no client': claims => sign({ ...claims, aud: undefined }),
    'several clients': claims => sign({ ...claims, aud: ['another-client', client.id] }),
    'several clients, made for another one': claims => sign({ ...claims, aud: [client.id, 'b'], azp: 'b' }),
    'made for another client': claims => sign({ ...claims, azp: 'b' }),
    'another issuer': claims => sign({ ...claims, iss: 'https://evil.example' }),
    ended: claims => sign({ ...claims, exp: now - 60 }),
    'without an end': claims => sign({ ...claims, exp: undefined }),
    'not yet valid': claims => sign({ ...claims, nbf: now + 600 }),
    'without a nonce': claims => sign({ ...claims, nonce: undefined }),
    'the nonce of another login': claims => sign({ ...claims, nonce: 'x' }),
    nobody: claims => sign({ ...claims, sub: undefined }),
    'an empty name': claims => sign({ ...claims, sub: '' }),
    changed: async claims => {
      const [head, , signature] = (await sign(claims)).split('.')
      return `${head}.${encode({ ...claims, email: 'admin@example.com' })}.${signature}`
    },
    'no token': () => undefined as never,
    text: () => 'x.y.z',
    'a list': () => ['x'] as never,
  }
  for (const [name, make] of Object.entries(tokens)) {
    faults.idToken = make
    const { status, body } = await browser.comeBack('own')
    t.same([status, body?.error?.message], [400, wrongToken], name)
  }
  t.equal(await server.kernel.query(uid).count(), 0)
  faults.idToken = claims => sign({ ...claims, aud: ['b', client.id], azp: client.id })
  t.equal((await browser.comeBack('own')).status, 302, 'a right one of several clients')
})

t.test('security.md row 66: an address that the provider has not verified', async t => {
  const issuer = await openIssuer(t)
  const { own, github } = issuer.providers
  const providers = { own, github, trusted: { ...own, trustEmails: true } }
  const server = await start(t, { config: { providers } })
  const browser = openBrowser(server, issuer)
  const notVerified = 'Email is not verified by the provider.'
  for (const verified of [false, undefined, null, 'false', 0, 1, 'yes']) {
    issuer.person.verified = verified
    for (const provider of ['own', 'github']) refused(t, await browser.comeBack(provider), 400, notVerified)
  }
  issuer.person.verified = 'true'
  refused(t, await browser.comeBack('github'), 400, notVerified)
  for (const email of [undefined, '', 'octo', 'a@b@c.d', 'x\r\nbcc: y@z.de', `${'x'.repeat(400)}@example.com`]) {
    issuer.person.email = email
    for (const provider of ['own', 'github', 'trusted'])
      refused(t, await browser.comeBack(provider), 400, 'Email was not available.')
  }
  t.equal(await server.kernel.query(uid).count(), 0)
  Object.assign(issuer.person, { verified: undefined, email: 'octo@example.com' })
  t.equal((await browser.comeBack('trusted')).status, 302, 'trustEmails')
  t.equal((await browser.visit('/api/auth/own/callback')).status, 400)
})

t.test('security.md row 66: what the userinfo endpoint says belongs to the ID token', async t => {
  const issuer = await openIssuer(t)
  const server = await start(t, { config: { providers: issuer.providers } })
  const browser = openBrowser(server, issuer)
  issuer.faults.claims = { email: undefined, email_verified: undefined }
  issuer.faults.userinfoSub = 'somebody else'
  refused(t, await browser.comeBack('own'), 400, 'The provider tells of another user than its ID token')
  issuer.faults.userinfoSub = undefined
  issuer.faults.claims = { email: undefined, email_verified: true }
  issuer.person.verified = false
  const notVerified = 'Email is not verified by the provider.'
  refused(t, await browser.comeBack('own'), 400, notVerified)
  issuer.person.verified = true
  t.match((await browser.logIn('own')).body.user, { username: 'octo', email: 'octo@example.com' })
})

t.test('security.md row 66: a token of the provider is not accepted, and a code is used once', async t => {
  const issuer = await openIssuer(t)
  const server = await start(t, { config: { providers: issuer.providers } })
  const browser = openBrowser(server, issuer)
  const { location } = await browser.comeBack('own')
  const code = new URL(location).searchParams.get('access_token')!
  const exchange = (text: string, provider = 'own') => server.get(`auth/${provider}/callback?access_token=${text}`)
  const [user] = await server.kernel.query(uid).findMany({})
  const ofProviders = issuer.seen.flatMap(one => /^Bearer (.+)$/.exec(one.headers.authorization ?? '')?.[1] ?? [])
  const others = [
    ...ofProviders,
    'ya29.a0AfH6SMBx',
    'gho_16C7e42F292c6912E7710c838347Ae178B4a',
    `${code}00`,
    code.slice(0, -2),
    code.toUpperCase(),
    `${code.slice(0, -2)}${code.endsWith('00') ? '11' : '00'}`,
    makeCode(loginCode, user!.id).code,
    makeCode(resetCode, user!.id).code,
    makeCode(confirmationCode, user!.id).code,
    '%00',
  ]
  for (const text of others) refused(t, await exchange(text), 400, wrongCode)
  refused(t, await server.get(`auth/own/callback?access_token[]=${code}`), 400, wrongCode)
  refused(t, await exchange(code, 'github'), 400, wrongCode)
  refused(t, await exchange(code, 'local'), 400, 'This provider is disabled')
  refused(t, await server.get('auth/own/callback'), 400, 'No access_token.')
  refused(t, await server.get(`auth/email-confirmation?confirmation=${code}`), 400, 'Invalid token')
  const reset = { code, password: 'new-secret', passwordConfirmation: 'new-secret' }
  refused(t, await server.post('auth/reset-password', reset), 400, 'Incorrect code provided')
  const row = await server.kernel.knex('up_users').where({ id: user!.id }).first('confirmation_token', 'updated_at')
  t.match(row.confirmation_token, /^sha256:/, 'the code itself is not stored')
  const answers = await Promise.all([exchange(code), exchange(code), exchange(code)])
  t.same(answers.map(one => one.status).sort(), [200, 400, 400])
  refused(t, await exchange(code), 400, wrongCode)
  const after = await server.kernel.knex('up_users').where({ id: user!.id }).first('confirmation_token', 'updated_at')
  t.same(after, { ...row, confirmation_token: null }, 'nothing else of the user changes')
})

t.test('a code ends after two minutes, with the next login, and with the rights of its user', async t => {
  const issuer = await openIssuer(t)
  const server = await start(t, { config: { providers: issuer.providers } })
  const browser = openBrowser(server, issuer)
  const codeOf = async () => new URL((await browser.comeBack('own')).location).search
  const [first, second] = [await codeOf(), await codeOf()]
  refused(t, await server.get(`auth/own/callback${first}`), 400, wrongCode)
  const { now } = Date
  Date.now = () => now() + 121_000
  try {
    refused(t, await server.get(`auth/own/callback${second}`), 400, wrongCode)
  } finally {
    Date.now = now
  }
  const [user] = await server.kernel.query(uid).findMany({})
  const third = await codeOf()
  await server.kernel.query(uid).update(user!.id, { data: { blocked: true } })
  refused(t, await server.get(`auth/own/callback${third}`), 400, 'Your account has been blocked by an administrator')
  await server.kernel.query(uid).update(user!.id, { data: { blocked: false, provider: 'github' } })
  refused(t, await server.get(`auth/own/callback${third}`), 400, wrongCode)
})
