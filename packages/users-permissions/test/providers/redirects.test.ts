// What binds a login to its browser, its server and its front end: redirects, state, PKCE and cookies (security.md row 66,
// CVE-2023-22893).

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { targetIn } from '../../src/accounts/providers/state.ts'
import { refused, start, uid } from '../fixtures/accounts.ts'
import { openBrowser } from '../fixtures/browser.ts'
import { openIssuer } from '../fixtures/issuer.ts'

const wrongTarget = 'Invalid callback URL provided'
const wrongState = 'Invalid state: this browser has not begun the login, or it has ended'

const asked = (address: string) => `?callback=${encodeURIComponent(address)}`

t.test('security.md row 66: a login leads to configured addresses only (CVE-2023-22893)', async t => {
  const issuer = await openIssuer(t)
  const server = await start(t, { config: { providers: issuer.providers } })
  const foreign = [
    'https://evil.example/',
    'https://front.example.com/',
    'https://front.example.com/connect/own/',
    'https://front.example.com/connect/own?x=1',
    'https://front.example.com/connect/own#x',
    'https://front.example.com/connect/own/../evil',
    'https://front.example.com.evil.example/connect/own',
    'https://front.example.com@evil.example/connect/own',
    'https://user@front.example.com/connect/own',
    'http://front.example.com/connect/own',
    'HTTPS://FRONT.example.com/connect/own',
    '//front.example.com/connect/own',
    '/connect/own',
    'https:\\\\evil.example',
    'javascript:alert(1)',
    'https://front.example.com/connect/own\r\nset-cookie: a=b',
    ' https://front.example.com/connect/own',
    '',
    'https://front.example.com/connect/github',
  ]
  for (const address of foreign) {
    const answer = await server.get(`connect/own${asked(address)}`)
    refused(t, answer, 400, wrongTarget)
    t.equal(answer.headers['set-cookie'], undefined, address)
  }
  const exact = 'https://front.example.com/connect/own'
  for (const query of ['?callback[]=', `?callback=${exact}&callback=${exact}`, '?callback[x]=y'])
    t.equal((await server.get(`connect/own${query}`)).status, 400, query)
  const browser = openBrowser(server, issuer)
  for (const [query, expected] of [
    [asked('https://other.example.com/in?x=1'), /^https:\/\/other\.example\.com\/in\?x=1&access_token=[\da-f]{96}$/],
    [asked(exact), /^https:\/\/front\.example\.com\/connect\/own\?access_token=/],
    [
      `?redirect=https://evil.example&redirect_uri=https://evil.example`,
      /^https:\/\/front\.example\.com\/connect\/own\?/,
    ],
  ] as const)
    t.match((await browser.comeBack('own', query)).location, expected)
  const back = await browser.consent('own')
  const { location } = await browser.visit(`${back}&callback=https://evil.example&redirect=https://evil.example`)
  t.match(location, /^https:\/\/front\.example\.com\/connect\/own\?access_token=/)
})

