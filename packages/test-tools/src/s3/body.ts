// Receives the body of a request into a file, and checks it against what the request says of it: its length, its hash and
// its checksum, also if the body is in chunks with a trailer (`aws-chunked`).

import { createHash, type Hash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32 } from 'node:zlib'
import { S3Refusal } from './signature.ts'

/** A body that was received. */
export interface ReceivedBody {
  readonly size: number
  readonly md5: Buffer
}

/** Receives the body. Throws S3Refusal if it is not what was announced; the file may be there then. */
export async function receive(request: IncomingMessage, path: string): Promise<ReceivedBody> {
  const announced = String(request.headers['x-amz-content-sha256'])
  const isChunked = announced === 'STREAMING-UNSIGNED-PAYLOAD-TRAILER'
  if (announced.startsWith('STREAMING-') && !isChunked)
    throw new S3Refusal(501, 'NotImplemented', `Bodies of the kind ${announced} are not taken`)
  const chunks = isChunked ? new Chunks() : null
  const measure = new Measure()
  await pipeline([request, ...(chunks === null ? [] : [chunks]), measure, createWriteStream(path)])
  const sha256 = measure.sha256.digest()
  if (/^[0-9a-f]{64}$/.test(announced) && announced !== sha256.toString('hex'))
    throw new S3Refusal(400, 'XAmzContentSHA256Mismatch', 'The provided x-amz-content-sha256 header does not match.')
  const length = request.headers['x-amz-decoded-content-length'] ?? request.headers['content-length']
  if (length !== undefined && Number(length) !== measure.size)
    throw new S3Refusal(400, 'IncompleteBody', 'You did not provide the number of bytes of the header Content-Length.')
  const checksums: Record<string, string> = { crc32: checksumText(measure.crc), sha256: sha256.toString('base64') }
  for (const [name, value] of Object.entries({ ...request.headers, ...chunks?.trailer })) {
    const [, kind] = /^x-amz-checksum-(\w+)$/.exec(name) ?? []
    if (kind === undefined || kind === 'algorithm') continue
    if (!(kind in checksums)) throw new S3Refusal(501, 'NotImplemented', `The checksum ${kind} is not taken`)
    if (checksums[kind] !== value) throw new S3Refusal(400, 'BadDigest', `The ${kind} you specified did not match.`)
  }
  const md5 = measure.md5.digest()
  const sentMd5 = request.headers['content-md5']
  if (sentMd5 !== undefined && sentMd5 !== md5.toString('base64'))
    throw new S3Refusal(400, 'BadDigest', 'The Content-MD5 you specified did not match what we received.')
  return { size: measure.size, md5 }
}

function checksumText(crc: number): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc)
  return bytes.toString('base64')
}

/** Passes bytes on, and hashes them. */
class Measure extends Transform {
  size = 0
  crc = 0
  readonly md5: Hash = createHash('md5')
  readonly sha256: Hash = createHash('sha256')

  override _transform(chunk: Buffer, _: string, done: (error: null, chunk: Buffer) => void): void {
    this.size += chunk.length
    this.crc = crc32(chunk, this.crc)
    this.md5.update(chunk)
    this.sha256.update(chunk)
    done(null, chunk)
  }
}

/** Decodes `aws-chunked`: chunks of `<size in hex>\r\n<bytes>\r\n`, one of size 0, and lines `name:value`. */
class Chunks extends Transform {
  readonly trailer: Record<string, string> = {}
  #rest = Buffer.alloc(0)
  /** The number of bytes of the chunk that are missing, with its line end; null between chunks. */
  #missing: number | null = null
  #isInTrailer = false

  override _transform(chunk: Buffer, _: string, done: (error?: Error) => void): void {
    this.#rest = Buffer.concat([this.#rest, chunk])
    try {
      while (this.#step());
      done()
    } catch (error) {
      done(error as Error)
    }
  }

  override _flush(done: (error?: Error) => void): void {
    done(this.#isInTrailer ? undefined : new S3Refusal(400, 'IncompleteBody', 'The body has no last chunk.'))
  }

  /** Takes one line, or some bytes of a chunk. Returns whether there may be more. */
  #step(): boolean {
    if (this.#missing !== null) return this.#takeBytes(this.#missing)
    const end = this.#rest.indexOf('\r\n')
    if (end === -1) return false
    const line = this.#rest.subarray(0, end).toString('latin1')
    this.#rest = this.#rest.subarray(end + 2)
    if (this.#isInTrailer) {
      const [name, value] = line.split(':')
      if (value !== undefined) this.trailer[name!.toLowerCase()] = value.trim()
      return true
    }
    if (!/^[0-9a-f]+$/i.test(line))
      throw new S3Refusal(400, 'InvalidRequest', `${JSON.stringify(line)} begins no chunk`)
    const size = Number.parseInt(line, 16)
    if (size === 0) this.#isInTrailer = true
    else this.#missing = size + 2
    return true
  }

  #takeBytes(missing: number): boolean {
    if (this.#rest.length === 0) return false
    const bytes = this.#rest.subarray(0, Math.max(0, missing - 2))
    const isWhole = this.#rest.length >= missing
    if (!isWhole && missing <= 2) return false
    if (bytes.length > 0) this.push(bytes)
    this.#rest = this.#rest.subarray(isWhole ? missing : bytes.length)
    this.#missing = isWhole ? null : missing - bytes.length
    return isWhole
  }
}
