// The public surface of @plinth/kernel/database: the contract of database packages. It is for these packages alone and
// may change in a minor version. Loads neither knex nor a driver, because processes that only read load it, too.

export type { Knex } from 'knex'
export { batchesOf } from '../connection/batches.ts'
export type { Bracket, Committed, EntryTurn, TransactionOptions } from '../connection/bracket.ts'
export type { After, Callers } from '../connection/callers.ts'
export type { Catalogue, PresentColumn, PresentIndex, PresentKey, PresentTable } from '../connection/catalogue.ts'
export { connectTimeout } from '../connection/connect-timeout.ts'
export type { ConnectionDriver, DriverSession, Limits } from '../connection/connection-driver.ts'
export type { Connections, ConnectionTools, TransactionWork } from '../connection/connections.ts'
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
} from '../connection/ddl.ts'
export type { Driver } from '../connection/driver.ts'
export type { RawConnection } from '../connection/knex-internals.ts'
export type { ColumnKind, ColumnLayout, ForeignKey, IndexLayout, TableLayout } from '../connection/layout.ts'
export {
  type DriverErrors,
  type ErrorKind,
  type ErrorMeaning,
  meaningOf,
  note,
  type UniqueColumns,
} from '../connection/meaning.ts'
export { listenerFor, type Observers, type StatementObserver, sharedObserver } from '../connection/observer.ts'
export type { Pool, PoolSupervisor } from '../connection/pool.ts'
export { CollisionError, isLost, isTransient } from '../connection/retry.ts'
export type {
  BoundStatement,
  Change,
  Maybe,
  Rows,
  Session,
  StatementListener,
  Transaction,
} from '../connection/session.ts'
export { awayError, takenError } from '../connection/state.ts'
export type { RunningTransaction } from '../connection/transaction.ts'
export { type Turn, Turns } from '../connection/turns.ts'
export { unavailable } from '../connection/unavailable.ts'
export type { IsAbandoned, Reading, Usage } from '../connection/usage.ts'
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
