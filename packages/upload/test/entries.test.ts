// Files that arrive with entries (B-4.80), files for entries that exist (`ref`, `refId`, `field`), and files of a type that
// an attribute does not take.

import t from 'tap'
import { formOf, type Part, picture, start } from './fixtures/boot.ts'

const image = await picture(4, 4)
const png = (name: string, filename = 'a.png'): Part => ({ name, filename, content: image, mime: 'image/png' })
const data = (value: unknown): Part => ({ name: 'data', value: JSON.stringify(value) })
const names = (one: { data: readonly { attributes: { name: string } }[] }) => one.data.map(file => file.attributes.name)

t.test('an entry and its files are created by one body', async t => {
  const { form, send, stored, get } = await start(t)
  const { status, body } = await form(
    '/api/pages?populate[zone][populate]=*&populate[seo][populate]=*&populate[cover]=*&populate[gallery]=*&populate[slides][populate]=*',
    [
      png('files.cover', 'cover.png'),
      png('files.gallery', 'one.png'),
      png('files.gallery', 'two.png'),
      png('files.seo.image', 'seo.png'),
      png('files.slides[1].image', 'slide.png'),
      png('files.zone.0.images', 'zone.png'),
      data({ title: 'A', seo: { text: 's' }, slides: [{}, {}], zone: [{ __component: 'shared.album' }] }),
    ],
  )
  t.equal(status, 200)
  const { cover, gallery, seo, slides, zone } = body.data.attributes
  t.equal(cover.data.attributes.name, 'cover.png')
  t.same(names(gallery), ['one.png', 'two.png'])
  t.equal(seo.image.data.attributes.name, 'seo.png')
  t.match(slides, [{ image: { data: null } }, { image: { data: { attributes: { name: 'slide.png' } } } }])
  t.same(names(zone[0].images), ['zone.png'])
  t.equal((await stored()).length, 6)
  const { id } = body.data
  const updated = await send(`/api/pages/${id}?populate=gallery`, {
    method: 'PUT',
    body: formOf([png('files.gallery', 'three.png'), data({})]),
  })
  t.same(names(updated.body.data.attributes.gallery), ['one.png', 'two.png', 'three.png'], 'they are added')
  t.equal((await get('/api/upload/files')).body.length, 7)
})

t.test('if the entry is refused, no file of it is left', async t => {
  const { form, send, stored, get } = await start(t)
  const refused = async (parts: readonly Part[], status: number, message: RegExp) => {
    const answer = await form('/api/pages', parts)
    t.match(answer, { status, body: { error: { message } } })
    t.same([await stored(), (await get('/api/upload/files')).body], [[], []])
  }
  await refused([png('files.cover'), data({})], 400, /title must be defined/)
  await refused(
    [png('files.nope'), data({ title: 'A' })],
    400,
    /files.nope: is not a media attribute of api::page.page/,
  )
  await refused([png('files.title'), data({ title: 'A' })], 400, /not a media attribute/)
  await refused([png('files.seo.image'), data({ title: 'A' })], 400, /the data have no component at this path/)
  await refused([png('files.__proto__.x'), data({ title: 'A' })], 400, /files.__proto__.x/)
  await refused(
    [png('files.zone[0].image'), data({ title: 'A', zone: [{ __component: 'shared.album' }] })],
    400,
    /not a media attribute of shared.album/,
  )
  await refused([png('cover'), data({ title: 'A' })], 400, /prefixing them with the 'files'/)
  await refused(
    [{ ...png('files.cover', 'a.txt'), content: 'text' }, data({ title: 'A' })],
    400,
    /cover takes only images/,
  )
  t.equal((await send('/api/pages/99', { method: 'PUT', body: formOf([png('files.cover'), data({})]) })).status, 404)
  t.same(await stored(), [])
})

const link = (fields: Record<string, string>) => Object.entries(fields).map(([name, value]) => ({ name, value }))

t.test('files are linked to the named attribute of an entry', async t => {
  const { form, post, get } = await start(t)
  const { id } = (await post('/api/pages', { data: { title: 'A' } })).body.data
  const place = { ref: 'api::page.page', refId: String(id) }
  const first = await form('/api/upload', [png('files', 'g1.png'), ...link({ ...place, field: 'gallery' })])
  t.equal(first.status, 200)
  await form('/api/upload', [png('files', 'g2.png'), ...link({ ...place, field: 'gallery' })])
  await form('/api/upload', [png('files', 'c.png'), ...link({ ...place, field: 'cover' })])
  const { cover, gallery } = (await get(`/api/pages/${id}?populate=*`)).body.data.attributes
  t.same(names(gallery), ['g1.png', 'g2.png'])
  t.equal(cover.data.attributes.name, 'c.png')
})

