// The roles in memory: what a first start makes, what the settings declare, and how changes are seen.

import { createKernel } from '@plinth/kernel'
import { freshDatabase, testClient } from '@plinth/test-tools/databases'
import t from 'tap'
import type { Roles } from '../../src/roles/index.ts'
import { permissionUid, roleUid } from '../../src/roles/types.ts'
import { action, all, components, contentTypes, rolesOnly, start } from '../fixtures/newsroom.ts'

t.test('a first start makes two roles with their permissions (B-6.50)', async t => {
  const { kernel } = await start(t)
  const roles = await kernel.query(roleUid).findMany({ sort: 'id', populate: 'permissions' })
  t.match(roles, [
    { id: 1, name: 'Authenticated', type: 'authenticated', description: 'Default role given to authenticated user.' },
    { id: 2, name: 'Public', type: 'public', description: 'Default role given to unauthenticated user.' },
  ])
  t.same(
    roles.map(({ permissions }) =>
      (permissions as { action: string }[]).map(one => one.action.replace(/.*-permissions./, '')),
    ),
    [
      ['user.me', 'auth.changePassword'],
      [
        'auth.callback',
        'auth.connect',
        'auth.forgotPassword',
        'auth.resetPassword',
        'auth.register',
        'auth.emailConfirmation',
        'auth.sendEmailConfirmation',
      ],
    ],
  )
})

t.test('permissions that are declared hold beside those that are stored', async t => {
  const { kernel, roles } = await start(t, {
    permissions: { public: [action('article', 'find')], content_editor: [all('article'), action('team', 'find')] },
  })
  t.match(await kernel.query(roleUid).findOne(3), { name: 'Content editor', type: 'content_editor' })
  t.same([...roles.ofUser(3).actions].sort(), [
    ...['create', 'delete', 'find', 'findOne', 'update'].map(name => action('article', name)),
    action('team', 'find'),
  ])
  t.ok(roles.accessOf(roles.public, null).can(action('article', 'find')))
  t.notOk(roles.accessOf(roles.public, null).can(action('article', 'findOne')))
  t.equal(await kernel.query(permissionUid).count({ filters: { action: { $startsWith: 'api::' } } }), 0, 'not stored')
  await kernel.query(permissionUid).create({ data: { action: action('team', 'find'), role: 2 } })
  t.ok(roles.public.actions.has(action('team', 'find')), 'what is stored is permitted at once')
  await kernel.query(permissionUid).create({ data: { action: 'api::gone.gone.find', role: 2 } })
  t.notOk(roles.public.actions.has('api::gone.gone.find'), 'an action that does not exist is not (B-6.3)')
})

t.test('a role that is made by the settings is logged, with a similar one', async t => {
  const database = await freshDatabase(testClient())
  t.teardown(() => database.drop())
  const logged: string[] = []
  const note = (level: string) => (message: unknown) => void logged.push(`${level} ${message}`)
  const config = { permissions: { authentcated: [action('article', 'find')], moderator: [action('article', 'find')] } }
  const kernel = await createKernel({
    database: database.config,
    contentTypes,
    components,
    plugins: { 'users-permissions': { plugin: rolesOnly(() => {}), config } } as never,
    logger: { info: note('info'), warn: note('warn'), error: note('error') },
  })
  t.teardown(() => kernel.close())
  const made = logged.filter(one => one.includes('made the role'))
  t.equal(made.length, 2)
  t.match(made[0], /^warn .*"authentcated".*if "authenticated" was meant/)
  t.match(made[1], /^info .*"moderator", which config\/plugins declares$/)
})

t.test('the key of an access changes with the permissions of the role alone', async t => {
  const { kernel, roles } = await start(t)
  const key = (id: number, user: number) => roles.accessOf(roles.ofUser(id), { id: user }).key
  const before = key(1, 1)
  t.equal(key(1, 2), before, 'users share it')
  await kernel.query(permissionUid).create({ data: { action: action('team', 'find'), role: 2 } })
  t.equal(key(1, 1), before, 'another role has changed')
  await kernel.query(permissionUid).create({ data: { action: action('team', 'find'), role: 1 } })
  t.not(key(1, 1), before)
  t.match(key(1, 1), /^role:1@\d+$/)
  t.equal(roles.ofUser(99), roles.public)
  t.equal(roles.ofUser(null), roles.public)
})

