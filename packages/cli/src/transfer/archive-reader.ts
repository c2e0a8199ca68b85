// Reads the files of a tar archive one after the other, compressed, encrypted by v4, or neither. Knows nothing of what they
// contain.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { Parser, type ReadEntry } from '#tar'
import { Failure } from '../failure.ts'
import { decipherOf, headSize } from './cipher.ts'

/** A file in an archive. Its content must be read, or skipped, before the next one comes. */
export interface ArchiveFile {
  /** With `/`, and without `./` in front. */
  readonly path: string
  readonly size: number
  readonly content: AsyncIterable<Buffer>
  skip(): void
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
      await pipeline(createReadStream(path), hash)
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

async function* filesOf(
  path: string,
  transforms: readonly (Transform | null)[],
  onBytes: (read: number) => void = () => {},
): AsyncGenerator<ArchiveFile> {
  const parser = new Parser({ strict: true })
  const waiting: ReadEntry[] = []
  let wake = () => {}
  let end: { readonly error: unknown } | null = null
  parser.on('entry', (entry: ReadEntry) => {
    waiting.push(entry)
    wake()
  })
  const source = createReadStream(path)
  const steps = [source, counter(onBytes), ...transforms.filter(one => one !== null)] as unknown as Readable[]
  const finish = (error: unknown) => {
    end ??= { error }
    wake()
  }
  const running = pipeline([...steps, parser as unknown as NodeJS.WritableStream]).then(() => finish(null), finish)
  try {
    for (;;) {
      const entry = waiting.shift()
      if (entry !== undefined) {
        if (entry.type === 'File' || entry.type === 'OldFile') yield fileOf(entry)
        entry.resume()
      } else if (end === null) {
        await new Promise<void>(resolve => {
          wake = resolve
        })
      } else {
        const { error } = end as { readonly error: unknown }
        if (error === null) return
        throw new Failure(`${path} is damaged or incomplete: ${(error as Error).message}`)
      }
    }
  } finally {
    source.destroy()
    await running
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

function fileOf(entry: ReadEntry): ArchiveFile {
  return {
    path: entry.path.replace(/^(\.\/)+/, ''),
    size: entry.size,
    content: entry as unknown as AsyncIterable<Buffer>,
    skip: () => void entry.resume(),
  }
}
