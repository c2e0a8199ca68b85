// Whole databases for tools: `@plinth/kernel/transfer` reads and writes all tables of a model, for exports and imports. It
// knows no file format and no plugin.

export { ImportRecord, type ImportState, type Stage } from './import-record.ts'
export type { Dangling } from './dangling.ts'
export { placeOf, readTables, type TransferReader, type TransferRow } from './read.ts'
export {
  componentsOf,
  linksOf,
  type TransferColumn,
  type TransferReference,
  type TransferTable,
  transferTables,
} from './tables.ts'
export { TransferWriter } from './write.ts'
