// Reads archives that `strapi export` has encrypted: aes-128-ecb, with a key of scrypt from the words of `--key`.

import { createDecipheriv, type Decipheriv, scryptSync } from 'node:crypto'

/** v4 derives keys without a salt; later releases have one. */
const salts = ['', 'strapi-data-transfer']

/** The number of bytes from which it can be told whether a key is right. */
export const headSize = 512

/** Makes streams that decrypt; null if the key does not fit the first bytes of the file. `isArchive` knows decrypted ones. */
export function deciphersOf(
  key: string,
  head: Buffer,
  isArchive: (head: Buffer) => boolean,
): (() => Decipheriv) | null {
  for (const salt of salts) {
    const derived = scryptSync(key, salt, 16)
    const make = () => createDecipheriv('aes-128-ecb', derived, null)
    // Without the final block, whose padding is not in the head.
    if (isArchive(make().update(head))) return make
  }
  return null
}
