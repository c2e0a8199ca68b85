// Writes a tar archive, compressed or not, into a file that only its owner can read. The writing can stop at a checkpoint
// and go on there in another process. Knows nothing of what the archive contains.

import { type FileHandle, open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { Header, Pax } from '#tar'
import { Failure } from '../failure.ts'

const block = 512
/** About so many bytes are collected, then compressed and written as one. */
const pieceSize = 1_000_000

const compress = promisify(gzip)

interface Opening {
  readonly isCompressed: boolean
  /** So many bytes of the file are kept, which a checkpoint has returned; 0 for a new archive. */
  readonly position: number
  /** The time that the files in the archive get. */
  readonly mtime: Date
}

/** An archive that is being written. */
export class ArchiveWriter {
  readonly #file: FileHandle
  readonly #isCompressed: boolean
  readonly #mtime: Date
  #position: number
  #waiting: Buffer[] = []
  #size = 0

  private constructor(file: FileHandle, { isCompressed, position, mtime }: Opening) {
    this.#file = file
    this.#isCompressed = isCompressed
    this.#position = position
    this.#mtime = mtime
  }

  /** Opens a file. What it has behind the position is removed; throws Failure if it has less. */
  static async open(path: string, opening: Opening): Promise<ArchiveWriter> {
    const file = await open(path, 'a', 0o600)
    try {
      const { size } = await file.stat()
      if (size < opening.position)
        throw new Failure(`${path} has ${size} bytes, and ${opening.position} were written: it was changed`)
      await file.truncate(opening.position)
      return new ArchiveWriter(file, opening)
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /** Adds a file with this content. */
  async add(name: string, content: string): Promise<void> {
    const bytes = Buffer.from(content)
    await this.#head(name, bytes.length)
    await this.#write(bytes)
    await this.#pad(bytes.length)
  }

  /** Adds a file of this many bytes from a stream. Throws Failure if the stream has more or fewer. */
  async addStream(name: string, size: number, stream: Readable): Promise<void> {
    await this.#head(name, size)
    let written = 0
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      written += chunk.length
      await this.#write(chunk)
    }
    if (written !== size) throw new Failure(`${name} has ${written} bytes, and ${size} were announced`)
    await this.#pad(size)
  }

  async #head(path: string, size: number): Promise<void> {
    const about = { path, size, mode: 0o600, mtime: this.#mtime }
    const header = new Header({ ...about, type: 'File' })
    // Long names need a header of their own before the file's.
    if (header.encode()) await this.#write(new Pax(about).encode())
    await this.#write(header.block!)
  }

  async #pad(size: number): Promise<void> {
    const rest = size % block
    if (rest > 0) await this.#write(Buffer.alloc(block - rest))
  }

  async #write(bytes: Buffer): Promise<void> {
    this.#waiting.push(bytes)
    this.#size += bytes.length
    if (this.#size >= pieceSize) await this.#flush()
  }

  /** Writes what was collected. Each piece is a gzip member of its own: members in a row are one gzip file. */
  async #flush(): Promise<void> {
    if (this.#size === 0) return
    const piece = Buffer.concat(this.#waiting)
    this.#waiting = []
    this.#size = 0
    const bytes = this.#isCompressed ? await compress(piece) : piece
    await this.#file.appendFile(bytes)
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
    await this.#write(Buffer.alloc(2 * block))
    return this.checkpoint()
  }

  /** Closes the file, also of an archive that has not ended. */
  async close(): Promise<void> {
    await this.#file.close()
  }
}
