// Logins by other providers: the page offers those that lead back to it, a login ends where it was begun, and neither the
// address nor the history has the code afterwards.

import { createServer as createListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer } from '@plinth/server'
import { temporary } from '@plinth/test-tools/fixtures'
import { freePort } from '@plinth/test-tools/free-port'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import studio from '../../../../src/index.ts'
import type { Stage } from '../../fixtures/stage.ts'

export default async function play(t: Test, { open }: Stage): Promise<void> {
  const provider = await openProvider(t)
  const { app, address } = await serve(t, provider.address)
  t.same(
    (await app.inject('/api/studio/logins')).json(),
    {
      data: [{ name: 'staff', label: 'the staff account', callback: `${address}/studio/connect/staff` }],
    },
    'a provider that leads elsewhere is not named',
  )

  const server = { address, tokenOf: async () => '' }
  const { page, go, check } = await open({
    as: null,
    server,
    leadsTo: [provider.address],
    expects: [/status of 40[03]/],
  })
  await go('/account')
  const button = page.getByRole('button', { name: 'Log in with the staff account' })
  await button.waitFor()
  await check(t, 'log-in-others')
  const seen: string[] = []
  page.on('request', request => {
    const { access_token: code } = Object.fromEntries(new URL(request.url()).searchParams)
    if (code !== undefined) seen.push(new URL(request.url()).pathname)
    t.notMatch(request.headers().referer, /access_token/)
  })
  await button.click()
  await page.getByRole('heading', { name: 'Account' }).waitFor()
  t.equal(new URL(page.url()).pathname, '/studio/account', 'it leads to the page that was asked for')
  t.same(seen, ['/studio/connect/staff', '/api/auth/staff/callback'], 'the code is sent nowhere else')
  t.notMatch(page.url(), /access_token/)
  t.match(await page.evaluate('sessionStorage.getItem("plinth-studio.token")'), /^ey/)
  t.equal(await page.evaluate('sessionStorage.getItem("plinth-studio.login")'), null)

  await page.evaluate('sessionStorage.clear()')
  await go('/connect/staff?access_token=of-a-stranger')
  await page.getByText('was not begun in this tab').waitFor()
  t.equal(await page.evaluate('sessionStorage.getItem("plinth-studio.token")'), null)
  t.notMatch(page.url(), /of-a-stranger/)
  provider.refuses = true
  await page.getByRole('button', { name: 'Log in with the staff account' }).click()
  await page.getByText('The login was not completed: access_denied').waitFor()
  await check(t, 'log-in-others-refused')

  const phone = await open({ as: null, server, width: 390, isDark: true, language: 'de-DE' })
  await phone.go('/login')
  await phone.page.getByRole('button', { name: 'Mit the staff account anmelden' }).waitFor()
  await phone.check(t, 'log-in-others-phone')
}

/** A server whose address is known before it is made, because providers are told of it. */
async function serve(t: Test, providerAddress: string) {
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const endpoints = {
    authorize: `${providerAddress}/authorize`,
    token: `${providerAddress}/token`,
    userinfo: `${providerAddress}/user`,
    emails: `${providerAddress}/emails`,
  }
  const login = { type: 'github', clientId: 'studio', clientSecret: 'a-secret', endpoints }
  const app: FastifyInstance = await createServer({
    dir: await temporary(t),
    database: { client: 'sqlite', connection: { filename: ':memory:' } },
    logger: false,
    config: { server: { url: address } },
    plugins: {
      rest: true,
      'content-type-builder': true,
      'entry-versions': true,
      'users-permissions': {
        config: {
          jwtSecret: 'a secret of the tests, long enough',
          providers: {
            staff: { ...login, callback: ['https://www.example.com/connect', `${address}/studio/connect/staff`] },
            readers: { ...login, callback: 'https://www.example.com/connect' },
          },
          permissions: {
            authenticated: [
              'plugin::content-type-builder.content-types.getContentTypes',
              'plugin::content-type-builder.components.getComponents',
              'plugin::content-type-builder.rights.getRights',
            ],
          },
        },
      },
      studio: { plugin: studio, config: { logins: { staff: 'the staff account' } } },
    },
  } as never)
  t.teardown(() => app.close())
  await app.listen({ port, host: '127.0.0.1' })
  return { app, address }
}

/** A provider with the API of GitHub, whose user consents at once, or refuses. */
async function openProvider(t: Test) {
  const state = { address: '', refuses: false }
  const answers: Readonly<Record<string, unknown>> = {
    '/token': { access_token: 'of-the-provider', token_type: 'bearer' },
    '/user': { id: 1, login: 'ada', email: null },
    '/emails': [{ email: 'ada@example.com', primary: true, verified: true }],
  }
  const listener = createListener((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, state.address)
    if (pathname !== '/authorize')
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers[pathname]))
    const back = new URL(searchParams.get('redirect_uri')!)
    back.searchParams.set('state', searchParams.get('state')!)
    back.searchParams.set(...((state.refuses ? ['error', 'access_denied'] : ['code', 'one']) as [string, string]))
    return response.writeHead(302, { location: back.href }).end()
  })
  await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve))
  t.teardown(() => listener.close())
  state.address = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
  return state
}
