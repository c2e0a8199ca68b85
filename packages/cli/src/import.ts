// `plinth import`: brings an archive of `plinth export` or of `strapi export` (v4) into an empty database.

import type { Kernel } from '@plinth/kernel'
import { ImportRecord, type ImportState, readTables } from '@plinth/kernel/transfer'
import { defineCommand } from '#citty'
import { Failure } from './failure.ts'
import { given } from './generation/ask.ts'
import { dirOption, withKernel } from './open.ts'
import type { Archive } from './transfer/archive-reader.ts'
import { commandText } from './transfer/command-text.ts'
import { type FileStore, fileStoreOf } from './transfer/file-store.ts'
import { interruptible } from './transfer/interruption.ts'
import { type Part, partOptions, partsOf } from './transfer/parts.ts'
import { Progress } from './transfer/progress.ts'
import { importArchive } from './transfer/reading.ts'
import { addTables } from './transfer/schema-state.ts'
import { type Survey, survey } from './transfer/survey.ts'
import { withExamples } from './usage.ts'

export const importCommand = withExamples(
  defineCommand({
    meta: {
      name: 'import',
      description: 'bring an archive of `plinth export` or of Strapi v4 into an empty database; stop the server before',
    },
    args: {
      dir: dirOption,
      file: { type: 'string', alias: 'f', description: 'the archive: .tar, .tar.gz, or of v4 also .enc' },
      key: { type: 'string', alias: 'k', description: 'the key of an archive that v4 has encrypted' },
      ...partOptions,
      'ignore-unknown': { type: 'boolean', description: 'leave out types and attributes that the model does not have' },
      force: { type: 'boolean', description: 'delete all entries and files of the application first' },
      yes: { type: 'boolean', description: 'with --force: do not ask' },
    },
    async run({ args }) {
      const { dir, file, key, only, exclude, force = false, yes = false } = args
      if (file === undefined) throw new Failure('--file is missing: the archive to import')
      const parts = partsOf(only, exclude)
      // Only here, because every command loads this file.
      const { openArchive } = await import('./transfer/archive-reader.ts')
      const archive = await openArchive(file, key)
      // The key is not printed.
      const shown = { dir, file, only, exclude, key: key === undefined ? undefined : '…' }
      const mayIgnore = args['ignore-unknown'] === true
      const again = `${commandText('import', shown)}${mayIgnore ? ' --ignore-unknown' : ''}`
      await withKernel(dir, kernel =>
        bringIn(kernel, { archive, parts, mayIgnore, isForced: force, isSure: yes, again }),
      )
    },
  }),
  [
    'plinth import -f backup.tar.gz                        # into an empty database',
    'plinth import -f backup.tar.gz --force --yes          # deletes what is there first, and does not ask',
    'plinth import -f export.tar.gz.enc --key "some words" # an archive that Strapi v4 has encrypted',
  ],
)

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
    const found = await survey(reading, kernel, store)
    progress.clear()
    judge(found, { store, parts, mayIgnore })
    await addTables(kernel)
    const state = await stateFor(kernel, { hash: await archive.hash(), parts, ...wish })
    const hasFiles = found.files > 0
    await interruptible(signal =>
      importArchive({ kernel, store, parts, reading, hasFiles, signal }, state, onRows).catch((error: unknown) => {
        throw signal.aborted ? new Failure(`The import was interrupted: \`${again}\` continues it`) : error
      }),
    )
    progress.clear()
    console.log(`Imported ${written} rows${parts.has('files') && store !== null ? ` and ${found.files} files` : ''}`)
  } finally {
    progress.clear()
  }
}

/** Refuses what cannot be imported whole, and says what is left out. */
function judge(
  { unknown, hidden, faults, settings, files }: Survey,
  {
    store,
    parts,
    mayIgnore,
  }: { readonly store: FileStore | null; readonly parts: ReadonlySet<Part>; readonly mayIgnore: boolean },
): void {
  if (settings > 0)
    console.error(
      `${settings} settings that v4 keeps in its database (core store, webhooks) are left out: Plinth has its settings in config/, and no webhooks`,
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

/** The state from which the import goes on, which is noted in the database. Throws Failure if it may not begin. */
async function stateFor(kernel: Kernel, { hash, parts, isForced, isSure }: Wish): Promise<ImportState> {
  const record = new ImportRecord(kernel)
  const words = [...parts].join()
  const known = await record.read()
  if (known !== null && !isForced) {
    if (known.archive !== hash)
      throw new Failure(
        'An import of another archive was interrupted: import that one again, which continues it, or begin anew with --force',
      )
    if (known.parts !== words)
      throw new Failure(`The interrupted import had the parts ${known.parts}: use the same --only and --exclude`)
    console.error('Continuing the interrupted import')
    return known
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
  const begun: ImportState = present.length > 0 ? { ...state, stage: 'emptying' } : state
  await record.begin(begun)
  return begun
}

async function confirm(): Promise<void> {
  const answer = await given(
    undefined,
    'Delete them? (yes/no)',
    '--force deletes entries: confirm with --yes where no terminal can ask',
  )
  if (!/^y(es)?$/i.test(answer)) throw new Failure('Nothing was deleted and nothing imported')
}

/** The types that have entries, with their numbers. */
function rowsIn(kernel: Kernel): Promise<(readonly [string, number])[]> {
  return readTables(kernel, async reader => {
    const found: (readonly [string, number])[] = []
    for (const table of reader.tables) {
      const count = await reader.count(table)
      if (count > 0 && table.hasIds) found.push([table.name, count])
    }
    return found
  })
}
