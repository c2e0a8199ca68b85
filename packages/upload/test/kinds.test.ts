// The kinds of files: the content decides among formats, and the name among texts that no browser runs.

import sharp from 'sharp'
import t from 'tap'
import { decideType } from '../src/content-type.ts'
import { picture, start } from './fixtures/boot.ts'

const kind = async (filename: string, content: Buffer | string, claimed = 'application/octet-stream') => {
  const { mime, ext } = await decideType({ head: Buffer.from(content).subarray(0, 4100), filename, claimed })
  return `${mime} ${ext}`
}

const latin = (text: string) => Buffer.from(text, 'latin1')
const wide = (text: string) => Buffer.from(text, 'utf16le')

const table = 'Name;Größe\r\nMüller;1,5\r\n'
/** 名前 in Shift-JIS, whose second bytes are letters and signs too. */
const japanese = Buffer.concat([Buffer.from([0x96, 0xbc, 0x91, 0x4f]), Buffer.from(',1\r\n')])
const encodings: Readonly<Record<string, Buffer>> = {
  'UTF-8': Buffer.from(table),
  'UTF-8 with a byte order mark': Buffer.from(`\uFEFF${table}`),
  'Latin-1': latin(table),
  'Windows-1252': Buffer.concat([latin(table), Buffer.from([0x80, 0x93, 0x94, 0x99])]),
  'Shift-JIS': japanese,
  'GB 18030': Buffer.from([0xc3, 0xfb, 0xb3, 0xc6, 0x2c, 0x31, 0x0a]),
  'ISO-2022-JP': Buffer.from('\x1b$B\x4c\x3e\x1b(B,1\r\n'),
  'UTF-16': Buffer.concat([Buffer.from([0xff, 0xfe]), wide(table)]),
  'UTF-16, big end first': Buffer.concat([Buffer.from([0xfe, 0xff]), wide(table).swap16()]),
  'UTF-16 without a mark': wide(table),
  'Latin-1, more than the head': latin(table.repeat(400)),
  'UTF-16, more than the head': Buffer.concat([Buffer.from([0xff, 0xfe]), wide(table.repeat(400))]),
  'with the end of a file of DOS': Buffer.concat([latin(table), Buffer.from([0x1a])]),
  'that begins like a bitmap': latin(`BMW;${table}`),
  'that begins like a program': latin(`MZ;${table}`),
  'that begins like sound': latin(`ID3;${table}`),
  'that begins like a card': latin('BEGIN:VCARD;1'),
  'that begins like an animation': latin('GIF89a;1'),
  'with markup': latin('<b>Größe</b>;<script>alert(1)</script>'),
}

t.test('texts in all encodings', async t => {
  for (const [encoding, content] of Object.entries(encodings)) {
    t.equal(await kind('a.csv', content), 'text/csv .csv', encoding)
    t.equal(await kind('a.txt', content, 'text/html'), 'text/plain .txt', encoding)
    t.equal(await kind('a.md', content), 'text/markdown .md', encoding)
    t.equal(await kind('a.srt', content), 'application/x-subrip .srt', encoding)
    t.equal(await kind('a.sql', content), 'application/sql .sql', encoding)
    t.equal(
      await kind('a.vue', content),
      /DOS/.test(encoding) ? 'application/octet-stream .vue' : 'text/plain .vue',
      encoding,
    )
    if (!/DOS/.test(encoding)) t.equal(await kind('LICENSE', content), 'text/plain .txt', encoding)
  }
})

t.test('names of texts', async t => {
  const rows: [string, string | Buffer, string][] = [
    ['sitemap.xml', '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"/>', 'application/xml .xml'],
    ['a.xml', latin('<?xml version="1.0" encoding="ISO-8859-1"?><a>Größe</a>'), 'application/xml .xml'],
    ['a.xml', '<html><script>alert(1)</script></html>', 'application/xml .xml'],
    ['a.xml', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'application/xml .xml'],
    ['feed.rss', '<rss version="2.0"/>', 'application/rss+xml .rss'],
    ['track.gpx', latin('<gpx creator="Größe"/>'), 'application/gpx+xml .gpx'],
    ['App.vue', '<template><div/></template><script>1</script>', 'text/plain .vue'],
    ['a.svelte', '<script>1</script>', 'text/plain .svelte'],
    ['README', '<p align="center">Plinth</p>', 'text/plain .txt'],
    ['a.css', '<style>a {}</style>', 'text/css .css'],
    ['a.json', '"<html>"', 'application/json .json'],
    ['a.ts', 'export const a = 1', 'video/mp2t .ts'],
    ['a.ics', 'BEGIN:VCALENDAR\n', 'text/calendar .ics'],
    ['a.vcf', latin('BEGIN:VCARD\nFN:Müller\n'), 'text/vcard .vcf'],
    ['a.vtt', 'WEBVTT\n\n', 'text/vtt .vtt'],
    ['a.py', 'print(1)', 'text/plain .py'],
    ['a.js', 'BM = 1', 'text/javascript .js'],
    ['a.html', latin('<p>Größe'), 'text/html .html'],
    ['a.html', 'no markup', 'text/html .html'],
    ['a.svg', latin('<?xml version="1.0" encoding="ISO-8859-1"?><!-- ö --><svg/>'), 'image/svg+xml .svg'],
    ['a.pdf', '%PDF-1.4\n', 'application/pdf .pdf'],
    ['a.txt', '%PDF-1.4\n', 'application/pdf .pdf'],
  ]
  for (const [name, content, expected] of rows) t.equal(await kind(name, content), expected, `${name} ${content}`)
})

