// What is stored and served of hostile files, names and paths (security.md B7).

import { writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import t from 'tap'
import { formOf, picture, type Started, start } from './fixtures/boot.ts'

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"><script>alert(1)</script></svg>'
const html = '<!doctype html><script>alert(1)</script>'

/** Sends a path as it is, which fetch would normalize. */
function raw(base: string, path: string): Promise<number> {
  const { hostname, port } = new URL(base)
  return new Promise((resolve, reject) => {
    request({ hostname, port, path }, response => {
      response.resume()
      response.on('end', () => resolve(response.statusCode!))
    })
      .on('error', reject)
      .end()
  })
}

t.test('security.md row 79: the content decides the type on each way in (CVE-2022-27263, CVE-2026-22707)', async t => {
  const { uploaded, get, post } = await start(t)
  const png = await picture(4, 4)
  const gif = Buffer.concat([await picture(4, 4, 'gif'), Buffer.from('/*<script>alert(1)</script>*/')])
  const cases = [
    // filename, content, what the client claims, what it is
    ['a.html', html, 'text/html', 'text/html', '.html', true],
    ['a.svg', svg, 'image/svg+xml', 'image/svg+xml', '.svg', true],
    ['a.js', 'alert(1)', 'image/png', 'text/javascript', '.js', true],
    ['a.png', html, 'image/png', 'text/html', '.html', true],
    ['a.jpg', svg, 'image/jpeg', 'image/svg+xml', '.svg', true],
    ['a.png', 'only text', 'image/png', 'text/plain', '.txt', false],
    ['a.html', png, 'text/html', 'image/png', '.png', false],
    ['a.html.png', png, 'text/html', 'image/png', '.png', false],
    ['a.js', gif, 'text/javascript', 'image/gif', '.gif', false],
    ['a.php', '<?php echo 1;', 'image/png', 'application/x-httpd-php', '.php', true],
    ['a.pdf', Buffer.from([0, 1, 2, 3, 0xff, 0xfe]), 'application/pdf', 'application/octet-stream', '.bin', true],
    ['blob', png, 'image/png', 'image/png', '.png', false],
    ['a.md', html, 'text/markdown', 'text/markdown', '.md', true],
    ['a.txt', html, 'text/html', 'text/plain', '.txt', false],
    ['a.xml', '<?xml version="1.0"?><a/>', 'text/xml', /xml/, '.xml', true],
  ] as const
  for (const [filename, content, claimed, mime, ext, isDownload] of cases) {
    const record = await uploaded(filename, content as Buffer, claimed)
    const what = `${filename} that claims ${claimed}`
    t.match(record, { name: filename, mime, ext }, what)
    const { status, headers } = await get(record.url)
    t.equal(status, 200, what)
    t.equal(headers.get('x-content-type-options'), 'nosniff', what)
    t.match(headers.get('content-security-policy'), /default-src 'none'.*sandbox/, what)
    t.equal(headers.get('content-disposition') === 'attachment', isDownload, what)
    if (typeof mime === 'string') t.match(headers.get('content-type'), mime, what)
  }
  const { status } = await post('/api/pages', { data: { title: 'A', cover: 4 } })
  t.equal(status, 400, 'HTML with the name of a picture is no picture')
})

t.test('security.md row 79: types can be refused', async t => {
  const { form, stored } = await start(t, { config: { allowedTypes: ['image/*'], deniedTypes: ['image/svg+xml'] } })
  const one = (filename: string, content: Buffer | string) => [{ name: 'files', filename, content }]
  t.equal((await form('/api/upload', one('a.png', await picture(4, 4)))).status, 200)
  t.equal((await form('/api/upload', one('a.png', svg))).status, 400)
  t.equal((await form('/api/upload', one('a.png', 'text'))).status, 400)
  t.equal((await stored()).length, 1)
})

t.test('security.md row 80: names are made by the server', async t => {
  const { base, uploaded, stored } = await start(t)
  const send = async (filename: string) => {
    const body = `--b\r\ncontent-disposition: form-data; name="files"; filename="${filename}"\r\n\r\ntext\r\n--b--\r\n`
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    return (await fetch(`${base}/api/upload`, { method: 'POST', headers, body })).status
  }
  for (const name of [
    '../../x.txt',
    '..\\..\\x.txt',
    'a/b.txt',
    'a\u0000.txt',
    'a\u0007.txt',
    `${'n'.repeat(500)}.txt`,
  ])
    t.equal(await send(name), 400, JSON.stringify(name))
  t.same(await stored(), [])
  for (const name of ['.htaccess', 'CON', 'nul.txt', '..', '~', '漢字.txt', 'a b.c.php.txt', '.', 'x.'.repeat(100)]) {
    const { hash, ext, url, name: shown } = await uploaded(name, 'text')
    t.equal(shown, name, 'the name is text')
    t.match(hash, /^[A-Za-z0-9_]*_[0-9a-f]{10}$/, name)
    t.equal(url, `/uploads/${hash}${ext}`)
    t.ok((await stored()).includes(`${hash}${ext}`), name)
  }
})

t.test('security.md row 81: no path leads out of the folder (CVE-2026-6414)', async t => {
  const { base, folder, uploaded } = await start(t)
  const { url } = await uploaded('a.txt', 'text')
  await writeFile(join(folder, '.secret'), 'x')
  t.equal(await raw(base, url), 200)
  for (const path of [
    ...['/uploads/..%2f..%2fpackage.json', '/uploads/..%5c..%5cpackage.json', '/uploads//etc/passwd', '/uploads/'],
    ...['/uploads/../package.json', '/uploads/%2e%2e/package.json', '/uploads/.secret', '/uploads/%2esecret'],
    ...['/uploads/.unfinished', '/uploads/.unfinished/x', `${url}%00`, '/uploads/a%00.txt', '/uploads'],
  ])
    t.equal(await raw(base, path), 404, path)
})

t.test('files are served in ranges, and what is not there is a JSON error', async t => {
  const { uploaded, get, app } = await start(t)
  const { url } = await uploaded('a.txt', '0123456789')
  const whole = await get(url)
  t.equal(whole.headers.get('accept-ranges'), 'bytes')
  t.equal(whole.text, '0123456789')
  const part = await get(url, { range: 'bytes=2-4' })
  t.match(part, { status: 206, text: '234' })
  t.equal(part.headers.get('content-range'), 'bytes 2-4/10')
  t.equal((await get(url, { range: 'bytes=20-' })).status, 416)
  const etag = whole.headers.get('etag')!
  t.equal((await app.inject({ url, headers: { 'if-none-match': etag } })).statusCode, 304)
  t.equal((await get(url, { 'if-match': '"other"' })).status, 412)
  t.match(await get('/uploads/none.txt'), { status: 404, body: { error: { name: 'NotFoundError' } } })
})

t.test('security.md row 83: limits of parts and sizes, and what is aborted leaves nothing', async t => {
  const started = await start(t, { config: { sizeLimit: 10_000_000 } })
  const { base, form, stored, get } = started
  const parts = Array.from({ length: 1001 }, (_, i) => ({ name: 'files', filename: `${i}.txt`, content: 'x' }))
  t.equal((await form('/api/upload', parts)).status, 400)
  t.same(await stored(), [])
  const large = formOf([{ name: 'files', filename: 'a.bin', content: Buffer.alloc(10_000_001) }])
  t.equal((await fetch(`${base}/api/upload`, { method: 'POST', body: large })).status, 413)
  t.same(await stored(), [])
  for (const end of ['close', 'finish'] as const) await abort(started, end)
  t.same(await stored(), [])
  t.same((await get('/api/upload/files')).body, [])
})

/** Sends a half of a file, and goes away, or ends the body there. */
function abort({ base, stored }: Started, end: 'close' | 'finish'): Promise<void> {
  const { hostname, port } = new URL(base)
  const head = '--b\r\ncontent-disposition: form-data; name="files"; filename="a.txt"\r\n\r\n'
  const headers = { 'content-type': 'multipart/form-data; boundary=b' }
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path: '/api/upload', method: 'POST', headers }, response => {
      response.resume()
      response.on('end', resolve)
    })
    sent.on('error', () => {})
    sent.write(head + 'x'.repeat(100_000))
    const wait = async () => {
      for (let i = 0; (await stored()).length === 0; i++) {
        if (i > 100) throw new Error('nothing arrives')
        await new Promise(next => setTimeout(next, 20))
      }
      if (end === 'finish') return void sent.end()
      sent.destroy()
      for (let i = 0; (await stored()).length > 0; i++) {
        if (i > 50) throw new Error('something is left after a second')
        await new Promise(next => setTimeout(next, 20))
      }
      resolve()
    }
    wait().catch(reject)
  })
}

