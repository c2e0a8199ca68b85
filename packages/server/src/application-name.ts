// Reads what an application is called: the name and the version in its package.json.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRecord } from '@plinth/kernel'

/** The name and the version of an application, if it has them. */
export interface ApplicationName {
  readonly name: string | null
  readonly version: string | null
}

/** The name and the version of the application in a folder. */
export async function applicationName(dir: string): Promise<ApplicationName> {
  const manifest = await manifestIn(dir)
  return { name: textOf(manifest.name), version: textOf(manifest.version) }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

async function manifestIn(dir: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const manifest: unknown = JSON.parse(await readFile(join(dir, 'package.json'), 'utf8'))
    return isRecord(manifest) ? manifest : {}
  } catch {
    // An application in code may have none.
    return {}
  }
}
