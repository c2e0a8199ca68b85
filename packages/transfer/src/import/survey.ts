// Reads a whole archive before an import writes anything: whether it is complete, and what in it does not fit the model.

import type { Kernel } from '@plinth/kernel'
import { isRecord } from '@plinth/kernel'
import type { ArchiveEnds } from '../archive/archive-reader.ts'
import { shownName } from '../archive/shown-name.ts'
import type { FileStore } from '../file-store.ts'
import { faultsOfEnd } from '../format/checksums.ts'
import { type End, format, names, version } from '../format/own-format.ts'
import { type Walk, walk } from '../format/walk.ts'
import { TransferWriter } from '../tables/write.ts'
import { TransferError } from '../transfer-error.ts'
import { TableSet } from './table-set.ts'

/** The content of an archive, compared with the model. */
export interface Survey {
  /** Numbers of entries and components by uid, without those that do not fit. */
  readonly entries: ReadonlyMap<string, number>
  readonly files: number
  /** Types, components and attributes that the model does not have. */
  readonly unknown: ReadonlySet<string>
  /** Numbers of entries by uid that the archive hides, and that the model would show. */
  readonly hidden: ReadonlyMap<string, number>
  /** Values and names that cannot be stored; at most so many that they can be listed. */
  readonly faults: readonly string[]
  /** Settings of v4's administrators, which are not imported. */
  readonly settings: number
  /** True if Strapi has made it. */
  readonly isOfV4: boolean
  /** True if it was checked against checksums, which archives of v4 and those made by hand do not have. */
  readonly isChecked: boolean
}

/** The maximum number of faults that are listed, and that of unknown names. */
const maxFaults = 20
const maxUnknown = 1000

/**
 * Surveys an archive. Throws TransferError if it is damaged, with an entry and a place for each fault, if it is not complete,
 * or of a version that cannot be read.
 */
export async function surveyArchive(reading: Walk, kernel: Kernel, store: FileStore | null): Promise<Survey> {
  const tables = new TableSet(kernel)
  const writer = new TransferWriter(kernel)
  const entries = new Map<string, number>()
  const hidden = new Map<string, number>()
  const unknown = new Set<string>()
  const faults: string[] = []
  const damage: string[] = []
  const documents = new Map<string, unknown>()
  const counts = { lines: 0, files: 0, settings: 0 }
  const ends = await walk(
    reading,
    { file: 0, line: 0 },
    {
      async items(items, _, at) {
        counts.lines++
        for (const item of items) {
          for (const name of tables.unknownIn(item)) if (unknown.size < maxUnknown) unknown.add(shownName(name))
          const table = tables.get(item.table)
          if (table === undefined || !tables.takes(item)) continue
          if (item.kind === 'row' && table.hasIds) entries.set(table.name, (entries.get(table.name) ?? 0) + 1)
          if (tables.isShownHere(item)) hidden.set(item.table, (hidden.get(item.table) ?? 0) + 1)
          if (faults.length >= maxFaults) continue
          const id = item.kind === 'row' ? item.row.id : item.id
          for (const fault of writer.faults(table, item.row))
            faults.push(`${at}: ${table.name}${id === undefined ? '' : ` ${shownName(String(id))}`}: ${fault}`)
        }
      },
      async asset(key) {
        counts.files++
        if (store !== null && !store.accepts(key) && faults.length < maxFaults)
          faults.push(`the file name ${JSON.stringify(key)}`)
      },
      document: (name, value) => void documents.set(name, value),
      setting: () => void counts.settings++,
      fault: text => void (damage.length < maxFaults && damage.push(text)),
    },
  ).catch((error: unknown) => {
    if (damage.length === 0 || !(error instanceof TransferError)) throw error
    throw damageError(reading.archive.path, damage, error)
  })
  const isChecked = checkEnd(reading.archive.path, documents, { ends, damage, ...counts })
  const isOfV4 = !isOwn(documents.get(names.metadata))
  return { entries, files: counts.files, unknown, hidden, faults, settings: counts.settings, isOfV4, isChecked }
}

/** Makes the error of an archive with these faults, and perhaps with one that ends its reading. */
function damageError(path: string, damage: readonly string[], last: TransferError | null): TransferError {
  const list = damage.map(text => `\n  ${text}`).join('')
  return new TransferError(`${path} is damaged:${list}${last === null ? '' : `\n${last.message}`}`)
}

interface ReadWhole {
  readonly ends: ArchiveEnds
  readonly damage: readonly string[]
  readonly lines: number
  readonly files: number
}

/**
 * Returns whether an archive has checksums, which are right then. Throws TransferError if it cannot be read whole, or not by
 * this version.
 */
function checkEnd(
  path: string,
  documents: ReadonlyMap<string, unknown>,
  { ends, damage, ...counts }: ReadWhole,
): boolean {
  const metadata = documents.get(names.metadata)
  const end = documents.get(names.end)
  const checked = isOwn(metadata) && isRecord(end) ? faultsOfEnd(end as unknown as End, ends) : null
  const other = isOwn(metadata) ? otherVersion(metadata) : otherFormat(metadata)
  // A damaged archive may look like one of another version.
  const refusal = other === null ? null : new TransferError(`${path} ${other}`)
  if (damage.length > 0) throw damageError(path, damage, refusal)
  if (refusal !== null) throw refusal
  if (isOwn(metadata) && !isRecord(end)) throw new TransferError(`${path} is not complete: the export did not end`)
  if (checked !== null && checked.length > 0) throw damageError(path, checked, null)
  if (isOwn(metadata) && isRecord(end) && (end.lines !== counts.lines || end.files !== counts.files))
    throw new TransferError(`${path} is not complete: the export did not end`)
  return checked !== null
}

const isOwn = (metadata: unknown): metadata is Readonly<Record<string, unknown>> =>
  isRecord(metadata) && metadata.format === format

function otherVersion(metadata: Readonly<Record<string, unknown>>): string | null {
  if (metadata.version === version) return null
  return `has version ${String(metadata.version)} of the format, and this plinth reads version ${version}`
}

function otherFormat(metadata: unknown): string | null {
  // v4 writes it last.
  if (!isRecord(metadata)) return `has no ${names.metadata}: the export did not end, or it is not an export`
  const strapi = isRecord(metadata.strapi) ? String(metadata.strapi.version) : null
  if (strapi === null) return 'was made neither by `plinth export` nor by `strapi export`'
  return strapi.startsWith('4.') ? null : `was made by Strapi ${strapi}: only those of version 4 can be read`
}
