/**
 * GraphQL (security.md rows 9, 12, 12b, 24, 68, 70 to 73, 75, 76 and 78): one gate for selections and filters, limits that
 * hold before any statement runs, and nothing about the inside.
 */
import { createHash } from 'node:crypto'
import { definePlugin, type Kernel } from '@plinth/kernel'
import t, { type Test } from 'tap'
import { action, reads, startMembers } from './members.ts'
import { boot, client } from '../boot.ts'

interface Body {
  readonly data?: Readonly<Record<string, unknown>> | null
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[]
}

const plugins = {
  rest: { config: { defaultLimit: 25, maxLimit: 100 } },
  'draft-publish': true,
  graphql: true,
} as const

/** What an answer must not contain (introduction of security.md). */
const inner = /\n\s+at |stacktrace|SQLITE|no such (table|column)|node_modules|\.ts:\d|knex|better-sqlite3/i

async function start(t: Test, options: { readonly production?: boolean } = {}) {
  const statements: string[] = []
  const configure = ({ hooks }: Kernel) => hooks.on('onStatement', text => void statements.push(text))
  const before = process.env.NODE_ENV
  if (options.production) process.env.NODE_ENV = 'production'
  const app = await boot(t, { plugins, configure, migrate: 'add' }).finally(() => {
    if (before === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = before
  })
  const api = client(app)
  const post = async (body: unknown) => {
    statements.length = 0
    const { status, text } = await api.post('/graphql', body)
    t.notMatch(text, inner, 'without a word of the inside')
    return { status, text, body: JSON.parse(text) as Body }
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

  t.test('security.md row 70: hundreds of aliases (compare CVE-2026-35441)', async t => {
    await refused({ query: `{ ${repeat(500, i => `a${i}: tags { data { id } }`)} }` }, /(tokens|500 root fields)/)
    await refused({ query: `{ ${repeat(51, i => `a${i}: tags { data { id } }`)} }` }, /51 root fields, and at most 50/)
    await refused(
      {
        query: `{ tags { data { ${repeat(990, i => `a${i % 9}: id`)} ...F } } } fragment F on TagEntity { ${repeat(20, () => 'id')} }`,
      },
      /fields, and at most 1000|tokens/,
    )
    const once = '{ tags { data { id } } }'
    await ask(once)
    const alone = statements.length
    const many = await ask(`{ ${repeat(50, i => `a${i}: tags { data { id } }`)} }`)
    t.equal(Object.keys(many.body.data ?? {}).length, 50)
    t.equal(statements.length, alone, 'equal fields are asked once')
  })

  t.test('security.md row 71: deep selections with large pages', async t => {
    const page = '(pagination: { limit: 100 })'
    const levels = `articles${page} { data { attributes { tags${page} { data { attributes { articles${page} { data { id } } } } } } } }`
    const query = `{ tags${page} { data { attributes { ${levels} } } } }`
    const rows = 100 + 100 ** 2 + 100 ** 3 + 100 ** 4
    await refused({ query }, new RegExp(`may fetch ${rows} rows, but the limit is \\d+`), 'BAD_USER_INPUT')
    await refused({ query: `query($n: Int) ${query.replaceAll('100', '$n')}`, variables: { n: 100 } }, /may fetch/)
    await refused({ query: query.replaceAll('100', '-1') }, /may fetch/, 'BAD_USER_INPUT')
    t.equal((await ask(query.replaceAll('100', '5'))).status, 200)
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
    const page = '(pagination: { limit: 100 })'
    const dear = {
      query: `{ tags${page} { data { attributes { articles${page} { data { attributes { tags(pagination: { limit: 6 }) { data { id } } } } } } } } }`,
    }
    t.equal((await post(dear)).status, 200)
    await refused([dear, dear], /may fetch 140200 rows/, 'BAD_USER_INPUT')
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

t.test('one gate', async t => {
  const { app, of } = await startMembers(t, {
    permissions: { public: [...reads('article'), ...reads('tag'), action('tag', 'create')] },
    plugins: { graphql: true },
  })
  await of('person').create({ data: { fullName: 'Ann', secret: 'topsecret', internalNotes: 'hidden' } })
  const tag = await of('tag').create({ data: { label: 'a' } })
  await of('article').create({ data: { title: 'Public', author: 1, tags: [tag.id], publishedAt: new Date() } })
  await of('article').create({ data: { title: 'Draft', tags: [tag.id], publishedAt: null } })
  const ask = async (query: string) => JSON.parse((await client(app).post('/graphql', { query })).text) as Body

  t.test('security.md row 9: filters through relations that the caller may not read', async t => {
    for (const filters of [
      '{ author: { fullName: { startsWith: "A" } } }',
      '{ not: { author: { fullName: { eq: "B" } } } }',
      '{ or: [{ author: { secret: { notNull: true } } }] }',
    ]) {
      const body = await ask(`{ articles(filters: ${filters}) { data { id } } }`)
      t.match(
        body,
        { data: { articles: null }, errors: [{ extensions: { code: /BAD_USER_INPUT|FORBIDDEN/ } }] },
        filters,
      )
    }
    const nested = await ask(
      '{ tags { data { attributes { articles(filters: { author: { fullName: { eq: "A" } } }) { data { id } } } } } }',
    )
    t.match(nested, { data: { tags: { data: [{ attributes: { articles: null } }] } }, errors: [{}] })
    t.match(await ask('{ people { data { id } } }'), {
      data: { people: null },
      errors: [{ extensions: { code: 'FORBIDDEN' } }],
    })
    t.match(await ask('{ articles { data { attributes { author { data { id } } } } } }'), {
      errors: [{ extensions: { code: 'FORBIDDEN' } }],
    })
  })

  t.test('security.md row 12: drafts through nesting and filters', async t => {
    const nested = await ask('{ tags { data { attributes { articles { data { attributes { title } } } } } } }')
    t.notMatch(JSON.stringify(nested), /Draft/)
    t.match(JSON.stringify(nested), /Public/)
    const filtered = await ask('{ tags(filters: { articles: { title: { eq: "Draft" } } }) { data { id } } }')
    t.same(filtered.data, { tags: { data: [] } })
  })
})

/** Opens some fields without any right, and a query that returns an entry by its id alone. */
const opening = definePlugin({
  name: 'opening',
  dependencies: ['graphql'],
  register({ kernel }) {
    kernel
      .plugin('graphql')
      .service('extension')
      .use({
        typeDefs: 'extend type Query { opened: ArticleEntityResponse }',
        resolvers: { Query: { opened: () => ({ value: { id: 1 } }) } },
        resolversConfig: {
          'Query.opened': { auth: false },
          'Query.articles': { auth: false },
          'Article.tags': { auth: false },
        },
      })
  },
})

t.test('security.md row 78: what a resolver without a right leads to', async t => {
  const { app, of } = await startMembers(t, {
    permissions: { public: [] },
    plugins: { graphql: true, opening: { plugin: opening } },
  })
  await of('person').create({ data: { fullName: 'Ann' } })
  const tag = await of('tag').create({ data: { label: 'a' } })
  await of('article').create({ data: { title: 'Public', author: 1, tags: [tag.id], publishedAt: new Date() } })
  await of('article').create({ data: { title: 'Draft', author: 1, publishedAt: null } })
  /** The answer to an operation, which is the same again when it has been compiled. */
  const ask = async (query: string) => {
    const answers: Body[] = []
    for (let i = 0; i < 3; i++) answers.push(JSON.parse((await client(app).post('/graphql', { query })).text))
    t.same(answers[1], answers[0], query)
    t.same(answers[2], answers[0], query)
    return answers[0]!
  }
  const forbidden = { message: 'Forbidden access', extensions: { code: 'FORBIDDEN' } }

  const below =
    'author { data { attributes { fullName } } } tags { data { attributes { label articles { data { id } } } } }'
  const tags = { data: [{ attributes: { label: 'a', articles: null } }] }
  const list = await ask(`{ articles { data { attributes { title ${below} } } } }`)
  t.same(list.data, { articles: { data: [{ attributes: { title: 'Public', author: null, tags } }] } })
  t.match(list.errors, [forbidden, forbidden], 'the author, and the articles of the tag')
  t.equal(list.errors?.length, 2)

  const opened = await ask(`{ opened { data { attributes { ${below} } } } }`)
  t.same(opened.data, { opened: { data: { attributes: { author: null, tags } } } }, 'below code of an application, too')
  t.equal(opened.errors?.length, 2)

  const filtered = await ask('{ articles(filters: { author: { fullName: { startsWith: "A" } } }) { data { id } } }')
  t.match(filtered, { data: { articles: null }, errors: [{ extensions: { code: /BAD_USER_INPUT|FORBIDDEN/ } }] })
  for (const field of ['people', 'tags', 'article(id: 1)']) {
    const { data, errors } = await ask(`{ ${field} { data { id } } }`)
    t.same(Object.values(data ?? {}), [null], `${field}: another field of the root`)
    t.match(errors, [forbidden])
  }
  t.match(await ask('mutation { createArticle(data: { title: "Mine" }) { data { id } } }'), { errors: [forbidden] })
  t.equal((await client(app).get('/api/articles')).status, 403, 'nor does it open REST')
})
