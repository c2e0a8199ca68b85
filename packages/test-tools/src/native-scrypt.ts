/**
 * Derives the same keys as the plugin users-permissions, by the scrypt of Node instead of scrypt-js in a thread: in a third
 * of the time, which is most of what tests of accounts take. `standIns` in tests.json puts it in the place of the plugin's
 * own module.
 */

import { scrypt } from 'node:crypto'
import { promisify } from 'node:util'

interface Input {
  readonly password: Uint8Array
  readonly salt: Uint8Array
  readonly ln: number
  readonly r: number
  readonly p: number
  readonly length: number
}

const run = promisify<Uint8Array, Uint8Array, number, object, Buffer>(scrypt)

export class Scrypt {
  derive({ password, salt, ln, r, p, length }: Input): Promise<Buffer> {
    const N = 2 ** ln
    return run(password, salt, length, { N, r, p, maxmem: 256 * N * r })
  }

  async close(): Promise<void> {}
}
