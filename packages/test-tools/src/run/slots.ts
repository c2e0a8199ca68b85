// Limits how many processes run test files at a time, over all packages: each asks for a slot before it starts a group and
// gets it in the order of priorities. A slot is a connection, so it is free again as soon as its holder has ended.

import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The variable with the address of the slots. It must not be one that turbo makes part of its keys. */
const variable = 'TEST_SLOTS'

/** Hands out slots to all processes that have its address in their environment. */
export class Slots {
  readonly #server: Server
  readonly #waiting: { readonly socket: Socket; readonly priority: number }[] = []
  #free: number
  #requests = 0
  #ended = 0

  private constructor(count: number) {
    this.#free = count
    this.#server = createServer(socket => this.#accept(socket))
    // The programs that ask for slots keep this process alive, or the wait for one does.
    this.#server.unref()
  }

  /** Opens the slots, and puts their address into the environment of processes that are started from now on. */
  static async open(count: number): Promise<Slots> {
    const slots = new Slots(count)
    const folder = mkdtempSync(join(tmpdir(), 'plinth-slots-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    const path = process.platform === 'win32' ? `\\\\.\\pipe\\plinth-slots-${process.pid}` : join(folder, 'slots')
    slots.#server.listen(path)
    await once(slots.#server, 'listening')
    process.env[variable] = path
    return slots
  }

  /** The number of processes that have ended, of those that have requested a slot. */
  get progress(): { readonly ended: number; readonly requested: number } {
    return { ended: this.#ended, requested: this.#requests }
  }

  #accept(socket: Socket): void {
    socket.on('error', () => socket.destroy())
    socket.once('data', priority => {
      this.#requests++
      this.#waiting.push({ socket, priority: Number(priority) })
      this.#waiting.sort((a, b) => b.priority - a.priority)
      // Packages that start together all ask before the first slot is given.
      setTimeout(() => this.#give(), 100)
    })
  }

  #give(): void {
    while (this.#free > 0 && this.#waiting.length > 0) {
      const { socket } = this.#waiting.shift()!
      if (socket.destroyed) continue
      this.#free--
      socket.once('close', () => {
        this.#free++
        this.#ended++
        this.#give()
      })
      socket.write('.')
    }
  }
}

/** Returns whether processes share slots. */
export const hasSlots = (): boolean => process.env[variable] !== undefined

/** Waits for a slot, and returns the function that frees it. There must be slots. */
export async function takeSlot(priority: number): Promise<() => void> {
  const socket = connect(process.env[variable]!)
  socket.write(String(priority))
  await once(socket, 'data')
  return () => socket.destroy()
}
