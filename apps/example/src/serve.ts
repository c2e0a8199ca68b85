// Opens the database of the magazine, fills it if it is empty, and serves it.

import { fileURLToPath } from 'node:url'
import { createServer, exitWith, listen, plainLog, stopOnSignals } from '@plinth/server'
import { seedWhenEmpty } from './seed/seed.ts'
import { welcome } from './welcome.ts'

const app = await createServer({
  dir: fileURLToPath(new URL('..', import.meta.url)),
  // The log contains only warnings, so that the text below is visible; LOG_LEVEL=info logs every request.
  logger: process.env.LOG_LEVEL ? undefined : plainLog(),
}).catch(exitWith)
await seedWhenEmpty(app, process.stdout)
const address = await listen(app).catch(exitWith)
stopOnSignals(app)

console.log(welcome(app, address))
