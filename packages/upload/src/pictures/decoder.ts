// One process that decodes pictures, one at a time. It starts with the first picture, stops when it had nothing to do
// for a while, and is killed if a picture takes too long or its client waits no more.

import { type ChildProcess, fork } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UnavailableError, ValidationError } from '@plinth/kernel'
import type { PictureOrder, PictureReply } from './worker.ts'

const main = fileURLToPath(new URL(`./worker${extname(import.meta.filename)}`, import.meta.url))

/** An idle process ends after this time, in milliseconds. */
const idleTime = 10_000

export class Decoder {
  readonly #timeLimit: number
  #child: ChildProcess | null = null
  #idle: NodeJS.Timeout | undefined
  #lastId = 0

  /** `timeLimit` is that of one picture, in milliseconds. */
  constructor(timeLimit: number) {
    this.#timeLimit = timeLimit
  }

  /**
   * Returns the properties of a picture. Throws ValidationError if it takes too long, UnavailableError if the process
   * ends or cannot start, and the reason of a signal that aborts. Afterwards nothing works on the picture.
   */
  async look(order: Omit<PictureOrder, 'id'>, signal: AbortSignal): Promise<PictureReply> {
    clearTimeout(this.#idle)
    const child = this.#child ?? this.#start()
    // There is no process, nor a channel to it, if the system has none to give.
    if (child.pid === undefined) throw new UnavailableError('The process that decodes pictures could not start')
    this.#child = child
    child.ref()
    child.channel?.ref()
    const id = ++this.#lastId
    return new Promise<PictureReply>((resolve, reject) => {
      const end = () => {
        clearTimeout(late)
        signal.removeEventListener('abort', leave)
        child.off('message', receive)
        child.off('exit', fail)
      }
      // It is answered when the process is dead, so that it does not write into a folder that is being removed.
      const kill = (reason: unknown) => {
        end()
        this.#child = null
        child.once('exit', () => reject(reason))
        child.kill('SIGKILL')
      }
      const leave = () => kill(signal.reason)
      const late = setTimeout(() => kill(new ValidationError('The picture takes too long to decode')), this.#timeLimit)
      const receive = (reply: PictureReply) => {
        if (reply.id !== id) return
        end()
        this.#keepIdle(child)
        resolve(reply)
      }
      const fail = () => {
        end()
        this.#child = null
        reject(new UnavailableError('The process that decodes pictures ended'))
      }
      child.on('message', receive)
      child.once('exit', fail)
      signal.addEventListener('abort', leave, { once: true })
      if (signal.aborted) return leave()
      child.send({ ...order, id }, error => {
        if (error !== null) fail()
      })
    })
  }

  close(): void {
    clearTimeout(this.#idle)
    this.#child?.kill('SIGKILL')
    this.#child = null
  }

  /** An idle process does not keep a script from ending. */
  #keepIdle(child: ChildProcess): void {
    child.unref()
    child.channel?.unref()
    this.#idle = setTimeout(() => this.close(), idleTime)
    this.#idle.unref()
  }

  #start(): ChildProcess {
    const child = fork(main, { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'], serialization: 'advanced' })
    // Without this listener, an error of the start would end this process; `exit` or the time limit follows it.
    child.on('error', () => {})
    child.once('exit', () => {
      if (this.#child === child) this.#child = null
    })
    return child
  }
}
