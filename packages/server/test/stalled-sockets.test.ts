// A connection whose answer has not moved for 30 s is closed; one whose client reads, however slowly, is not.

import { EventEmitter, once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { StalledSockets } from '../src/stalled-sockets.ts'

/** More than the sockets of both sides take of an answer that nobody reads. */
const length = 16 * 1024 * 1024

async function open(t: Test, stalled: { count: number }) {
  let answered = 0
  let ended = 0
  const server = createServer((request, response) => {
    response.once('close', () => ended++)
    if (request.url === '/waits') return
    response.end(Buffer.alloc(length))
    answered++
  })
  const sockets = new StalledSockets(server, () => stalled.count++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    sockets.stop()
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const ask = async (path: string) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.pause()
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)
    t.teardown(() => socket.destroy())
    return socket
  }
  return { sockets, ask, isAnswered: () => answered > 0, ended: () => ended }
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let i = 0; i < 500 && !isTrue(); i++) await sleep(10)
}

t.test('an answer that nobody reads', async t => {
  const stalled = { count: 0 }
  const { sockets, ask, isAnswered, ended } = await open(t, stalled)
  await ask('/')
  await ask('/waits')
  await until(isAnswered)
  // What the operating system takes at first is movement.
  await sleep(50)
  for (let i = 0; i < 6; i++) sockets.look()
  t.equal(stalled.count, 0, 'less than 30 s')
  sockets.look()
  t.equal(stalled.count, 1, 'the client that waits for an answer stays')
  await until(() => ended() > 0)
  t.equal(ended(), 1, 'the response ends, so that what it holds is returned')
})

t.test('an answer that is read slowly', async t => {
  let closed = 0
  const server = new EventEmitter()
  const sockets = new StalledSockets(server as Server, () => closed++)
  t.teardown(() => sockets.stop())
  const open = () => {
    const handle = { bytesWritten: length, writeQueueSize: length }
    const socket = Object.assign(new EventEmitter(), {
      _handle: handle,
      writableLength: length,
      destroy: () => socket.emit('close'),
    })
    server.emit('connection', socket)
    return { socket, handle }
  }
  const slow = open()
  const stopped = open()
  const idle = open()
  Object.assign(idle.handle, { writeQueueSize: 0 })
  idle.socket.writableLength = 0
  for (let i = 0; i < 100; i++) {
    // One byte in 25 s is movement.
    if (i % 5 === 0) slow.handle.writeQueueSize--
    if (i < 10) stopped.handle.writeQueueSize--
    sockets.look()
    t.equal(closed, i < 15 ? 0 : 1, `look ${i}`)
  }
})
