// readParts: parts in order at whatever places the network cuts the body, flat memory, and an end at once when the
// client goes or the reader stops.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { PassThrough, Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { Busboy } from '@fastify/busboy'
import { PlinthError } from '@plinth/kernel'
import { processorSince } from '@plinth/test-tools/processor'
import fc from 'fast-check'
import t from 'tap'
import { type MultipartPart, type PartLimits, readParts } from '../src/transport.ts'

const boundary = 'frontier'
const type = `multipart/form-data; boundary=${boundary}`
const limits: PartLimits = { fieldLimit: 100_000 }

interface Sent {
  readonly name: string
  readonly filename: string | null
  readonly content: Buffer
}

function encode(parts: readonly Sent[]): Buffer {
  const texts = parts.flatMap(({ name, filename, content }) => {
    const file = filename === null ? '' : `; filename="${filename}"\r\nContent-Type: image/png`
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`
    return [Buffer.from(head), content, Buffer.from('\r\n')]
  })
  return Buffer.concat([...texts, Buffer.from(`--${boundary}--\r\n`)])
}

/** Cuts a body at the given places, which repeat. */
function cut(body: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = []
  for (let at = 0; at < body.length; at += chunks.at(-1)!.length)
    chunks.push(body.subarray(at, at + sizes[chunks.length % sizes.length]!))
  return chunks
}

function requestOf(chunks: Iterable<Buffer>, contentType = type): IncomingMessage {
  const request = Readable.from(chunks, { objectMode: false, highWaterMark: 64 })
  return Object.assign(request, {
    headers: { 'content-type': contentType },
    socket: new PassThrough(),
  }) as unknown as IncomingMessage
}

async function gather(stream: Readable): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

async function contentOf(part: MultipartPart): Promise<Buffer> {
  return part.kind === 'field' ? part.value : gather(part.stream)
}

async function readAll(request: IncomingMessage, some = limits): Promise<Sent[]> {
  const parts: Sent[] = []
  for await (const part of readParts(request, some)) {
    const filename = part.kind === 'file' ? part.filename : null
    parts.push({ name: part.name, filename, content: await contentOf(part) })
  }
  return parts
}

/** What another parser reads. */
async function oracle(chunks: readonly Buffer[]): Promise<Sent[]> {
  const parts: Promise<Sent>[] = []
  const parser = new Busboy({ headers: { 'content-type': type }, isPartAFile: () => true })
  parser.on('file', (name: string, stream: Readable, filename?: string) => {
    parts.push(gather(stream).then(content => ({ name, filename: filename ?? null, content })))
  })
  Readable.from(chunks).pipe(parser)
  await once(parser, 'finish')
  return Promise.all(parts)
}

/** Bytes that look like parts of the body's own syntax. */
const content = fc
  .array(
    fc.oneof(
      fc.constantFrom('\r', '\n', '\r\n', '\r\n-', '\r\n--', '\r\n--f', '\r\n--frontie', '--frontier', '\r\r\n--fr'),
      fc.string(),
    ),
    { maxLength: 60 },
  )
  .map(texts => texts.join(''))
  .filter(text => !`\r\n${text}\r\n`.includes(`\r\n--${boundary}`))
  .map(text => Buffer.from(text))
const sent = fc.record({
  name: fc.constantFrom('data', 'files.cover', 'files.zone[0].images', 'ü'),
  filename: fc.constantFrom(null, 'a.png', 'ü 😀.jpg', "it's;=.txt"),
  content,
})
const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 9 })

t.test('bodies cut anywhere give the same parts', async t => {
  await fc.assert(
    fc.asyncProperty(fc.array(sent, { maxLength: 6 }), sizes, async (parts, sizes) => {
      const chunks = cut(encode(parts), sizes)
      const read = await readAll(requestOf(chunks))
      t.same(read, parts)
      if (parts.length > 0) t.same(read, await oracle(chunks))
    }),
    { numRuns: 200 },
  )
})

t.test('damaged bodies are read or refused, and always end', async t => {
  const edit = fc.record({
    at: fc.nat(),
    drop: fc.nat({ max: 12 }),
    put: fc.constantFrom('', '\r\n', '"', ';', '--', ' '),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(sent, { minLength: 1, maxLength: 4 }), sizes, edit, async (parts, sizes, edit) => {
      const body = encode(parts)
      const at = edit.at % body.length
      const damaged = [body.subarray(0, at), Buffer.from(edit.put), body.subarray(at + edit.drop)]
      const read = await readAll(requestOf(cut(Buffer.concat(damaged), sizes))).catch((error: unknown) => error)
      if (!Array.isArray(read)) t.match(read, { status: 400, message: /^Invalid multipart body: / })
    }),
    { numRuns: 500 },
  )
})

t.test('names and file names', async t => {
  const read = async (lines: string) => {
    const body = `--${boundary}\r\n${lines}\r\n\r\nx\r\n--${boundary}--`
    for await (const part of readParts(requestOf([Buffer.from(body)]), limits)) {
      const { kind, name } = part
      return kind === 'file' ? { kind, name, filename: part.filename, mime: part.mime } : { kind, name }
    }
    throw new TypeError('no part')
  }
  const disposition = 'Content-Disposition: form-data'
  const file = { kind: 'file', name: 'a', mime: 'application/octet-stream' }
  t.same(await read(`${disposition}; name=a`), { kind: 'field', name: 'a' })
  t.same(await read(`content-disposition:Form-Data;name="a;b"`), { kind: 'field', name: 'a;b' })
  t.same(await read(`${disposition}; name="a"; filename="x%22y%0D%0Az%20.png"`), {
    ...file,
    filename: 'x"y\r\nz%20.png',
  })
  t.same(await read(`${disposition}; name="a"; filename="C:\\x\\y \\"z\\".png"`), {
    ...file,
    filename: 'C:\\x\\y "z".png',
  })
  t.same(await read(`${disposition}; name="a"; filename="e.png"; filename*=UTF-8''%C3%A9.png`), {
    ...file,
    filename: 'é.png',
  })
  t.same(await read(`${disposition}; name="a"; filename="../../x"`), { ...file, filename: '../../x' })
  t.same(await read(`${disposition}; name="a"; filename=""`), { ...file, filename: '' }, 'a file without a name')
  const typed = `${disposition}; name="a"; filename="e"\r\nContent-Type: Image/SVG+xml; charset=utf-8`
  t.same(await read(typed), { ...file, filename: 'e', mime: 'image/svg+xml' })
  t.match(await read(`${disposition}; name="a"; filename="e"\r\nContent-Type: <b>`), { mime: file.mime })

  const refused: [lines: string, words: RegExp][] = [
    ['Content-Type: text/plain', /a part has no name/],
    [disposition, /a part has no name/],
    ['Content-Disposition: attachment; name="a"', /a part has no name/],
    [`${disposition}; name="a"; name="b"`, /parameter name more than once/],
    [`${disposition}; name="a"\r\n${disposition}; name="b"`, /more than one Content-Disposition/],
    [`${disposition}; name="a`, /parameters of a header are malformed/],
    [`${disposition}; name="a"; filename*=latin1''%E9`, /filename\* is not UTF-8/],
    [`${disposition}; name="a"; filename*=UTF-8''%E9`, /filename\* is not UTF-8/],
    [`${disposition}; name="a"\r\nContent-Transfer-Encoding: base64`, /base64 is not supported/],
    [`${disposition}; name="a"\r\n folded`, /header of a part is malformed/],
    [`${disposition}; name="a"\nX: y`, /header of a part is malformed/],
    [`${disposition}; name="a"\r\nX: ${'y'.repeat(20_000)}`, /header of a part is too large/],
  ]
  for (const [lines, words] of refused)
    await t.rejects(read(lines), { status: 400, message: words }, lines.slice(0, 80))
  const latin = Buffer.from(`--${boundary}\r\n${disposition}; name="\xe9"\r\n\r\nx\r\n--${boundary}--`, 'latin1')
  await t.rejects(readAll(requestOf([latin])), { status: 400, message: /not UTF-8/ })
})

