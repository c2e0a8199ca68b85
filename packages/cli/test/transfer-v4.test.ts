// Archives of `strapi export`, in the form in which Strapi 4 writes them: entries with components inside, links beside.

import { createCipheriv, scryptSync } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { databases, freshDatabase } from '@plinth/test-tools/databases'
import t from 'tap'
import { create } from 'tar'
import { library } from './library.ts'

const time = '2023-05-06T07:08:09.010Z'
const times = { createdAt: time, updatedAt: time }

const file = {
  name: 'lamp.txt',
  alternativeText: null,
  caption: null,
  width: null,
  height: null,
  formats: null,
  hash: 'lamp_62ad47dd70',
  ext: '.txt',
  mime: 'text/plain',
  size: 0.01,
  url: '/uploads/lamp_62ad47dd70.txt',
  previewUrl: null,
  provider: 'local',
  provider_metadata: null,
  folderPath: '/',
  ...times,
}

const article = {
  title: 'Old',
  body: null,
  rating: 1.5,
  weight: 0.1,
  views: '9007199254740993',
  pages: 7,
  isHot: true,
  day: '2024-02-29',
  at: '10:20:30.400',
  moment: time,
  extra: { a: [1] },
  secret: '$2a$10$O7nxYo5Q8nT8vUG2XGo5Iej233RjvQvoGoGQ1ugv3STv9XmhhxUhG',
  notes: 'private',
  ...times,
  publishedAt: null,
  locale: 'en',
  seo: { id: 4, title: 'seo', quote: { id: 9, text: 'inner' } },
  quotes: [
    { id: 11, text: 'one' },
    { id: 10, text: 'two' },
  ],
  zone: [
    { id: 12, __component: 'shared.quote', text: 'z1' },
    { id: 5, __component: 'shared.seo', title: 'z2', quote: null },
  ],
}

const entity = (type: string, id: number, data: object) => ({ type, id, data })

const basic = (relation: string, left: object, right: object) => ({ kind: 'relation.basic', relation, left, right })

const files: Readonly<Record<string, readonly object[]>> = {
  'schemas/schemas_00001.jsonl': [{ uid: 'api::article.article', modelType: 'contentType', attributes: {} }],
  'entities/entities_00001.jsonl': [
    entity('plugin::upload.file', 3, file),
    entity('plugin::i18n.locale', 1, { name: 'English (en)', code: 'en', ...times }),
    entity('api::article.article', 8, article),
    entity('api::article.article', 9, { ...article, title: 'Ancien', locale: 'fr', seo: null, quotes: [], zone: [] }),
  ],
  'entities/entities_00002.jsonl': [
    entity('api::writer.writer', 2, { name: 'Ann', ...times }),
    entity('api::writer.writer', 5, { name: 'Bo', ...times }),
  ],
  'links/links_00001.jsonl': [
    {
      kind: 'relation.morph',
      relation: 'morphToMany',
      left: { type: 'plugin::upload.file', field: 'related', ref: 3 },
      right: { ref: 8, type: 'api::article.article', field: 'cover', pos: 1 },
    },
    {
      kind: 'relation.morph',
      relation: 'morphToMany',
      left: { type: 'plugin::upload.file', field: 'related', ref: 3 },
      right: { ref: 5, type: 'shared.seo', field: 'picture', pos: 1 },
    },
    basic(
      'manyToMany',
      { type: 'api::article.article', field: 'writers', ref: 8, pos: 2 },
      { type: 'api::writer.writer', field: 'articles', ref: 2, pos: 1 },
    ),
    basic(
      'manyToMany',
      { type: 'api::article.article', field: 'writers', ref: 8, pos: 1 },
      { type: 'api::writer.writer', field: 'articles', ref: 5, pos: 1 },
    ),
    basic(
      'manyToOne',
      { type: 'api::article.article', field: 'chief', ref: 8 },
      { type: 'api::writer.writer', ref: 5 },
    ),
    basic('oneToOne', { type: 'shared.quote', field: 'by', ref: 12 }, { type: 'api::writer.writer', ref: 2 }),
    {
      kind: 'relation.circular',
      relation: 'manyToMany',
      left: { type: 'api::article.article', field: 'localizations', ref: 8, pos: 1 },
      right: { type: 'api::article.article', ref: 9 },
    },
    basic('oneToOne', { type: 'api::article.article', field: 'createdBy', ref: 8 }, { type: 'admin::user', ref: 1 }),
  ],
  'configuration/configuration_00001.jsonl': [
    {
      type: 'core-store',
      value: { id: 1, key: 'plugin_upload_settings', value: { sizeOptimization: true }, type: 'object' },
    },
    {
      type: 'webhook',
      value: { id: 1, name: 'Build', url: 'https://example.org', headers: {}, events: ['entry.create'] },
    },
  ],
}

const folders = ['schemas', 'entities', 'assets', 'links', 'configuration']

