// The attribute type `media`: populate in every form and place, filters, sort keys, and what may be linked.

import t from 'tap'
import { checkAllowedTypes } from '../src/entries/allowed.ts'
import { picture, start } from './fixtures/boot.ts'

t.test('media are populated at every place of an entry', async t => {
  const { uploaded, post, get } = await start(t)
  const a = await uploaded('a.txt', 'a')
  const b = await uploaded('b.png', await picture(4, 4))
  const c = await uploaded('c.png', await picture(5, 5))
  const author = (await post('/api/persons', { data: { name: 'Ann', portrait: a.id } })).body.data.id
  const data = {
    title: 'One',
    cover: b.id,
    gallery: [c.id, a.id, b.id],
    seo: { text: 's', image: c.id },
    slides: [{ image: b.id }, { image: c.id }, {}],
    zone: [
      { __component: 'shared.album', images: [b.id, c.id] },
      { __component: 'shared.seo', image: b.id },
    ],
    author,
  }
  const { id } = (await post('/api/pages', { data })).body.data
  const read = async (query: string) => (await get(`/api/pages/${id}?${query}`)).body.data.attributes
  t.notOk('cover' in (await read('')), 'only when they are asked for')
  const all = await read('populate=*')
  t.match(all.cover, { data: { id: b.id, attributes: { name: 'b.png', width: 4, url: b.url } } })
  t.same(
    all.gallery.data.map((one: { id: number }) => one.id),
    [c.id, a.id, b.id],
  )
  t.match((await read('populate=seo.image')).seo, { image: { data: { id: c.id } } })
  t.match((await read('populate[slides][populate]=*')).slides, [
    { image: { data: { id: b.id } } },
    { image: { data: { id: c.id } } },
    { image: { data: null } },
  ])
  t.match((await read('populate[zone][populate]=*')).zone, [
    { images: { data: [{ id: b.id }, { id: c.id }] } },
    { image: { data: { id: b.id } } },
  ])
  t.match((await read('populate[author][populate]=portrait')).author.data.attributes, {
    portrait: { data: { id: a.id } },
  })
  t.same((await read('populate[gallery][fields]=name&populate[gallery][sort]=name&fields=title')).gallery, {
    data: [a, b, c].map(({ id, name }) => ({ id, attributes: { name } })),
  })
  t.match(await get(`/api/pages/${id}?populate[cover][fields]=nope`), { status: 400 })
  const related = (await read('populate[cover][populate]=related')).cover.data.attributes.related
  t.same(related.filter((one: { __type: string }) => one.__type === 'api::page.page').length, 2, 'cover and gallery')
})

t.test('one file may be in many entries, and an entry that goes leaves it', async t => {
  const { uploaded, post, get, delete: remove, kernel } = await start(t)
  const { id } = await uploaded('a.png', await picture(4, 4))
  const [one, two] = [
    (await post('/api/pages', { data: { title: 'One', cover: id, gallery: [id] } })).body.data.id,
    (await post('/api/pages', { data: { title: 'Two', cover: id } })).body.data.id,
  ]
  t.match((await get(`/api/pages/${one}?populate=cover`)).body.data.attributes.cover, { data: { id } })
  t.match((await get(`/api/pages/${two}?populate=cover`)).body.data.attributes.cover, { data: { id } })
  await remove(`/api/pages/${one}`)
  t.equal((await get(`/api/upload/files/${id}`)).status, 200)
  t.equal((await kernel.knex('files_related_morphs')).length, 1)
})

t.test('filters cannot pass media, sort keys can', async t => {
  const { uploaded, post, get } = await start(t)
  const a = await uploaded('a.png', await picture(4, 4))
  const b = await uploaded('b.png', await picture(4, 4))
  await post('/api/pages', { data: { title: 'B', cover: b.id } })
  await post('/api/pages', { data: { title: 'A', cover: a.id } })
  const refused = { status: 400, body: { error: { name: 'ValidationError', message: 'Invalid parameter cover' } } }
  t.match(await get('/api/pages?filters[cover][name]=a.png'), refused)
  t.match(await get('/api/pages?filters[cover][id]=1'), refused)
  t.match(await get('/api/pages?filters[$or][0][cover]=1'), refused)
  const sorted = await get('/api/pages?sort=cover.name&fields=title')
  t.same(
    sorted.body.data.map((one: { attributes: { title: string } }) => one.attributes.title),
    ['A', 'B'],
  )
})

t.test('allowFilters lets them pass, as in v4', async t => {
  const { uploaded, post, get } = await start(t, { config: { allowFilters: true } })
  const { id } = await uploaded('a.png', await picture(4, 4))
  await post('/api/pages', { data: { title: 'A', cover: id } })
  await post('/api/pages', { data: { title: 'B' } })
  for (const filter of ['filters[cover][name]=a.png', `filters[cover]=${id}`, 'filters[cover][id][$notNull]=true'])
    t.match((await get(`/api/pages?${filter}`)).body.data, [{ attributes: { title: 'A' } }], filter)
  t.equal((await get(`/api/pages?filters[cover]=${id}`)).body.data.length, 1)
})

t.test('the files of an entry are found by one index', async t => {
  const { kernel, database } = await start(t)
  t.ok(kernel.contentTypes.get('plugin::upload.file'))
  if (database.client !== 'sqlite') return
  const columns = await kernel.knex.raw("SELECT name FROM pragma_index_info('files_related_morphs_target')")
  t.same(
    columns.map((one: { name: string }) => one.name),
    ['related_id', 'related_type', 'field', 'order'],
  )
})

t.test('allowedTypes: what is no list prevents the start, and unknown words are warned of', async t => {
  const page = (allowedTypes: unknown) => ({
    uid: 'api::page.page',
    collectionName: 'pages',
    info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
    attributes: { cover: { type: 'media', allowedTypes } },
  })
  await t.rejects(start(t, { contentTypes: [page('images')], components: {} }), {
    code: 'PLINTH_SCHEMA_INVALID',
    message: 'api::page.page: attributes.cover.allowedTypes: must be a list of images, videos, audios, files',
  })
  const warnings: string[] = []
  const draft = { source: 'schema.json', attributes: new Map(Object.entries(page(['image', 'files']).attributes)) }
  checkAllowedTypes(draft as never, message => warnings.push(message))
  t.same(warnings, [
    'schema.json: attributes.cover.allowedTypes: "image" is not one of images, videos, audios, files, did you mean "images"?',
  ])
})
