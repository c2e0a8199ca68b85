// `plinth start`: serves an application, in one process or in several.

import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { defineCommand } from '#citty'
import { Failure } from './failure.ts'
import { dirOption } from './open.ts'
import { runProcesses } from './processes.ts'
import { endWith, folderToServe, serve } from './serve.ts'
import { withExamples } from './usage.ts'

export const start = withExamples(
  defineCommand({
    meta: { name: 'start', description: 'serve the application; SIGTERM and Ctrl+C end it within 10 seconds' },
    args: {
      dir: dirOption,
      processes: {
        type: 'string',
        description: 'how many processes serve it, or "max": one for each core',
        valueHint: 'number',
      },
    },
    async run({ args }) {
      const count = processesOf(args.processes)
      const dir = folderToServe('plinth start', args.dir)
      if (count > 1) {
        const code = await runProcesses(dir, count)
        if (code !== 0) throw new Failure('')
        return
      }
      await serve({ command: 'plinth start', dir, onReady: (app, { stopOnSignals }) => stopOnSignals(app) }).catch(
        endWith,
      )
      // Signals end the process. If the application closes its server itself, nothing is left to do.
      await once(process, 'beforeExit')
    },
  }),
  [
    'plinth start                          # at the address in config/server, or PORT and HOST',
    'NODE_ENV=production plinth start      # changes no tables: `plinth migrate apply` does',
    'plinth start --processes 4            # four processes at one address',
  ],
)

/** Throws Failure for a value that is not a number of processes. */
function processesOf(value: string | undefined): number {
  if (value === undefined) return 1
  if (value === 'max') return availableParallelism()
  const count = Number(value)
  if (/^\d+$/.test(value) && count >= 1 && count <= 256) return count
  throw new Failure(`--processes must be a number from 1 to 256, or "max", not "${value}"`)
}
