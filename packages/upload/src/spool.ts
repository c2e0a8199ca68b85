// Takes files from the network to temporary files: whole, counted, and with their first bytes, before anything is stored.
// Memory holds one chunk of each. Knows nothing of names, records and providers.

import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { headSize } from './content-type.ts'
import { storageError } from './storage/errors.ts'

/** A file that was taken whole. */
export interface SpooledFile {
  readonly path: string
  /** In bytes. */
  readonly size: number
  readonly head: Buffer
}

/** The options by which a file is received. */
export interface SpoolOptions {
  /** The maximum number of bytes. */
  readonly limit: number
  /** The error for a file that has more. */
  readonly tooLarge: () => Error
  readonly signal: AbortSignal
}

/** Temporary files of crashed processes are removed when nothing was written to them for so long, in milliseconds. */
const staleAfter = 3_600_000

const prefix = 'spool-'

/** A folder of temporary files. */
export class Spool {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /** A path in the folder that no file has. The folder exists afterwards. */
  async newPath(): Promise<string> {
    await mkdir(this.folder, { recursive: true })
    return join(this.folder, `${prefix}${randomBytes(10).toString('hex')}`)
  }

  /** Takes a stream whole. If it fails, ends too late or is too large, nothing is left of it. */
  async take(stream: Readable, { limit, tooLarge, signal }: SpoolOptions): Promise<SpooledFile> {
    const path = await this.newPath()
    let size = 0
    let head = Buffer.alloc(0)
    const counter = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        size += chunk.length
        if (size > limit) return done(tooLarge())
        if (head.length < headSize) head = Buffer.concat([head, chunk.subarray(0, headSize - head.length)])
        done(null, chunk)
      },
    })
    try {
      await pipeline(stream, counter, createWriteStream(path, { flags: 'wx' }), { signal })
    } catch (error) {
      await rm(path, { force: true })
      throw storageError(signal.aborted ? signal.reason : error)
    }
    return { path, size, head }
  }

  /**
   * Removes what crashed processes left here, whatever its name is: the local provider has its unfinished files here, too.
   * Files of uploads that run are written to all the time.
   */
  async sweep(now = Date.now()): Promise<void> {
    for (const name of await readdir(this.folder).catch(() => [])) {
      const path = join(this.folder, name)
      const stats = await stat(path).catch(() => null)
      if (stats !== null && now - stats.mtimeMs > staleAfter) await rm(path, { recursive: true, force: true })
    }
  }
}
