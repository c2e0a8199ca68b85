/**
 * The program that the recorded replayer starts. Node's compile cache is shared by the servers of all suites, so it
 * must be enabled before anything else is loaded.
 */
import { enableCompileCache } from 'node:module'

enableCompileCache()
await import('./suite-server.ts')
