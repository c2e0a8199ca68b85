// Reads the columns of a project's database before its model is closed: custom fields whose type nobody registers have that
// of their column. Changes nothing.

import type { FindColumn } from '@plinth/kernel'
import { readColumns } from '@plinth/kernel/migrate'
import { readOnly, resolveDatabase } from '@plinth/kernel/tables'

/** Reads the columns of the database that config/database of the project in `dir` names; finds none if it cannot. */
export async function columnsOf(settings: unknown, dir: string): Promise<FindColumn> {
  try {
    return await readOnly(await resolveDatabase(settings, dir), readColumns)
  } catch {
    return () => null
  }
}
