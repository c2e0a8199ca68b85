// The stored files for exports and imports of whole applications: by keys and records as tables have them, past journal,
// checks and entries. Knows no archive.

import type { Readable } from 'node:stream'
import { lookup } from '#mime-types'
import type { Files } from './files.ts'
import { keysOf } from './record.ts'
import { isKey } from './storage/local.ts'
import { fileUid } from './types.ts'

/** A row of the table of files, by the names of attributes. */
export type FileRow = Readonly<Record<string, unknown>>

/**
 * The service `transfer` of the plugin: `kernel.plugin('upload').service('transfer')`, for tools that move a whole
 * application.
 */
export class FileTransfer {
  readonly #files: Files
  /** The type of the records. */
  readonly uid = fileUid

  /** @internal */
  constructor(files: Files) {
    this.#files = files
  }

  /** The keys of the files of a record, its formats included; none if their provider is not enabled here. */
  keysOf(row: FileRow): readonly string[] {
    return this.#files.providerOf(row.provider) === undefined ? [] : keysOf(row)
  }

  /** Returns whether a file may be stored under this key. */
  accepts(key: string): boolean {
    return isKey(key)
  }

  /** Reads a file of a record; rejects with the code ENOENT if it is not there. */
  async open(row: FileRow, key: string): Promise<Readable> {
    return this.#files.requireProvider(row.provider).open(key)
  }

  /** Stores a file with the provider of the settings, in place of an earlier one. */
  async store(key: string, stream: Readable, size: number, signal: AbortSignal): Promise<void> {
    const mime = lookup(key) || 'application/octet-stream'
    await this.#files.current.provider.store({ key, mime, stream, size }, signal)
  }

  /** The row with the URLs and the provider that its files have here, after `store`. */
  relocate(row: FileRow): FileRow {
    const { name, provider } = this.#files.current
    const urlOf = (one: FileRow) => provider.urlOf(`${one.hash}${one.ext ?? ''}`)
    const { formats } = row
    const isRecord = formats !== null && typeof formats === 'object'
    const moved = isRecord
      ? Object.fromEntries(Object.entries(formats).map(([key, one]) => [key, one && { ...one, url: urlOf(one) }]))
      : formats
    return { ...row, formats: moved, provider: name, url: urlOf(row) }
  }

  /** Removes the files of a record; those of a provider that is not enabled stay. */
  async remove(row: FileRow): Promise<void> {
    const provider = this.#files.providerOf(row.provider)
    if (provider === undefined) return
    // A record that was written past the plugin may name anything.
    for (const key of keysOf(row).filter(isKey)) await provider.remove(key)
  }
}
