// The database of commands that look at an application before its first start: they make no file of SQLite. Those that can
// do without one see an empty database in memory, and others are refused.

import { loadConfig, StartError } from '@plinth/kernel'
import { readOnly, resolveDatabase } from '@plinth/kernel/tables'
import { Failure } from './failure.ts'

type Resolved = Awaited<ReturnType<typeof resolveDatabase>>

/**
 * Returns the option `database` of a kernel that makes no file: an empty database in memory in place of a file that is not
 * there, with the indexes of config/database; nothing if there is a database, or a fault, which the kernel reports.
 */
export async function withoutNewFile(dir: string): Promise<{ readonly database?: unknown }> {
  const missing = await missingFileOf(dir)
  if (missing === null) return {}
  const { definition, indexes } = missing
  return { database: { client: { database: definition }, connection: { filename: ':memory:' }, indexes } }
}

/** Throws Failure if the file of SQLite is not there. */
export async function refuseMissingFile(dir: string): Promise<void> {
  const missing = await missingFileOf(dir)
  if (missing === null) return
  const place = missing.definition.place(missing.settings)
  throw new Failure(`The database file ${place} does not exist; start the server once, or run \`plinth migrate apply\``)
}

/** The database of an application if it is a file that is not there; otherwise, and if it has a fault, null. */
async function missingFileOf(dir: string): Promise<Resolved | null> {
  try {
    const resolved = await resolveDatabase(await loadConfig(dir, 'database'), dir)
    const { definition, settings } = resolved
    const isFile = 'filename' in definition.connection.properties && settings.connection.filename !== ':memory:'
    return isFile && (await isMissing(resolved)) ? resolved : null
  } catch {
    return null
  }
}

async function isMissing(resolved: Resolved): Promise<boolean> {
  try {
    return await readOnly(resolved, async () => false)
  } catch (error) {
    return error instanceof StartError && error.code === 'PLINTH_DATABASE_MISSING'
  }
}
