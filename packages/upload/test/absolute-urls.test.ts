// The setting `absoluteUrls`: what is answered, and what stays as it is stored.

import graphql from '@plinth/graphql'
import t from 'tap'
import { picture, start } from './fixtures/boot.ts'

const server = { url: 'https://api.example.org/cms/' }
const address = 'https://api.example.org/cms'

t.test('URLs of local files are absolute in answers, and stay as they are in the database', async t => {
  const { uploaded, get, post, kernel, form } = await start(t, {
    config: { absoluteUrls: true },
    plugins: { graphql: { plugin: graphql } },
    settings: { server },
  })
  const file = await uploaded('sea.png', await picture(800, 600))
  const url = `${address}/uploads/${file.hash}.png`
  const thumbnail = `${address}/uploads/thumbnail_${file.hash}.png`
  const shown = { url, formats: { thumbnail: { url: thumbnail } } }
  t.match(file, shown, 'the answer of an upload')
  t.same(kernel.services.find('upload', 'origins')!(), ['https://api.example.org'])
  t.match((await get(`/api/upload/files/${file.id}`)).body, shown)
  t.match((await get('/api/upload/files')).body, [shown])
  t.match((await form(`/api/upload?id=${file.id}`, [{ name: 'fileInfo', value: '{"caption":"c"}' }])).body, { url })
  const page = { title: 'A page', cover: file.id, seo: { image: file.id }, gallery: [file.id] }
  const created = await post('/api/pages?populate[cover]=*&populate[gallery]=*&populate[seo][populate]=image', {
    data: page,
  })
  t.match(created.body.data.attributes, {
    cover: { data: { attributes: shown } },
    gallery: { data: [{ attributes: { url } }] },
    seo: { image: { data: { attributes: { url } } } },
  })
  const query =
    '{ uploadFiles { data { attributes { url formats previewUrl } } } pages { data { attributes { cover { data { attributes { url } } } } } } }'
  const { data } = (await post('/graphql', { query })).body
  t.match(data.uploadFiles.data[0].attributes, { ...shown, previewUrl: null })
  t.match(data.pages.data[0].attributes.cover.data.attributes, { url })

  const [row] = await kernel.knex('files').select('url', 'formats')
  t.equal(row.url, `/uploads/${file.hash}.png`, 'what is stored is relative')
  t.notMatch(JSON.stringify(row.formats), /example/)
  t.match(
    await kernel.query('plugin::upload.file').findOne(file.id),
    { url: row.url },
    'and code with all rights sees it',
  )
  t.equal((await get(`/api/upload/files?filters[url]=${row.url}`)).body.length, 1, 'filters compare with it')
  t.equal((await get(row.url)).status, 200)

  // Those of other providers, and whatever scripts have stored.
  const files = kernel.query('plugin::upload.file')
  const stored = { name: 'x', hash: 'x', mime: 'image/png', size: 1, provider: 's3', folderPath: '/' }
  for (const [url, formats] of [
    ['https://bucket.example.com/x.png', { small: { url: 'https://bucket.example.com/small.png' } }],
    ['//cdn.example.com/x.png', ['/a']],
    ['x.png', { small: '/a', large: { name: 'l' } }],
  ] as const) {
    const { id } = await files.create({ data: { ...stored, url, formats } })
    t.match((await get(`/api/upload/files/${id}`)).body, { url, formats })
  }
})

t.test('the address may be another one, and must be absolute', async t => {
  const { uploaded } = await start(t, { config: { absoluteUrls: 'https://files.example.org' } })
  t.match((await uploaded('a.txt', 'hello')).url, /^https:\/\/files\.example\.org\/uploads\/a_/)
  const needs = /upload\.config\.absoluteUrls: needs an absolute address/
  await t.rejects(start(t, { config: { absoluteUrls: true } }), { message: needs })
  await t.rejects(start(t, { config: { absoluteUrls: true }, settings: { server: { url: '/cms' } } }), {
    message: needs,
  })
  await t.rejects(start(t, { config: { absoluteUrls: 'files.example.org' } }), { message: needs })
})