t.test('security.md row 85: the server opens no URL that a client sends', async t => {
  const { form, post, get } = await start(t)
  const url = 'http://169.254.169.254/latest/meta-data'
  const info = {
    name: 'fileInfo',
    value: JSON.stringify({ name: url, url, provider: 'other', hash: 'x', formats: {} }),
  }
  const { body } = await form('/api/upload', [{ name: 'files', filename: 'a.txt', content: url }, info])
  t.match(body[0], { name: url, provider: 'local', url: /^\/uploads\/meta_data_/, hash: /^meta_data_/, formats: null })
  t.match(await post('/api/upload', { url }), { status: 400, body: { error: { message: 'Files are empty' } } })
  t.match(await post(`/api/upload?url=${url}`, {}), { status: 400 })
  t.equal((await get('/api/upload/files')).body.length, 1)
})

t.test(
  'security.md row 15: a file is public for who knows its URL, also that of a draft; its name cannot be guessed',
  async t => {
    const { uploaded, get } = await start(t)
    const [one, two] = [await uploaded('a.txt', 'x'), await uploaded('a.txt', 'x')]
    t.not(one.hash, two.hash)
    t.match(one.hash, /_[0-9a-f]{10}$/)
    t.equal((await get(one.url, { rights: 'none' })).status, 200)
    t.equal((await get('/uploads/a.txt')).status, 404)
  },
)
