// The headers of the REST API: tags of answers, conditions of reads and of writes, and who learns what by them.

import idempotency from '@plinth/idempotency'
import type { Kernel, LifecycleEvent } from '@plinth/kernel'
import t from 'tap'
import { type Answer, article, fill, start } from './fixtures/boot.ts'

const tagOf = ({ headers }: Answer) => String(headers.etag)
const versionOf = (answer: Answer) => /^"([0-9a-f]{32})-[0-9a-f-]{32,36}"$/.exec(tagOf(answer))?.[1]

const statements: string[] = []
const configure = ({ hooks }: Kernel) =>
  // Connections to servers have statements of their own.
  hooks.on('onStatement', text => void (/\barticles\b/.test(text) && statements.push(text)))

const server = await start(t, { plugins: { idempotency: { plugin: idempotency } }, configure })
await fill(server)
const { app, send, of, versions, ask } = server

/** Makes an article, and returns its id and its address. */
async function make(data: object = {}): Promise<{ readonly id: number; readonly url: string }> {
  const { id } = await of('article').create({ data: { title: 'One', locale: 'en', ...data } })
  return { id: Number(id), url: `/api/articles/${id}` }
}

t.test('the tag of an answer', async t => {
  const { id, url } = await make({ secret: 'x' })
  const whole = await send('GET', url)
  t.match(whole, { status: 200, body: { data: { id } } })
  t.equal(versionOf(whole), await versions.of(article, id))
  t.equal(tagOf(await send('GET', url)), tagOf(whole), 'the same question')
  for (const query of ['fields=title', 'populate=tags']) {
    const answer = await send('GET', `${url}?${query}`)
    t.equal(versionOf(answer), versionOf(whole), `${query}: the version`)
    t.not(tagOf(answer), tagOf(whole), `${query}: the tag`)
  }
  const head = await send('HEAD', url)
  t.match(head, { status: 200, text: '', headers: { etag: tagOf(whole) } })
  for (const other of ['/api/articles', '/api/articles/x', `${url}?fields=secret`])
    t.equal((await send('GET', other)).headers.etag, undefined, other)
  for (const none of [999, 2 ** 31, 2 ** 53, '99999999999999999999'])
    t.match(await send('GET', `/api/articles/${none}`), { status: 404, headers: { etag: undefined } })
  t.match(await send('GET', url, { as: 'writer' }), { status: 403, headers: { etag: undefined } })
  t.match(await send('GET', url, { as: 'stranger' }), { status: 404, headers: { etag: undefined } })
})

t.test('an answer that the client has', async t => {
  const { id, url } = await make()
  const get = (ifNoneMatch: string, query = '') => send('GET', `${url}${query}`, { ifNoneMatch })
  const tag = tagOf(await send('GET', url))
  for (const text of [tag, `W/${tag}`, `"x", ${tag}`, `,W/"y" ,${tag},`, '*', ' * ']) {
    const answer = await get(text)
    t.match(answer, { status: 304, text: '', headers: { etag: tag } }, text)
    t.notOk('content-type' in answer.headers)
  }
  t.match(await send('HEAD', url, { ifNoneMatch: tag }), { status: 304, headers: { etag: tag } })
  const version = tag.slice(1, 33)
  for (const text of [`"${version}"`, '"x"', '', tag.slice(1, -1), `${tag}x`, `"a ${tag}`])
    t.match(await get(text), { status: 200, headers: { etag: tag } }, JSON.stringify(text))
  t.match(await get(tag, '?fields=title'), { status: 200 }, 'another question')
  await of('article').update(id, { data: { title: 'Two' } })
  t.match(await get(tag), { status: 200, body: { data: { attributes: { title: 'Two' } } } })
  t.match(await send('GET', '/api/articles/999', { ifNoneMatch: '*' }), { status: 404 })
})

t.test('a write of the version that the client has read', async t => {
  const { id, url } = await make()
  const first = await send('GET', `${url}?fields=title`)
  const put = await send('PUT', url, { ifMatch: tagOf(first), data: { title: 'Two' } })
  t.match(put, { status: 200, body: { data: { attributes: { title: 'Two' } } }, headers: { etag: undefined } })
  t.equal(put.headers['entry-version'], await versions.of(article, id))
  const stale = await send('PUT', url, { ifMatch: tagOf(first), data: { title: 'Three' } })
  const error = {
    status: 412,
    name: 'PreconditionFailedError',
    message: 'The entry is not in the version that the condition of the write names',
    details: { version: put.headers['entry-version'] },
  }
  t.match(stale, { status: 412, headers: { 'entry-version': undefined } })
  t.strictSame(stale.body, { data: null, error })
  t.match(await send('DELETE', url, { ifMatch: tagOf(first) }), { status: 412 })
  t.match(await of('article').findOne(id), { title: 'Two' })
  const next = `"${put.headers['entry-version']}"`
  const draft = await send('PUT', url, { ifMatch: next, data: { publishedAt: null } })
  t.match(draft, { status: 200 }, 'unpublished')
  const again = { ifMatch: next, data: { publishedAt: new Date().toISOString() } }
  t.match(await send('PUT', url, again), { status: 412 }, 'published')
  const list = { ifMatch: `"x", W/"y", "${draft.headers['entry-version']}-z"` }
  t.match(await send('DELETE', url, list), { status: 200, headers: { 'entry-version': undefined } })
  t.match(await send('DELETE', url, list), { status: 404 })
})

