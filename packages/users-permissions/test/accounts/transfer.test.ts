// `plinth export` and `plinth import` keep users with their passwords, and roles with their permissions.

import { join } from 'node:path'
import { databases, freshDatabase } from '@plinth/test-tools/databases'
import t from 'tap'
import { start, uid } from '../fixtures/accounts.ts'
import { application, permissions, plinth } from '../fixtures/editors.ts'

const clients = await databases()
for (const [i, client] of clients.entries()) {
  const other = clients[(i + 1) % clients.length]!
  await t.test(`from ${client} into ${other}`, async t => {
    const [from, to] = await Promise.all([freshDatabase(client), freshDatabase(other)])
    t.teardown(() => Promise.all([from.drop(), to.drop()]))
    const dir = await application(t)

    const source = await start(t, { database: from.config, config: { permissions } })
    const [role] = await source.kernel.query('plugin::users-permissions.role').findMany({ filters: { type: 'editor' } })
    const user = {
      username: 'ann',
      email: 'ann@example.com',
      password: 'a long password',
      provider: 'local',
      confirmed: true,
    }
    await source.kernel.query(uid).create({ data: { ...user, role: role!.id } })
    const archive = join(dir, 'users.tar.gz')
    const exported = await plinth(from, 'export', '--dir', dir, '-f', archive)
    t.equal(exported.code, 0, exported.err)
    const imported = await plinth(to, 'import', '--dir', dir, '-f', archive)
    t.equal(imported.code, 0, imported.err)

    const { kernel, post } = await start(t, { database: to.config, config: { permissions } })
    const { body } = await post('auth/local', { identifier: 'ann@example.com', password: 'a long password' })
    t.match(body, { jwt: String, user: { username: 'ann' } }, 'the password is that of before')
    const all = { populate: { permissions: true, users: true }, sort: 'id' }
    const rolesOf = (one: typeof kernel) => one.query('plugin::users-permissions.role').findMany(all)
    t.same(await rolesOf(kernel), await rolesOf(source.kernel), 'roles, their permissions and their users')
  })
}
