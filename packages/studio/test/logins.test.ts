// The names of logins in the settings: a start warns of those that the page of the log-in never offers.

import { createServer } from '@plinth/server'
import { temporary } from '@plinth/test-tools/fixtures'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import studio from '../src/index.ts'

const provider = (...callback: readonly string[]) => ({ clientId: 'x', clientSecret: 'y', callback })

/** Starts a server of these names of logins, and returns what it warns of. */
async function start(t: Test, config: object, providers: object): Promise<readonly string[]> {
  const warnings: string[] = []
  const write = (line: string) => void warnings.push((JSON.parse(line) as { readonly msg: string }).msg)
  const app: FastifyInstance = await createServer({
    dir: await temporary(t),
    database: { client: 'sqlite', connection: { filename: ':memory:' } },
    logger: { level: 'warn', stream: { write } },
    migrate: 'add',
    plugins: {
      rest: true,
      'content-type-builder': true,
      'entry-versions': true,
      'users-permissions': { config: { jwtSecret: 'a secret of the tests, long enough', providers } },
      studio: { plugin: studio, config },
    } as never,
  })
  t.teardown(() => app.close())
  return warnings.filter(one => one.includes('logins'))
}

t.test('names of logins that are never offered', async t => {
  const providers = {
    github: provider('https://www.example.com/connect/github', 'https://api.example.com/desk/connect/github'),
    google: provider('https://www.example.com/connect/google'),
    auth0: {
      ...provider('https://api.example.com/desk/connect/auth0'),
      issuer: 'https://x.example.com',
      enabled: false,
    },
  }
  const logins = { github: 'Code', guthub: 'Code', google: 'Mail', auth0: 'House', facebook: 'Faces' }
  t.same(await start(t, { path: '/desk', logins }, providers), [
    'config/plugins: studio.config.logins.guthub: has no effect, because users-permissions enables no provider "guthub", did you mean "github"?',
    'config/plugins: studio.config.logins.google: has no effect, because no "callback" of the provider is the page /desk/connect/google',
    'config/plugins: studio.config.logins.auth0: has no effect, because users-permissions enables no provider "auth0"',
    'config/plugins: studio.config.logins.facebook: has no effect, because users-permissions enables no provider "facebook"',
  ])
  t.same(await start(t, { path: '/desk', logins: { github: 'Code' } }, providers), [])
  t.same(await start(t, {}, {}), [])
})
