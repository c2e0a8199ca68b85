// Providers that fail: every answer is an envelope, in time, and nothing secret reaches the log. Limits of requests.

import t from 'tap'
import { refused, start, uid } from '../fixtures/accounts.ts'
import { openBrowser } from '../fixtures/browser.ts'
import { client, openIssuer } from '../fixtures/issuer.ts'

const unreachable = (name: string) => `The provider ${name} cannot be reached at the moment`

/** A logger that keeps what is written. */
function keepLog() {
  const lines: string[] = []
  return { lines, logger: { level: 'trace', stream: { write: (line: string) => void lines.push(line) } } }
}

const discovery = '/.well-known/openid-configuration'

t.test('a provider that answers wrongly is a 502, and works again when it does', async t => {
  const issuer = await openIssuer(t)
  const { lines, logger } = keepLog()
  const providers = { ...issuer.providers, other: issuer.providers.own }
  const server = await start(t, { config: { providers }, logger })
  const browser = openBrowser(server, issuer)
  const wrong = {
    'an error': { status: 500, body: 'oops' },
    'a page': { body: '<html>' },
    nothing: { body: '' },
    null: { body: 'null' },
    text: { body: '"x"' },
    'a redirect': { status: 302, body: '' },
    'too much': 'long',
  } as const
  const paths = {
    own: [discovery, '/token', '/jwks', '/userinfo'],
    github: ['/login/oauth/access_token', '/user', '/user/emails'],
  } as const
  issuer.faults.claims = { email: undefined, email_verified: undefined }
  for (const [provider, list] of Object.entries(paths))
    for (const path of list)
      for (const [name, fault] of Object.entries(wrong)) {
        issuer.faults.answers = { [path]: fault }
        const first = await browser.visit(`/api/connect/${provider}`)
        const answer = first.status === 302 ? await browser.visit(issuer.consent(first.location)) : first
        t.same(
          [answer.status, answer.body?.error],
          [502, { status: 502, name: 'BadGatewayError', message: unreachable(provider), details: {} }],
          `${path}: ${name}`,
        )
      }
  t.equal(await server.kernel.query(uid).count(), 0)
  // The document of `own` is known by now, and not asked for again.
  const right = (await (await fetch(`${issuer.url}${discovery}`)).json()) as object
  issuer.faults.answers = { '/login/oauth/access_token': { json: { error: 'incorrect_client_credentials' } } }
  refused(t, await browser.comeBack('github'), 502, unreachable('github'))
  t.match(lines.join(''), 'the login provider github: the token endpoint gives no token (incorrect_client_credentials)')
  const documents = [
    { ...right, issuer: 'https://evil.example' },
    { ...right, issuer: `${issuer.url}/` },
    { ...right, token_endpoint: 'http://user@x.example' },
    { ...right, jwks_uri: 'file:///etc/passwd' },
    { ...right, authorization_endpoint: 5 },
    [],
  ]
  for (const document of documents) {
    issuer.faults.answers = { [discovery]: { json: document } }
    refused(t, await browser.visit('/api/connect/other'), 502, unreachable('other'))
  }
  issuer.faults.answers = {}
  t.equal((await browser.logIn('own')).status, 200)
  t.equal((await browser.visit('/api/connect/other')).status, 302, 'a failure is not kept')
  t.match(lines.join(''), /the login provider github: GET http:\/\/127\.0\.0\.1:\d+\/user\/emails: status 500/)
  t.match(lines.join(''), /the login provider own: .*more than 262144 bytes/)
})

t.test('a provider that does not answer is a 502 after five seconds, one that is away at once', async t => {
  const issuer = await openIssuer(t)
  const providers = {
    ...issuer.providers,
    away: { ...issuer.providers.own, issuer: 'http://127.0.0.1:1' },
    slow: { ...issuer.providers.own },
    keyless: { ...issuer.providers.own },
  }
  const server = await start(t, { config: { providers } })
  const ways = ['github', 'slow', 'keyless'].map(async name => {
    const browser = openBrowser(server, issuer)
    return { name, browser, back: await browser.consent(name) }
  })
  const ready = await Promise.all(ways)
  issuer.faults.answers = { '/user': 'never', '/token': 'never', [discovery]: 'never' }
  const began = performance.now()
  refused(t, await server.get('connect/away'), 502, unreachable('away'))
  t.ok(performance.now() - began < 4500, 'not after five seconds')
  const answers = await Promise.all([
    ...ready.map(({ browser, back }) => browser.visit(back)),
    server.get('connect/own'),
    server.get('connect/own'),
  ])
  t.same(
    answers.map(one => one.status),
    [502, 502, 502, 502, 502],
  )
  t.ok(performance.now() - began < 9000, 'in time')
  t.equal(issuer.seen.filter(one => one.path === discovery).length, 3, 'two requests ask an issuer once')
  issuer.faults.answers = {}
  t.equal((await openBrowser(server, issuer).logIn('own')).status, 200)
})

