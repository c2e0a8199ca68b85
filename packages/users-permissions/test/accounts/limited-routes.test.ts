// Each route of accounts is limited (B-6.60), by the address and by the account that it is about (security.md row 61).

import type { Kernel } from '@plinth/kernel'
import t from 'tap'
import { authActions } from '../../src/accounts/tools.ts'
import { refused, start } from '../fixtures/accounts.ts'

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

t.test('security.md row 61: the names of a user count separately, and no name more often', async t => {
  const { send, user } = await start(t, { config: { ratelimit: { max: 2 } } })
  await user('ann')
  let sent = 0
  const guesses = async (identifier: string) => {
    const statuses = []
    for (let i = 0; i < 3; i++) {
      const body = { identifier, password: 'guess' }
      statuses.push((await send('POST', 'auth/local', { body, ip: `10.0.5.${++sent}` })).status)
    }
    return statuses
  }
  // As for somebody who does not exist: a common count would say that the two names belong to one user.
  for (const identifier of ['ann', 'ann@example.com', 'nobody', 'nobody@example.com'])
    t.same(await guesses(identifier), [400, 400, 429], identifier)
  for (const identifier of ['ANN', ' Ann@Example.COM ', 'ａnn@example.com'])
    t.same(await guesses(identifier), [429, 429, 429], `${identifier} is the same name`)
})
