// Notices drivers that an application installs itself, as projects of v4 and applications of earlier versions do: the
// package of the database brings its own. Knows no driver.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DatabaseDefinition } from './definition.ts'

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
}

/** A sentence without a full stop about the drivers in package.json of the application in `dir`; null if it has none. */
export async function strayDrivers({ name, drivers = [] }: DatabaseDefinition, dir: string): Promise<string | null> {
  const { dependencies = {} } = await manifestIn(dir)
  const stray = drivers.filter(driver => driver in dependencies)
  if (stray.length === 0) return null
  const names = stray.join(' and ')
  return `package.json has ${names}, which Plinth does not use: the package of the database ${name} brings its own driver`
}

/** The manifest; an empty one if there is none, or if it is not JSON, which npm refuses. */
async function manifestIn(dir: string): Promise<Manifest> {
  try {
    return (JSON.parse(await readFile(join(dir, 'package.json'), 'utf8')) ?? {}) as Manifest
  } catch {
    return {}
  }
}