t.test('a secret that the provider does not know', async t => {
  const issuer = await openIssuer(t)
  const { own, github } = issuer.providers
  const clientSecret = 'another-secret-entirely'
  const { lines, logger } = keepLog()
  const providers = { own: { ...own, clientSecret }, github: { ...github, clientSecret } }
  const server = await start(t, { config: { providers }, logger })
  for (const name of ['own', 'github']) {
    refused(t, await openBrowser(server, issuer).comeBack(name), 502, unreachable(name))
    t.match(lines.join(''), `the login provider ${name}: the token endpoint gives no token (401 invalid_client)`)
  }
  t.notMatch(lines.join(''), clientSecret)
})

t.test('security.md A.5: the log contains no secret, no code and no token', async t => {
  const issuer = await openIssuer(t)
  const { lines, logger } = keepLog()
  const server = await start(t, { config: { providers: issuer.providers }, logger })
  const browser = openBrowser(server, issuer)
  const secrets: string[] = [client.secret]
  for (const provider of ['own', 'github']) {
    const back = new URL(await browser.consent(provider))
    secrets.push(back.searchParams.get('code')!, back.searchParams.get('state')!)
    secrets.push(...[...browser.cookies.values()].map(one => one.value))
    const answer = await browser.visit(back.href)
    if (answer.status !== 302) continue
    const code = new URL(answer.location).searchParams.get('access_token')!
    const { body } = await server.get(`auth/${provider}/callback?access_token=${code}`)
    secrets.push(code, body.jwt)
    await server.get(`auth/${provider}/callback?access_token=${code}`)
  }
  issuer.faults.idToken = claims => issuer.sign({ ...claims, aud: 'b' })
  const refusedBack = await browser.consent('own')
  secrets.push(new URL(refusedBack).searchParams.get('code')!)
  await browser.visit(refusedBack)
  issuer.faults.answers = { '/login/oauth/access_token': { status: 500, json: { error: client.secret } } }
  await browser.comeBack('github')
  secrets.push(...issuer.seen.map(one => one.headers.authorization ?? client.secret))
  const text = lines.join('')
  t.ok(lines.length > 5, 'there is a log')
  t.match(text, /the login provider own: ID token refused: ERR_JWT_CLAIM_VALIDATION_FAILED/)
  for (const secret of secrets) t.notOk(text.includes(secret), secret)
})

t.test('security.md row 61: the routes of providers are limited like those of accounts', async t => {
  const issuer = await openIssuer(t)
  const server = await start(t, { config: { providers: issuer.providers, ratelimit: { max: 2 } } })
  const tooMany = 'Too many requests, please try again later.'
  for (const url of ['connect/own', 'connect/own/callback?state=x', 'auth/own/callback?access_token=x']) {
    for (const name of ['own', 'github']) t.not((await server.get(url.replace('own', name))).status, 429)
    refused(t, await server.get(url), 429, tooMany)
    t.not((await server.send('GET', url, { ip: '10.0.0.9' })).status, 429, 'another address')
  }
})

t.test('B-6.9: whoever may not do it', async t => {
  const issuer = await openIssuer(t)
  const server = await start(t, { config: { providers: issuer.providers } })
  await server.user('ann')
  const token = await server.logIn('ann')
  for (const url of ['connect/own', 'connect/own/callback', 'auth/own/callback'])
    refused(t, await server.get(url, token), 403, 'Forbidden')
  for (const url of [
    'connect/nobody',
    'connect/nobody/callback',
    'auth/nobody/callback',
    'connect/constructor',
    'connect/__proto__/callback',
  ])
    refused(t, await server.get(url), 400, 'This provider is disabled')
})