t.test('the forms of If-Match', async t => {
  const { id, url } = await make()
  const version = (await versions.of(article, id))!
  const put = (ifMatch: string, path = url) => send('PUT', path, { ifMatch, data: { title: 'Two' } })
  for (const text of ['', ' ', ',', version, `"${version}`, `"${version}" "x"`, `w/"${version}"`, `"${version}", *`])
    t.match(await put(text), { status: 400, body: { error: { message: /^Invalid If-Match/ } } }, JSON.stringify(text))
  const weak = [`W/"${version}"`, `W/"${version}-x"`]
  for (const text of [...weak, '""', '"*"', `"x${version}"`, `"${version}x"`, `"-${version}"`])
    t.match(await put(text), { status: 412 }, text)
  t.match(await put('*', '/api/articles/999'), { status: 404 })
  t.match(await put('*'), { status: 200 })
  t.match(await put('*'), { status: 200 })
})

t.test('what is written equal to what was there is a new version all the same', async t => {
  const { now } = Date
  const time = now()
  Date.now = () => time
  t.teardown(() => {
    Date.now = now
  })
  const { id, url } = await make()
  const request = { ifMatch: `"${await versions.of(article, id)}"`, data: { title: 'One' } }
  const first = await send('PUT', url, request)
  t.match(first, { status: 200, body: { data: { attributes: { updatedAt: new Date(time + 1).toISOString() } } } })
  t.equal(first.headers['entry-version'], await versions.of(article, id))
  t.match(await send('PUT', url, request), { status: 412 })
})

t.test('who may not write, or not know of the entry, is told that alone', async t => {
  const { id, url } = await make()
  for (const ifMatch of ['"x"', '*', `"${await versions.of(article, id)}"`]) {
    for (const method of ['PUT', 'DELETE'] as const) {
      const write = (path: string, as: string) =>
        send(method, path, { as, ifMatch, ...(method === 'PUT' && { data: { title: 'Two' } }) })
      t.match(await write(url, 'reader'), { status: 403 })
      const hidden = await write(url, 'stranger')
      t.equal(hidden.status, 404)
      t.strictSame(hidden.body, (await write('/api/articles/999', 'stranger')).body)
    }
  }
  t.match(await send('PUT', url, { as: 'reader', ifMatch: 'x', data: {} }), { status: 403 })
  const stale = { ifMatch: '"x"', data: { title: 'Two' } }
  const detailsOf = async (path: string, as?: string) => {
    const { status, body } = await send('PUT', path, { ...stale, ...(as !== undefined && { as }) })
    t.equal(status, 412)
    return body.error.details
  }
  t.strictSame(await detailsOf(url), { version: await versions.of(article, id) })
  t.strictSame(await detailsOf(url, 'writer'), {}, 'who may not read it does not learn its version')
  await of('article').update(id, { data: { publishedAt: null } })
  t.strictSame(await detailsOf(url), {}, 'nor who has not asked for drafts')
  t.strictSame(await detailsOf(`${url}?publicationState=preview`), { version: await versions.of(article, id) })
})

t.test('single types, with an entry for each locale', async t => {
  const put = (data: object, ifMatch?: string, query = '') =>
    send('PUT', `/api/homepage${query}`, { data, ...(ifMatch !== undefined && { ifMatch }) })
  t.match(await put({ greeting: 'Hello' }, '*'), { status: 412, body: { error: { details: {} } } })
  t.match(await send('GET', '/api/homepage'), { status: 404, headers: { etag: undefined } })
  t.match(await put({ greeting: 'Hello' }), { status: 200 })
  const first = await send('GET', '/api/homepage')
  t.match(await send('GET', '/api/homepage', { ifNoneMatch: tagOf(first) }), { status: 304 })
  const translation = 'createHomepageLocalization(id: 1, locale: "fr", data: { greeting: "Bonjour" }) { data { id } }'
  await ask(`mutation { ${translation} }`)
  const french = await send('GET', '/api/homepage?locale=fr')
  t.match(french, { status: 200, body: { data: { id: 2 } } })
  t.match(await put({ greeting: 'Salut' }, tagOf(first), '?locale=fr'), { status: 412 })
  t.match(await put({ greeting: 'Salut' }, tagOf(french), '?locale=fr'), { status: 200 })
  t.match(await put({ greeting: 'Hi' }, tagOf(first)), { status: 200 })
  t.match(await put({ greeting: 'Hey' }, tagOf(first)), { status: 412 })
  t.match(await send('DELETE', '/api/homepage', { ifMatch: tagOf(first) }), { status: 412 })
  const second = await send('GET', '/api/homepage')
  t.not(versionOf(second), versionOf(first))
  t.match(await send('DELETE', '/api/homepage', { ifMatch: tagOf(second) }), { status: 200 })
})

