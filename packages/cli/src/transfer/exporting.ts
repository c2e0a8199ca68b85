// Makes an archive in a work folder: the rows in one transaction, then the files, then its name. An interrupted export
// continues behind its last checkpoint; one that had not written all rows writes them again, because an archive shows the
// database at one moment. Knows no options.

import { existsSync } from 'node:fs'
import type { Kernel } from '@plinth/kernel'
import { readTables } from '@plinth/kernel/transfer'
import { Failure } from '../failure.ts'
import { ArchiveWriter } from './archive-writer.ts'
import { copyFiles } from './copying.ts'
import type { ExportState, Written } from './export-state.ts'
import type { FileStore } from './file-store.ts'
import { names } from './own-format.ts'
import type { Progress } from './progress.ts'
import type { WorkFolder } from './work-folder.ts'
import { writeRows } from './writing.ts'

/** What is exported, and into what. */
export interface Export {
  readonly kernel: Kernel
  readonly folder: WorkFolder
  /** Null if there are no files to write. */
  readonly store: FileStore | null
  readonly progress: Progress
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
  const { kernel, folder, store, progress, signal } = exporting
  const { plan, position, createdAt } = state
  const { isCompressed } = plan
  const archive = await ArchiveWriter.open(folder.archive, { isCompressed, position, mtime: new Date(createdAt) })
  try {
    let now = state
    if (now.stage === 'rows') {
      const hasContent = plan.parts.split(',').includes('content')
      const source = { store, hasContent, list: folder.list, progress, signal }
      now = await readTables(kernel, reader => writeRows(archive, { ...source, reader }, state))
      now = { ...now, position: await archive.checkpoint() }
      await folder.save(now)
    }
    if (now.records < now.total) {
      if (store === null)
        throw new Failure('config/plugins has no plugin upload, whose files the interrupted export has to copy')
      now = await copyFiles(archive, { folder, store, progress, signal }, now)
    }
    const { lines, files } = now.written
    await archive.add(names.end, JSON.stringify({ lines, files }))
    now = { ...now, stage: 'complete', position: await archive.end() }
    await folder.save(now)
    return now
  } finally {
    await archive.close()
  }
}
