// `plinth user from-admins` on the recorded database of v4, on all three databases.

import { hashPassword } from '@plinth/passwords'
import { databases } from '@plinth/test-tools/databases'
import { copyDatabase } from '@plinth/test-tools/recordings'
import t from 'tap'
import { start, uid } from '../fixtures/accounts.ts'
import { application, permissions, plinth } from '../fixtures/editors.ts'

for (const client of await databases()) {
  await t.test(`administrators of v4 receive accounts with their passwords (${client})`, async t => {
    const database = await copyDatabase(client)
    t.teardown(() => database.drop())
    const dir = await application(t)
    const run = (...words: string[]) => plinth(database, 'user', 'from-admins', ...words, '--dir', dir)
    t.match(await run('--role', 'editor'), {
      code: 1,
      out: '',
      err: /up_users has no column tokens_valid_from; start the server once, or run `plinth migrate apply`/,
    })
    const remarks = async () =>
      JSON.parse((await plinth(database, 'doctor', '--json', '--dir', dir)).out).differs.remarks as string[]
    t.match(await remarks(), [
      /1 administrator of v4's panel needs an account .*: `plinth user from-admins --role editor`/,
    ])
    const { kernel, post } = await start(t, { database: database.config, config: { permissions } })
    const password = await hashPassword('a password of v4')
    const common = { is_active: true, blocked: false, password }
    await kernel.knex('admin_users').insert([
      { ...common, email: 'Max@plinth.test', username: 'max', is_active: true },
      { ...common, email: 'blocked@plinth.test', username: null, blocked: true },
      { ...common, email: 'left@plinth.test', username: null, is_active: false },
      { ...common, email: 'invited@plinth.test', username: null, password: null },
      { ...common, email: 'EMMA@plinth.test', username: 'boss' },
      { ...common, email: 'other@plinth.test', username: 'Edgar' },
      { ...common, email: 'twin@plinth.test', username: 'MAX' },
    ])
    const [max] = await kernel.knex('admin_users').where({ username: 'max' }).select('id')
    await kernel.knex('admin_users_roles_links').insert({ user_id: max.id, role_id: 3 })

    const count = () => kernel.query(uid).count()
    const before = await count()
    const listed = await run('--role', 'editor')
    t.equal(listed.code, 0, listed.err)
    t.match(listed.err, /Nothing is written\. The same command with --write makes 2 accounts\./)
    t.equal(await count(), before, 'a list writes nothing')
    t.equal(
      listed.out.replaceAll(/ {2,}/g, ' | '),
      `email | username | in v4 | account
admin@plinth.test | admin@plinth.test | strapi-super-admin | gets the role editor
max@plinth.test | max | strapi-author | gets the role editor
blocked@plinth.test | blocked@plinth.test | left out: blocked in v4
left@plinth.test | left@plinth.test | left out: not active in v4
invited@plinth.test | invited@plinth.test | left out: has no password in v4
emma@plinth.test | boss | left out: the address or the username is taken
other@plinth.test | Edgar | left out: the address or the username is taken
twin@plinth.test | MAX | left out: the address or the username is taken
`,
    )

    await kernel.knex('admin_users').insert({ ...common, email: 'nowhere', username: 'nil' })
    t.match(await run('--role', 'editor', '--write'), {
      code: 1,
      err: /nowhere: email must be .*; no account was made/,
    })
    t.equal(await count(), before, 'all accounts are made, or none')
    await kernel.knex('admin_users').where({ username: 'nil' }).delete()

    const authors = await run('--of', 'strapi-author', '--role', 'authenticated', '--write')
    t.match(authors, { code: 0, out: /max@plinth\.test .* gets the role authenticated\n$/, err: /Made 1 account:/ })
    t.match(await run('--role', 'editor', '--write'), { code: 0, err: /Made 1 account:/ })
    const logIn = (identifier: string, secret: string) => post('auth/local', { identifier, password: secret })
    t.match(await logIn('admin@plinth.test', 'Admin-pass-1'), { status: 200, body: { jwt: String } })
    t.match(await logIn('admin@plinth.test', 'admin-pass-1'), { status: 400 })
    t.match(await logIn('max', 'a password of v4'), { status: 200, body: { user: { email: 'max@plinth.test' } } })
    const made = await kernel.query(uid).findMany({
      filters: { email: { $in: ['admin@plinth.test', 'max@plinth.test'] } },
      populate: { role: { fields: ['type'] } },
      sort: 'email',
    })
    t.match(made, [
      { username: 'admin@plinth.test', provider: 'local', confirmed: true, blocked: false, role: { type: 'editor' } },
      { username: 'max', role: { type: 'authenticated' } },
    ])
    t.match(await remarks(), [/2 administrators of v4's panel need an account/], 'those whose address has none')
    t.match(await run('--role', 'editor', '--write'), { code: 0, err: /None of them can get an account/ })
    t.equal(await count(), before + 2, 'nothing is written twice')
    // What follows are messages, which do not depend on the database.
    if (client !== 'sqlite') return
    t.match(await run('--write'), { code: 1, out: '', err: /--role is missing/ })
    t.match(await run('--role', 'edtor'), { code: 1, err: /There is no role "edtor"/ })
    t.match(await run('--role', 'editor', '--of', 'editor'), {
      code: 1,
      err: /v4 has no role "editor" of administrators; its roles are strapi-super-admin, strapi-editor, strapi-author/,
    })
    t.match(await run('max', '--role', 'editor'), { code: 2, err: /"max" is too much/ })
    await kernel.knex.schema.dropTable('admin_users_roles_links')
    t.match(await run('--role', 'editor'), { code: 1, err: /no table admin_users_roles_links, so it has no admin/ })
  })
}
