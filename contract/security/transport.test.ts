/** What only a socket allows (security.md rows 30, 45 and 46): long URLs, two content lengths, slow clients. */

import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import t from 'tap'
import { boot } from '../boot.ts'

t.test('the socket', async t => {
  const app = await boot(t)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo

  /** Sends bytes unchanged. Returns what was received, and whether the server closed the connection. */
  const sendRaw = (lines: readonly string[]) =>
    new Promise<{ text: string; closed: boolean }>((done, fail) => {
      const socket = connect(port, '127.0.0.1')
      let text = ''
      const timer = setTimeout(() => {
        socket.destroy()
        done({ text, closed: false })
      }, 1500)
      socket.on('data', chunk => {
        text += chunk
      })
      socket.on('error', error => ((error as NodeJS.ErrnoException).code === 'ECONNRESET' ? undefined : fail(error)))
      socket.on('close', () => {
        clearTimeout(timer)
        done({ text, closed: true })
      })
      socket.write(lines.join('\r\n'))
    })
  const status = (text: string) => Number(text.split(' ')[1])
  const body = (text: string) => JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as unknown

  t.test('security.md row 30: a URL of more than 16 KiB', async t => {
    const { text, closed } = await sendRaw([`GET /api/tags?a=${'x'.repeat(17_000)} HTTP/1.1`, 'Host: a', '', ''])
    t.equal(status(text), 431)
    t.match(body(text), { data: null, error: { status: 431, name: String, message: String } }, 'with the envelope')
    t.ok(closed, 'and hangs up')
    const header = await sendRaw(['GET /api/tags HTTP/1.1', 'Host: a', `X-Long: ${'x'.repeat(20_000)}`, '', ''])
    t.equal(status(header.text), 431, 'as for a header')
  })

  t.test('security.md row 41: bytes that are not HTTP', async t => {
    const { text, closed } = await sendRaw(['GET /api/tags?a=\0 HTTP/1.1', 'Host: a', '', ''])
    t.equal(status(text), 400)
    t.match(body(text), { data: null, error: { status: 400 } })
    t.ok(closed)
  })

  t.test('security.md row 45: two lengths for one body', async t => {
    const both = ['POST /api/tags HTTP/1.1', 'Host: a', 'Content-Type: application/json']
    const smuggled = ['', '0', '', 'GET /api/tags HTTP/1.1', 'Host: a', '', '']
    for (const lengths of [
      ['Content-Length: 4', 'Transfer-Encoding: chunked'],
      ['Transfer-Encoding: chunked', 'Content-Length: 4'],
      ['Content-Length: 4', 'Content-Length: 5'],
      ['Transfer-Encoding: xchunked'],
      ['Transfer-Encoding : chunked'],
    ]) {
      const { text, closed } = await sendRaw([...both, ...lengths, ...smuggled])
      t.equal(status(text), 400, lengths.join(' + '))
      t.ok(closed, 'the connection is closed')
      t.equal(text.split('HTTP/1.1 ').length, 2, 'one answer, none to what was smuggled in')
    }
  })

  t.test('security.md row 45: compressed bodies are not decompressed', async t => {
    const request = [
      'POST /api/tags HTTP/1.1',
      'Host: a',
      'Content-Type: application/json',
      'Content-Encoding: gzip',
      'Content-Length: 2',
      'Connection: close',
      '',
      '{}',
    ]
    const { text } = await sendRaw(request)
    t.ok([400, 415].includes(status(text)), 'is refused', { text })
  })

  t.test('security.md row 46: slow clients are limited', async t => {
    const { server } = app
    t.equal(server.headersTimeout, 10_000, 'headersTimeout')
    t.equal(server.requestTimeout, 30_000, 'requestTimeout')
    t.ok(server.keepAliveTimeout > 0 && server.keepAliveTimeout <= 120_000, 'idle connections end')
    t.notOk(server.maxRequestsPerSocket, 'a connection may have any number of requests')
    t.ok(server.maxConnections > 0, 'a connection cap')
  })
})
