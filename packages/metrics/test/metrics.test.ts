// The numbers: what is counted, where they are served, and who may read them.

import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { definePlugin } from '@plinth/kernel'
import rest from '@plinth/rest'
import { createServer } from '@plinth/server'
import { budgetKinds, budgetOf } from '@plinth/server/transport'
import t, { type Test } from 'tap'
import metrics from '../src/index.ts'

const token = 'a token of the tests alone'
const note = {
  uid: 'api::note.note',
  kind: 'collectionType' as const,
  collectionName: 'notes',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  attributes: { text: { type: 'string' } },
}

async function open(t: Test, config: Record<string, unknown>) {
  const lines: string[] = []
  const slow = definePlugin({
    name: 'slow',
    register: ({ kernel }) =>
      kernel.hooks.on('onMount', app => void app.get('/slow', () => sleep(60_000, undefined, { ref: false }))),
  })
  const app = await createServer({
    database: { client: 'sqlite', connection: { filename: ':memory:' } },
    contentTypes: [note],
    plugins: { rest: { plugin: rest }, metrics: { plugin: metrics, config }, slow: { plugin: slow } },
    logger: { level: 'info', stream: { write: (line: string) => void lines.push(line) } },
  })
  t.teardown(() => app.close())
  const headers = { authorization: `Bearer ${token}` }
  /** The address that the plugin logs when its port is open. */
  const address = async () => {
    await app.listen({ host: '127.0.0.1', port: 0 })
    for (let i = 0; i < 100 && !/Metrics at/.test(lines.join('')); i++) await sleep(20)
    return /Metrics at (http:\S+?)"/.exec(lines.join(''))![1]!
  }
  return { app, lines, address, read: async () => (await app.inject({ url: '/metrics', headers })).payload }
}

/** The value of a series; null if there is none. */
function numberOf(text: string, series: string): number | null {
  const line = text.split('\n').find(one => one.startsWith(`${series} `))
  return line === undefined ? null : Number(line.slice(series.length + 1))
}

t.test('requests, by route and never by URL', async t => {
  const { app, read } = await open(t, { port: false, token, statements: true })
  await app.inject({ method: 'POST', url: '/api/notes', payload: { data: { text: 'a' } } })
  for (let id = 0; id < 5; id++) await app.inject(`/api/notes/${id}`)
  for (const url of ['/nothing', '/nothing/else?x=1']) await app.inject(url)
  await app.inject({ method: 'PROPFIND' as 'GET', url: '/api/notes' })
  const text = await read()
  const requests = (labels: string) => numberOf(text, `plinth_http_request_duration_seconds_count{${labels}}`)
  t.equal(requests('method="POST",route="/api/notes",status="200"'), 1)
  t.equal(requests('method="GET",route="/api/notes/:id",status="200"'), 1)
  t.equal(requests('method="GET",route="/api/notes/:id",status="404"'), 4)
  t.equal(requests('method="GET",route="none",status="404"'), 2)
  t.notMatch(text, 'PROPFIND')
  t.notMatch(text, 'else?x=1')
  t.equal(numberOf(text, 'plinth_http_requests_running'), 1, 'the one that reads the numbers')
  t.ok(numberOf(text, 'plinth_database_statements_total{verb="INSERT"}')! >= 1)
  t.ok(numberOf(text, 'plinth_database_statements_total{verb="SELECT"}')! >= 5)
  t.ok(numberOf(text, 'plinth_database_connections_max')! >= 1)
  t.equal(numberOf(text, 'plinth_database_connections{state="waiting"}'), 0)
  t.ok(numberOf(text, 'plinth_process_resident_memory_bytes')! > 1e6)
})

t.test('a client that goes away', async t => {
  const { app, read } = await open(t, { port: false, token })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('GET /slow HTTP/1.1\r\nhost: x\r\n\r\n')
  const until = async (series: string, value: number) => {
    for (let i = 0; i < 100 && numberOf(await read(), series) !== value; i++) await sleep(20)
    return numberOf(await read(), series)
  }
  t.equal(await until('plinth_http_requests_running', 2), 2)
  socket.destroy()
  t.equal(await until('plinth_http_requests_aborted_total', 1), 1)
  t.equal(await until('plinth_http_requests_running', 1), 1)
})

t.test('buckets in any order', async t => {
  const { app, read } = await open(t, { port: false, token, buckets: [3600, 0.000_001, 3600] })
  await app.inject('/api/notes')
  const text = await read()
  const series = (le: string) =>
    `plinth_http_request_duration_seconds_bucket{le="${le}",method="GET",route="/api/notes",status="200"}`
  t.same(
    ['0.000001', '3600', '+Inf'].map(le => numberOf(text, series(le))),
    [0, 1, 1],
  )
})

