// Copies the stored files of an application into an archive, with checkpoints: an interrupted export goes on behind the last.

import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ArchiveWriter } from './archive-writer.ts'
import type { ExportState } from './export-state.ts'
import type { FileStore } from './file-store.ts'
import { linesOf } from './lines.ts'
import { names } from './own-format.ts'
import type { Progress } from './progress.ts'
import type { WorkFolder } from './work-folder.ts'
import type { Listed } from './writing.ts'

/** A checkpoint comes after so many bytes of files, or after so many milliseconds. */
const checkpoint = { size: 16_000_000, time: 5000 }

/** So many keys of missing files are named. */
const mostExamples = 10

/** What is needed to copy the files. */
export interface FileSource {
  readonly folder: WorkFolder
  readonly store: FileStore
  readonly progress: Progress
  readonly signal: AbortSignal
}

/** Copies the files of the list from the state on. Returns the state behind the last one. */
export async function copyFiles(archive: ArchiveWriter, source: FileSource, state: ExportState): Promise<ExportState> {
  const { folder, progress } = source
  let now = state
  let size = 0
  let savedAt = Date.now()
  for await (const { number, value } of linesOf(createReadStream(folder.list), folder.list, state.records)) {
    const { row, keys } = value as unknown as Listed
    for (const key of keys) {
      const copied = await copyFile(archive, source, { row, key })
      size += copied ?? 0
      now = counted(now, key, copied !== null)
    }
    now = { ...now, records: number + 1 }
    progress.show(now.records / now.total, `${now.written.files} files`)
    if (size < checkpoint.size && Date.now() - savedAt < checkpoint.time) continue
    now = { ...now, position: await archive.checkpoint() }
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
    : { ...state.written, missing: missing + 1, examples: [...examples, key].slice(0, mostExamples) }
  return { ...state, written }
}

interface StoredFile {
  readonly row: Listed['row']
  readonly key: string
}

/** Copies a stored file into the archive, and returns its size; null if it is not in the storage. */
async function copyFile(archive: ArchiveWriter, source: FileSource, { row, key }: StoredFile): Promise<number | null> {
  const { folder, store, signal } = source
  signal.throwIfAborted()
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
