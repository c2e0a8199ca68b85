// The setting `advanced.default_role`: a start warns of a role that does not exist, and a mount without a start, which has read
// no roles, does not.

import rest from '@plinth/rest'
import { createServer } from '@plinth/server'
import { freshDatabase, testClient } from '@plinth/test-tools/databases'
import t, { type Test } from 'tap'
import usersPermissions from '../../src/index.ts'

/** Returns what a server with this role warns of. */
async function warningsOf(t: Test, role: string, migrate: 'add' | 'none'): Promise<readonly string[]> {
  const { config: database, drop } = await freshDatabase(testClient())
  t.teardown(drop)
  const lines: string[] = []
  const write = (line: string) => void lines.push((JSON.parse(line) as { readonly msg: string }).msg)
  const config = {
    jwtSecret: 'a secret of the tests, long enough',
    permissions: { writer: [] },
    advanced: { default_role: role },
  }
  const app = await createServer({
    database,
    migrate,
    plugins: { rest: { plugin: rest }, 'users-permissions': { plugin: usersPermissions, config } },
    logger: { level: 'warn', stream: { write } },
  })
  await app.close()
  return lines.filter(line => line.includes('default_role'))
}

t.test('a default role', async t => {
  t.same(await warningsOf(t, 'writer', 'add'), [])
  t.same(await warningsOf(t, 'wrter', 'add'), [
    'config/plugins: users-permissions.config.advanced.default_role: there is no role "wrter", did you mean "writer"?; nobody can register',
  ])
  for (const role of ['writer', 'authenticated', 'wrter']) t.same(await warningsOf(t, role, 'none'), [], role)
})
