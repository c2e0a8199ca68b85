/**
 * GraphQL (security.md rows 12b, 24, 68, 70 to 73, 75 and 76): limits that hold before any statement runs, and nothing
 * about the inside. Rights are in graphql-rights.test.ts.
 */

import { createHash } from 'node:crypto'
import t, { type Test } from 'tap'
import { boot, client } from '../boot.ts'
import { observe } from '../laws/observed.ts'
import type { GraphqlAnswer } from './graphql-answer.ts'

const plugins = {
  rest: { config: { defaultLimit: 25, maxLimit: 100 } },
  'draft-publish': true,
  graphql: true,
} as const

/** What an answer must not contain (introduction of security.md). */
const inner = /\n\s+at |stacktrace|SQLITE|no such (table|column)|node_modules|\.ts:\d|knex|better-sqlite3/i

async function start(t: Test, options: { readonly production?: boolean; readonly maxRows?: number } = {}) {
  const statements: string[] = []
  // Those of the request alone: processes also run statements that no request causes.
  const observer = { onStatement: (text: string) => void statements.push(text), onBegin() {}, onEnd() {} }
  const before = process.env.NODE_ENV
  if (options.production) process.env.NODE_ENV = 'production'
  const { maxRows } = options
  const app = await boot(t, { plugins, migrate: 'add', maxRows }).finally(() => {
    if (before === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = before
  })
  const api = client(app)
  const post = async (body: unknown) => {
    statements.length = 0
    const { status, text } = await app.kernel.observe(observer, () => api.post('/graphql', body))
    t.notMatch(text, inner, 'without a word of the inside')
    return { status, text, body: JSON.parse(text) as GraphqlAnswer }
  }
  const ask = (query: string, variables?: object) => post({ query, variables })
  /** Checks that a request is refused as a whole, before any statement. */
  const refused = async (body: unknown, message: RegExp, code?: string) => {
    const answer = await post(body)
    t.equal(answer.status, 400)
    t.match(answer.body.errors?.[0], { message, ...(code === undefined ? {} : { extensions: { code } }) })
    t.notOk('data' in answer.body)
    t.same(statements, [], 'no statement ran')
  }
  return { app, api, ask, post, refused, statements }
}

const repeat = (count: number, text: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join(' ')

t.test('limits', async t => {
  const { app, api, ask, post, refused, statements } = await start(t)
  await api.create('tags', { label: 'a' })

  t.test('security.md row 70: hundreds of aliases (compare CVE-2026-35441, GHSA-6q22-g298-grjh)', async t => {
    await refused({ query: `{ ${repeat(500, i => `a${i}: tags { data { id } }`)} }` }, /(tokens|500 root fields)/)
    await refused({ query: `{ ${repeat(51, i => `a${i}: tags { data { id } }`)} }` }, /51 root fields, and at most 50/)
    await refused(
      {
        query: `{ tags { data { ${repeat(990, i => `a${i % 9}: id`)} ...F } } } fragment F on TagEntity { ${repeat(20, () => 'id')} }`,
      },
      /fields, and at most 1000|tokens/,
    )
    const once = '{ tags { data { id } } }'
    const alone = await observe(statements, () => ask(once))
    const together = await observe(statements, async () => {
      const many = await ask(`{ ${repeat(50, i => `a${i}: tags { data { id } }`)} }`)
      t.equal(Object.keys(many.body.data ?? {}).length, 50)
    })
    t.ok(alone.length > 0)
    t.same(together, alone, 'equal fields are asked once')
  })

  t.test('security.md row 72: batches', async t => {
    const one = { query: '{ tags { data { id } } }' }
    await refused(
      Array.from({ length: 1000 }, () => one),
      /1000 operations, and at most 10/,
    )
    await refused(
      Array.from({ length: 11 }, () => one),
      /11 operations, and at most 10/,
    )
    const wide = { query: `{ tags { data { ${repeat(150, i => `a${i}: id`)} } } }` }
    await refused(
      Array.from({ length: 10 }, () => wide),
      /1520 fields, and at most 1000/,
    )
    t.equal((await post(Array.from({ length: 10 }, () => one))).status, 200)
  })

  t.test('security.md row 73: documents that take long to check', async t => {
    const hostile = {
      'a cycle': '{ tags { data { ...A } } } fragment A on TagEntity { ...B } fragment B on TagEntity { ...A }',
      'equal fields': `{ tags { data { ${'id '.repeat(5000)} } } }`,
      directives: `{ tags { data { id ${'@include(if: true) '.repeat(10_000)} } } }`,
      'unknown directives': `{ tags { data { id ${'@a '.repeat(900)} } } }`,
      tokens: `{ ${'a '.repeat(100_000)} }`,
      'doubled fragments': `{ ...F0 } ${repeat(150, i => `fragment F${i} on Query { ${i === 149 ? '__typename' : `...F${i + 1} ...F${i + 1}`} }`)}`,
      levels: `${'{ a'.repeat(900)}${'}'.repeat(900)}`,
    }
    // The first request of each kind also compiles code.
    for (const query of Object.values(hostile)) await refused({ query: `${query} ` }, /./)
    for (const [name, query] of Object.entries(hostile)) {
      const times: number[] = []
      for (let i = 0; i < 3; i++) {
        const before = process.cpuUsage()
        await refused({ query: `${query}${' '.repeat(i + 2)}` }, /./)
        const { user, system } = process.cpuUsage(before)
        times.push((user + system) / 1000)
      }
      t.ok(Math.min(...times) < 50, `${name}: in less than 50 ms`, { times })
    }
    const most = `{ tags { data { ${'id '.repeat(300)} } } }`
    t.equal((await ask(most)).status, 200, 'what is allowed is answered')
  })

  t.test('security.md row 24: variables of the wrong type', async t => {
    const list = 'query($p: PaginationArg, $f: TagFiltersInput) { tags(pagination: $p, filters: $f) { data { id } } }'
    for (const variables of [
      { p: { page: '1'.repeat(400) } },
      { p: { page: 1e300 } },
      { p: { page: 1.5 } },
      { p: [1, 2] },
      { p: 'x' },
      { f: { label: { eq: { a: 1 } } } },
      { f: { id: { eq: [[1]] } } },
      { f: { label: { nope: 1 } } },
    ])
      await refused({ query: list, variables }, /^Variable "\$/, 'BAD_USER_INPUT')
    const digits = await post(
      `{"query":"query($n: Int) { tags(pagination: { page: $n }) { data { id } } }","variables":{"n":${'9'.repeat(400)}}}`,
    )
    t.match(digits, { status: 400, body: { errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] } })
    const deep = `${'{"not":'.repeat(100)}{}${'}'.repeat(100)}`
    t.equal((await post(`{"query":${JSON.stringify(list)},"variables":{"f":${deep}}}`)).status, 400)
    t.same(statements, [])
  })

  t.test('security.md row 68: requests that other origins can send', async t => {
    const mutation = 'mutation { createTag(data: { label: "forged" }) { data { id } } }'
    const payload = JSON.stringify({ query: mutation })
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/graphql',
    ])
      t.equal(
        (await app.inject({ method: 'POST', url: '/graphql', payload, headers: { 'content-type': type } })).statusCode,
        400,
        type,
      )
    t.equal(
      (await app.inject({ method: 'GET', url: `/graphql?query=${encodeURIComponent(mutation)}` })).statusCode,
      405,
    )
    t.equal((await api.list('/api/tags')).length, 1, 'nothing was written')
  })

  t.test('security.md row 76: hashes of persisted queries', async t => {
    const query = '{ tags { data { id } } }'
    const hash = (text: string) => ({
      persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(text).digest('hex') },
    })
    const unknown = await post({ extensions: hash(query) })
    t.match(unknown.body, {
      errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }],
    })
    t.same(statements, [])
    await refused({ query, extensions: hash('{ __typename }') }, /provided sha does not match query/)
    t.equal((await post({ query, extensions: hash(query) })).status, 200)
  })

  t.test('security.md row 12b: passwords are no output', async () => {
    await refused(
      { query: '{ people { data { attributes { secret } } } }' },
      /Cannot query field "secret" on type "Person"/,
    )
  })
})

