// Exports and imports of whole applications: archives of all entries and stored files, and the tables that they are made of.
// Knows no command line: it prints nothing, asks nothing and reads no options.

export { type Archive, openArchive } from './archive/archive-reader.ts'
export { type Export, exportArchive } from './export/export.ts'
export type { OnProgress } from './export/progress.ts'
export { differencesOf, type ExportPlan, type ExportState, newState, type Written } from './export/state.ts'
export { WorkFolder, workFolderEnding } from './export/work-folder.ts'
export { type FileStore, fileStoreOf } from './file-store.ts'
export { type Import, importArchive } from './import/import.ts'
export { ImportRecord, type ImportState, type Stage } from './import/record.ts'
export { type Survey, surveyArchive } from './import/survey.ts'
export type { Part } from './parts.ts'
export { addTables, requireTables } from './schema-state.ts'
export type { DanglingReference } from './tables/dangling.ts'
export { placeOf, readTables, type TransferReader } from './tables/read.ts'
export {
  componentsOf,
  linksOf,
  type TransferColumn,
  type TransferReference,
  type TransferRow,
  type TransferTable,
  transferTables,
} from './tables/tables.ts'
export { TransferWriter } from './tables/write.ts'
export { TransferError } from './transfer-error.ts'
