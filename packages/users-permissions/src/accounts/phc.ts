// The text form of a scrypt hash, as the Password Hashing Competition defines it:
// `$scrypt$ln=15,r=8,p=1$<salt>$<hash>`, base64 without padding. It computes nothing.

/** The cost and the results of a scrypt hash. */
export interface ScryptHash {
  /** The binary logarithm of N. */
  readonly ln: number
  readonly r: number
  readonly p: number
  readonly salt: Buffer
  readonly hash: Buffer
}

const form = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

/** The text that is stored. */
export function formatScrypt({ ln, r, p, salt, hash }: ScryptHash): string {
  return `$scrypt$ln=${ln},r=${r},p=${p}$${unpadded(salt)}$${unpadded(hash)}`
}

/**
 * The parts of a stored text; null if it is not a hash of scrypt, or costs more than a server should spend (256 MiB).
 */
export function parseScrypt(text: string): ScryptHash | null {
  const match = form.exec(text)
  if (match === null) return null
  const [ln, r, p] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const isAffordable = ln >= 1 && ln <= 18 && r >= 1 && p >= 1 && p <= 4 && 2 ** ln * r * 128 <= 256 * 1024 * 1024
  if (!isAffordable) return null
  return { ln, r, p, salt: Buffer.from(match[4]!, 'base64'), hash: Buffer.from(match[5]!, 'base64') }
}
