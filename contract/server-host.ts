/**
 * A process with the servers of all suites of one replay, each on a database of its own: loading Plinth again for each
 * suite would take longer than its answers. `hosted-server.ts` connects to the socket that PLINTH_SERVER_HOST names, sends
 * its environment as a line of JSON, and reads `listening` or why the server has not started. The server runs until the
 * connection ends.
 */

import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { type SuiteVariables, startSuiteServer } from './suite-server.ts'

async function runServer(socket: Socket): Promise<void> {
  // A replayer that is killed closes the connection without ending it.
  const ended = new Promise(resolve => socket.once('end', resolve).once('close', resolve))
  const [line] = await once(createInterface({ input: socket }), 'line')
  const close = await startSuiteServer(JSON.parse(line) as SuiteVariables)
  socket.write('listening\n')
  await ended
  await close()
}

const running = new Set<Promise<unknown>>()
const server = createServer({ allowHalfOpen: true }, socket => {
  socket.on('error', () => socket.destroy())
  const run = runServer(socket).then(
    () => socket.end(),
    error => socket.end(`${error instanceof Error ? error.stack : String(error)}\n`),
  )
  running.add(run)
  void run.finally(() => running.delete(run))
})
server.listen(process.env.PLINTH_SERVER_HOST, () => process.send!('listening'))
// The replay has ended. A server that is still closing drops its database first.
process.once('disconnect', async () => {
  await Promise.all(running)
  process.exit()
})
