// Connections of subscriptions: the protocol, and the limits of what a client may send and hold (security.md row 74,
// CVE-2026-30241).

import { request as httpRequest } from 'node:http'
import t from 'tap'
import { type Options, start } from './fixtures/boot.ts'
import { bare, connect, eventually, listen, pause } from './fixtures/subscriber.ts'

const init = { type: 'connection_init' }
const subscribe = (id: string, query: string, more: object = {}) => ({
  type: 'subscribe',
  id,
  payload: { query, ...more },
})
const isAck = ({ type }: { readonly type: string }) => type === 'connection_ack'

const begun = async (t: Parameters<typeof bare>[0], graphqlConfig: Options['graphqlConfig'] = {}) => {
  const started = await start(t, { graphqlConfig })
  const url = await listen(started.app)
  const socket = await bare(t, url)
  socket.send(init)
  await socket.message(isAck)
  /** The errors with which a subscription is refused. */
  const refusal = async (query: string, more: object = {}) => {
    const id = String(Math.random())
    socket.send(subscribe(id, query, more))
    const found = await socket.message(one => one.type === 'error' && (one as unknown as { id: string }).id === id)
    return found.payload
  }
  return { ...started, url, socket, refusal }
}

t.test('security.md row 74: without the plugin there are no subscriptions and no WebSocket', async t => {
  const { app, ask } = await start(t, { plugins: { 'graphql-subscriptions': false } })
  const socket = await bare(t, await listen(app))
  t.not(socket.refused, null, 'no connection')
  t.match((await ask('subscription { tagsChanged { id } }')).body, {
    errors: [{ message: /Schema is not configured/ }],
  })
})

t.test('security.md row 74, CVE-2026-30241: the limits of queries hold for subscriptions', async t => {
  const { app, ask, refusal, socket, of } = await begun(t, { depthLimit: 6, limits: { depth: 12, fields: 100 } })
  const statements: string[] = []
  app.kernel.hooks.on('onStatement', text => void statements.push(text))
  const deep = (levels: number): string =>
    levels === 0 ? 'id' : `id attributes { parent { data { ${deep(levels - 1)} } } }`
  t.match(await refusal(`subscription { tagsChanged { data { ${deep(2)} } } }`), [
    { message: /maximum operation depth of 6/ },
  ])
  t.match(await refusal(`subscription { tagsChanged { data { ${deep(6)} } } }`), [
    { message: /levels, and at most 12/ },
  ])
  const aliases = Array.from({ length: 10_000 }, (_, i) => `a${i}: id`).join(' ')
  t.match(await refusal(`subscription { tagsChanged { ${aliases} } }`), [{ message: /bytes, and at most 65536/ }])
  const some = Array.from({ length: 200 }, (_, i) => `a${i}: id`).join(' ')
  t.match(await refusal(`subscription { tagsChanged { ${some} } }`), [{ message: /fields, and at most 100/ }])
  const tokens = `subscription { tagsChanged { id ${'@skip(if: false) '.repeat(600)} } }`
  t.match(await refusal(tokens), [{ message: /tokens/ }])
  t.match(await refusal('subscription { ...A } fragment A on Subscription { ...A }'), [{ message: /within itself/ }])
  t.match(await refusal('subscription { a: tagsChanged { id } b: tagsChanged { id } }'), [
    { message: /only one top level/ },
  ])
  t.match(await refusal('subscription { tagsChanged { nope } }'), [{ message: /Cannot query field "nope"/ }])
  t.match(await refusal('subscription ($id: ID!) { tagChanged(id: $id) { id } }'), [{ message: /was not provided/ }])
  t.match(await refusal('{ tags { data { id } } }'), [{ message: /Queries and mutations are sent by POST/ }])
  t.match(await refusal('mutation { deleteTag(id: 1) { data { id } } }'), [{ message: /Queries and mutations/ }])
  t.match(await refusal(''), [{ message: /non-empty `query`/ }])
  // graphql-js throws while it validates this one.
  const conditional = 'subscription ($is: Boolean!) { tagsChanged @include(if: $is) { id } }'
  t.match(await refusal(conditional, { variables: { is: true } }), [
    { message: /which was not provided/, extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } },
  ])
  t.match(await ask(conditional), { status: 400 })
  t.match(await refusal('subscription { tagsChanged { id } }', { variables: 5 }), [{ message: /Variables/ }])
  // Arguments that do not fit when their variables are known.
  t.match(await refusal('subscription ($id: ID = 1) { tagChanged(id: $id) { id } }', { variables: { id: null } }), [
    { message: /^Argument "id" of non-null type "ID!" must not be null/, extensions: { code: 'BAD_USER_INPUT' } },
  ])
  t.same(statements, [], 'before any SQL')
  await of('tag').create({ data: { label: 'a' } })
  await pause()
  t.notOk(
    socket.messages.some(one => one.type === 'next'),
    'nothing was begun',
  )
})

