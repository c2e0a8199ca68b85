// Accounts, users and roles by GraphQL: the same work, rights and limits as the routes (B-9.8, B-9.81, B-9.85, B-9.86).

import { definePlugin } from '@plinth/kernel'
import t from 'tap'
import { codeIn, uid } from '../fixtures/accounts.ts'
import { startGraphql } from '../fixtures/graphql.ts'

interface Result {
  readonly errors?: readonly { readonly message: string }[]
}

const messagesOf = ({ errors = [] }: Result) => errors.map(one => one.message)
const messages = ({ body }: { readonly body: Result }) => messagesOf(body)

const logIn = (identifier: string, password = `${identifier}-secret`) =>
  `login(input: { identifier: "${identifier}", password: "${password}" }) { jwt user { username role { name } } }`

t.test('the explorer logs in', async t => {
  const { app, ask, user } = await startGraphql(t)
  await user('ann')
  const page = await app.inject({ url: '/graphql', headers: { accept: 'text/html' } })
  const [, mutation] = /data-login="([^"]+)"/.exec(page.payload) ?? []
  t.equal(mutation, 'mutation ($input: UsersPermissionsLoginInput!) { login(input: $input) { jwt } }')
  const { body } = await ask(`mutation { ${logIn('ann')} }`)
  t.match(body.data.login.jwt, /\./)
})

t.test('from a registration to a new password', async t => {
  const { ask, mails } = await startGraphql(t, { config: { advanced: { email_confirmation: true } } })
  const register = 'register(input: { username: "mia", email: "Mia@example.com", password: "mia-secret" })'
  const registered = await ask(`mutation { ${register} { jwt user { id email confirmed role { name } } } }`)
  t.same(registered.body.data.register, {
    jwt: null,
    user: { id: '1', email: 'mia@example.com', confirmed: false, role: null },
  })
  t.same(messages(await ask(`mutation { ${logIn('mia')} }`)), ['Your account email is not confirmed'])
  const code = codeIn((await mails())[0], 'confirmation')
  const confirmed = await ask(`mutation { emailConfirmation(confirmation: "${code}") { jwt user { confirmed } } }`)
  t.match(confirmed.body.data.emailConfirmation, { jwt: /\./, user: { confirmed: true } })
  const again = await ask(`mutation { emailConfirmation(confirmation: "${code}") { jwt } }`)
  t.same([again.body.data, messages(again)], [{ emailConfirmation: null }, ['Invalid token']])

  const { jwt } = (await ask(`mutation { ${logIn('mia')} }`)).body.data.login
  t.same((await ask('{ me { username role { name type } } }', jwt)).body.data.me, {
    username: 'mia',
    role: { name: 'Authenticated', type: 'authenticated' },
  })
  const passwords = (current: string, next: string) =>
    `changePassword(currentPassword: "${current}", password: "${next}", passwordConfirmation: "${next}") { jwt }`
  t.same(messages(await ask(`mutation { ${passwords('wrong', 'mia-second')} }`, jwt)), [
    'The provided current password is invalid',
  ])
  const changed = await ask(`mutation { ${passwords('mia-secret', 'mia-second')} }`, jwt)
  t.equal((await ask('{ me { username } }', jwt)).status, 401, 'the earlier token has ended')
  t.equal((await ask('{ me { username } }', changed.body.data.changePassword.jwt)).body.data.me.username, 'mia')

  t.same((await ask('mutation { forgotPassword(email: "nobody@example.com") { ok } }')).body.data, {
    forgotPassword: { ok: true },
  })
  await ask('mutation { forgotPassword(email: "mia@example.com") { ok } }')
  const [mail] = await mails()
  const reset = `resetPassword(code: "${codeIn(mail, 'code')}", password: "mia-third", passwordConfirmation: "mia-third")`
  t.match((await ask(`mutation { ${reset} { jwt user { username } } }`)).body.data.resetPassword, {
    jwt: /\./,
    user: { username: 'mia' },
  })
  t.match((await ask(`mutation { ${logIn('mia', 'mia-third')} }`)).body.data.login, { jwt: /\./ })
})

