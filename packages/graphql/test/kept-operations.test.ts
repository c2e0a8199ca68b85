// What is done once and kept: a text is validated once, and a body of a caller is read once. Both caches are bounded.

import { type Access, type Kernel, systemAccess } from '@plinth/kernel'
import type { ValidationRule } from 'graphql'
import t, { type Test } from 'tap'
import { PreparedOperations } from '../src/execution/prepared.ts'
import { Documents } from '../src/operation/documents.ts'
import { start } from './fixtures/boot.ts'

/** Counts the calls of a method while the test runs. */
function counted<T extends object>(t: Test, prototype: T, method: keyof T & string): { calls: number } {
  const counter = { calls: 0 }
  const original = prototype[method] as (...args: unknown[]) => unknown
  prototype[method] = function (this: T, ...args: unknown[]) {
    counter.calls++
    return original.apply(this, args)
  } as never
  t.teardown(() => {
    prototype[method] = original as never
  })
  return counter
}

/** A server whose callers have the rights that a header names, and counters of what is done with its requests. */
async function open(t: Test) {
  const counts = { validated: 0 }
  const rule: ValidationRule = () => {
    counts.validated++
    return {}
  }
  const read = counted(t, Documents.prototype, 'find')
  const kept = counted(t, PreparedOperations.prototype, 'keep')
  const started = await start(t, {
    config: { serverOptions: { validationRules: [rule] } },
    configure: (kernel: Kernel) =>
      kernel.auth.use({
        name: 'test',
        authenticate: ({ headers }): Access => ({ ...systemAccess, key: String(headers['x-rights'] ?? 'all') }),
      }),
  })
  for (const label of ['News', 'Sport', 'Art']) await started.of('tag').create({ data: { label } })
  const { send } = started
  /** How often a request is read and validated. */
  const costOf = async (body: unknown, rights = 'all') => {
    const [before, validatedBefore, keptBefore] = [read.calls, counts.validated, kept.calls]
    const answer = await send('/graphql', body, { 'x-rights': rights })
    return {
      read: read.calls - before,
      validated: counts.validated - validatedBefore,
      kept: kept.calls - keptBefore,
      status: answer.status,
      text: answer.text,
    }
  }
  return { ...started, costOf }
}

t.test('a text is validated once, and a body is read once by rights', async t => {
  const { app, costOf } = await open(t)
  const query = 'query ($id: ID) { tag(id: $id) { data { id attributes { label } } } }'
  const one = { query, variables: { id: 1 } }
  const first = await costOf(one)
  t.match(first, { read: 1, validated: 1, kept: 1, status: 200, text: /"News"/ })
  t.match(await costOf(one), { read: 0, validated: 0, kept: 0, text: first.text }, 'the same body')
  t.match(await costOf(one, 'others'), { read: 1, validated: 0, kept: 1, text: first.text }, 'of other rights')
  t.match(await costOf(one, 'others'), { read: 0, validated: 0, kept: 0 })
  t.match(await costOf({ query, variables: { id: 2 } }), { read: 1, validated: 0, text: /"Sport"/ }, 'other variables')
  t.match(await costOf({ query, variables: { id: 2 } }), { read: 0, validated: 0, text: /"Sport"/ })
  t.match(await costOf([one, one]), { read: 2, validated: 0, kept: 0 }, 'a batch')

  const before = await costOf(one)
  t.match(before, { read: 0 })
  const url = `/graphql?query=${encodeURIComponent(query)}`
  t.equal((await app.inject({ url, headers: { 'x-rights': 'all' } })).statusCode, 200)
  t.match(await costOf({ query, variables: { id: 3 } }), { validated: 0 }, 'neither does a GET')

  const two = { query: 'query A { tags { data { id } } } query B { people { data { id } } }' }
  t.match(await costOf({ ...two, operationName: 'A' }), { read: 1, validated: 1 })
  t.match(await costOf({ ...two, operationName: 'B' }), { read: 1, validated: 0 }, 'the other operation of the text')
})

t.test('a text that is refused is validated once', async t => {
  const { costOf } = await open(t)
  const refused = { query: '{ tags { nope } }' }
  const first = await costOf(refused)
  t.match(first, { validated: 1, kept: 0, status: 400, text: /Cannot query field/ })
  t.match(await costOf(refused), { validated: 0, kept: 0, status: 400, text: first.text })
  t.match(await costOf(refused, 'others'), { validated: 0, status: 400, text: first.text })
})

t.test('what is kept shows what was written since, and errors do not stay', async t => {
  const { costOf, of } = await open(t)
  const body = { query: '{ tag(id: 1) { data { attributes { label } } } }' }
  t.match(await costOf(body), { read: 1, text: /"News"/ })
  await of('tag').update(1, { data: { label: 'Newer' } })
  t.match(await costOf(body), { read: 0, text: /"Newer"/ })
  await of('tag').delete(1)
  t.match(await costOf(body), { read: 0, text: /^\{"data":\{"tag":\{"data":null\}\}\}$/ })
})

t.test('the caches are bounded by what they hold', async t => {
  const { costOf } = await open(t)
  /** A valid operation, or one that is refused, of some 7,000 characters. */
  const textOf = (n: number, field = 'id') => ({
    query: `{ tag(id: 1) { data { a${n}: ${field} } } } ${' '.repeat(7000)}`,
  })
  // 16 MiB at 80 bytes per character are 29 texts of this size.
  for (let n = 0; n < 40; n++) t.match(await costOf(textOf(n)), { read: 1, validated: 1, status: 200 })
  t.match(await costOf(textOf(39)), { read: 0, validated: 0 }, 'the last one is known')
  t.match(await costOf(textOf(0)), { read: 1, validated: 1 }, 'the first one is not')

  // 1 MiB at two bytes per character are 69 texts.
  for (let n = 0; n < 100; n++) t.match(await costOf(textOf(n, 'nope')), { validated: 1, status: 400 })
  t.match(await costOf(textOf(99, 'nope')), { validated: 0 })
  t.match(await costOf(textOf(0, 'nope')), { validated: 1 })
  t.match(await costOf(textOf(39)), { read: 0, validated: 0 }, 'refused texts displace no valid ones')

  const long = { query: `{ tag(id: 1) { data { id } } } ${' '.repeat(9000)}` }
  t.match(await costOf(long), { read: 1, validated: 1 })
  t.match(await costOf(long), { read: 1, validated: 0 }, 'a long body is not kept, its text is')
})

t.test('a body is kept for 2000 requests with other ones', async t => {
  const { costOf } = await open(t)
  const bodyOf = (n: number) => ({
    query: 'query ($id: ID) { tag(id: $id) { data { id } } }',
    variables: { id: n },
  })
  for (let n = 0; n < 2001; n++) await costOf(bodyOf(n))
  t.match(await costOf(bodyOf(2000)), { read: 0 })
  t.match(await costOf(bodyOf(1)), { read: 0 })
  t.match(await costOf(bodyOf(0)), { read: 1, validated: 0 })
})
