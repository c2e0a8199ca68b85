// Limits of requests (B-6.60, security.md row 61 and F15), in memory and in a real Redis.

import { setTimeout as wait } from 'node:timers/promises'
import { needsRedis, redisUrl } from '@plinth/test-tools/redis'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { refused, start } from '../fixtures/accounts.ts'
import { relay } from '../fixtures/relay.ts'

const tooMany = 'Too many requests, please try again later.'
const wrong = 'Invalid identifier or password'

/** Blocked by the schema of the body, so that no password is hashed. */
const cheap = { password: 'x' }

t.test('B-6.60: headers, and the 429', async t => {
  const { get, send, post } = await start(t, { config: { ratelimit: { max: 2, interval: '1 minute' } } })
  const first = await post('auth/local', cheap)
  t.match(first.headers, { 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '1' })
  const reset = Number(first.headers['x-ratelimit-reset'])
  t.ok(Math.abs(reset - (Date.now() / 1000 + 60)) < 3, 'the end of the window, in seconds of the epoch')
  await post('auth/local', cheap)
  const third = await post('auth/local', cheap)
  refused(t, third, 429, tooMany)
  t.equal(third.body.error.name, 'RateLimitError')
  t.match(third.headers, { 'retry-after': /^\d+$/, 'x-ratelimit-remaining': '0' })
  t.equal((await post('auth/forgot-password', { email: 'x' })).status, 400, 'another route')
  t.equal((await send('POST', 'auth/local', { body: cheap, ip: '10.0.0.9' })).status, 400, 'another address')
  t.equal((await get('notes')).status, 200, 'no other route is limited')
})

t.test('scripts of other origins may read the headers of limits', async t => {
  const exposed = async (ratelimit: object) => {
    const { app } = await start(t, { config: { ratelimit } })
    const { headers } = await app.inject({ url: '/api/notes', headers: { origin: 'https://one.example' } })
    return headers['access-control-expose-headers']
  }
  t.match(
    await exposed({ max: 2 }),
    /^Retry-After, (?:Server-Timing, )?X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset$/,
  )
  t.notMatch(await exposed({ enabled: false }), 'X-RateLimit', 'without limits there are none')
})

t.test('security.md row 61: what does not get around the limit (CVE-2025-64526, CVE-2023-38507)', async t => {
  const { send } = await start(t, { config: { ratelimit: { max: 3 } } })
  const tries = [
    { url: 'auth/local', body: { ...cheap, email: 'a@example.com' } },
    { url: 'auth/local/', body: { ...cheap, email: 'b@example.com' } },
    { url: 'AUTH/Local', body: { ...cheap, email: { c: 1 } } },
  ]
  for (const { url, body } of tries) t.equal((await send('POST', url, { body })).status, 400, url)
  const headers = { 'x-forwarded-for': '1.2.3.4', 'x-real-ip': '1.2.3.4', forwarded: 'for=1.2.3.4' }
  for (const url of ['auth/local', 'auth/local/', 'auth/local?x=1', 'auth//local'.replace('//', '/')])
    refused(t, await send('POST', url, { body: cheap, headers }), 429, tooMany)
})

t.test('security.md row 61: one account from many addresses', async t => {
  const { send, user } = await start(t, { config: { ratelimit: { max: 2 } } })
  await user('ann')
  const guess = (identifier: string, ip: string) =>
    send('POST', 'auth/local', { body: { identifier, password: 'guess' }, ip })
  refused(t, await guess('Ann', '10.0.0.1'), 400, wrong)
  refused(t, await guess(' ａnn', '10.0.0.2'), 400, wrong)
  refused(t, await guess('ANN', '10.0.0.3'), 429, tooMany)
  refused(t, await guess('bob', '10.0.0.4'), 400, wrong)
  refused(t, await guess('x1', '2001:db8:1:2::1'), 400, wrong)
  refused(t, await guess('x2', '2001:db8:1:2::ffff'), 400, wrong)
  refused(t, await guess('x3', '2001:db8:1:2:a::'), 429, tooMany)
})

t.test('security.md row 61: a field that the route does not read does not choose the account', async t => {
  const { send, user } = await start(t, { config: { ratelimit: { max: 2 } } })
  await user('ann')
  let sent = 0
  const ask = (url: string, body: object) => send('POST', url, { body, ip: `10.0.1.${++sent}` })
  const bodies = {
    'auth/local': { identifier: 'ann', password: 'x' },
    'auth/local/register': { email: 'ann@example.com', username: 'x', password: 'y' },
    'auth/send-email-confirmation': { email: 'ann@example.com' },
    'auth/forgot-password': { email: 'ann@example.com' },
  }
  for (const [url, body] of Object.entries(bodies)) {
    const other = 'identifier' in body ? 'email' : 'identifier'
    const statuses = []
    for (let i = 0; i < 3; i++) statuses.push((await ask(url, { ...body, [other]: `somebody${i}@example.com` })).status)
    t.equal(statuses.pop(), 429, url)
    t.notOk(statuses.includes(429), url)
  }
})

