// Runs an import for `plinth import`: refuses archives that do not fit, asks before anything is deleted, and continues an
// interrupted import.

import type { Kernel } from '@plinth/kernel'
import {
  type Archive,
  addTables,
  type FileStore,
  fileStoreOf,
  ImportRecord,
  type ImportState,
  importArchive,
  openArchive,
  type Part,
  readTables,
  type Survey,
  surveyArchive,
} from '@plinth/transfer'
import { Failure } from '../failure.ts'
import { argumentOrAnswer } from '../generation/ask.ts'
import { withKernel } from '../open.ts'
import { commandText } from './command-text.ts'
import { interruptible } from './interruption.ts'
import { partsOf } from './parts.ts'
import { Progress } from './progress.ts'

/** The options of the command. */
export interface ImportOptions {
  readonly dir?: string | undefined
  readonly file?: string | undefined
  readonly key?: string | undefined
  readonly only?: string | undefined
  readonly exclude?: string | undefined
  readonly 'ignore-unknown'?: boolean | undefined
  readonly force?: boolean | undefined
  readonly yes?: boolean | undefined
}

/** Imports an archive. Throws Failure or TransferError with what helps. */
export async function runImport(options: ImportOptions): Promise<void> {
  const { dir, file, key, only, exclude, force = false, yes = false } = options
  if (file === undefined) throw new Failure('--file is missing: the archive to import')
  const parts = partsOf(only, exclude)
  const archive = await openArchive(file, key)
  // The key is not printed.
  const shownOptions = { dir, file, only, exclude, key: key === undefined ? undefined : '…' }
  const mayIgnore = options['ignore-unknown'] === true
  const again = `${commandText('import', shownOptions)}${mayIgnore ? ' --ignore-unknown' : ''}`
  const task = { archive, parts, mayIgnore, isForced: force, isSure: yes, again }
  await withKernel(dir, kernel => bringIn(kernel, task), { withoutDatabase: 'create' })
}

interface Task {
  readonly archive: Archive
  readonly parts: ReadonlySet<Part>
  readonly mayIgnore: boolean
  readonly isForced: boolean
  readonly isSure: boolean
  /** The command that continues the import. */
  readonly again: string
}

async function bringIn(kernel: Kernel, { archive, parts, mayIgnore, again, ...wish }: Task): Promise<void> {
  const store = fileStoreOf(kernel)
  const progress = new Progress()
  let phase = 'checking'
  let written = 0
  const onRows = (rows: number) => {
    written = rows
    phase = `${rows} rows`
  }
  const onBytes = (read: number) => progress.show(read / archive.size, phase)
  const reading = { archive, model: kernel.contentTypes, onBytes }
  try {
    const survey = await surveyArchive(reading, kernel, store)
    progress.clear()
    refuseUnfit(survey, { store, parts, mayIgnore })
    await addTables(kernel)
    const state = await stateFor(kernel, { hash: await archive.hash(), parts, ...wish })
    const hasFiles = survey.files > 0
    await interruptible(signal =>
      importArchive({ kernel, store, parts, reading, hasFiles, signal }, state, onRows).catch((error: unknown) => {
        throw signal.aborted ? new Failure(`The import was interrupted: \`${again}\` continues it`) : error
      }),
    )
    progress.clear()
    console.log(`Imported ${written} rows${parts.has('files') && store !== null ? ` and ${survey.files} files` : ''}`)
  } finally {
    progress.clear()
  }
}

/** Refuses archives that cannot be imported whole, and prints what is left out. */
function refuseUnfit(
  { unknown, hidden, faults, settings, files, isOfV4 }: Survey,
  {
    store,
    parts,
    mayIgnore,
  }: { readonly store: FileStore | null; readonly parts: ReadonlySet<Part>; readonly mayIgnore: boolean },
): void {
  if (isOfV4)
    console.error('Archives of Strapi v4 have no checksums: damage that leaves this one readable is not found')
  if (settings > 0)
    console.error(
      `${settings} settings that v4 keeps in its database (core store, webhooks) are left out: Plinth has its settings, webhooks included, in config/`,
    )
  if (files > 0 && store === null && parts.has('files'))
    throw new Failure(
      `The archive has ${files} files, and config/plugins has no plugin upload; --exclude files leaves them out`,
    )
  if (!parts.has('content')) return
  if (hidden.size > 0) {
    const list = [...hidden].map(([uid, count]) => `\n  ${uid}: ${count}`).join('')
    throw new Failure(
      `These drafts of the archive would become public, because their types have no drafts in the model:${list}\nNothing was written. Import them with "draftAndPublish": true in their schema.json; without it, \`plinth migrate plan\` then has a step that shows them and one that deletes them`,
    )
  }
  if (unknown.size > 0) {
    const list = [...unknown]
      .sort()
      .map(name => `\n  ${name}`)
      .join('')
    if (!mayIgnore)
      throw new Failure(
        `The model does not have these types and attributes of the archive:${list}\nNothing was written; --ignore-unknown leaves them out`,
      )
    console.error(`Left out, because the model does not have them:${list}`)
  }
  if (faults.length > 0)
    throw new Failure(`These values cannot be stored; nothing was written:${faults.map(one => `\n  ${one}`).join('')}`)
}

interface Wish {
  readonly hash: string
  readonly parts: ReadonlySet<Part>
  readonly isForced: boolean
  readonly isSure: boolean
}

/** Returns the state from which the import goes on, which is noted in the database. Throws Failure if it may not begin. */
async function stateFor(kernel: Kernel, { hash, parts, isForced, isSure }: Wish): Promise<ImportState> {
  const record = new ImportRecord(kernel)
  const words = [...parts].join()
  const interrupted = await record.read()
  if (interrupted !== null && !isForced) {
    if (interrupted.archive !== hash)
      throw new Failure(
        'An import of another archive was interrupted: import that one again, which continues it, or begin anew with --force',
      )
    if (interrupted.parts !== words)
      throw new Failure(`The interrupted import had the parts ${interrupted.parts}: use the same --only and --exclude`)
    console.error('Continuing the interrupted import')
    return interrupted
  }
  const state: ImportState = { archive: hash, parts: words, stage: 'writing', file: 0, line: 0 }
  const present = parts.has('content') ? await rowsIn(kernel) : []
  if (present.length > 0) {
    const list = present.map(([uid, count]) => `\n  ${uid}: ${count}`).join('')
    if (!isForced)
      throw new Failure(`The database is not empty:${list}\n--force deletes these entries before the import`)
    console.error(
      `All entries of the application${parts.has('files') ? ' and their stored files' : ''} will be deleted:${list}`,
    )
    if (!isSure) await confirm()
  }
  const first: ImportState = present.length > 0 ? { ...state, stage: 'emptying' } : state
  await record.begin(first)
  return first
}

async function confirm(): Promise<void> {
  const answer = await argumentOrAnswer(
    undefined,
    'Delete them? (yes/no)',
    '--force deletes entries: confirm with --yes where no terminal can ask',
  )
  if (!/^y(es)?$/i.test(answer)) throw new Failure('Nothing was deleted and nothing imported')
}

/** Returns the types that have entries, with their numbers. */
function rowsIn(kernel: Kernel): Promise<(readonly [string, number])[]> {
  return readTables(kernel, async reader => {
    const counts: (readonly [string, number])[] = []
    for (const table of reader.tables) {
      const count = await reader.count(table)
      if (count > 0 && table.hasIds) counts.push([table.name, count])
    }
    return counts
  })
}
