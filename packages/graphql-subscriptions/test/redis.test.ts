// Subscriptions across processes: each publishes its changes through Redis, but only of types that somebody there is
// subscribed to.

import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { freshDatabase, testClient } from '@plinth/test-tools/databases'
import { needsRedis, redisUrl } from '@plinth/test-tools/redis'
import t, { type Test } from 'tap'
import type { Emitter } from '../src/redis-pub-sub.ts'
import { start } from './fixtures/boot.ts'
import { connect, listen, pause } from './fixtures/subscriber.ts'

interface Served {
  readonly url: string
  close(): Promise<void>
  ask(query: string): Promise<{ readonly data?: unknown; readonly errors?: unknown }>
}

/** The application in a process of its own. */
async function serveApart(t: Test, options: { readonly database: object; readonly config: object }): Promise<Served> {
  const file = join(import.meta.dirname, 'fixtures/serving-process.ts')
  const child: ChildProcess = fork(file, [JSON.stringify(options)], { execArgv: [] })
  t.teardown(() => child.kill())
  const [{ port }] = (await once(child, 'message')) as [{ readonly port: number }]
  return {
    url: `ws://127.0.0.1:${port}/graphql`,
    async close() {
      child.send('close')
      const [code] = await once(child, 'exit')
      t.equal(code, 0, 'the process ends by itself')
    },
    async ask(query) {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ query })
      const answer = await fetch(`http://127.0.0.1:${port}/graphql`, { method: 'POST', headers, body })
      return (await answer.json()) as { readonly data?: unknown }
    },
  }
}

/** What is published in a channel. */
async function spyOn(t: Test, channel: string) {
  const makeEmitter = createRequire(import.meta.url)('mqemitter-redis') as (options: object) => Emitter
  const emitter = makeEmitter({ connectionString: redisUrl })
  t.teardown(() => new Promise<void>(resolve => void emitter.close(resolve)))
  const topics: string[] = []
  await new Promise<void>(resolve => {
    emitter.on(
      `${channel}/#`,
      ({ topic }, done) => {
        topics.push(topic)
        done()
      },
      resolve,
    )
  })
  return { topics, changes: () => topics.filter(one => one.includes('/changed/')) }
}

t.test('processes exchange changes', await needsRedis(), async t => {
  const fresh = await freshDatabase(testClient())
  t.teardown(() => fresh.drop())
  const channel = `plinth-test-${randomUUID()}`
  const options = { database: fresh.config as object, config: { redis: redisUrl, channel } }
  const spy = await spyOn(t, channel)
  // One after the other, because both would make the tables.
  const one = await serveApart(t, options)
  const other = await serveApart(t, options)
  const create = (label: string) => `mutation { createTag(data: { label: "${label}" }) { data { id } } }`

  await one.ask(create('unheard'))
  await pause(300)
  t.same(spy.changes(), [], 'without a subscriber')

  const { subscribe } = await connect(t, one.url)
  const received = await subscribe('subscription { tagsChanged { action id data { attributes { label } } } }')
  const entry = await subscribe('subscription { tagChanged(id: 2) { action } }')
  const articles = await (await connect(t, other.url)).subscribe('subscription { articlesChanged { action id } }')
  await pause(300)
  t.match(await other.ask(create('there')), { data: { createTag: { data: { id: '2' } } } })
  await received.until(1)
  await one.ask(create('here'))
  await received.until(2)
  t.same(received.events, [
    { data: { tagsChanged: { action: 'CREATE', id: '2', data: { attributes: { label: 'there' } } } } },
    { data: { tagsChanged: { action: 'CREATE', id: '3', data: { attributes: { label: 'here' } } } } },
  ])
  t.equal(spy.changes().length, 1, 'no other process subscribes to changes of this one')

  await one.ask('mutation { createArticle(data: { title: "a", tags: [2] }) { data { id } } }')
  await articles.until(1)
  await other.ask('mutation { deleteTag(id: 2) { data { id } } }')
  await received.until(3)
  await entry.until(2)
  t.match(received.events[2], { data: { tagsChanged: { action: 'DELETE', id: '2', data: null } } })
  t.same(
    entry.events.map(({ data }) => data.tagChanged.action),
    ['CREATE', 'DELETE'],
  )

  received.stop()
  entry.stop()
  await pause(300)
  const before = spy.changes().length
  await other.ask(create('unheard again'))
  await pause(300)
  t.equal(spy.changes().length, before, 'after the last subscriber has left')
  await one.close()
  await other.close()
})

t.test('without a connection to Redis, changes of the own process are sent', async t => {
  const { app, ask } = await start(t, { config: { redis: 'redis://127.0.0.1:1' } })
  const received = await (await connect(t, await listen(app))).subscribe('subscription { tagsChanged { id } }')
  await ask('mutation { createTag(data: { label: "a" }) { data { id } } }')
  await received.until(1)
  t.same(received.events, [{ data: { tagsChanged: { id: '1' } } }])
  const began = performance.now()
  await app.close()
  t.ok(performance.now() - began < 5000, 'close() does not wait for it')
})

t.test('an address that is not a URL of Redis ends the start', async t => {
  const starting = start(t, { config: { redis: 'http://127.0.0.1' } })
  await t.rejects(starting, /graphql-subscriptions.config.redis: must be a URL like redis:/)
})
