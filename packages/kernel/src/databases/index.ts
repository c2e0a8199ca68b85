// The public surface of @plinth/kernel/database: the contract of database packages. It is for these packages alone and
// may change in a minor version. Loads neither knex nor a driver, because processes that only read load it, too.

export type { Knex } from 'knex'
export { batchesOf } from '../database/batches.ts'
export type { Bracket, Committed, EntryTurn, TransactionOptions } from '../database/bracket.ts'
export type { After, Callers } from '../database/callers.ts'
export type { Catalogue, PresentColumn, PresentIndex, PresentKey, PresentTable } from '../database/catalogue.ts'
export { connectTimeout } from '../database/connect-timeout.ts'
export type { ConnectionDriver, DriverSession, Limits } from '../database/connection-driver.ts'
export type { Connections, ConnectionTools, TransactionWork } from '../database/connections.ts'
export {
  columnTexts,
  cut,
  type Ddl,
  type Family,
  foreignKeyText,
  indexColumns,
  type MigrationLock,
  type OnlineIndexing,
  shorten,
  type TableLimits,
  typeIn,
  type ValueTexts,
} from '../database/ddl.ts'
export type { Driver } from '../database/driver.ts'
export type { RawConnection } from '../database/knex-internals.ts'
export type { ColumnKind, ColumnLayout, ForeignKey, IndexLayout, TableLayout } from '../database/layout.ts'
export {
  type DriverErrors,
  type ErrorKind,
  type ErrorMeaning,
  meaningOf,
  note,
  type UniqueColumns,
} from '../database/meaning.ts'
export { listenerFor, type Observers, type StatementObserver, sharedObserver } from '../database/observer.ts'
export type { Pool, PoolSupervisor } from '../database/pool.ts'
export { CollisionError, isLost, isTransient } from '../database/retry.ts'
export type {
  BoundStatement,
  Change,
  Maybe,
  Rows,
  Session,
  StatementListener,
  Transaction,
} from '../database/session.ts'
export { awayError, takenError } from '../database/state.ts'
export type { RunningTransaction } from '../database/transaction.ts'
export { type Turn, Turns } from '../database/turns.ts'
export { unavailable } from '../database/unavailable.ts'
export type { IsAbandoned, Reading, Usage } from '../database/usage.ts'
export { StartError, UnavailableError, UsageError, ValidationError } from '../errors.ts'
export type { Storage } from '../model/attribute-types.ts'
export { isoJson, isoText } from '../model/dates.ts'
export { parseDatetime, parseDecimal } from '../model/values.ts'
export { nearest } from '../nearest.ts'
export type { Comparison } from '../query/operators.ts'
export { bytesOfRow, bytesOfRows, NoRoomError, type RowBytes } from '../row-bytes.ts'
export type { Bound, BoundOne, Codec, ColumnTests, Dialect, InsertGuard, TickRows } from '../sql/dialect.ts'
export { insertText, places } from '../sql/insert.ts'
export { parseStored, quoteText, storedJson } from '../sql/json.ts'
export { isTextual, patterns } from '../sql/patterns.ts'
export { TextCache, type TextCacheLimits } from '../text-cache.ts'
export {
  type ConnectionSchema,
  type ConnectionSettings,
  type DatabaseDefinition,
  type DatabasePackage,
  type DriverSettings,
  defineDatabase,
  type ReadonlyWork,
} from './definition.ts'
export { type DriverError, fieldsOf } from './driver-error.ts'
export { variable } from './environment.ts'
export { numbersOf, type Requirement, requireVersion } from './versions.ts'
