// The limits of operations, which are on by default (security.md rows 70 to 73). What is refused runs no statement.

import { testClient } from '@plinth/test-tools/databases'
import { processorSince } from '@plinth/test-tools/processor'
import { stopClock } from '@plinth/test-tools/stopped-clock'
import t, { type Test } from 'tap'
import { serve } from './fixtures/served.ts'

const app = await serve(t)
const { ask, get, post, kernel, statements } = app
const code = 'GRAPHQL_PARSE_FAILED'
const tag = kernel.query('api::tag.tag')
await tag.create({ data: { label: 'a' } })

type Answer = Awaited<ReturnType<typeof ask>>

/** Checks that an operation was refused as a whole, with that message, before anything was asked. */
function refused(t: Test, answer: Answer, message: string | RegExp, code: string) {
  t.equal(answer.status, 400)
  t.equal(answer.body.data, undefined, 'without data')
  t.match(answer.body.errors?.[0], { message, extensions: { code } })
  t.same(statements, [], 'no statement ran')
  t.notMatch(answer.text, /\bat .*\.ts|node_modules/)
}

const repeat = (count: number, text: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join(' ')

t.test('the length of the text', async t => {
  const pad = (length: number) => `{ tags { data { id } } } #${'x'.repeat(length)}`
  t.equal((await ask(pad(60_000))).status, 200)
  refused(
    t,
    await ask(pad(65_536)),
    /^The operation has 6\d{4} bytes, and at most 65536 are allowed$/,
    'GRAPHQL_PARSE_FAILED',
  )
  refused(t, await ask(`# ${'é'.repeat(40_000)}\n{ tags { data { id } } }`), /has 80027 bytes/, 'GRAPHQL_PARSE_FAILED')
})

t.test('the number of tokens', async t => {
  refused(t, await ask(`{ tags { ${repeat(2000, () => 'data')} } }`), /more that 2000 tokens/, 'GRAPHQL_PARSE_FAILED')
  refused(t, await ask('['.repeat(60_000)), /Syntax Error/, 'GRAPHQL_PARSE_FAILED')
})

t.test('security.md row 73: brackets of any kind in each other', async t => {
  const nested = (open: string, core = '', close = '') => `${open.repeat(900)}${core}${close.repeat(900)}`
  const texts = [
    '{'.repeat(60_000),
    `{ a(b: ${'['.repeat(1990)}`,
    `{ a(b: ${'{ c: '.repeat(660)}`,
    `{ a(b: ${nested('[', '1', ']')}) { data } }`,
    `{ tags(filters: ${'{ not: '.repeat(400)}{}${' }'.repeat(400)}) { data { id } } }`,
    `query ($a: ${nested('[', 'Int', ']')}) { tags(sort: $a) { data { id } } }`,
    `query ($a: [String] = ${nested('[', '""', ']')}) { tags(sort: $a) { data { id } } }`,
    `{ tags @skip(if: ${nested('[', 'true', ']')}) { data { id } } }`,
    `query @a(b: ${nested('[', '', ']')}) { tags { data { id } } }`,
    `{ ${'... { '.repeat(400)}tags { data { id } }${' }'.repeat(400)} }`,
    `{ ${'tags { '.repeat(600)}id${' }'.repeat(600)} }`,
    `type A { a(b: Int = ${nested('[', '', ']')}): Int }`,
  ]
  for (const text of texts) {
    refused(t, await ask(text), /^Syntax Error: The operation has \d+ levels of brackets, and at most 200/, code)
    t.equal((await get(`?query=${encodeURIComponent(text)}`)).status, 400, 'by GET')
    const { status, text: answer } = await post([{ query: text }, { query: '{ __typename }' }])
    t.equal(status, 200, 'in a batch')
    t.match(JSON.parse(answer), [{ errors: [{ extensions: { code } }] }, { data: { __typename: 'Query' } }])
  }
  // Brackets in strings and comments are none.
  const brackets = '[{('.repeat(100)
  const valid = `{ tags(sort: "id # \\" ${brackets}") { data { id } } } # " ${brackets}`
  t.match((await ask(valid)).text, /"Invalid parameter/)
  t.match(
    (await ask(`{ tags(sort: """" \\""" ${brackets}\n${brackets}""") { data { id } } }`)).text,
    /"Invalid parameter/,
  )
  const many = `{ tags { data { id } } } # \n ${'"\\'.repeat(20_000)}`
  t.match((await ask(many)).body.errors?.[0]?.message, /^Syntax Error: (?!The operation)/)
})

t.test('security.md row 73: the length of a name', async t => {
  const name = 'x'.repeat(201)
  const texts = [
    `{ ${name}: tags { data { id } } }`,
    `query ${name} { __typename }`,
    `{ tags(sort: $${name}) { data { id } } }`,
  ]
  for (const text of texts)
    refused(
      t,
      await ask(text),
      'Syntax Error: A name of the operation has 201 characters, and at most 200 are allowed',
      code,
    )
  const allowed = `{ ${name.slice(1)}: tags(sort: "id", filters: { id: { in: ["${name}"] } }) { data { id } } } # ${name}`
  t.equal((await ask(allowed)).status, 200)
  t.match(
    (await ask(`{ tags(pagination: { limit: ${'9'.repeat(400)} }) { data { id } } }`)).text,
    /Int cannot represent/,
  )
})

t.test('security.md row 73: a text that exceeds the stack is refused, if the application allows it so far', async t => {
  const large = await serve(t, { config: { limits: { text: 2_000_000, tokens: 1_000_000 } } })
  const chain = repeat(12_000, i => `fragment F${i} on Tag { ...F${i + 1} }`)
  const answer = await large.ask(`{ tags { data { attributes { ...F0 } } } } ${chain} fragment F12000 on Tag { label }`)
  t.equal(answer.status, 400)
  t.match(answer.body.errors, [{ message: 'The operation is nested too deeply' }])
})

t.test('fields, roots and levels, with fragments expanded', async t => {
  const fields = (count: number) =>
    `{ tags { data { attributes { ${repeat(count - 3, i => `a${i % 600}: label`)} } } } }`
  refused(
    t,
    await ask(`{ tags { data { attributes { ${repeat(998, () => 'label')} } } } }`),
    'The operation has 1001 fields, and at most 1000 are allowed',
    'GRAPHQL_VALIDATION_FAILED',
  )
  t.equal((await ask(fields(600))).status, 200)
  const twice = '{ tags { data { attributes { ...A ...A ...A } } } } fragment A on Tag { ...B ...B }'
  refused(
    t,
    await ask(`${twice} fragment B on Tag { ${repeat(200, () => 'label')} }`),
    /has 1203 fields/,
    'GRAPHQL_VALIDATION_FAILED',
  )
  refused(
    t,
    await ask(`{ ${repeat(51, i => `a${i}: __typename`)} }`),
    'The operation has 51 root fields, and at most 50 are allowed',
    'GRAPHQL_VALIDATION_FAILED',
  )
  refused(
    t,
    await ask(`{ ...A ...A } fragment A on Query { ${repeat(26, i => `a${i}: __typename`)} }`),
    /has 52 root fields/,
    'GRAPHQL_VALIDATION_FAILED',
  )
  const deep =
    'data{attributes{articles{data{attributes{tags{data{attributes{articles{data{attributes{tags{data{attributes{articles{data{id}}}}}}}}}}}}}}}}'
  refused(
    t,
    await ask(`{ tags { ${deep} } }`),
    'The operation has 18 levels, and at most 15 are allowed',
    'GRAPHQL_VALIDATION_FAILED',
  )
})

t.test('fragments of fragments are counted in linear time', async t => {
  const names = Array.from({ length: 150 }, (_, i) => `F${i}`)
  const fragments = names.map(
    (name, i) => `fragment ${name} on Query { ${i === 149 ? '__typename' : `...F${i + 1} ...F${i + 1}`} }`,
  )
  const before = process.cpuUsage()
  refused(
    t,
    await ask(`{ ...F0 } ${fragments.join(' ')}`),
    /has more than 9007199254740991 root fields/,
    'GRAPHQL_VALIDATION_FAILED',
  )
  t.ok(processorSince(before) < 1000)
})

t.test('the limits are options', async t => {
  const small = await serve(t, {
    config: { limits: { text: 100, tokens: 20, fields: 5, roots: 2, depth: 4, batch: 2 } },
  })
  const messages = [
    [`{ __typename } # ${'x'.repeat(100)}`, /has 117 bytes, and at most 100/],
    [`{ ${'tags '.repeat(19)} }`, /more that 20 tokens/],
    ['{ a: __typename b: __typename c: __typename }', /3 root fields, and at most 2/],
    ['{ tags { data { a: id b: id c: id d: id } } }', /6 fields, and at most 5/],
    ['{ tags { data { attributes { articles { __typename } } } } }', /5 levels, and at most 4/],
  ] as const
  for (const [query, message] of messages) t.match((await small.ask(query)).body.errors?.[0]?.message, message)
  const many = await small.post([{}, {}, {}].map(() => ({ query: '{ __typename }' })))
  t.match(many, {
    status: 400,
    body: { errors: [{ message: 'The batch has 3 operations, and at most 2 are allowed' }] },
  })
})

t.test('variables', async t => {
  const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
  const body = `{"query":"query($f: TagFiltersInput) { tags(filters: $f) { data { id } } }","variables":{"f":${deep(100)}}}`
  const answer = await post(body)
  t.match(answer, { status: 400, body: { error: { message: 'Invalid body: nested more than 64 levels' } } })
  t.same(statements, [])
  const asText = await post({ query: '{ __typename }', variables: deep(100) })
  t.match(asText, { status: 400, text: 'Variables are invalid JSON.' })
  t.match(await post({ query: '{ __typename }', variables: '[1]' }), { status: 400, text: /^Variables must be/ })
  refused(
    t,
    await ask('query($p: PaginationArg) { tags(pagination: $p) { data { id } } }', { p: { page: '1'.repeat(400) } }),
    /Int cannot represent/,
    'BAD_USER_INPUT',
  )
})

t.test('a batch is one budget of fields', async t => {
  const operation = { query: `{ tags { data { attributes { ${repeat(397, i => `a${i}: label`)} } } } }` }
  t.equal((await post([operation, operation])).status, 200)
  refused(
    t,
    await post([operation, operation, operation]),
    'The operations of the batch have 1200 fields, and at most 1000 are allowed',
    'INTERNAL_SERVER_ERROR',
  )
  const roots = { query: `{ ${repeat(30, i => `a${i}: __typename`)} }` }
  refused(t, await post([roots, roots]), /60 root fields/, 'INTERNAL_SERVER_ERROR')
  t.match(await post([]), { status: 400, text: /^POST body missing/ })
  const mixed = await post([{ query: '{ nothing }' }, { query: '{ __typename }' }])
  t.match(mixed, { status: 200, body: [{ errors: [{ message: /nothing/ }] }, { data: { __typename: 'Query' } }] })
})

t.test('equal root fields of a request are asked once', async t => {
  if (testClient() === 'sqlite') stopClock(t)
  const query = '{ tags { data { id } meta { pagination { total } } } }'
  await ask(query)
  const alone = statements.length
  t.ok(alone > 0)
  await ask(`{ ${repeat(50, i => `a${i}: tags { data { id } meta { pagination { total } } }`)} }`)
  t.equal(statements.length, alone)
  const batch = await post(Array.from({ length: 10 }, () => ({ query })))
  t.equal((batch.body as object[]).length, 10)
  t.equal(statements.length, alone)
  const create = { query: 'mutation { createTag(data: { label: "new" }) { data { id } } }' }
  const { body } = await post([{ query }, create, { query }])
  const totals = (body as unknown as { data: { tags?: { meta: { pagination: { total: number } } } } }[]).map(
    one => one.data.tags?.meta.pagination.total,
  )
  t.same(totals, [1, undefined, 2], 'what follows a mutation is asked anew')
})
