// The routes of users (B-6.28 to B-6.34, security.md rows 2, 5, 8 and 49). What v4 answered is replayed by contract/suites.

import rest from '@plinth/rest'
import t from 'tap'
import { ofMembers, refused, start, uid } from '../fixtures/accounts.ts'

const role = 'plugin::users-permissions.role'

t.test('users', async t => {
  const server = await start(t, {
    config: {
      permissions: {
        public: ['plugin::users-permissions.auth.changePassword'],
        authenticated: ofMembers,
        manager: [...ofMembers, `${role}.find`, `${role}.updateRole`],
      },
    },
  })
  const { get, kernel, logIn, post, put, user } = server
  const [manager] = await kernel.query(role).findMany({ filters: { type: 'manager' } })
  const [member] = await kernel.query(role).findMany({ filters: { type: 'authenticated' } })
  const ann = await user('ann')
  await user('max', { role: manager!.id })
  const [asAnn, asMax] = [await logIn('ann'), await logIn('max')]

  await t.test('lists', async t => {
    const names = async (query: string, token = asAnn) =>
      (await get(`users?${query}`, token)).body.map((one: { username: string }) => one.username)
    t.same(await names('sort=username:desc'), ['max', 'ann'])
    t.same(await names('start=1'), ['max'])
    t.same(await names('limit=1'), ['ann'])
    t.same(await names('start=1&limit=1'), ['max'])
    t.same(await names('limit=-1'), ['ann', 'max'])
    t.same(await names('pagination[limit]=1'), ['ann', 'max'], 'as in v4, this is ignored')
    t.same(await names('_q=ann'), ['ann'])
    t.same(await names('where[id]=1&select=id&offset=5&_limit=1'), ['ann', 'max'], 'security.md row 7')
    t.equal((await get('users?limit=abc', asAnn)).status, 400)
    t.equal((await get('users?filters[$nope]=1', asAnn)).status, 400)
    t.equal((await get(`users?${'a=1&'.repeat(1001)}`, asAnn)).status, 400, 'nothing is dropped without a word')
    t.match((await get('users?populate=role&sort=id', asMax)).body, [{ role: { type: 'authenticated' } }, {}])
    t.notOk('role' in (await get('users?populate=role', asAnn)).body[0], 'without find of roles')
  })

  await t.test('security.md rows 1, 2, 4, 5 and 8: what is private', async t => {
    await kernel.query(uid).update(ann.id, { data: { resetPasswordToken: 'abcdefgh' } })
    for (const name of ['password', 'resetPasswordToken', 'confirmationToken', 'tokensValidFrom']) {
      const message = `Invalid parameter ${name}`
      refused(t, await get(`users?filters[${name}][$startsWith]=a`, asMax), 400, message)
      refused(t, await get(`users?filters[$or][0][${name}][$notNull]=true`, asMax), 400, message)
      refused(t, await get(`users?sort=${name}`, asMax), 400, message)
      t.equal((await get(`users?fields=${name}`, asMax)).status, 400)
      refused(t, await get(`users/count?${name}=a`, asMax), 400, message)
    }
    refused(
      t,
      await get('users?filters[createdBy][resetPasswordToken][$startsWith]=a', asMax),
      400,
      'Invalid parameter createdBy',
    )
    t.same((await get('users?_q=abcdefgh', asMax)).body, [])
    t.same((await get('users?_q=$scrypt', asMax)).body, [])
    const texts = await Promise.all(['users', 'users/1', 'users/me'].map(url => get(url, asMax)))
    for (const { body } of texts) t.notMatch(JSON.stringify(body), /scrypt|abcdefgh|tokensValidFrom/)
  })

  await t.test('B-6.30: count', async t => {
    t.equal((await get('users/count', asAnn)).body, 2)
    t.equal((await get('users/count?username=ann', asAnn)).body, 1)
    t.equal((await get('users/count?username[$contains]=a&blocked=false', asAnn)).body, 2)
    refused(t, await get('users/count?nope=1', asAnn), 400, 'Invalid parameter nope')
    refused(t, await get('users/count?filters[username]=ann', asAnn), 400, 'Invalid parameter filters')
  })

  await t.test('B-6.31, B-6.34: ids that nobody has', async t => {
    for (const id of ['99', 'abc', '0', '1e9', '-1', '9'.repeat(30)]) {
      t.equal((await get(`users/${id}`, asAnn)).status, 204, id)
      t.equal((await server.delete(`users/${id}`, asAnn)).status, 204, id)
      refused(t, await put(`users/${id}`, { username: 'xyz' }, asAnn), 404, 'User not found')
    }
    t.equal((await get('users/%00', asAnn)).status, 400)
  })

  await t.test('security.md row 49: what an ordinary role cannot change', async t => {
    for (const body of [{ role: manager!.id }, { blocked: true }, { confirmed: false }, { provider: 'x' }])
      t.equal((await put(`users/${ann.id}`, body, asAnn)).status, 403, JSON.stringify(body))
    for (const name of ['resetPasswordToken', 'confirmationToken', 'tokensValidFrom'])
      for (const token of [asAnn, asMax]) {
        refused(t, await put(`users/${ann.id}`, { [name]: null }, token), 400, `Invalid key ${name}`)
        const body = {
          username: 'bob',
          email: 'bob@example.com',
          password: 'bob-secret',
          role: member!.id,
          [name]: 'x',
        }
        refused(t, await post('users', body, token), 400, `Invalid key ${name}`)
      }
    const values = { username: 'bob', email: 'bob@example.com', password: 'bob-secret' }
    t.equal((await post('users', { ...values, role: manager!.id }, asAnn)).status, 403)
    t.equal((await put('users/me', { username: 'xyz' }, asAnn)).status, 404)
    t.match(await kernel.query(uid).findOne(ann.id, { populate: ['role'] }), {
      blocked: false,
      role: { id: member!.id },
    })
  })

  await t.test('what one who may change roles can', async t => {
    const values = {
      username: 'bob',
      email: 'BOB@example.com',
      password: 'bob-secret',
      role: { connect: [{ id: manager!.id }] },
    }
    const { status, body } = await post('users', { ...values, confirmed: true, provider: 'x' }, asMax)
    t.equal(status, 201)
    t.match(body, { email: 'bob@example.com', confirmed: true, provider: 'local', role: { type: 'manager' } })
    const changed = await put(`users/${body.id}`, { role: member!.id, blocked: true }, asMax)
    t.match(changed, { status: 200, body: { blocked: true, role: { type: 'authenticated' } } })
    refused(t, await put(`users/${body.id}`, { role: null }, asMax), 400, 'role is a required field')
    refused(
      t,
      await put(`users/${body.id}`, { role: { disconnect: [member!.id] } }, asMax),
      400,
      'Users must have a role',
    )
    refused(t, await put(`users/${body.id}`, { password: '' }, asMax), 400, 'password must be at least 1 characters')
    refused(t, await put(`users/${body.id}`, { password: null }, asMax), 400, 'password must be a `string` type')
    refused(t, await put(`users/${body.id}`, { email: 'ANN@example.com' }, asMax), 400, 'Email already taken')
    const gone = await server.delete(`users/${body.id}`, asMax)
    t.match(gone, { status: 200, body: { username: 'bob' } })
    t.notOk('password' in gone.body)
  })

  await t.test('B-6.24: a stranger who may change a password has none', async t => {
    const answer = await post('auth/change-password', {})
    refused(t, answer, 400, 'You must be authenticated to reset your password')
  })
})

