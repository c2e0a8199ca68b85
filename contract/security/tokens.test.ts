/** API tokens (security.md rows 59 and 60): what is no token is a 401, and one strategy decides. */

import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mock } from 'node:test'
import { tokensOf } from '@plinth/api-tokens'
import type { Kernel, PluginsConfig } from '@plinth/kernel'
import t, { type Test } from 'tap'
import { boot, type Client, client } from '../boot.ts'
import { refused } from './refusal.ts'

const plugins = { rest: true, 'api-tokens': { config: { salt: 'salt-of-the-tests' } } }

async function start(t: Test, configure?: (kernel: Kernel) => void, enabled: PluginsConfig = plugins) {
  const app = await boot(t, { plugins: enabled, ...(configure && { configure }) })
  return { app, api: client(app), tokens: tokensOf(app.kernel) }
}

const status = async (api: Client, authorization?: string, path = '/api/tags') =>
  (await api.get(path, authorization === undefined ? undefined : { authorization })).status

t.test('security.md row 59: a wrong token, a prefix of one, and one in the URL', async t => {
  const { api, tokens } = await start(t)
  const { accessKey } = await tokens.create({ name: 'reader' })
  t.equal(await status(api, `Bearer ${accessKey}`), 200)
  const last = accessKey.endsWith('0') ? '1' : '0'
  const wrong = [
    'x',
    accessKey.slice(0, -1),
    accessKey.slice(0, 64),
    `${accessKey}0`,
    `${accessKey.slice(0, -1)}${last}`,
  ]
  for (const key of [...wrong, accessKey.toUpperCase(), `${accessKey}%00`]) {
    const answer = await api.get('/api/tags', { authorization: `Bearer ${key}` })
    refused(t, answer, 401, 'Missing or invalid credentials')
    t.equal(answer.text.includes(accessKey.slice(0, 32)), false)
  }
  for (const name of ['access_token', 'token', 'Authorization', 'authorization', 'api_key', 'key'])
    t.equal(await status(api, undefined, `/api/tags?${name}=${accessKey}`), 401, `?${name}=`)
  t.equal(await status(api, `Basic ${Buffer.from(`:${accessKey}`).toString('base64')}`), 401)
  t.equal(await status(api, accessKey), 401, 'without the word Bearer')
})

t.test('security.md row 59: the hash of a token is no token', async t => {
  const { app, api, tokens } = await start(t)
  await tokens.create({ name: 'reader' })
  const [row] = await app.kernel.query('admin::api-token').findMany()
  t.match(row?.accessKey, /^[0-9a-f]{128}$/)
  t.equal(await status(api, `Bearer ${row?.accessKey}`), 401)
})

t.test('security.md row 59: an expired token', async t => {
  const { api, tokens } = await start(t)
  const { accessKey, id } = await tokens.create({ name: 'reader', lifespan: 604_800_000 })
  const header = { authorization: `Bearer ${accessKey}` }
  t.equal((await api.get('/api/tags', header)).status, 200)
  mock.timers.enable({ apis: ['Date'], now: Date.now() + 604_800_000 })
  t.teardown(() => mock.timers.reset())
  refused(t, await api.get('/api/tags', header), 401, 'Token expired')
  // Any change of tokens makes the server forget what it remembers.
  await tokens.update(id, { description: 'expired' })
  refused(t, await api.get('/api/tags', header), 401, 'Token expired')
})

t.test('security.md row 59: a revoked token', async t => {
  const { app, api, tokens } = await start(t)
  const { accessKey, id } = await tokens.create({ name: 'here' })
  t.equal(await status(api, `Bearer ${accessKey}`), 200)
  await tokens.revoke(id)
  t.equal(await status(api, `Bearer ${accessKey}`), 401, 'at once where it was revoked')
  const other = await tokens.create({ name: 'elsewhere' })
  t.equal(await status(api, `Bearer ${other.accessKey}`), 200)
  await app.kernel.query('admin::api-token').delete(other.id)
  await new Promise(done => setTimeout(done, 5050))
  t.equal(await status(api, `Bearer ${other.accessKey}`), 401, 'within five seconds elsewhere')
})

