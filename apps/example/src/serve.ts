// Opens the database of the magazine, fills it when it is empty, and serves it.

import { fileURLToPath } from 'node:url'
import { createServer, exitWith, listen, plainLog } from '@plinth/kernel/server'
import { seedWhenEmpty } from './seed/seed.ts'

const app = await createServer({
  dir: fileURLToPath(new URL('..', import.meta.url)),
  // What is printed below is what a newcomer should read, and warnings; LOG_LEVEL=info shows every request.
  logger: process.env.LOG_LEVEL ? undefined : plainLog(),
}).catch(exitWith)
await seedWhenEmpty(app.kernel, process.stdout)
const address = await listen(app).catch(exitWith)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void app.close())

console.log(`
Tidewater, a small magazine, is served at ${address}

  ${address}/api/articles     its articles
  ${address}/api/categories   what they are about
  ${address}/api/homepage     its front page
  ${address}/api/pages        its other pages

Three requests to try:

  curl -g '${address}/api/articles?sort=publishedOn:desc&fields[0]=title&pagination[pageSize]=3'
  curl -g '${address}/api/articles?filters[categories][slug]=bread&populate=author&pagination[pageSize]=1'
  curl -g '${address}/api/homepage?populate[hero][populate]=*'

apps/example/README.md is a tour of ten more. Ctrl+C stops the server.
`)