t.test('security.md row 61: a name with other accents finds nobody, on any database', async t => {
  const { post, user } = await start(t)
  await user('rene')
  for (const identifier of ['rené', 'réné', 'ŕene', 'rene\u0301', 'rené@example.com'])
    refused(t, await post('auth/local', { identifier, password: 'rene-secret' }), 400, wrong)
  t.equal((await post('auth/local', { identifier: 'RENE@example.com', password: 'rene-secret' })).status, 200)
})

t.test('security.md row 61: a proxy is asked only if it is trusted', async t => {
  const { send } = await start(t, {
    config: { ratelimit: { max: 1 } },
    fastify: { trustProxy: '10.0.0.1' },
  })
  const from = (ip: string, client: string) =>
    send('POST', 'auth/local', { body: cheap, ip, headers: { 'x-forwarded-for': client } })
  t.equal((await from('10.0.0.1', '1.1.1.1')).status, 400)
  t.equal((await from('10.0.0.1', '1.1.1.2')).status, 400)
  t.equal((await from('10.0.0.1', '1.1.1.1')).status, 429)
  t.equal((await from('10.0.0.2', '1.1.1.3')).status, 400)
  t.equal((await from('10.0.0.2', '1.1.1.4')).status, 429, 'another host says what it wants')
})

/** A client of the Redis of tests, and a prefix that no other test has. */
async function redis(t: Test) {
  const client = new Redis(redisUrl, { lazyConnect: true, maxRetriesPerRequest: 1, retryStrategy: () => null })
  client.on('error', () => {})
  await client.connect()
  const prefix = `plinth-test-${process.pid}-${Date.now()}:`
  const keys = () => client.keys(`${prefix}*`)
  t.teardown(async () => {
    const left = await keys()
    if (left.length > 0) await client.del(left)
    client.disconnect()
  })
  return { client, prefix, keys }
}

/** A logger that keeps errors and news. */
function logOf() {
  const messages: string[] = []
  const keep = (_: unknown, message?: string) => void messages.push(String(message ?? _))
  const nothing = () => {}
  const log = { level: 'info', warn: nothing, debug: nothing, trace: nothing, fatal: nothing, info: keep, error: keep }
  const loggerInstance = { ...log, child: () => loggerInstance }
  const aboutRedis = () => messages.filter(message => message.includes('Redis'))
  return { options: { fastify: { logger: undefined, loggerInstance }, logger: undefined }, aboutRedis }
}

const away = 'The Redis server of ratelimit does not answer; requests are counted in this process'
const back = 'The Redis server of ratelimit answers again'

t.test('two processes count together in Redis', await needsRedis(), async t => {
  const { client, prefix, keys } = await redis(t)
  const config = { ratelimit: { max: 3, redis: redisUrl, prefix } }
  const [one, two] = [await start(t, { config }), await start(t, { config })]
  const statuses = []
  for (const { post } of [one, two, one, two]) statuses.push((await post('auth/local', cheap)).status)
  t.same(statuses, [400, 400, 400, 429])
  const counters = await keys()
  t.ok(counters.length > 0)
  for (const key of counters) t.ok((await client.pttl(key)) > 0, 'counters end')
})

t.test('security.md F15: a Redis that goes and comes back: no request is unlimited', await needsRedis(), async t => {
  const { prefix } = await redis(t)
  const between = await relay(t, redisUrl)
  const log = logOf()
  const config = { ratelimit: { max: 3, prefix } }
  const [one, two] = [
    await start(t, { config: { ratelimit: { ...config.ratelimit, redis: between.url } }, ...log.options }),
    await start(t, { config: { ratelimit: { ...config.ratelimit, redis: redisUrl } } }),
  ]
  const ask = async ({ send }: typeof one, count: number, ip = '10.0.0.1') => {
    const statuses = []
    for (let i = 0; i < count; i++) statuses.push((await send('POST', 'auth/local', { body: cheap, ip })).status)
    return statuses
  }
  t.same(await ask(one, 2), [400, 400])
  await between.leave()
  t.same(await ask(one, 5), [400, 400, 400, 429, 429], 'counted in the process')
  t.same(log.aboutRedis(), [away])
  await between.comeBack()
  // The client of Redis connects again when it next tries to.
  for (let i = 0; i < 100 && !log.aboutRedis().includes(back); i++) {
    await ask(one, 1, '10.0.0.2')
    await wait(100)
  }
  t.same(log.aboutRedis(), [away, back])
  t.same(await ask(one, 2), [400, 429], 'what was counted before holds again')
  t.same(await ask(two, 1), [429], 'for another process, too')
})

t.test('security.md F15: without Redis each process counts for itself, and says so once', async t => {
  const log = logOf()
  const config = { ratelimit: { max: 2, redis: 'redis://127.0.0.1:1' } }
  const { post } = await start(t, { config, ...log.options })
  const statuses = []
  for (let i = 0; i < 4; i++) statuses.push((await post('auth/local', cheap)).status)
  t.same(statuses, [400, 400, 429, 429])
  t.same(log.aboutRedis(), [away])
})

t.test('settings that cannot be used', async t => {
  await t.rejects(
    start(t, { config: { ratelimit: { interval: '5 moons' } } }),
    /ratelimit.interval: "5 moons" is not a span/,
  )
})
