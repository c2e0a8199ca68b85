// Files that code stores, by the service of the plugin.

import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type Access, createContext } from '@plinth/kernel'
import t from 'tap'
import { freshFolder, picture, start } from './fixtures/boot.ts'

/** An error with that status. */
const answered = (status: number) => ({ status, message: /./ })

const contextOf = (...rights: string[]) => {
  const access: Access = { key: `rights:${rights}`, user: null, can: one => rights.includes(one) }
  return createContext(access)
}

t.test('paths, bytes, texts and streams', async t => {
  const { kernel, get, stored } = await start(t)
  const service = kernel.plugin('upload').service('upload')
  const path = join(await freshFolder(t), 'note.txt')
  await writeFile(path, 'from a path')
  const made = await service.upload({
    files: [
      { path },
      { name: 'a.png', content: await picture(600, 400) },
      { name: 'b.txt', content: 'a text' },
      { name: 'c.txt', type: 'text/plain', content: Readable.from([Buffer.from('a '), Buffer.from('stream')]) },
    ],
  })
  t.match(made, [
    { name: 'note.txt', ext: '.txt' },
    { name: 'a.png', width: 600, formats: { small: { width: 500 } } },
    { name: 'b.txt' },
    { name: 'c.txt', mime: 'text/plain' },
  ])
  const texts = await Promise.all([0, 2, 3].map(async i => (await get(String(made[i]!.url))).text))
  t.same(texts, ['from a path', 'a text', 'a stream'])
  t.equal((await stored()).length, 4 + 2, 'with a thumbnail and a small format')
})

t.test('files are linked to an entry, and described', async t => {
  const { kernel, post, get } = await start(t)
  const { id } = (await post('/api/pages', { data: { title: 'One' } })).body.data
  const service = kernel.plugin('upload').service('upload')
  const files = ['a', 'b'].map(name => ({ name: `${name}.txt`, content: name }))
  const fileInfo = [{ alternativeText: 'A' }, { name: 'second.txt', caption: 'B' }]
  await service.upload({ files, data: { ref: 'api::page.page', refId: id, field: 'gallery', fileInfo } })
  const { gallery } = (await get(`/api/pages/${id}?populate=gallery`)).body.data.attributes
  t.match(gallery.data, [
    { attributes: { name: 'a.txt', alternativeText: 'A' } },
    { attributes: { name: 'second.txt', caption: 'B' } },
  ])
})

t.test('what is refused stores nothing', async t => {
  const { kernel, post, stored, folder } = await start(t, { config: { sizeLimit: 10 } })
  const { id } = (await post('/api/pages', { data: { title: 'One' } })).body.data
  const service = kernel.plugin('upload').service('upload')
  const file = { name: 'a.txt', content: 'a' }
  const right = 'plugin::upload.content-api.upload'
  await t.rejects(service.upload({ files: [] }), { status: 400, message: 'Files are empty' })
  await t.rejects(service.upload({ files: { content: 'x' } }), { code: 'PLINTH_UPLOAD_FILE' })
  await t.rejects(service.upload({ files: { name: 'x' } }), { code: 'PLINTH_UPLOAD_FILE' })
  await t.rejects(service.upload({ files: { name: 'x', path: '/none/x' } }), { code: 'ENOENT' })
  await t.rejects(
    service.upload({ files: { name: 'a/b', path: '/none/x' } }),
    answered(400),
    'refused by its name first',
  )
  await t.rejects(service.upload({ files: [file, { ...file, content: 'too long for it' }] }), answered(413))
  await t.rejects(service.upload({ files: { ...file, name: 'a/b.txt' } }), answered(400))
  await t.rejects(service.upload({ files: file, data: { fileInfo: [] } }), answered(400))
  await t.rejects(service.upload({ files: file, data: { ref: 'api::page.page' } }), answered(400))
  const data = { ref: 'api::page.page', refId: id, field: 'gallery' }
  await t.rejects(service.upload({ files: file, data: { ...data, refId: 99 } }), answered(404))
  await t.rejects(service.upload({ files: file, data: { ...data, field: 'title' } }), answered(400))
  await t.rejects(service.upload({ files: file }, contextOf()), answered(403))
  await t.rejects(service.upload({ files: file, data }, contextOf(right)), answered(403))
  t.same(await stored(), [])
  t.same(await readdir(join(folder, '.unfinished')).catch(() => []), [], 'no temporary file is left')
  t.equal((await service.upload({ files: file }, contextOf(right))).length, 1)
})
