// Subscriptions and the budget of bytes: what is read for an event counts for its caller, as for an answer by HTTP, and so
// does what a client has sent. Who has no room is told, and others are not concerned.

import { type Access, definePlugin, UnavailableError } from '@plinth/kernel'
import { budgetOf } from '@plinth/server/transport'
import t, { type Test } from 'tap'
import { start } from './fixtures/boot.ts'
import { bare, connect, eventually, listen } from './fixtures/subscriber.ts'

const kb = 1024
const mb = 1024 * kb

/** Callers by the header `user` of `connection_init`. Their rights cannot be checked while it `isDown`, and wait for `pending`. */
function users() {
  const state = { isDown: false, pending: null as Promise<void> | null }
  const plugin = definePlugin({
    name: 'users',
    register({ kernel }) {
      kernel.auth.use({
        name: 'users',
        async authenticate({ headers }): Promise<Access> {
          await state.pending
          if (state.isDown) throw new UnavailableError('The database is away', { retryAfter: 7 })
          const user = headers.user === undefined ? null : { id: headers.user }
          return { key: 'users', user, can: () => true }
        },
      })
    },
  })
  return { state, plugins: { users: { plugin } } }
}

const as = (user: string) => ({ headers: { user } })

async function open(t: Test) {
  const { state, plugins } = users()
  const { app, of } = await start(t, { plugins, graphqlConfig: { limits: { fields: 1000 } } })
  const url = await listen(app)
  const budget = budgetOf(app.kernel)
  // One caller may hold 6 MiB, of which 3 may be rows.
  Object.assign(budget, { limits: { large: 12 * mb, small: 4 * mb }, waitTimeout: 20 })
  const { id } = await of('article').create({
    data: { title: 'a', body: 'ü'.repeat(128 * kb), publishedAt: new Date() },
  })
  const change = () => of('article').update(id, { data: { count: 1 } })
  const texts = (count: number) => {
    const names = Array.from({ length: count }, (_, i) => `a${i}: body`).join(' ')
    return `subscription { articlesChanged { data { attributes { count ${names} } } } }`
  }
  return { app, state, url, budget, change, texts }
}

const unavailable = (message: RegExp, retryAfter = 2) => ({
  message,
  extensions: {
    error: { name: 'ServiceUnavailableError', message, details: {} },
    code: 'STRAPI_SERVICE_UNAVAILABLE_ERROR',
    status: 503,
    retryAfter,
  },
})

t.test('an answer that has no room ends its subscription with a 503, and no other', async t => {
  const { url, budget, change, texts } = await open(t)
  const client = await connect(t, url, as('1'))
  const [small, fitting, large] = [
    await client.subscribe(texts(0)),
    await client.subscribe(texts(16)),
    await client.subscribe(texts(100)),
  ]
  await change()
  await eventually(() => large.error !== null, 'a refusal')
  t.match(large.error, [unavailable(/too many bytes under way for this answer/)])
  await small.until(1)
  await fitting.until(1)
  t.match(small.events, [{ data: { articlesChanged: { data: { attributes: { count: 1 } } } } }])
  t.ok(JSON.stringify(fitting.events[0]).length > mb)
  t.ok(budget.refusals.answers > 0)
  t.match(budget.held, { rows: 0, answers: 0 }, 'what was sent is returned')
})

t.test('rows that are read for an event count for the caller', async t => {
  const { url, budget, change, texts } = await open(t)
  const [ann, bob] = [await connect(t, url, as('1')), await connect(t, url, as('2'))]
  const ofAnn = await ann.subscribe(texts(1))
  const ofBob = await bob.subscribe(texts(2))
  const other = budget.open('user 1')
  other.add('rows', 4 * mb)
  await change()
  await eventually(() => ofAnn.error !== null, 'a refusal')
  t.match(ofAnn.error, [unavailable(/too many bytes under way for the rows/)])
  await ofBob.until(1)
  t.equal(ofBob.events.length, 1, 'another caller has room')
  t.ok(budget.refusals.rows > 0)
  other.close()
  const again = await ann.subscribe(texts(1))
  await change()
  await again.until(1)
  t.equal(again.events.length, 1, 'and so has the same one later')
})

t.test('messages that wait for their turn count for the client', async t => {
  const { url, state, budget } = await open(t)
  const gate = Promise.withResolvers<void>()
  state.pending = gate.promise
  const patient = await bare(t, url)
  patient.send({ type: 'connection_init' })
  const filler = 'x'.repeat(100 * kb)
  for (let i = 0; i < 10; i++) patient.send({ type: 'ping', payload: filler })
  await eventually(() => budget.held.bodies > 900 * kb, 'messages wait')
  const greedy = await bare(t, url)
  for (let i = 0; i < 70; i++) greedy.send({ type: i === 0 ? 'connection_init' : 'ping', payload: { filler } })
  t.match(await greedy.closed(), { code: 1013, reason: 'Try again later' })
  t.ok(budget.held.bodies < 6 * mb)
  t.ok(budget.refusals.bodies > 0)
  gate.resolve()
  await patient.message(one => one.type === 'pong')
  await eventually(() => budget.held.bodies === 0, 'all are answered')
})

t.test('variables of subscriptions count for the caller, until they end', async t => {
  const { url, budget } = await open(t)
  const query = 'subscription ($f: ArticleFiltersInput) { articlesChanged(filters: $f) { id } }'
  const variables = { f: { title: { in: Array.from({ length: 400 }, (_, i) => `${i}`.padStart(100, 'x')) } } }
  const client = await connect(t, url, as('1'))
  await client.subscribe(query, variables)
  const { variables: held } = budget.held
  t.ok(held > 400 * 100)
  const other = budget.open('user 1')
  other.add('answers', 6 * mb)
  const refused = await client.subscribe(query, variables)
  t.match(refused.error, [unavailable(/too many bytes under way for these variables/)])
  const stranger = await (await connect(t, url, as('2'))).subscribe(query, variables)
  t.equal(stranger.error, null, 'another caller has room')
  t.equal(budget.held.variables, 2 * held)
  await client.client.dispose()
  await eventually(() => budget.held.variables === held, 'they are returned')
  other.close()
})

t.test('if rights cannot be checked, clients are asked to come again', async t => {
  const { url, state, change, texts } = await open(t)
  const socket = await bare(t, url)
  socket.send({ type: 'connection_init' })
  socket.send({ type: 'subscribe', id: '1', payload: { query: texts(0) } })
  socket.send({ type: 'subscribe', id: '2', payload: { query: '' } })
  await socket.message(one => one.type === 'error')
  state.isDown = true
  await change()
  t.match(await socket.closed(), { code: 1013 })
  const told = socket.messages.find(one => one.id === '1')
  t.match(told, { type: 'error', payload: [unavailable(/The database is away/, 7)] })
  const late = await bare(t, url)
  late.send({ type: 'connection_init' })
  t.match(await late.closed(), { code: 1013 })
})
