// Settings of providers: what stops a start, what v4 stored, and the packages that an application without providers does
// not need.

import { registerHooks } from 'node:module'
import rest from '@plinth/rest'
import { plinth } from '@plinth/server'
import { freshDatabase, testClient } from '@plinth/test-tools/databases'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { storedProviders } from '../../src/accounts/providers/stored.ts'
import usersPermissions from '../../src/index.ts'
import { refused, start } from '../fixtures/accounts.ts'
import { openBrowser } from '../fixtures/browser.ts'
import { openIssuer } from '../fixtures/issuer.ts'

const good = { clientId: 'id', clientSecret: 'secret', callback: 'https://front.example.com/in' }

t.test('the packages are needed when a provider is enabled', async t => {
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (specifier !== 'jose' || !String(context.parentURL).endsWith('/providers/packages.ts'))
        return next(specifier, context)
      throw Object.assign(new Error(`Cannot find package 'jose'`), { code: 'ERR_MODULE_NOT_FOUND' })
    },
  })
  t.teardown(() => hooks.deregister())
  const { get } = await start(t)
  refused(t, await get('connect/github'), 400, 'This provider is disabled')
  await start(t, { config: { providers: { github: { ...good, enabled: false }, any: { enabled: false } } } })
  await t.rejects(start(t, { config: { providers: { github: good } } }), {
    code: 'PLINTH_CONFIG_INVALID',
    message:
      /users-permissions\.config\.providers: need the packages @fastify\/oauth2 and jose: npm install @fastify\/oauth2 jose/,
  })
})

