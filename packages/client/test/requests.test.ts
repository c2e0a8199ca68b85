// What the client sends and what it answers, on a server: each method, each form of links, both forms of answers.

import t, { type Test } from 'tap'
import { ClientError, createClient } from '../src/index.ts'
import { fill, serve, user } from './fixtures/server.ts'

const served = await serve(t)
const ids = await fill(served)
const { url, app } = served
const v4 = createClient({ url })
const flat = createClient({ url: `${url}/`, flat: true })

/** Fails unless the request fails so. */
async function fails(t: Test, request: Promise<unknown>, wanted: Partial<ClientError>): Promise<void> {
  t.match(
    await request.then(
      () => null,
      (error: unknown) => error,
    ),
    wanted,
  )
}

t.test("lists in v4's form", async t => {
  const answer = await v4('articles').find({
    filters: { title: { $contains: 'sea & the' } },
    fields: ['title', 'extra'],
    populate: { author: { fields: ['name'] }, tags: { count: true }, links: true },
    pagination: { page: 1, pageSize: 5 },
  })
  t.match(answer, {
    data: [
      {
        id: ids.first,
        attributes: {
          title: 'The sea & the moon',
          author: { data: { id: ids.author, attributes: { name: 'Ada' } } },
          tags: { data: { attributes: { count: 2 } } },
          links: [{ url: '/there' }],
        },
      },
    ],
    meta: { pagination: { page: 1, pageSize: 5, pageCount: 1, total: 1 } },
  })
})

t.test('flat lists', async t => {
  const { data, meta } = await flat('articles').find({
    populate: {
      author: { populate: { articles: { fields: ['title'] } } },
      tags: { sort: 'label', limit: 1 },
      about: true,
      remarks: true,
      cover: true,
      gallery: true,
      seo: { populate: ['image'] },
      zone: { on: { 'shared.quote': { populate: { by: true } } } },
    },
    sort: ['views:desc', 'id'],
    publicationState: 'live',
  })
  t.equal(meta.pagination.total, 2)
  const first = data[0]!
  t.match(first, {
    id: ids.first,
    title: 'The sea & the moon',
    views: 3,
    author: { id: ids.author, name: 'Ada', articles: [{ id: ids.first, title: 'The sea & the moon' }] },
    tags: [{ id: ids.tags[1], label: 'moon' }],
    about: [{ __type: 'api::author.author', name: 'Ada' }],
    seo: { label: 'a label' },
    zone: [{ __component: 'shared.quote', text: 'a quote', by: { id: ids.author, name: 'Ada' } }],
  })
  t.same(
    [first.extra, first.remarks, first.cover, first.gallery, (first.seo as { image: unknown }).image],
    [{ data: null, author: { data: [] } }, null, null, null, null],
    'JSON that looks like a relation stays as it is, and nothing is null',
  )
  t.notOk('attributes' in first || 'note' in first)
  const counted = await flat('articles').findOne(ids.first, { populate: { tags: { count: true } } })
  t.same(counted.data.tags, { count: 2 })
})

t.test('populate by names and paths', async t => {
  for (const populate of ['*', true, ['author', 'zone.by'], 'author', ['*']] as const) {
    const { data } = await flat('articles').findOne(ids.first, { populate })
    t.match(data, { author: { name: 'Ada' } }, String(populate))
  }
  const { data } = await flat('articles').findOne(ids.first, { populate: ['author.articles', 'zone.by'] })
  t.match(data, { author: { articles: [{ title: 'The sea & the moon' }] }, zone: [{ by: { name: 'Ada' } }, {}] })
  const none = await flat('articles').findOne(ids.first, { fields: [], populate: { author: false, tags: null } })
  t.same(none.data, { id: ids.first }, 'no attribute')
})

t.test('filters', async t => {
  const titles = async (filters: object) =>
    (await flat('articles' as string).find({ filters, sort: 'id', publicationState: 'preview' })).data.map(
      one => one.title,
    )
  const all = ['The sea & the moon', 'A draft', 'Without anything']
  t.same(await titles({}), all)
  t.same(await titles({ views: null }), all.slice(1))
  t.same(await titles({ views: { $null: false } }), all.slice(0, 1))
  t.same(await titles({ moment: new Date('2026-02-28T10:20:30.000Z') }), all.slice(0, 1))
  t.same(await titles({ $or: [{ title: 'A draft' }, { author: { name: { $startsWith: 'A' } } }] }), all.slice(0, 2))
  t.same(await titles({ $not: { id: [ids.first] } }), all.slice(1))
  t.same(await titles({ title: { $in: ['A draft', 'x'] }, views: undefined }), ['A draft'])
  t.same(await titles({ views: { $between: [1, 3] } }), all.slice(0, 1))
  const nothing = [
    { id: [] },
    { id: { $in: [] } },
    { author: [] },
    { author: { id: { $in: [] } } },
    { id: [undefined] },
  ]
  for (const filters of nothing) t.same(await titles(filters), [], 'one of no values')
  t.same(await titles({ $not: { id: { $in: [] } } }), all)
  t.same(await titles({ id: { $notIn: [] } }), all)
  const many = Array.from({ length: 300 }, (_, i) => ids.first + i)
  t.same(await titles({ id: many, views: { $gte: 0 } }), all.slice(0, 1), 'three hundred of them')
})

