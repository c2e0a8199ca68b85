// Finds the packages that an application names, such as plugins and databases. Knows neither of them.

import { createRequire } from 'node:module'
import { join } from 'node:path'

/**
 * The files from which packages are resolved: the package.json of the application in `dir`, the program and this file.
 */
export function viewpoints(dir: string): readonly string[] {
  return [join(dir, 'package.json'), process.argv[1] ?? dir, import.meta.filename]
}

/** The file that a package exports; null if it is not installed. */
export function findPackage(name: string, dir: string): string | null {
  for (const from of viewpoints(dir)) {
    try {
      return createRequire(from).resolve(name)
    } catch {
      // It cannot be resolved from there; the next file is tried.
    }
  }
  return null
}
