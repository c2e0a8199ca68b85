// The routes of files: upload, list, change, replace, remove (B-11), and what they refuse.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { picture, start } from './fixtures/boot.ts'

const file = (content: string | Buffer = 'hello', filename = 'note.txt', mime = 'text/plain') => ({
  name: 'files',
  filename,
  content,
  mime,
})
const info = (value: unknown) => ({
  name: 'fileInfo',
  value: typeof value === 'string' ? value : JSON.stringify(value),
})

t.test('files are stored under names of the server, and their records tell where', async t => {
  const { form, get, stored, folder } = await start(t)
  const { status, body } = await form('/api/upload', [file(), file('other', 'Sea view.md')])
  t.equal(status, 200)
  t.match(
    body.map((one: { name: string }) => one.name),
    ['note.txt', 'Sea view.md'],
  )
  const [note, view] = body
  t.match(note, { ext: '.txt', mime: 'text/plain', size: 0.01, hash: /^note_[0-9a-f]{10}$/, formats: null })
  t.match(view, { ext: '.md', mime: 'text/markdown', hash: /^Sea_view_[0-9a-f]{10}$/ })
  t.equal(note.url, `/uploads/${note.hash}.txt`)
  t.notOk('folderPath' in note, 'private attributes are not answered')
  t.same(await stored(), [`${view.hash}.md`, `${note.hash}.txt`].sort())
  t.equal(await readFile(join(folder, `${note.hash}.txt`), 'utf8'), 'hello')
  t.same((await get('/api/upload/files')).body, body)
  t.same((await get(`/api/upload/files?filters[url]=${note.url}&fields=name`)).body, [
    { id: note.id, name: 'note.txt' },
  ])
  t.same((await get('/api/upload/files?start=1&limit=1&fields=name')).body, [{ id: view.id, name: 'Sea view.md' }])
  t.same((await get(`/api/upload/files/${note.id}?fields=name`)).body, note, 'fields of one file are ignored (B-11.7)')
})

t.test('what is said about files belongs to them in their order', async t => {
  const { form } = await start(t)
  const said = [{ name: 'A', alternativeText: 'a', other: 1 }, { caption: 'b' }]
  const repeated = await form('/api/upload', [file(), file('x', 'x.txt'), info(said[0]), info(said[1])])
  t.match(repeated.body, [
    { name: 'A', alternativeText: 'a', hash: /^A_/, ext: '.txt' },
    { name: 'x.txt', caption: 'b' },
  ])
  const listed = await form('/api/upload', [info(said), file(), file('x', 'x.txt')])
  t.match(listed.body, [
    { name: 'A', alternativeText: 'a' },
    { name: 'x.txt', caption: 'b' },
  ])
})

t.test('a file is changed and replaced under its URL', async t => {
  const { form, uploaded, get, stored } = await start(t)
  const before = await uploaded('big.png', await picture(800, 600))
  // PostgreSQL orders the keys of JSON itself.
  t.same(Object.keys(before.formats).sort(), ['medium', 'small', 'thumbnail'])
  const described = await form(`/api/upload?id=${before.id}`, [info({ caption: 'c' })])
  t.match(described, { status: 200, body: { id: before.id, name: 'big.png', caption: 'c' } })
  const { status, body } = await form(`/api/upload?id=${before.id}`, [file(await picture(300, 200), 'new.png')])
  t.equal(status, 200)
  t.match(body, {
    id: before.id,
    name: 'new.png',
    hash: before.hash,
    ext: '.png',
    url: before.url,
    width: 300,
    caption: 'c',
  })
  t.same(Object.keys(body.formats), ['thumbnail'])
  t.same(
    await stored(),
    [`${before.hash}.png`, `thumbnail_${before.hash}.png`],
    'formats that it no longer has are gone',
  )
  t.equal(Number((await get(before.url)).headers.get('content-length')), (await picture(300, 200)).length)
})

t.test('a file that is deleted goes with its formats', async t => {
  const { uploaded, delete: remove, get, put, post, stored } = await start(t)
  const { id, url } = await uploaded('big.png', await picture(300, 300))
  const page = await post('/api/pages', { data: { title: 'A', cover: id } })
  t.equal((await stored()).length, 2)
  const { status, body } = await remove(`/api/upload/files/${id}`)
  t.match({ status, body }, { status: 200, body: { id, name: 'big.png' } })
  t.same(await stored(), [])
  t.equal((await get(url)).status, 404)
  t.match((await get(`/api/pages/${page.body.data.id}?populate=cover`)).body.data.attributes, { cover: { data: null } })
  t.match(await remove(`/api/upload/files/${id}`), { status: 404, body: { error: { message: 'file.notFound' } } })
  t.equal((await put(`/api/pages/${page.body.data.id}`, { data: { cover: id } })).status, 400)
})

