// Lists folders of an application and imports its modules. Does not interpret them.

import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { StartError } from '../errors.ts'

/** Returns the names of the folders in a folder, sorted; none if there is no such folder. */
export async function folders(path: string): Promise<string[]> {
  if (!existsSync(path)) return []
  const entries = await readdir(path, { withFileTypes: true })
  return entries
    .filter(entry => entry.isDirectory())
    .map(entry => entry.name)
    .sort()
}

/** Imports a module of the application, and adds its file to errors, which rarely name it. */
export async function importModule(path: string, file: string): Promise<{ default?: unknown }> {
  try {
    return (await import(pathToFileURL(path).href)) as { default?: unknown }
  } catch (cause) {
    const fault = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
    throw new StartError('PLINTH_SCHEMA_LOAD', `${file}: cannot be loaded: ${fault.trim()}`, { cause })
  }
}
