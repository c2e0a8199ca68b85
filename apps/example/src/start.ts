// Starts the magazine: opens its database, fills it when it is empty, and serves it.

import { createServer } from '@plinth/kernel/server'
import { seedWhenEmpty } from './seed/seed.ts'

const dir = new URL('..', import.meta.url).pathname
const app = await createServer({ dir })
await seedWhenEmpty(app.kernel, process.stdout)
const address = await app.listen({ host: 'HOST', port: 1337 })

console.log(`
Tidewater, a small magazine, is served at ${address}

  ${address}/api/articles    its articles
  ${address}/api/homepage    its front page
  ${address}/api/pages       its pages

Three requests to try:

  curl -g '${address}/api/articles?sort=publishedOn:desc&fields[0]=title&pagination[pageSize]=3'
  curl -g '${address}/api/articles?filters[categories][slug]=bread&populate=author&pagination[pageSize]=1'
  curl -g '${address}/api/homepage?populate[hero][populate]=*'

The README of apps/example is a tour of ten more. Stop with Ctrl+C.
`)
