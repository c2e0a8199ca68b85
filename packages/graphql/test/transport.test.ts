// Requests that are refused before GraphQL begins, and persisted queries (B-9.1 to B-9.6, security.md rows 68, 75, 76).

import { createHash } from 'node:crypto'
import mercurius from 'mercurius'
import t from 'tap'
import { serve } from './fixtures/served.ts'

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const extensionsFor = (sha256Hash: string, version: unknown = 1) => ({ persistedQuery: { version, sha256Hash } })
const query = '{ tags { data { attributes { label } } } }'

for (const rest of [true, false])
  t.test(`methods and paths, ${rest ? 'with' : 'without'} the REST API`, async t => {
    const { app } = await serve(t, { rest })
    const payload = JSON.stringify({ query: '{ __typename }' })
    const headers = { 'content-type': 'application/json' }
    for (const method of ['PUT', 'PATCH', 'DELETE'] as const) {
      const {
        statusCode,
        payload: text,
        headers: sent,
      } = await app.inject({ method, url: '/graphql', payload, headers })
      t.match(
        { statusCode, text, allow: sent.allow },
        { statusCode: 405, text: 'Apollo Server supports only GET/POST requests.', allow: 'GET, POST' },
      )
    }
    for (const method of ['POST', 'PUT', 'DELETE'] as const) {
      const { statusCode, payload: text } = await app.inject({ method, url: '/graphql/more', payload, headers })
      t.same([statusCode, text], [405, 'Method Not Allowed'], 'below the path')
    }
    t.equal((await app.inject('/graphql/more')).statusCode, 404)
  })

t.test('bodies of other types are not read', async t => {
  const { app, statements, kernel } = await serve(t)
  const mutation = 'mutation { createTag(data: { label: "x" }) { data { id } } }'
  const body = JSON.stringify({ query: mutation })
  const types = [
    'text/plain',
    'text/plain;charset=utf-8',
    'application/x-www-form-urlencoded',
    'application/jsonx',
    'multipart/form-data; boundary=x',
    'application/graphql',
  ]
  statements.length = 0
  for (const type of types) {
    const payload = type.startsWith('multipart')
      ? `--x\r\ncontent-disposition: form-data; name="query"\r\n\r\n${mutation}\r\n--x--\r\n`
      : type.includes('form-url')
        ? `query=${encodeURIComponent(mutation)}`
        : body
    const answer = await app.inject({ method: 'POST', url: '/graphql', payload, headers: { 'content-type': type } })
    t.equal(answer.statusCode, 400, type)
    t.equal(answer.payload, 'POST body missing, invalid Content-Type, or JSON object has no keys.')
  }
  const bare = await app.inject({ method: 'POST', url: '/graphql' })
  t.same([bare.statusCode, bare.payload], [400, 'POST body missing, invalid Content-Type, or JSON object has no keys.'])
  t.same(statements, [])
  t.equal(await kernel.query('api::tag.tag').count(), 0)
})

t.test('mutations by GET', async t => {
  const { get, statements } = await serve(t)
  for (const text of [
    'mutation { deleteTag(id: 1) { data { id } } }',
    'query A { __typename } mutation B { deleteTag(id: 1) { data { id } } }',
  ]) {
    const answer = await get(
      `?operationName=B&query=${encodeURIComponent(text)}`.replace(
        'operationName=B&',
        text.startsWith('query') ? 'operationName=B&' : '',
      ),
    )
    t.match(answer, {
      status: 405,
      headers: { allow: 'POST' },
      body: { errors: [{ message: 'GET supports only query operation' }] },
    })
    t.same(statements, [])
  }
})

t.test('a syntax tree is no query', async t => {
  const { ask, statements } = await serve(t)
  const tree =
    '{"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}'
  t.match(await ask(tree), {
    status: 400,
    body: { errors: [{ message: /^Syntax Error/, extensions: { code: 'GRAPHQL_PARSE_FAILED' } }] },
  })
  t.match(await ask(JSON.parse(tree)), { status: 400, text: 'GraphQL queries must be strings.' })
  t.same(statements, [])
})

t.test('several operations need a name', async t => {
  const { ask, get } = await serve(t)
  const both = 'query A { a: __typename } query B { b: __typename }'
  const unnamed = {
    status: 400,
    body: { errors: [{ message: 'Must provide operation name if query contains multiple operations.' }] },
  }
  t.match(await get(`?query=${encodeURIComponent(both)}`), unnamed)
  t.match(await ask(both), unnamed)
  t.same((await get(`?operationName=B&query=${encodeURIComponent(both)}`)).body, { data: { b: 'Query' } })
  t.match(await ask(both, {}, { operationName: 'C' }), {
    status: 400,
    body: { errors: [{ message: 'Unknown operation named "C".' }] },
  })
})

