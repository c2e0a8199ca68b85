// Reads the files of a tar archive one after the other, compressed, encrypted by v4, or neither. Knows nothing of what they
// contain.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { pipeline, type Readable, Transform } from 'node:stream'
import { pipeline as pipelineEnd } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { TransferError } from '../transfer-error.ts'
import { ByteReader } from './byte-reader.ts'
import { deciphersOf, headSize } from './cipher.ts'
import { PrefixDigest, type StreamEnd, tailSizes } from './seal.ts'
import { type TarFile, tarFiles } from './tar-reader.ts'

/** A file in an archive. */
export type ArchiveFile = TarFile

/** The end of an archive that was read whole: as a tar, and as gzip if it is compressed; both decrypted. */
export interface ArchiveEnds {
  readonly tar: StreamEnd
  readonly gzip: StreamEnd | null
  /** The number of bytes of the file that were not reached, because the compressed archive ends before them. */
  readonly unread: number
}

/** Receives what happens while an archive is read. */
export interface ReadingObserver {
  /** Is called with the number of bytes that are read. */
  readonly onBytes?: (read: number) => void
  readonly onEnd?: (ends: ArchiveEnds) => void
}

/** An archive that can be read several times. */
export interface Archive {
  readonly path: string
  /** The size of the archive in bytes. */
  readonly size: number
  /** The files in their order. Throws TransferError where the archive is damaged. */
  files(observer?: ReadingObserver): AsyncGenerator<ArchiveFile>
  /** The SHA-256 of the archive. */
  hash(): Promise<string>
}

const isGzip = (head: Buffer) => head[0] === 0x1f && head[1] === 0x8b
const isTar = (head: Buffer) => head.subarray(257, 262).toString() === 'ustar'
const isArchive = (head: Buffer) => isGzip(head) || isTar(head)

/** Opens an archive. Throws TransferError if it cannot be one, if it is encrypted and there is no key, or a wrong one. */
export async function openArchive(path: string, key: string | undefined): Promise<Archive> {
  const head = await headOf(path)
  const { size } = await stat(path)
  const isPlain = isArchive(head)
  if (!isPlain && key === undefined) {
    const isEncrypted = path.endsWith('.enc')
    throw new TransferError(
      isEncrypted
        ? `${path} is encrypted: give its key with --key, or export it with \`strapi export --no-encrypt\``
        : `${path} is not an archive (.tar or .tar.gz); if v4 has encrypted it, give its key with --key`,
    )
  }
  const deciphers = isPlain ? null : deciphersOf(key!, head, isArchive)
  if (!isPlain && deciphers === null) throw new TransferError(`The key of --key does not open ${path}`)
  const isCompressed = isGzip(deciphers === null ? head : deciphers().update(head))
  return {
    path,
    size,
    files: (observer = {}) => filesOf(path, { decipher: deciphers?.() ?? null, isCompressed, size }, observer),
    async hash() {
      const hash = createHash('sha256')
      await pipelineEnd(createReadStream(path), hash)
      return hash.digest('hex')
    },
  }
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r').catch(error => {
    throw new TransferError(`${path} cannot be read: ${(error as Error).message}`)
  })
  try {
    if ((await file.stat()).isDirectory()) throw new TransferError(`${path} is a folder, not an archive`)
    const head = Buffer.alloc(headSize)
    const { bytesRead } = await file.read(head, 0, headSize, 0)
    return head.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

interface PackFormat {
  readonly decipher: Transform | null
  readonly isCompressed: boolean
  readonly size: number
}

/** The size of the pieces that are read and unpacked at a time, in bytes. */
const pieceSize = 65_536

/**
 * The files of an archive, which is read no faster than its files are: the next piece is taken when a file, or the content of
 * one, is asked for. So nothing goes on in the background, and who stops asking ends the reading.
 */
async function* filesOf(
  path: string,
  { decipher, isCompressed, size }: PackFormat,
  { onBytes = () => {}, onEnd }: ReadingObserver,
): AsyncGenerator<ArchiveFile> {
  const tar = new PrefixDigest(tailSizes.tar)
  const gzip = isCompressed ? new PrefixDigest(tailSizes.gzip) : null
  let read = 0
  const steps = [
    createReadStream(path, { highWaterMark: pieceSize }),
    watching(chunk => {
      read += chunk.length
      onBytes(read)
    }),
    decipher,
    gzip === null ? null : watching(chunk => gzip.add(chunk)),
  ].filter(one => one !== null)
  // The iterator throws what fails on the way.
  const stream = pipeline(steps as unknown as Readable[], () => {}) as unknown as Readable
  const unpacked = isCompressed ? gunzipped(stream) : (stream as AsyncIterable<Buffer>)
  const chunks = watched(unpacked, chunk => tar.add(chunk))
  try {
    yield* tarFiles(new ByteReader(chunks, text => new TransferError(`${path} is damaged or incomplete: ${text}`)))
    onEnd?.({ tar: tar.end(), gzip: gzip?.end() ?? null, unread: size - read })
  } finally {
    stream.destroy()
  }
}

/** The number of bytes that are decompressed at a time, which may become a thousand times as many, and the size of a piece. */
const gunzipSize = 4096

/**
 * Decompresses a stream, and yields everything before the place where that fails: streams of zlib lose what they have not
 * handed over then, and a fault would be placed far before it.
 */
async function* gunzipped(stream: Readable): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: gunzipSize })
  let ready: Buffer[] = []
  gunzip.on('data', (chunk: Buffer) => void ready.push(chunk))
  const failure = new Promise<Error>(resolve => gunzip.once('error', resolve))
  const ended = new Promise<null>(resolve => gunzip.once('end', () => resolve(null)))
  const takeReady = () => {
    const chunks = ready
    ready = []
    return chunks
  }
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>)
      for (let at = 0; at < chunk.length; at += gunzipSize) {
        const written = new Promise<null>(resolve => {
          gunzip.write(chunk.subarray(at, at + gunzipSize), error => error == null && resolve(null))
        })
        const error = await Promise.race([written, failure])
        yield* takeReady()
        if (error !== null) throw error
      }
    gunzip.end()
    const error = await Promise.race([ended, failure])
    yield* takeReady()
    if (error !== null) throw error
  } finally {
    gunzip.destroy()
  }
}

async function* watched(chunks: AsyncIterable<Buffer>, watch: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    watch(chunk)
    yield chunk
  }
}

/** A step that changes nothing. */
function watching(watch: (chunk: Buffer) => void): Transform {
  return new Transform({
    highWaterMark: pieceSize,
    transform(chunk: Buffer, _, done) {
      watch(chunk)
      done(null, chunk)
    },
  })
}
