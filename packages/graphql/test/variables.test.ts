// Variables: how many there may be, and what errors say of them (security.md row 73a).

import { definePlugin, openAccess } from '@plinth/kernel'
import { buildSchema, getVariableValues, type OperationDefinitionNode, parse } from 'graphql'
import t from 'tap'
import type { GraphqlFiles } from '../src/index.ts'
import { coerceVariables, VariableErrors } from '../src/operation/variables.ts'
import { start } from './fixtures/boot.ts'
import { servingChanges } from './fixtures/serving-changes.ts'

/** Takes the files of forms, so that forms are read. */
const takesFiles = definePlugin({
  name: 'files',
  register({ kernel }) {
    const during: GraphqlFiles['during'] = (_request, _context, work) =>
      work(async ({ stream }) => {
        stream.resume()
        return { path: 'KNOWN' }
      }, new AbortController().signal)
    kernel.services.provide('graphql', 'files', { during })
  },
})

const filtered = 'query ($f: TagFiltersInput) { tags(filters: $f) { data { id } } }'
const formOf = (parts: Readonly<Record<string, unknown>>) =>
  `${Object.entries(parts)
    .map(([name, value]) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${JSON.stringify(value)}\r\n`)
    .join('')}--b--\r\n`
const nested = (levels: number): unknown => (levels === 0 ? {} : { not: nested(levels - 1) })

t.test('security.md row 73a: variables are counted before they are converted', async t => {
  const variables = { values: 100, depth: 20, bytes: 5000 }
  const config = { limits: { variables } }
  const { plugin, received } = servingChanges()
  const plugins = { files: { plugin: takesFiles }, changes: { plugin } }
  const { app, kernel, send, ask } = await start(t, { config, plugins })
  const statements: string[] = []
  app.kernel.hooks.on('onStatement', text => void statements.push(text))
  const refusals = [
    [{ f: { or: Array(101).fill({}) } }, 'The variables have more values than the 100 that are allowed'],
    [{ f: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`n${i}`, 1])) }, /more values than the 100/],
    [Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`n${i}`, 1])), /more values than the 100/],
    [{ f: nested(20) }, 'The variables have more levels than the 20 that are allowed'],
    [{ f: { label: { eq: 'x'.repeat(5000) } } }, /^The variables have more bytes of texts and names than the 5000/],
    [{ f: { label: { eq: '€'.repeat(1700) } } }, /more bytes/],
    [{ f: { ['x'.repeat(5000)]: 1 } }, /more bytes/],
  ] as const
  const { subscribe, errorsOf } = received.endpoint!
  for (const [sent, message] of refusals) {
    const errors = [{ message, extensions: { code: 'BAD_USER_INPUT' } }]
    const answer = await ask(filtered, sent)
    t.match(answer, { status: 400, body: { errors } })
    t.notOk('data' in answer.body)
    // Also where nothing uses them.
    t.match(await ask('{ tags { data { id } } }', sent), { status: 400, body: { errors } })
    t.match(await send('/graphql', { query: filtered, variables: JSON.stringify(sent) }), {
      status: 400,
      body: { errors },
    })
    const search = new URLSearchParams({ query: filtered, variables: JSON.stringify(sent) })
    const got = await app.inject(`/graphql?${search}`)
    t.match({ status: got.statusCode, body: got.json() }, { status: 400, body: { errors } }, 'by GET')
    const operation = { query: 'subscription { tagsChanged { id } }', variables: sent }
    const caller = { context: kernel.context(openAccess), request: null }
    t.match(await subscribe(operation, caller).catch(errorsOf), errors, 'in a subscription')
    const batch = await send('/graphql', [{ query: filtered }, { query: filtered, variables: sent }])
    t.match(batch, { status: 400, body: { errors } }, 'in a batch')
    const parts = { operations: { query: filtered, variables: sent }, map: {} }
    const headers = { 'content-type': 'multipart/form-data; boundary=b', 'x-apollo-operation-name': 'a' }
    t.match(await send('/graphql', formOf(parts), headers), { status: 400, body: { errors } }, 'in a form')
    t.match(await app.graphql(filtered, { variables: sent }), { errors }, 'in code')
  }
  t.same(statements, [], 'before any statement')
  const half = { f: { or: Array(60).fill({}) } }
  t.equal((await ask(filtered, half)).status, 200)
  const both = await send('/graphql', [
    { query: filtered, variables: half },
    { query: filtered, variables: half },
  ])
  t.match(both, { status: 400, body: { errors: [{ message: /more values than the 100/ }] } }, 'a batch has one budget')
  t.equal((await ask(filtered, { f: nested(8) })).status, 200)
})

t.test('security.md row 73a: by default, 800,000 values are refused at once', async t => {
  const { ask } = await start(t)
  const began = process.cpuUsage().user
  const answer = await ask(filtered, { f: { or: Array(800_000).fill({}) } })
  t.match(answer.body.errors, [{ message: /more values than the 20000/ }])
  t.ok(process.cpuUsage().user - began < 3_000_000, 'without converting them')
  t.equal((await ask(filtered, { f: { or: Array(100).fill({}) } })).status, 200)
})

t.test('errors do not show values of private attributes, of passwords and of arguments that are secret', async t => {
  const { ask } = await start(t)
  const create = 'mutation ($d: ArticleInput!) { createArticle(data: $d) { data { id } } }'
  const secrets = [
    [create, { d: { secret: { KNOWN: 1 } } }, 'd.secret'],
    [create, { d: { note: ['KNOWN', 'KNOWN'] } }, 'd.note'],
    [create, { d: { note: 'KNOWN', secret: 'KNOWN', nope: 1 } }, 'nope'],
    [create, { d: { title: 'a', secret: 'KNOWN', count: 'x' } }, 'd.count'],
    [create, { d: { secrets: 'KNOWN', password: 'KNOWN' } }, 'secrets'],
    ['mutation ($d: [ID]) { createArticle(data: { tags: $d }) { data { id } } }', { d: { secret: 'KNOWN' } }, 'ID'],
    [
      'mutation ($p: String) { createArticle(data: { title: "a", secret: $p }) { data { id } } }',
      { p: ['KNOWN'] },
      '\\$p',
    ],
    ['mutation ($p: String) { createArticle(data: { note: $p }) { data { id } } }', { p: { a: 'KNOWN' } }, '\\$p'],
    [
      'query ($f: ArticleFiltersInput) { articles(filters: $f) { data { id } } }',
      { f: { note: { eq: ['KNOWN'] } } },
      'note',
    ],
    [
      'query ($f: StringFilterInput) { articles(filters: { and: [{ note: $f }] }) { data { id } } }',
      { f: { x: 'KNOWN' } },
      '\\$f',
    ],
    [
      'query ($f: TagFiltersInput) { tags(filters: $f) { data { id } } }',
      { f: { articles: { not: { or: { note: { eq: ['KNOWN'] } } } } } },
      'eq',
    ],
    [
      'query ($password: Int) { tags(pagination: { page: $password }) { data { id } } }',
      { password: 'KNOWN' },
      'password',
    ],
    // Names that are secret only in what a client sends.
    ['query ($code: Int) { tags(pagination: { page: $code }) { data { id } } }', { code: 'KNOWN' }, 'code'],
    [create, { d: { confirmation: 'KNOWN', nope: 1 } }, 'nope'],
  ] as const
  for (const [query, variables, word] of secrets) {
    const answer = await ask(query, variables)
    t.equal(answer.status, 400, query)
    t.match(answer.text, new RegExp(word), answer.text)
    t.notMatch(answer.text, /KNOWN/)
  }
  const shown = await ask(create, { d: { title: ['KNOWN'], count: 'KNOWN' } })
  t.match(shown.body.errors, [
    {
      message:
        'Variable "$d" got invalid value ["KNOWN"] at "d.title"; String cannot represent a non string value: ["KNOWN"]',
    },
    {
      message: 'Variable "$d" got invalid value "KNOWN" at "d.count"; Int cannot represent non-integer value: "KNOWN"',
    },
  ])
})

t.test('errors of variables are those of graphql-js', t => {
  const schema = buildSchema(`
    input I { a: Int! b: [String!] c: I e: E = A f: Float }
    enum E { A B }
    type Query { q: Int }
  `)
  const types = ['Int', 'Int!', 'String', '[Int]', '[[Int!]]!', 'I', '[I]', 'I!', 'E', 'ID', 'Boolean', 'Query', 'Nope']
  const values = [
    ...[null, 1, 1.5, 'x', '', true, [], {}, [1, 'x'], [[1], [null]], { a: 1 }, { a: 'x', b: [1, 'y'], g: 1 }],
    ...[
      { a: 1, c: { a: 'x', c: { a: [] } } },
      [{ a: 1 }, { b: 'x' }],
      'A',
      'C',
      { a: 1, e: 'C' },
      { a: { b: { c: { d: 1 } } } },
    ],
    ...[Array(12).fill('x'), Array(30).fill(null), { a: 1, b: 'one item' }, [{ a: { x: [1] } }, 5]],
  ]
  for (const type of types)
    for (const value of [...values, undefined]) {
      const { variableDefinitions: definitions } = parse(`query ($v: ${type}, $d: Int = 3) { q }`)
        .definitions[0] as OperationDefinitionNode
      const sent = value === undefined ? {} : { v: value }
      const wanted = getVariableValues(schema, definitions!, sent, { maxErrors: 20 })
      let outcome: unknown
      try {
        outcome = coerceVariables(sent, {
          schema,
          definitions: definitions!,
          suggestions: true,
          secrets: () => new Set(),
        })
      } catch (error) {
        if (!(error instanceof VariableErrors)) throw error
        outcome = error.errors.map(one => [one.message, one.locations])
      }
      const expected = wanted.errors?.map(one => [one.message, one.locations]) ?? { ...wanted.coerced }
      t.strictSame(
        Array.isArray(outcome) ? outcome : { ...(outcome as object) },
        expected,
        `${type} ${JSON.stringify(value)}`,
      )
    }
  t.end()
})

t.test('a file is refused wherever another value is expected, and not shown', async t => {
  const { send, of } = await start(t, { plugins: { files: { plugin: takesFiles } } })
  const create = 'mutation ($d: ArticleInput!) { createArticle(data: $d) { data { id } } }'
  const list = 'query ($f: ArticleFiltersInput, $s: [String]) { articles(filters: $f, sort: $s) { data { id } } }'
  const component = { __typename: 'ComponentALink', url: null }
  const places: [string, object, string][] = [
    ...['title', 'body', 'kind', 'count', 'big', 'price', 'flag', 'day', 'clock', 'moment', 'secret', 'note'],
    ...['doc', 'doc.a', 'doc.a.0.b', 'author', 'tags', 'tags.0', 'seo', 'seo.text', 'links.0', 'links.0.url', 'zone'],
  ].map(name => [create, { d: name === 'title' ? {} : { title: 'a' } }, `d.${name}`])
  places.push([create, { d: null }, 'd'], [create, { d: { title: 'a', zone: [component] } }, 'd.zone.0.url'])
  for (const name of ['id.eq', 'title.in.0', 'doc.eq', 'not', 'or.0', 'publishedAt.gt'])
    places.push([list, {}, `f.${name}`])
  places.push([list, {}, 's'], [list, {}, 's.0'])
  const headers = { 'content-type': 'multipart/form-data; boundary=b', 'x-apollo-operation-name': 'a' }
  for (const [query, variables, place] of places) {
    const head = formOf({ operations: { query, variables: { ...variables } }, map: { 0: [`variables.${place}`] } })
    const file = '--b\r\ncontent-disposition: form-data; name="0"; filename="a"\r\n\r\ntext\r\n--b--\r\n'
    const answer = await send('/graphql', head.replace('--b--\r\n', file), headers)
    t.equal(answer.status, 400, `${place}: ${answer.text}`)
    t.notMatch(answer.text, /KNOWN|"path\\"/, place)
  }
  t.equal(await of('article').count(), 0)
})
