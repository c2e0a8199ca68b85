// The formats of pictures (B-11.12), and pictures that would cost too much (security.md row 82).

import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import t from 'tap'
import { Pictures } from '../src/pictures/pictures.ts'
import { formOf, freshFolder, picture, start } from './fixtures/boot.ts'

/** How many processes that decode pictures run. */
const decoders = () => process.getActiveResourcesInfo().filter(name => name === 'ProcessWrap').length

t.test('formats have the names and sizes of v4', async t => {
  const { uploaded, get, stored } = await start(t)
  const { hash, formats, width, height, size } = await uploaded('Sea view.png', await picture(1200, 600))
  t.same([width, height], [1200, 600])
  t.type(size, 'number')
  t.same(Object.keys(formats).sort(), ['large', 'medium', 'small', 'thumbnail'])
  const sizes = { thumbnail: [245, 123], large: [1000, 500], medium: [750, 375], small: [500, 250] }
  for (const [key, [w, h]] of Object.entries(sizes)) {
    const one = formats[key]
    t.same(Object.keys(one).sort(), [
      ...['ext', 'hash', 'height', 'mime', 'name', 'path', 'size', 'sizeInBytes', 'url', 'width'],
    ])
    t.match(one, {
      name: `${key}_Sea view.png`,
      hash: `${key}_${hash}`,
      ext: '.png',
      mime: 'image/png',
      path: null,
      width: w,
      height: h,
      url: `/uploads/${key}_${hash}.png`,
    })
    const file = await get(one.url)
    t.equal(Number(file.headers.get('content-length')), one.sizeInBytes)
  }
  t.equal((await stored()).length, 5)
})

t.test('which formats are made', async t => {
  const { uploaded } = await start(t)
  const keys = async (width: number, height: number, format: 'png' | 'jpeg' | 'gif' | 'webp' = 'png') =>
    Object.keys((await uploaded(`a.${format}`, await picture(width, height, format))).formats ?? {}).sort()
  t.same(await keys(245, 156), [])
  t.same(await keys(246, 100), ['thumbnail'])
  t.same(await keys(100, 157), ['thumbnail'])
  t.same(await keys(500, 500, 'jpeg'), ['thumbnail'])
  t.same(await keys(501, 10, 'webp'), ['small', 'thumbnail'])
  t.same(await keys(10, 1001, 'gif'), ['large', 'medium', 'small', 'thumbnail'])
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="300"/>'
  t.match(await uploaded('a.svg', svg), { width: 900, height: 300, formats: null })
  const avif = await sharp({ create: { width: 600, height: 30, channels: 3, background: 'red' } })
    .avif()
    .toBuffer()
  t.match(await uploaded('a.avif', avif), { width: 600, height: 30, formats: null })
  const broken = (await picture(600, 600)).subarray(0, 60)
  t.match(await uploaded('a.png', broken), { mime: 'image/png', ext: '.png', formats: null })
})

t.test('settings of formats', async t => {
  const own = await start(t, { config: { breakpoints: { tiny: 20 } } })
  t.same(Object.keys((await own.uploaded('a.png', await picture(300, 30))).formats).sort(), ['thumbnail', 'tiny'])
  const none = await start(t, { config: { responsiveDimensions: false } })
  t.same(Object.keys((await none.uploaded('a.png', await picture(3000, 30))).formats), ['thumbnail'])
})

