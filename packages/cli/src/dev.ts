// `plinth dev`: serves an application, and restarts it whenever its files change.

import { relative } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { defineCommand } from '#citty'
import { addressesText } from './addresses.ts'
import { DevServer } from './dev-server.ts'
import { EnvText } from './made-secrets.ts'
import { dirOption } from './open.ts'
import { folderToServe } from './serve.ts'
import { listenToSignals } from './signals.ts'
import { withExamples } from './usage.ts'
import { Watch } from './watch.ts'

/** Maximum time that a server has to end, in milliseconds: for a restart, and when the command ends. */
const maxTime = { restart: 1500, end: 300 }

/** Milliseconds without a change before a restart: an editor or git writes several files. */
const quiet = 40

export const dev = withExamples(
  defineCommand({
    meta: {
      name: 'dev',
      alias: 'develop',
      description: 'serve the application, and restart it when a schema, a setting or code changes',
    },
    args: {
      dir: dirOption,
      watch: {
        type: 'string',
        description: 'further folders to watch, separated by commas',
        valueHint: 'folders',
      },
    },
    async run({ args }) {
      const dir = folderToServe('plinth dev', args.dir)
      await new Development(dir, args.watch?.split(',') ?? []).run()
    },
  }),
  [
    'plinth dev                       # in the folder of the application',
    'PORT=1400 plinth dev             # if config/server does not set the port',
    'LOG_FORMAT=json plinth dev       # logs as JSON, like plinth start',
    'plinth dev --watch lib,shared    # also restarts when something in these folders changes',
  ],
)

class Development {
  readonly #dir: string
  readonly #more: readonly string[]
  #isEnding = false
  /** True once a server has listened, and its addresses were printed. */
  #hasServed = false
  /** `.env` as the server of the last start has read it. */
  #env: EnvText
  /** The paths that have changed since the last start. */
  #changed = new Set<string>()
  #wake = () => {}

  constructor(dir: string, more: readonly string[]) {
    this.#dir = dir
    this.#more = more
    this.#env = new EnvText(dir)
  }

  /** Serves until a signal. */
  async run(): Promise<void> {
    const watch = new Watch(this.#dir, this.#more, path => {
      if (path === '.env' && !this.#env.isStale()) return
      this.#changed.add(path)
      this.#wake()
    })
    const ignoreSignals = listenToSignals(['SIGINT', 'SIGTERM', 'SIGHUP'], {
      onFirst: () => {
        this.#isEnding = true
        this.#wake()
      },
      // Without waiting for the server.
      onFurther: () => process.exit(1),
    })
    while (!this.#isEnding) {
      const server = this.#start()
      await this.#change()
      await server.stop(this.#isEnding ? maxTime.end : maxTime.restart)
    }
    ignoreSignals()
    watch.close()
  }

  #start(): DevServer {
    // A change up to here is in the files that the server is about to load.
    this.#changed.clear()
    this.#env = new EnvText(this.#dir)
    const began = performance.now()
    return new DevServer(
      this.#dir,
      addresses => {
        this.#env.endStart()
        if (this.#hasServed) {
          console.log(`Restarted in ${Math.round(performance.now() - began)} ms`)
          return
        }
        this.#hasServed = true
        const name = relative('.', this.#dir) || 'The application'
        console.log(`\n${name} is served, and restarts when its files change. Ctrl+C ends it.\n`)
        console.log(`${addressesText(addresses)}\n`)
      },
      ending => {
        this.#env.endStart()
        console.error(`The server ended ${ending}. It starts again when a file changes.`)
      },
    )
  }

  /** Waits for a change, and until nothing has changed for a moment, or for the end. */
  async #change(): Promise<void> {
    while (this.#changed.size === 0 && !this.#isEnding)
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    if (this.#isEnding) return
    const [first] = this.#changed
    let count = -1
    const last = Date.now() + 1000
    let noted = 0
    this.#wake = () => noted++
    while (count !== noted && Date.now() < last && !this.#isEnding) {
      count = noted
      await delay(quiet)
    }
    const others = this.#changed.size - 1
    console.log(`${first}${others > 0 ? ` and ${others} more` : ''} changed`)
  }
}
