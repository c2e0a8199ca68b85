// The database of commands that look at an application before its first start: they make no file of SQLite, and see an empty
// database in memory.

import { loadConfig, StartError } from '@plinth/kernel'
import { readOnly, resolveDatabase } from '@plinth/kernel/tables'

/**
 * Returns the option `database` of a kernel that makes no file: an empty database in memory in place of a file that is not
 * there, with the indexes of config/database; nothing if there is a database, or a fault, which the kernel reports.
 */
export async function withoutNewFile(dir: string): Promise<{ readonly database?: unknown }> {
  try {
    const resolved = await resolveDatabase(await loadConfig(dir, 'database'), dir)
    const { definition, indexes } = resolved
    if (!('filename' in definition.connection.properties) || !(await isMissing(resolved))) return {}
    return { database: { client: { database: definition }, connection: { filename: ':memory:' }, indexes } }
  } catch {
    return {}
  }
}

async function isMissing(resolved: Awaited<ReturnType<typeof resolveDatabase>>): Promise<boolean> {
  try {
    return await readOnly(resolved, async () => false)
  } catch (error) {
    return error instanceof StartError && error.code === 'PLINTH_DATABASE_MISSING'
  }
}
