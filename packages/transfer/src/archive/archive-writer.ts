// Writes a tar archive, compressed or not, into a file that only its owner can read. The writing can stop at a checkpoint
// and go on there in another process. Knows nothing of what the archive contains.

import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGunzip, gzip } from 'node:zlib'
import { Header, Pax } from '#tar'
import { TransferError } from '../transfer-error.ts'
import { blockSize, storedMember, tarTail } from './seal.ts'

/** The approximate size of the pieces that are compressed and written as one, in bytes. */
const pieceSize = 1_000_000

const compress = promisify(gzip)

interface OpenOptions {
  readonly isCompressed: boolean
  /** The number of bytes of the file that are kept, which a checkpoint has returned; 0 for a new archive. */
  readonly position: number
  /** The time that the files in the archive get. */
  readonly mtime: Date
  /** Is called with each file that was added. */
  readonly onFile?: (file: AddedFile) => void
}

/** A file in the archive, and the SHA-256 of its header, its content and what fills up its last block. */
export interface AddedFile {
  readonly path: string
  readonly size: number
  readonly sha256: string
}

/** The SHA-256 of all bytes that are written: those of the tar, and those of the file if it is compressed. */
export interface WrittenDigests {
  readonly tar: string
  readonly gzip?: string
}

/** An archive that is being written. */
export class ArchiveWriter {
  readonly #file: FileHandle
  readonly #isCompressed: boolean
  readonly #mtime: Date
  readonly #onFile: (file: AddedFile) => void
  readonly #tarHash = createHash('sha256')
  /** Of the bytes of the file; equal to that of the tar if it is not compressed. */
  readonly #fileHash = createHash('sha256')
  /** Of the file that is being added. */
  #entryHash: Hash | null = null
  #position: number
  #chunks: Buffer[] = []
  #size = 0

  private constructor(file: FileHandle, { isCompressed, position, mtime, onFile = () => {} }: OpenOptions) {
    this.#file = file
    this.#isCompressed = isCompressed
    this.#position = position
    this.#mtime = mtime
    this.#onFile = onFile
  }

  /** Opens a file. What it has behind the position is removed; throws TransferError if it has less. */
  static async open(path: string, opening: OpenOptions): Promise<ArchiveWriter> {
    const file = await open(path, 'a', 0o600)
    try {
      const { size } = await file.stat()
      if (size < opening.position)
        throw new TransferError(`${path} has ${size} bytes, and ${opening.position} were written: it was changed`)
      await file.truncate(opening.position)
      const writer = new ArchiveWriter(file, opening)
      if (opening.position > 0) await writer.#digestFile(path)
      return writer
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /** Digests what an earlier process has written. Throws TransferError if it cannot be unpacked. */
  async #digestFile(path: string): Promise<void> {
    const [tarHash, fileHash] = [this.#tarHash, this.#fileHash]
    const unpack = this.#isCompressed ? createGunzip() : new PassThrough()
    await pipeline(createReadStream(path), digesting(fileHash), unpack, digesting(tarHash), discard).catch(error => {
      throw new TransferError(`${path} was changed, and cannot be continued: ${(error as Error).message}`)
    })
  }

  /** Adds a file with this content. */
  async add(name: string, content: string): Promise<void> {
    const bytes = Buffer.from(content)
    await this.addStream(name, bytes.length, Readable.from([bytes]))
  }

  /** Adds a file of this many bytes from a stream. Throws TransferError if the stream has more or fewer. */
  async addStream(name: string, size: number, stream: Readable): Promise<void> {
    const hash = createHash('sha256')
    this.#entryHash = hash
    await this.#head(name, size)
    let written = 0
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      written += chunk.length
      await this.#write(chunk)
    }
    if (written !== size) throw new TransferError(`${name} has ${written} bytes, and ${size} were announced`)
    await this.#pad(size)
    this.#entryHash = null
    this.#onFile({ path: name, size, sha256: hash.digest('hex') })
  }

  async #head(path: string, size: number): Promise<void> {
    const fields = { path, size, mode: 0o600, mtime: this.#mtime }
    const header = new Header({ ...fields, type: 'File' })
    // Long names need a header of their own before the file's.
    if (header.encode()) await this.#write(new Pax(fields).encode())
    await this.#write(header.block!)
  }

  async #pad(size: number): Promise<void> {
    const rest = size % blockSize
    if (rest > 0) await this.#write(Buffer.alloc(blockSize - rest))
  }

  async #write(bytes: Buffer): Promise<void> {
    this.#tarHash.update(bytes)
    this.#entryHash?.update(bytes)
    this.#chunks.push(bytes)
    this.#size += bytes.length
    if (this.#size >= pieceSize) await this.#flush()
  }

  /** Writes what was collected. Each piece is a gzip member of its own: members in a row are one gzip file. */
  async #flush(): Promise<void> {
    if (this.#size === 0) return
    const piece = Buffer.concat(this.#chunks)
    this.#chunks = []
    this.#size = 0
    await this.#append(this.#isCompressed ? await compress(piece) : piece)
  }

  async #append(bytes: Buffer): Promise<void> {
    await this.#file.appendFile(bytes)
    if (this.#isCompressed) this.#fileHash.update(bytes)
    this.#position += bytes.length
  }

  /** Waits until everything is on the disk. Returns the position from which the archive can be continued. */
  async checkpoint(): Promise<number> {
    await this.#flush()
    await this.#file.sync()
    return this.#position
  }

  /** Ends the archive, and waits until it is on the disk. Returns its size. */
  async end(): Promise<number> {
    await this.#write(Buffer.alloc(2 * blockSize))
    return this.checkpoint()
  }

  /**
   * Ends the archive with a file that is made of the digests of all bytes before it, and waits until it is on the disk.
   * Returns the size of the archive. Throws RangeError if the content has more than 512 bytes.
   */
  async seal(name: string, content: (digests: WrittenDigests) => string): Promise<number> {
    await this.#flush()
    const tar = this.#tarHash.digest('hex')
    const digests = this.#isCompressed ? { tar, gzip: this.#fileHash.copy().digest('hex') } : { tar }
    const tail = tarTail(name, content(digests))
    await this.#append(this.#isCompressed ? storedMember(tail) : tail)
    return this.checkpoint()
  }

  /** Closes the file, also of an archive that has not ended. */
  async close(): Promise<void> {
    await this.#file.close()
  }
}

/** A step of a pipeline that changes nothing. */
function digesting(hash: Hash) {
  return async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      hash.update(chunk)
      yield chunk
    }
  }
}

async function discard(source: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of source);
}
