// The public surface of `@plinth/kernel/tables`: the open database of a kernel and the tables of its model, for packages that
// send statements of their own. They are built for one minor version of the kernel, and a minor version may change it.

export { batchesOf } from './connection/batches.ts'
export { inspect, inspectColumns, type Present, type PresentIndex } from './connection/catalogue.ts'
export { isStructural } from './connection/ddl.ts'
export { typeParserOf } from './connection/knex-internals.ts'
export { type ColumnKind, layoutOf, type TableLayout } from './connection/layout.ts'
export { onlinePrefix } from './connection/online-layout.ts'
export { databaseOf, type OpenDatabase, type WithDatabase } from './connection/open-database.ts'
export { type ResolvedDatabase, resolveDatabase } from './databases/config.ts'
export { readOnly } from './databases/readonly.ts'
export { componentsTable } from './model/naming.ts'
export { parseDate, parseDatetime, parseTime } from './model/values.ts'
export { type BoundOne, type Dialect, mayExist } from './sql/dialect.ts'
export { places } from './sql/insert.ts'
