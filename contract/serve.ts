/**
 * What the start contract of the conformance corpus starts. Node's compiled code is kept from one suite's server to the
 * next, for which the cache has to be on before anything else is loaded.
 */
import { enableCompileCache } from 'node:module'

enableCompileCache()
await import('./suite-server.ts')
