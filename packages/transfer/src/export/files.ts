// Copies the stored files of an application into an archive, with checkpoints: an interrupted export goes on behind the last.

import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ArchiveWriter } from '../archive/archive-writer.ts'
import { NamesSeen } from '../archive/names-seen.ts'
import type { FileStore } from '../file-store.ts'
import type { WrittenSums } from '../format/checksums.ts'
import { valuesOf } from '../format/lines.ts'
import { names } from '../format/own-format.ts'
import type { OnProgress } from './progress.ts'
import type { ListedFile } from './rows.ts'
import type { ExportState } from './state.ts'
import type { WorkFolder } from './work-folder.ts'

/** The distance of two checkpoints, in bytes of files and in milliseconds: whichever comes first. */
const checkpoint = { size: 16_000_000, time: 5000 }

/** The maximum number of missing files that are named. */
const maxExamples = 10

/** The stored files, and what copies them. */
export interface FileSource {
  readonly folder: WorkFolder
  readonly store: FileStore
  readonly sums: WrittenSums
  readonly onProgress: OnProgress
  readonly signal: AbortSignal
}

/** Copies the files of the list from the state on. Returns the state behind the last one. */
export async function copyFiles(archive: ArchiveWriter, source: FileSource, state: ExportState): Promise<ExportState> {
  const { folder, sums, onProgress } = source
  let now = state
  let size = 0
  let savedAt = Date.now()
  const archivedKeys = new NamesSeen({ isCaseSensitive: true })
  for await (const { number, value } of valuesOf(createReadStream(folder.list), folder.list, 0)) {
    const { row, keys } = value as unknown as ListedFile
    // Records may share a file, which an archive has once.
    const own = keys.filter(key => archivedKeys.add(key))
    // The interrupted export has done it.
    if (number < state.records) continue
    for (const key of own) {
      const copied = await copyFile(archive, source, { row, key })
      size += copied ?? 0
      now = counted(now, key, copied !== null)
      if (sums.isFull) await sums.writeTo(archive)
    }
    now = { ...now, records: number + 1 }
    onProgress(now.records / now.total, `${now.written.files} files`)
    if (size < checkpoint.size && Date.now() - savedAt < checkpoint.time) continue
    await sums.writeTo(archive)
    now = { ...now, position: await archive.checkpoint(), lists: sums.lists }
    await folder.save(now)
    size = 0
    savedAt = Date.now()
  }
  return now
}

function counted(state: ExportState, key: string, isThere: boolean): ExportState {
  const { files, missing, examples } = state.written
  const written = isThere
    ? { ...state.written, files: files + 1 }
    : { ...state.written, missing: missing + 1, examples: [...examples, key].slice(0, maxExamples) }
  return { ...state, written }
}

interface StoredFile {
  readonly row: ListedFile['row']
  readonly key: string
}

/** Copies a stored file into the archive, and returns its size; null if it is not in the storage. */
async function copyFile(archive: ArchiveWriter, source: FileSource, { row, key }: StoredFile): Promise<number | null> {
  const { folder, store, signal } = source
  signal.throwIfAborted()
  // A record that was written past the plugin may name anything.
  if (!store.accepts(key)) return null
  // Its exact size comes before its content.
  if (!(await fetchFile(() => store.open(row, key), folder.copy, signal))) return null
  const { size } = await stat(folder.copy)
  await archive.addStream(names.asset(key), size, createReadStream(folder.copy))
  return size
}

/** Writes a stored file to a path; false if there is none. */
async function fetchFile(read: () => Promise<Readable>, path: string, signal: AbortSignal): Promise<boolean> {
  try {
    await pipeline(await read(), createWriteStream(path, { mode: 0o600 }), { signal })
    return true
  } catch (error) {
    const { code, path: place } = error as { readonly code?: unknown; readonly path?: unknown }
    if (code === 'ENOENT' && place !== path) return false
    throw error
  }
}
