// The lines of Plinth's own archives. The files of an archive, in this order:
//   metadata.json            the format and its version
//   rows/rows_00001.jsonl …  a row of a table in each line, or references that are set after all rows
//   assets/uploads/<key> …   the stored files
//   checksums/checksums_00001.jsonl …  between them: what the files since the last such list are
//   end.json                 how many lines and files there are, and the digests of all bytes before it: an archive
//                            without it is not complete

import { isRecord } from '@plinth/kernel'
import type { WrittenDigests } from '../archive/archive-writer.ts'
import type { Item } from './items.ts'
import type { Line } from './lines.ts'

export const format = 'plinth'
export const version = 1

/** The names of the files. */
export const names = {
  metadata: 'metadata.json',
  rows: (number: number) => `rows/rows_${String(number).padStart(5, '0')}.jsonl`,
  asset: (key: string) => `assets/uploads/${key}`,
  checksums: (number: number) => `checksums/checksums_${String(number).padStart(5, '0')}.jsonl`,
  end: 'end.json',
}

/** The content of metadata.json. */
export interface Metadata {
  readonly format: typeof format
  readonly version: number
  readonly createdAt: string
  readonly parts: readonly string[]
}

/** The content of end.json. */
export interface End {
  readonly lines: number
  readonly files: number
  /** Missing in archives that are made by hand: they are not checked. */
  readonly sha256?: WrittenDigests
}

/** Returns the line of an item. */
export function lineOf(item: Item): string {
  const value =
    item.kind === 'row'
      ? { row: item.table, values: item.row, ...(item.hasFiles && { files: true }) }
      : { set: item.table, id: item.id, values: item.row }
  return `${JSON.stringify(value)}\n`
}

/** Returns the items of a line; null if it has another form. */
export function itemsOf({ value }: Line): Item[] | null {
  const { row, set, id, values, files } = value
  if (!isRecord(values)) return null
  if (typeof row === 'string') return [{ kind: 'row', table: row, row: values, hasFiles: files === true }]
  if (typeof set === 'string' && typeof id === 'number') return [{ kind: 'set', table: set, id, row: values }]
  return null
}
