// A request for a cancellation: its connection is closed by the server, however late.

import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Client } from 'pg'
import t from 'tap'
import { cancelQuery } from '../src/cancel.ts'

/** A server that leaves its connections to the test. */
async function listen() {
  const accepted: Socket[] = []
  const server = createServer({ allowHalfOpen: true }, socket => accepted.push(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = { host: '127.0.0.1', port, processID: 7, secretKey: 9 } as unknown as Client
  return { server, accepted, client }
}

t.test('the connection stays open until the server closes it', async t => {
  const { server, accepted, client } = await listen()
  t.teardown(() => server.close())
  const cancelling = cancelQuery(client)
  await once(server, 'connection')
  const [socket] = accepted as [Socket]
  let isEnded = false
  socket.once('end', () => {
    isEnded = true
  })
  const [message] = (await once(socket, 'data')) as [Buffer]
  t.same(
    [0, 4, 8, 12].map(place => message.readInt32BE(place)),
    [16, 80_877_102, 7, 9],
  )
  await new Promise(resolve => setTimeout(resolve, 200))
  t.equal(isEnded, false, 'nothing ends it from this side')
  socket.end()
  await cancelling
})

t.test('a server that says nothing is not waited for, and its connection is left to it', async t => {
  const { server, accepted, client } = await listen()
  t.teardown(() => {
    for (const socket of accepted) socket.destroy()
    server.close()
  })
  const cancelling = cancelQuery(client)
  await once(server, 'connection')
  const [socket] = accepted as [Socket]
  socket.resume()
  let isEnded = false
  socket.once('end', () => {
    isEnded = true
  })
  await t.rejects(cancelling, { message: 'The server did not accept the cancellation in time' })
  await new Promise(resolve => setTimeout(resolve, 200))
  t.equal(isEnded, false)
})

t.test('a server that cannot be reached is an error', async t => {
  const { server, client } = await listen()
  server.close()
  await t.rejects(cancelQuery(client), { code: 'ECONNREFUSED' })
})
