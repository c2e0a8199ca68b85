/**
 * What errors cite is cut (security.md row 42a): whatever a request contains, in REST and GraphQL, an answer that reports
 * errors has less than 64 KiB, and no name or value of the request whole.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { type Answer, boot, client } from '../boot.ts'

const most = 64 * 1024

/** Checks an error: it is small, and cites no more than 200 characters of what it cites. */
function isSmall(t: Test, what: string, { status, text }: Answer, cited: RegExp): void {
  t.ok(status < 500, `${what}: ${status}`, { text: text.slice(0, 500) })
  t.match(text, /"errors?":|^[A-Z]/, `${what}: is an error`)
  t.ok(Buffer.byteLength(text) < most, `${what}: has ${Buffer.byteLength(text)} bytes`)
  t.notMatch(text, cited, `${what}: cites little`)
}

/** Texts that are cited, and what an error must not contain of them. */
const texts = {
  letters: ['x', /x{202}/],
  'letters of three bytes': ['€', /€{202}/],
  words: ['ab ', /(?:ab ){70}/],
  quotes: ['"', /(?:\\"){202}|(?:\\\\\\"){110}/],
  emojis: ['😀', /😀{102}/u],
} as const

t.test('security.md row 42a: errors cite little', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-cited-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const app = await boot(t, {
    migrate: 'add',
    plugins: {
      rest: { config: { defaultLimit: 25, maxLimit: 100 } },
      'draft-publish': true,
      i18n: { config: { locales: ['en', 'fr'] } },
      graphql: true,
      upload: { config: { folder } },
      'users-permissions': {
        config: { jwtSecret: 'of-these-tests-alone', permissions: { public: ['api::*', 'plugin::*'] } },
      },
    },
  })
  const api = client(app)
  await api.create('tags', { label: 'One' })
  const form = (parts: readonly (readonly [head: string, value: string])[]) =>
    `${parts.map(([head, value]) => `--b\r\ncontent-disposition: form-data; ${head}\r\n\r\n${value}\r\n`).join('')}--b--\r\n`
  const multipart = { 'content-type': 'multipart/form-data; boundary=b', 'x-apollo-operation-name': 'M' }

  for (const [kind, [piece, cited]] of Object.entries(texts)) {
    await t.test(`by query strings: ${kind}`, async t => {
      const long = encodeURIComponent(piece.repeat(3000 / encodeURIComponent(piece).length))
      const queries = [
        `${long}`,
        `fields=${long}`,
        `sort=${long}`,
        `sort=label:${long}`,
        `populate=${long}`,
        `populate=articles.${long}`,
        `populate[${long}]=true`,
        `populate[articles][${long}]=true`,
        `populate[articles][sort]=${long}`,
        `populate[articles][fields]=${long}`,
        `populate[articles][on][${long}]=true`,
        `filters[${long}]=1`,
        `filters[label][${long}]=1`,
        `filters[label][$${long}]=1`,
        `filters[articles][${long}][$eq]=1`,
        `filters[id]=${long}`,
        `filters[createdAt]=${long}`,
        `filters[$${long}]=1`,
        `pagination[page]=${long}`,
        `pagination[${long}]=1`,
        `publicationState=${long}`,
        `locale=${long}`,
      ]
      for (const query of queries) {
        const answer = await api.get(`/api/articles?${query}`)
        if (answer.status !== 200) isSmall(t, query.slice(0, 40), answer, cited)
        if (query.includes('label')) isSmall(t, query.slice(0, 40), await api.get(`/api/tags?${query}`), cited)
      }
      isSmall(t, 'an id', await api.get(`/api/tags/${long}`), cited)
      isSmall(t, 'a route', await api.get(`/api/${long}`), cited)
      isSmall(t, 'a locale of a translation', await api.post(`/api/articles/1/localizations`, { locale: long }), cited)
    })

    await t.test(`by bodies: ${kind}`, async t => {
      const long = piece.repeat(20_000)
      const values = ['integer', 'decimal', 'flag', 'day', 'moment', 'email', 'choice', 'big', 'uid', 'clock', 'whole']
      const data = Object.fromEntries(values.map(name => [name, long]))
      isSmall(t, 'values', await api.post('/api/specimens', { data }), cited)
      isSmall(t, 'JSON that is none', await api.post('/api/tags', `{"data":${long}`), cited)
      isSmall(
        t,
        'a relation',
        await api.post('/api/articles', { data: { title: 'a', category: long, tags: [long] } }),
        cited,
      )
      isSmall(t, 'a name in a relation', await api.post('/api/articles', { data: { tags: { [long]: [1] } } }), cited)
      const blocks = Array.from({ length: 5 }, () => ({ __component: long }))
      isSmall(t, 'a component', await api.post('/api/articles', { data: { title: 'a', blocks } }), cited)
      isSmall(t, 'a NUL', await api.post('/api/tags', { data: { [`${long}\0`]: 1 } }), cited)
      isSmall(t, 'half of a pair', await api.post('/api/tags', { data: { [long]: { [long]: '\ud800' } } }), cited)
      isSmall(
        t,
        'a part',
        await api.post(
          '/api/tags',
          form([[`name="files.${long.replaceAll('"', "'")}"; filename="a"`, '1']]),
          multipart,
        ),
        cited,
      )
      const upload = (parts: readonly (readonly [string, string])[]) => api.post('/api/upload', form(parts), multipart)
      const name = long.replaceAll('"', "'").slice(0, 3000)
      isSmall(t, 'a file name', await upload([[`name="files"; filename="${name}"`, '1']]), cited)
      isSmall(
        t,
        'a ref',
        await upload([
          ['name="ref"', long],
          ['name="refId"', '1'],
          ['name="field"', long],
          ['name="files"; filename="a.txt"', 'text'],
        ]),
        cited,
      )
      isSmall(t, 'a login', await api.post('/api/auth/local', { identifier: long, password: long }), cited)
      isSmall(
        t,
        'a registration',
        await api.post('/api/auth/local/register', { username: 'a', email: long, password: 'x', [long]: 1 }),
        cited,
      )
    })

    await t.test(`by GraphQL: ${kind}`, async t => {
      const long = piece.repeat(20_000 / Buffer.byteLength(piece))
      const literal = JSON.stringify(long)
      const ask = (query: string, variables?: object, more?: object) =>
        api.post('/graphql', { query, variables, ...more })
      const isName = /^x+$/.test(long)
      const documents = [
        long,
        `{ tags(sort: ${literal}) { data { id } } }`,
        `{ tags(sort: [${literal}, ${literal}]) { data { id } } }`,
        `{ tags(filters: { id: { eq: ${literal} } , label: { null: ${literal} } }) { data { id } } }`,
        `{ tags(pagination: { limit: ${literal} }) { data { id } } }`,
        `{ articles(filters: { publishedAt: { eq: ${literal} } }) { data { id } } }`,
        `{ articles(filters: { publishedAt: ${literal} }) { data { id } } }`,
        `{ articles(publicationState: ${literal}, locale: ${literal}) { data { id } } }`,
        `mutation { createSpecimen(data: { day: ${literal}, moment: ${literal}, clock: ${literal}, big: ${literal}, integer: ${literal} }) { data { id } } }`,
        `mutation { createArticle(data: { title: 1, blocks: [{ __typename: ${literal} }], tags: [${literal}] }) { data { id } } }`,
        `mutation { createSpecimen(data: { email: ${literal}, choice: ${literal} }) { data { id } } }`,
        `mutation { login(input: { identifier: ${literal}, password: ${literal} }) { jwt } }`,
        ...(isName
          ? [
              `{ ${long} }`,
              `{ tags { ${long} } }`,
              `{ tags(${long}: 1) { data { id } } }`,
              `{ tags(filters: { ${long}: { eq: 1 } }) { data { id } } }`,
              `{ tags(filters: ${long}) { data { id } } }`,
              `{ tags @${long} { data { id } } }`,
              `{ tags { ...${long} } }`,
              `{ tags { ... on ${long} { id } } }`,
              `{ tags(sort: $${long}) { data { id } } }`,
              `query ($a: ${long}) { tags(sort: $a) { data { id } } }`,
              `query ($${long}: [String]!) { tags(sort: $${long}) { data { id } } }`,
              `{ a: tags { data { a: id b: id } } a: tags { data { a: attributes { ${long}: label } b: attributes { ${long}: color } } } }`,
              `{ ${long}: tags(sort: "nope") { data { id } } }`,
              `query ${long} { nope } query ${long} { nope }`,
              `fragment ${long} on Tag { label } { __typename }`,
            ]
          : []),
      ]
      for (const query of documents) {
        const few = await ask(query)
        // A text in which everything is right is none of the cases.
        if (few.text.includes('"errors"')) isSmall(t, query.slice(0, 60), few, cited)
        isSmall(
          t,
          `${query.slice(0, 60)}, in a batch`,
          await api.post('/graphql', [...Array(10).fill({ query }), { query: '{ nope }' }].slice(1)),
          cited,
        )
      }
      isSmall(t, 'the name of the operation', await ask('{ __typename }', {}, { operationName: long }), cited)
      const filtered =
        'query ($f: TagFiltersInput, $s: [String], $p: PaginationArg) { tags(filters: $f, sort: $s, pagination: $p) { data { id } } }'
      const variables = [
        { s: [long] },
        { s: { a: long } },
        { p: { limit: long } },
        { p: { [long]: 1 } },
        { f: { [long]: { eq: 1 } } },
        { f: { id: { eq: { a: long } } } },
        { f: { not: { not: { label: { [long]: 1 } } } } },
        { f: long },
        { f: { and: Array.from({ length: 30 }, () => ({ label: { null: long } })) } },
        { f: { label: Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`${i}${long.slice(0, 400)}`, 1])) } },
      ]
      for (const one of variables) isSmall(t, JSON.stringify(one).slice(0, 60), await ask(filtered, one), cited)
      isSmall(t, 'variables', await ask(filtered, long as never), cited)
      const specimen = 'mutation ($d: SpecimenInput!) { createSpecimen(data: $d) { data { id } } }'
      for (const name of ['day', 'moment', 'clock', 'big', 'integer', 'flag', 'decimal', 'email', 'choice'])
        isSmall(t, name, await ask(specimen, { d: { [name]: long } }), cited)
      isSmall(
        t,
        'a zone',
        await ask('mutation ($d: ArticleInput!) { createArticle(data: $d) { data { id } } }', {
          d: { title: 'a', blocks: Array(30).fill({ __typename: long }) },
        }),
        cited,
      )
      const upload = 'mutation ($f: Upload!) { upload(file: $f) { data { id } } }'
      const send = (operations: unknown, map: unknown, head = 'name="0"; filename="a.txt"') =>
        api.post(
          '/graphql',
          form([
            ['name="operations"', JSON.stringify(operations)],
            ['name="map"', JSON.stringify(map)],
            [head, 'text'],
          ]),
          multipart,
        )
      isSmall(t, 'a path of a map', await send({ query: upload, variables: { f: null } }, { 0: [long] }), cited)
      isSmall(t, 'a name of a map', await send({ query: upload, variables: { f: null } }, { [long]: 1 }), cited)
      const name = long.replaceAll('"', "'").slice(0, 3000)
      isSmall(
        t,
        'a file',
        await send({ query: upload, variables: { f: null } }, { 0: ['variables.f'] }, `name="0"; filename="${name}"`),
        cited,
      )
      isSmall(
        t,
        'a file that nothing names',
        await send({ query: upload, variables: { f: null } }, { 0: ['variables.f'] }, `name="${name}"; filename="a"`),
        cited,
      )
      const hash = { persistedQuery: { version: 1, sha256Hash: long } }
      isSmall(t, 'a hash', await ask('{ __typename }', {}, { extensions: hash }), cited)
    })
  }

  t.test('the number of errors', async t => {
    const many = (count: number, of: (i: number) => unknown) => Array.from({ length: count }, (_, i) => of(i))
    const names = (count: number) =>
      Object.fromEntries(many(count, i => [`name${i}`.padEnd(100, 'y'), 1]) as [string, number][])
    const components = await api.post('/api/articles', {
      data: { title: 'a', blocks: many(5000, () => ({ __component: 'blocks.nope' })) },
    })
    isSmall(t, 'components', components, /^$/)
    t.match(components.body.error, { message: /^\d{4} errors occurred$/ }, 'all are counted')
    isSmall(
      t,
      'relations',
      await api.post('/api/articles', { data: { title: 'a', tags: many(5000, i => `no${i}`) } }),
      /^$/,
    )
    isSmall(
      t,
      'names',
      await api.post('/api/auth/local/register', { username: 'a', email: 'b', password: 'c', ...names(5000) }),
      /^$/,
    )
    const ask = (query: string, variables?: object) => api.post('/graphql', { query, variables })
    isSmall(t, 'fields', await ask(`{ ${many(400, i => `nope${i}`).join(' ')} }`), /^$/)
    isSmall(
      t,
      'conflicts',
      await ask(
        `{ tags { data { ${many(800, i => (i % 2 === 0 ? 'a: id' : 'a: attributes { label }')).join(' ')} } } }`,
      ),
      /^$/,
    )
    const q = 'query ($f: TagFiltersInput) { tags(filters: $f) { data { id } } }'
    isSmall(t, 'variables', await ask(q, { f: names(5000) }), /^$/)
    isSmall(t, 'items', await ask(q, { f: { or: many(3000, i => i) } }), /^$/)
  })
})