t.test('rows are counted while they are read', async t => {
  const { api, ask, post } = await start(t, { maxRows: 60 })
  const tags = await api.create('tags', ...Array.from({ length: 5 }, (_, i) => ({ label: `tag ${i}` })))
  await api.create('articles', ...Array.from({ length: 6 }, (_, i) => ({ title: `article ${i}`, tags })))
  const page = '(pagination: { limit: 100 })'
  const isRefused = async (body: unknown) => {
    const answer = await post(body)
    t.equal(answer.status, 400)
    t.match(answer.body.errors?.[0], {
      message: /fetches at least 61 rows, but the limit is 60/,
      extensions: { code: 'BAD_USER_INPUT' },
    })
    t.notOk('data' in answer.body)
  }

  t.test('security.md row 71: deep selections with large pages', async t => {
    // 5 tags with 6 articles each, these 6 with 5 tags each, and these 5 with 6 articles: 5, 30, 30 and 30 rows.
    const levels = `articles${page} { data { attributes { tags${page} { data { attributes { articles${page} { data { id } } } } } } } }`
    const query = `{ tags${page} { data { attributes { ${levels} } } } }`
    await isRefused({ query })
    await isRefused({ query: `query($n: Int) ${query.replaceAll('100', '$n')}`, variables: { n: 100 } })
    await isRefused({ query: query.replaceAll('100', '-1') })
    t.equal((await ask(query.replaceAll('100', '2'))).status, 200)
  })

  t.test('security.md row 72: batches', async t => {
    const dear = {
      query: `{ tags${page} { data { attributes { articles${page} { data { id attributes { title } } } } } } }`,
    }
    t.equal((await post([dear])).status, 200, '35 rows')
    await isRefused([1, 2].map(i => ({ query: dear.query.replaceAll('100', String(10 + i)) })))
  })
})

t.test('security.md row 75: production', async t => {
  const { ask, api } = await start(t, { production: true })
  const browser = { accept: 'text/html' }
  t.equal((await api.get('/graphql', browser)).text, 'GET query missing.', 'no explorer')
  t.equal((await ask('{ __schema { types { name } } }')).status, 400, 'no introspection')
  for (const [query, variables] of [
    ['{ tagz { data { id } } }', undefined],
    ['{ tags(filters: { lable: { eq: "a" } }) { data { id } } }', undefined],
    ['query($f: TagFiltersInput) { tags(filters: $f) { data { id } } }', { f: { lable: { eq: 'a' } } }],
  ] as const) {
    const { status, text } = await ask(query, variables)
    t.equal(status, 400)
    t.notMatch(text, /did you mean/i)
  }
})