t.test('hostile headers take linear time', async t => {
  const lines = [
    `Content-Disposition: form-data; name="${'\\a'.repeat(8000)}`,
    `Content-Disposition: form-data${'; '.repeat(8000)}x`,
    `Content-Disposition: form-data;${' '.repeat(16_000)}x y`,
    `X:${' '.repeat(16_000)}x`,
  ]
  for (const line of lines) {
    const began = process.cpuUsage()
    await t.rejects(readAll(requestOf([Buffer.from(`--${boundary}\r\n${line}\r\n\r\n`)])), {
      status: 400,
      message: /Invalid/,
    })
    t.ok(processorSince(began) < 1000, line.slice(0, 40))
  }
})

t.test('bodies', async t => {
  const body = encode([{ name: 'a', filename: null, content: Buffer.from('1') }])
  const texts = (parts: readonly Sent[]) => parts.map(({ name, content }) => `${name}=${content}`)
  const of = (...some: (Buffer | string)[]) => readAll(requestOf([Buffer.concat(some.map(one => Buffer.from(one)))]))
  t.same(texts(await of(body)), ['a=1'])
  t.same(texts(await of('preamble\r\n', body, 'epilogue')), ['a=1'], 'what surrounds the parts is ignored')
  t.same(texts(await of(body.toString().replace('frontier\r\n', 'frontier \t\r\n'))), ['a=1'])
  t.same(await of(`--${boundary}--`), [])
  t.same(texts(await readAll(requestOf([body], 'Multipart/Form-Data; x=y; boundary="frontier"'))), ['a=1'])
  const failed: [Promise<unknown>, RegExp][] = [
    [of(''), /the body ends too early/],
    [of(body.subarray(0, -5)), /the body ends too early/],
    [of('x'.repeat(20_000), body), /does not begin with its boundary/],
    [of(body.toString().replace('frontier\r\n', 'frontierx\r\n')), /followed by other text/],
    [readAll(requestOf([body], 'multipart/form-data')), /Boundary not found/],
    [readAll(requestOf([body], 'multipart/form-data; boundary=""')), /Boundary not found/],
    [readAll(requestOf([body], 'multipart/form-data; boundary="ü"')), /boundary has too many or invalid/],
    [readAll(requestOf([body], 'multipart/mixed; boundary=frontier')), /not multipart\/form-data/],
  ]
  for (const [read, words] of failed) await t.rejects(read, { status: 400, message: words })
})

