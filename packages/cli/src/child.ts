// The program of the processes that `plinth dev` and `plinth start --processes` start: serves an application until the
// process that started it says so, or is gone. Signals are left to that process: a terminal and a process supervisor
// send them to all processes of a group, and a second one would interrupt the answers to requests in progress.

import { addressesOf } from './addresses.ts'
import { endWith, serve } from './serve.ts'
import { keepTypes } from './types-file.ts'

const [use, dir] = process.argv.slice(2) as [string, string]
const isDev = use === 'dev'

/** Maximum time that an end takes, in milliseconds. */
const maxTime = isDev ? 1000 : 10_000

/**
 * True if the start changes nothing: only the first of several processes brings the database to the model. It can end
 * anywhere.
 */
const mayAbandonStart = !isDev && process.env.NODE_APP_INSTANCE !== '0'

let isStopping = false
let isServing = false

process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.on('message', message => {
  if (message === 'stop') void stop()
})
process.on('disconnect', () => void stop())

const starting = serve({ command: `plinth ${use}`, dir, isPlain: isDev, isCounted: isDev })
// A fault of a start that is not wanted any more would be read as one of the next start.
const { app, address } = await starting.catch(error => (isStopping ? process.exit(1) : endWith(error)))
isServing = true
if (isDev) {
  process.send?.({ addresses: await addressesOf(app, address, dir) })
  await keepTypes(app.kernel, dir)
}

/** Answers the requests in progress, closes plugins and the database, and ends the process. */
async function stop(): Promise<void> {
  if (isStopping) return
  isStopping = true
  if (!isServing && mayAbandonStart) process.exit(0)
  setTimeout(() => process.exit(1), maxTime).unref()
  const served = await starting.catch(() => process.exit(1))
  try {
    // Browsers keep connections open, and a restart must not wait for a next request on them.
    if (isDev) served.app.server.closeIdleConnections()
    await served.app.close()
    process.exit(0)
  } catch (error) {
    return endWith(error)
  }
}