t.test('security.md row 79: what a browser would run is not what its name hides', async t => {
  const page = '<html><script>alert(1)</script></html>'
  for (const name of ['a.png', 'a.mp4', 'a.pdf', 'a.zip', 'a.woff2'])
    t.equal(await kind(name, page), 'text/html .html', name)
  t.equal(await kind('a.svg', page), 'text/html .html', 'a page is no picture')
  t.equal(await kind('a.png', '<svg><script>alert(1)</script></svg>'), 'image/svg+xml .svg')
  t.equal(await kind('a.png', latin(`${page}é`)), 'application/octet-stream .bin')
  t.equal(await kind('a.png', wide(page)), 'application/octet-stream .bin')
  t.equal(await kind('a.svg', 'no markup'), 'text/plain .txt')
  t.equal(await kind('a.js', 'GIF89a=1'), 'image/gif .gif')
  t.equal(await kind('a.csv', Buffer.from([1, 0, 2, 3])), 'application/octet-stream .bin', 'what is no text')
  t.equal(await kind('a.html', Buffer.from([1, 0, 2, 3])), 'application/octet-stream .bin')
  t.equal(await kind('a.csv', await picture(4, 4)), 'image/png .png', 'a picture is none of the texts')
  t.equal(await kind('a.xyzzy', Buffer.from([1, 0, 2, 3])), 'application/octet-stream .xyzzy', 'nobody knows it')
  t.equal(await kind('blob', Buffer.from([1, 0, 2, 3])), 'application/octet-stream .bin')
  t.equal(await kind('blob', page, 'text/html'), 'text/html .html')
})

t.test('the extension keeps its case', async t => {
  const { uploaded, get, form } = await start(t)
  const png = await picture(600, 300)
  const text = await uploaded('read me.TXT', 'text')
  t.match(text, { name: 'read me.TXT', ext: '.TXT', mime: 'text/plain', hash: /^read_me_[0-9a-f]{10}$/ })
  t.equal(text.url, `/uploads/${text.hash}.TXT`)
  t.match((await get(text.url)).headers.get('content-type'), 'text/plain')
  const photo = await uploaded('IMG_1.PNG', png)
  t.match(photo, { ext: '.PNG', mime: 'image/png', formats: { thumbnail: { ext: '.PNG', hash: /^thumbnail_IMG_1_/ } } })
  const { status, headers } = await get(photo.formats.thumbnail.url)
  t.match([status, headers.get('content-type')], [200, 'image/png'])
  const replaced = await form(`/api/upload?id=${photo.id}`, [{ name: 'files', filename: 'other.png', content: png }])
  t.match(replaced.body, { ext: '.PNG', url: photo.url })
  t.match(
    await uploaded('PAGE.PNG', '<html></html>'),
    { ext: '.html', mime: 'text/html' },
    'what does not fit is replaced',
  )
  t.equal((await get(`/uploads/${text.hash}.txt`)).status, 404, 'a name is one file')
  const page = await uploaded('PAGE.HTML', '<html></html>')
  t.match(page, { ext: '.HTML', mime: 'text/html' })
  t.equal((await get(page.url)).headers.get('content-disposition'), 'attachment')
})

t.test('a TIFF whose directory is far behind', async t => {
  const { uploaded } = await start(t)
  const scan = await sharp({ create: { width: 600, height: 300, channels: 3, background: 'gray' } })
    .tiff({ compression: 'none' })
    .toBuffer()
  t.ok(scan.readUInt32LE(4) > 4100, 'the directory is behind the pixels')
  const known = { mime: 'image/tiff', width: 600, height: 300, formats: { small: { width: 500, height: 250 } } }
  t.match(await uploaded('scan.tif', scan), { ...known, ext: '.tif' })
  t.match(await uploaded('SCAN.TIFF', scan), { ...known, ext: '.TIFF' })
  t.match(await uploaded('scan.jpg', scan), { ...known, ext: '.tif' })
  t.equal(await kind('a.tif', Buffer.concat([Buffer.from('MM\0*'), Buffer.alloc(4096, 1)])), 'image/tiff .tif')
  t.equal(await kind('a.dng', Buffer.concat([Buffer.from('II*\0'), Buffer.alloc(4096, 1)])), 'image/x-adobe-dng .dng')
})