t.test('pages, locales and drafts', async t => {
  const titles: string[] = []
  for await (const { title } of flat('articles').all({
    pageSize: 1,
    locale: 'all',
    sort: 'id',
    publicationState: 'preview',
  }))
    titles.push(String(title))
  t.same(titles, ['The sea & the moon', 'A draft', 'Ein Artikel', 'Without anything'])
  for await (const { title } of flat('articles').all()) {
    t.equal(title, 'The sea & the moon', 'may be left early')
    break
  }
  t.same(
    (await flat('articles').find({ locale: 'de' })).data.map(one => one.title),
    ['Ein Artikel'],
  )
  const page = await flat('articles').find({ pagination: { start: 1, limit: 1, withCount: false } })
  t.same([page.data.length, page.meta.pagination], [1, { start: 1, limit: 1 }])
  t.same((await flat('articles').find({ _q: 'moon' })).data.length, 1)
})

t.test('writes with a login', async t => {
  const client = createClient({ url, flat: true })
  await fails(t, client('tags').create({ label: 'x' }), { status: 403, code: 'ForbiddenError' })
  t.match(await client.login(user), { jwt: String, user: { username: 'nell' } })
  t.match(await client.request('/users/me'), { username: 'nell' })
  const { data: made } = await client('articles').create(
    { title: 'Made', tags: ids.tags, publishedAt: null },
    { fields: ['title'], populate: ['tags'] },
  )
  t.match(made, { title: 'Made', tags: [{ label: 'sea' }, { label: 'moon' }] })
  const changed = await client('articles').update(
    made.id,
    { title: 'Changed', tags: { disconnect: [ids.tags[0]!] } },
    { populate: 'tags' },
  )
  t.match(changed.data, { title: 'Changed', tags: [{ label: 'moon' }] })
  t.match((await client('articles').delete(made.id)).data, { title: 'Changed' })
  await fails(t, client('articles').findOne(made.id), { status: 404, code: 'NotFoundError' })

  t.match((await client.single('homepage').find({ populate: { choice: { fields: ['title'] } } })).data, {
    greeting: 'Hello',
    choice: { title: 'The sea & the moon' },
  })
  t.equal((await client.single('homepage').update({ greeting: 'Good day' })).data.greeting, 'Good day')
  t.equal((await client.single('homepage').delete()).data.greeting, 'Good day')
  await fails(t, client.single('homepage').find(), { status: 404 })
  t.match((await client.single('homepage').update({ greeting: 'Again' }, { fields: ['greeting'] })).data, {
    greeting: 'Again',
  })

  const other = client.withToken(null)
  await fails(t, other('tags').create({ label: 'x' }), { status: 403 })
  client.setToken('no token')
  await fails(t, client('tags').find(), { status: 401 })
  t.match(await client.login(user), { user: { username: 'nell' } }, 'a token that is refused does not hinder a login')
  client.setToken(null)
  await fails(t, client('tags').create({ label: 'x' }), { status: 403 })
})

t.test('tokens of functions, and headers of requests', async t => {
  const { jwt } = await v4.login(user)
  v4.setToken(null)
  let asked = 0
  const token = async () => {
    asked++
    return jwt
  }
  const client = createClient({ url, token, init: { headers: { 'x-one': '1' } } })
  t.match(await client.request('/users/me'), { username: 'nell' })
  t.equal(asked, 1)
  await fails(t, client.request('/users/me', {}, { headers: { authorization: 'Bearer x' } }), { status: 401 })
  const seen: Headers[] = []
  const own = createClient({
    url: 'https://cms.example.com/',
    prefix: '/v1',
    init: { headers: { 'x-one': '1' } },
    fetch: async (input, init) => {
      t.equal(input, 'https://cms.example.com/v1/articles/a%2F..%2Fb?fields[0]=title')
      seen.push(new Headers(init?.headers))
      return Response.json({ data: { id: 1, attributes: {} }, meta: {} })
    },
  })
  await own('articles').findOne('a/../b', { fields: ['title'] }, { headers: { 'x-two': '2' } })
  t.same(
    [...seen[0]!],
    [
      ['x-one', '1'],
      ['x-two', '2'],
    ],
  )
  for (const id of ['', '.', '..', undefined as never])
    await fails(t, own('articles').delete(id), { status: 0, code: 'InvalidId' })
})

