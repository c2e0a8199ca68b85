// The process in which `plinth dev` serves an application, from outside.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Addresses } from './addresses.ts'
import { childFile } from './child-file.ts'

/** The way in which the process ended without having been stopped, such as `with exit code 1`. */
export type Ending = string

export class DevServer {
  readonly #child: ChildProcess
  readonly #ended: Promise<unknown>
  readonly #kill = () => void this.#child.kill('SIGKILL')
  #isStopping = false

  /** `onListening` is called when requests are answered, `onEnd` when the process ends on its own. */
  constructor(dir: string, onListening: (addresses: Addresses) => void, onEnd: (ending: Ending) => void) {
    // Code is compiled once for all restarts. Within the process this could only be set after the first modules
    // are loaded.
    const env = { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'), ...process.env }
    this.#child = fork(childFile, ['dev', dir], { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    // However this process ends, that one must not stay; if this one is killed, that one notices it.
    process.on('exit', this.#kill)
    this.#child.on('message', message => {
      if (!this.#isStopping) onListening((message as { readonly addresses: Addresses }).addresses)
    })
    this.#ended = once(this.#child, 'exit').then(([code, signal]) => {
      process.off('exit', this.#kill)
      if (!this.#isStopping) onEnd(signal === null ? `with exit code ${code}` : `by ${signal}`)
    })
  }

  /** Closes the server; kills it after `time` milliseconds. */
  async stop(time: number): Promise<void> {
    this.#isStopping = true
    if (this.#child.connected) this.#child.send('stop', () => {})
    const timer = setTimeout(this.#kill, time)
    await this.#ended
    clearTimeout(timer)
  }
}