t.test('security.md row 86: the numbers are on a port of their own', async t => {
  const { app, address } = await open(t, { port: 0 })
  t.equal((await app.inject('/metrics')).statusCode, 404, 'not on the server of the API')
  const url = await address()
  t.match(url, /^http:\/\/127\.0\.0\.1:\d+\/metrics$/)
  t.match(await (await fetch(url)).text(), /plinth_process_cpu/)
  t.equal((await fetch(new URL('/', url))).status, 404)
  t.equal((await fetch(url, { method: 'POST' })).status, 405)
  await app.close()
  await t.rejects(fetch(url), 'the port is closed with the server')
})

t.test('a token', async t => {
  const { address } = await open(t, { port: 0, token, path: '/numbers', prefix: 'my_', process: false })
  const url = await address()
  t.match(url, /\/numbers$/)
  t.equal((await fetch(url)).status, 401)
  t.equal((await fetch(url, { headers: { authorization: 'Bearer other' } })).status, 401)
  const text = await (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).text()
  t.match(text, /my_http_requests_running/)
  t.notMatch(text, /plinth_|my_process/)
  const within = await open(t, { port: false, token })
  t.equal((await within.app.inject('/metrics')).statusCode, 404, 'nobody learns that there is something')
})

t.test('a port that is taken does not keep the API from starting, and is used when it is free', async t => {
  const other = createHttpServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { app, lines } = await open(t, { port: (other.address() as AddressInfo).port })
  await app.listen({ host: '127.0.0.1', port: 0 })
  for (let i = 0; i < 100 && !/metrics: cannot/.test(lines.join('')); i++) await sleep(20)
  t.match(lines.join(''), /metrics: cannot listen at port \d+ of 127\.0\.0\.1: .*EADDRINUSE/)
  // The second attempt fails as well.
  await sleep(1200)
  other.close()
  await once(other, 'close')
  for (let i = 0; i < 250 && !/Metrics at/.test(lines.join('')); i++) await sleep(20)
  const [url] = /http:\S+\/metrics/.exec(lines.join(''))!
  t.match(await (await fetch(url)).text(), /plinth_http_requests_running/)
  t.equal(lines.join('').split('cannot listen').length, 2, 'it is logged once')
  await app.close()
  await t.rejects(fetch(url), 'the port is closed with the server')
})

t.test('an application that is closed does not try its port again', async t => {
  const other = createHttpServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const { app } = await open(t, { port })
  await app.listen({ host: '127.0.0.1', port: 0 })
  await app.close()
  other.close()
  await once(other, 'close')
  await sleep(1200)
  await t.rejects(fetch(`http://127.0.0.1:${port}/metrics`), 'nothing listens there')
})

t.test('settings that are refused', async t => {
  await t.rejects(open(t, { port: false }), { message: /metrics\.config\.token: must have at least 16 characters/ })
  await t.rejects(open(t, { prot: 1 }), { message: /metrics\.config\.prot/ })
  await t.rejects(open(t, { buckets: [] }), { message: /metrics\.config\.buckets/ })
})

t.test('the budget of bytes: what is under way, and what was refused, by kind', async t => {
  const { app, read } = await open(t, { port: false, token })
  const budget = budgetOf(app.kernel)
  const shares = budgetKinds.map((kind, i) => {
    const share = budget.open(`caller ${i}`)
    share.add(kind, 1000 * (i + 1))
    for (let count = 0; count <= i; count++) share.refuse(kind)
    return share
  })
  budget.stalledSockets = 3
  const text = await read()
  for (const [i, kind] of budgetKinds.entries()) {
    t.equal(numberOf(text, `plinth_budget_bytes{kind="${kind}"}`), 1000 * (i + 1))
    t.equal(numberOf(text, `plinth_budget_refusals_total{kind="${kind}"}`), i + 1)
  }
  t.equal(numberOf(text, 'plinth_budget_claimed_bytes'), budget.bytes)
  t.ok(budget.bytes >= 21_000)
  t.equal(numberOf(text, 'plinth_budget_max_bytes'), budget.maxBytes)
  t.equal(numberOf(text, 'plinth_http_connections_stalled_total'), 3)
  for (const one of shares) one.close()
  t.equal(numberOf(await read(), 'plinth_budget_claimed_bytes'), 0)
})
