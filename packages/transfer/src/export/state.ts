// The progress of an export, as the work folder keeps it. An interrupted export continues from there. Data only.

import { isRecord } from '@plinth/kernel'
import { TransferError } from '../transfer-error.ts'

/** The source and the form of an archive, which must be the same when an export continues. */
export interface ExportPlan {
  /** The parts of the archive, such as `content,files`. */
  readonly parts: string
  readonly isCompressed: boolean
  /** The file or the address of the database. */
  readonly database: string
}

/** The content of an archive. */
export interface Written {
  readonly entries: number
  readonly links: number
  /** The number of links, and of references of entries, that are left out because what they lead to is gone. */
  readonly dangling: number
  /** Lines of rows and of references. */
  readonly lines: number
  readonly files: number
  /** The number of files that records name and that are not in the storage. */
  readonly missing: number
  /** The keys of the first of them. */
  readonly examples: readonly string[]
}

/** The progress of an export. */
export interface ExportState {
  readonly version: typeof version
  readonly plan: ExportPlan
  /** When the export began; the entries are as they were then. */
  readonly createdAt: string
  /** It began with --force: another archive of the name is replaced. */
  readonly mayReplace: boolean
  /** The part that is being written: the rows, or the files; `complete`: only the archive's name is missing. */
  readonly stage: 'rows' | 'files' | 'complete'
  /** The number of bytes of the archive that are written. */
  readonly position: number
  /** The number of records of files that are done. */
  readonly records: number
  /** The number of lists of checksums that are written. */
  readonly lists: number
  /** The number of all records of files, once the rows are written. */
  readonly total: number
  readonly written: Written
}

const version = 1

/** Returns the state of an export that begins. */
export function newState(plan: ExportPlan, mayReplace: boolean): ExportState {
  const written: Written = { entries: 0, links: 0, dangling: 0, lines: 0, files: 0, missing: 0, examples: [] }
  const createdAt = new Date().toISOString()
  return { version, plan, createdAt, mayReplace, stage: 'rows', position: 0, records: 0, lists: 0, total: 0, written }
}

/** Reads a state. Throws TransferError if another version of Plinth has written it, or something else. */
export function parseState(text: string, path: string): ExportState {
  let value: unknown = null
  try {
    value = JSON.parse(text)
  } catch {
    // It is refused below.
  }
  if (isRecord(value) && value.version === version) return { lists: 0, ...value } as unknown as ExportState
  throw new TransferError(`${path} is not the state of an export by this version of plinth; --force begins anew`)
}

const words: Readonly<Record<keyof ExportPlan, (plan: ExportPlan) => string>> = {
  parts: ({ parts }) => `the parts ${parts}`,
  isCompressed: ({ isCompressed }) => (isCompressed ? 'a compressed archive' : 'an archive that is not compressed'),
  database: ({ database }) => `the entries of ${database}`,
}

/** Returns the differences of two plans, each as a pair of texts. */
export function differencesOf(was: ExportPlan, is: ExportPlan): (readonly [string, string])[] {
  const keys = Object.keys(words) as (keyof ExportPlan)[]
  return keys.filter(key => was[key] !== is[key]).map(key => [words[key](was), words[key](is)])
}
