// Checks whether an import was interrupted, in which case the database has only a part of the entries of an archive.

import type { Present } from '../connection/catalogue.ts'
import type { OpenDatabase } from '../connection/open-database.ts'
import { StartError } from '../errors.ts'

/** The table exists while an import runs, and after it was interrupted. */
export const unfinishedTable = 'plinth_import'

/** Returns whether an import has begun and has not ended. */
export async function isImportUnfinished(database: OpenDatabase): Promise<boolean> {
  const { catalogue } = database.ddl
  const rows = await database.readUnlimited(session => session.all(catalogue.table(unfinishedTable), []))
  return rows.length > 0
}

/** Throws StartError if an import has not ended, by the catalogue of the database. */
export function refuseUnfinished(present: Present): void {
  if (!present.has(unfinishedTable)) return
  throw new StartError(
    'PLINTH_IMPORT_UNFINISHED',
    'An import into the database is running or was interrupted, so it has only a part of the entries: run the same `plinth import` again, which continues it',
  )
}