t.test('callers without a token share one frozen access until the public role changes', async t => {
  const { kernel, roles } = await start(t)
  const before = roles.publicAccess
  t.ok(Object.isFrozen(before))
  t.match(before, { key: roles.accessOf(roles.public, null).key, user: null })
  await kernel.query(permissionUid).create({ data: { action: action('team', 'find'), role: 1 } })
  t.equal(roles.publicAccess, before, 'another role has changed')
  await kernel.query(permissionUid).create({ data: { action: action('team', 'find'), role: 2 } })
  t.not(roles.publicAccess.key, before.key)
  t.ok(roles.publicAccess.can(action('team', 'find')))
})

t.test('a public role without any permission (B-6.10)', async t => {
  const { kernel, roles } = await start(t)
  for (const { id } of await kernel.query(permissionUid).findMany()) await kernel.query(permissionUid).delete(id)
  const unauthorized = { status: 401, message: 'Missing or invalid credentials' }
  t.throws(() => roles.accessOf(roles.public, null).can(action('article', 'find')), unauthorized)
  t.notOk(roles.accessOf(roles.ofUser(1), { id: 1 }).can(action('article', 'find')))
})

t.test('changes of another process are seen within five seconds', async t => {
  const database = await freshDatabase(testClient())
  const open = async () => {
    let roles: Roles | undefined
    const plugin = rolesOnly(one => {
      roles = one
    })
    const options = {
      database: database.config,
      contentTypes,
      components: parts,
      plugins: { 'users-permissions': { plugin } },
    }
    const kernel = await createKernel(options as never)
    return { kernel, roles: roles! }
  }
  const [here, there] = [await open(), await open()]
  t.teardown(async () => {
    await Promise.all([here.kernel.close(), there.kernel.close()])
    await database.drop()
  })
  t.equal(await here.kernel.query(roleUid).count(), 2, 'the second start makes nothing')
  t.equal(await here.kernel.query(permissionUid).count(), 9)
  const can = () => here.roles.public.actions.has(action('team', 'find'))
  const unchanged = here.roles.public
  await there.kernel.query(permissionUid).create({ data: { action: action('team', 'find'), role: 2 } })
  t.notOk(can())
  t.equal(here.roles.refresh(), undefined, 'nothing is asked before its time')
  t.equal(here.roles.public, unchanged)
  await pass()
  const check = here.roles.refresh()
  t.equal(here.roles.refresh(), check, 'all requests wait for one check')
  await check
  t.ok(can())
  const [last] = await there.kernel.query(permissionUid).findMany({ sort: 'id:desc' })
  await there.kernel.query(permissionUid).delete(last!.id)
  await pass()
  await here.roles.refresh()
  t.notOk(can())
})

/** Longer than roles are used without a check. */
const pass = () => new Promise(resolve => setTimeout(resolve, 4600))
const parts = {
  'page.seo': { collectionName: 'components_page_seos', attributes: { metaTitle: { type: 'string' } } },
}

t.test('a change whose reading fails is read again by the next request', async t => {
  const { kernel, roles } = await start(t)
  const { store } = roles
  const { fingerprint } = store
  store.fingerprint = () => Promise.reject(new Error('no connection'))
  await kernel.query(permissionUid).create({ data: { action: action('team', 'find'), role: 2 } })
  t.notOk(roles.public.actions.has(action('team', 'find')), 'not known yet')
  await t.rejects(
    roles.refresh() ?? Promise.resolve(),
    /no connection/,
    'no request is checked by roles that have changed',
  )
  store.fingerprint = fingerprint
  await roles.refresh()
  t.ok(roles.public.actions.has(action('team', 'find')))
  t.equal(roles.refresh(), undefined, 'which is remembered')
})
