// `plinth user` from the command line, on all three databases.

import { databases, freshDatabase, type TestDatabase } from '@plinth/test-tools/databases'
import t from 'tap'
import { start, uid } from '../fixtures/accounts.ts'
import { application, permissions, plinth } from '../fixtures/editors.ts'

/** Runs `plinth user create` in a process of its own. */
const create = (dir: string, database: TestDatabase, words: readonly string[]) =>
  plinth(database, 'user', 'create', ...words, '--dir', dir)

for (const client of await databases()) {
  await t.test(`users are made (${client})`, async t => {
    const database = await freshDatabase(client)
    t.teardown(() => database.drop())
    const dir = await application(t)
    const run = (...words: string[]) => create(dir, database, words)
    const editor = ['ann', '--email', 'Ann@Example.com', '--role', 'editor']
    t.match(await run(...editor), {
      code: 1,
      out: '',
      err: /The database (file .* does not exist|has no table up_users); start the server once, or run `plinth migrate apply`/,
    })
    const { kernel, post } = await start(t, { database: database.config, config: { permissions } })
    // As if the application had been started before it declared the role.
    const roles = kernel.query('plugin::users-permissions.role')
    const [made] = await roles.findMany({ filters: { type: 'editor' } })
    await roles.delete(made!.id)

    const { code, out, err } = await run(...editor)
    t.equal(code, 0, err)
    t.match(out, /^[\w-]{24}\n$/, 'the password alone, for scripts')
    t.match(err, /Made the user "ann" \(editor\)\. This is the password, which is not shown again:/)
    const { body } = await post('auth/local', { identifier: 'ann@example.com', password: out.trim() })
    t.match(body, { jwt: String, user: { username: 'ann', confirmed: true, blocked: false } })
    const [user] = await kernel.query(uid).findMany({ populate: { role: { fields: ['type'] } } })
    t.match(user, { email: 'ann@example.com', provider: 'local', role: { type: 'editor' } })
    t.match(user!.password, /^\$scrypt\$/)

    t.match(await run('bob', '--email', 'bob@example.com'), { code: 0, err: /"bob" \(authenticated\)/ })
    t.equal(await kernel.query(uid).count(), 2)
    // What follows are messages, which do not depend on the database.
    if (client !== 'sqlite') return
    const taken = { code: 1, out: '', err: /Email or Username are already taken/ }
    t.match(await run('Ann', '--email', 'other@example.com'), taken)
    t.match(await run('cid', '--email', 'ANN@example.com'), taken)
    t.match(await run('cid', '--email', 'cid@example.com', '--role', 'edtor'), {
      code: 1,
      err: /There is no role "edtor"; the roles are authenticated, public, editor/,
    })
    t.match(await run('c', '--email', 'nowhere'), {
      code: 1,
      out: '',
      err: /plinth: username must be .*3.*; email must be /,
    })
    t.match(await run('cid'), { code: 1, err: /--email is missing/ })
    t.match(await run('--email', 'cid@example.com'), { code: 1, err: /the username is missing/ })
    t.match(await run('cid', 'dan', '--email', 'cid@example.com'), { code: 1, err: /"dan" is too much/ })
    t.equal(await kernel.query(uid).count(), 2)
  })
}

t.test('commands that only look make no roles', async t => {
  const database = await freshDatabase('sqlite')
  t.teardown(() => database.drop())
  const dir = await application(t)
  const run = (...words: string[]) => plinth(database, ...words, '--dir', dir)
  t.match(await run('migrate', 'apply'), { code: 0 })
  t.match(await run('user', 'list'), { code: 0, out: '', err: /^There are no such users/ })
  t.match(
    await run('user', 'list', '--role', 'editor'),
    { code: 0, err: /^There are no such users/ },
    'of the settings',
  )
  t.match(await run('user', 'list', '--role', 'edtor'), { code: 1, err: /the roles are authenticated, public, editor/ })
  t.match(await run('user', 'show', 'ann'), { code: 1, err: /^plinth: There is no user "ann"/ })
  t.match(await run('user', 'from-admins', '--role', 'editor'), { code: 1, err: /^plinth: .*no table admin_users/ })
  const made = await run('user', 'create', 'ann', '--email', 'ann@example.com', '--role', 'editor')
  t.match(made, { code: 0, err: /made the role "editor", which config\/plugins declares/ }, 'until one is needed')
})

for (const client of await databases()) {
  await t.test(`users are managed (${client})`, async t => {
    const database = await freshDatabase(client)
    t.teardown(() => database.drop())
    const dir = await application(t)
    const run = (...words: string[]) => plinth(database, 'user', ...words, '--dir', dir)
    const { kernel, post } = await start(t, { database: database.config, config: { permissions } })
    const made = await run('create', 'ann', '--email', 'ann@example.com')
    const login = (password: string) => post('auth/local', { identifier: 'ann', password: password.trim() })
    const { body } = await login(made.out)
    const { user } = body as { user: { id: number } }
    t.match(
      (await run('list')).out,
      /^id +username +email +role +may log in +by\n\d+ +ann +ann@example\.com +authenticated +yes +local\n$/,
    )

    t.match(await run('role', 'ann', 'editor'), { code: 0, out: /The user "ann" has the role editor/ })
    const shown = JSON.parse((await run('show', 'ANN@example.com')).out)
    t.match(shown, { id: user.id, username: 'ann', role: { type: 'editor' }, blocked: false })
    t.notMatch(JSON.stringify(shown), /scrypt|password|token/i)
    t.match(JSON.parse((await run('list', '--role', 'editor', '--json')).out), [{ username: 'ann' }])

    t.match(await run('block', String(user.id)), { code: 0, out: /"ann" is blocked/ })
    t.match(await login(made.out), { status: 400 }, 'a blocked user')
    t.match(await run('unblock', 'ann'), { code: 0, out: /"ann" is not blocked/ })
    t.match(await login(made.out), { status: 200 })

    const { out, err } = await run('password', 'ann')
    t.match(out, /^[\w-]{24}\n$/)
    t.match(err, /The user "ann" has a new password, which is not shown again; earlier tokens end:/)
    t.match(await login(made.out), { status: 400 }, 'the former password')
    t.match(await login(out), { status: 200 })
    const [stored] = await kernel.query(uid).findMany({})
    t.match(stored!.password, /^\$scrypt\$/)
    t.ok(stored!.tokensValidFrom !== null, 'earlier tokens end')
    if (client !== 'sqlite') return
    t.match(await run('show', 'bob'), {
      code: 1,
      out: '',
      err: /There is no user "bob"; `plinth user list` prints them/,
    })
    t.match(await run('role', 'ann', 'edtor'), { code: 1, err: /the roles are authenticated, public, editor/ })
    t.match(await run('role', 'ann'), { code: 1, err: /the type of the role is missing/ })
    t.match(await run('block'), { code: 1, err: /the username, email or id is missing/ })
    t.match(await run('block', 'ann', 'bob'), { code: 1, err: /"bob" is too much/ })
    await kernel.query(uid).update(user.id, { data: { provider: 'github' } })
    t.match(await run('password', 'ann'), {
      code: 1,
      out: '',
      err: /"ann" logs in by github, and has no password here/,
    })
  })
}