t.test('limits', async t => {
  const part = (content: string, filename: string | null = null): Sent => ({
    name: 'a',
    filename,
    content: Buffer.from(content),
  })
  const read = (parts: readonly Sent[], some: PartLimits) => readAll(requestOf(cut(encode(parts), [100])), some)
  t.equal((await read([part('x'.repeat(10))], { fieldLimit: 10 })).length, 1)
  await t.rejects(read([part('x'.repeat(11))], { fieldLimit: 10 }), {
    status: 413,
    message: 'request entity too large',
  })
  t.equal((await read([part('x'.repeat(999), 'f')], { fieldLimit: 1, fileLimit: 999 })).length, 1)
  await t.rejects(read([part('x'.repeat(1000), 'f')], { fieldLimit: 1, fileLimit: 999 }), {
    status: 413,
    message: 'FileTooBig',
  })
  const many = (count: number) => Array.from({ length: count }, () => part('x'))
  t.equal((await read(many(1000), limits)).length, 1000)
  await t.rejects(read(many(1001), limits), { status: 400, message: /has more than 1000 parts/ })
  await t.rejects(read(many(3), { ...limits, maxParts: 2 }), { status: 400, message: /has more than 2 parts/ })
})

t.test('files that are not read', async t => {
  const file = (content: string): Sent => ({ name: content.slice(0, 1), filename: 'f', content: Buffer.from(content) })
  const body = encode([file('a'.repeat(300_000)), file('b'.repeat(300_000)), file('c'), { ...file(''), filename: '' }])
  const names: string[] = []
  for await (const part of readParts(requestOf(cut(body, [5000])), limits)) {
    names.push(part.name)
    if (part.kind === 'file' && part.name === 'b') part.stream.destroy(new TypeError('the disk is full'))
  }
  t.same(names, ['a', 'b', 'c'], 'are skipped; an empty input is no file')

  const late: Promise<Buffer>[] = []
  for await (const part of readParts(requestOf(cut(body, [5000])), limits)) late.push(contentOf(part))
  const lengths = (await Promise.all(late)).map(({ length }) => length)
  t.same(lengths, [300_000, 300_000, 1], 'the next part waits for one that is being read')
})