t.test('security.md row 66: callback.validate of v4 decides about further addresses', async t => {
  const issuer = await openIssuer(t)
  const told: unknown[] = []
  const validate = async (address: string, options: unknown) => {
    told.push(options)
    if (address.includes('throw')) throw new Error('no')
    if (address.includes('false')) return false
  }
  const server = await start(t, { config: { providers: issuer.providers, callback: { validate } } })
  const browser = openBrowser(server, issuer)
  const { location } = await browser.comeBack('own', asked('https://preview-7.example.com/in'))
  t.match(location, /^https:\/\/preview-7\.example\.com\/in\?access_token=/)
  t.match(
    (await browser.comeBack('own', asked('com.example.app:/in'))).location,
    /^com\.example\.app:\/in\?access_token=/,
  )
  t.same(told[0], { provider: 'own', callback: 'https://front.example.com/connect/own' }, 'no secret is told')
  for (const address of [
    'https://throw.example',
    'https://false.example',
    'javascript:alert(1)',
    'data:text/html,x',
    '/x',
  ])
    refused(t, await server.get(`connect/own${asked(address)}`), 400, wrongTarget)
  refused(t, await server.get(`connect/own${asked(`https://long.example/${'x'.repeat(1000)}`)}`), 400, wrongTarget)
  await t.rejects(start(t, { config: { callback: { validate: 'x' } } }), /callback.validate: must be a function/)
})

t.test('security.md row 66: the state belongs to the browser that began the login', async t => {
  const issuer = await openIssuer(t)
  const server = await start(t, { config: { providers: issuer.providers } })
  const [victim, thief] = [openBrowser(server, issuer), openBrowser(server, issuer)]
  const stolen = await thief.consent('own')
  refused(t, await victim.visit(stolen), 400, wrongState)
  const back = new URL(await victim.consent('own'))
  const withState = (state: string | null) => {
    const url = new URL(back)
    if (state === null) url.searchParams.delete('state')
    else url.searchParams.set('state', state)
    return url.href
  }
  const state = back.searchParams.get('state')!
  const other = new URL(stolen).searchParams.get('state')!
  for (const one of [null, '', 'x', other, `${state}x`, state.slice(0, -1), state.toUpperCase()])
    refused(t, await victim.visit(withState(one)), 400, wrongState)
  refused(t, await victim.visit(`${withState(null)}&state[]=${state}`), 400, wrongState)
  refused(t, await victim.visit(`${back.href}&state=${state}`), 400, wrongState)
  refused(t, await victim.visit(back.href.replace('/own/', '/github/')), 400, wrongState)
  t.equal(await server.kernel.query(uid).count(), 0)

  await t.test('cookies that were not set by the server', async t => {
    const target = Buffer.from('https://evil.example/').toString('base64url')
    const forged = ['x', (Math.floor(Date.now() / 1000) + 500).toString(36), target].join('.')
    const { value } = victim.cookies.get('plinth-own-state')!
    const signature = value.split('.').at(-1)
    const sendBack = (provider: string, cookie: string, sent: string) =>
      server.send('GET', `connect/${provider}/callback?code=x&state=${sent}`, {
        headers: { cookie: `plinth-${provider}-state=${cookie}; plinth-${provider}-verifier=x` },
      })
    for (const end of ['', '.', '.x', `.${signature}`])
      refused(t, await sendBack('own', `${forged}${end}`, forged), 400, wrongState)
    for (const cookie of [state, `${state}.`, `${state}.x`, `${state}.${signature}x`])
      refused(t, await sendBack('own', cookie, state), 400, wrongState)
    refused(t, await sendBack('github', value, state), 400, wrongState)
    t.not((await sendBack('own', value, state)).body.error.message, wrongState, 'the right one')
  })

  await t.test('a login is finished once, and in time', async t => {
    const kept = new Map(victim.cookies)
    t.equal((await victim.visit(back.href)).status, 302)
    refused(t, await victim.visit(back.href), 400, wrongState)
    for (const [name, cookie] of kept) victim.cookies.set(name, cookie)
    refused(t, await victim.visit(back.href), 400, 'The provider refuses the code')
    const old = `x.${(Math.floor(Date.now() / 1000) - 1).toString(36)}.${Buffer.from('https://a.b').toString('base64url')}`
    t.equal(targetIn(old, old), null)
    t.equal(targetIn(state, state), 'https://front.example.com/connect/own')
  })
})

t.test('security.md row 66: PKCE, a code of another login is of no use', async t => {
  const issuer = await openIssuer(t)
  const server = await start(t, { config: { providers: issuer.providers } })
  for (const provider of ['own', 'github']) {
    const [victim, thief] = [openBrowser(server, issuer), openBrowser(server, issuer)]
    const code = new URL(await thief.consent(provider)).searchParams.get('code')!
    const back = new URL(await victim.consent(provider))
    back.searchParams.set('code', code)
    refused(t, await victim.visit(back.href), 400, 'The provider refuses the code')
    const again = new URL(await victim.consent(provider))
    again.searchParams.delete('code')
    refused(t, await victim.visit(again.href), 400, 'The provider sent no code')
  }
  t.equal(await server.kernel.query(uid).count(), 0)
})

t.test('RFC 9207: the answer of another issuer', async t => {
  const issuer = await openIssuer(t)
  const server = await start(t, { config: { providers: issuer.providers } })
  const browser = openBrowser(server, issuer)
  issuer.faults.back = { iss: 'https://evil.example' }
  refused(t, await browser.comeBack('own'), 400, 'The answer is of another provider')
  issuer.faults.back = { iss: issuer.url }
  t.equal((await browser.comeBack('own')).status, 302)
})

async function folder(t: Test, url: string): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'plinth-login-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  await mkdir(join(dir, 'config'))
  await writeFile(join(dir, 'config/server.json'), JSON.stringify({ url }))
  return dir
}

t.test('cookies, and the redirect URI of the settings', async t => {
  const issuer = await openIssuer(t)
  const config = { providers: issuer.providers }
  const near = await start(t, { config })
  const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
  const first = await near.send('GET', 'connect/own', { headers })
  const redirectUri = (location: unknown) => new URL(String(location)).searchParams.get('redirect_uri')
  t.equal(redirectUri(first.headers.location), 'http://localhost:1337/api/connect/own/callback', 'no header decides')
  for (const cookie of [first.headers['set-cookie'] ?? []].flat())
    t.match(cookie, /^plinth-own-\w+=[^;]+; Max-Age=600; Path=\/api\/connect\/own\/callback; HttpOnly; SameSite=Lax$/)

  const dir = await folder(t, 'https://api.example.com/cms/')
  const far = await start(t, { config, dir } as never)
  const second = await far.get('connect/github')
  t.equal(redirectUri(second.headers.location), 'https://api.example.com/cms/api/connect/github/callback')
  const cookies = [second.headers['set-cookie'] ?? []].flat()
  t.equal(cookies.length, 2)
  for (const cookie of cookies)
    t.match(cookie, /^__Host-plinth-github-\w+=[^;]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
})