/** A PNG of one colour that is small as a file, whatever its size. */
function bomb(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    // Decoders do not test the sum of the chunks that come before the size is known.
    const crc = Buffer.alloc(4)
    crc.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, crc])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([1, 0, 0, 0, 0], 8)
  const rows = Buffer.alloc(Math.ceil(width / 8 + 1) * Math.min(height, 1000))
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function crc32(data: Buffer): number {
  let crc = ~0
  for (const byte of data) {
    crc ^= byte
    for (let k = 0; k < 8; k++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return ~crc >>> 0
}

t.test('security.md row 82: pictures that are too large are refused before they are decoded', async t => {
  const { form, stored, uploaded, get } = await start(t)
  const one = (filename: string, content: Buffer | string) => [{ name: 'files', filename, content }]
  const { status, body } = await form('/api/upload', one('bomb.png', bomb(30_000, 30_000)))
  t.match({ status, body }, { status: 413, body: { error: { message: 'The picture has more than 100000000 pixels' } } })
  t.same(await stored(), [])
  const external = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY e SYSTEM "file:///etc/passwd">]>
    <svg xmlns="http://www.w3.org/2000/svg" width="50" height="40"><image href="http://127.0.0.1:1/x"/><text>&e;</text></svg>`
  const { url, formats } = await uploaded('e.svg', external)
  t.equal(formats, null, 'nothing is drawn')
  t.notMatch((await get(url)).text, 'root:')
  const laughs = `<!DOCTYPE svg [<!ENTITY a "${'x'.repeat(1000)}">${'bcdefghi'
    .split('')
    .map((name, i) => `<!ENTITY ${name} "${`&${'abcdefgh'[i]};`.repeat(10)}">`)
    .join('')}]><svg xmlns="http://www.w3.org/2000/svg" width="5" height="5"><text>&i;</text></svg>`
  const begun = performance.now()
  t.equal((await form('/api/upload', one('l.svg', laughs))).status, 200)
  t.ok(performance.now() - begun < 10_000)
})

t.test('two pictures are decoded at a time, a few wait, and others are refused', async t => {
  const { form } = await start(t, { config: { maxWaitingPictures: 1 } })
  const image = await picture(4000, 3000, 'jpeg')
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => form('/api/upload', [{ name: 'files', filename: 'a.jpg', content: image }])),
  )
  const count = (status: number) => answers.filter(one => one.status === status).length
  t.ok(count(200) >= 3, 'two and the one that waits')
  t.ok(count(503) >= 1)
  t.equal(count(200) + count(503), 8)
  t.ok(answers.find(one => one.status === 503)!.headers.get('retry-after'))
})

t.test('work stops when nobody waits for it, or when it takes too long', async t => {
  const folder = await freshFolder(t)
  const path = join(folder, 'a.jpg')
  await writeFile(path, await picture(9000, 9000, 'jpeg'))
  const file = { path, size: 1, mime: 'image/jpeg' }
  const settings = { breakpoints: { large: 8000 }, maxPixels: 1e9, maxWaiting: 0, timeLimit: 60_000 }
  const patient = new Pictures(settings, true)
  t.teardown(() => patient.close())
  const controller = new AbortController()
  const before = decoders()
  const work = patient.look(file, controller.signal)
  for (let i = 0; i < 2000 && decoders() === before; i++) await sleep(5)
  t.ok(decoders() > before, 'it is being decoded')
  const left = performance.now()
  controller.abort(new Error('gone'))
  await t.rejects(work, { message: 'gone' })
  t.ok(performance.now() - left < 20_000, 'long before its time is over, and the process is dead')
  const small = join(folder, 'b.png')
  await writeFile(small, await picture(4, 4))
  t.match(await patient.look({ path: small, size: 1, mime: 'image/png' }, AbortSignal.timeout(30_000)), { width: 4 })
  const hasty = new Pictures({ ...settings, timeLimit: 50 }, true)
  t.teardown(() => hasty.close())
  const other = join(folder, 'c.jpg')
  await writeFile(other, await picture(9000, 9000, 'jpeg'))
  await t.rejects(hasty.look({ ...file, path: other }, AbortSignal.timeout(30_000)), {
    message: 'The picture takes too long to decode',
  })
})

t.test('a client that goes away while its picture is decoded leaves nothing', async t => {
  const { base, stored } = await start(t)
  const body = formOf([{ name: 'files', filename: 'a.png', content: await picture(9000, 9000) }])
  const leaving = new AbortController()
  const before = decoders()
  const sent = fetch(`${base}/api/upload`, { method: 'POST', body, signal: leaving.signal })
  const refused = t.rejects(sent)
  for (let i = 0; i < 2000 && decoders() === before; i++) await sleep(5)
  t.ok(decoders() > before, 'it is being decoded')
  leaving.abort()
  await refused
  await sleep(1000)
  t.same(await stored(), [])
})

t.test('without sharp, pictures are files', async t => {
  const folder = await freshFolder(t)
  const pictures = new Pictures({ breakpoints: {}, maxPixels: 1, maxWaiting: 0, timeLimit: 1 }, false)
  const file = { path: join(folder, 'none'), size: 1, mime: 'image/png' }
  t.equal(await pictures.look(file, AbortSignal.timeout(1000)), null)
})

t.test('a process without file descriptors answers 503, and decodes when it has some again', async t => {
  const file = join(import.meta.dirname, 'fixtures/without-descriptors.ts')
  const run = promisify(execFile)
  const { stdout } = await run('sh', ['-c', 'ulimit -n 60; exec "$0" "$1"', process.execPath, file], {
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  t.same(JSON.parse(stdout), [503, 'broken'])
})

/** The corner to which each EXIF orientation leads the corner that is stored at the top left. */
const corners = [
  [1, 'top left'],
  [2, 'top right'],
  [3, 'bottom right'],
  [4, 'bottom left'],
  [5, 'top left'],
  [6, 'top right'],
  [7, 'bottom right'],
  [8, 'bottom left'],
] as const

/** A blue picture whose corner at the top left is red, as a camera with this orientation stores it. */
function photograph(
  width: number,
  height: number,
  format: 'jpeg' | 'png' | 'webp' | 'tiff' | 'avif',
  orientation?: number,
) {
  const corner = { width: width / 2, height: height / 2, channels: 3, background: 'red' } as const
  const made = sharp({ create: { width, height, channels: 3, background: 'blue' } }).composite([
    { input: { create: corner }, left: 0, top: 0 },
  ])
  return (orientation === undefined ? made : made.withMetadata({ orientation })).toFormat(format).toBuffer()
}

/** The corner of a picture that is red. */
async function redCorner(content: Buffer): Promise<string> {
  const { data, info } = await sharp(content).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const isRed = (x: number, y: number) => data[(y * info.width + x) * info.channels]! > 128
  const [right, bottom] = [info.width - 5, info.height - 5]
  const found = {
    'top left': [4, 4],
    'top right': [right, 4],
    'bottom left': [4, bottom],
    'bottom right': [right, bottom],
  }
  return Object.entries(found)
    .filter(([, [x, y]]) => isRed(x!, y!))
    .map(([name]) => name)
    .join()
}

t.test('photographs are upright by their EXIF orientation', async t => {
  const { uploaded, base, form } = await start(t)
  const fetched = async (url: string) => Buffer.from(await (await fetch(base + url)).arrayBuffer())
  const formats = { jpeg: [1, 2, 3, 4, 5, 6, 7, 8], png: [2, 6], webp: [3, 8], tiff: [5, 6] }
  for (const format of ['jpeg', 'png', 'webp', 'tiff'] as const) {
    for (const [orientation, corner] of corners.filter(([one]) => formats[format].includes(one))) {
      const sent = await photograph(600, 400, format, orientation)
      const record = await uploaded(`a.${format}`, sent)
      const name = `${format} ${orientation}`
      const isTurned = orientation > 4
      t.match(record, isTurned ? { width: 400, height: 600 } : { width: 600, height: 400 }, name)
      t.ok((await fetched(record.url)).equals(sent), `${name}: the stored file is the one that was sent`)
      const sizes = { small: isTurned ? [333, 500] : [500, 333], thumbnail: isTurned ? [104, 156] : [234, 156] }
      t.same(Object.keys(record.formats).sort(), Object.keys(sizes), name)
      for (const [key, [width, height]] of Object.entries(sizes)) {
        const made = await fetched(record.formats[key].url)
        t.match(record.formats[key], { width, height }, `${name} ${key}`)
        t.match(await sharp(made).metadata(), { width, height }, `${name} ${key}: the file`)
        t.equal((await sharp(made).metadata()).orientation ?? 1, 1, `${name} ${key}: it has no tag`)
        t.equal(await redCorner(made), corner, `${name} ${key}`)
      }
    }
  }
  t.match(await uploaded('a.avif', await photograph(600, 400, 'avif', 6)), { width: 400, height: 600, formats: null })
  t.match(await uploaded('a.jpg', await photograph(600, 400, 'jpeg')), { width: 600, height: 400 }, 'without a tag')
  const { id } = await uploaded('a.jpg', await photograph(600, 400, 'jpeg'))
  const content = await photograph(600, 400, 'jpeg', 6)
  const replaced = await form(`/api/upload?id=${id}`, [{ name: 'files', filename: 'a.jpg', content }])
  t.match(replaced.body, { id, width: 400, height: 600, formats: { small: { width: 333, height: 500 } } })
})

t.test('the orientation decides which formats are made', async t => {
  const { uploaded } = await start(t)
  const keys = async (width: number, height: number, orientation: number) =>
    Object.keys((await uploaded('a.jpg', await photograph(width, height, 'jpeg', orientation))).formats ?? {})
  t.same(await keys(200, 150, 1), [])
  t.same(await keys(200, 150, 6), ['thumbnail'], 'it is 200 high')
  t.same(await keys(150, 240, 6), [], 'it is 240 wide')
})
