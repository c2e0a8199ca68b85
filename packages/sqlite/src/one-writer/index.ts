// The public surface of @plinth/sqlite/one-writer: connections for databases with one writer at a time, for packages of
// such databases. Loads neither knex nor a driver.

export { oneWriter } from './one-writer.ts'
export type { Reader } from './reader.ts'
