// The endpoints of roles and permissions (B-6.35 to B-6.40).

import { createServer } from '@plinth/server'
import { freshDatabase, testClient } from '@plinth/test-tools/databases'
import t, { type Test } from 'tap'
import type { Roles, RolesConfig } from '../../src/roles/index.ts'
import { action, all, contentTypes, rolesOnly } from '../fixtures/newsroom.ts'

const components = {
  'page.seo': { collectionName: 'components_page_seos', attributes: { metaTitle: { type: 'string' } } },
}
const manage = ['plugin::users-permissions.role.*', 'plugin::users-permissions.permissions.getPermissions']

/** A server whose callers have the role that a header names. */
async function serve(t: Test, config: Partial<RolesConfig> = {}) {
  const database = await freshDatabase(testClient())
  let roles: Roles | undefined
  const plugin = rolesOnly(one => {
    roles = one
  })
  const permissions = { admin: manage, ...config.permissions }
  const app = await createServer({
    database: database.config,
    contentTypes,
    components,
    plugins: { rest: {}, 'users-permissions': { plugin, config: { ...config, permissions } } } as never,
    configure: kernel =>
      kernel.auth.use({
        name: 'header',
        authenticate: ({ headers }) =>
          roles!.accessOf(roles!.all.find(role => role.type === headers['x-role']) ?? roles!.public, null),
      }),
    logger: false,
  })
  t.teardown(async () => {
    await app.close()
    await database.drop()
  })
  const ask = async (method: string, path: string, payload?: unknown, role = 'admin') => {
    const url = `/api/users-permissions/${path}`
    const answer = await app.inject({
      method: method as 'GET',
      url,
      headers: { 'x-role': role },
      payload: payload as object,
    })
    return { status: answer.statusCode, body: answer.payload === '' ? null : answer.json() }
  }
  return { app, kernel: app.kernel, roles: roles!, ask }
}

const enabled = { enabled: true, policy: '' }
const disabled = { enabled: false, policy: '' }
const message = (text: string) => ({ error: { message: text } })

t.test('a list of roles with the number of their users (B-6.35)', async t => {
  const { ask, kernel } = await serve(t)
  const users = kernel.query('plugin::users-permissions.user')
  for (const username of ['a', 'b']) await users.create({ data: { username, role: 1 } })
  const { status, body } = await ask('GET', 'roles')
  t.equal(status, 200)
  t.match(body.roles, [
    { id: 1, nb_users: 2 },
    { id: 2, nb_users: 0 },
    { id: 3, type: 'admin', nb_users: 0 },
  ])
  t.same(Object.keys(body.roles[0]), ['id', 'name', 'description', 'type', 'createdAt', 'updatedAt', 'nb_users'])
})

t.test('a role with its permissions as a tree (B-6.36)', async t => {
  const { ask } = await serve(t, { permissions: { public: [action('article', 'find')] } })
  const { status, body } = await ask('GET', 'roles/2')
  t.equal(status, 200)
  t.match(body.role, { id: 2, name: 'Public', type: 'public' })
  t.same(body.role.permissions['api::article'], {
    controllers: {
      article: { find: enabled, findOne: disabled, create: disabled, update: disabled, delete: disabled },
    },
  })
  for (const id of ['99', 'x', '1.5', '-1', '99999999999999'])
    t.match(await ask('GET', `roles/${id}`), { status: 404, body: message('Role not found') }, id)
})

t.test('all actions, disabled (B-6.40)', async t => {
  const { ask } = await serve(t)
  const { status, body } = await ask('GET', 'permissions')
  t.equal(status, 200)
  t.same(body.permissions['plugin::users-permissions'].controllers.role, {
    find: disabled,
    findOne: disabled,
    createRole: disabled,
    updateRole: disabled,
    deleteRole: disabled,
  })
})

t.test('a role is created (B-6.37)', async t => {
  const { ask, roles } = await serve(t)
  const permissions = {
    'api::article': { controllers: { article: { find: { enabled: true }, create: { enabled: false } } } },
  }
  t.same(await ask('POST', 'roles', { name: 'Shop Éditor', description: 'd', permissions }), {
    status: 200,
    body: { ok: true },
  })
  const made = roles.all.at(-1)!
  t.match(made, { name: 'Shop Éditor', type: 'shop_editor' })
  t.same([...made.actions], [action('article', 'find')])
  t.match(await ask('POST', 'roles', { name: 'Other', type: 'own' }), { status: 200 })
  t.match(await ask('POST', 'roles', {}), { status: 400, body: message('Request body cannot be empty') })
  t.match(await ask('POST', 'roles', { name: 'Other', type: 'own' }), {
    status: 400,
    body: message('This attribute must be unique'),
  })
  t.match(await ask('POST', 'roles', { description: 'x' }), { status: 400 })
  const wrong = { 'api::article': { controllers: { article: { fnd: { enabled: true } } } } }
  t.match(await ask('POST', 'roles', { name: 'Wrong', permissions: wrong }), {
    status: 400,
    body: message('There is no action "api::article.article.fnd", did you mean "api::article.article.find"?'),
  })
  for (const permissions of [
    1,
    [1],
    { a: 1 },
    { a: { controllers: 1 } },
    { a: { controllers: { b: 1 } } },
    { a: { controllers: { b: { c: true } } } },
  ])
    t.match(await ask('POST', 'roles', { name: 'Wrong', permissions }), { status: 400 }, JSON.stringify(permissions))
  t.notOk(roles.all.some(role => role.name === 'Wrong'))
})

