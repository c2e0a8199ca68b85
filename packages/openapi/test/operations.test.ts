// Every operation of the document is called, and its answer is what the document says.

import type { InjectOptions } from 'fastify'
import t from 'tap'
import { mails } from './fixtures/mail-provider.ts'
import { documentOf, metricsToken, start } from './fixtures/server.ts'
import { faultsBy } from './fixtures/strict.ts'

/** A call of an operation, with the status that it answers. */
interface Call {
  readonly path?: Readonly<Record<string, string | number>>
  readonly query?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly payload?: InjectOptions['payload']
  readonly status?: number
}

interface DescribedOperation {
  readonly operationId: string
  readonly responses: Readonly<Record<string, Described>>
}

interface Described {
  readonly content?: Readonly<Record<string, { readonly schema: Readonly<Record<string, unknown>> }>>
}

/** A form with one file of text. */
function formOf(fields: Readonly<Record<string, string>> = {}, isEmpty = false) {
  const boundary = 'boundary'
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nhello\r\n`
  return {
    payload: `${parts.join('')}${isEmpty ? '' : file}--${boundary}--\r\n`,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}

t.test('all of them, by somebody with all rights', async t => {
  const { app, accessKey, kernel } = await start(t, {
    configure: kernel =>
      kernel.hooks.on('onMount', own => {
        own.get('/own/:word', async () => ({ own: true }))
      }),
  })
  const document = await documentOf(app)
  const faultsOf = faultsBy(document)
  const all = new Map<string, { method: string; url: string; operation: DescribedOperation }>()
  for (const [path, item] of Object.entries(document.paths)) {
    const prefix = 'servers' in item ? '' : '/api'
    for (const [method, operation] of Object.entries(item))
      if (method !== 'servers')
        all.set((operation as DescribedOperation).operationId, {
          method: method.toUpperCase(),
          url: prefix + path,
          operation: operation as DescribedOperation,
        })
  }
  const called = new Set<string>()

  /** Calls an operation and checks its answer, which is returned. */
  async function call(id: string, { path = {}, query = '', body, headers = {}, payload, status = 200 }: Call = {}) {
    const listed = all.get(id)
    if (listed === undefined) throw new Error(`There is no operation ${id}`)
    const url = listed.url.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(path[name]))
    const response = await app.inject({
      method: listed.method as 'GET',
      url: `${url}${query}`,
      headers: { authorization: `Bearer ${accessKey}`, ...headers },
      ...(body !== undefined && { payload: body as object }),
      ...(payload !== undefined && { payload }),
    })
    t.equal(response.statusCode, status, `${id}: ${response.payload.slice(0, 300)}`)
    called.add(id)
    const described = listed.operation.responses[response.statusCode] ?? listed.operation.responses.default
    t.ok(described, `${id}: ${response.statusCode} is described`)
    const type = String(response.headers['content-type'] ?? '').split(';')[0]!
    const content = described?.content?.[type] ?? described?.content?.['*/*']
    const isKnown = content !== undefined || described === listed.operation.responses.default
    if (response.payload !== '' && response.statusCode !== 302) t.ok(isKnown, `${id}: ${type} is described`)
    const value = type === 'application/json' && response.payload !== '' ? response.json() : response.payload
    if (content !== undefined) t.same(faultsOf(content.schema, value), [], id)
    return { value, response }
  }

  // Files, first, because entries have some.
  const [{ id: file }] = (await call('post/upload', formOf())).value
  await call('post/upload', { ...formOf({ fileInfo: '{"caption":"Hello"}' }, true), query: `?id=${file}` })
  const [stored] = (await call('get/upload/files', { query: '?filters[mime]=text/plain&start=0&limit=3' })).value
  await call('get/upload/files/{id}', { path: { id: file }, query: '?populate=*' })
  // Folders.
  const folder = (await call('post/upload/folders', { body: { name: 'Pictures' } })).value.data.id
  await call('post/upload/folders', { body: { name: 'Pictures' }, status: 400 })
  await call('get/upload/folders', { query: '?filters[name]=Pictures&sort=name' })
  await call('get/upload/folders/{id}', { path: { id: folder } })
  await call('get/upload/folders/{id}', { path: { id: 99 }, status: 404 })
  await call('put/upload/folders/{id}', { path: { id: folder }, body: { name: 'Photographs', parent: null } })
  const below = (await call('post/upload/folders', { body: { name: 'Inner' } })).value.data.id
  await call('post/upload/actions/bulk-move', {
    body: { folderIds: [below], fileIds: [file], destinationFolderId: folder },
  })
  await call('get/upload/files', { query: `?folder=${folder}` })
  await call('post/upload/actions/bulk-move', { body: { fileIds: [file], destinationFolderId: null } })
  await call('delete/upload/folders/{id}', { path: { id: folder }, status: 400 })
  await call('delete/upload/folders/{id}', { path: { id: folder }, query: '?content=delete' })

  const name = stored.url.split('/').at(-1)
  await call('get/uploads/{path}', { path: { path: name } })
  await call('get/uploads/{path}', { path: { path: name }, headers: { range: 'bytes=0-1' }, status: 206 })
  await call('get/uploads/{path}', { path: { path: name }, headers: { range: 'bytes=90-' }, status: 416 })
  await call('get/uploads/{path}', { path: { path: 'none.txt' }, status: 404 })

  // Entries.
  const once = { headers: { 'idempotency-key': 'one' } }
  const author = (await call('post/authors', { ...once, body: { data: { name: 'Ann' } } })).value.data.id
  await call('post/authors', { ...once, body: { data: { name: 'Another' } }, status: 422 })
  const article = {
    title: 'Hello',
    slug: 'hello',
    teaser: 'A teaser',
    body: '# Hello',
    contact: 'ann@example.com',
    mood: 'calm',
    rank: 3,
    views: '-9007199254740993',
    weight: 1.5,
    price: 2.25,
    sticky: true,
    day: '2024-02-29',
    hour: '12:30:00.000',
    moment: '2024-02-29T12:30:00.000Z',
    stamp: '2024-02-29T12:30:00.000Z',
    extra: { any: ['thing'] },
    parts: [{ type: 'paragraph', children: [{ type: 'text', text: 'Hello' }] }],
    note: 'private',
    code: 'secret-word',
    cover: file,
    gallery: [file],
    author,
    authors: { connect: [{ id: author }] },
    subject: { id: author, __type: 'api::author.author' },
    subjects: [{ id: author, __type: 'api::author.author' }],
    seo: { label: 'Seo', image: file, inner: { url: '/', to: author } },
    links: [{ url: '/', to: author }],
    zone: [
      { __component: 'shared.seo', label: 'Zone', image: file },
      { __component: 'shared.link', url: '/', to: author },
    ],
  }
  const nested = `?${['seo', 'links', 'zone', 'author'].map(name => `populate[${name}][populate]=*`).join('&')}`
  const full = (await call('post/articles', { body: { data: article }, query: '?populate=*' })).value.data
  t.equal(full.attributes.author.data.id, author, 'with what was populated')
  await call('post/articles', { body: { data: { title: 'A draft', publishedAt: null } } })
  await call('post/articles', { body: {}, status: 400 })
  await call('get/articles', { query: `${nested}&publicationState=preview&sort=title:asc&locale=en` })
  await call('get/articles', { query: '?pagination[start]=0&pagination[limit]=1&pagination[withCount]=false' })
  await call('get/articles', { query: '?populate=*&publicationState=preview' })
  await call('get/articles', { query: '?filters[title][$no]=1', status: 400 })
  await call('get/articles', { headers: { authorization: 'Bearer none' }, status: 401 })
  await call('get/articles/{id}', { path: { id: full.id }, query: '?populate=*' })
  await call('get/articles/{id}', { path: { id: 99 }, status: 404 })
  await call('get/articles/{id}', { path: { id: full.id }, headers: { 'if-none-match': '*' }, status: 304 })
  await call('put/articles/{id}', { path: { id: full.id }, body: { data: { rank: null } } })
  t.match(document.paths['/articles/{id}'], {
    get: { responses: { 200: { headers: { ETag: {} } }, 304: { headers: { ETag: {} } } } },
    put: { responses: { 200: { headers: { 'Entry-Version': {} } } } },
  })
  const conditional = { path: { id: full.id }, headers: { 'if-match': '"x"' } }
  await call('put/articles/{id}', { ...conditional, body: { data: { rank: 1 } }, status: 412 })
  await call('delete/articles/{id}', { ...conditional, status: 412 })
  const german = { ...article, locale: 'de', title: 'Hallo', slug: 'hallo' }
  await call('post/articles/{id}/localizations', { path: { id: full.id }, body: german })
  await call('get/articles/{id}', { path: { id: full.id }, query: '?populate=localizations' })
  await call('get/authors', { query: '?populate[articles][populate]=*' })
  await call('get/authors/{id}', { path: { id: author }, query: '?populate=*' })
  await call('put/authors/{id}', { path: { id: author }, body: { data: { name: 'Anne' } } })
  await call('get/homepage', { status: 404 })
  await call('put/homepage', { body: { data: { title: 'Home', article: full.id } }, query: '?populate=*' })
  await call('get/homepage', { query: '?populate=*' })
  await call('post/homepage/localizations', { body: { locale: 'de', title: 'Start' } })
  await call('delete/homepage')
  await call('delete/articles/{id}', { path: { id: full.id } })
  await call('delete/authors/{id}', { path: { id: author } })
  for (const plural of ['article-requests']) {
    const { id } = (await call(`post/${plural}`, { body: { data: { text: 'One' } } })).value.data
    await call(`get/${plural}`)
    await call(`get/${plural}/{id}`, { path: { id } })
    await call(`put/${plural}/{id}`, { path: { id }, body: { data: { text: 'Two' } } })
    await call(`delete/${plural}/{id}`, { path: { id } })
  }
  await call('delete/upload/files/{id}', { path: { id: file } })
  await call('get/i18n/locales')

  // Users and roles.
  const { roles } = (await call('get/users-permissions/roles')).value
  await call('get/users-permissions/roles/{id}', { path: { id: roles[0].id } })
  const { permissions } = (await call('get/users-permissions/permissions')).value
  await call('post/users-permissions/roles', { body: { name: 'Editors', description: 'They write', permissions } })
  const made = (await call('get/users-permissions/roles')).value.roles.at(-1).id
  await call('put/users-permissions/roles/{role}', { path: { role: made }, body: { description: 'All', permissions } })
  await call('delete/users-permissions/roles/{role}', { path: { role: made } })
  const password = 'a-password-of-ann'
  const strangers = { authorization: '' }
  const named = { username: 'ann', email: 'ann@example.com', password }
  const { jwt } = (await call('post/auth/local/register', { body: named, headers: strangers })).value
  const asAnn = { authorization: `Bearer ${jwt}` }
  await call('post/auth/local', { body: { identifier: 'ann', password }, headers: strangers })
  await call('post/auth/local', { body: { identifier: 'ann', password: 'no' }, headers: strangers, status: 400 })
  await call('get/users/me', { headers: asAnn })
  const next = { currentPassword: password, password: 'another-of-ann', passwordConfirmation: 'another-of-ann' }
  await call('post/auth/change-password', { body: next, headers: asAnn })
  await call('post/auth/forgot-password', { body: { email: named.email } })
  const code = await codeOfMail('code')
  await call('post/auth/reset-password', { body: { code, password, passwordConfirmation: password } })
  const bob = {
    username: 'bob',
    email: 'bob@example.com',
    password,
    role: roles.find((role: { type: string }) => role.type === 'authenticated').id,
    confirmed: false,
  }
  const { id: user } = (await call('post/users', { body: bob, status: 201 })).value
  await call('post/auth/send-email-confirmation', { body: { email: bob.email } })
  const confirmation = await codeOfMail('confirmation')
  await call('get/auth/email-confirmation', { query: `?confirmation=${confirmation}`, status: 302 })
  await call('get/users', { query: '?populate=*&sort=username&start=0&limit=5' })
  await call('get/users/count')
  await call('get/users/{id}', { path: { id: user }, query: '?populate=role' })
  await call('get/users/{id}', { path: { id: 99 }, status: 204 })
  await call('put/users/{id}', { path: { id: user }, body: { username: 'robert' } })
  await call('delete/users/{id}', { path: { id: user } })
  const provider = { provider: 'github' }
  /** Begins a login, and comes back from the provider with what it says. */
  const comeBack = async (said: string) => {
    const { response } = await call('get/connect/{provider}', { path: provider, status: 302 })
    const state = new URL(String(response.headers.location)).searchParams.get('state')
    const [cookie] = String(response.headers['set-cookie']).split(';')
    const back = { path: provider, query: `?${said}&state=${state}`, headers: { cookie: cookie! }, status: 302 }
    const { response: last } = await call('get/connect/{provider}/callback', back)
    return new URL(String(last.headers.location)).searchParams
  }
  t.equal((await comeBack('error=access_denied')).get('error'), 'access_denied')
  const exchanged = (await comeBack('code=one')).get('access_token')
  await call('get/auth/{provider}/callback', { path: provider, query: `?access_token=${exchanged}` })
  await call('get/auth/{provider}/callback', { path: provider, query: '?access_token=none', status: 400 })

  // Tokens.
  const token = { name: 'one', type: 'custom', permissions: ['api::article.article.find'] }
  const { id: tokenId } = (await call('post/admin/api-tokens', { body: token, status: 201 })).value.data
  await call('get/admin/api-tokens')
  await call('get/admin/api-tokens/{id}', { path: { id: tokenId } })
  await call('put/admin/api-tokens/{id}', { path: { id: tokenId }, body: { description: 'Reads' } })
  await call('post/admin/api-tokens/{id}/regenerate', { path: { id: tokenId }, status: 201 })
  await call('delete/admin/api-tokens/{id}', { path: { id: tokenId } })

  // The model.
  const builder = 'get/content-type-builder'
  await call(`${builder}/content-types`, { query: '?kind=collectionType' })
  await call(`${builder}/content-types/{uid}`, { path: { uid: 'api::article.article' } })
  await call(`${builder}/content-types/{uid}`, { path: { uid: 'none' }, status: 404 })
  await call(`${builder}/components`)
  await call(`${builder}/components/{uid}`, { path: { uid: 'shared.seo' } })
  await call(`${builder}/model`)
  await call(`${builder}/rights`)

  // Values of uid attributes.
  const slug = { contentTypeUID: 'api::article.article', field: 'slug' }
  await call('post/slugs/generate', { body: { ...slug, data: { title: 'Hello' } } })
  await call('post/slugs/check-availability', { body: { ...slug, value: 'hello' } })
  await call('post/slugs/check-availability', { body: { ...slug, value: 'hallo' } })

  // The panel of editors.
  await call('get/studio/settings')
  await call('get/studio/logins')

  // The rest of the server.
  await call('get/graphql', { query: '?query={__typename}' })
  await call('post/graphql', { body: { query: '{ articles { data { id } } }' } })
  await call('post/graphql', { body: [{ query: '{ __typename }' }, { query: '{ none }' }] })
  const upload = 'mutation ($file: Upload!) { upload(file: $file) { data { id } } }'
  const sent = formOf({
    operations: JSON.stringify({ query: upload, variables: { file: null } }),
    map: '{"files":["variables.file"]}',
  })
  const headers = { ...sent.headers, 'apollo-require-preflight': 'true' }
  const uploaded = await call('post/graphql', { payload: sent.payload, headers })
  t.match(uploaded.value, { data: { upload: { data: { id: /./ } } } })
  for (const one of ['js', 'css', 'LICENSES.txt']) {
    await call(`get/graphql/explorer.${one}`)
    await call(`get/documentation/documentation.${one}`)
  }
  await call('get/documentation')
  await call('get/openapi.json')
  await call('get/documentation/openapi.json')
  for (const path of ['/_health', '/_health/live', '/_health/ready']) await call(`get${path}`, { status: 204 })
  await call('get/metrics', { headers: { authorization: `Bearer ${metricsToken}` } })
  await call('get/own/{word}', { path: { word: 'hello' } })

  t.same(
    [...all.keys()].filter(id => !called.has(id)),
    [],
    'none is left',
  )

  /** The code in the link of the last mail, which is sent after the answer. */
  async function codeOfMail(parameter: string): Promise<string> {
    const { accountsOf } = await import('@plinth/users-permissions')
    await accountsOf(kernel).idle()
    const [, code = ''] = new RegExp(`\\?${parameter}=([\\da-f]+)`).exec(mails.splice(0).at(-1)?.text ?? '') ?? []
    return code
  }
})