t.test('bad input is refused, and nothing of it is left', async t => {
  const { form, post, get, stored } = await start(t, { config: { sizeLimit: 1000 } })
  const refused = async (parts: Parameters<typeof form>[1], expected: object, url = '/api/upload') => {
    t.match(await form(url, parts), expected)
    t.same(await stored(), [], 'no file')
    t.same((await get('/api/upload/files')).body, [], 'no record')
  }
  const error = (status: number, name: string, message: string | RegExp) => ({
    status,
    body: { data: null, error: { status, name, message } },
  })
  const empty = error(400, 'ValidationError', 'Files are empty')
  await refused([{ name: 'other', value: 'x' }], empty)
  await refused([{ name: 'pictures', filename: 'a.txt', content: 'x' }], empty)
  t.match(await post('/api/upload', { files: 'x' }), empty)
  const named = 'File name contains invalid characters'
  for (const name of ['a<b.txt', 'a|b.txt', 'a?b.txt'])
    await refused([file('x', name)], error(400, 'ApplicationError', named))
  await refused([file('x', `${'n'.repeat(300)}.txt`)], error(400, 'ValidationError', /at most 255/))
  await refused([file('x'.repeat(1001))], error(413, 'PayloadTooLargeError', 'note.txt exceeds size limit of 1 kB.'))
  await refused(
    [file(), file('x'.repeat(1001), 'b.txt')],
    error(413, 'PayloadTooLargeError', 'b.txt exceeds size limit of 1 kB.'),
  )
  const at = (...path: string[]) => ({ body: { error: { details: { errors: [{ path }] } } } })
  await refused([file(), info('no JSON')], { status: 400, ...at('fileInfo') })
  await refused([file(), info('"text"')], { status: 400, ...at('fileInfo') })
  await refused([file(), info({ name: 1 })], { status: 400, ...at('fileInfo', 'name') })
  await refused([file(), info([{}, {}])], error(400, 'ValidationError', 'fileInfo has 2 items for 1 files'))
  await refused([file(), file(), info({})], error(400, 'ValidationError', 'fileInfo has 1 items for 2 files'))
  await refused([file()], error(404, 'NotFoundError', 'Entity not found'), '/api/upload?id=99')
  await refused([info({})], error(404, 'NotFoundError', 'Entity not found'), '/api/upload?id=x')
  await refused(
    [file(), file()],
    error(400, 'ApplicationError', 'Cannot replace a file with multiple ones'),
    '/api/upload?id=1',
  )
  await refused([file()], error(400, 'ValidationError', 'Invalid parameter id'), '/api/upload?id[a]=1')
  const many = Array.from({ length: 1001 }, () => ({ name: 'x', value: '' }))
  await refused([...many, file()], error(400, 'ValidationError', /has more than 1000 parts/))
})

t.test('a part without a name is refused', async t => {
  const { send, stored } = await start(t)
  const body = '--b\r\ncontent-disposition: form-data; filename="a.txt"\r\n\r\nx\r\n--b--\r\n'
  const headers = { 'content-type': 'multipart/form-data; boundary=b' }
  t.match(await send('/api/upload', { method: 'POST', headers, body }), { status: 400 })
  t.same(await stored(), [])
})

t.test('a form with many files of long names', async t => {
  const { form, stored } = await start(t)
  const many = Array.from({ length: 700 }, (_, i) => file('x', `${'n'.repeat(100)}${i}.txt`))
  const { status, body } = await form('/api/upload', many)
  t.equal(status, 200, JSON.stringify(body).slice(0, 200))
  t.equal((await stored()).length, 700)
})

t.test('the fields of a form are limited together', async t => {
  const { form, stored } = await start(t)
  const field = (name: string) => ({ name, value: 'x'.repeat(900_000) })
  const { status, body } = await form('/api/upload', [file(), field('ref'), field('ref'), field('field')])
  t.equal(status, 413)
  t.equal(body.error.name, 'PayloadTooLargeError')
  const others = await form('/api/upload', [file(), field('other'), field('other'), field('more')])
  t.equal(others.status, 200, 'fields of other names are not kept')
  t.equal((await stored()).length, 1)
})
