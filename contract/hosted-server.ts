/**
 * The program that the recorded replayer starts for a suite: it has the server started by server-host.ts, and stopped when
 * it is stopped itself. It must load nothing of Plinth.
 */

import { connect } from 'node:net'

const socket = connect({ path: process.env.PLINTH_SERVER_HOST!, allowHalfOpen: true })
socket.write(`${JSON.stringify(process.env)}\n`)
let answer = ''
let isStopped = false
socket.setEncoding('utf8')
socket.on('data', text => {
  answer += text
})
socket.once('end', () => {
  const hasStopped = isStopped && answer === 'listening\n'
  if (!hasStopped) console.error(`The server has ended: ${answer}`)
  process.exit(hasStopped ? 0 : 1)
})
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    isStopped = true
    socket.end()
  })
}
