// Starts the magazine. What Node compiles is kept for the next start, which saves a third of the time to the first
// answer; for that the cache has to be on before anything else is loaded. This one file is JavaScript because for the
// first TypeScript that is not in the cache Node loads the whole of what strips types.

import { enableCompileCache, flushCompileCache } from 'node:module'

enableCompileCache()
await import('./serve.ts')
// At once: a server that is killed would keep nothing.
flushCompileCache()
