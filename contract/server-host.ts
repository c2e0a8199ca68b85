/**
 * A process with the servers of all suites of one replay, each on a database of its own: loading Plinth again for each
 * suite would take longer than its answers. `hosted-server.ts` connects to the socket that PLINTH_SERVER_HOST names, sends
 * the variables of the start contract as a line of JSON, and reads `listening` or why the server has not started. The
 * server runs until the connection ends.
 */
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { type SuiteVariables, startSuiteServer } from './suite-server.ts'

async function host(socket: Socket): Promise<void> {
  const ended = once(socket, 'end')
  const [line] = await once(createInterface({ input: socket }), 'line')
  const close = await startSuiteServer(JSON.parse(line) as SuiteVariables)
  socket.write('listening\n')
  await ended
  await close()
}

const server = createServer({ allowHalfOpen: true }, socket => {
  // A replayer that was killed leaves its servers: they end with their connections.
  socket.on('error', () => socket.destroy())
  host(socket).then(
    () => socket.end(),
    error => socket.end(`${error instanceof Error ? error.stack : String(error)}\n`),
  )
})
server.listen(process.env.PLINTH_SERVER_HOST, () => process.send!('listening'))
// The tests that started this process have ended.
process.once('disconnect', () => process.exit())
