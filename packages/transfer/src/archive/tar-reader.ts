// Reads the files of a tar one after the other, in linear time and in little memory, and refuses everything else that a tar
// can have: links, devices, sparse files, names that lead out or come twice, wrong sizes, bytes behind the end. Opens no file.

import { createHash, type Hash } from 'node:crypto'
import { Header } from '#tar'
import type { ByteReader } from './byte-reader.ts'
import { NamesSeen } from './names-seen.ts'
import { blockSize } from './seal.ts'
import { shownName } from './shown-name.ts'
import { type Extension, extensionOf } from './tar-extensions.ts'

/** A file of a tar. Its content can be read until the next file is asked for; what is not read is left out. */
export interface TarFile {
  /** Relative, with `/`, without `.` and `..`. */
  readonly path: string
  readonly size: number
  readonly content: AsyncGenerator<Buffer>
  /** Reads what is left. Returns the SHA-256 of the header, the content and what fills up the last block, in hexadecimal. */
  digest(): Promise<string>
}

/** A header with what the headers before it say about the same file. */
interface Head {
  readonly path: string
  readonly type: string
  readonly size: number
  readonly hash: Hash
}

/** Longer names come from no export. */
const maxPath = 1024
/** The maximum size of a header that extends another one, in bytes. */
const maxExtension = 1_000_000

/** The files of a tar. Throws the error of the place where it is damaged or has what no export writes. */
export async function* tarFiles(bytes: ByteReader): AsyncGenerator<TarFile> {
  const names = new NamesSeen({ isCaseSensitive: false })
  for (;;) {
    const head = await nextHead(bytes)
    if (head === null) return
    const path = safePath(bytes, head.path)
    if (head.type === 'Directory') {
      if (head.size > 0) throw bytes.error(`the folder ${shownName(path)} has content`)
      continue
    }
    const kind = refusedKinds.get(head.type)
    if (head.type !== 'File' && head.type !== 'OldFile')
      throw bytes.error(`${shownName(path)} is ${kind ?? 'of an unknown kind'}: an archive has files and folders only`)
    if (path === '') throw bytes.error('a file has no name')
    if (!names.add(path)) throw bytes.error(`the archive has the name ${shownName(path)} twice (case may differ)`)
    bytes.where = `in ${shownName(path)}`
    const file = new Content(bytes, head)
    yield { path, size: head.size, content: file.pieces(), digest: () => file.digest() }
    await file.digest()
    bytes.where = `behind ${shownName(path)}`
  }
}

const refusedKinds: ReadonlyMap<string, string> = new Map([
  ['SymbolicLink', 'a symbolic link'],
  ['Link', 'a hard link'],
  ['CharacterDevice', 'a device'],
  ['BlockDevice', 'a device'],
  ['FIFO', 'a pipe'],
  ['SparseFile', 'a sparse file'],
])

/** The next header; null at the end of the tar, behind which there is nothing but zeros. */
async function nextHead(bytes: ByteReader): Promise<Head | null> {
  const hash = createHash('sha256')
  let extension: Extension = {}
  for (;;) {
    const block = await bytes.exactly(blockSize)
    if (block === null || isZero(block)) {
      if (Object.keys(extension).length > 0) throw bytes.error('Truncated: a long name has no file')
      if (block !== null) await requireZeros(bytes)
      return null
    }
    hash.update(block)
    const { type, path, size } = decoded(bytes, block)
    const extends_ = extensionOf(type)
    if (extends_ === null) return { type, path: extension.path ?? path, size: extension.size ?? size, hash }
    if (size > maxExtension) throw bytes.error('a long name, or what describes a file, has more than a megabyte')
    const content = size === 0 ? Buffer.alloc(0) : await required(bytes, size)
    hash.update(content)
    await readFill(bytes, size, hash)
    try {
      extension = { ...extension, ...extends_(content) }
    } catch (error) {
      throw bytes.error((error as Error).message)
    }
  }
}

/** Reads a block as a header. Throws the error of the place if its checksum is wrong. */
function decoded(
  bytes: ByteReader,
  block: Buffer,
): { readonly type: string; readonly path: string; readonly size: number } {
  const header = headerOf(block)
  if (header === null || !header.cksumValid) throw bytes.error('the next header is damaged')
  const { type, path = '', size = 0 } = header
  if (!Number.isSafeInteger(size) || size < 0) throw bytes.error(`the size of ${shownName(path)} is not a number`)
  return { type, path, size }
}

function headerOf(block: Buffer): Header | null {
  try {
    return new Header(block, 0)
  } catch {
    // A number of it cannot be read.
    return null
  }
}

/** The path of an entry, as it is used. Throws the error of the place if it leads out of the archive. */
function safePath(bytes: ByteReader, raw: string): string {
  // v4 writes `\` on Windows.
  const path = (raw.includes('/') ? raw : raw.replaceAll('\\', '/')).replace(/^(\.\/)+/, '')
  if (path.length > maxPath) throw bytes.error(`a name has more than ${maxPath} characters: ${shownName(path)}`)
  const leadsOut = /^([/\\]|[a-z]:)/i.test(path) || path.split(/[/\\]/).includes('..')
  if (leadsOut || /\p{Cc}/u.test(path)) throw bytes.error(`the name ${shownName(path)} leads out of the archive`)
  return path
}

/** The content of one file. */
class Content {
  readonly #bytes: ByteReader
  readonly #size: number
  readonly #hash: Hash
  #left: number
  #digest: string | null = null

  constructor(bytes: ByteReader, { size, hash }: Head) {
    this.#bytes = bytes
    this.#size = size
    this.#left = size
    this.#hash = hash
  }

  async *pieces(): AsyncGenerator<Buffer> {
    for (let piece = await this.#next(); piece !== null; piece = await this.#next()) yield piece
  }

  async #next(): Promise<Buffer | null> {
    if (this.#left === 0) return null
    const piece = await this.#bytes.upTo(this.#left)
    if (piece === null) throw this.#bytes.error(`Truncated: ${this.#left} of ${this.#size} bytes are missing`)
    this.#left -= piece.length
    this.#hash.update(piece)
    return piece
  }

  async digest(): Promise<string> {
    if (this.#digest === null) {
      while ((await this.#next()) !== null);
      await readFill(this.#bytes, this.#size, this.#hash)
      this.#digest = this.#hash.digest('hex')
    }
    return this.#digest
  }
}

/** Reads what fills up the last block. */
async function readFill(bytes: ByteReader, size: number, hash: Hash): Promise<void> {
  const length = (blockSize - (size % blockSize)) % blockSize
  if (length === 0) return
  const fill = await required(bytes, length)
  hash.update(fill)
  if (!isZero(fill)) throw bytes.error('there are bytes behind its end, before the next header')
}

async function required(bytes: ByteReader, size: number): Promise<Buffer> {
  const content = await bytes.exactly(size)
  if (content === null) throw bytes.error('Truncated: the archive ends here')
  return content
}

async function requireZeros(bytes: ByteReader): Promise<void> {
  for (let piece = await bytes.upTo(65_536); piece !== null; piece = await bytes.upTo(65_536))
    if (!isZero(piece)) throw bytes.error('something follows the end of the archive')
}

const zeros = Buffer.alloc(65_536)

/** Returns whether at most 65,536 bytes are all zero. */
function isZero(bytes: Buffer): boolean {
  return bytes.equals(zeros.subarray(0, bytes.length))
}
