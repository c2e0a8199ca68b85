// The public surface of `@plinth/kernel/tables`: the open database of a kernel and the tables of its model, for packages that
// send statements of their own. They are built for one minor version of the kernel, and a minor version may change it.

export { batchesOf } from './database/batches.ts'
export { inspect, inspectColumns, type Present, type PresentIndex } from './database/catalogue.ts'
export { isStructural } from './database/ddl.ts'
export { typeParserOf } from './database/knex-internals.ts'
export { type ColumnKind, layoutOf, type TableLayout } from './database/layout.ts'
export { onlinePrefix } from './database/online-layout.ts'
export { databaseOf, type OpenDatabase, type WithDatabase } from './database/open-database.ts'
export { type ResolvedDatabase, resolveDatabase } from './databases/config.ts'
export { readOnly } from './databases/readonly.ts'
export { componentsTable } from './model/naming.ts'
export { parseDate, parseDatetime, parseTime } from './model/values.ts'
export { type BoundOne, type Dialect, mayExist } from './sql/dialect.ts'
export { places } from './sql/insert.ts'
