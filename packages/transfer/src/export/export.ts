// Makes an archive in a work folder: the rows in one transaction, then the files, then its name. An interrupted export
// continues behind its last checkpoint; one that had not written all rows writes them again, because an archive shows the
// database at one moment. Knows no options.

import { existsSync } from 'node:fs'
import type { Kernel } from '@plinth/kernel'
import { ArchiveWriter } from '../archive/archive-writer.ts'
import type { FileStore } from '../file-store.ts'
import { endText, WrittenSums } from '../format/checksums.ts'
import { names } from '../format/own-format.ts'
import { readTables } from '../tables/read.ts'
import { TransferError } from '../transfer-error.ts'
import { copyFiles } from './files.ts'
import type { OnProgress } from './progress.ts'
import { writeRows } from './rows.ts'
import type { ExportState, Written } from './state.ts'
import type { WorkFolder } from './work-folder.ts'

/** The application that is exported, and the folder for its archive. */
export interface Export {
  readonly kernel: Kernel
  readonly folder: WorkFolder
  /** Null if there are no files to write. */
  readonly store: FileStore | null
  readonly onProgress: OnProgress
  readonly signal: AbortSignal
}

/** Continues an export from its state to its end: the archive has its name. */
export async function exportArchive(exporting: Export, state: ExportState): Promise<Written> {
  const { folder } = exporting
  let now = state
  if (now.stage === 'rows') {
    await folder.clear()
    await folder.save(now)
  }
  if (now.stage !== 'complete') now = await writeArchive(exporting, now)
  // A process that was killed may have done a part of this.
  if (existsSync(folder.archive)) await folder.publish()
  await folder.clear()
  return now.written
}

async function writeArchive(exporting: Export, state: ExportState): Promise<ExportState> {
  const { kernel, folder, store, onProgress, signal } = exporting
  const { plan, position, createdAt } = state
  const { isCompressed } = plan
  const sums = new WrittenSums(state.lists)
  const onFile = sums.note.bind(sums)
  const opening = { isCompressed, position, mtime: new Date(createdAt), onFile }
  const archive = await ArchiveWriter.open(folder.archive, opening)
  try {
    let now = state
    if (now.stage === 'rows') {
      const hasContent = plan.parts.split(',').includes('content')
      const source = { store, hasContent, list: folder.list, sums, onProgress, signal }
      now = await readTables(kernel, reader => writeRows(archive, { ...source, reader }, state))
      await sums.writeTo(archive)
      now = { ...now, position: await archive.checkpoint(), lists: sums.lists }
      await folder.save(now)
    }
    if (now.records < now.total) {
      if (store === null)
        throw new TransferError('config/plugins has no plugin upload, whose files the interrupted export has to copy')
      now = await copyFiles(archive, { folder, store, sums, onProgress, signal }, now)
    }
    const { lines, files } = now.written
    await sums.writeTo(archive)
    const position = await archive.seal(names.end, sha256 => endText({ lines, files, sha256 }))
    now = { ...now, stage: 'complete', position }
    await folder.save(now)
    return now
  } finally {
    await archive.close()
  }
}
