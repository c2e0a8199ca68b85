/**
 * The program that the recorded replayer starts for a project with a database of its own. Node's compile cache,
 * which these processes share, must be enabled before anything else is loaded.
 */

import { enableCompileCache } from 'node:module'

enableCompileCache()
const { startSuiteServer } = await import('./suite-server.ts')
const close = await startSuiteServer(process.env)
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, async () => {
    await close()
    process.exit(0)
  })
}
