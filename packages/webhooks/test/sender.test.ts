// Answers: those that do not end, come late, or are very long, and connections that the receiver has closed.

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import t, { type Test } from 'tap'
import { Addresses } from '../src/addresses.ts'
import { maxAnswerBytes, Sender } from '../src/sender.ts'
import { receive } from './fixtures/receiver.ts'

function senderOf(t: Test, timeout = 300): Sender {
  const sender = new Sender(new Addresses(['127.0.0.1']), timeout)
  t.teardown(() => sender.close())
  return sender
}

const request = (url: string) => ({ url, headers: { 'x-one': '1' }, body: '{"a":"ä"}' })

t.test('an answer is cut at 64 KiB', async t => {
  let isEnded = false
  const { url } = await receive(t, response => {
    response.on('close', () => {
      isEnded = true
    })
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(10_000)));
      if (!response.destroyed) response.once('drain', more)
    }
    more()
  })
  const outcome = await senderOf(t, 10_000).send(request(url))
  t.equal(outcome.status, 200)
  t.equal(outcome.fault, null)
  t.equal(outcome.answer.length, maxAnswerBytes)
  await new Promise(resolve => setImmediate(resolve))
  while (!isEnded) await new Promise(resolve => setTimeout(resolve, 5))
  t.pass('the connection is closed')
})

t.test('an answer that does not come in time is none', async t => {
  const { url, all } = await receive(t, () => {})
  t.match(await senderOf(t).send(request(url)), { status: null, fault: 'no answer within 0.3 s', isAborted: false })
  t.equal(all.length, 1)
})

t.test('an answer that does not end counts by its status', async t => {
  const { url, answer } = await receive(t, response => void response.writeHead(200).write('a bit'))
  const sender = senderOf(t)
  t.match(await sender.send(request(url)), { status: 200, fault: null, answer: 'a bit' })
  answer(response => void response.writeHead(500).write('a bit'))
  t.match(await sender.send(request(url)), { status: 500, fault: 'answered with 500', answer: 'a bit' })
})

t.test('what is sent', async t => {
  const { url, all } = await receive(t)
  t.match(await senderOf(t).send(request(url)), { status: 200, answer: 'ok' })
  t.match(all, [{ headers: { 'x-one': '1', 'content-length': '10' }, text: '{"a":"ä"}' }])
})

t.test('a server that is not there, and one that does not speak HTTP', async t => {
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.resume().end('what?\r\n\r\n')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const sender = senderOf(t)
  t.match(await sender.send(request(`http://127.0.0.1:${port}/secret`)), { status: null, fault: /Parse Error/ })
  server.close()
  await once(server, 'close')
  const { fault } = await sender.send(request(`http://127.0.0.1:${port}/secret`))
  t.match(fault, /ECONNREFUSED/)
  t.notMatch(fault, /secret/)
})

t.test('a kept connection that the receiver has closed is no failed attempt', async t => {
  const answer = 'HTTP/1.1 204 No Content\r\n\r\n'
  let requests = 0
  // Answers one request for each connection, and closes it when the next one comes.
  const server = createServer(socket => {
    let isUsed = false
    socket.on('error', () => {})
    socket.on('data', () => {
      if (isUsed) return socket.resetAndDestroy()
      isUsed = true
      requests++
      socket.write(answer)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const sender = senderOf(t, 5000)
  for (let i = 0; i < 3; i++)
    t.match(await sender.send(request(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)), { status: 204 })
  t.equal(requests, 3)
  sender.close()
})

t.test('a request that the end of the process ends is no failed attempt', async t => {
  const { url, came } = await receive(t, () => {})
  const sender = senderOf(t, 5000)
  const sent = sender.send(request(url))
  await came(1)
  sender.close()
  t.match(await sent, { isAborted: true, fault: null })
})
