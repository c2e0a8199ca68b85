// The checksums of an archive: lists of the digests of the files before them, and the digests of everything in the last file,
// so that each damaged file has a name and no damage stays unseen. Opens no file.

import { isRecord } from '@plinth/kernel'
import type { ArchiveEnds } from '../archive/archive-reader.ts'
import type { AddedFile, ArchiveWriter } from '../archive/archive-writer.ts'
import { storedMember, tarTail } from '../archive/seal.ts'
import { shownName } from '../archive/shown-name.ts'
import type { TarFile } from '../archive/tar-reader.ts'
import { linesOf } from './lines.ts'
import { type End, names } from './own-format.ts'

/** The maximum number of files in a list, so that readers need not remember more. */
const maxListed = 1000

/** Collects what an export adds to its archive, and writes the lists. */
export class WrittenSums {
  #files: AddedFile[] = []
  #isWriting = false
  /** The number of lists that are written. */
  lists: number

  constructor(lists: number) {
    this.lists = lists
  }

  /** Takes a file that was added. */
  note(file: AddedFile): void {
    // Lists are in no list: the last file of the archive covers them.
    if (!this.#isWriting) this.#files.push(file)
  }

  /** Returns whether a list must be written before more files are added. */
  get isFull(): boolean {
    return this.#files.length >= maxListed
  }

  /** Writes a list of the files since the last one. */
  async writeTo(archive: ArchiveWriter): Promise<void> {
    if (this.#files.length === 0) return
    const lines = this.#files.map(({ path, size, sha256 }) => `${JSON.stringify({ path, size, sha256 })}\n`)
    this.#files = []
    this.#isWriting = true
    await archive.add(names.checksums(++this.lists), lines.join(''))
    this.#isWriting = false
  }
}

/** Compares the files that an import reads with the lists that follow them. */
export class ReadSums {
  #files: AddedFile[] = []

  /** Takes a file that was read. */
  async note(file: TarFile): Promise<void> {
    if (this.#files.length > maxListed) this.#files.shift()
    this.#files.push({ path: file.path, size: file.size, sha256: await file.digest() })
  }

  /** Returns what is wrong with the files of a list, in sentences. */
  async faultsOf(list: TarFile): Promise<string[]> {
    const faults: string[] = []
    const listed: unknown[] = []
    for await (const line of linesOf(list.content, list.path, 0)) {
      if (line.fault !== null) faults.push(line.fault)
      if (listed.length <= maxListed) listed.push(line.value)
    }
    const read = listed.length === 0 ? [] : this.#files.slice(-listed.length)
    this.#files = []
    if (listed.length !== read.length && faults.length === 0)
      faults.push(`${list.path} lists ${listed.length} files, and ${read.length} are before it`)
    for (const [i, file] of read.entries()) {
      const one = listed[i]
      if (isRecord(one) && (one.path !== file.path || one.size !== file.size || one.sha256 !== file.sha256))
        faults.push(
          `${shownName(file.path)} is not as it was exported: ${list.path}, line ${i + 1}, has another checksum`,
        )
    }
    return faults
  }
}

/**
 * Returns what is wrong with an archive as a whole, in sentences; null if it has no checksums. `end` is the value of its last file.
 * An end has either no checksum or all of them, so that no single change makes it one without.
 */
export function faultsOfEnd(end: End, { tar, gzip, unread }: ArchiveEnds): string[] | null {
  const { lines, files, sha256 } = end
  if (sha256 === undefined && Object.keys(end).every(key => key === 'lines' || key === 'files')) return null
  if (!isRecord(sha256) || typeof sha256.tar !== 'string')
    return [`${names.end} has no checksums, but should have them`]
  const faults: string[] = []
  const tail = tarTail(names.end, endText({ lines, files, sha256 }))
  if (!tail.equals(tar.tail)) faults.push(`${names.end}, its header, or what is behind it is not as it was exported`)
  if (tar.sha256 !== sha256.tar)
    faults.push(`what is before ${names.end} is not as it was exported: a file, a header, or what is between files`)
  // An archive that another program has unpacked is a tar that has the checksum of the former gzip.
  if (faults.length > 0 || gzip === null) return faults
  const isAsWritten = sha256.gzip === gzip.sha256 && storedMember(tail).equals(gzip.tail) && unread === 0
  return isAsWritten
    ? []
    : [
        'the compressed bytes are not those of the export, although all files are: the archive was damaged, or another program has compressed it again; in that case, unpack it and import the .tar',
      ]
}

/** Returns the text of the last file. */
export function endText({ lines, files, sha256 }: End): string {
  return JSON.stringify({ lines, files, sha256: sha256 && { tar: sha256.tar, gzip: sha256.gzip } })
}
