// Each route of accounts is limited (B-6.60), by the address and by the account that it is about (security.md row 61).

import type { Kernel } from '@plinth/kernel'
import fastify, { type FastifyRequest } from 'fastify'
import t from 'tap'
import { confirmationCode, makeCode, resetCode } from '../../src/accounts/codes.ts'
import { counterOf, Limits } from '../../src/accounts/limits.ts'
import { authPaths, useOf } from '../../src/accounts/routes/paths.ts'
import { authActions } from '../../src/accounts/tools.ts'
import { codeIn, refused, start } from '../fixtures/accounts.ts'

const tooMany = 'Too many requests, please try again later.'
const prefix = 'plugin::users-permissions.auth.'

interface Route {
  readonly method: 'GET' | 'POST'
  /** Below `/api`. */
  readonly url: string
  readonly action: string
}

/** Listens for the routes whose actions are those of accounts. */
function listen() {
  const routes: Route[] = []
  const configure = (kernel: Kernel) =>
    kernel.hooks.on('onMount', app => {
      app.addHook('onRoute', ({ method, url, config }) => {
        const { action } = (config ?? {}) as { readonly action?: string }
        if (!action?.startsWith(prefix) || method === 'HEAD') return
        routes.push({ method: method as Route['method'], url: url.replace(/^\/api\//, ''), action })
      })
    })
  return { routes, configure }
}

t.test('B-6.60: each route of accounts has the limit, before anything else is done', async t => {
  const { routes, configure } = listen()
  const { send } = await start(t, { configure, config: { ratelimit: { max: 2 } } })
  const found = new Set(routes.map(({ action }) => action.slice(prefix.length)))
  t.same([...found].sort(), [...authActions].sort())
  t.equal(routes.length, 10)
  for (const { method, url } of routes) {
    const path = url.replace(':provider', 'github')
    const ask = (ip: string) => send(method, path, { ip, ...(method === 'POST' && { body: {} }) })
    for (const remaining of ['1', '0']) {
      const { status, headers } = await ask('10.0.0.1')
      t.not(status, 429, `${method} ${url}`)
      t.match(headers, { 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': remaining })
    }
    const third = await ask('10.0.0.1')
    refused(t, third, 429, tooMany)
    t.equal(third.body.error.name, 'RateLimitError')
    t.match(third.headers, { 'retry-after': /^\d+$/ })
    t.not((await ask('10.0.0.2')).status, 429, 'another address')
  }
})

t.test('security.md row 61: a change of a password counts for the caller, whatever address it comes from', async t => {
  const { send, user, logIn } = await start(t, { config: { ratelimit: { max: 2 } } })
  await user('ann')
  await user('bob')
  const [ann, bob] = [await logIn('ann'), await logIn('bob')]
  let sent = 0
  const change = (token: string, body: object = {}) =>
    send('POST', 'auth/change-password', { token, body, ip: `10.0.2.${++sent}` })
  const guess = { currentPassword: 'guess', password: 'ann-new-secret', passwordConfirmation: 'ann-new-secret' }
  refused(t, await change(ann, guess), 400, 'The provided current password is invalid')
  t.equal((await change(ann, { ...guess, email: 'bob@example.com' })).status, 400)
  refused(t, await change(ann, { ...guess, email: 'somebody@example.com' }), 429, tooMany)
  refused(t, await change(ann, { ...guess, identifier: 'somebody' }), 429, tooMany)
  t.equal((await change(bob)).status, 400, 'another user')
})

t.test('security.md row 61: nobody uses up the requests of a caller by a name', async t => {
  const { send, user, logIn } = await start(t, { config: { ratelimit: { max: 2 } } })
  const { id } = await user('ann')
  const ann = await logIn('ann')
  let sent = 0
  for (const name of [`${id}`, `user ${id}`, ` user ${id}`, `\u2003user ${id}`])
    for (let i = 0; i < 3; i++)
      for (const field of ['email', 'identifier'])
        await send('POST', 'auth/change-password', { body: { [field]: name }, ip: `10.0.3.${++sent}` })
  const answer = await send('POST', 'auth/change-password', { token: ann, body: {}, ip: '10.0.4.1' })
  t.equal(answer.status, 400)
})

t.test('security.md row 61: the names of a user count together, however they are written', async t => {
  const { send, user } = await start(t, { config: { ratelimit: { max: 4 } } })
  for (const name of ['ann', 'bob', 'eve']) await user(name)
  let sent = 0
  const guesses = async (identifier: string) => {
    const statuses = []
    for (let i = 0; i < 3; i++) {
      const body = { identifier, password: 'guess' }
      statuses.push((await send('POST', 'auth/local', { body, ip: `10.0.5.${++sent}` })).status)
    }
    return statuses
  }
  t.same(await guesses('ann'), [400, 400, 400])
  t.same(await guesses('ann@example.com'), [400, 429, 429], 'the address of the same user')
  for (const identifier of ['ANN', ' Ann@Example.COM ', 'ａnn@example.com', `${' '.repeat(400)}ann@example.com`])
    t.equal((await guesses(identifier)).at(-1), 429, `${identifier} is the same name`)
  t.same(await guesses('nobody'), [400, 400, 400])
  t.same(await guesses('nobody@example.com'), [400, 400, 400], 'nobody has both names')
  t.same([...(await guesses('BOB')), ...(await guesses('bob'))].filter(one => one === 429).length, 2, 'spellings')
  const spellings = [
    (i: number) => `${' '.repeat(320 + i)}eve@example.com`,
    (i: number) => `eve@example.com${'\u3000'.repeat(500 + i)}`,
    (i: number) => 'EVE@example.com'.slice(0, i) + 'eve@example.com'.slice(i),
    (i: number) => `${['\t', '\u00a0', '\ufeff', '\u2003', '\n'][i]}ｅve@EXAMPLE.com`,
  ]
  const statuses = []
  for (let i = 0; i < 3; i++)
    for (const spell of spellings) {
      const body = { identifier: spell(i), password: 'guess' }
      statuses.push((await send('POST', 'auth/local', { body, ip: `10.0.6.${++sent}` })).status)
    }
  t.equal(statuses.filter(one => one === 400).length, 4, 'in any length')
})

t.test('security.md row 61: what is left to a user is not told with a name', async t => {
  const { send, user } = await start(t, { config: { ratelimit: { max: 4 } } })
  await user('ann')
  const left = async (identifier: string, ip: string) => {
    const answer = await send('POST', 'auth/local', { body: { identifier }, ip })
    return answer.headers['x-ratelimit-remaining']
  }
  t.same([await left('ann', '10.0.7.1'), await left('ann', '10.0.7.2')], ['3', '2'])
  t.equal(await left('ann@example.com', '10.0.7.3'), '3', 'as for an address that nobody has')
})

t.test('security.md row 61: what an address may not do is not counted for accounts', async t => {
  const { send, user } = await start(t, { config: { ratelimit: { max: 2 } } })
  await user('ann')
  const guess = async (identifier: string, ip: string) =>
    (await send('POST', 'auth/local', { body: { identifier }, ip })).status
  for (let i = 0; i < 2; i++) await guess('somebody', '10.0.8.1')
  for (let i = 0; i < 5; i++) t.equal(await guess('ann', '10.0.8.1'), 429)
  t.same([await guess('ann', '10.0.8.2'), await guess('ann@example.com', '10.0.8.3')], [400, 400])
  t.equal(await guess('ann', '10.0.8.4'), 429)
})

t.test('security.md row 61: names push out other names, but no user', async t => {
  const app = fastify()
  t.teardown(() => app.close())
  const config = { enabled: true, max: 2, interval: 60_000, prefix: '' }
  const limits = (await Limits.open(app, config, app.log as never, 4))!
  let sent = 0
  const use = async (name: string, id: number | null) => {
    const request = { ip: `10.1.${++sent >> 8}.${sent & 255}`, routeOptions: {} } as unknown as FastifyRequest
    const counters = [counterOf(name), ...(id === null ? [] : [{ kind: 'user', key: String(id) } as const])]
    const findCounters = async () => counters
    return limits.check(request, null, { route: 'login', findCounters }).then(
      () => 200,
      error => error.status,
    )
  }
  t.same([await use('ann', 1), await use('ann@example.com', 1)], [200, 200])
  for (let i = 0; i < 10; i++) await use(`invented ${i}`, null)
  t.equal(await use('ann', 1), 429)
  t.same(
    [await use(' '.repeat(9) + 'x'.repeat(2000), null), counterOf('x'.repeat(2000)).key.length < 64],
    [200, true],
    'keys are short',
  )
})

t.test('security.md row 61: a code counts for its user, wherever it comes from', async t => {
  const { send, user, post, mails } = await start(t, { config: { ratelimit: { max: 2 } } })
  await user('ann')
  await post('auth/forgot-password', { email: 'ann@example.com' })
  const code = codeIn((await mails())[0], 'code')
  const others = [...'0123'].filter(one => one !== code.at(-1))
  const statuses = []
  for (let i = 0; i < 3; i++) {
    const body = {
      code: `${code.slice(0, -1)}${others[i]}`,
      password: 'new-secret',
      passwordConfirmation: 'new-secret',
    }
    statuses.push((await send('POST', 'auth/reset-password', { body, ip: `10.0.9.${i}` })).status)
  }
  t.same(statuses, [400, 400, 429])
})

t.test('security.md row 61: invented codes push out no user', async t => {
  const users = { findId: () => Promise.reject(new Error('no name is looked for')) } as never
  const context = { access: { user: null } } as never
  for (const [name, field, kind] of [
    ['resetPassword', 'code', resetCode],
    ['emailConfirmation', 'confirmation', confirmationCode],
  ] as const) {
    const countersOf = (sent: object) =>
      useOf({ prefix: '/api', users }, { name, path: authPaths[name], sent: () => sent, context }).findCounters()
    const [one, other, again] = [1, 123_456, 1].map(id => countersOf({ [field]: makeCode(kind, id).code }))
    t.same(
      (await one!).concat(await other!).filter(counter => counter.kind === 'user'),
      [],
      name,
    )
    t.same(await one, await again, 'one id is one counter')
    t.notSame(await one, await other)
  }
})
