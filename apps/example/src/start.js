// Starts the magazine. What Node compiles is kept for the next start, which saves a third of the time to the first
// answer; for that the cache has to be on before anything else is loaded. This one file is JavaScript because for the
// first TypeScript that is not in the cache Node loads the whole of what strips types, and because any Node can read it.

// By its own name an older Node would miss a function before it could say so.
import * as modules from 'node:module'

if (!process.features.typescript) {
  const right = '`npx pnpm@10 start` in the root of the repository brings the right one'
  console.error(`Plinth needs Node 22.18 or later, and this is ${process.version}: ${right}.`)
  process.exit(1)
}
modules.enableCompileCache()
await import('./serve.ts')
// At once: a server that is killed would keep nothing.
modules.flushCompileCache()
