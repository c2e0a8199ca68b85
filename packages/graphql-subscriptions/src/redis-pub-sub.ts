// Connects the processes of one application by Redis, with mqemitter-redis. Each process announces the types that it has
// subscribers to, so that the others publish the changes of these types and of no others. Messages are small and contain no
// values that a caller could read: each process asks the questions of its own subscribers.

import { randomUUID } from 'node:crypto'
import type { Change } from '@plinth/graphql'
import { isRecord } from '@plinth/kernel'
import type { PubSub } from './pub-sub.ts'

/** A message of mqemitter. */
type Message = Readonly<Record<string, unknown>> & { readonly topic: string }
type Listener = (message: Message, done: () => void) => void

/** The part of ioredis that is used. */
interface Connection {
  readonly status: string
  disconnect(): void
}

/** The part of mqemitter-redis that is used. */
export interface Emitter {
  on(topic: string, listener: Listener, done?: () => void): unknown
  removeListener(topic: string, listener: Listener, done?: () => void): unknown
  emit(message: Message, done?: (error?: Error | null) => void): void
  close(done: () => void): unknown
  readonly state: { on(event: 'error' | 'subConnect', listener: (error: Error) => void): unknown }
  readonly subConn: Connection
  readonly pubConn: Connection
}

export interface RedisPubSubOptions {
  readonly emitter: Emitter
  readonly channel: string
  /** Receives the changes of other processes. */
  readonly onChange: (change: Change) => void
  /** Receives errors of the connection; it is made again by itself. */
  readonly warn: (error: Error) => void
}

/** Milliseconds between two announcements of the types that a process has subscribers to. */
const announceInterval = 5000
/** Milliseconds after which a process that announces nothing is taken for ended. */
const announcedFor = 3 * announceInterval

/** The types that another process has subscribers to. */
interface Announcement {
  readonly uids: ReadonlySet<string>
  readonly until: number
}

/** Exchanges changes with other processes by Redis. */
export class RedisPubSub implements PubSub {
  readonly #options: RedisPubSubOptions
  readonly #name = randomUUID()
  readonly #others = new Map<string, Announcement>()
  readonly #listening = new Map<string, Listener>()
  readonly #timer: NodeJS.Timeout
  #uids: ReadonlySet<string> = new Set()
  #isClosed = false

  constructor(options: RedisPubSubOptions) {
    this.#options = options
    const { emitter, warn } = options
    emitter.state.on('error', warn)
    // After a pause of the connection the others may have forgotten this process.
    emitter.state.on('subConnect', () => this.#announceTypes(true))
    emitter.on(this.#topic('subscribed'), (message, done) => {
      this.#receiveTypes(message)
      done()
    })
    this.#timer = setInterval(() => this.#announceTypes(false), announceInterval)
    this.#timer.unref()
    this.#announceTypes(true)
  }

  hasSubscribers(uid: string): boolean {
    if (this.#others.size === 0) return false
    const now = Date.now()
    for (const { uids, until } of this.#others.values()) if (until > now && uids.has(uid)) return true
    return false
  }

  publish({ uid, action, id, held }: Change): void {
    this.#emit({ topic: this.#topic(`changed/${uid}`), from: this.#name, action, id, held })
  }

  announce(uids: Iterable<string>): void {
    this.#uids = new Set(uids)
    const { emitter } = this.#options
    for (const [uid, listener] of this.#listening) {
      if (this.#uids.has(uid)) continue
      emitter.removeListener(this.#topic(`changed/${uid}`), listener)
      this.#listening.delete(uid)
    }
    for (const uid of this.#uids) {
      if (this.#listening.has(uid)) continue
      const listener: Listener = (message, done) => {
        this.#receiveChange(uid, message)
        done()
      }
      this.#listening.set(uid, listener)
      // The others publish because of the announcement, so the listener must be registered before.
      emitter.on(this.#topic(`changed/${uid}`), listener, () => this.#announceTypes(false))
    }
    this.#announceTypes(false)
  }

  /** `isAsking`: whether the others shall announce their types, too. */
  #announceTypes(isAsking: boolean): void {
    if (this.#isClosed) return
    const uids = [...this.#uids]
    this.#emit({ topic: this.#topic('subscribed'), from: this.#name, uids, isAsking })
  }

  #receiveTypes({ from, uids, isAsking }: Message): void {
    if (typeof from !== 'string' || from === this.#name || !Array.isArray(uids)) return
    const now = Date.now()
    for (const [name, { until }] of this.#others) if (until <= now) this.#others.delete(name)
    if (uids.length === 0) this.#others.delete(from)
    else this.#others.set(from, { uids: new Set(uids as string[]), until: now + announcedFor })
    if (isAsking === true) this.#announceTypes(false)
  }

  #receiveChange(uid: string, { from, action, id, held }: Message): void {
    if (from === this.#name || !Number.isSafeInteger(id)) return
    if (action !== 'create' && action !== 'update' && action !== 'delete') return
    this.#options.onChange({ uid, action, id: id as number, held: isRecord(held) ? held : {} })
  }

  #emit(message: Message): void {
    if (this.#isClosed) return
    this.#options.emitter.emit(message, error => {
      if (error !== null && error !== undefined && !this.#isClosed) this.#options.warn(error)
    })
  }

  #topic(name: string): string {
    return `${this.#options.channel}/${name}`
  }

  /** Ends the connections. A connection that is not there cannot be ended politely. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#uids = new Set()
    this.#announceTypes(false)
    this.#isClosed = true
    const { emitter } = this.#options
    const { subConn, pubConn } = emitter
    if (subConn.status === 'ready' && pubConn.status === 'ready') {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>(resolve => {
        timer = setTimeout(resolve, 1000)
      })
      await Promise.race([new Promise<void>(resolve => void emitter.close(resolve)), late])
      clearTimeout(timer)
    }
    subConn.disconnect()
    pubConn.disconnect()
  }
}
