// The worker thread that computes scrypt hashes. One hash takes about 190 ms of a processor, which would stop all other
// requests on the event loop.

import { parentPort } from 'node:worker_threads'
import scrypt from 'scrypt-js'

/** A hash to compute. */
export interface ScryptOrder {
  readonly id: number
  readonly password: Uint8Array
  readonly salt: Uint8Array
  readonly ln: number
  readonly r: number
  readonly p: number
  readonly length: number
}

/** The answer to an order: the key, or why there is none. */
export type ScryptReply =
  | { readonly id: number; readonly key: Uint8Array }
  | { readonly id: number; readonly fault: string }

parentPort?.on('message', ({ id, password, salt, ln, r, p, length }: ScryptOrder) => {
  let reply: ScryptReply
  try {
    reply = { id, key: scrypt.syncScrypt(password, salt, 2 ** ln, r, p, length) }
  } catch (error) {
    reply = { id, fault: (error as Error).message }
  }
  parentPort!.postMessage(reply)
})