t.test('rights, and what is null as a whole', async t => {
  const { ask, user, logIn: tokenOf } = await startGraphql(t, { config: { permissions: {} } })
  await user('mia')
  const anonymous = await ask('{ me { username } }')
  t.match(anonymous.body, { data: { me: null }, errors: [{ extensions: { code: 'FORBIDDEN' } }] })
  const wrong = await ask(`mutation { ${logIn('mia', 'wrong')} }`)
  t.same([wrong.body.data, messages(wrong)], [null, ['Invalid identifier or password']])
  const other = 'login(input: { identifier: "mia", password: "mia-secret", provider: "google" }) { jwt }'
  t.same(messages(await ask(`mutation { ${other} }`)), ['This provider is disabled'])
  t.equal((await ask('{ me { username } }', 'a.b.c')).status, 401)

  const token = await tokenOf('mia')
  for (const operation of [
    'query { usersPermissionsUsers { data { id } } }',
    'query { usersPermissionsRoles { data { id } } }',
    'mutation { createUsersPermissionsRole(data: { name: "Editors" }) { ok } }',
    'mutation { deleteUsersPermissionsRole(id: 1) { ok } }',
    'mutation { createUsersPermissionsUser(data: { username: "eve" }) { data { id } } }',
    'mutation { updateUsersPermissionsUser(id: 1, data: { username: "eve" }) { data { id } } }',
    'mutation { deleteUsersPermissionsUser(id: 1) { data { id } } }',
  ])
    t.same(messages(await ask(operation, token)), ['Forbidden access'], operation)
})

const tooMany = 'Too many requests, please try again later.'

t.test('each field counts for the limits of its route', async t => {
  const { ask, request, user, post } = await startGraphql(t, { config: { ratelimit: { max: 5 } } })
  await user('mia')
  const fields = (field: string, times: number) => Array.from({ length: times }, (_, i) => `a${i}: ${field}`).join(' ')
  const forgotten = fields('forgotPassword(email: "mia@example.com") { ok }', 50)
  const found = await ask(`mutation { ${forgotten} }`, undefined, '10.0.0.1')
  t.same(messages(found), Array(45).fill(tooMany), 'aliases')
  t.same(messages(await ask(`mutation { ${fields(logIn('mia'), 50)} }`, undefined, '10.0.0.1')), [tooMany])
  const batch = await request([{ query: `mutation { ${logIn('mia')} }` }], undefined, '10.0.0.2')
  t.same(batch.body.map(messagesOf), [[tooMany]], 'the account is counted, whatever the address')
  t.equal((await post('auth/local', { identifier: 'mia', password: 'mia-secret' })).status, 429, 'together with REST')
  const others = Array.from({ length: 6 }, (_, i) => ({ query: `mutation { ${logIn(`nobody ${i}`)} }` }))
  const guessed = await request(others, undefined, '10.0.0.3')
  t.same(messagesOf(guessed.body[5]), [tooMany], 'a batch, by its address')
})

t.test('users are written by the work of their routes alone', async t => {
  const { ask, user, kernel, logIn: tokenOf, send } = await startGraphql(t)
  await user('mia')
  await user('noa')
  const token = await tokenOf('mia')
  const create = (data: string) => `mutation { createUsersPermissionsUser(data: { ${data} }) { data { id attributes {
    username provider role { data { id } } } } } }`
  const created = await ask(create('username: "eva", email: "eva@example.com", password: "eva-secret", role: 1'), token)
  t.match(created.body, {
    data: { createUsersPermissionsUser: { data: { id: '3', attributes: { username: 'eva', role: null } } } },
    errors: [{ message: 'Forbidden access' }],
  })
  t.match((await kernel.query(uid).findOne(3))!.password, /^\$/, 'the password is hashed')
  t.match(await tokenOf('eva'), /\./)
  t.same(
    messages(await ask(create('username: "bob", email: "b@example.com", password: "bob-secret", role: 2'), token)),
    ['Forbidden access'],
  )
  const update = (id: number, data: string) =>
    `mutation { updateUsersPermissionsUser(id: ${id}, data: { ${data} }) { data { attributes { username } } } }`
  t.same(messages(await ask(update(2, 'role: 2'), token)), ['Forbidden access'])
  t.same(messages(await ask(update(2, 'resetPasswordToken: "x"'), token)), ['Invalid key resetPasswordToken'])
  const old = await tokenOf('noa')
  await ask(update(2, 'password: "noa-second"'), token)
  t.equal((await send('GET', 'users/me', { token: old })).status, 401, 'the tokens of before have ended')
  const gone = (id: number) =>
    ask(`mutation { deleteUsersPermissionsUser(id: ${id}) { data { attributes { username } } } }`, token)
  t.same((await gone(2)).body.data.deleteUsersPermissionsUser, { data: { attributes: { username: 'noa' } } })
  t.same((await gone(2)).body, { data: { deleteUsersPermissionsUser: { data: null } } })

  t.same(messages(await ask('{ usersPermissionsUsers { data { attributes { password } } } }', token)).length, 1)
  const secret = '{ usersPermissionsUsers(filters: { password: { startsWith: "$" } }) { data { id } } }'
  t.same(messages(await ask(secret, token)), ['Invalid parameter password'])
})