t.test('an update replaces the permissions (B-6.38)', async t => {
  const { ask, roles, app } = await serve(t)
  const tree = (...names: string[]) => ({
    'api::article': { controllers: { article: Object.fromEntries(names.map(name => [name, { enabled: true }])) } },
  })
  const list = async () => (await app.inject('/api/articles')).statusCode
  await ask('PUT', 'roles/2', { permissions: tree('create') })
  t.equal(await list(), 403)
  t.same(await ask('PUT', 'roles/2', { description: 'new', permissions: tree('find', 'create') }), {
    status: 200,
    body: { ok: true },
  })
  t.equal(await list(), 200, 'the next request has the rights')
  t.same([...roles.public.actions].sort(), [action('article', 'create'), action('article', 'find')])
  t.match((await ask('GET', 'roles/2')).body.role, { name: 'Public', description: 'new' })
  await ask('PUT', 'roles/2', { permissions: tree('findOne') })
  t.same([...roles.public.actions], [action('article', 'findOne')])
  t.equal(await list(), 403)
  await ask('PUT', 'roles/2', { name: 'Everybody' })
  t.same([...roles.public.actions], [], 'without permissions there are none')
  t.equal(await list(), 401, 'B-6.10')
  t.match(await ask('PUT', 'roles/99', { name: 'Nobody' }), { status: 404, body: message('Role not found') })
  t.match(await ask('PUT', 'roles/2', {}), { status: 400, body: message('Request body cannot be empty') })
  t.match(await ask('PUT', 'roles/2', { name: 'x' }), { status: 400 })
})

t.test('what config/plugins declares can only be changed there', async t => {
  const { ask, roles } = await serve(t, { permissions: { editor: [all('article')] } })
  const tree = (is: boolean) => ({ 'api::article': { controllers: { article: { find: { enabled: is } } } } })
  t.match(await ask('PUT', 'roles/4', { permissions: tree(false) }), {
    status: 400,
    body: message(
      'The permission api::article.article.find of the role "editor" is declared in config/plugins and can only be removed there',
    ),
  })
  t.match(await ask('PUT', 'roles/4', { name: 'Editors', permissions: tree(true) }), { status: 200 })
  t.equal(roles.ofUser(4).actions.size, 5)
  t.match(await ask('DELETE', 'roles/4'), { status: 400, body: { error: { name: 'ApplicationError' } } })
  const { role } = (await ask('GET', 'roles/4')).body
  const ofArticles = ['create', 'delete', 'find', 'findOne', 'update'].map(name => action('article', name))
  t.same(role.declaredPermissions.sort(), ofArticles, 'an answer says what is declared')
  t.notOk('declaredPermissions' in (await ask('GET', 'roles/2')).body.role, 'and nothing where nothing is')
})

t.test('a deletion moves the users to the public role (B-6.39)', async t => {
  const { ask, kernel, roles } = await serve(t)
  await ask('POST', 'roles', {
    name: 'Gone',
    permissions: { 'api::team': { controllers: { team: { find: { enabled: true } } } } },
  })
  const users = kernel.query('plugin::users-permissions.user')
  const { id } = await users.create({ data: { username: 'a', role: 4 } })
  const permissions = kernel.query('plugin::users-permissions.permission')
  const before = await permissions.count()
  t.same(await ask('DELETE', 'roles/4'), { status: 200, body: { ok: true } })
  t.match(await users.findOne(id, { populate: 'role' }), { role: { id: 2 } })
  t.equal(await permissions.count(), before - 1)
  t.equal(roles.ofUser(4), roles.public)
  t.match(await ask('DELETE', 'roles/4'), { status: 404, body: message('Role not found') })
  t.match(await ask('DELETE', 'roles/2'), { status: 400, body: message('Cannot delete public role') })
})

t.test('each endpoint needs its own right', async t => {
  const { ask } = await serve(t, { permissions: { reader: ['plugin::users-permissions.role.find'] } })
  const requests = [
    ['GET', 'roles/2'],
    ['POST', 'roles'],
    ['PUT', 'roles/2'],
    ['DELETE', 'roles/2'],
    ['GET', 'permissions'],
    ['GET', 'roles/99'],
  ] as const
  for (const [method, path] of requests) t.match(await ask(method, path, undefined, 'reader'), { status: 403 }, path)
  t.match(await ask('GET', 'roles', undefined, 'reader'), { status: 200 })
})

t.test('empty lists stand for no permissions, as in v4', async t => {
  const { ask, roles } = await serve(t)
  const create = async (name: string, permissions: unknown) => {
    t.same(
      await ask('POST', 'roles', { name, description: 'x', permissions }),
      { status: 200, body: { ok: true } },
      name,
    )
    return roles.all.find(role => role.name === name)!
  }
  const tree = (leaf: unknown) => ({ 'api::article': { controllers: { article: leaf } } })
  for (const [i, permissions] of [
    [],
    null,
    {},
    { 'api::article': [] },
    { 'api::article': { controllers: [] } },
    { 'api::article': { controllers: null } },
    tree([]),
    tree({ find: [] }),
  ].entries()) {
    const role = await create(`Role ${i}`, permissions)
    t.same([...role.actions], [], JSON.stringify(permissions))
    t.equal(
      (await ask('PUT', `roles/${role.id}`, { name: role.name, permissions: tree({ find: enabled }) })).status,
      200,
    )
    t.same([...roles.all.find(one => one.id === role.id)!.actions], [action('article', 'find')])
    t.same(await ask('PUT', `roles/${role.id}`, { name: role.name, permissions }), { status: 200, body: { ok: true } })
    t.same([...roles.all.find(one => one.id === role.id)!.actions], [], `replaced by ${JSON.stringify(permissions)}`)
  }
  for (const permissions of [[1], [{}], 'x', 5, true, { 'api::article': 1 }, tree([1]), tree({ find: true })])
    t.match(await ask('POST', 'roles', { name: 'Wrong', description: 'x', permissions }), { status: 400 })
})
