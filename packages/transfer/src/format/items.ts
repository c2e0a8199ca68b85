// The content of the lines of an archive, in one form for both formats. Data only.

import type { TransferRow } from '../tables/tables.ts'

/** A row that is to be inserted. */
export interface RowItem {
  readonly kind: 'row'
  /** The name of its table, as `transferTables` has it; the archive may name tables that the model lacks. */
  readonly table: string
  readonly row: TransferRow
  /** True if the archive has the files of the record, if it is one of files. */
  readonly hasFiles: boolean
}

/** Columns of a row that exists, with references to rows that may come after it. */
export interface SetItem {
  readonly kind: 'set'
  readonly table: string
  readonly id: number
  readonly row: TransferRow
}

export type Item = RowItem | SetItem
