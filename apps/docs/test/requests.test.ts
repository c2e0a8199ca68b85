// The requests in the documents are sent as they stand there: those of `http` examples and those of curl. Pages that are one
// story are run by other tests, which are named here.

import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { tokensOf } from '@plinth/api-tokens'
import { createServer, type ServerOptions } from '@plinth/server'
import { type Placed, placed, readDocuments, valuesIn } from '@plinth/test-tools/documents'
import { folder } from '@plinth/test-tools/fixtures'
import { headersOf, openExample } from 'example/testing'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { callsIn, isAsShown, requestOf, requestsIn, type ShownRequest, send } from './fixtures/requests.ts'

const documents = await readDocuments()
const examplesOf = (document: string) => placed(document, documents.get(document)!)

/** Documents whose requests another test sends. */
const elsewhere: Readonly<Record<string, string>> = {
  'README.md': 'pages.test.ts',
  'apps/example/README.md': 'the tour of apps/example/test/tour.test.ts',
  'docs/graphql.md': 'pages.test.ts',
  'docs/rights.md': 'pages.test.ts',
  'docs/start.md': 'pages.test.ts',
  'packages/webhooks/README.md': 'packages/webhooks/test/recipes.test.ts compares it with what is sent',
}

/** Documents whose requests the magazine answers. */
const ofMagazine = ['CONTRIBUTING.md', 'docs/tokens.md', 'packages/api-tokens/README.md', 'packages/rest/README.md']

/** Documents whose requests an application of their own answers. */
const ofOwn = ['docs/users.md', 'packages/entry-versions/README.md', 'packages/idempotency/README.md']

/** Returns whether an example has requests. An answer that is shown by itself has none. */
const hasRequests = (example: Placed) =>
  (example.language === 'http' && !example.code.startsWith('HTTP/')) ||
  (example.language === 'sh' && callsIn(example).length > 0)

/** The requests of a document, in their order. */
const requestsOf = (document: string): ShownRequest[] =>
  examplesOf(document)
    .filter(hasRequests)
    .flatMap(example => (example.language === 'http' ? requestsIn(example) : callsIn(example).map(requestOf)))

/** The JSON example in this line after a sentence or heading that is unique in its document. */
function valueAfter(document: string, text: string): unknown {
  const line =
    documents
      .get(document)!
      .split('\n')
      .findIndex(one => one.includes(text)) + 1
  const example = examplesOf(document).find(one => /^jsonc?$/.test(one.language) && one.line > line)
  return valuesIn(example!)[0]
}

t.test('every request is sent by a test', t => {
  const documentsWithRequests = [...documents.keys()].filter(document => examplesOf(document).some(hasRequests))
  t.same(documentsWithRequests.sort(), [...Object.keys(elsewhere), ...ofMagazine, ...ofOwn].sort())
  t.end()
})

const json = { 'content-type': 'application/json' }

t.test('requests to the magazine', async t => {
  const event = examplesOf('CONTRIBUTING.md').find(({ path }) => path?.endsWith('event/schema.json'))!
  const { app, close } = await openExample({
    contentTypes: [{ uid: 'api::event.event', ...JSON.parse(event.code) }],
    // As in v4, a misspelt name would be left out of account.
    plugins: { rest: { config: { unknown: 'refuse' } } },
  })
  t.teardown(close)
  const editor = await headersOf(app, 'editor')
  const { accessKey } = await tokensOf(app.kernel).create({ name: 'documents', type: 'full-access' })
  // As the sentence above the requests says: readers may find events, too.
  const [role] = await app.kernel.query('plugin::users-permissions.role').findMany({ filters: { type: 'public' } })
  const data = { action: 'api::event.event.find', role: role!.id }
  await app.kernel.query('plugin::users-permissions.permission').create({ data })
  const EDITOR_TOKEN = editor.authorization!.split(' ')[1]!
  const variables = { EDITOR_TOKEN, KEY: accessKey, ADMIN_KEY: accessKey }

  await t.test('answers that are shown', async t => {
    const document = 'packages/rest/README.md'
    const examples = examplesOf(document)
    const followed = examples.filter(({ language }, i) => language === 'http' && examples[i + 1]?.language === 'jsonc')
    t.equal(followed.length, 1)
    const [request] = requestsIn(followed[0]!)
    const answer = await send(app, request!, {})
    t.strictSame(answer.json(), valueAfter(document, '## Answers'))
    t.same((await app.inject('/api/articles/9999')).json(), valueAfter(document, '## Errors'))
  })

  await t.test('requests', async t => {
    for (const document of ofMagazine) {
      const requests = requestsOf(document)
      t.ok(requests.length > 0, document)
      for (const request of requests) {
        // An example of HTTP leaves out who sends it. Everybody reads, and editors write.
        const headers = request.method === 'GET' ? {} : editor
        const answer = await send(app, { ...request, headers: { ...headers, ...request.headers } }, variables)
        t.ok(isAsShown(request, answer), `${request.place}: ${request.method} ${request.url}`, { answer: answer.body })
      }
    }
  })

  await t.test('mistakes are seen', async t => {
    const sent = async (code: string, language = 'http') => {
      const [example] = placed('docs/none.md', `\`\`\`${language}\n${code}\n\`\`\``)
      const [request] = language === 'http' ? requestsIn(example!) : callsIn(example!).map(requestOf)
      return isAsShown(request!, await send(app, request!, variables))
    }
    t.ok(await sent('GET /api/articles?sort=title'))
    t.notOk(await sent('GET /api/articles?sort=titel'))
    t.notOk(await sent('GET /api/artcles'))
    t.ok(await sent('curl localhost:1337/api/artcles # 404', 'sh'))
    await t.rejects(sent('curl --sillent localhost:1337/api/articles', 'sh'), /--sillent/)
    await t.rejects(sent('curl localhost:1337/api/tags -H "Authorization: Bearer $NOBODY"', 'sh'), /NOBODY/)
    await t.rejects(sent('FETCH /api/articles'), /no request/)
  })

  await t.test('bodies that are shown without their request', async t => {
    const post = (url: string, payload: object) => app.inject({ method: 'POST', url, payload, headers: editor })
    const slugs = examplesOf('packages/slugs/README.md').find(({ language }) => language === 'json')!
    const [sought, checked] = valuesIn(slugs) as object[]
    t.same((await post('/api/slugs/generate', sought!)).json(), { data: 'a-day-at-sea' })
    t.same((await post('/api/slugs/check-availability', checked!)).json(), { isAvailable: true, suggestion: null })

    const role = valueAfter('packages/users-permissions/README.md', '## Bodies of roles')
    const headers = { authorization: `Bearer ${accessKey}` }
    const made = await app.inject({
      method: 'POST',
      url: '/api/users-permissions/roles',
      payload: role as object,
      headers,
    })
    t.same(made.json(), { ok: true })

    const { parent, ...shown } = valueAfter('packages/upload/README.md', '## Folders') as Record<string, object>
    const pictures = (await post('/api/upload/folders', { name: 'Pictures' })).json().data
    const inner = (await post('/api/upload/folders', { name: 'Inner', parent: pictures.id })).json().data
    const { data } = (await app.inject({ url: `/api/upload/folders/${inner.id}`, headers: editor })).json()
    t.same(Object.keys(data.parent), Object.keys(parent!))
    t.match(data, { parent: { name: 'Pictures' }, name: 'Inner', children: { count: 0 }, files: { count: 0 } })
    for (const name of Object.keys(shown)) t.type(data[name], typeof shown[name], name)
  })

  await t.test('too many requests', async t => {
    const shown = examplesOf('packages/rest/README.md').find(({ code }) => code.startsWith('HTTP/1.1 429'))!
    const [head, body] = shown.code.split('\n\n')
    const attempt = () =>
      app.inject({ method: 'POST', url: '/api/auth/local', payload: { identifier: 'nobody', password: 'a password' } })
    let answer = await attempt()
    for (let i = 0; i < 10; i++) answer = await attempt()
    t.equal(`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}`, head!.split('\n')[0])
    t.same(answer.json(), JSON.parse(body!))
    const kindOf = (value: unknown) => (/^\d+$/.test(String(value)) ? 'a number' : value)
    for (const line of head!.split('\n').slice(1)) {
      const [name, value] = line.split(/: (.*)/) as [string, string]
      t.equal(kindOf(answer.headers[name]), kindOf(value), name)
    }
  })
})

