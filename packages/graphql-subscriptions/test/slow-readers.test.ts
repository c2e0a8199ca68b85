// Subscribers that read slowly, or nothing (security.md row 74): what may wait for them, and who is ended.

import { Duplex } from 'node:stream'
import { promisify } from 'node:util'
import { Budget, budgetOf } from '@plinth/server/transport'
import t, { type Test } from 'tap'
import { Outgoing, SharedText } from '../src/outgoing.ts'
import { start } from './fixtures/boot.ts'
import { bare, connect, eventually, listen } from './fixtures/subscriber.ts'

const mb = 1024 * 1024

/** A connection whose client takes what is written when it is told to, and what became of it. */
function client(t: Test, outgoing: Outgoing) {
  const waiting: (() => void)[] = []
  const chunks: Buffer[] = []
  const take = (chunk: Buffer | Buffer[], done: () => void) => {
    chunks.push(...[chunk].flat())
    waiting.push(done)
  }
  const stream = new Duplex({
    read() {},
    write: (chunk: Buffer, _encoding, done) => take(chunk, done),
    writev: (all, done) =>
      take(
        all.map(one => one.chunk as Buffer),
        done,
      ),
  })
  const end = () => {
    state.isEnded = true
  }
  const state = { isEnded: false, chunks, queue: outgoing.open(stream, end) }
  t.teardown(() => stream.destroy())
  return Object.assign(state, {
    stream,
    /** Takes all that waits. */
    async read() {
      for (let done = waiting.shift(); done !== undefined; done = waiting.shift()) {
        done()
        await new Promise(setImmediate)
      }
    },
  })
}

function open(
  t: Test,
  options: { readonly maxBytes?: number; readonly timeout?: number; readonly budget?: number } = {},
) {
  const budget = new Budget({ maxBytes: options.budget ?? 512 * mb })
  const { maxBytes = 64 * mb, timeout = 3_600_000 } = options
  const outgoing = new Outgoing({ maxBytes, timeout, share: budget.open('subscribers') })
  t.teardown(() => outgoing.close())
  return { outgoing, budget }
}

t.test('a text that goes to many is one buffer, and counts once', async t => {
  const { outgoing, budget } = open(t)
  const clients = Array.from({ length: 100 }, () => client(t, outgoing))
  const text = new SharedText('x'.repeat(mb))
  for (const one of clients) one.queue.send('{"a":', text, '}')
  t.ok(outgoing.bytes < 1.1 * mb, `${outgoing.bytes} bytes wait`)
  t.equal(budget.held.messages, outgoing.bytes, 'among the bytes of the process')
  for (const one of clients) await one.read()
  t.ok(
    clients.every(one => one.chunks.includes(text.bytes)),
    'the same buffer',
  )
  t.equal(outgoing.bytes, 0, 'all was sent')
  t.equal(budget.held.messages, 0)
  t.equal(Buffer.concat(clients[0]!.chunks).subarray(10).toString(), `{"a":${text.bytes}}`)
  clients[0]!.queue.send('{"a":', text, '}')
  clients[0]!.stream.destroy()
  await new Promise(setImmediate)
  t.equal(outgoing.bytes, 0, 'nothing waits for a client that has gone')
})

t.test('beyond the limit the slowest are ended', async t => {
  const { outgoing, budget } = open(t, { maxBytes: 8 * mb })
  const [slow, slower, good] = [client(t, outgoing), client(t, outgoing), client(t, outgoing)]
  for (let i = 0; i < 20; i++) {
    slower.queue.send('', new SharedText('x'.repeat(mb)))
    if (i % 2 === 0) slow.queue.send('', new SharedText('y'.repeat(mb)))
    good.queue.send('', new SharedText('z'.repeat(mb)))
    await good.read()
    if (slower.isEnded) break
    t.ok(outgoing.bytes <= 8 * mb)
  }
  t.ok(slower.isEnded)
  t.notOk(slow.isEnded)
  t.notOk(good.isEnded)
  t.ok(budget.refusals.messages > 0, 'and counted')
})

t.test('one client has 16 MiB at most, small messages included', async t => {
  const { outgoing } = open(t)
  const slow = client(t, outgoing)
  let count = 0
  while (!slow.isEnded && count < 100_000) {
    slow.queue.send('{"type":"pong"}')
    count++
  }
  t.ok(slow.isEnded, 'after some time')
  t.ok(count < 33_000, `${count} messages`)
  t.equal(outgoing.bytes, 0)
})

t.test('if the process has no room, clients that are slow are ended, and no others', async t => {
  const { outgoing, budget } = open(t, { budget: 8 * mb })
  const [slow, quick] = [client(t, outgoing), client(t, outgoing)]
  slow.queue.send('', new SharedText('x'.repeat(mb)))
  slow.queue.since -= 2000
  for (let i = 0; i < 5; i++) quick.queue.send('', new SharedText('x'.repeat(mb)))
  t.ok(slow.isEnded)
  t.notOk(quick.isEnded)
  t.equal(budget.held.messages, outgoing.bytes)
})

t.test('a connection is ended if nothing has moved for so long', async t => {
  const { outgoing } = open(t, { timeout: 200 })
  const [still, moving, idle] = [client(t, outgoing), client(t, outgoing), client(t, outgoing)]
  still.queue.send('a')
  moving.queue.send('a')
  // As a socket says that a part of a large message was taken.
  const handle = { writeQueueSize: 1_000_000 }
  Object.assign(moving.stream, { _handle: handle })
  const timer = setInterval(() => handle.writeQueueSize--, 10)
  t.teardown(() => clearInterval(timer))
  await eventually(() => still.isEnded, 'an end')
  t.notOk(moving.isEnded, 'a client that reads slowly')
  t.notOk(idle.isEnded, 'a client for which nothing waits')
  clearInterval(timer)
  await eventually(() => moving.isEnded, 'an end')
})

t.test('security.md row 74: a subscriber that reads nothing is disconnected, and others are told', async t => {
  const config = { sendTimeout: 1, waitingBytes: 64 * mb }
  const { app, of } = await start(t, { config, graphqlConfig: { limits: { fields: 1000 } } })
  const { id } = await of('article').create({ data: { title: 'a', body: 'x'.repeat(60_000), publishedAt: new Date() } })
  const url = await listen(app)
  const aliases = Array.from({ length: 40 }, (_, i) => `a${i}: body`).join(' ')
  const query = `subscription { articlesChanged { data { attributes { count ${aliases} } } } }`
  const slow = await bare(t, url)
  slow.send({ type: 'connection_init' })
  slow.send({ type: 'subscribe', id: '1', payload: { query } })
  slow.send({ type: 'subscribe', id: '2', payload: { query: '' } })
  await slow.message(one => one.type === 'error')
  slow.socket.pause()
  const good = await (await connect(t, url)).subscribe(query)
  const connections = promisify(app.server.getConnections.bind(app.server))
  t.equal(await connections(), 2)
  let count = 0
  // The system takes some megabytes before anything waits.
  for (; count < 30 && (await connections()) === 2; count++) {
    await of('article').update(id, { data: { count } })
    await good.until(count + 1)
  }
  let left = 2
  await eventually(() => {
    void connections().then(now => {
      left = now
    })
    return left === 1
  }, 'the slow one is disconnected')
  t.equal(good.events.length, count)
  t.equal(budgetOf(app.kernel).held.messages, 0, 'nothing waits any more')
})
