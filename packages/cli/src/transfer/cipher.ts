// Reads archives that `strapi export` has encrypted: aes-128-ecb, with a key of scrypt from the words of `--key`.

import { createDecipheriv, type Decipheriv, scryptSync } from 'node:crypto'

/** v4 derives keys without a salt; later releases have one. */
const salts = ['', 'strapi-data-transfer']

/** So many bytes are enough to tell whether a key is right. */
export const headSize = 512

/** A stream that decrypts, or null if the key does not fit the first bytes of the file. `isArchive` knows decrypted ones. */
export function decipherOf(key: string, head: Buffer, isArchive: (head: Buffer) => boolean): Decipheriv | null {
  for (const salt of salts) {
    const make = () => createDecipheriv('aes-128-ecb', scryptSync(key, salt, 16), null)
    // Without the final block, whose padding is not in the head.
    if (isArchive(make().update(head))) return make()
  }
  return null
}