t.test('a member whom rules hide from lists still sees themselves', async t => {
  const { get, logIn, user } = await start(t, {
    config: {
      permissions: { authenticated: ofMembers },
      rules: {
        authenticated: [
          { action: 'plugin::users-permissions.user.find', where: { username: 'nobody' } },
          { action: 'plugin::users-permissions.user.findOne', where: { username: 'nobody' } },
          { action: 'plugin::users-permissions.user.update', where: { id: '$user.id' } },
        ],
      },
    },
  })
  const ann = await user('ann')
  await user('bob')
  const token = await logIn('ann')
  t.same((await get('users', token)).body, [])
  t.equal((await get('users/count', token)).body, 0)
  t.equal((await get(`users/${ann.id}`, token)).status, 204)
  t.match((await get('users/me', token)).body, { username: 'ann' })
})

t.test('security.md rows 10 and 11: who may only count is restricted by the rules of find', async t => {
  const find = 'plugin::users-permissions.user.find'
  const { get, logIn, user } = await start(t, {
    config: {
      permissions: { authenticated: ['plugin::users-permissions.user.count'] },
      rules: { authenticated: [{ action: find, where: { username: { $ne: 'bob' } }, fields: ['provider'] }] },
    },
  })
  await user('ann')
  await user('bob')
  const token = await logIn('ann')
  t.equal((await get('users/count', token)).body, 1)
  refused(t, await get('users/count?provider=local', token), 400, 'Invalid parameter provider')
  // Each answer would say something of an attribute that the caller cannot find.
  for (const name of ['username', 'email', 'id', 'role', 'nope', '$and', '$or'])
    for (const query of [
      `${name}=bob`,
      `${name}[$startsWith]=b`,
      `${name}[0][id]=1`,
      `${name}=`,
      `confirmed=true&${name}=1`,
    ]) {
      const named = query.startsWith('confirmed') ? 'confirmed' : name
      refused(t, await get(`users/count?${query}`, token), 400, `Invalid parameter ${named}`)
    }
  t.equal((await get('users', token)).status, 403)
})

