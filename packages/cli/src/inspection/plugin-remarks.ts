// Collects what the plugins of a project say of its database (`inspect`). Changes nothing.

import type { Plugin, StoredTables } from '@plinth/kernel'
import { readStoredRows } from './stored-rows.ts'

/**
 * Returns the remarks of plugins; none if the database does not open, which has a fault of its own. `settings` is
 * config/database of the project in `dir`.
 */
export async function remarksOf(plugins: readonly Plugin[], settings: unknown, dir: string): Promise<string[]> {
  const looking = plugins.filter(({ plinth }) => plinth.inspect !== undefined)
  if (looking.length === 0) return []
  try {
    return await readStoredRows(settings, dir, async stored => {
      const remarks: string[] = []
      for (const one of looking) remarks.push(...(await remarksOfOne(one, stored)))
      return remarks
    })
  } catch {
    return []
  }
}

async function remarksOfOne({ plinth }: Plugin, stored: StoredTables): Promise<readonly string[]> {
  try {
    return (await plinth.inspect?.(stored)) ?? []
  } catch (error) {
    return [`The plugin ${plinth.name} could not look at the database: ${(error as Error).message}`]
  }
}
