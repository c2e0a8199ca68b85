// `plinth export`: writes the content and the files of an application into one archive.

import { existsSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Kernel } from '@plinth/kernel'
import { placeOf } from '@plinth/kernel/transfer'
import { defineCommand } from '#citty'
import { Failure } from './failure.ts'
import { dirOption, withKernel } from './open.ts'
import { differencesOf, type ExportPlan, type ExportState, newState, type Written } from './transfer/export-state.ts'
import { fileStoreOf } from './transfer/file-store.ts'
import { commandText } from './transfer/command-text.ts'
import { interruptible } from './transfer/interruption.ts'
import { partOptions, partsOf } from './transfer/parts.ts'
import { Progress } from './transfer/progress.ts'
import { requireTables } from './transfer/schema-state.ts'
import { ending, WorkFolder } from './transfer/work-folder.ts'
import { withExamples } from './usage.ts'

export const exportCommand = withExamples(
  defineCommand({
    meta: {
      name: 'export',
      description:
        'write all entries and files into one archive, which only its owner can read: it has password hashes and private attributes',
    },
    args: {
      dir: dirOption,
      file: { type: 'string', alias: 'f', description: 'the archive; .tar.gz is added to a name without it' },
      compress: {
        type: 'boolean',
        default: true,
        description: 'compress the archive',
        negativeDescription: 'write .tar',
      },
      force: { type: 'boolean', description: 'replace an archive of that name, and continue no interrupted export' },
      ...partOptions,
      encrypt: { type: 'boolean', description: 'not supported: encrypt the archive with a tool such as age or gpg' },
      key: { type: 'string', alias: 'k', description: 'not supported, as --encrypt' },
    },
    async run({ args }) {
      if (args.encrypt || args.key !== undefined)
        throw new Failure('Archives are not encrypted: encrypt the file with a tool such as age or gpg')
      const path = pathOf(args.file, args.compress)
      const isForced = args.force === true
      if (existsSync(path) && !isForced && !existsSync(`${path}${ending}`)) refuseTo(path)
      const parts = partsOf(args.only, args.exclude)
      if (args.file === undefined) nameUnfinished()
      await withKernel(args.dir, async kernel => {
        await requireTables(kernel)
        const folder = await WorkFolder.open(path)
        try {
          const plan: ExportPlan = {
            parts: [...parts].join(),
            isCompressed: path.endsWith('gz'),
            database: placeOf(kernel),
          }
          const state = await stateFor(folder, plan, isForced)
          const { dir, only, exclude } = args
          const written = await write(kernel, {
            folder,
            state,
            again: commandText('export', { dir, file: path, only, exclude }),
          })
          report(written)
          console.log(path)
        } finally {
          await folder.release()
        }
      })
    },
  }),
  [
    'plinth export                             # export_20261123120000.tar.gz in the current folder',
    'plinth export -f backup --exclude files   # backup.tar.gz with entries only',
    'plinth export -f backup.tar               # not compressed',
    'plinth export -f backup                   # again after an interruption: continues',
  ],
)

/** The file of the archive. Its ending says whether it is compressed. */
function pathOf(file: string | undefined, isCompressed: boolean): string {
  if (file === undefined) return freePath(isCompressed)
  if (/\.(tar|tar\.gz|tgz)$/.test(file)) return resolve(file)
  return resolve(`${file}.tar${isCompressed ? '.gz' : ''}`)
}

/** A path named by the time. Exports that start in the same second get the names of the seconds that follow. */
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

/** The state from which the export goes on. Throws Failure if it may not. */
async function stateFor(folder: WorkFolder, plan: ExportPlan, isForced: boolean): Promise<ExportState> {
  const state = isForced ? null : await folder.read()
  const isThere = existsSync(folder.target)
  // The process was killed after the archive got its name.
  const isDone = state?.stage === 'complete' && isThere && !existsSync(folder.archive)
  if (state === null || (state.stage === 'complete' && !existsSync(folder.archive) && !isThere)) {
    if (isThere && !isForced) refuseTo(folder.target)
    return newState(plan, isForced)
  }
  if (isThere && !isDone && !state.mayReplace) refuseTo(folder.target)
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

interface Writing {
  readonly folder: WorkFolder
  readonly state: ExportState
  /** The command that continues it. */
  readonly again: string
}

async function write(kernel: Kernel, { folder, state, again }: Writing): Promise<Written> {
  // Only here, because every command loads this file.
  const { exportArchive } = await import('./transfer/exporting.ts')
  const progress = new Progress()
  return interruptible(async signal => {
    try {
      const store = state.plan.parts.split(',').includes('files') ? fileStoreOf(kernel) : null
      return await exportArchive({ kernel, folder, store, progress, signal }, state)
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