t.test('roles', async t => {
  const action = (name: string) => `plugin::users-permissions.role.${name}`
  const permitted = ['createRole', 'updateRole', 'deleteRole', 'find'].map(action)
  const {
    ask,
    user,
    logIn: tokenOf,
    kernel,
  } = await startGraphql(t, {
    config: { permissions: { authenticated: permitted } },
  })
  await user('mia')
  const token = await tokenOf('mia')
  const made = await ask(
    'mutation { createUsersPermissionsRole(data: { name: "Editors", permissions: [1] }) { ok } }',
    token,
  )
  t.same(made.body, { data: { createUsersPermissionsRole: { ok: true } } })
  const role = async () => {
    const [found] = await kernel
      .query('plugin::users-permissions.role')
      .findMany({ filters: { type: 'editors' }, populate: ['permissions'] })
    return found as { id: number; name: string; permissions: readonly { action: string }[] } | undefined
  }
  const { id, permissions } = (await role())!
  t.equal(permissions.length, 1)
  const update = (data: string) =>
    ask(`mutation { updateUsersPermissionsRole(id: ${id}, data: { ${data} }) { ok } }`, token)
  t.same((await update('name: "Writers"')).body.data, { updateUsersPermissionsRole: { ok: true } })
  t.match(await role(), { name: 'Writers', permissions }, 'without permissions they stay')
  t.same(messages(await update('permissions: [999]')), [
    '1 relation(s) of type plugin::users-permissions.permission do not exist',
  ])
  await update('permissions: []')
  t.same((await role())!.permissions, [])
  await ask(`mutation { deleteUsersPermissionsRole(id: ${id}) { ok } }`, token)
  t.equal(await role(), undefined)
  t.same(messages(await ask(`mutation { deleteUsersPermissionsRole(id: ${id}) { ok } }`, token)), ['Role not found'])
})

t.test('an application that switches the types off loses their operations alone', async t => {
  const closed = definePlugin({
    name: 'closed',
    dependencies: ['graphql'],
    register({ kernel }) {
      const extension = kernel.services.find('graphql', 'extension')!
      for (const one of [uid, 'plugin::users-permissions.role']) extension.shadowCRUD(one).disable()
    },
  })
  const { ask } = await startGraphql(t, { plugins: { closed: { plugin: closed } } })
  const { body } = await ask('{ __schema { mutationType { fields { name } } } }')
  const names = body.data.__schema.mutationType.fields.map((one: { name: string }) => one.name)
  t.ok(names.includes('login'))
  t.notOk(names.some((name: string) => /UsersPermissions/.test(name)))
})

t.test('B-9.86: me for a caller without a user, such as an API token', async t => {
  const programs = definePlugin({
    name: 'programs',
    register({ kernel }) {
      const access = { key: 'program', user: null, can: () => true }
      const isProgram = (header: unknown) => header === 'Bearer program'
      kernel.auth.use(
        { name: 'program', authenticate: ({ headers }) => (isProgram(headers.authorization) ? access : null) },
        { order: 'pre' },
      )
    },
  })
  const { ask } = await startGraphql(t, { plugins: { programs: { plugin: programs } } })
  t.same((await ask('{ me { username } }', 'program')).body, {
    errors: [
      {
        message: 'Authentication requested',
        locations: [{ line: 1, column: 3 }],
        path: ['me'],
        extensions: { code: 'INTERNAL_SERVER_ERROR' },
      },
    ],
    data: { me: null },
  })
})
