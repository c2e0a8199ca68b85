/** Bodies that abuse the parser (security.md rows 26, 42 to 44 and 47) are refused early and as a whole. */

import { createServer } from '@plinth/server'
import { processorSince } from '@plinth/test-tools/processor'
import t from 'tap'
import { boot, client, fresh, testClient } from '../boot.ts'
import { refused } from './refusal.ts'

const missing = 'Missing "data" payload in the request body'

t.test('bodies', async t => {
  const api = client(await boot(t))
  const count = async () => (await api.get('/api/tags')).body.meta?.pagination?.total
  const [tag] = await api.create('tags', { label: 'One' })

  t.test('security.md row 26: prototypes', async t => {
    const before = Object.getOwnPropertyNames(Object.prototype).sort()
    for (const poison of [
      '{"data":{"__proto__":{"polluted":1}}}',
      '{"__proto__":{"data":{"label":"x"}}}',
      '{"data":{"label":"x","__proto__":{"a":1}}}',
    ]) {
      refused(t, await api.post('/api/tags', poison), 400)
      refused(t, await api.put(`/api/tags/${tag}`, poison), 400)
    }
    refused(
      t,
      await api.post('/api/products', '{"data":{"name":"Lamp","price":1,"metadata":{"a":{"__proto__":{"b":1}}}}}'),
      400,
    )
    const constructed = await api.post(
      '/api/tags',
      '{"data":{"label":"ok","constructor":{"prototype":{"polluted":1}}}}',
    )
    t.ok(constructed.status < 500)
    t.same(Object.getOwnPropertyNames(Object.prototype).sort(), before)
    t.notOk('polluted' in {})
  })

  t.test('security.md row 42: bodies that are too large or too deep', async t => {
    const before = await count()
    const large = await api.post('/api/tags', `{"data":{"label":"${'x'.repeat(10_000_000)}"}}`)
    refused(t, large, 413)
    t.match(large.body.error, { name: 'PayloadTooLargeError', message: 'request entity too large' })
    const deep = (levels: number) => `{"data":{"payload":${'['.repeat(levels)}${']'.repeat(levels)}}}`
    refused(t, await api.post('/api/specimens', deep(10_000)), 400)
    refused(t, await api.post('/api/specimens', deep(65)), 400)
    refused(
      t,
      await api.post('/api/specimens', `{"data":{"payload":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}}`),
      400,
    )
    t.equal((await api.post('/api/specimens', deep(30))).status, 200, 'a deep value that is not too deep')
    // MariaDB reads at most 31 levels of JSON.
    const deeper = testClient() === 'mysql' ? [200, 400] : [200]
    t.ok(deeper.includes((await api.post('/api/specimens', deep(50))).status), 'a deeper one, where it can be kept')
    const keys = (length: number) => `{"data":{"label":"x",${Array.from({ length }, (_, i) => `"k${i}":1`).join()}}}`
    refused(t, await api.post('/api/tags', keys(1_000_000)), 413)
    const started = process.cpuUsage()
    t.ok((await api.post('/api/specimens', `{"data":{"payload":${keys(60_000)}}}`)).status < 500)
    t.ok(processorSince(started) < 2000, 'as many keys as fit do not stall')
    t.equal(await count(), before)
  })

  t.test('security.md row 43: bodies without an entry', async t => {
    const before = await count()
    for (const body of [
      '',
      '{}',
      '[]',
      '{"data":null}',
      '{"data":"x"}',
      '{"data":1}',
      '{"data":true}',
      '{"label":"x"}',
    ]) {
      for (const answer of [await api.post('/api/tags', body), await api.put(`/api/tags/${tag}`, body)]) {
        refused(t, answer, 400)
        t.equal(answer.body.error?.message, missing, body)
      }
    }
    // A body that is no object is refused by the parser and a list by the validation, with the recorded messages.
    for (const body of ['"x"', 'null', '1', '{"data":[]}', '{"data":[{"label":"x"}]}', '{"data":']) {
      refused(t, await api.post('/api/tags', body), 400)
    }
    t.equal(await count(), before)
  })

  t.test(
    'security.md row 44: content types (CVE-2022-41919, CVE-2025-32442, CVE-2026-25223, CVE-2026-3419)',
    async t => {
      const before = await count()
      const body = '{"data":{"label":"smuggled"}}'
      const strange = [
        'application/json garbage',
        'application/json\tgarbage',
        'application/json, text/plain',
        'application/jsonx',
        'application/json+x',
        'application / json',
        'text/plain',
        'text/plain; application/json',
        'application/x-www-form-urlencoded; application/json',
        'multipart/form-data; application/json',
        'text/json',
        'application/xml',
        'application/octet-stream',
        'json',
        '/',
      ]
      for (const type of strange) refused(t, await api.post('/api/tags', body, { 'content-type': type }), [400, 415])
      t.equal(await count(), before, 'nothing was written unvalidated')
      const validated = await api.post('/api/tags', '{"data":{"label":5}}', { 'content-type': 'Application/Json ;' })
      refused(t, validated, [400, 415])
      for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json;charset=UTF-8']) {
        t.equal((await api.post('/api/tags', body, { 'content-type': type })).status, 200, type)
      }
      t.equal(
        (await api.post('/api/tags', 'data[label]=form', { 'content-type': 'application/x-www-form-urlencoded' }))
          .status,
        200,
      )
      refused(
        t,
        await api.post('/api/tags', 'data[__proto__][a]=1', { 'content-type': 'application/x-www-form-urlencoded' }),
        400,
      )
      const empty = await api.delete('/api/tags/999999')
      refused(t, empty, 404)
    },
  )

  t.test('security.md row 45: compressed bodies', async t => {
    for (const encoding of ['gzip', 'deflate', 'br', 'x-gzip', 'gzip, gzip']) {
      refused(t, await api.post('/api/tags', Buffer.alloc(64), { 'content-encoding': encoding }), [400, 415])
    }
  })

  t.test('security.md row 47: checks of text take linear time', async t => {
    const long = 100_000
    const attempts: [string, Record<string, unknown>][] = [
      ['specimens', { mail: `${'a'.repeat(long)}@` }],
      ['specimens', { mail: `a@${'a.'.repeat(long / 2)}` }],
      ['specimens', { mail: `${'a.'.repeat(long / 2)}@${'-'.repeat(100)}` }],
      ['specimens', { handle: `${'a-'.repeat(long / 2)}!` }],
      ['specimens', { day: '1'.repeat(long) }],
      ['specimens', { clock: `${'1:'.repeat(long / 2)}` }],
      ['specimens', { moment: `2024-01-01T${'0'.repeat(long)}` }],
      ['specimens', { whole: `${'9'.repeat(long)}x` }],
      ['specimens', { amount: `${' '.repeat(long)}x` }],
      ['products', { name: 'Lamp', price: 1, sku: 'A'.repeat(long) }],
    ]
    const recordedWithoutPath = new Set(['day', 'clock', 'moment'])
    for (const [plural, data] of attempts) {
      const started = process.cpuUsage()
      // The recorded refusals of day, clock and moment have `details: {}` (B-4.9) and need not name a path. All others
      // name it.
      const name = Object.keys(data).at(-1)!
      refused(t, await api.post(`/api/${plural}`, { data }), 400, recordedWithoutPath.has(name) ? undefined : name)
      t.ok(processorSince(started) < 500, `${name} is refused at once`)
    }
    t.ok((await api.get('/api/tags', { 'accept-language': `${'a-'.repeat(6000)}!` })).status < 500)
  })
})

