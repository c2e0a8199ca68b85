// Turns off a heuristic of V8 that makes servers slow. V8 samples which object and array literals live long, and lets
// optimized code allocate those in the old generation (pretenuring). Incremental marking during the first requests makes
// literals of requests look long-lived. Optimized code then allocates them there, where each keeps everything that it
// refers to until the next major collection. Measured, half of the servers with GraphQL copied most of what they
// allocated, and took half as much time again for each answer (bench/lessons.md).

import { setFlagsFromString } from 'node:v8'

/**
 * Turns pretenuring off for the process, unless the command line decides: `node --allocation-site-pretenuring`. Code that
 * is optimized already stays as it is, so this is called before requests arrive.
 */
export function turnOffPretenuring(): void {
  if (!process.execArgv.some(one => /allocation[-_]site[-_]pretenuring/.test(one)))
    setFlagsFromString('--no-allocation-site-pretenuring')
}