/** Opens an application with the first config/plugins of a document. */
async function openOwn(
  t: Test,
  document: string,
  contentTypes: ServerOptions['contentTypes'],
): Promise<FastifyInstance> {
  const { code } = examplesOf(document).find(({ path }) => path === 'config/plugins.ts')!
  const dir = await folder(t, { 'config/plugins.ts': code, 'package.json': { type: 'module' } })
  symlinkSync(join(import.meta.dirname, '../node_modules'), join(dir, 'node_modules'))
  // The first start stores secrets there.
  process.env.ENV_PATH = join(dir, '.env')
  const database = { client: 'sqlite', connection: { filename: ':memory:' } }
  const app = await createServer({ dir, contentTypes, database, logger: { level: 'error' } })
  t.teardown(() => app.close())
  return app
}

/** A type with a title. */
const titled = (name: string) => ({
  uid: `api::${name}.${name}`,
  collectionName: `${name}s`,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  attributes: { title: { type: 'string' } },
})

t.test('docs/users.md', async t => {
  const app = await openOwn(t, 'docs/users.md', [titled('article')])
  const [refused, registration, found] = requestsOf('docs/users.md')
  t.equal((await send(app, refused!, {})).statusCode, refused!.status)
  const registered = await send(app, registration!, {})
  t.match(registered.json(), { jwt: /./, user: { username: 'ann' } })
  const { authorization } = found!.headers
  t.equal(authorization, 'Bearer <jwt>')
  const headers = { authorization: `Bearer ${registered.json().jwt}` }
  t.equal((await send(app, { ...found!, headers }, {})).statusCode, found!.status)
})

t.test('packages/entry-versions/README.md', async t => {
  const document = 'packages/entry-versions/README.md'
  const app = await openOwn(t, document, [titled('article')])
  await app.kernel.query('api::article.article').create({ data: { title: 'One' } })
  const [read, change] = requestsOf(document)
  const { etag } = (await send(app, read!, {})).headers
  t.equal(change!.headers['if-match'], '"5f0c91…-8d1e22…"')
  const conditional = { ...change!, headers: { ...json, 'if-match': String(etag) } }
  const changed = await send(app, conditional, {})
  t.equal(changed.statusCode, 200)
  t.match(changed.headers['entry-version'], /^\w+$/)
  const refused = await send(app, conditional, {})
  const { error } = valueAfter(document, '### 412') as { error: { details: object } }
  t.same(refused.json(), { data: null, error: { ...error, details: { version: changed.headers['entry-version'] } } })
  t.same(Object.keys(error.details), ['version'])
})

t.test('packages/idempotency/README.md', async t => {
  const app = await openOwn(t, 'packages/idempotency/README.md', [titled('order')])
  const [first, second] = requestsOf('packages/idempotency/README.md')
  const variables = { KEY: crypto.randomUUID() }
  const answer = await send(app, first!, variables)
  t.equal(answer.statusCode, 200)
  const repeated = await send(app, second!, variables)
  t.equal(repeated.headers['idempotency-replayed'], 'true')
  t.equal(repeated.body, answer.body)
})