t.test('operations of one document are distinguished', async t => {
  const { app, ask, kernel } = await serve(t)
  await kernel.query('api::tag.tag').create({ data: { label: 'one' } })
  const both = 'query A { tags { data { id } } } query B { tags { data { attributes { label } } } }'
  const answers = {
    A: { data: { tags: { data: [{ id: '1' }] } } },
    B: { data: { tags: { data: [{ attributes: { label: 'one' } }] } } },
  }
  // A hook of mercurius sees every operation, so all of them are executed.
  let executed = 0
  app.graphqlExtension satisfies object
  for (const [name, expected] of Object.entries(answers))
    t.same((await ask(both, {}, { operationName: name })).body, expected)
  for (let i = 0; i < 10; i++) {
    for (const name of ['A', 'B'] as const) {
      // An error in a second field makes an operation be executed.
      const failing = both.replaceAll('{ tags', '{ bad: tags(sort: "nope") { data { id } } tags')
      const { body } = await ask(failing, {}, { operationName: name })
      t.same(body.data, { bad: null, ...answers[name].data }, `${name} ${i}`)
      if (body.errors?.length === 1) executed++
    }
  }
  t.equal(executed, 20)
})

t.test('without a store of persisted queries', async t => {
  const { ask, post, get, statements } = await serve(t)
  const unknown = {
    status: 200,
    body: { errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }] },
  }
  t.match(await post({ extensions: extensionsFor(hashOf(query)) }), unknown)
  t.match(await get(`?extensions=${encodeURIComponent(JSON.stringify(extensionsFor(hashOf(query))))}`), unknown)
  t.same(statements, [])
  const right = await ask(query, {}, { extensions: extensionsFor(hashOf(query)) })
  t.same([right.status, right.body], [200, { data: { tags: { data: [] } } }])
  t.match(await post({ extensions: extensionsFor(hashOf(query)) }), unknown, 'it is not stored')
  const wrong = await ask(query, {}, { extensions: extensionsFor(hashOf('{ __typename }')) })
  t.match(wrong, { status: 400, body: { errors: [{ message: 'provided sha does not match query' }] } })
  t.match(await ask(query, {}, { extensions: extensionsFor('x', 2) }), {
    status: 400,
    body: { errors: [{ message: 'Unsupported persisted query version' }] },
  })
  t.same(statements, [])
})

t.test('the provider of serverOptions is asked', async t => {
  const automatic = mercurius.persistedQueryDefaults.automatic(10)
  const { ask, post, get } = await serve(t, { config: { serverOptions: { persistedQueryProvider: automatic } } })
  const hash = hashOf(query)
  const byHash = { extensions: extensionsFor(hash) }
  const unknown = { status: 200, body: { errors: [{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }] } }
  t.match(await post(byHash), unknown)
  t.match(await ask(query, {}, { extensions: extensionsFor(hashOf('x')) }), {
    status: 400,
    body: { errors: [{ message: 'provided sha does not match query' }] },
  })
  t.match(await post(byHash), unknown, 'a text with a wrong hash is not stored')
  t.same((await ask(query, {}, byHash)).body, { data: { tags: { data: [] } } })
  t.same((await post(byHash)).body, { data: { tags: { data: [] } } }, 'now it is known')
  t.same((await get(`?extensions=${encodeURIComponent(JSON.stringify(byHash.extensions))}`)).body, {
    data: { tags: { data: [] } },
  })
  const batch = await post([byHash, { extensions: extensionsFor(hashOf('y')) }])
  t.match(batch.body, [{ data: { tags: { data: [] } } }, { errors: [{ message: 'PersistedQueryNotFound' }] }])
  t.match(await post({ variables: {} }), {
    status: 400,
    body: { errors: [{ message: /^GraphQL operations must contain/ }] },
  })
})

t.test('only persisted queries', async t => {
  const { post, ask } = await serve(t, {
    config: { serverOptions: { persistedQueries: { list: query }, onlyPersisted: true } },
  })
  t.same((await post({ persisted: true, query: 'list' })).body, { data: { tags: { data: [] } } })
  t.match(await post({ persisted: true, query: 'other' }), {
    body: { errors: [{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }] },
  })
  t.match(await ask(query), { body: { errors: [{ extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } }] } })
})

t.test('suggestions are off in production, and stacks always', async t => {
  const asked = [
    ['{ tag { data { idd } } }', undefined],
    ['{ tagz { data { id } } }', undefined],
    ['{ tags(filter: {}) { data { id } } }', undefined],
    ['{ tags(filters: { lable: { eq: "a" } }) { data { id } } }', undefined],
    ['{ tags { data { attributes { ... on Artcle { title } } } } }', undefined],
    ['query($f: TagFiltersInput) { tags(filters: $f) { data { id } } }', { f: { lable: { eq: 'a' } } }],
    [
      'query($s: ENUM_ARTICLE_STATE) { articles(filters: { state: { eq: "a" } }) { data { id } } createArticle(data: { state: $s }) { data { id } } }',
      undefined,
    ],
    ['mutation($d: ArticleInput!) { createArticle(data: $d) { data { id } } }', { d: { state: 'opn' } }],
  ] as const
  const closed = await serve(t, { production: true })
  const open = await serve(t)
  let suggested = 0
  for (const [text, variables] of asked) {
    const inProduction = await closed.ask(text, variables)
    t.equal(inProduction.status, 400, text)
    t.notMatch(inProduction.text, /Did you mean/)
    const { text: shown } = await open.ask(text, variables)
    if (/Did you mean/.test(shown)) suggested++
    for (const answer of [inProduction.text, shown]) t.notMatch(answer, /stacktrace|node_modules|\.ts:\d/)
  }
  t.ok(suggested >= 6, 'outside production they are there')
})