t.test('security.md row 84: linking is an update of the entry by its caller', async t => {
  const { form, post, get, stored } = await start(t)
  const { id } = (await post('/api/pages', { data: { title: 'A' } })).body.data
  const place = { ref: 'api::page.page', refId: String(id), field: 'cover' }
  const upload = 'plugin::upload.content-api.upload'
  const refused = async (
    fields: Record<string, string>,
    status: number,
    rights = `${upload},api::page.page.update`,
  ) => {
    const { status: found } = await form('/api/upload', [png('files'), ...link(fields)], { rights })
    t.equal(found, status, JSON.stringify(fields))
    t.same([await stored(), (await get('/api/upload/files')).body], [[], []], 'nothing is stored')
  }
  await refused(place, 403, upload)
  await refused(place, 403, 'api::page.page.update')
  await refused({ ...place, field: 'title' }, 400)
  await refused({ ...place, field: 'nope' }, 400)
  await refused({ ...place, ref: 'api::nope.nope' }, 400)
  await refused({ ...place, ref: 'shared.seo' }, 400)
  await refused({ ...place, refId: '99' }, 404)
  await refused({ ...place, refId: 'x' }, 404)
  await refused({ ref: place.ref, refId: place.refId }, 400)
  const text: Part = { name: 'files', filename: 'a.txt', content: 'text' }
  t.equal((await form('/api/upload', [text, ...link(place)])).status, 400, 'no picture')
  t.same(await stored(), [])
  const done = await form('/api/upload', [png('files'), ...link(place)], { rights: `${upload},api::page.page.update` })
  t.equal(done.status, 200)
})

t.test('security.md row 54: an attribute takes only files of its types', async t => {
  const { uploaded, post, put } = await start(t)
  const text = (await uploaded('a.txt', 'text')).id
  const image = (await uploaded('a.png', await picture(4, 4))).id
  const refused = async (value: object, path: string) => {
    const { status, body } = await post('/api/pages', { data: { title: 'A', ...value } })
    t.match({ status, error: body.error }, { status: 400, error: { details: { errors: [{ path: path.split('.') }] } } })
  }
  for (const form of [text, String(text), { id: text }, [text], { connect: [text] }, { set: [{ id: text }] }])
    await refused({ cover: form }, 'cover')
  await refused({ seo: { image: text } }, 'seo.image')
  await refused({ slides: [{}, { image: text }] }, 'slides.1.image')
  await refused({ zone: [{ __component: 'shared.seo', image: text }] }, 'zone.0.image')
  const { status, body } = await post('/api/pages', { data: { title: 'A', cover: image, gallery: [text, image] } })
  t.equal(status, 200)
  t.equal((await put(`/api/pages/${body.data.id}`, { data: { cover: text } })).status, 400)
})

t.test('security.md row 54: content of another type does not replace that of a linked file', async t => {
  const { uploaded, post, put, form, get } = await start(t)
  const html = { name: 'files', filename: 'a.html', content: '<html><script>alert(1)</script></html>' }
  const links: readonly ((id: number) => object)[] = [
    id => ({ cover: id }),
    id => ({ seo: { image: id } }),
    id => ({ slides: [{}, { image: id }] }),
    id => ({
      zone: [
        { __component: 'shared.album', images: [id] },
        { __component: 'shared.seo', image: id },
      ],
    }),
  ]
  for (const link of links) {
    const { id, url } = await uploaded('a.png', image)
    const page = await post('/api/pages', { data: { title: 'A', gallery: [id], ...link(id) } })
    t.equal(page.status, 200)
    const { status, body } = await form(`/api/upload?id=${id}`, [html])
    const where = JSON.stringify(link(id))
    t.match(
      { status, error: body.error },
      { status: 400, error: { name: 'ValidationError', message: /takes only images/ } },
      where,
    )
    t.match((await get(`/api/upload/files/${id}`)).body, { name: 'a.png', mime: 'image/png' })
    t.equal((await get(url)).headers.get('content-length'), String(image.length), 'nothing is stored')
    t.equal((await form(`/api/upload?id=${id}`, [png('files', 'b.png')])).status, 200, 'a picture does')
    const cleared = { cover: null, seo: null, slides: [], zone: [] }
    t.equal((await put(`/api/pages/${page.body.data.id}`, { data: cleared })).status, 200)
    t.equal((await form(`/api/upload?id=${id}`, [html])).status, 200, 'the gallery takes all')
  }
})

t.test('links that v4 has left behind do not keep a file as it is', async t => {
  const { uploaded, form, kernel } = await start(t)
  const { id } = await uploaded('a.png', image)
  const row = { file_id: id, related_id: 77, order: 1 }
  const rows = [
    { ...row, related_type: 'api::page.page', field: 'cover' },
    { ...row, related_type: 'api::page.page', field: 'gone' },
    { ...row, related_type: 'api::gone.gone', field: 'cover' },
  ]
  await kernel.transaction(async tx => void (await tx.knex('files_related_morphs').insert(rows)))
  t.equal((await form(`/api/upload?id=${id}`, [{ name: 'files', filename: 'a.txt', content: 'text' }])).status, 200)
})