t.test('of a real connection', async t => {
  let handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  const server = createServer((request, response) => void handle(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => void server.close())
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="big"\r\n\r\n`
  const end = `\r\n--${boundary}--\r\n`
  const open = (size: number): Socket => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    t.teardown(() => void socket.destroy())
    socket.on('error', () => undefined)
    socket.write(
      `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: ${head.length + size + end.length}\r\n\r\n${head}`,
    )
    return socket
  }
  const pump = async (socket: Socket, size: number) => {
    const chunk = Buffer.alloc(1024 * 1024, 'x\r\n')
    for (let left = size; left > 0; left -= chunk.length) {
      if (socket.destroyed) return
      if (!socket.write(left < chunk.length ? chunk.subarray(0, left) : chunk)) await once(socket, 'drain')
    }
    socket.write(end)
  }

  t.test('memory stays flat for 500 MB', async t => {
    const size = 500 * 1024 * 1024
    let count = 0
    let top = 0
    const began = process.memoryUsage().rss
    const waits = Promise.withResolvers<void>()
    handle = async (request, response) => {
      for await (const part of readParts(request, limits)) {
        if (part.kind !== 'file') continue
        await waits.promise
        for await (const piece of part.stream) {
          count += (piece as Buffer).length
          top = Math.max(top, process.memoryUsage.rss())
        }
      }
      response.end('done')
    }
    const socket = open(size)
    const answer = once(socket, 'data')
    const pumped = pump(socket, size)
    await wait(500)
    t.ok(socket.bytesWritten < 50 * 1024 * 1024, 'a reader that waits holds the client back')
    waits.resolve()
    await pumped
    t.match(String(await answer), /200 OK\r\n.*done/s)
    t.equal(count, size)
    // What the garbage collector has not freed yet counts too; on a busy machine that is up to 110 MB.
    t.ok(top - began < 250 * 1024 * 1024, `${Math.round((top - began) / 1024 / 1024)} MB more`)
  })

  t.test('a client that goes', async t => {
    const begun = Promise.withResolvers<void>()
    const failed = Promise.withResolvers<unknown>()
    const closed = Promise.withResolvers<number>()
    let gone = 0
    handle = async request => {
      try {
        for await (const part of readParts(request, limits)) {
          if (part.kind === 'file') part.stream.on('close', () => closed.resolve(performance.now() - gone))
          begun.resolve()
          await closed.promise
        }
      } catch (error) {
        failed.resolve(error)
      }
    }
    const socket = open(1_000_000)
    await begun.promise
    gone = performance.now()
    socket.destroy()
    t.ok((await closed.promise) < 500, 'the stream is destroyed at once, although nobody reads it')
    t.match(await failed.promise, { status: 400, message: 'The client closed the connection' })
  })

  t.test('a reader that stops', async t => {
    handle = async (request, response) => {
      try {
        for await (const _part of readParts(request, limits)) throw new PlinthError(403, 'ForbiddenError', 'Forbidden')
      } catch (error) {
        response.writeHead((error as PlinthError).status).end()
      }
    }
    const size = 100 * 1024 * 1024
    const socket = open(size)
    const answer = once(socket, 'data')
    const pumped = pump(socket, size)
    t.match(String((await answer)[0]), /^HTTP\/1.1 403/)
    t.ok(socket.bytesWritten < size, 'the answer arrives while the client is sending')
    await pumped
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    handle = async (_request, response) => void response.end('again')
    t.match(String((await once(socket, 'data'))[0]), /^HTTP\/1.1 200/, 'and the connection remains usable')
  })

  t.test('a signal', async t => {
    const failed = Promise.withResolvers<unknown>()
    const controller = new AbortController()
    const { signal } = controller
    handle = async (request, response) => {
      const streamed = Promise.withResolvers<unknown>()
      const read = async () => {
        for await (const part of readParts(request, { ...limits, signal })) {
          setTimeout(() => controller.abort(new DOMException('It takes too long', 'TimeoutError')), 100)
          await contentOf(part).catch(streamed.resolve)
        }
      }
      await read().catch(async error => failed.resolve([error, await streamed.promise]))
      response.end()
    }
    open(1_000_000)
    t.match(await failed.promise, [{ name: 'TimeoutError' }, { name: 'TimeoutError' }])
    await t.rejects(readAll(requestOf([]), { ...limits, signal }), { name: 'TimeoutError' }, 'aborted before')
  })
})
