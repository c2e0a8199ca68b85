// Reads the files of a tar archive one after the other, compressed, encrypted by v4, or neither. Knows nothing of what they
// contain.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { pipeline, type Readable, Transform } from 'node:stream'
import { pipeline as pipelineEnd } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { Parser, type ReadEntry } from '#tar'
import { Failure } from '../failure.ts'
import { decipherOf, headSize } from './cipher.ts'

/** A file in an archive. Its content can be read until the next one is asked for; what is not read is left out. */
export interface ArchiveFile {
  /** With `/`, and without `./` in front. */
  readonly path: string
  readonly size: number
  readonly content: AsyncIterable<Buffer>
}

/** An archive that can be read several times. */
export interface Archive {
  readonly path: string
  /** The size of the archive in bytes. */
  readonly size: number
  /** The files in their order. `onBytes` is told how much of the archive is read. */
  files(onBytes?: (read: number) => void): AsyncGenerator<ArchiveFile>
  /** The SHA-256 of the archive. */
  hash(): Promise<string>
}

const isGzip = (head: Buffer) => head[0] === 0x1f && head[1] === 0x8b
const isTar = (head: Buffer) => head.subarray(257, 262).toString() === 'ustar'
const isArchive = (head: Buffer) => isGzip(head) || isTar(head)

/** Opens an archive. Throws Failure if it cannot be one, if it is encrypted and there is no key, or a wrong one. */
export async function openArchive(path: string, key: string | undefined): Promise<Archive> {
  const head = await headOf(path)
  const { size } = await stat(path)
  const isPlain = isArchive(head)
  if (!isPlain && key === undefined) {
    const isEncrypted = path.endsWith('.enc')
    throw new Failure(
      isEncrypted
        ? `${path} is encrypted: give its key with --key, or export it with \`strapi export --no-encrypt\``
        : `${path} is no archive (.tar or .tar.gz); if v4 has encrypted it, give its key with --key`,
    )
  }
  const decipher = () => (isPlain ? null : decipherOf(key!, head, isArchive))
  const first = decipher()
  if (!isPlain && first === null) throw new Failure(`The key of --key does not open ${path}`)
  const isCompressed = isGzip(first === null ? head : first.update(head))
  return {
    path,
    size,
    files: onBytes => filesOf(path, [decipher(), isCompressed ? createGunzip() : null], onBytes),
    async hash() {
      const hash = createHash('sha256')
      await pipelineEnd(createReadStream(path), hash)
      return hash.digest('hex')
    },
  }
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r').catch(error => {
    throw new Failure(`${path} cannot be read: ${(error as Error).message}`)
  })
  try {
    const head = Buffer.alloc(headSize)
    const { bytesRead } = await file.read(head, 0, headSize, 0)
    return head.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/**
 * The files of an archive, which is read no faster than its files are: the parser is handed the next piece when a file, or
 * the content of one, is asked for. So nothing goes on in the background, and who stops asking ends the reading.
 */
async function* filesOf(
  path: string,
  transforms: readonly (Transform | null)[],
  onBytes: (read: number) => void = () => {},
): AsyncGenerator<ArchiveFile> {
  const pieces = new Pieces(path, transforms, onBytes)
  try {
    for (;;) {
      const entry = await pieces.nextEntry()
      if (entry === null) return
      const content = contentOf(entry, pieces)
      if (entry.type === 'File' || entry.type === 'OldFile') yield fileOf(entry, content)
      // Discards what was left unread.
      entry.resume()
      while (!entry.emittedEnd) await pieces.feed()
    }
  } finally {
    pieces.close()
  }
}

/** Hands the pieces of an archive to the parser of tar, one at a time. */
class Pieces {
  readonly #path: string
  readonly #parser = new Parser({ strict: true })
  readonly #bytes: Readable
  readonly #iterator: AsyncIterator<Buffer>
  readonly #waiting: ReadEntry[] = []
  #hasEnded = false
  #error: unknown = null

  constructor(path: string, transforms: readonly (Transform | null)[], onBytes: (read: number) => void) {
    this.#path = path
    const steps = [createReadStream(path), counter(onBytes), ...transforms.filter(one => one !== null)]
    // The iterator throws what fails on the way.
    this.#bytes = pipeline(steps as unknown as Readable[], () => {}) as unknown as Readable
    this.#iterator = this.#bytes[Symbol.asyncIterator]() as AsyncIterator<Buffer>
    this.#parser.on('entry', (entry: ReadEntry) => void this.#waiting.push(entry))
    this.#parser.on('error', (error: unknown) => {
      this.#error ??= error
    })
  }

  /** The next file, folder or link; null at the end. Throws Failure if the archive is damaged. */
  async nextEntry(): Promise<ReadEntry | null> {
    while (this.#waiting.length === 0 && !this.#hasEnded) await this.feed()
    return this.#waiting.shift() ?? null
  }

  /** Reads one piece further. Throws Failure if the archive is damaged, or has ended although a file has not. */
  async feed(): Promise<void> {
    if (this.#hasEnded) throw this.#damage('it ends within a file')
    try {
      const { done, value } = await this.#iterator.next()
      if (done) {
        this.#hasEnded = true
        this.#parser.end()
      } else this.#parser.write(value)
    } catch (error) {
      throw this.#damage((error as Error).message)
    }
    if (this.#error !== null) throw this.#damage((this.#error as Error).message)
  }

  #damage(message: string): Failure {
    return new Failure(`${this.#path} is damaged or incomplete: ${message}`)
  }

  /** Closes the file, also of an archive that is not read to its end. */
  close(): void {
    this.#bytes.destroy()
  }
}

async function* contentOf(entry: ReadEntry, pieces: Pieces): AsyncGenerator<Buffer> {
  while (!entry.emittedEnd) {
    const chunk = entry.read() as Buffer | null
    if (chunk !== null) yield chunk
    else if (!entry.emittedEnd) await pieces.feed()
  }
}

function counter(onBytes: (read: number) => void): Transform {
  let read = 0
  return new Transform({
    transform(chunk: Buffer, _, done) {
      read += chunk.length
      onBytes(read)
      done(null, chunk)
    },
  })
}

function fileOf(entry: ReadEntry, content: AsyncGenerator<Buffer>): ArchiveFile {
  return { path: entry.path.replace(/^(\.\/)+/, ''), size: entry.size, content }
}