t.test('security.md row 59: a token costs no statement per request, and its use no write', async t => {
  const said: string[] = []
  const { api, tokens } = await start(t, kernel => kernel.hooks.on('onStatement', text => void said.push(text)))
  const { accessKey } = await tokens.create({ name: 'reader' })
  await status(api, `Bearer ${accessKey}`)
  said.length = 0
  for (let i = 0; i < 20; i++) t.equal(await status(api, `Bearer ${accessKey}`), 200)
  t.same(
    said.filter(text => /strapi_api_token/.test(text)),
    [],
  )
  t.same(
    said.filter(text => /^\s*(?:INSERT|UPDATE|DELETE|BEGIN)/i.test(text)),
    [],
  )
  await Promise.all(Array.from({ length: 20 }, () => status(api, 'Bearer unknown')))
  const lookUps = said.filter(text => /FROM .strapi_api_tokens/.test(text)).length
  t.equal(lookUps, 1, 'requests of one unknown key at the same time share its look-up')
})

t.test('security.md row 60: the word Bearer in lower case', async t => {
  const { api, tokens } = await start(t)
  const { accessKey } = await tokens.create({ name: 'reader' })
  for (const word of ['bearer', 'BEARER', 'Bearer ']) t.equal(await status(api, `${word} ${accessKey}`), 200, word)
  t.equal(await status(api, `Bearer ${accessKey} ${accessKey}`), 401, 'but not two words')
  t.equal(await status(api, `Bearer ${accessKey}, Bearer ${accessKey}`), 401)
})

t.test('security.md row 60: a JWT and an API token: one strategy decides', async t => {
  const both = { ...plugins, 'users-permissions': { config: { jwtSecret: 'secret-of-the-tests' } } }
  const { api, tokens } = await start(t, undefined, both)
  const registered = await api.post('/api/auth/local/register', {
    username: 'ada',
    email: 'ada@example.com',
    password: 'ada-secret-1',
  })
  const jwt = String((registered.body as unknown as { jwt: string }).jwt)
  const full = await tokens.create({ name: 'full', type: 'full-access' })
  const reader = await tokens.create({ name: 'reader' })
  const me = (key: string) => api.get('/api/users/me', { authorization: `Bearer ${key}` })
  t.match(await me(jwt), { status: 200, body: { username: 'ada' } })
  // B-6.28, B-6.76: a token has no user.
  t.equal((await me(full.accessKey)).status, 401)
  t.equal((await me(reader.accessKey)).status, 403)
  t.equal(await status(api), 403, 'nobody is the public role')
  t.equal(await status(api, `Bearer ${jwt}`), 403, 'a user has the rights of the role')
  t.equal(await status(api, `Bearer ${reader.accessKey}`), 200, 'a token has its own')
  const [head, payload, signature] = jwt.split('.')
  const wrong = [
    `${reader.accessKey}.${payload}.${signature}`,
    `${head}.${payload}.${reader.accessKey}`,
    `${jwt}${reader.accessKey}`,
    `${jwt} ${reader.accessKey}`,
    `${reader.accessKey}, Bearer ${jwt}`,
    'x',
  ]
  for (const key of wrong) t.equal(await status(api, `Bearer ${key}`), 401, key.slice(0, 20))
  t.equal(
    await status(api, undefined, `/api/tags?access_token=${reader.accessKey}`),
    403,
    'in the URL it has no effect',
  )
  const create = { name: 'mine', type: 'full-access' }
  t.equal((await api.post('/admin/api-tokens', create, { authorization: `Bearer ${jwt}` })).status, 403)
  t.equal((await api.post('/admin/api-tokens', create)).status, 403)
})

t.test('security.md row 60: two Authorization headers', async t => {
  const { app, tokens } = await start(t)
  const { accessKey } = await tokens.create({ name: 'reader' })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const ask = (authorization: string[], name = 'Authorization') =>
    new Promise<{ status: number; text: string }>((done, fail) => {
      const sent = request({ port, host: '127.0.0.1', path: '/api/tags', agent: false }, answer => {
        let text = ''
        answer.on('data', chunk => {
          text += chunk
        })
        answer.on('end', () => done({ status: answer.statusCode!, text }))
      })
      sent.on('error', fail)
      sent.setHeader(name, authorization)
      sent.end()
    })
  const [good, bad] = [`Bearer ${accessKey}`, 'Bearer x']
  t.equal((await ask([good])).status, 200)
  for (const pair of [
    [good, bad],
    [bad, good],
    [good, good],
    ['Basic YTpi', good],
  ]) {
    const { status, text } = await ask(pair)
    t.equal(status, 400)
    t.match(JSON.parse(text), { data: null, error: { status: 400, name: 'ValidationError', message: /Authorization/ } })
  }
  t.equal((await ask([good, bad], 'authorization')).status, 400)
})