t.test('security.md row 47: a pattern of the schema that may take forever is stopped', async t => {
  const info = { singularName: 'thing', pluralName: 'things', displayName: 'Thing' }
  // Long enough to take seconds if it is not stopped, and short enough for a failing test to end.
  const hostile: Record<string, [regex: string, value: string, fits?: string]> = {
    a: ['^(a+)+$', `${'a'.repeat(28)}!`, 'aaa'],
    b: ['^(a|a)*$', `${'a'.repeat(26)}!`, 'aaa'],
    // A value that matches takes forever as well.
    c: ['(.*a){25}', `${'a'.repeat(24)}${'!'.repeat(24)}`],
  }
  const attributes = Object.fromEntries(
    Object.entries(hostile).map(([name, [regex]]) => [name, { type: 'string', regex }]),
  )
  const app = await createServer({
    database: (await fresh(t)).config,
    contentTypes: [{ kind: 'collectionType', collectionName: 'things', info, attributes }],
    plugins: { rest: {} },
    logger: false,
  })
  t.teardown(() => app.close())
  await app.ready()
  t.pass('a schema of v4 that has them loads')
  const api = client(app)
  await api.create('things', {})
  for (const [name, [regex, value, fits]] of Object.entries(hostile)) {
    const started = process.cpuUsage()
    const [refusal, other] = await Promise.all([
      api.post('/api/things', { data: { [name]: value } }),
      api.get('/api/things/1'),
    ])
    t.ok(processorSince(started) < 300, `${regex} stops at once`)
    refused(t, refusal, 400, name)
    t.equal(other.status, 200, 'and the server goes on answering')
    if (fits === undefined) continue
    const [id] = await api.create('things', { [name]: fits })
    t.match((await api.get(`/api/things/${id}`)).body, { data: { attributes: { [name]: fits } } }, 'what fits is taken')
  }
})
