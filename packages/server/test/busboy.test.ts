// Why bodies are not read by @fastify/busboy: what it loses or guesses where readParts reads or refuses. A test that fails
// after an upgrade of @fastify/busboy is a reason to check again whether it could replace the parser.

import type { IncomingMessage } from 'node:http'
import { PassThrough, Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { Busboy } from '@fastify/busboy'
import t from 'tap'
import { readParts } from '../src/transport.ts'

const headers = { 'content-type': 'multipart/form-data; boundary=b' } as const
const disposition = 'Content-Disposition: form-data; name="a"'

/** The names and values of the fields that busboy reads, the names of files alone. */
async function readByBusboy(body: Buffer): Promise<string[]> {
  const parser = new Busboy({ headers })
  const read: string[] = []
  parser.on('field', (name, value) => void read.push(`${name}=${value}`))
  parser.on('file', (_name, stream, filename) => {
    read.push(filename)
    stream.resume()
  })
  const finished = new Promise<void>((resolve, reject) => {
    parser.on('finish', resolve)
    parser.on('error', reject)
  })
  parser.end(body)
  await finished
  return read
}

/** The same, by readParts. */
async function readByParts(body: Buffer): Promise<string[]> {
  const request = Object.assign(Readable.from([body], { objectMode: false }), { headers, socket: new PassThrough() })
  const read: string[] = []
  for await (const part of readParts(request as unknown as IncomingMessage, { fieldLimit: 1000 }))
    read.push(part.kind === 'file' ? part.filename : `${part.name}=${part.value.toString()}`)
  return read
}

const bodyOf = (lines: string, boundary = '--b') =>
  Buffer.from(`${boundary}\r\n${lines}\r\n\r\nx\r\n--b--\r\n`, 'latin1')

t.test('bodies that are read', async t => {
  const padded = bodyOf(disposition, '--b \t')
  t.same(await readByParts(padded), ['a=x'])
  t.same(await readByBusboy(padded), [], 'busboy loses a part whose boundary is padded, which RFC 2046 allows')

  const named = bodyOf(`${disposition}; filename="x%22y.png"`)
  t.same(await readByParts(named), ['x"y.png'])
  t.same(await readByBusboy(named), ['x%22y.png'], 'busboy does not read quotes as browsers send them')
})

t.test('bodies that are refused', async t => {
  const cases: [of: string, body: Buffer, guessed: string[], words: RegExp][] = [
    ['a part without a disposition', bodyOf('X: y'), [], /a part has no name/],
    ['another disposition', bodyOf('Content-Disposition: attachment; name="a"'), [], /a part has no name/],
    ['a part without a name', bodyOf('Content-Disposition: form-data'), ['undefined=x'], /a part has no name/],
    ['two names', bodyOf(`${disposition}; name="b"`), ['b=x'], /parameter name more than once/],
    ['two dispositions', bodyOf(`${disposition}\r\n${disposition}`), ['a=x'], /more than one Content-Disposition/],
    ['a line feed in a header', bodyOf(`${disposition}\nX: y`), [], /header of a part is malformed/],
    ['a folded header', bodyOf(`${disposition}\r\n folded`), ['a=x'], /header of a part is malformed/],
    ['text behind a boundary', bodyOf(disposition, '--bX: y'), ['a=x'], /followed by other text/],
    ['a large header', bodyOf(`${disposition}\r\nX: ${'y'.repeat(100_000)}`), ['a=x'], /header of a part is too large/],
    ['base64', bodyOf(`${disposition}\r\nContent-Transfer-Encoding: base64`), ['a=x'], /base64 is not supported/],
    ['a name that is not UTF-8', bodyOf(disposition.replace('"a"', '"\xe9"')), ['\ufffd=x'], /not UTF-8/],
    ['a file name that is not UTF-8', bodyOf(`${disposition}; filename*=UTF-8''%E9`), ['\ufffd'], /is not UTF-8/],
    ['a megabyte before the first part', bodyOf(disposition, `${'y'.repeat(1e6)}\r\n--b`), ['a=x'], /does not begin/],
  ]
  for (const [of, body, guessed, words] of cases) {
    await t.rejects(readByParts(body), { status: 400, message: words }, of)
    t.same(await readByBusboy(body), guessed, `${of}: busboy reports nothing`)
  }
})

t.test('a file whose reader destroys it: busboy never reads the rest', async t => {
  const parser = new Busboy({ headers })
  const names: string[] = []
  parser.on('file', (name, stream) => {
    names.push(name)
    stream.destroy()
  })
  const finished = new Promise<string>(resolve => void parser.on('finish', () => resolve('finished')))
  const file = (name: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"; filename="f"\r\n\r\n${'x'.repeat(200_000)}\r\n`
  const body = Buffer.from(`${file('a')}${file('c')}--b--\r\n`)
  const chunks = Array.from({ length: Math.ceil(body.length / 5000) }, (_, i) =>
    body.subarray(i * 5000, i * 5000 + 5000),
  )
  Readable.from(chunks).pipe(parser)
  t.equal(await Promise.race([finished, wait(1000, 'waiting')]), 'waiting')
  t.same(names, ['a'], 'read-parts.test.ts has the same body for readParts')
})