t.test('security.md row 73a: variables are counted before they are converted', async t => {
  const { refusal } = await begun(t, { limits: { variables: { values: 100, depth: 20, bytes: 5000 } } })
  const query = 'subscription { tagsChanged { id } }'
  const rows: readonly (readonly [variables: object, message: RegExp])[] = [
    [{ f: { or: Array(101).fill({}) } }, /^The variables have more values than the 100 that are allowed/],
    [{ f: { label: { eq: 'x'.repeat(5000) } } }, /^The variables have more bytes of texts and names than the 5000/],
  ]
  for (const [variables, message] of rows)
    t.match(await refusal(query, { variables }), [{ message, extensions: { code: 'BAD_USER_INPUT' } }])
})

t.test('security.md row 74: the rows that an event may fetch are limited', async t => {
  const { app, of } = await start(t, { maxRows: 30 })
  for (let i = 0; i < 5; i++) await of('tag').create({ data: { label: `t${i}` } })
  const tags = [1, 2, 3, 4, 5]
  for (let i = 0; i < 5; i++) await of('article').create({ data: { title: `a${i}`, slug: `a${i}`, tags } })
  const socket = await bare(t, await listen(app))
  socket.send(init)
  const list = (limit: number) =>
    `articles(pagination: { limit: ${limit} }) { data { attributes { tags(pagination: { limit: 100 }) { data { id } } } } }`
  for (const limit of [4, 5])
    socket.send(
      subscribe(String(limit), `subscription { tagsChanged { data { attributes { label ${list(limit)} } } } }`),
    )
  await pause(300)
  await of('tag').update(1, { data: { label: 'new' } })
  const refused = await socket.message(one => one.type === 'error')
  t.match(refused, { id: '5', payload: [{ extensions: { error: { details: { rows: 31, maxRows: 30 } } } }] })
  t.match(await socket.message(one => one.type === 'next'), { id: '4' }, '1, 4 and 20 rows')
})

t.test('the protocol: what it does not allow closes the connection with its code', async t => {
  const { app } = await start(t, { config: { initTimeout: 1, perSocket: 3 } })
  const url = await listen(app)
  const closedBy = async (...messages: unknown[]) => {
    const socket = await bare(t, url)
    for (const one of messages) socket.send(one)
    return (await socket.closed()).code
  }
  t.equal(await closedBy('no json'), 4400)
  t.equal(await closedBy('[]'), 4400)
  t.equal(await closedBy({ type: 'nope' }), 4400)
  t.equal(await closedBy(init, { type: 'subscribe', id: 5, payload: {} }), 4400)
  t.equal(await closedBy(init, { type: 'subscribe', id: 'x'.repeat(300), payload: {} }), 4400)
  t.equal(await closedBy(subscribe('1', 'subscription { tagsChanged { id } }')), 4401, 'before connection_init')
  t.equal(await closedBy(init, init), 4429)
  const headers = { 'x-long': 'x'.repeat(20_000) }
  t.equal(await closedBy({ ...init, payload: { headers } }), 4403, 'credentials as no HTTP request can have them')
  const query = 'subscription { tagsChanged { id } }'
  t.equal(await closedBy(init, subscribe('1', query), subscribe('1', query)), 4409)
  // The reason of a close has at most 123 bytes, and these have three for each character.
  t.equal(await closedBy({ type: '€'.repeat(200) }), 4400, 'a type of many bytes')
  const long = '€'.repeat(200)
  t.equal(await closedBy(init, subscribe(long, query), subscribe(long, query)), 4409, 'an id of many bytes')
  t.equal(await closedBy(init, subscribe('1', `#${'x'.repeat(300_000)}`)), 1009, 'a message that is too long')
  t.equal(await closedBy(), 4408, 'no connection_init')
  t.equal((await (await bare(t, url, { protocol: '' })).closed()).code, 4406, 'no protocol')
  t.notOk((await bare(t, url, { protocol: 'graphql-ws' })).socket.protocol, 'the older protocol')
  const flood = await bare(t, url)
  for (let i = 0; i < 500; i++) flood.send({ type: 'ping' })
  t.equal((await flood.closed()).code, 1008, 'a flood')
  const binary = await bare(t, url)
  binary.socket.send(Buffer.from('{"type":"connection_init"}'))
  t.equal((await binary.closed()).code, 4400)
  const pinged = await bare(t, url)
  pinged.send({ type: 'ping' })
  await pinged.message(one => one.type === 'pong')
})

t.test('subscriptions of a connection, connections, and idle connections are limited', async t => {
  const { app } = await start(t, { config: { sockets: 2, perSocket: 3, idleTimeout: 1 } })
  const url = await listen(app)
  const socket = await bare(t, url)
  socket.send(init)
  const query = 'subscription { tagsChanged { id } }'
  for (let i = 0; i < 4; i++) socket.send(subscribe(String(i), query))
  const refused = await socket.message(one => one.type === 'error')
  t.match(refused, { id: '3', payload: [{ message: /has 3 subscriptions, and no more/ }] })
  const second = await bare(t, url)
  second.send(init)
  const third = await bare(t, url)
  t.equal(third.refused, 503, 'a third connection')
  t.equal((await second.closed()).reason, 'Idle')
  t.equal((await bare(t, url)).refused, null, 'there is room again')
  t.equal(socket.socket.readyState, 1, 'a connection with subscriptions stays')
})