t.test('a provider that is configured wrongly stops the start', async t => {
  const cases: readonly (readonly [object, string | RegExp])[] = [
    [{ gihub: good }, 'providers.gihub: is not a known provider, did you mean "github"?; others need "issuer"'],
    [
      { own: good },
      /providers\.own: is not a known provider; the known ones are github and google; others need "issuer"/,
    ],
    [{ local: { ...good, issuer: 'https://a.b' } }, 'providers.local: cannot be the name of a provider'],
    [{ 'a/b': good }, 'providers.a/b: cannot be the name of a provider'],
    [{ github: { ...good, clientId: undefined } }, 'providers.github.clientId: is missing'],
    [{ github: { ...good, clientSecret: '' } }, 'providers.github.clientSecret: is missing'],
    [
      { github: { ...good, clientSecret: 'a b' } },
      /^config\/plugins: users-permissions\.config\.providers\.github\.clientSecret: contains a blank or another character that it cannot have$/,
    ],
    [{ github: { ...good, callback: undefined } }, /providers\.github\.callback: is missing/],
    [{ github: { ...good, callback: '/in' } }, /callback: "\/in" is not a URL; it must be whole/],
    [{ github: { ...good, callback: ['https://a.b', 'javascript:x'] } }, /must not begin with javascript:/],
    [{ github: { ...good, callback: 'https://a@b.c' } }, /must not contain a user/],
    [{ github: { ...good, callback: 'https://a.b/\r\nx' } }, /contains a blank, a backslash or a control character/],
    [{ own: { ...good, endpoints: {} } }, /providers\.own\.issuer: is missing/],
    [{ own: { ...good, issuer: 'x' } }, /providers\.own\.issuer: "x" is not a URL/],
    [{ own: { ...good, issuer: 'https://a.b?c' } }, /must be a URL without a user, a query and a fragment/],
    [{ own: { ...good, issuer: 'ftp://a.b' } }, /must begin with https:\/\//],
    [{ own: { ...good, type: 'github' } }, /providers\.own\.endpoints\.authorize: is missing/],
    [
      { github: { ...good, clientID: 'x' } },
      /clientID: is not known, did you mean "clientId"\?|clientID is not known, did you mean "clientId"\?/,
    ],
    [{ github: { ...good, endpoints: { tokn: 'https://a.b' } } }, /tokn.*is not known, did you mean "token"\?/],
  ]
  for (const [providers, message] of cases)
    await t.rejects(start(t, { config: { providers } }), {
      code: /^PLINTH_(CONFIG_INVALID|PLUGIN_CONFIG)$/,
      message: typeof message === 'string' ? `config/plugins: users-permissions.config.${message}` : message,
    })
  const before = process.env.NODE_ENV
  process.env.NODE_ENV = 'production'
  t.teardown(() => {
    if (before === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = before
  })
  const http = { own: { ...good, issuer: 'http://issuer.example.com' } }
  await t.rejects(start(t, { config: { providers: http } }), /must begin with https:\/\//)
})

t.test('GitHub and Google are known', async t => {
  const { get } = await start(t, {
    config: { providers: { github: good, google: { ...good, scope: 'email profile' } } },
  })
  const github = new URL(String((await get('connect/github')).headers.location))
  t.equal(`${github.origin}${github.pathname}`, 'https://github.com/login/oauth/authorize')
  t.equal(github.searchParams.get('nonce'), null)
  const google = new URL(String((await get('connect/google')).headers.location))
  t.equal(`${google.origin}${google.pathname}`, 'https://accounts.google.com/o/oauth2/v2/auth')
  t.match(Object.fromEntries(google.searchParams), { scope: 'openid email profile', nonce: /./, client_id: 'id' })
})

/** A database in which v4's admin panel has stored these providers. */
async function storedBy(t: Test, grant: object) {
  const database = await freshDatabase(testClient())
  t.teardown(() => database.drop())
  const { kernel } = await start(t, { database: database.config })
  await kernel.knex.schema.createTable('strapi_core_store_settings', table => {
    table.increments('id')
    table.string('key')
    table.text('value')
  })
  const value = JSON.stringify(grant)
  await kernel.knex('strapi_core_store_settings').insert({ key: 'plugin_users-permissions_grant', value })
  return database.config
}

t.test('B-6.27: the providers that v4 stored', async t => {
  const stored = { enabled: true, key: 'stored-id', secret: 'stored-secret', callback: 'https://old.example.com/in' }
  const database = await storedBy(t, {
    email: { enabled: true, icon: 'envelope' },
    github: { ...stored, scope: ['user', 'user:email'] },
    google: { ...stored, callback: '/auth/google/callback', scope: ['email'] },
    keycloak: { ...stored, subdomain: 'keycloak.example.com/realms/one' },
    auth0: { ...stored, subdomain: 'tenant.eu', key: '' },
    discord: stored,
    twitter: { ...stored, enabled: false },
  })
  const lines: string[] = []
  const logger = { level: 'warn', stream: { write: (line: string) => void lines.push(line) } }
  const config = { providers: { google: { ...good, clientId: 'own-id' }, keycloak: { enabled: false } } }
  const { get } = await start(t, { database, config, logger })
  const github = new URL(String((await get('connect/github')).headers.location)).searchParams
  t.match(Object.fromEntries(github), { client_id: 'stored-id', scope: 'user user:email' })
  const google = new URL(String((await get('connect/google')).headers.location)).searchParams
  t.equal(google.get('client_id'), 'own-id', 'the settings win')
  for (const name of ['discord', 'twitter', 'auth0', 'email', 'keycloak'])
    refused(t, await get(`connect/${name}`), 400, 'This provider is disabled')
  t.match(lines.join(''), /the provider discord, which v4 stored, is disabled: v4 serves it by a profile of its own/)
  t.match(lines.join(''), /the provider auth0, which v4 stored, is disabled: .*clientId: is missing/)
  t.notMatch(lines.join(''), /stored-secret|twitter|email/)
})

t.test('the form in which v4 stored providers', async t => {
  const stored = { enabled: true, key: 'id', secret: 'secret' }
  const found = storedProviders(
    {
      github: { ...stored, callback: 'api/auth/github/callback', scope: ['user', 5] },
      google: { ...stored, callback: 'https://front.example.com/in', scope: [] },
      keycloak: { ...stored, callback: '/in', subdomain: 'keycloak.example.com/realms/one' },
      auth0: { ...stored, callback: 'http://[', subdomain: 'tenant.eu' },
      reddit: { ...stored, callback: '/in' },
      twitch: { enabled: false },
      vk: 5,
      cas: null,
    },
    'https://api.example.com',
  )
  const client = { clientId: 'id', clientSecret: 'secret' }
  t.same(Object.fromEntries(found.map(({ name, config }) => [name, config])), {
    github: { ...client, callback: 'https://api.example.com/api/auth/github/callback', scope: ['user'] },
    google: { ...client, callback: 'https://front.example.com/in' },
    keycloak: { ...client, callback: 'https://api.example.com/in', issuer: 'https://keycloak.example.com/realms/one' },
    auth0: { ...client, issuer: 'https://tenant.eu.auth0.com/' },
    reddit: null,
  })
})

t.test('an application with cookies and a decorator of the same name', async t => {
  const issuer = await openIssuer(t)
  const database = await freshDatabase(testClient())
  const app = Fastify()
  t.teardown(async () => {
    await app.close()
    await database.drop()
  })
  app.decorate('login', 'mine')
  app.decorateRequest('cookies', null)
  app.decorateReply('setCookie', () => 'mine')
  app.get('/host', async (_request, reply) => {
    const { setCookie } = reply as unknown as { setCookie(): string }
    return [(app as unknown as { login: string }).login, setCookie()]
  })
  app.register(plinth, {
    database: database.config,
    plugins: {
      rest: { plugin: rest },
      'users-permissions': {
        plugin: usersPermissions,
        config: { jwtSecret: 'a secret of the tests, long enough', providers: issuer.providers },
      },
    },
  } as never)
  await app.ready()
  t.same((await app.inject('/host')).json(), ['mine', 'mine'])
  const send = async (method: 'GET', url: string, { headers = {} }: { headers?: Record<string, string> } = {}) => {
    const { statusCode, headers: got, payload } = await app.inject({ method, url: `/api/${url}`, headers })
    return { status: statusCode, headers: got, body: payload === '' ? null : JSON.parse(payload) }
  }
  const { status } = await openBrowser({ app, send } as never, issuer).logIn('own')
  t.equal(status, 200)
  for (const name of ['serializeCookie', 'parseCookie', 'oauth2Login']) t.notOk(app.hasDecorator(name), name)
  t.notOk(app.hasReplyDecorator('clearCookie'))
})
