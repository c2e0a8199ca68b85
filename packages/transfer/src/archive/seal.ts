// The end of an archive that has checksums: its last file, whose bytes follow from its content, and the digests of all bytes
// before it. One changed bit anywhere in an archive is found by them. Knows no format of lines and opens no file.

import { createHash, type Hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { Header } from '#tar'

/** The size of the blocks of a tar, in bytes. */
export const blockSize = 512

/** The last file has one block, and so have its header and each half of the end of a tar. */
const tarTailSize = 4 * blockSize

/** The size of what a member of gzip that is not compressed has beside its content. */
const gzipFrameSize = 23

/** The sizes of the end, in bytes: as tar, and as a member of gzip of its own. */
export const tailSizes = { tar: tarTailSize, gzip: tarTailSize + gzipFrameSize } as const

/** The last file of a tar with this content, and the end of the tar behind it. Throws RangeError if it needs more than a block. */
export function tarTail(name: string, content: string): Buffer {
  const bytes = Buffer.from(content)
  if (bytes.length > blockSize) throw new RangeError(`${name} has more than ${blockSize} bytes`)
  const header = new Header({ path: name, size: bytes.length, mode: 0o600, mtime: new Date(0), type: 'File' })
  header.encode()
  const tail = Buffer.alloc(tarTailSize)
  header.block!.copy(tail)
  bytes.copy(tail, blockSize)
  return tail
}

/** A member of gzip that stores these bytes without compression, so that its bytes do not depend on a version of zlib. */
export function storedMember(bytes: Buffer): Buffer {
  const frame = Buffer.alloc(15)
  frame.set([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1])
  frame.writeUInt16LE(bytes.length, 11)
  frame.writeUInt16LE(~bytes.length & 0xffff, 13)
  const check = Buffer.alloc(8)
  check.writeUInt32LE(crc32(bytes), 0)
  check.writeUInt32LE(bytes.length, 4)
  return Buffer.concat([frame, bytes, check])
}

/** The digest of all but the last bytes of a stream, and these bytes. */
export interface StreamEnd {
  /** SHA-256 in hexadecimal. */
  readonly sha256: string
  /** At most as many bytes as were asked for. */
  readonly tail: Buffer
}

/** Digests a stream without its last bytes, in linear time and without keeping more than these. */
export class PrefixDigest {
  readonly #tailSize: number
  readonly #hash: Hash = createHash('sha256')
  #tail: Buffer = Buffer.alloc(0)

  constructor(tailSize: number) {
    this.#tailSize = tailSize
  }

  add(bytes: Buffer): void {
    const all = this.#tail.length === 0 ? bytes : Buffer.concat([this.#tail, bytes])
    const rest = Math.max(0, all.length - this.#tailSize)
    this.#hash.update(all.subarray(0, rest))
    this.#tail = Buffer.from(all.subarray(rest))
  }

  end(): StreamEnd {
    return { sha256: this.#hash.digest('hex'), tail: this.#tail }
  }
}