t.test('errors', async t => {
  const error = await v4('articles' as string)
    .find({ publicationState: 'nothing' })
    .catch((one: unknown) => one as ClientError)
  t.ok(error instanceof ClientError)
  t.match(error, { status: 400, code: 'ValidationError', details: { path: 'publicationState' }, retryAfter: null })
  await v4.login(user)
  const refused = await v4('articles' as string)
    .create({ views: 'x' })
    .catch((one: unknown) => one as ClientError)
  t.match(refused, { status: 400, details: { errors: [{ path: ['title'] }] } })
  v4.setToken(null)

  const answering = (body: string, init: ResponseInit) =>
    createClient({ url, fetch: async () => new Response(body, init) })
  await fails(t, answering('Bad gateway', { status: 502 })('tags').find(), {
    status: 502,
    code: 'HttpError',
    details: {},
  })
  await fails(t, answering('<p>', {})('tags').find(), { status: 200, code: 'NoJson' })
  await fails(t, answering('{"error":"x"}', { status: 404 })('tags').find(), { status: 404, code: 'HttpError' })
  const busy = answering('{}', { status: 429, headers: { 'retry-after': '7' } })
  await fails(t, busy('tags').find(), { status: 429, retryAfter: 7 })
  t.equal(await answering('', { status: 200 }).request('/x'), null)
  const closed = createClient({ url: 'http://127.0.0.1:1' })
  await t.rejects(closed('tags').find(), { name: 'ClientError', status: 0, code: 'NetworkError', cause: Error })
})

t.test('signals', async t => {
  const abort = new AbortController()
  const pending = v4('articles').find({}, { signal: abort.signal })
  abort.abort(new Error('left'))
  await t.rejects(pending, { message: 'left' })
  await t.rejects(v4('articles').find({}, { signal: AbortSignal.abort() }), { name: 'AbortError' })
})

t.test('files', async t => {
  const { default: sharp } = await import('sharp')
  const wide = { width: 1200, height: 600, channels: 3 as const, background: '#369' }
  const picture = new File([await sharp({ create: wide }).png().toBuffer()], 'wide.png', { type: 'image/png' })
  const client = createClient({ url, flat: true })
  await client.login(user)
  const [file] = await client.upload(picture, {
    info: { alternativeText: 'blue' },
    link: { ref: 'api::article.article', refId: ids.first, field: 'cover' },
  })
  t.match(file, { name: 'wide.png', alternativeText: 'blue', width: 1200 })
  const { data } = await client('articles').findOne(ids.first, { populate: { cover: true } })
  t.equal((data.cover as { id: number }).id, file!.id)
  const wrapped = await v4('articles').findOne(ids.first, { populate: { cover: true } })
  const { cover } = wrapped.data.attributes as { cover: object }
  for (const media of [file, data.cover as object, cover]) {
    t.match(client.src(media), new RegExp(`^${url}/uploads/.*png$`))
    const widths = client.srcset(media).split(', ')
    t.same(
      widths.map(one => one.split(' ')[1]),
      ['245w', '500w', '750w', '1000w', '1200w'],
    )
    t.equal((await fetch(widths[0]!.split(' ')[0]!)).status, 200)
  }
  for (const none of [null, undefined, { data: null }]) t.same([client.src(none), client.srcset(none)], ['', ''])
  t.equal(client.src({ url: 'https://cdn.example.com/a.png' }), 'https://cdn.example.com/a.png')

  const two = [new File(['a'], 'a.txt'), new File(['b'], 'b.txt')]
  t.match(await client.upload(two, { info: [{ caption: 'A' }, { caption: 'B' }] }), [
    { caption: 'A' },
    { caption: 'B' },
  ])
  const smaller = new File(
    [
      await sharp({ create: { ...wide, width: 300 } })
        .png()
        .toBuffer(),
    ],
    'less.png',
  )
  t.match(await client.upload(smaller, { replace: file!.id }), [{ id: file!.id, width: 300 }])
  t.equal(await app.kernel.query('plugin::upload.file').count(), 3)
})
