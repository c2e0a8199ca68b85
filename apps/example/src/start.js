// Starts the application. Node keeps compiled code for the next start, which saves a third of the time to the first
// response; for this the cache must be enabled before anything else is loaded. This file is JavaScript because Node
// loads its whole type stripper for the first TypeScript that is not in the cache, and because any version of Node can
// read it.

// A named import would fail in an older Node before the message below could be printed.
import * as modules from 'node:module'

if (!process.features.typescript) {
  const right = '`npx pnpm@10 start` in the root of the repository brings the right one'
  console.error(`Plinth needs Node 22.18 or later, and this is ${process.version}: ${right}.`)
  process.exit(1)
}
modules.enableCompileCache()
await import('./serve.ts')
// Written at once, because a server that is killed would not write it.
modules.flushCompileCache()