/** Writes the archive; v4 writes metadata.json last. */
async function archiveIn(dir: string, version: string): Promise<string> {
  const write = async (name: string, text: string) => {
    await mkdir(dirname(join(dir, name)), { recursive: true })
    await writeFile(join(dir, name), text)
  }
  for (const [name, lines] of Object.entries(files))
    await write(name, lines.map(line => `${JSON.stringify(line)}\n`).join(''))
  await write('assets/uploads/lamp_62ad47dd70.txt', 'a lamp')
  await write('assets/metadata/lamp_62ad47dd70.txt.json', JSON.stringify(file))
  await write('metadata.json', JSON.stringify({ createdAt: time, strapi: { version, plugins: [] } }, null, 2))
  await create({ cwd: dir, file: join(dir, 'v4.tar.gz'), gzip: true }, [...folders, 'metadata.json'])
  return join(dir, 'v4.tar.gz')
}

for (const client of await databases()) {
  await t.test(`an archive of v4 (${client})`, async t => {
    const database = await freshDatabase(client)
    t.teardown(() => database.drop())
    const app = await library(t, database)
    const archive = await archiveIn(join(app.dir, 'v4'), '4.25.1')
    const imported = await app.run('import', '-f', archive)
    t.match(imported, {
      code: 0,
      err: '2 settings that v4 keeps in its database (core store, webhooks) are left out: Plinth has its settings, webhooks included, in config/\n',
    })
    const kernel = await app.open()
    t.teardown(() => kernel.close())
    const populate = {
      seo: { populate: '*' },
      quotes: true,
      zone: { populate: '*' },
      writers: true,
      chief: true,
      cover: true,
      localizations: true,
    }
    const read = await kernel.query('api::article.article').findOne(8, { populate, publicationState: 'preview' })
    const { views, rating, moment, seo, quotes, publishedAt, ...rest } = read!
    t.match(
      { views, rating, moment, publishedAt },
      { views: article.views, rating: 1.5, moment: time, publishedAt: null },
    )
    t.match(seo, { id: 4, title: 'seo', quote: { id: 9, text: 'inner' } })
    t.match(quotes, [{ id: 11 }, { id: 10 }], 'the order of components')
    t.match(rest.zone, [
      { __component: 'shared.quote', id: 12, by: { id: 2 } },
      { __component: 'shared.seo', id: 5, title: 'z2', picture: { id: 3, url: '/uploads/lamp_62ad47dd70.txt' } },
    ])
    t.match(rest.writers, [{ id: 5 }, { id: 2 }], 'the order of links')
    t.match(rest, { chief: { name: 'Bo' }, cover: { hash: 'lamp_62ad47dd70', provider: 'local' } })
    t.match(rest.localizations, [{ id: 9, locale: 'fr' }])
    const opened = await database.open()
    const [row] = await opened.all('SELECT secret, notes, created_at FROM articles WHERE id = 8')
    await opened.close()
    t.match(row, { secret: article.secret, notes: 'private' }, 'hashes and private attributes')
    t.equal(await readFile(join(app.dir, 'public/uploads/lamp_62ad47dd70.txt'), 'utf8'), 'a lamp')
    t.match(await kernel.query('api::writer.writer').create({ data: { name: 'New' } }), { id: 6 })
  })
}

await t.test('encrypted archives, and those of other versions', async t => {
  const database = await freshDatabase('sqlite')
  t.teardown(() => database.drop())
  const app = await library(t, database)
  const archive = await archiveIn(join(app.dir, 'v4'), '4.25.1')
  for (const salt of ['', 'strapi-data-transfer']) {
    const cipher = createCipheriv('aes-128-ecb', scryptSync('a key', salt, 16), null)
    await writeFile(`${archive}.enc`, Buffer.concat([cipher.update(await readFile(archive)), cipher.final()]))
    t.match(await app.run('import', '-f', `${archive}.enc`), { code: 1, err: /is encrypted: give its key with --key/ })
    t.match(await app.run('import', '-f', `${archive}.enc`, '--key', 'no key'), { code: 1, err: /does not open/ })
    const imported = await app.run('import', '-f', `${archive}.enc`, '-k', 'a key', '--force', '--yes')
    t.match(imported, { code: 0, err: /Archives of Strapi v4 have no checksums/ })
    t.equal(imported.err.split('checksums').length, 2, 'it is said once')
  }
  const next = await archiveIn(join(app.dir, 'v5'), '5.1.0')
  t.match(await app.run('import', '-f', next), { code: 1, err: /made by Strapi 5\.1\.0: only those of version 4/ })
})

await t.test('drafts of an archive of v4 do not become public', async t => {
  const database = await freshDatabase('sqlite')
  t.teardown(() => database.drop())
  const app = await library(t, database)
  const archive = await archiveIn(join(app.dir, 'v4'), '4.25.1')
  const path = 'src/api/article/content-types/article/schema.json'
  const schema = JSON.parse(await readFile(join(app.dir, path), 'utf8')) as object
  await app.write(path, { ...schema, options: {} })
  for (const options of [[], ['--ignore-unknown']])
    t.match(await app.run('import', '-f', archive, ...options), {
      code: 1,
      out: '',
      err: /would become public[\s\S]*\n {2}api::article\.article: 2\nNothing was written/,
    })
})
