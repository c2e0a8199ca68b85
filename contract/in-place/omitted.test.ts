/**
 * Tests by which rules steps of a replay are omitted: each reason applies to the steps that it is for, and to no
 * others.
 */

import { project } from '@plinth/test-tools/recordings'
import t from 'tap'
import { divide, foreignNames, type RecordedStep } from './omitted.ts'

const names = new Set(['cover', 'customer'])
const step = (
  path: string,
  more: { as?: string; method?: string; body?: unknown; status?: number; answer?: unknown } = {},
) => {
  const { method = 'GET', status = 200, answer = { data: [] }, as, body } = more
  return { name: path, request: { method, path, body, as }, expect: { status, body: answer } } satisfies RecordedStep
}
const reasonFor = (one: RecordedStep) =>
  Object.entries(divide([one], names).omitted).find(([, n]) => n > 0)?.[0] ?? null

t.test('reasons', async t => {
  const cases: [one: RecordedStep, reason: string | null][] = [
    [step('/api/tags?sort=label'), null],
    [step('/api/users-guide'), null],
    [step('/api/users?sort=id'), 'no route'],
    [step('/api/users/1'), 'no route'],
    [step('/api/auth/local', { method: 'POST' }), 'no route'],
    [step('/api/upload/files', { status: 403 }), 'no route'],
    [step('/graphql', { method: 'POST', body: { query: '{ tags { data { id } } }' } }), 'no route'],
    [step('/api/tags', { method: 'POST', status: 403 }), 'rights'],
    [step('/api/tags', { status: 401 }), 'rights'],
    [step('/api/tags', { method: 'POST', status: 400 }), null],
    [step('/api/articles?populate=tags%2Ccover'), 'files and users'],
    [step('/api/orders?filters[customer][username]=alice'), 'files and users'],
    [step('/api/articles?populate=covers'), null],
    [
      step('/api/articles?populate=*', { answer: { data: [{ attributes: { cover: { data: { id: 1 } } } }] } }),
      'files and users',
    ],
    [step('/api/articles?populate=*', { answer: { data: [{ attributes: { cover: { data: null } } }] } }), null],
  ]
  for (const [one, reason] of cases) t.equal(reasonFor(one), reason, one.name)
})

t.test('steps after a GraphQL mutation are omitted with it, those after a GraphQL query are not', async t => {
  const ask = (query: string) => step('/graphql', { method: 'POST', body: { query } })
  const { replayed, omitted } = divide(
    [ask('{ a }'), step('/api/tags'), ask('mutation { a }'), step('/api/tags/1')],
    names,
  )
  t.same(
    replayed.map(({ name }) => name),
    ['/api/tags'],
  )
  t.same(omitted, { 'no route': 2, rights: 0, 'files and users': 0, 'after GraphQL': 1 })
})

t.test('a write is replayed without its files and credentials', async t => {
  const path = '/api/articles?populate[tags][fields][0]=label&populate[cover][fields][0]=name'
  const made = step(path, {
    method: 'POST',
    as: 'emma',
    body: { data: { title: 'x', cover: 7 } },
    answer: { data: { attributes: { title: 'x', cover: { data: { id: 7 } } } } },
  })
  const { replayed } = divide([made], names)
  t.same(replayed[0], {
    name: path,
    request: { method: 'POST', path: '/api/articles?populate[tags][fields][0]=label', body: { data: { title: 'x' } } },
    expect: { status: 200, body: { data: { attributes: { title: 'x' } } } },
  })
})

t.test('attribute names are taken from the schemas', async t => {
  const found = [...(await foreignNames(project))].sort()
  t.same(found, [
    'account',
    'cover',
    'customer',
    'gallery',
    'images',
    'logo',
    'manual',
    'metaImage',
    'portrait',
    'reviewer',
  ])
})