t.test('a connection has at most 100 subscriptions', async t => {
  const { socket, of } = await begun(t)
  for (let i = 1; i <= 101; i++) socket.send(subscribe(String(i), 'subscription { tagsChanged { data { id } } }'))
  const refused = await socket.message(one => one.type === 'error')
  t.match(refused, { id: '101', payload: [{ message: /has 100 subscriptions, and no more/ }] })
  await of('tag').create({ data: { label: 'a' } })
  const events = () => socket.messages.filter(one => one.type === 'next')
  await eventually(() => events().length >= 100, 'an event of each subscription')
  t.equal(new Set(events().map(one => (one as unknown as { id: string }).id)).size, 100)
  socket.send({ type: 'complete', id: '1' })
  socket.send(subscribe('102', 'subscription { tagsChanged { data { id } } }'))
  await of('tag').create({ data: { label: 'b' } })
  await eventually(() => events().some(one => (one as unknown as { id: string }).id === '102'), 'there is room again')
})

t.test('the memory of subscriptions is limited', async t => {
  // No entry has the last of these ids; such a subscription holds memory, too.
  for (const field of ['tagsChanged', 'tagChanged(id: 1)', 'tagChanged(id: "none")']) {
    const { socket } = await begun(t)
    const query = `subscription { ${field} { id } } #${'x'.repeat(65_000)}`
    for (let i = 0; i < 60; i++) socket.send(subscribe(String(i), query))
    const refused = await socket.message(one => one.type === 'error')
    t.match(refused.payload, [{ message: 'The server has too many subscriptions.' }], field)
  }
})

t.test('the origins of pages can be limited', async t => {
  for (const wrong of ['front.example', '*', 'https://front.example/page'])
    await t.rejects(start(t, { config: { origins: [wrong] } }), /origins\.0: must be an origin, such as "https/, wrong)
  const origins = ['https://front.example', 'https://Other.example/']
  const { app } = await start(t, { config: { origins } })
  const url = await listen(app)
  const status = async (origin: string | undefined) =>
    (await bare(t, url, { headers: origin === undefined ? {} : { origin } })).refused
  t.equal(await status('https://evil.example'), 403)
  t.equal(await status('null'), 403)
  t.equal(await status('https://front.example'), null)
  t.equal(await status('https://other.example'), null, 'as browsers send it')
  t.equal(await status(url.replace('ws:', 'http:').replace('/graphql', '')), null, 'the server itself')
  t.equal(await status(undefined), null, 'no browser')
  const { app: open } = await start(t)
  const openUrl = await listen(open)
  t.equal((await bare(t, openUrl, { headers: { origin: 'https://any.example' } })).refused, null, 'by default all')
  t.equal((await bare(t, openUrl, { headers: { origin: 'null' } })).refused, 403, 'but none without an origin')
})

t.test('other upgrades and other paths are not those of subscriptions', async t => {
  const { app } = await start(t)
  const url = await listen(app)
  t.equal((await bare(t, url.replace('/graphql', '/other'))).refused, 404)
  const { port } = app.server.address() as { readonly port: number }
  const headers = {
    connection: 'Upgrade, HTTP2-Settings',
    upgrade: 'h2c',
    'http2-settings': 'AAMAAABkAARAAAAAAAIAAAAA',
  }
  const status = await new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path: '/api/tags', headers }, answer => {
      answer.resume()
      resolve(answer.statusCode)
    })
    request.on('error', reject)
    request.end()
  })
  t.equal(status, 200, 'a client that offers h2c is answered')
})

t.test('changes that wait are limited: subscriptions then end with an error', async t => {
  const { app, kernel, of } = await start(t, { config: { events: 3 } })
  const { subscribe } = await connect(t, await listen(app))
  const received = await subscribe('subscription { tagsChanged { id } }')
  await kernel.transaction(async () => {
    for (let i = 0; i < 10; i++) await of('tag').create({ data: { label: 'a' } })
  })
  await received.until(10)
  t.match(received.error, [{ message: /Too many changes wait/ }])
})

t.test('close() of the server ends connections cleanly', async t => {
  const { app } = await start(t)
  const url = await listen(app)
  const sockets = await Promise.all([bare(t, url), bare(t, url), bare(t, url)])
  sockets[0]!.send(init)
  sockets[0]!.send(subscribe('1', 'subscription { tagsChanged { id } }'))
  await sockets[0]!.message(isAck)
  // A client that does not answer.
  sockets[2]!.socket.pause()
  const began = performance.now()
  await app.close()
  t.ok(performance.now() - began < 5000, 'in time')
  t.equal((await sockets[0]!.closed()).code, 1001)
  t.equal((await sockets[1]!.closed()).code, 1001)
})
