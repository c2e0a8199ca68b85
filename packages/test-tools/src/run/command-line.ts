// Reads the command line of `pnpm test`. It must not know how tests run.

import { existsSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { packageFolders, root } from './reports.ts'

/** The tests to run. Folders are relative to the root of the workspace. */
export interface Command {
  /** Folders of packages that are named whole. */
  readonly packages: readonly string[]
  /** Files and folders within packages, by the folder of the package. */
  readonly files: ReadonlyMap<string, readonly string[]>
  /** True if only packages with uncommitted changes are tested, and those that depend on them. */
  readonly isChangedOnly: boolean
  /** True if coverage is measured, of the packages that have a floor. */
  readonly isMeasured: boolean
  /** The names of databases, separated by commas; undefined for those that answer. */
  readonly databases: string | undefined
}

/** Reads the arguments. Throws an error that names what does not exist. */
export function readCommandLine(args: readonly string[]): Command {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { databases: { type: 'string' }, changed: { type: 'boolean' }, coverage: { type: 'boolean' } },
  })
  const { databases, changed: isChangedOnly = false, coverage: isMeasured = false } = values
  if ((isChangedOnly || isMeasured) && positionals.length > 0)
    throw new Error('--changed and --coverage choose the packages themselves, so none can be named')
  const folders = packageFolders()
  const packages = isMeasured ? folders.filter(one => existsSync(join(root, one, 'coverage.json'))) : []
  const files = new Map<string, string[]>()
  for (const name of positionals) {
    const path = relative(root, resolve(process.env.INIT_CWD ?? root, name)).replaceAll(sep, '/')
    const folder = folders.find(one => path === one || path.startsWith(`${one}/`))
    if (folder === undefined) throw new Error(`"${name}" is not a package with tests; there are ${folders.join(', ')}`)
    if (path === folder) packages.push(folder)
    else if (existsSync(join(root, path)))
      files.set(folder, [...(files.get(folder) ?? []), path.slice(folder.length + 1)])
    else throw new Error(`"${name}" does not exist`)
  }
  return { packages, files, isChangedOnly, isMeasured, databases }
}
