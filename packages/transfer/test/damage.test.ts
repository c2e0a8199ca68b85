// Archives that are damaged or hostile: one changed bit is found and named wherever it is, and nothing but whole files with
// names of their own is taken from an archive.

import { createCipheriv, scryptSync } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gunzipSync, gzipSync } from 'node:zlib'
import { createKernel, type Kernel } from '@plinth/kernel'
import t, { type Test } from 'tap'
import { Header } from 'tar'
import { ArchiveWriter, endText, lineOf, linesOf, names, openArchive, WrittenSums } from '../src/archive.ts'
import { entityItems } from '../src/format/v4-format.ts'
import { type Survey, surveyArchive } from '../src/index.ts'

const folder = await mkdtemp(join(tmpdir(), 'plinth-transfer-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))

const kernel: Kernel = await createKernel({
  database: { client: 'sqlite', connection: { filename: ':memory:' } },
  contentTypes: [
    {
      uid: 'api::note.note',
      kind: 'collectionType',
      collectionName: 'notes',
      info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
      attributes: { title: { type: 'string' } },
    },
  ],
})
t.teardown(() => kernel.close())

const key = 'some words'

function encrypted(bytes: Buffer): Buffer {
  const cipher = createCipheriv('aes-128-ecb', scryptSync(key, '', 16), null)
  return Buffer.concat([cipher.update(bytes), cipher.final()])
}

let number = 0
async function surveyOf(bytes: Buffer): Promise<Survey> {
  const path = join(folder, `archive-${number++}`)
  await writeFile(path, bytes)
  try {
    return await surveyArchive({ archive: await openArchive(path, key), model: kernel.contentTypes }, kernel, null)
  } finally {
    await rm(path)
  }
}

/** The message of the refusal; null if the archive is taken. */
const refusalOf = (bytes: Buffer) =>
  surveyOf(bytes).then(
    () => null,
    (error: Error) => error.message,
  )

const note = (id: number) =>
  lineOf({ kind: 'row', table: 'api::note.note', row: { id, title: `note ${id}` }, hasFiles: false })

/** An archive as an export writes it; every file is followed by a list of checksums, as after a checkpoint. */
async function exported(isCompressed: boolean): Promise<Buffer> {
  const path = join(folder, 'exported')
  await rm(path, { force: true })
  let position = 0
  let lists = 0
  const long = `assets/uploads/${'long_'.repeat(30)}.txt`
  const steps: ((archive: ArchiveWriter) => Promise<void>)[] = [
    archive => archive.add(names.metadata, JSON.stringify({ format: 'plinth', version: 1 }, null, 2)),
    archive => archive.add(names.rows(1), [1, 2, 3].map(note).join('')),
    archive => archive.addStream(long, 9, Readable.from([Buffer.from('some text')])),
    archive => archive.addStream('assets/uploads/b.txt', 512, Readable.from([Buffer.alloc(512, 'b')])),
  ]
  for (const [i, step] of steps.entries()) {
    // Each by a writer of its own, as of an export that was interrupted.
    const sums = new WrittenSums(lists)
    const opening = { isCompressed, position, mtime: new Date(5000), onFile: sums.note.bind(sums) }
    const archive = await ArchiveWriter.open(path, opening)
    await step(archive)
    await sums.writeTo(archive)
    lists = sums.lists
    position = await archive.checkpoint()
    if (i === steps.length - 1) {
      const size = await archive.seal(names.end, sha256 => endText({ lines: 3, files: 2, sha256 }))
      t.equal(size, (await readFile(path)).length)
    }
    await archive.close()
  }
  return readFile(path)
}

let tar: Buffer
let gz: Buffer
let forms: Readonly<Record<string, Buffer>> = {}
await t.test('archives of all forms, each written by several processes', async t => {
  tar = await exported(false)
  gz = await exported(true)
  forms = { tar, 'tar.gz': gz, 'tar.enc': encrypted(tar), 'tar.gz.enc': encrypted(gz) }
  for (const [form, bytes] of Object.entries(forms))
    t.match(await surveyOf(bytes), { isChecked: true, files: 2, faults: [] }, form)
})

/** Where the files of a tar begin, with their headers. */
function regionsOf(bytes: Buffer): { readonly path: string; readonly start: number; readonly end: number }[] {
  const regions = []
  for (let at = 0; at < bytes.length; ) {
    const header = new Header(bytes, at)
    if (header.nullBlock) break
    const end = at + 512 + Math.ceil((header.size ?? 0) / 512) * 512
    regions.push({ path: header.path!, start: at, end })
    at = end
  }
  return regions
}

await t.test('one changed bit is found, wherever it is', async t => {
  for (const [form, bytes] of Object.entries(forms)) {
    // Few of those that are encrypted, because it takes long to derive a key.
    const step = form.endsWith('.enc') ? 301 : 37
    const all = Array.from({ length: bytes.length }, (_, at) => at)
    const positions = all.filter(at => at % step === 0 || (step === 37 && (at < 12 || at > bytes.length - 24)))
    for (const at of positions) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1 << (Math.floor(at / step) & 7)
      const refusal = await refusalOf(changed)
      if (refusal === null) t.fail(`${form}: a bit of byte ${at} is not found`)
    }
    for (const more of [Buffer.alloc(512), Buffer.from('x'), gzipSync('x'), bytes])
      t.type(await refusalOf(Buffer.concat([bytes, more])), 'string', `${form}: ${more.length} bytes behind its end`)
    for (const less of [1, 512, 1024, 1536, 2048])
      t.type(await refusalOf(bytes.subarray(0, -less)), 'string', `${form}: ${less} bytes are missing`)
  }
})

await t.test('a changed bit is named', async t => {
  const regions = regionsOf(tar)
  t.ok(regions.length > 8)
  for (const [i, { path, start, end }] of regions.entries()) {
    const content = Buffer.from(tar)
    content[start + 512]! ^= 0x04
    const refusal = await refusalOf(content)
    const isList = path.startsWith('checksums/') || path.startsWith('PaxHeader/')
    const name = isList ? /checksums|behind checksums/ : new RegExp(path.replaceAll('.', '\\.'))
    t.match(refusal, name, `the content of ${path}`)
    const header = Buffer.from(tar)
    header[start + 300]! ^= 1
    const before = i === 0 ? /at the beginning/ : /(behind|in) (rows|assets|checksums|metadata|"assets)/
    t.match(await refusalOf(header), before, `the header of ${path}`)
    const fill = Buffer.from(tar)
    fill[end - 1]! ^= 1
    t.type(await refusalOf(fill), 'string', `what fills up ${path}`)
  }
  // What gzip has checked before the damage is not lost: the members of gzip end at the checkpoints.
  const members = Array.from({ length: gz.length - 1 }, (_, at) => at).filter(
    at => gz[at] === 0x1f && gz[at + 1] === 0x8b,
  )
  const late = Buffer.from(gz)
  late[members[3]! - 6]! ^= 1
  t.match(await refusalOf(late), /(in|behind) (metadata|rows|checksums|assets)/, 'the checksum of a member of gzip')
  const several = Buffer.from(
    tar.toString('latin1').replace('"note 1"', '"note 7"').replace('some text', 'same text'),
    'latin1',
  )
  t.match(
    await refusalOf(several),
    /rows_00001\.jsonl is not as it was exported[\s\S]*long_\.txt is not as it was/,
    'each fault',
  )
  const broken = Buffer.from(tar.toString('latin1').replaceAll('{"row"', '["row"'), 'latin1')
  t.match(
    await refusalOf(broken),
    /line 1 is not a JSON object[\s\S]*line 2 is not a JSON[\s\S]*line 3 is not a JSON/,
    'each line',
  )
})

interface Entry {
  readonly path: string
  readonly content?: string | Buffer
  readonly type?: string
  readonly size?: number
  readonly linkpath?: string
}

const meta: Entry = { path: names.metadata, content: '{ "format": "plinth", "version": 1 }' }
const end = (lines: number, files: number): Entry => ({ path: names.end, content: JSON.stringify({ lines, files }) })

/** A tar by hand; `size` may lie. */
function pack(entries: readonly Entry[]): Buffer {
  const blocks = entries.flatMap(({ path, content = '', type = 'File', size, linkpath }) => {
    const body = Buffer.from(content)
    const header = new Header({
      path,
      size: size ?? body.length,
      mode: 0o600,
      mtime: new Date(0),
      linkpath: linkpath ?? '',
    })
    header.type = type as 'File'
    header.encode()
    return [header.block!, body, Buffer.alloc((512 - (body.length % 512)) % 512)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

await t.test('archives that other programs have packed again, or that have no checksums', async t => {
  t.match(await surveyOf(gunzipSync(gz)), { isChecked: true }, 'unpacked')
  t.match(
    await refusalOf(gzipSync(tar)),
    /all files are: the archive was damaged, or another program has compressed it/,
  )
  const old = [meta, { path: names.rows(1), content: note(1) }, end(1, 0)]
  t.match(await surveyOf(pack(old)), { isChecked: false, entries: new Map([['api::note.note', 1]]) })
})

const asset = (path: string, more: Partial<Entry> = {}): Entry => ({
  path: `assets/uploads/${path}`,
  content: 'x',
  ...more,
})
const record = (text: string) => {
  let length = text.length + 3
  while (String(length).length + text.length + 2 !== length) length++
  return `${length} ${text}\n`
}
const pax = (text: string, type = 'ExtendedHeader'): Entry => ({ path: 'PaxHeader/x', type, content: record(text) })

const hostile: Readonly<Record<string, readonly [entries: readonly Entry[], expected: RegExp]>> = {
  'a name that leads out': [
    [asset('../../../evil.txt')],
    /the name "?assets\/uploads\/\.\.\/.+ leads out of the archive/,
  ],
  'an absolute name': [[{ path: '/tmp/evil.txt', content: 'x' }], /\/tmp\/evil\.txt leads out/],
  'a name of Windows': [[{ path: 'C:/evil.txt', content: 'x' }], /evil\.txt leads out/],
  'backslashes that lead out': [[asset('..\\..\\evil.txt')], /leads out/],
  'a name of pax that leads out': [[pax('path=/tmp/evil.txt'), asset('a.txt')], /\/tmp\/evil\.txt leads out/],
  'a name of GNU that leads out': [
    [{ path: '././@LongLink', type: 'NextFileHasLongPath', content: '../evil.txt\0' }, asset('a.txt')],
    /\.\.\/evil\.txt leads out/,
  ],
  'control characters': [[asset('a\u001b[2Jb.txt')], /a\\u001b\[2Jb\.txt" leads out/],
  'a symbolic link': [
    [asset('a.txt', { type: 'SymbolicLink', linkpath: '/etc/passwd', content: '' })],
    /a\.txt is a symbolic link/,
  ],
  'a hard link': [[asset('a.txt', { type: 'Link', linkpath: '/etc/passwd', content: '' })], /a\.txt is a hard link/],
  'a device': [[asset('a.txt', { type: 'CharacterDevice', content: '' })], /a\.txt is a device/],
  'a pipe': [[asset('a.txt', { type: 'FIFO', content: '' })], /a\.txt is a pipe/],
  'a sparse file of GNU': [[asset('a.txt', { type: 'SparseFile' })], /a\.txt is a sparse file/],
  'a sparse file of pax': [[pax('GNU.sparse.major=1'), asset('a.txt')], /sparse file/],
  'one name twice': [[asset('a.txt'), asset('b.txt'), asset('a.txt')], /has the name assets\/uploads\/a\.txt twice/],
  'names that differ in case': [[asset('a.txt'), asset('A.TXT')], /has the name .*A\.TXT twice \(case may differ\)/],
  'a size that is too large': [[asset('a.txt', { size: 8_000_000_000 })], /in assets\/uploads\/a\.txt, .*Truncated/],
  'a size that is too small': [
    [asset('a.txt', { content: 'x'.repeat(600), size: 5 })],
    /in assets\/uploads\/a\.txt|header is damaged/,
  ],
  'a size of pax that is not a number': [[pax('size=-1'), asset('a.txt')], /the size of the next file is not a number/],
  'a size for all files': [
    [pax('size=1', 'GlobalExtendedHeader'), asset('a.txt')],
    /gives all files one name or one size/,
  ],
  'records of pax that lie': [
    [{ path: 'x', type: 'ExtendedHeader', content: '9999 path=x\n' }, asset('a.txt')],
    /is damaged/,
  ],
  'a very long name': [[pax(`path=${'n'.repeat(5000)}`), asset('a.txt')], /a name has more than 1024 characters/],
  'a description without end': [
    [{ path: 'x', type: 'ExtendedHeader', content: Buffer.alloc(1_100_000, 0x20) }, asset('a.txt')],
    /has more than a megabyte/,
  ],
  'a folder with content': [
    [{ path: 'assets/', type: 'Directory', content: 'x', size: 1 }],
    /has content|header is damaged/,
  ],
  'an unknown kind': [[asset('a.txt', { type: 'Inode' })], /a\.txt is of an unknown kind/],
  'metadata without end': [
    [{ path: 'other.json', content: Buffer.alloc(2_000_000) }],
    /other\.json has more than a megabyte/,
  ],
  'text that is none': [
    [{ path: 'rows/a.jsonl', content: Buffer.from([0x7b, 0xff, 0x7d]) }],
    /rows\/a\.jsonl, line 1 is not text in UTF-8/,
  ],
  'deep JSON': [
    [{ path: 'rows/a.jsonl', content: `${note(1)}{"row":"x","values":${'['.repeat(30_000)}${']'.repeat(30_000)}}\n` }],
    /rows\/a\.jsonl, line 2 is nested more than 1000 levels deep/,
  ],
  'settings that are none': [
    [{ path: 'configuration/a.jsonl', content: 'x\n' }],
    /configuration\/a\.jsonl, line 1 is not a JSON/,
  ],
}

await t.test('hostile archives are refused, and the message says where and what', async t => {
  for (const [what, [entries, expected]] of Object.entries(hostile)) {
    const bytes = pack([meta, ...entries, end(0, 0)])
    for (const form of [bytes, gzipSync(bytes)]) {
      const refusal = await refusalOf(form)
      t.match(refusal, expected, what)
      t.notMatch(refusal, /call stack|\n\s+at |undefined/, what)
    }
  }
  t.match(await refusalOf(pack([meta, pax('path=x')])), /a long name has no file/)
  const behind = Buffer.concat([pack([meta, end(0, 0)]), pack([asset('a.txt')])])
  t.match(await refusalOf(behind), /behind end\.json, at byte \d+ .*something follows the end of the archive/)
})

await t.test('what is odd and harmless is read', async t => {
  const global = pax('comment=made by git', 'GlobalExtendedHeader')
  const folders: Entry[] = [
    { path: './', type: 'Directory' },
    { path: './rows/', type: 'Directory' },
  ]
  const entries = [global, ...folders, meta, { path: './rows/a.jsonl', content: `\n \n${note(1)}\n` }, end(1, 0)]
  t.match(await surveyOf(pack(entries)), { files: 0, faults: [], entries: new Map([['api::note.note', 1]]) })
  const ofWindows = [meta, { path: 'rows\\a.jsonl', content: note(1) }, end(1, 0)]
  const unknown = `{"row":"api::a.a\\u001b[2J","values":{}}\n{"row":"${'n'.repeat(100_000)}","values":{}}\n`
  const { unknown: listed } = await surveyOf(pack([meta, { path: 'rows/a.jsonl', content: unknown }, end(2, 0)]))
  t.same(
    [...listed],
    ['"api::a.a\\u001b[2J"', `"${'n'.repeat(200)}"`],
    'names are shown short, and harmless to terminals',
  )
  t.match(await surveyOf(pack(ofWindows)), { entries: new Map([['api::note.note', 1]]) })
})

/** So many times the same piece. */
async function* repeated(piece: Buffer, times: number): AsyncGenerator<Buffer> {
  for (let i = 0; i < times; i++) yield piece
}

async function linesFrom(content: AsyncIterable<Buffer>): Promise<(string | null)[]> {
  const faults: (string | null)[] = []
  for await (const { fault } of linesOf(content, 'rows/a.jsonl', 0)) faults.push(fault)
  return faults
}

async function lineWithoutEnd(t: Test): Promise<void> {
  const before = process.memoryUsage().arrayBuffers
  let most = 0
  async function* content() {
    // 256 MiB, of which a quarter may be kept; every piece has memory of its own.
    for (let i = 0; i < 4096; i++) {
      yield Buffer.alloc(65_536)
      if (i % 512 === 0) most = Math.max(most, process.memoryUsage().arrayBuffers - before)
    }
    yield Buffer.from(`\n${note(1)}`)
  }
  t.same(await linesFrom(content()), [
    'rows/a.jsonl, line 1 has more than 64 MiB, and no export writes such lines',
    null,
  ])
  t.ok(most < 160 * 1024 * 1024, `${most} bytes at a time`)
}

await t.test('lines take linear time and little memory', async t => {
  await lineWithoutEnd(t)
  t.same(await linesFrom(repeated(Buffer.alloc(65_536, '\n'), 200)), [], 'empty lines')
  const text = Buffer.from(`{"a":"${'[{'.repeat(5000)}\\"${'[{'.repeat(5000)}"}\n`)
  t.same(await linesFrom(repeated(text, 3)), [null, null, null], 'brackets in a text are not nested')
  const chunks = [...Buffer.from('{"ü":"é"}\n{"b":1}')].map(byte => Buffer.from([byte]))
  t.same(await linesFrom(Readable.from(chunks)), [null, null], 'byte by byte')
})

await t.test('an entry of v4 with very many components', async t => {
  // More than a call takes as arguments.
  const list = Array.from({ length: 150_000 }, (_, i) => ({ id: i }))
  const attribute = { kind: 'component', component: 'shared.part' }
  const type = { uid: 'api::a.a', attributes: new Map([['parts', attribute]]) }
  const model = { get: (uid: string) => (uid === 'api::a.a' ? type : undefined) } as unknown as Kernel['contentTypes']
  const value = { type: 'api::a.a', id: 1, data: { parts: list } }
  t.equal(entityItems({ number: 0, value }, model)!.length, 300_001)
})
