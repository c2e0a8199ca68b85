// The type of the database that `plinth doctor` lets plugins look at. The kernel only carries it.

/** The tables of a database, for reading only. */
export interface StoredTables {
  /** The columns of each table, by its name. */
  readonly tables: ReadonlyMap<string, readonly string[]>
  /** Returns the number of rows; null if there is no such table. */
  count(table: string): Promise<number | null>
  /**
   * Returns the values of these columns, in their order, of the first 1,000 rows, as the driver reads them; none if the table
   * or one of the columns is missing.
   */
  rows(table: string, columns: readonly string[]): Promise<readonly (readonly unknown[])[]>
}