for (const entryMeta of ['always', 'localized', 'never'])
  t.test(`a role in an answer of REST has no users, whose entries have a meta: ${entryMeta}`, async t => {
    const rights = [...ofMembers, `${role}.find`, `${role}.findOne`, `${uid}.find`, `${uid}.findOne`]
    const book = {
      kind: 'collectionType',
      collectionName: 'books',
      info: { singularName: 'book', pluralName: 'books', displayName: 'Book' },
      attributes: { author: { type: 'relation', relation: 'manyToOne', target: uid } },
    }
    const permissions = { authenticated: [...rights, 'api::book.book.find', 'api::book.book.create'] }
    const plugins = { rest: { plugin: rest, config: { entryMeta } } } as never
    const { get, kernel, logIn, post, user } = await start(t, {
      config: { permissions },
      contentTypes: [book],
      plugins,
    })
    await user('ann')
    await user('max')
    const token = await logIn('ann')
    const queries = [
      'populate[role][populate][0]=users',
      'populate[role][populate]=*',
      'populate[role][populate]=users',
    ]
    queries.push('populate[role][populate][users][fields][0]=username', 'populate[role][populate][users]=true')
    for (const query of queries) {
      for (const url of ['users', 'users/1', 'users/me']) {
        const { status, body } = await get(`${url}?${query}`, token)
        t.equal(status, 200, `${url}?${query}`)
        const [one] = [body].flat()
        t.match(one, { username: 'ann', role: { type: 'authenticated' } })
        t.notOk('users' in one.role, `${url}?${query}`)
      }
    }
    for (const query of [
      'populate[author][populate][role][populate]=users',
      'populate[author][populate][role][populate]=*',
    ])
      for (const { status, body } of [
        await post(`books?${query}`, { data: { author: 1 } }, token),
        await get(`books?${query}`, token),
      ]) {
        t.equal(status, 200, query)
        const author = [body.data].flat()[0].attributes.author.data.attributes
        t.match(author, { username: 'ann', role: { data: { attributes: { type: 'authenticated' } } } })
        t.notOk('users' in author.role.data.attributes, query)
      }
    const names = async (query: string) =>
      (await get(`users?${query}`, token)).body.map((one: { username: string }) => one.username)
    t.same(await names('filters[role][users][username]=max&sort=username'), ['ann', 'max'], 'filters follow it')
    const shown = await kernel.query(role).findMany({ populate: ['users'], filters: { type: 'authenticated' } })
    t.match(shown, [{ users: [{ username: 'ann' }, { username: 'max' }] }], 'code sees them')
  })
