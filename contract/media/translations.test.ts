// Media of translations: shared unless the attribute is localized, at every depth, as other attributes are (B-7.1).

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import i18n from '@plinth/i18n'
import rest from '@plinth/rest'
import { createServer } from '@plinth/server'
import { fresh, onEach } from '@plinth/test-tools/on-each'
import upload from '@plinth/upload'
import type { Test } from 'tap'

const localized = { i18n: { localized: true } }
const page = {
  kind: 'collectionType' as const,
  collectionName: 'pages',
  info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
  pluginOptions: localized,
  attributes: {
    title: { type: 'string', pluginOptions: localized },
    cover: { type: 'media', multiple: false },
    gallery: { type: 'media', multiple: true },
    banner: { type: 'media', multiple: false, pluginOptions: localized },
    seo: { type: 'component', component: 'shared.seo' },
  },
}
const components = {
  'shared.seo': { collectionName: 'components_seos', attributes: { image: { type: 'media', multiple: false } } },
}

/** A server with the API `page`, and three files. */
async function start(t: Test) {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-media-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const database = await fresh(t)
  const app = await createServer({
    database: database.config,
    contentTypes: [page],
    components,
    plugins: {
      rest: { plugin: rest },
      upload: { plugin: upload, config: { folder } },
      i18n: { plugin: i18n, config: { locales: ['en', 'fr', 'de'] } },
    },
    logger: false,
  })
  t.teardown(() => app.close())
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  const form = new FormData()
  for (const name of ['a', 'b', 'c']) form.append('files', new Blob([name]), `${name}.txt`)
  const files = (await (await fetch(`${base}/api/upload`, { method: 'POST', body: form })).json()) as { id: number }[]
  const ids = files.map(one => one.id).sort((a, b) => a - b)
  const send = async (method: 'POST' | 'PUT', url: string, data: object) => {
    const { statusCode, payload } = await app.inject({
      method,
      url,
      payload: url.endsWith('zations') ? data : { data },
    })
    return { status: statusCode, body: JSON.parse(payload) }
  }
  const populate = 'populate[0]=cover&populate[1]=gallery&populate[2]=banner&populate[3]=seo.image'
  /** The ids of the files of an entry. */
  const read = async (id: number) => {
    const { cover, gallery, banner, seo } = (await app.inject(`/api/pages/${id}?${populate}`)).json().data.attributes
    const idOf = (one: { data: { id: number } | null } | undefined) => one?.data?.id ?? null
    const list = (gallery.data ?? []).map((one: { id: number }) => one.id)
    return { cover: idOf(cover), gallery: list, banner: idOf(banner), image: idOf(seo?.image) }
  }
  return { ids, send, read }
}

await onEach('translations share media that are not localized', async t => {
  const { ids, send, read } = await start(t)
  const [a, b, c] = ids as [number, number, number]
  const data = { title: 'One', cover: a, gallery: [b, a], banner: c, seo: { image: b } }
  const { id } = (await send('POST', '/api/pages', data)).body.data
  const made = await send('POST', `/api/pages/${id}/localizations`, { locale: 'fr', title: 'Un' })
  t.equal(made.status, 200)
  const french = made.body.id
  t.same(await read(french), { cover: a, gallery: [b, a], banner: null, image: b }, 'a new translation has them')
  t.same(await read(id), { cover: a, gallery: [b, a], banner: c, image: b }, 'and its source keeps them')
  await send('PUT', `/api/pages/${french}`, { cover: c, gallery: [c], banner: b, seo: { image: a } })
  t.same(await read(id), { cover: c, gallery: [c], banner: c, image: a }, 'an update reaches the others')
  t.same(await read(french), { cover: c, gallery: [c], banner: b, image: a })
  await send('PUT', `/api/pages/${id}`, { cover: null, gallery: [] })
  t.same(await read(french), { cover: null, gallery: [], banner: b, image: a }, 'also one that empties them')
})
