// Runs an export for `plinth export`: chooses the archive, continues an interrupted export, and prints what was written.

import { existsSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Kernel } from '@plinth/kernel'
import {
  differencesOf,
  type ExportPlan,
  type ExportState,
  exportArchive,
  fileStoreOf,
  newState,
  placeOf,
  requireTables,
  WorkFolder,
  type Written,
  workFolderEnding,
} from '@plinth/transfer'
import { Failure } from '../failure.ts'
import { withKernel } from '../open.ts'
import { commandText } from './command-text.ts'
import { interruptible } from './interruption.ts'
import { partsOf } from './parts.ts'
import { Progress } from './progress.ts'

/** The options of the command. */
export interface ExportOptions {
  readonly dir?: string | undefined
  readonly file?: string | undefined
  readonly compress: boolean
  readonly force?: boolean | undefined
  readonly only?: string | undefined
  readonly exclude?: string | undefined
  readonly encrypt?: boolean | undefined
  readonly key?: string | undefined
}

/** Exports an application. Throws Failure or TransferError with what helps. */
export async function runExport(options: ExportOptions): Promise<void> {
  const { dir, only, exclude } = options
  if (options.encrypt || options.key !== undefined)
    throw new Failure('Archives are not encrypted: encrypt the file with a tool such as age or gpg')
  const path = pathOf(options.file, options.compress)
  const isForced = options.force === true
  if (existsSync(path) && !isForced && !existsSync(`${path}${workFolderEnding}`)) refuseTo(path)
  const parts = partsOf(only, exclude)
  if (options.file === undefined) nameUnfinished()
  await withKernel(dir, async kernel => {
    await requireTables(kernel)
    const folder = await WorkFolder.open(path)
    try {
      const plan: ExportPlan = {
        parts: [...parts].join(),
        isCompressed: path.endsWith('gz'),
        database: placeOf(kernel),
      }
      const state = await stateFor(folder, plan, isForced)
      const again = commandText('export', { dir, file: path, only, exclude })
      report(await write(kernel, { folder, state, again }))
      console.log(path)
    } finally {
      await folder.release()
    }
  })
}

/** Returns the file of the archive. Its ending says whether it is compressed. */
function pathOf(file: string | undefined, isCompressed: boolean): string {
  if (file === undefined) return freePath(isCompressed)
  if (/\.(tar|tar\.gz|tgz)$/.test(file)) return resolve(file)
  return resolve(`${file}.tar${isCompressed ? '.gz' : ''}`)
}

/** Returns a path named by the time. Exports that start in the same second get the names of the seconds that follow. */
function freePath(isCompressed: boolean): string {
  for (let at = Date.now(); ; at += 1000) {
    const time = new Date(at).toISOString().replaceAll(/\D/g, '').slice(0, 14)
    const path = resolve(`export_${time}.tar${isCompressed ? '.gz' : ''}`)
    if (!existsSync(path) && !existsSync(`${path}.part`)) return path
  }
}

function refuseTo(path: string): never {
  throw new Failure(`${path} exists already; --force replaces it`)
}

/** Names the interrupted exports to which Plinth gave their names, because the same command does not find them again. */
function nameUnfinished(): void {
  for (const name of readdirSync('.')) {
    const [, archive] = /^(export_\d{14}\.tar(?:\.gz)?)\.part$/.exec(name) ?? []
    if (archive !== undefined)
      console.error(`${name} is an export that has not ended: \`plinth export -f ${archive}\` continues it`)
  }
}

/** Returns the state from which the export goes on. Throws Failure if it may not. */
async function stateFor(folder: WorkFolder, plan: ExportPlan, isForced: boolean): Promise<ExportState> {
  const state = isForced ? null : await folder.read()
  const targetExists = existsSync(folder.target)
  // The process was killed after the archive got its name.
  const isDone = state?.stage === 'complete' && targetExists && !existsSync(folder.archive)
  if (state === null || (state.stage === 'complete' && !existsSync(folder.archive) && !targetExists)) {
    if (targetExists && !isForced) refuseTo(folder.target)
    return newState(plan, isForced)
  }
  if (targetExists && !isDone && !state.mayReplace) refuseTo(folder.target)
  if (state.stage === 'rows') {
    console.error('The interrupted export had not written all entries: it begins again')
    return newState(plan, state.mayReplace)
  }
  const differences = differencesOf(state.plan, plan).map(([was, is]) => `\n  it has ${was}, and this one ${is}`)
  if (differences.length > 0)
    throw new Failure(`The interrupted export is not the same:${differences.join('')}\n--force begins anew`)
  console.error(
    `Continuing the interrupted export: its entries are those of ${state.createdAt}; --force begins anew instead`,
  )
  return state
}

interface ExportWork {
  readonly folder: WorkFolder
  readonly state: ExportState
  /** The command that continues it. */
  readonly again: string
}

async function write(kernel: Kernel, { folder, state, again }: ExportWork): Promise<Written> {
  const progress = new Progress()
  return interruptible(async signal => {
    try {
      const store = state.plan.parts.split(',').includes('files') ? fileStoreOf(kernel) : null
      const onProgress = progress.show.bind(progress)
      return await exportArchive({ kernel, folder, store, onProgress, signal }, state)
    } catch (error) {
      const what = signal.aborted ? 'The export was interrupted' : (error as Error).message
      if (folder.state !== null && folder.state.stage !== 'rows')
        throw new Failure(`${what}\nWhat is written is kept: \`${again}\` continues it`)
      // Without all rows there is nothing to continue from.
      await folder.clear()
      throw signal.aborted ? new Failure(`${what} before all entries were written; nothing is left of it`) : error
    } finally {
      progress.clear()
    }
  })
}

function report({ entries, links, dangling, files, missing, examples }: Written): void {
  console.error(`Wrote ${entries} entries and components, ${links} links and ${files} files`)
  if (dangling > 0)
    console.error(`${dangling} links and references are left out, because they lead to entries or types that are gone`)
  if (missing === 0) return
  console.error(`${missing} files are not in the storage, though records name them: ${examples.join(', ')}`)
}