t.test('a long answer, which is sent while it is written', async t => {
  const sections = Array(30).fill({ __component: 'parts.quote', text: 'x'.repeat(50_000) })
  const { url } = await make({ sections })
  const whole = `${url}?populate=sections`
  const [one, two] = [await send('GET', whole), await send('GET', whole)]
  t.equal(versionOf(one), versionOf(two))
  t.match(await send('GET', whole, { ifNoneMatch: tagOf(two) }), { status: 200 })
  t.match(await send('PUT', url, { ifMatch: tagOf(two), data: { title: 'Two' } }), { status: 200 })
})

t.test('with Idempotency-Key', async t => {
  const { id, url } = await make()
  const ifMatch = `"${await versions.of(article, id)}"`
  const put = (match: string) =>
    send('PUT', url, { ifMatch: match, data: { title: 'Two' }, headers: { 'idempotency-key': 'k' } })
  t.match(await put('"x"'), { status: 412 })
  const first = await put(ifMatch)
  t.match(first, { status: 200, headers: { 'entry-version': /^\w{32}$/ } }, 'a refused request does not use its key')
  const second = await put(ifMatch)
  t.match(second, { status: 200, text: first.text, headers: { 'idempotency-replayed': 'true' } })
  t.notOk('entry-version' in second.headers)
  t.match(await send('PUT', url, { ifMatch, data: { title: 'Three' } }), { status: 412 })
})

t.test('pages of other origins', async t => {
  const origin = 'https://one.example'
  const headers = { origin, 'access-control-request-method': 'PUT' }
  const asked = await app.inject({ method: 'OPTIONS', url: '/api/articles/1', headers })
  t.match(asked.headers['access-control-allow-headers'], /\bIf-Match, If-None-Match\b/)
  const read = await app.inject({ url: '/api/articles', headers: { origin } })
  t.match(read.headers['access-control-expose-headers'], /, ETag, Entry-Version\b/)
})

t.test('a write without a condition runs the same statements as without the plugin, which reads no header', async t => {
  const { url } = await make()
  statements.length = 0
  t.match(await send('PUT', url, { data: { title: 'Two' } }), { status: 200 })
  const withPlugin = [...statements]
  const off = await start(t, { isOn: false, configure })
  await off.of('article').create({ data: { title: 'One', locale: 'en' } })
  statements.length = 0
  t.match(await off.send('PUT', '/api/articles/1', { data: { title: 'Two' } }), { status: 200 })
  t.strictSame(withPlugin, statements)
  const read = await off.send('GET', '/api/articles/1', { ifNoneMatch: '*' })
  t.match(read, { status: 200, headers: { etag: undefined } })
  t.match(await off.send('PUT', '/api/articles/1', { ifMatch: '"x"', data: { title: 'Two' } }), { status: 200 })
})

t.test('writes of hooks and lifecycles around the write are not checked', async t => {
  const hooked = await start(t, {
    configure({ hooks, lifecycles, query }) {
      const updates = { for: ({ uid }: { readonly uid: string }) => uid === article, actions: ['update'] }
      hooks.on('onWrite', updates, async ({ context, data, id }) => {
        if (data.title === 'Two') await query(article, context).update(id!, { data: { count: 1 } })
      })
      hooks.on('onCommit', updates, async writes => {
        const write = writes.find(one => one.data.title === 'Two')
        if (write !== undefined) await query(article, write.context).update(1, { data: { facts: 'after' } })
      })
      lifecycles.subscribe([article], {
        async beforeUpdate({ params }: LifecycleEvent) {
          const data = params.data as { readonly title?: string }
          if (data.title === 'Two') await query(article).update(2, { data: { title: 'Before' } })
        },
      })
    },
  })
  for (const title of ['One', 'Other']) await hooked.of('article').create({ data: { title, locale: 'en' } })
  const ifMatch = `"${await hooked.versions.of(article, 1)}"`
  const put = await hooked.send('PUT', '/api/articles/1', { ifMatch, data: { title: 'Two' } })
  t.match(put, { status: 200, body: { data: { attributes: { title: 'Two', count: 1, facts: null } } } })
  t.match(await hooked.of('article').findMany({ sort: 'id' }), [{ facts: 'after' }, { title: 'Before' }])
  t.not(put.headers['entry-version'], await hooked.versions.of(article, 1), 'the version that the client has seen')
})
