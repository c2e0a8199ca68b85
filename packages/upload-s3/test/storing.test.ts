// What is stored, under which name and with which headers, and what the other functions make of it.

import { PassThrough, Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import t from 'tap'
import { errorOf, file, hashOf, MiB, never, pieces, storage } from './fixtures/storage.ts'

t.test('a small file is one request', async t => {
  const { s3, provider } = await storage(t)
  await provider.store(file('lamp_62ad47dd70.png', 3000), never)
  t.same(s3.operations, ['PutObject'])
  const { size, headers } = s3.object('lamp_62ad47dd70.png')!
  t.same({ size, headers }, { size: 3000, headers: { 'content-type': 'image/png' } }, 'without rights of its own')
  t.equal(hashOf([await buffer(await provider.open('lamp_62ad47dd70.png'))]), hashOf(pieces(3000)))
})

t.test('a large one is stored in parts', async t => {
  const { s3, provider } = await storage(t)
  await provider.store(file('film.mp4', 23 * MiB, { mime: 'video/mp4' }), never)
  t.same(new Set(s3.operations), new Set(['CreateMultipartUpload', 'UploadPart', 'CompleteMultipartUpload']))
  t.same(
    s3.object('film.mp4')!.parts.map(part => part.size / MiB),
    [5, 5, 5, 5, 3],
  )
  t.equal(hashOf([await s3.read('film.mp4')]), hashOf(pieces(23 * MiB)))
  t.same(s3.unfinished, [])
})

t.test('sizes at the border of a part', async t => {
  const { s3, provider } = await storage(t)
  for (const size of [0, 1, 5 * MiB - 1, 5 * MiB, 5 * MiB + 1, 10 * MiB]) {
    for (const known of [size, null]) {
      await provider.store(file('a.bin', size, { size: known }), never)
      t.equal(s3.object('a.bin')!.parts.length, Math.max(1, Math.ceil(size / (5 * MiB))), `${size} bytes`)
      t.equal(hashOf([await s3.read('a.bin')]), hashOf(pieces(size)))
    }
  }
})

t.test('a part size of its own', async t => {
  const { s3, provider } = await storage(t, { partSize: 6 * MiB })
  await provider.store(file('a.bin', 13 * MiB), never)
  t.same(
    s3.object('a.bin')!.parts.map(part => part.size / MiB),
    [6, 6, 1],
  )
})

t.test('a stream of text, and one that comes in drops', async t => {
  const { s3, provider } = await storage(t)
  await provider.store(file('a.txt', 0, { size: null, stream: Readable.from(['grün', ' und ', 'blau']) }), never)
  t.equal(String(await s3.read('a.txt')), 'grün und blau')
  const drops = new PassThrough()
  const stored = provider.store(file('b.txt', 0, { size: null, stream: drops }), never)
  for (const drop of ['a', 'b', 'c']) {
    drops.write(drop)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  drops.end()
  await stored
  t.equal(String(await s3.read('b.txt')), 'abc')
})

t.test('headers', async t => {
  const { s3, provider } = await storage(t, { acl: 'public-read', cacheControl: 'public, max-age=31536000' })
  const always = { 'cache-control': 'public, max-age=31536000', 'x-amz-acl': 'public-read' }
  for (const mime of ['image/png', 'image/webp', 'video/mp4', 'application/pdf', 'text/plain; charset=utf-8']) {
    await provider.store(file('a', 10, { mime }), never)
    t.same(s3.object('a')!.headers, { ...always, 'content-type': mime }, mime)
  }
  const running = [
    'text/html',
    'image/svg+xml',
    'application/xml',
    'text/xml',
    'application/xhtml+xml',
    'text/javascript',
  ]
  for (const mime of [...running, 'application/octet-stream', 'application/zip', 'IMAGE/SVG+XML']) {
    await provider.store(file('a', 10, { mime }), never)
    const expected = { ...always, 'content-type': mime.toLowerCase(), 'content-disposition': 'attachment' }
    t.same(s3.object('a')!.headers, expected, `${mime} (security.md row 79)`)
  }
  for (const mime of ['', 'html', 'image/png\r\nx-amz-acl: private', 'image/png, text/html', 'image/png/x']) {
    await provider.store(file('a', 10, { mime }), never)
    const expected = { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' }
    t.same(s3.object('a')!.headers, { ...always, ...expected }, `${JSON.stringify(mime)} is no type`)
  }
  await provider.store(file('a', 6 * MiB, { mime: 'text/html' }), never)
  const expected = { 'content-type': 'text/html', 'content-disposition': 'attachment' }
  t.same(s3.object('a')!.headers, { ...always, ...expected }, 'in parts')
})

t.test('keys', async t => {
  const { s3, provider } = await storage(t, { prefix: 'site a/uploads' })
  const keys = ['a b.png', 'grün.png', '猫.png', "it's (1)!*.png", 'a+b&c=d?e#f%2f.png', 'folder/in/it.png', '..a', '-']
  for (const [i, key] of keys.entries()) {
    const size = i % 2 === 0 ? 10 : 6 * MiB
    await provider.store(file(key, size), never)
    t.equal(s3.object(`site a/uploads/${key}`)?.size, size, key)
    t.equal((await buffer(await provider.open(key))).length, size)
    const { pathname } = new URL(provider.urlOf(key))
    t.equal(decodeURIComponent(pathname), `/files/site a/uploads/${key}`, 'its address leads to it')
  }
  t.equal(s3.keys.length, keys.length)
  for (const key of keys) await provider.remove(key)
  t.same(s3.keys, [])
  for (const key of ['', '.', '..', '../x', 'a//b', '/a', 'a/', 'a/../b', 'x'.repeat(1025)]) {
    const message = /cannot be the key of a file/
    await t.rejects(
      provider.store(file(key, 10), never),
      { code: 'PLINTH_UPLOAD_STORAGE', message },
      JSON.stringify(key),
    )
    await t.rejects(provider.open(key), { message })
    await t.rejects(provider.remove(key), { message })
    t.throws(() => provider.urlOf(key), { message })
  }
  t.same(s3.keys, [])
})

t.test('a file takes the place of an earlier one', async t => {
  const { s3, provider } = await storage(t)
  await provider.store(file('a', 10), never)
  await provider.store(file('a', 7 * MiB), never)
  t.equal(s3.object('a')!.size, 7 * MiB)
  await provider.store(file('a', 20), never)
  t.equal(s3.object('a')!.size, 20)
})

t.test('remove', async t => {
  const { s3, provider } = await storage(t)
  await provider.store(file('a', 10), never)
  await provider.store(file('ab', 10), never)
  await provider.remove('a')
  t.same(s3.keys, ['ab'])
  await provider.remove('a')
  await provider.remove('never-there')
  t.same(s3.keys, ['ab'], 'a missing one is no error')
})

t.test('remove ends uploads that a process did not live to end', async t => {
  const { s3, provider } = await storage(t, { maxAttempts: 1 })
  for (const key of ['a', 'a', 'ab']) {
    s3.faults.add('UploadPart', { status: 403, code: 'AccessDenied' })
    s3.faults.add('AbortMultipartUpload', { status: 403, code: 'AccessDenied' })
    await t.rejects(provider.store(file(key, 6 * MiB), never))
  }
  t.same(s3.unfinished, ['a', 'a', 'ab'])
  await provider.remove('a')
  t.same(s3.unfinished, ['ab'])
  for (const [status, code] of [
    [403, 'AccessDenied'],
    [501, 'NotImplemented'],
  ] as const) {
    await provider.store(file('c', 10), never)
    s3.faults.add('ListMultipartUploads', { status, code })
    await provider.remove('c')
    t.equal(s3.object('c'), null, `also if the account or the storage cannot list them: ${code}`)
  }
  s3.faults.add('ListMultipartUploads', { status: 500, code: 'InternalError' })
  t.match(await errorOf(provider.remove('ab')), { status: 503 })
})

t.test('open', async t => {
  const { s3, provider } = await storage(t)
  await provider.store(file('a.txt', 0, { size: null, stream: Readable.from(['text']) }), never)
  t.equal(await text(await provider.open('a.txt')), 'text')
  const error = await errorOf(provider.open('b.txt'))
  t.match(error, { code: 'ENOENT', reason: 'NoSuchKey' })
  t.equal(error.message, 'S3 bucket "files": GetObject of "b.txt" failed: there is no such file (NoSuchKey)')
  await provider.store(file('c', 9 * MiB), never)
  const read = await provider.open('c')
  read.destroy()
  s3.faults.add('GetObject', { status: 503, code: 'SlowDown' })
  t.equal((await buffer(await provider.open('c'))).length, 9 * MiB, 'it is asked again')
})

t.test('50 at the same time', async t => {
  const { s3, provider } = await storage(t)
  const sizes = Array.from({ length: 50 }, (_, i) => (i % 5 === 0 ? 11 * MiB + i : 1000 + i))
  await Promise.all(sizes.map((size, i) => provider.store(file(`file-${i}`, size), never)))
  for (const [i, size] of sizes.entries()) t.equal(hashOf([await s3.read(`file-${i}`)]), hashOf(pieces(size)))
  t.same(s3.unfinished, [])
  const opened = await Promise.all(sizes.map(async (_, i) => buffer(await provider.open(`file-${i}`))))
  t.same(
    opened.map(one => one.length),
    sizes,
  )
})

t.test('one buffer is enough for many streams at once', async t => {
  const { s3, provider } = await storage(t, { parallelParts: 1 })
  await Promise.all(Array.from({ length: 8 }, (_, i) => provider.store(file(`file-${i}`, 11 * MiB), never)))
  t.equal(s3.keys.length, 8)
  const waiting = new AbortController()
  const slow = new PassThrough()
  const first = provider.store(file('slow', 3, { stream: slow }), never)
  const second = provider.store(file('waits', 10), waiting.signal)
  waiting.abort(new Error('gone'))
  await t.rejects(second, { message: 'gone' }, 'a wait can be ended')
  slow.end('abc')
  await first
  await provider.store(file('waits', 10), never)
  t.equal(s3.object('waits')!.size, 10, 'and the buffer is free for the next')
})
